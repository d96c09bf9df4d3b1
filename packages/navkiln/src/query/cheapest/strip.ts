/**
 * The strip that a path crosses: the ends of its crossings and the costs between them, in columns.
 *
 *     crossing i      from polygon i to polygon i + 1, between right[i] and left[i]; behind a link, a path starts from
 *                     the same share of a second segment
 *     joint           a crossing at which a path may bend: costs differ, or it is a link
 *     share[i]        where the path crosses: 0 right, 1 left
 *
 * In: a mesh, a filter, a corridor.
 * Out: a strip.
 * Cost: linear in the corridor. No allocation after warm-up.
 * Based on: own.
 */
import { isLinkCrossing, linkEndOf, linkLength, linkOf, otherEnd, setCrossingEnds } from '../../mesh/crossing.ts';
import { isStraightLink } from '../../mesh/link-kinds.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import type { Corridor } from '../path/corridor.ts';

/** Numbers per crossing in `ends`: right xyz, left xyz, then the same behind the crossing. */
export const END_STRIDE = 12;

/** Create it with `createStrip` and reuse it. */
export interface Strip {
  /** Number of crossings. */
  count: number;
  ends: Float64Array;
  share: Float64Array;
  /** Cost per unit of length in polygon 0 .. count. */
  weight: Float64Array;
  /** 1: a path may bend here. 2: it must cross here at `share`. 0: it goes straight or around an end. */
  joint: Uint8Array;
  /** Sum of the costs of links. */
  linkCost: number;
  /** Start and end, xyz. */
  start: Float64Array;
  end: Float64Array;
}

export function createStrip(): Strip {
  return {
    count: 0,
    ends: new Float64Array(0),
    share: new Float64Array(0),
    weight: new Float64Array(1),
    joint: new Uint8Array(0),
    linkCost: NaN,
    start: new Float64Array(3),
    end: new Float64Array(3),
  };
}

/** Sets everything but the shares, which the caller sets at joints. */
export function setStrip(out: Strip, mesh: NavMesh, filter: QueryFilter, corridor: Corridor): void {
  const count = corridor.count - 1;
  if (out.share.length < count) {
    const capacity = 2 * count + 16;
    out.ends = new Float64Array(END_STRIDE * capacity);
    out.share = new Float64Array(capacity);
    out.weight = new Float64Array(capacity + 1);
    out.joint = new Uint8Array(capacity);
  }
  out.count = count;
  out.linkCost = 0;
  const { areaCosts } = filter;
  for (let i = 0; i <= count; i++) out.weight[i] = areaCosts[mesh.polyArea[corridor.polys[i]]];
  for (let i = 0; i < count; i++) {
    const crossing = corridor.crossings[i];
    if (isLinkCrossing(crossing)) {
      setLink(out, mesh, i, linkEndOf(crossing));
      out.linkCost += linkLength(mesh, linkEndOf(crossing)) * areaCosts[mesh.linkArea[linkOf(linkEndOf(crossing))]];
      continue;
    }
    setCrossingEnds(crossingEnds, mesh, corridor.polys[i], crossing);
    const at = END_STRIDE * i;
    for (let k = 0; k < 6; k++) out.ends[at + k] = out.ends[at + 6 + k] = crossingEnds[k];
    out.joint[i] = out.weight[i] === out.weight[i + 1] ? 0 : 1;
  }
}

const crossingEnds = new Float64Array(6);

function setLink(out: Strip, mesh: NavMesh, i: number, linkEnd: number): void {
  const { linkAnchors } = mesh;
  const isStraight = isStraightLink(mesh, linkOf(linkEnd));
  const at = END_STRIDE * i;
  for (let side = 0; side < 2; side++) {
    const a = 6 * (side === 0 ? linkEnd : otherEnd(linkEnd));
    for (let k = 0; k < 3; k++) {
      const from = linkAnchors[a + k];
      const to = linkAnchors[a + 3 + k];
      const middle = (from + to) / 2;
      out.ends[at + 6 * side + k] = isStraight ? from : middle;
      out.ends[at + 6 * side + 3 + k] = isStraight ? to : middle;
    }
  }
  out.joint[i] = isStraight ? 1 : 2;
  if (!isStraight) out.share[i] = 0.5;
}
