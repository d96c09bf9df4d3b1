/**
 * Exact shortest paths over convex polygons, seen from above: intervals of edges that can be seen from the last corner.
 *
 *            A---------B       Standing at the root r, one sees of the polygon entered what lies between two lines through r.
 *           /           \      Its edges beyond are cut by the lines: the part in between is seen from r, too (root and
 *     R'   /             \     length stay). What lies right of the right line is seen only from R, if R is a corner of
 *      \--R-----L---------C    the ground; there a path turns, and R is the new root; the left side likewise.
 *          \   /               Each such part of an edge leads into the next polygon: a node. Nodes are taken by the length
 *           \ /                up to the root and the length of the shortest way on to the target through the interval
 *            r                 as if there were no walls beyond; so the first to reach it is the shortest.
 *
 * Everything is decided by what lies on which side of a line through two points of the input, exactly: a line that a polygon's
 * corner has cut is kept as it is, and a new one goes through root and corner. Cut points are computed for estimates only, and
 * no rounding can lose a part of an edge or have it twice. So there is no tolerance, and no limit on steps.
 *
 * Other places. Over storeys and portals all goes by neighbours, never by position. A link is entered when its polygon is: the
 * way to the middle of its near end is a target there, and from the middle of its far end a new search fans out. A root on the
 * line of the edge sees the polygon beyond as a whole when it is on the edge, else it goes on from the edge's nearer end.
 *
 * What is left out: roots that were reached on a shorter way, or on another as short (a path through a corner that is not taut
 * there can be made shorter); ground that only leads back (optimal-blocks.ts: 0.34 to 1 of the nodes are left); open nodes beyond
 * the best path found. The most promising node to come out of another is expanded at once when none that is open promises more:
 * most nodes never see the open list.
 * In: a state with targets and starts. Out: the node that ends the shortest path. No allocation after warm-up.
 *
 * Based on: Michael Cui, Daniel Harabor, Alban Grastien, Compromise-free Pathfinding on a Navigation Mesh (Polyanya), 2017:
 * intervals, roots, estimate, and three of the ways to leave out. Several targets as in Shizhe Zhao, David Taniar, Daniel
 * Harabor, Fast k-Nearest Neighbor on a Navigation Mesh, 2018. Exact sides, sectors of corners, links, portals are our own.
 */
import { sideOfPoints } from '../../math/predicates.ts';
import { setCrossingEnds } from '../../navmesh/crossing.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { bitsOf, cornerAt, cornerAtPortal } from './corner.ts';
import { estimate, offerGoals } from './estimate.ts';
import { enterLinks } from './links.ts';
import {
  CROSSING,
  DEAD_END,
  DEPTH,
  ENTRY,
  ESTIMATE,
  FLAGS,
  GOAL,
  IS_FAN,
  IS_PORTAL,
  KEY,
  KNOWN,
  LEFT,
  LEFT_IS_END,
  LEFT_LINE,
  LENGTH,
  MAY_BE_FLAT,
  OPEN,
  PARENT,
  POLY,
  RIGHT,
  RIGHT_IS_END,
  RIGHT_LINE,
  ROOT,
  popOpen,
  pushOpen,
  reserveNodes,
} from './state.ts';
import type { OptimalState } from './state.ts';
import { EDGE_SLACK } from '../walk/open-edges.ts';

/** What a root that was meant to lie on an edge may be off it, as a share of its coordinates. */
const ROUNDING = 2e-15;
/** Polygons that are looked back at. */
const LOOK_BACK = 3;
/** (3 + 16 u) u, as in math/predicates.ts. */
const ERROR_BOUND = 3.3306690738754716e-16;

/** Points for the exact predicate: a line, and what is asked about. */
const xs = new Float64Array(3);
const zs = new Float64Array(3);
/** Ends of the exit at hand: right, left. */
const ends = new Float64Array(6);
/** Sides of the exit's ends: right end to the right line, left end to it; the same of the left line. */
const sides = new Int8Array(4);

/** Length up to the corner that was last asked about. */
const turned = new Float64Array(1);

