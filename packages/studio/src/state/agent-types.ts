/** Agent types: those of the settings, those of the mesh, and the one that queries and the view are for. */
import { createAgentTypes } from 'navkiln';
import type { AgentType, NavMesh } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
import { sceneOf } from './scene.ts';
import type { Settings, StudioState } from './state.ts';

const typesOfMesh = new WeakMap<NavMesh, AgentType[]>();

/** Returns the types that a mesh was baked with. */
export function meshTypes(mesh: NavMesh | undefined): readonly AgentType[] {
  if (mesh === undefined || mesh.sizes.length === 0) return [];
  let types = typesOfMesh.get(mesh);
  if (types === undefined) {
    try {
      types = createAgentTypes(mesh);
    } catch {
      // Damaged rules of a file: the sizes alone.
      types = createAgentTypes(
        mesh,
        mesh.sizes.map(({ name }) => ({ name })),
      );
    }
    typesOfMesh.set(mesh, types);
  }
  return types;
}

/** Returns the type that queries and the view are for; undefined: none is chosen, or the mesh does not have it. */
export function chosenType({ mesh, agentType }: StudioState): AgentType | undefined {
  return meshTypes(mesh?.navMesh).find(({ name }) => name === agentType);
}

/** Returns whether agents of a type may stand on a polygon (dense index). */
export function fitsType({ filter }: AgentType, mesh: NavMesh, poly: number): boolean {
  return ((mesh.polySizes[poly] >> (filter.size ?? 0)) & 1) === 1 && filter.areaCosts[mesh.polyArea[poly]] < Infinity;
}

/** Returns the settings with other types; without types, these have no key. */
export function withTypes(settings: Settings, types: readonly AgentSize[]): Settings {
  const { agentTypes: _, ...rest } = settings;
  if (types.length === 0) return rest;
  // Types have radii and heights of their own.
  const { radius: __, height: ___, ...agent } = rest.agent ?? {};
  const { agent: ____, ...others } = rest;
  return { ...others, ...(Object.keys(agent).length === 0 ? {} : { agent }), agentTypes: [...types] };
}

/** Returns whether all types have one body: 2D maps and surface meshes have one agent. */
export function shareBody(state: StudioState): boolean {
  return isMapOpen(state) || sceneOf(state).build === 'surface';
}

/** Returns whether the open content is a 2D map. */
export function isMapOpen({ map, level }: StudioState): boolean {
  return map !== undefined && level === undefined;
}

/** Returns the body of the first type, for meshes whose types share it; without types, nothing. */
export function sharedBody({ agentTypes: [first] = [] }: Settings): NonNullable<Settings['agent']> {
  if (first === undefined) return {};
  const {
    name: _,
    areaCosts: __,
    closedAreas: ___,
    includeFlags: ____,
    excludeFlags: _____,
    closedLinks,
    ...body
  } = first;
  void closedLinks;
  return body;
}
