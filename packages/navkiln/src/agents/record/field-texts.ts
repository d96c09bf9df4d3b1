/**
 * Values of fields as texts: names in place of numbers, positions of polygons in place of refs.
 *
 * Based on: own.
 */
import { CORNER_KINDS } from '../corridor/types.ts';
import { AGENT_STATUSES } from '../crowd/orders/agents.ts';
import { AGENT_STATES } from '../crowd/state/codes.ts';
import type { AgentArrays, Crowd } from '../crowd/state/types.ts';
import { placeOfPoly } from './check.ts';

/** Names of the numbers of a column. */
const NAMES: Partial<Record<keyof AgentArrays, readonly string[]>> = {
  state: namesOf(AGENT_STATES),
  status: AGENT_STATUSES,
  goalKind: ['none', 'point', 'agent', 'velocity'],
  avoidance: ['none', 'orca', 'sampled'],
  cornerKind: namesOf(CORNER_KINDS),
  passage: ['none', 'ahead', 'waits', 'admitted', 'inside'],
};
/** Names of the bits of a column. */
const BITS: Partial<Record<keyof AgentArrays, readonly string[]>> = {
  flags: [
    'user-owned',
    'avoid-only',
    'partial path',
    'asleep',
    'stale corners',
    'awaits path',
    'reported blocked',
    'passed portal',
  ],
  modes: ['no brake', 'paused', 'manual links', 'own stopping distance', 'passing', 'low detail'],
};

function namesOf(codes: Readonly<Record<string, number>>): readonly string[] {
  const names: string[] = [];
  for (const [name, code] of Object.entries(codes)) names[code] = name;
  return names;
}

/** Returns the text of one number of a column. */
export function textOfNumber(crowd: Crowd, name: keyof AgentArrays, value: number): string {
  const known = NAMES[name]?.[value];
  if (known !== undefined) return `'${known}'`;
  const bits = BITS[name];
  if (bits !== undefined) return `[${bits.filter((_, i) => (value & (1 << i)) !== 0).join(', ')}]`;
  return name === 'polyRef' || name === 'goalRef' ? placeOfPoly(crowd.mesh, value) : String(value);
}