/** Kernel. Expands nodes until the best path is known, there is none, or `maxNodes` have been expanded. */
export function runOptimal(state: OptimalState, mesh: NavMesh, filter: QueryFilter, maxNodes: number): void {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount, polyPortal, polyLink, portalEdge } = mesh;
  const { keyStamp, keyLength, polyStamp, polyBits, stamp, best } = state;
  // Whoever reaches the only target goes no further, unless a link could be a shorter way within the last polygon.
  const goesOn = state.targetCount > 1 || mesh.linkScale < 1;
  let current = -1;
  for (;;) {
    if (current < 0) {
      if (state.heapSize === 0 || state.heapKey[0] >= best[0]) return;
      current = popOpen(state);
    }
    if (state.visitedCount >= maxNodes) {
      state.isShort = true;
      return;
    }
    state.visitedCount++;
    const it = 8 * current;
    const key = state.link[it + KEY];
    const length = state.node[16 * current + LENGTH];
    if ((key >= 0 && keyStamp[key] === stamp && keyLength[key] < length) || length >= best[0]) {
      current = -1;
      continue;
    }
    const poly = state.link[it + POLY];
    if (polyLink[poly] >= 0) enterLinks(state, mesh, filter, current);
    const first = polyEdgeStart[poly];
    const count = polyVertexCount[poly];
    const stop = first + count;
    let portalCount = 0;
    for (let l = polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) portalCount++;
    reserveNodes(state, 3 * (count + portalCount));
    const { node, link } = state;
    const at = 16 * current;
    const flags = link[it + FLAGS];
    const entry = link[it + ENTRY];
    const begun = state.nodeCount;
    const rootX = node[at + ROOT];
    const rootZ = node[at + ROOT + 1];

    // Where the polygon was entered: the edge before the first one to look at.
    let entryEdge = stop - 1;
    let isFan = (flags & IS_FAN) !== 0;
    let isFanned = false;
    // The corner a path may turn at: 0 not known, 1 it may, -1 it may not.
    let rightTurn = (flags & RIGHT_IS_END) !== 0 ? 0 : -1;
    let leftTurn = (flags & LEFT_IS_END) !== 0 ? 0 : -1;
    let rightKey = -1;
    let leftKey = -1;
    let rightLength = 0;
    let leftLength = 0;
    let fanX = rootX;
    let fanZ = rootZ;
    let fanLength = length;
    let fanKey = key;
    const isPortal = (flags & IS_PORTAL) !== 0;
    if (!isFan) {
      if (isPortal) {
        entryEdge = portalEdge[entry];
      } else {
        entryEdge = first;
        while (entryEdge < stop && edgeVertex[entryEdge] !== entry) entryEdge++;
        if (entryEdge === stop) {
          current = -1;
          continue;
        }
      }
      if ((flags & MAY_BE_FLAT) !== 0) {
        const a = 3 * edgeVertex[entryEdge + 1 === stop ? first : entryEdge + 1];
        const b = 3 * edgeVertex[entryEdge];
        xs[0] = vertices[a];
        zs[0] = vertices[a + 2];
        xs[1] = vertices[b];
        zs[1] = vertices[b + 2];
        xs[2] = rootX;
        zs[2] = rootZ;
        const dx = xs[1] - xs[0];
        const dz = zs[1] - zs[0];
        const place = (rootX - xs[0]) * dx + (rootZ - zs[0]) * dz;
        const right = (node[at + RIGHT] - xs[0]) * dx + (node[at + RIGHT + 1] - zs[0]) * dz;
        const left = (node[at + LEFT] - xs[0]) * dx + (node[at + LEFT + 1] - zs[0]) * dz;
        const isBeside = place < right || place > left;
        const off = (rootX - xs[0]) * dz - (rootZ - zs[0]) * dx;
        const hair = ROUNDING * ((rootX < 0 ? -rootX : rootX) + (rootZ < 0 ? -rootZ : rootZ));
        // On the line of the edge: everything is seen from a root on it (a rounding off is on it), else it goes on from the
        // nearer end.
        if ((!isBeside && off * off <= hair * hair * (dx * dx + dz * dz)) || sideOfPoints(xs, zs, 0, 1, 2) <= 0) {
          isFan = true;
          if (isBeside) {
            const isRight = place < right;
            const end = at + (isRight ? RIGHT : LEFT);
            isFanned = (isRight ? rightTurn : leftTurn) < 0;
            if (!isFanned) {
              fanKey = turnKey(state, mesh, filter, poly, entryEdge, isPortal ? entry : -1, isRight);
              isFanned = !turnAt(state, fanKey, current, end);
            }
            fanX = node[end];
            fanZ = node[end + 1];
            fanLength = turned[0];
          }
        }
      }
    }
    if (isFan && !isFanned) {
      const { fanStamp } = state;
      isFanned = fanStamp[poly] === stamp && state.fanKey[poly] === fanKey && state.fanLength[poly] <= fanLength;
      if (!isFanned) {
        fanStamp[poly] = stamp;
        state.fanKey[poly] = fanKey;
        state.fanLength[poly] = fanLength;
      }
    }
    if (isFanned) {
      current = -1;
      continue;
    }

    const last = count - 1;
    const rightAx = node[at + RIGHT_LINE];
    const rightAz = node[at + RIGHT_LINE + 1];
    const rightBx = node[at + RIGHT_LINE + 2];
    const rightBz = node[at + RIGHT_LINE + 3];
    const leftAx = node[at + LEFT_LINE];
    const leftAz = node[at + LEFT_LINE + 1];
    const leftBx = node[at + LEFT_LINE + 2];
    const leftBz = node[at + LEFT_LINE + 3];
    // Sides of the ends of the exit at hand, a and b, to the right line and to the left line; those of b are kept for the next
    // edge.
    let rightOfA = 0;
    let rightOfB = 0;
    let leftOfA = 0;
    let leftOfB = 0;
    let known = -1;
    // The entry's own edge comes last: other portals of it, or all of it when there was no entry.
    const exitCount = isPortal || (flags & IS_FAN) !== 0 ? count : last;
    let edge = entryEdge;
    for (let k = 0; k < exitCount; k++) {
      edge = edge + 1 === stop ? first : edge + 1;
      const beyond = edgeNeighbor[edge];
      if (beyond === -1) continue;
      let portal = beyond < -1 ? polyPortal[poly] : -1;
      if (beyond < -1 && portal < 0) continue;
      const endVertex = edgeVertex[edge + 1 === stop ? first : edge + 1];
      for (;;) {
        let other = beyond;
        let crossing = edge;
        if (portal >= 0) {
          while (portal >= 0 && (portalEdge[portal] !== edge || (isPortal && portal === entry)))
            portal = mesh.portalNext[portal];
          if (portal < 0) break;
          crossing = -2 - 2 * portal;
          other = mesh.portalPoly[portal];
        }
        const bits =
          polyStamp[other] === stamp && (polyBits[other] & KNOWN) !== 0
            ? polyBits[other]
            : bitsOf(state, mesh, filter, other);
        if ((bits & (OPEN | DEAD_END)) === OPEN) {
          let ax: number;
          let az: number;
          let bx: number;
          let bz: number;
          if (portal >= 0) {
            setCrossingEnds(ends, mesh, poly, crossing);
            ax = ends[0];
            az = ends[2];
            bx = ends[3];
            bz = ends[5];
            if (!isFan) {
              if (!setSides(state, mesh, current, portal, k === last)) {
                portal = mesh.portalNext[portal];
                if (portal < 0) break;
                continue;
              }
              rightOfA = sides[0];
              rightOfB = sides[1];
              leftOfA = sides[2];
              leftOfB = sides[3];
              known = -1;
            }
          } else {
            const a = 3 * edgeVertex[edge];
            const b = 3 * endVertex;
            ax = vertices[a];
            az = vertices[a + 2];
            bx = vertices[b];
            bz = vertices[b + 2];
            if (!isFan) {
              let l: number;
              let r: number;
              let det: number;
              let doubt: number;
              if (known === k) {
                rightOfA = rightOfB;
                leftOfA = leftOfB;
              } else if (k === 0 && !isPortal) {
                rightOfA = (flags & RIGHT_IS_END) !== 0 ? 0 : -1;
                leftOfA = -1;
              } else {
                l = (rightAz - az) * (rightBx - ax);
                r = (rightAx - ax) * (rightBz - az);
                det = l - r;
                doubt = ERROR_BOUND * ((l < 0 ? -l : l) + (r < 0 ? -r : r));
                rightOfA = det > doubt ? 1 : det < -doubt ? -1 : sideOfLineAt(node, at + RIGHT_LINE, vertices, a);
                l = (leftAz - az) * (leftBx - ax);
                r = (leftAx - ax) * (leftBz - az);
                det = l - r;
                doubt = ERROR_BOUND * ((l < 0 ? -l : l) + (r < 0 ? -r : r));
                leftOfA = det > doubt ? 1 : det < -doubt ? -1 : sideOfLineAt(node, at + LEFT_LINE, vertices, a);
              }
              if (k === last - 1 && !isPortal) {
                rightOfB = 1;
                leftOfB = (flags & LEFT_IS_END) !== 0 ? 0 : 1;
              } else {
                l = (rightAz - bz) * (rightBx - bx);
                r = (rightAx - bx) * (rightBz - bz);
                det = l - r;
                doubt = ERROR_BOUND * ((l < 0 ? -l : l) + (r < 0 ? -r : r));
                rightOfB = det > doubt ? 1 : det < -doubt ? -1 : sideOfLineAt(node, at + RIGHT_LINE, vertices, b);
                l = (leftAz - bz) * (leftBx - bx);
                r = (leftAx - bx) * (leftBz - bz);
                det = l - r;
                doubt = ERROR_BOUND * ((l < 0 ? -l : l) + (r < 0 ? -r : r));
                leftOfB = det > doubt ? 1 : det < -doubt ? -1 : sideOfLineAt(node, at + LEFT_LINE, vertices, b);
              }
              known = k + 1;
            }
          }
          const nextEntry = portal >= 0 ? mesh.portalBack[portal] : endVertex;
          const portalFlag = portal >= 0 ? IS_PORTAL | MAY_BE_FLAT : 0;
          // On one of the lines: the root sees it from its end, and a path may go on from there. So where the ends lie the wrong
          // way around, in a polygon that is convex only up to roundings.
          const isFlat =
            !isFan &&
            ((rightOfA === 0 && rightOfB === 0) ||
              (leftOfA === 0 && leftOfB === 0) ||
              (rightOfA > 0 && rightOfB <= 0) ||
              (leftOfA >= 0 && leftOfB < 0));
          // Seen from a root in the polygon (0), from this root (1), from the right end (2), from the left end (3).
          for (let part = isFan ? 0 : 1; part < 4; part++) {
            let isCutRight = false;
            let isCutLeft = false;
            if (isFlat) {
              isCutRight = isCutLeft = false;
            } else if (part === 1) {
              if (rightOfB <= 0 || leftOfA >= 0) continue;
              if (wasPassed(state, current, other)) continue;
              isCutRight = rightOfA < 0;
              isCutLeft = leftOfB > 0;
            } else if (part === 2) {
              if (rightTurn < 0 || (rightOfA >= 0 && rightOfB > 0)) continue;
              if (rightTurn === 0) {
                rightKey = turnKey(state, mesh, filter, poly, entryEdge, isPortal ? entry : -1, true);
                rightTurn = turnAt(state, rightKey, current, at + RIGHT) ? 1 : -1;
                if (rightTurn < 0) continue;
                rightLength = turned[0];
              }
              isCutLeft = rightOfB > 0;
            } else if (part === 3) {
              if (leftTurn < 0 || (leftOfB <= 0 && leftOfA < 0)) continue;
              if (leftTurn === 0) {
                leftKey = turnKey(state, mesh, filter, poly, entryEdge, isPortal ? entry : -1, false);
                leftTurn = turnAt(state, leftKey, current, at + LEFT) ? 1 : -1;
                if (leftTurn < 0) continue;
                leftLength = turned[0];
              }
              isCutRight = leftOfA < 0;
            }
            const item = state.nodeCount++;
            const to = 16 * item;
            const lt = 8 * item;
            let rx = rootX;
            let rz = rootZ;
            if (part === 0) {
              rx = fanX;
              rz = fanZ;
              node[to + LENGTH] = fanLength;
              link[lt + KEY] = fanKey;
            } else if (part === 1) {
              node[to + LENGTH] = length;
              link[lt + KEY] = key;
            } else if (part === 2) {
              rx = node[at + RIGHT];
              rz = node[at + RIGHT + 1];
              node[to + LENGTH] = rightLength;
              link[lt + KEY] = rightKey;
            } else {
              rx = node[at + LEFT];
              rz = node[at + LEFT + 1];
              node[to + LENGTH] = leftLength;
              link[lt + KEY] = leftKey;
            }
            node[to + ROOT] = rx;
            node[to + ROOT + 1] = rz;
            if (isCutRight) {
              // By the right line when it is this root's, by the left line when what is left of it is taken.
              const line = at + (part === 1 ? RIGHT_LINE : LEFT_LINE);
              const px = node[line];
              const pz = node[line + 1];
              const qx = node[line + 2];
              const qz = node[line + 3];
              const da = (pz - az) * (qx - ax) - (px - ax) * (qz - az);
              const db = (pz - bz) * (qx - bx) - (px - bx) * (qz - bz);
              let t = da / (da - db);
              t = t > 0 ? (t < 1 ? t : 1) : 0;
              node[to + RIGHT_LINE] = px;
              node[to + RIGHT_LINE + 1] = pz;
              node[to + RIGHT_LINE + 2] = qx;
              node[to + RIGHT_LINE + 3] = qz;
              node[to + RIGHT] = ax + t * (bx - ax);
              node[to + RIGHT + 1] = az + t * (bz - az);
            } else {
              node[to + RIGHT_LINE] = rx;
              node[to + RIGHT_LINE + 1] = rz;
              node[to + RIGHT_LINE + 2] = node[to + RIGHT] = ax;
              node[to + RIGHT_LINE + 3] = node[to + RIGHT + 1] = az;
            }
            if (isCutLeft) {
              const line = at + (part === 1 ? LEFT_LINE : RIGHT_LINE);
              const px = node[line];
              const pz = node[line + 1];
              const qx = node[line + 2];
              const qz = node[line + 3];
              const da = (pz - az) * (qx - ax) - (px - ax) * (qz - az);
              const db = (pz - bz) * (qx - bx) - (px - bx) * (qz - bz);
              let t = da / (da - db);
              t = t > 0 ? (t < 1 ? t : 1) : 0;
              node[to + LEFT_LINE] = px;
              node[to + LEFT_LINE + 1] = pz;
              node[to + LEFT_LINE + 2] = qx;
              node[to + LEFT_LINE + 3] = qz;
              node[to + LEFT] = ax + t * (bx - ax);
              node[to + LEFT + 1] = az + t * (bz - az);
            } else {
              node[to + LEFT_LINE] = rx;
              node[to + LEFT_LINE + 1] = rz;
              node[to + LEFT_LINE + 2] = node[to + LEFT] = bx;
              node[to + LEFT_LINE + 3] = node[to + LEFT + 1] = bz;
            }
            link[lt + PARENT] = current;
            link[lt + POLY] = other;
            link[lt + ENTRY] = nextEntry;
            link[lt + CROSSING] = crossing;
            link[lt + DEPTH] = part === 1 ? link[it + DEPTH] + 1 : 0;
            link[lt + FLAGS] =
              (isCutRight ? 0 : RIGHT_IS_END) |
              (isCutLeft ? 0 : LEFT_IS_END) |
              portalFlag |
              (part === 1 && !isFlat ? 0 : MAY_BE_FLAT);
            if ((bits & GOAL) !== 0) offerGoals(state, item);
            if (part === 0 || isFlat) break;
          }
        }
        if (portal < 0) break;
        portal = mesh.portalNext[portal];
        if (portal < 0) break;
      }
    }

    // What came out: the most promising stays out of the open list, as it is mostly the next.
    let held = -1;
    let heldTotal = best[0];
    for (let item = begun; item < state.nodeCount; item++) {
      if (!goesOn && (polyBits[link[8 * item + POLY]] & GOAL) !== 0) continue;
      estimate(state, mesh, item);
      const total = node[16 * item + ESTIMATE];
      if (total < heldTotal) {
        if (held >= 0) pushOpen(state, held);
        held = item;
        heldTotal = total;
      } else if (total < best[0]) {
        pushOpen(state, item);
      }
    }
    current = -1;
    if (held < 0) continue;
    if (state.heapSize === 0 || heldTotal <= state.heapKey[0]) current = held;
    else pushOpen(state, held);
  }
}

