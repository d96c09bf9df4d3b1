/** Agent types: those of the settings, those of the mesh, and the one that queries and the view are for. */
import { MAX_SIZES, createAgentTypes } from 'navkiln';
import type { AgentType, NavMesh } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
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

/** Returns a further type: the agent of the settings, or twice as wide as the last one, with a name of its own. */
export function nextType(types: readonly AgentSize[], agent: { radius: number; height: number }): AgentSize {
  const names = ['small', 'large', 'huge'];
  const name =
    names.slice(types.length).find((one) => types.every((type) => type.name !== one)) ??
    Array.from({ length: MAX_SIZES + 1 }, (_, i) => `type ${i + 1}`).find((one) =>
      types.every((type) => type.name !== one),
    )!;
  const last = types.at(-1);
  if (last === undefined) return { name, radius: agent.radius, height: agent.height };
  return { name, radius: Number((2 * last.radius).toPrecision(3)), height: last.height };
}

/** Reads a list of area ids such as "5, 7". Returns undefined if the text is not such a list. */
export function readAreas(text: string): number[] | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const areas = words.map(Number);
  return areas.every((area) => Number.isInteger(area) && area >= 1 && area <= 63) ? [...new Set(areas)] : undefined;
}
