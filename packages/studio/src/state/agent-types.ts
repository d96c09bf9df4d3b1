/** Agent types: those of the settings, those of the mesh, and the selected one for queries and the view. */
import { createAgentTypes } from 'navkiln';
import type { AgentType, NavMesh } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
import { sceneOf } from './scene.ts';
import type { Settings, StudioState } from './state.ts';

const typesOfMesh = new WeakMap<NavMesh, AgentType[]>();

/** Returns the types for which a mesh was baked. */
export function meshTypes(mesh: NavMesh | undefined): readonly AgentType[] {
  if (mesh === undefined || mesh.sizes.length === 0) return [];
  let types = typesOfMesh.get(mesh);
  if (types === undefined) {
    try {
      types = createAgentTypes(mesh);
    } catch {
      // The file has damaged rules, so only the sizes are used.
      types = createAgentTypes(
        mesh,
        mesh.sizes.map(({ name }) => ({ name })),
      );
    }
    typesOfMesh.set(mesh, types);
  }
  return types;
}

/** Returns the selected type for queries and the view; undefined if none is selected or the mesh does not have it. */
export function chosenType({ mesh, agentType }: StudioState): AgentType | undefined {
  return meshTypes(mesh?.navMesh).find(({ name }) => name === agentType);
}

/** Returns whether agents of a type may stand on a polygon (dense index). */
export function fitsType({ filter }: AgentType, mesh: NavMesh, poly: number): boolean {
  return ((mesh.polySizes[poly] >> (filter.size ?? 0)) & 1) === 1 && filter.areaCosts[mesh.polyArea[poly]] < Infinity;
}

/** Returns the settings with other types. An empty list removes the key `agentTypes`. */
export function withTypes(settings: Settings, types: readonly AgentSize[]): Settings {
  const { agentTypes: _, ...rest } = settings;
  if (types.length === 0) return rest;
  // Types define radius and height, so the agent does not.
  const { radius: __, height: ___, ...agent } = rest.agent ?? {};
  const { agent: ____, ...others } = rest;
  return { ...others, ...(Object.keys(agent).length === 0 ? {} : { agent }), agentTypes: [...types] };
}

/** Returns whether all types share one body, because 2D maps and surface meshes have only one agent. */
export function shareBody(state: StudioState): boolean {
  return isMapOpen(state) || sceneOf(state).build === 'surface';
}

/** Returns whether the open content is a 2D map. */
export function isMapOpen({ map, level }: StudioState): boolean {
  return map !== undefined && level === undefined;
}

/** Returns the body of the first type, for meshes whose types share it. Returns an empty record without types. */
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