/** Exactly: the side of a vertex to the line, both given by their places. */
function sideOfLineAt(node: Float64Array, line: number, vertices: Float64Array, vertex: number): number {
  xs[0] = node[line];
  zs[0] = node[line + 1];
  xs[1] = node[line + 2];
  zs[1] = node[line + 3];
  xs[2] = vertices[vertex];
  zs[2] = vertices[vertex + 2];
  return sideOfPoints(xs, zs, 0, 1, 2);
}

/**
 * Was the polygon passed on the way from the root to this node? A ray does not come back into a convex polygon; but polygons may
 * be convex only up to roundings, and along their edges it might go to and fro for ever. It is enough to look a few polygons
 * back, and at all of them once there are many.
 */
function wasPassed(state: OptimalState, item: number, poly: number): boolean {
  const { link } = state;
  let at = 8 * item;
  const depth = link[at + DEPTH];
  for (let n = depth > LOOK_BACK && (depth & 63) !== 0 ? LOOK_BACK : depth; n > 0; n--) {
    at = 8 * link[at + PARENT];
    if (link[at + POLY] === poly) return true;
  }
  return false;
}

/** The key of an end of the entry, as a corner: the edge's, or of the portal it was entered by. */
function turnKey(
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  entryEdge: number,
  portal: number,
  isRight: boolean,
): number {
  if (portal >= 0) return cornerAtPortal(state, mesh, filter, poly, portal, isRight);
  if (!isRight) return cornerAt(state, mesh, filter, poly, entryEdge);
  const first = mesh.polyEdgeStart[poly];
  return cornerAt(
    state,
    mesh,
    filter,
    poly,
    entryEdge + 1 === first + mesh.polyVertexCount[poly] ? first : entryEdge + 1,
  );
}

