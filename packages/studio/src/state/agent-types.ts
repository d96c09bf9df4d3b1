/** Agent types: those of the settings, those of the mesh, and the one that queries and the view are for. */
import { AREA_GROUND, MAX_SIZES, createAgentTypes } from 'navkiln';
import type { AgentType, NavMesh } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
import { areasInUse, nameOfArea } from './areas.ts';
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

/** Returns a further type: the agent of the settings, or twice as wide as the last one, with a name of its own. */
export function nextType(
  types: readonly AgentSize[],
  agent: { radius: number; height: number },
  isShared: boolean = false,
): AgentSize {
  const names = isShared ? [] : ['small', 'large', 'huge'];
  const name =
    names.slice(types.length).find((one) => types.every((type) => type.name !== one)) ??
    Array.from({ length: MAX_SIZES + 1 }, (_, i) => `type ${i + 1}`).find((one) =>
      types.every((type) => type.name !== one),
    )!;
  const last = types.at(-1);
  if (last === undefined) return { name, radius: agent.radius, height: agent.height };
  if (isShared) return { ...(sharedBody({ agentTypes: [last] }) as AgentSize), name };
  return { name, radius: Number((2 * last.radius).toPrecision(3)), height: last.height };
}

/** Returns the areas that the rules of a type list: those in use, of volumes, with rules, and added ones. */
export function areasOfType(
  { mesh, edits }: StudioState,
  { areaCosts = {}, closedAreas = [] }: AgentSize,
  added: ReadonlySet<number>,
): number[] {
  const used = mesh === undefined ? [] : areasInUse(mesh.navMesh).keys();
  const drawn = edits.volumes.flatMap(({ area = 0 }) => (area > 0 ? [area] : []));
  const all = new Set([
    AREA_GROUND,
    ...used,
    ...drawn,
    ...Object.keys(areaCosts).map(Number),
    ...closedAreas,
    ...added,
  ]);
  return [...all].sort((a, b) => a - b);
}

/** Describes rules in a few words. */
export function summaryOfRules(
  state: StudioState,
  { areaCosts = {}, closedAreas = [], closedLinks = [], includeFlags = 0xffff, excludeFlags = 0 }: AgentSize,
): string {
  const parts = [
    ...closedAreas.map((area) => `not in ${nameOfArea(state, area)}`),
    ...Object.entries(areaCosts).map(([area, cost]) => `${nameOfArea(state, Number(area))} × ${cost}`),
    ...(closedLinks.length === 0 ? [] : [`no links of kind ${closedLinks.join(', ')}`]),
    ...(includeFlags === 0xffff ? [] : [`flags 0x${includeFlags.toString(16)}`]),
    ...(excludeFlags === 0 ? [] : [`not flags 0x${excludeFlags.toString(16)}`]),
  ];
  return parts.length === 0 ? 'no rules' : parts.join('; ');
}

/** Reads 16 flags, such as 3 or 0xffff. Returns undefined for any other text. */
export function readFlags(text: string): number | undefined {
  const flags = /^\s*(0x[\da-f]+|\d+)\s*$/i.test(text) ? Number(text) : NaN;
  return flags <= 0xffff ? flags : undefined;
}
