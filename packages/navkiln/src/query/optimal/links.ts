/**
 * Links in an exact search. When a polygon is entered from which links lead on, the way to the middle of a link's near end is as
 * sure as that to a target there; and from the middle of its far end a new search fans out, by what the link costs further on.
 * Ends that are segments count with their middles here; the line that is pulled afterwards crosses them where it is shortest.
 * Cost: linear in the link ends of the polygon.
 * Based on: own.
 */
import { linkEndCrossing } from '../../navmesh/crossing.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { passesLinkEnd } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { bitsOf } from './corner.ts';
import { estimate, offerGoals, setWayTo, way } from './estimate.ts';
import { ESTIMATE, GOAL, KEY, LENGTH, OPEN, POLY, ROOT, addFan, linkEndKey, pushOpen } from './state.ts';
import type { OptimalState } from './state.ts';

const near = new Float64Array(2);

/** Takes the links that can be entered on the polygon of a node. */
export function enterLinks(state: OptimalState, mesh: NavMesh, filter: QueryFilter, item: number): void {
  const { linkAnchors, linkPoly } = mesh;
  const { keyStamp, keyLength, stamp } = state;
  for (let linkEnd = mesh.polyLink[state.link[8 * item + POLY]]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    if (!passesLinkEnd(filter, mesh, linkEnd)) continue;
    const poly = linkPoly[linkEnd ^ 1];
    const bits = bitsOf(state, mesh, filter, poly);
    if ((bits & OPEN) === 0) continue;
    const a = 6 * linkEnd;
    const b = 6 * (linkEnd ^ 1);
    near[0] = (linkAnchors[a] + linkAnchors[a + 3]) / 2;
    near[1] = (linkAnchors[a + 2] + linkAnchors[a + 5]) / 2;
    for (let k = 0; k < 3; k++) {
      const isPoint = linkAnchors[a + k] === linkAnchors[a + 3 + k] && linkAnchors[b + k] === linkAnchors[b + 3 + k];
      if (!isPoint) state.hasSegments = true;
    }
    setWayTo(state, item, near, 0);
    const length = state.node[16 * item + LENGTH] + way[0] + linkLength(mesh, linkEnd);
    const key = linkEndKey(mesh, linkEnd ^ 1);
    if (keyStamp[key] === stamp && keyLength[key] <= length) continue;
    keyStamp[key] = stamp;
    keyLength[key] = length;
    state.keyParent[key] = state.link[8 * item + KEY];
    const fan = addFan(state, poly, item, linkEndCrossing(linkEnd));
    const { node } = state;
    state.link[8 * fan + KEY] = key;
    node[16 * fan + ROOT] = (linkAnchors[b] + linkAnchors[b + 3]) / 2;
    node[16 * fan + ROOT + 1] = (linkAnchors[b + 2] + linkAnchors[b + 5]) / 2;
    node[16 * fan + LENGTH] = length;
    if ((bits & GOAL) !== 0) offerGoals(state, fan);
    estimate(state, mesh, fan);
    if (node[16 * fan + ESTIMATE] < state.best[0]) pushOpen(state, fan);
  }
}

/** What a link counts as: its own cost, or the distance of the middles of its ends. */
export function linkLength(mesh: NavMesh, linkEnd: number): number {
  const cost = mesh.linkCost[linkEnd >> 1];
  if (cost >= 0) return cost;
  const { linkAnchors } = mesh;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const a = 6 * linkEnd + k;
    const b = 6 * (linkEnd ^ 1) + k;
    const d = (linkAnchors[a] + linkAnchors[a + 3] - linkAnchors[b] - linkAnchors[b + 3]) / 2;
    sum += d * d;
  }
  return Math.sqrt(sum);
}
