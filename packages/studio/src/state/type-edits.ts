/** Edits of agent types for the settings panel: a new type, the areas of its rules, and rules as text. */
import { AREA_GROUND, MAX_SIZES } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
import { sharedBody } from './agent-types.ts';
import { areasInUse, nameOfArea } from './areas.ts';
import type { StudioState } from './state.ts';

/** Returns a new type with an unused name: the agent of the settings, or a type twice as wide as the last one. */
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

/** Returns the areas to list in the rules of a type: areas of polygons and volumes, areas with rules, and areas that the user added. */
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
