/**
 * Compares two crowds agent by agent and field by field.
 *
 * In: two crowds between ticks, on meshes with the same content.
 * Out: the first agent and field that differ, with both values.
 * Cost: linear.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { checkCrowd } from '../crowd/state/check-crowd.ts';
import { agentIdOf } from '../crowd/state/ids.ts';
import { AGENT_LAYOUT } from '../crowd/state/layout.ts';
import { STATE_FREE } from '../crowd/state/types.ts';
import type { AgentArrays, AgentId, Crowd } from '../crowd/state/types.ts';
import { placeOfPoly } from './check.ts';
import { textOfNumber } from './field-texts.ts';

/** The first difference of two crowds. */
export interface CrowdDifference {
  /** The agent in the first crowd, or in the second when only that has one there; null: the field belongs to no agent. */
  agent: AgentId | null;
  /** The agent's slot, which indexes the columns of `Crowd.agents`; -1: none. */
  slot: number;
  /**
   * The field: a column of `AgentArrays` such as `position` or `status`; `path` or `patrol`; `agents` when only one
   * crowd has an agent in the slot; else a field of `Crowd`.
   */
  field: string;
  /** Index of the number within the field of the agent. */
  index: number;
  /** Both values as texts. */
  values: [string, string];
  /** Number of agents that differ. */
  agentCount: number;
  /** All fields that differ, of any agent. */
  fields: readonly string[];
  /** All of this as a sentence. */
  message: string;
}

/** Dense indices: compared where both meshes have the same layout. Their refs are compared always. */
const DENSE: readonly (keyof AgentArrays)[] = ['poly', 'goalPoly', 'wallPoly', 'narrow'];
/** Refs of polygons: compared by the content of the mesh. */
const REFS: readonly (keyof AgentArrays)[] = ['polyRef', 'goalRef'];
/** Fields of `Crowd` that are compared. */
const SCALARS = [
  'tick',
  'slotCount',
  'agentCount',
  'freeSlot',
  'searchBudget',
  'passingSide',
  'searchCount',
  'stepSeconds',
] as const satisfies (keyof Crowd)[];

interface Found {
  field: string;
  index: number;
  values: [string, string];
}

/**
 * Returns the first agent and field in which two crowds differ, or null. Agents are compared by slot, and the fields of each in the
 * order of `AgentArrays`; then what belongs to no agent. Seconds that `advanceCrowd` has not stepped yet, and events, are not compared.
 *
 * Throws a TypeError unless both are crowds.
 */
export function diffCrowds(a: Crowd, b: Crowd): CrowdDifference | null {
  checkCrowd('diffCrowds', a);
  checkCrowd('diffCrowds', b);
  const isSameLayout = haveSameLayout(a.mesh, b.mesh);
  const fields = new Set<string>();
  let first: { slot: number; agent: AgentId; found: Found } | null = null;
  let agentCount = 0;
  for (let slot = 0; slot < Math.max(a.slotCount, b.slotCount); slot++) {
    const found = differencesOf(a, b, slot, isSameLayout, first === null);
    if (found.length === 0) continue;
    agentCount++;
    for (const { field } of found) fields.add(field);
    first ??= { slot, agent: agentIdOf(isUsed(a, slot) ? a : b, slot), found: found[0] };
  }
  const others = othersOf(a, b);
  for (const { field } of others) fields.add(field);
  const found = first?.found ?? others[0];
  if (found === undefined) return null;
  const agent = first?.agent ?? null;
  const slot = first?.slot ?? -1;
  const who = first === null ? '' : `agent ${agent} in slot ${slot}: `;
  const more = agentCount > 1 ? `; ${agentCount} agents differ` : '';
  const message = `${who}${found.field} is ${found.values[0]} and ${found.values[1]}${more}`;
  return { agent, slot, ...found, agentCount, fields: [...fields], message };
}

function isUsed({ slotCount, agents }: Crowd, slot: number): boolean {
  return slot < slotCount && agents.state[slot] !== STATE_FREE;
}

function haveSameLayout(a: NavMesh, b: NavMesh): boolean {
  if (a === b) return true;
  const isSame = a.tileSlotCount === b.tileSlotCount && a.edgeCount === b.edgeCount && a.portalCount === b.portalCount;
  for (let slot = 0; isSame && slot < a.tileSlotCount; slot++) {
    if (a.tilePolyStart[slot] !== b.tilePolyStart[slot] || a.tileEdgeStart[slot] !== b.tileEdgeStart[slot])
      return false;
  }
  return isSame;
}

