/** Agent types of meshes with one agent: 2D maps and surface meshes. Types differ in their rules alone. */
import { setAgentTypes } from 'navkiln';
import type { AgentShape, NavMesh } from 'navkiln';
import type { AgentSize } from 'navkiln/build';

const BODY_KEYS = ['radius', 'height', 'maxClimb', 'maxSlopeDegrees'] as const;

/** Returns why types cannot share the one agent of a 2D map or a surface mesh; '' if they can. */
export function whyBodiesDiffer(types: readonly AgentSize[], isMap: boolean): string {
  const key = BODY_KEYS.find((one) => types.some((type) => type[one] !== types[0][one]));
  if (key === undefined) return '';
  const mesh = isMap ? 'the mesh of a 2D map' : 'a surface mesh';
  const remedy = isMap
    ? 'findClearPath2d of navkiln/clearance finds paths for any radius'
    : 'voxel bakes have types of several sizes';
  return `${mesh} has one agent, so all types need the same ${key}; bake a mesh for each, or remove it: ${remedy}`;
}

/** Returns the agent that types share. */
export function sharedAgent([
  { radius, height, maxClimb, maxSlopeDegrees },
]: readonly AgentSize[]): Partial<AgentShape> {
  return {
    radius,
    height,
    ...(maxClimb === undefined ? {} : { maxClimb }),
    ...(maxSlopeDegrees === undefined ? {} : { maxSlopeDegrees }),
  };
}

/** Keeps types that share the agent of a mesh in it. */
export function keepTypes(navMesh: NavMesh, types: readonly AgentSize[]): void {
  setAgentTypes(
    navMesh,
    types.map(({ radius: _, height: __, maxClimb: ___, maxSlopeDegrees: ____, ...rules }) => rules),
  );
}