/**
 * May the path of a node turn at its end at `end` (a place in the doubles)? Not where there is no corner, and not when it was
 * reached on a shorter way, or on another as short. Sets `turned`.
 */
function turnAt(state: OptimalState, key: number, item: number, end: number): boolean {
  if (key < 0) return false;
  const { node, keyStamp, keyLength, keyParent } = state;
  const dx = node[end] - node[16 * item + ROOT];
  const dz = node[end + 1] - node[16 * item + ROOT + 1];
  const length = node[16 * item + LENGTH] + Math.sqrt(dx * dx + dz * dz);
  const before = state.link[8 * item + KEY];
  if (
    keyStamp[key] === state.stamp &&
    (keyLength[key] < length || (keyLength[key] === length && keyParent[key] !== before))
  ) {
    return false;
  }
  keyStamp[key] = state.stamp;
  keyLength[key] = length;
  keyParent[key] = before;
  turned[0] = length;
  return true;
}

/**
 * Sides of the portal in `ends`. False: it leads nowhere from here. On the edge that was entered by another portal, one lies
 * right or left of that; where they overlap, it leads back.
 */
function setSides(state: OptimalState, mesh: NavMesh, item: number, portal: number, isBeside: boolean): boolean {
  if (isBeside) {
    const { portalSpan } = mesh;
    const entry = state.link[8 * item + ENTRY];
    const isRight = portalSpan[2 * portal] >= portalSpan[2 * entry + 1] - EDGE_SLACK;
    sides.fill(isRight ? -1 : 1);
    return isRight || portalSpan[2 * portal + 1] <= portalSpan[2 * entry] + EDGE_SLACK;
  }
  const { node } = state;
  for (let k = 0; k < 4; k++) {
    const line = 16 * item + (k < 2 ? RIGHT_LINE : LEFT_LINE);
    const end = (k & 1) === 0 ? 0 : 3;
    xs[0] = node[line];
    zs[0] = node[line + 1];
    xs[1] = node[line + 2];
    zs[1] = node[line + 3];
    xs[2] = ends[end];
    zs[2] = ends[end + 2];
    sides[k] = sideOfPoints(xs, zs, 0, 1, 2);
  }
  return true;
}