/** Returns the differences of the agents in a slot; the values of the first one are texts when `isShown`. */
function differencesOf(a: Crowd, b: Crowd, slot: number, isSameLayout: boolean, isShown: boolean): Found[] {
  const [isInA, isInB] = [isUsed(a, slot), isUsed(b, slot)];
  if (!isInA && !isInB) return [];
  if (isInA !== isInB)
    return [{ field: 'agents', index: 0, values: [isInA ? 'an agent' : 'no agent', isInB ? 'an agent' : 'no agent'] }];
  const out: Found[] = [];
  for (const [name, , stride] of AGENT_LAYOUT) {
    if (DENSE.includes(name) && !isSameLayout) continue;
    const [left, right] = [a.agents[name], b.agents[name]];
    for (let at = stride * slot; at < stride * (slot + 1); at++) {
      if (Object.is(left[at], right[at])) continue;
      if (REFS.includes(name) && placeOfPoly(a.mesh, left[at]) === placeOfPoly(b.mesh, right[at]) && a.mesh !== b.mesh)
        continue;
      const isText = isShown && out.length === 0;
      const values: [string, string] = isText
        ? [valueOf(a, name, stride, slot, left[at]), valueOf(b, name, stride, slot, right[at])]
        : ['', ''];
      out.push({ field: name, index: at - stride * slot, values });
      break;
    }
  }
  const path = firstOther(numbersOfPath(a, slot), numbersOfPath(b, slot));
  if (path !== null) out.push({ field: 'path', ...path });
  const patrol = firstOther(numbersOfPatrol(a, slot), numbersOfPatrol(b, slot));
  if (patrol !== null) out.push({ field: 'patrol', ...patrol });
  return out;
}

/** Vectors are shown whole. */
const MOST_SHOWN = 6;

function valueOf(crowd: Crowd, name: keyof AgentArrays, stride: number, slot: number, value: number): string {
  if (stride === 1 || stride > MOST_SHOWN) return textOfNumber(crowd, name, value);
  return `[${crowd.agents[name].slice(stride * slot, stride * (slot + 1)).join(', ')}]`;
}

function numbersOfPath({ corridors, agents, mesh }: Crowd, slot: number): (number | string)[] {
  const c = corridors[slot];
  if (c === undefined || agents.state[slot] === STATE_FREE) return [];
  const { count } = c.corridor;
  const places = Array.from(c.refs.subarray(0, count), (ref) => placeOfPoly(mesh, ref));
  return [`${count} polygons`, ...c.position, ...c.target, c.corridor.outcome, ...places, ...c.left.subarray(0, count)];
}

function numbersOfPatrol({ patrols, agents }: Crowd, slot: number): number[] {
  const route = patrols[slot];
  return !route || agents.patrolPoint[slot] === 0 ? [] : [route.mode, ...route.points, ...route.waits];
}

function firstOther(
  a: readonly (number | string)[],
  b: readonly (number | string)[],
): { index: number; values: [string, string] } | null {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    if (!Object.is(a[index], b[index]))
      return { index, values: [String(a[index] ?? 'nothing'), String(b[index] ?? 'nothing')] };
  }
  return null;
}

/** Returns the differences that belong to no agent. */
function othersOf(a: Crowd, b: Crowd): Found[] {
  const out: Found[] = [];
  for (const field of SCALARS) {
    if (a[field] !== b[field]) out.push({ field, index: 0, values: [String(a[field]), String(b[field])] });
  }
  const searches = firstOther(numbersOfSearches(a), numbersOfSearches(b));
  if (searches !== null) out.push({ field: 'searches', ...searches });
  const traffic = firstOther(numbersOfTraffic(a), numbersOfTraffic(b));
  if (traffic !== null) out.push({ field: 'linkTraffic', ...traffic });
  return out;
}

function numbersOfSearches({ searches, slotCount }: Crowd): number[] {
  const { queue, queueCount, turn, askedCount, current, state } = searches;
  const progress = current.slot < 0 ? 0 : state.expandedCount;
  return [
    queueCount,
    askedCount,
    current.slot,
    progress,
    ...queue.subarray(0, queueCount),
    ...turn.subarray(0, slotCount),
  ];
}

function numbersOfTraffic({ linkTraffic }: Crowd): number[] {
  return linkTraffic.flatMap(({ ref, capacity, seconds }) => [ref, capacity, seconds]);
}
