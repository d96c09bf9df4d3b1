/**
 * Enters links in an exact search.
 *
 * If the search enters a polygon with links, the length to the middle of a link's near end is exact, as for a target.
 * The search continues with a fan from the middle of the far end. For segments as ends, the search uses their middles;
 * on a straight link, it tries several shares of both ends. String pulling later moves the crossing to where the path
 * is shortest.
 *
 * In: a node.
 * Out: nodes behind the links of its polygon, on the open list.
 * Cost: linear in the link ends of the polygon.
 * Based on: own.
 */
import { linkEndCrossing, linkLength, linkOf, otherEnd } from '../../mesh/crossing.ts';
import { FAR, NEAR, countShares, setLinkPlace } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesLinkEnd } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { bitsOf } from './corner.ts';
import { estimate, offerGoals, setPathTo, result } from './estimate.ts';
import {
  ESTIMATE,
  GOAL,
  KEY,
  LENGTH,
  LINK_STRIDE,
  NODE_STRIDE,
  OPEN,
  POLY,
  ROOT,
  addFan,
  linkEndKey,
  pushOpen,
} from './state.ts';
import type { OptimalState } from './state.ts';

const near = new Float64Array(2);
const place = new Float64Array(6);

/** Adds nodes for all links that can be entered from a node's polygon. */
export function enterLinks(state: OptimalState, mesh: NavMesh, filter: QueryFilter, item: number): void {
  const { linkAnchors, linkPoly } = mesh;
  const { keyStamp, keyLength, stamp } = state;
  for (
    let linkEnd = mesh.polyLink[state.link[LINK_STRIDE * item + POLY]];
    linkEnd >= 0;
    linkEnd = mesh.linkNext[linkEnd]
  ) {
    if (!passesLinkEnd(filter, mesh, linkEnd)) continue;
    const poly = linkPoly[otherEnd(linkEnd)];
    const bits = bitsOf(state, mesh, filter, poly);
    if ((bits & OPEN) === 0) continue;
    const a = 6 * linkEnd;
    const b = 6 * otherEnd(linkEnd);
    for (let k = 0; k < 3; k++) {
      const isPoint = linkAnchors[a + k] === linkAnchors[a + 3 + k] && linkAnchors[b + k] === linkAnchors[b + 3 + k];
      if (!isPoint) state.hasSegments = true;
    }
    const shares = countShares(mesh, linkOf(linkEnd));
    for (let share = 0; share < shares; share++) {
      setLinkPlace(place, mesh, linkEnd, share, shares);
      near[0] = place[NEAR];
      near[1] = place[NEAR + 2];
      setPathTo(state, item, near, 0);
      const length = state.node[NODE_STRIDE * item + LENGTH] + result[0] + linkLength(mesh, linkEnd);
      const key = linkEndKey(mesh, otherEnd(linkEnd), share);
      if (keyStamp[key] === stamp && keyLength[key] <= length) continue;
      keyStamp[key] = stamp;
      keyLength[key] = length;
      state.keyParent[key] = state.link[LINK_STRIDE * item + KEY];
      const fan = addFan(state, poly, item, linkEndCrossing(linkEnd));
      const { node } = state;
      state.link[LINK_STRIDE * fan + KEY] = key;
      node[NODE_STRIDE * fan + ROOT] = place[FAR];
      node[NODE_STRIDE * fan + ROOT + 1] = place[FAR + 2];
      node[NODE_STRIDE * fan + LENGTH] = length;
      if ((bits & GOAL) !== 0) offerGoals(state, fan);
      estimate(state, mesh, fan);
      if (node[NODE_STRIDE * fan + ESTIMATE] < state.best[0]) pushOpen(state, fan);
    }
  }
}
