/**
 * Rules of an agent type: costs of areas, and the areas and links that its agents may not use. The sizes of a mesh store the rules as
 * numbers. Queries do not read them; `createAgentTypes` turns them into filters.
 *
 *   includeFlags; excludeFlags; if kinds of links are closed: 0, their mask; for each area with a rule: its id, its cost (0: closed)
 *
 * In: rules, or numbers. Out: the other.
 * Cost: linear in the areas.
 * Based on: own.
 */
import { AREA_COUNT } from '../base/constants.ts';
import { checkArray, checkObject, refuse } from '../base/data/refuse.ts';
import { kindsOf, readKinds } from './link-kinds.ts';
import type { LinkKind } from './link-kinds.ts';

/** The areas and links that agents of a type may use, and their costs. Areas and flags are those of polygons and links. */
export interface AgentRules {
  /** Cost per unit of length by area id (1 .. 63), above 0 and finite. Default: 1 for each area. */
  areaCosts?: Readonly<Record<number, number>>;
  /** Areas that these agents may not enter, such as deep water or a kind of link. Default: none. */
  closedAreas?: readonly number[];
  /** 16 bits: polygons and links need one of these flags. Default 0xffff. */
  includeFlags?: number;
  /** 16 bits: polygons and links must have none of these flags. Default 0. */
  excludeFlags?: number;
  /** Kinds of links that these agents may not use, such as climbs and vaults; see `kind` of `addLink`. Default: none. */
  closedLinks?: readonly LinkKind[];
}

/** Keys of AgentRules. @internal */
export const RULE_KEYS = ['areaCosts', 'closedAreas', 'includeFlags', 'excludeFlags', 'closedLinks'] as const;

const CLOSED = 0;
/** Marks the mask of closed link kinds; it stands in place of an area id. */
const LINKS = 0;
const ALL_KINDS = 2 ** 5 - 1;
const isArea = (area: number): boolean => Number.isInteger(area) && area > 0 && area < AREA_COUNT;
const AN_AREA = `an area id, 1 .. ${AREA_COUNT - 1}`;

/** Returns rules as numbers; an empty list for rules that allow everything at cost 1. Throws for rules out of range. @internal */
export function encodeRules(caller: string, rules: AgentRules, path: string): number[] {
  const { areaCosts = {}, closedAreas = [], includeFlags = 0xffff, excludeFlags = 0, closedLinks = [] } = rules;
  checkObject(caller, `${path}.areaCosts`, areaCosts);
  checkArray(caller, `${path}.closedAreas`, closedAreas);
  for (const [key, flags] of Object.entries({ includeFlags, excludeFlags })) {
    if (!(Number.isInteger(flags) && flags >= 0 && flags <= 0xffff))
      refuse(caller, `${path}.${key}`, flags, '16 bits, 0 .. 0xffff');
  }
  const costs = new Map<number, number>();
  for (const [key, cost] of Object.entries(areaCosts)) {
    if (!isArea(Number(key))) refuse(caller, `a key of ${path}.areaCosts`, key, AN_AREA);
    if (typeof cost !== 'number' || !(cost > 0 && cost < Infinity))
      refuse(caller, `${path}.areaCosts[${key}]`, cost, 'a finite number > 0; closedAreas closes an area');
    if (cost !== 1) costs.set(Number(key), cost);
  }
  closedAreas.forEach((area, i) => {
    if (!isArea(area)) refuse(caller, `${path}.closedAreas[${i}]`, area, AN_AREA);
    costs.set(area, CLOSED);
  });
  const kinds = readKinds(caller, closedLinks, `${path}.closedLinks`);
  if (kinds !== 0) costs.set(LINKS, kinds);
  if (costs.size === 0 && includeFlags === 0xffff && excludeFlags === 0) return [];
  return [includeFlags, excludeFlags, ...[...costs].sort(([a], [b]) => a - b).flat()];
}

/** Returns the rules that `encodeRules` has written. @internal */
export function decodeRules([includeFlags, excludeFlags, ...pairs]: readonly number[]): AgentRules {
  if (includeFlags === undefined) return {};
  const areaCosts: Record<number, number> = {};
  const closedAreas: number[] = [];
  let closedLinks: LinkKind[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    if (pairs[i] === LINKS) closedLinks = kindsOfRule(pairs[i + 1]);
    else if (pairs[i + 1] === CLOSED) closedAreas.push(pairs[i]);
    else areaCosts[pairs[i]] = pairs[i + 1];
  }
  return { areaCosts, closedAreas, includeFlags, excludeFlags, closedLinks };
}

/** Returns the kinds in a mask. For a mask that `encodeRules` cannot have written, returns a value that `encodeRules` refuses. */
function kindsOfRule(mask: number): LinkKind[] {
  return Number.isInteger(mask) && mask > 0 && mask <= ALL_KINDS ? kindsOf(mask) : [mask as never];
}
