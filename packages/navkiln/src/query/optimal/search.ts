/**
 * Finds exact shortest paths over convex polygons, seen from above, by expanding visible intervals of edges.
 *
 *            A---------B       From the root r, the visible part of the entered polygon lies between two
 *           /           \      lines through r. They cut the exit edges; the part in between is visible from
 *     R'   /             \     r, so root and length stay. The part right of the right line is visible only
 *      \--R-----L---------C    from R, if R is a corner: the path turns there, and R becomes the root. The
 *          \   /               left side is likewise. Each part leads into the next polygon as a node. Nodes
 *           \ /                are expanded in the order of their length up to the root plus the shortest
 *            r                 path through the interval to the target, as if no walls followed. The first
 *                              node that reaches the target ends the shortest path.
 *
 * Each decision is an exact test on which side of a line through two input points another input point lies. A line that
 * cuts a corner is kept; a new line goes through root and corner. Cut points serve estimates only, so no rounding can
 * lose a part of an edge or count it twice. That holds for polygons that are exactly convex; the search enters other
 * polygons through their pieces (pieces.ts), one after the other, as if the pieces were polygons.
 *
 * The search moves from neighbor to neighbor, never by position, so storeys and tile borders need no special case. A
 * link is entered at the middle of its near end, and the search continues from the middle of its far end. A root on the
 * line of the entry edge sees the whole polygon if it lies on the edge; otherwise the path turns at the nearer end.
 *
 * The search skips roots that were reached on a path at most as long, intervals that another path reaches sooner around
 * a corner (turn.ts), dead ends (blocks.ts), and nodes beyond the best path so far. The best successor is expanded
 * immediately, without the open list, when no open node is better.
 *
 * In: a state with targets and starts.
 * Out: the node that ends the shortest path. No allocation after warm-up.
 * Cost: exponential in theory; in practice a few nodes for each polygon on the path.
 * Based on: Michael Cui, Daniel Harabor, Alban Grastien, Compromise-free Pathfinding on a Navigation Mesh
 * (Polyanya), 2017; several targets as in Shizhe Zhao, David Taniar, Daniel Harabor, Fast k-Nearest Neighbor
 * on a Navigation Mesh, 2018. Exact sides, corner sectors, links and portals are own.
 */
import { sideOfPoints } from '../../base/math/predicates.ts';
import { portalCrossing, setCrossingEnds } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { bitsOf } from './corner.ts';
import { SEES_ALL, SEES_FROM_RIGHT, SEES_INTERVAL, addPieceFans, pieceEntered, viewFrom } from './enter.ts';
import { estimate, offerGoals } from './estimate.ts';
import { enterLinks } from './links.ts';
import { entryOf } from './pieces.ts';
import {
  CROSSING,
  DEAD_END,
  DENTED,
  DEPTH,
  ENTRY,
  ESTIMATE,
  FLAGS,
  GOAL,
  IS_FAN,
  IS_PORTAL,
  IS_WITHIN,
  KEY,
  KNOWN,
  LEFT,
  LEFT_IS_END,
  LEFT_LINE,
  LENGTH,
  LINK_STRIDE,
  MAY_BE_FLAT,
  NODE_STRIDE,
  OPEN,
  PARENT,
  PIECE,
  POLY,
  RIGHT,
  RIGHT_IS_END,
  RIGHT_LINE,
  ROOT,
  WITHIN,
  popOpen,
  pushOpen,
  reserveNodes,
} from './state.ts';
import type { OptimalState } from './state.ts';
import { NO_TURN, UNKNOWN_TURN, isOvertaken, realEdge, turnAt, turned } from './turn.ts';
import { EDGE_SLACK } from '../walk/open-edges.ts';

/** Number of polygons that `wasPassed` checks. */
const LOOK_BACK = 3;
/** (3 + 16 u) u with u = 2^-53; see base/math/predicates.ts. */
const ERROR_BOUND = 3.3306690738754716e-16;

/** Parts of an exit by their root: a root in the polygon, the node's own root, or an end of its interval. */
const FROM_FAN = 0;
const FROM_ROOT = 1;
const FROM_RIGHT = 2;
const FROM_LEFT = 3;

/** Points of the exact predicate: two on a line, and the point to classify. */
const xs = new Float64Array(3);
const zs = new Float64Array(3);
/** Ends of the current portal, as `setCrossingEnds` writes them. */
const ends = new Float64Array(6);
/** Sides of the current portal's right and left end to the right line, then to the left line. */
const sides = new Int8Array(4);

/**
 * Kernel. Expands nodes until the best path is known, there is none, or `maxNodes` have been expanded.
 *
 * The next call with a larger budget continues a search that ran out of its budget.
 *
 * Steps: take the next node, enter its polygon, pick an exit, classify the exit's ends, add a node for each
 * visible part of it, and choose the next node among those added.
 */
// oxlint-disable-next-line max-lines-per-function -- hot loop: split by steps it is 5 to 15 % slower.
export function runOptimal(state: OptimalState, mesh: NavMesh, filter: QueryFilter, maxNodes: number): void {
  refuseInMethod('findOptimalPathInto');
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount, polyPortal, polyLink, portalEdge } = mesh;
  const { keyStamp, keyLength, polyStamp, polyBits, stamp, best } = state;
  // A node that reaches the only target is not expanded, unless links may shorten the path in its polygon.
  const goesOn = state.targetCount > 1 || mesh.linkScale < 1;
  const hasPortals = mesh.portalCount > 0;
  let current = state.held;
  state.held = -1;
  for (;;) {
    // Step: take the next node.
    if (current < 0) {
      if (state.heapSize === 0 || state.heapKey[0] >= best[0]) return;
      current = popOpen(state);
    }
    if (state.visitedCount >= maxNodes) {
      state.isShort = true;
      state.held = current;
      return;
    }
    state.visitedCount++;
    const it = LINK_STRIDE * current;
    const key = state.link[it + KEY];
    const length = state.node[NODE_STRIDE * current + LENGTH];
    if ((key >= 0 && keyStamp[key] === stamp && keyLength[key] < length) || length >= best[0]) {
      current = -1;
      continue;
    }
    const poly = state.link[it + POLY];
    if (polyLink[poly] >= 0) enterLinks(state, mesh, filter, current);
    // The ring of edges: that of the polygon, or that of a piece of it.
    let ringVertex = edgeVertex;
    let ringNeighbor = edgeNeighbor;
    let first = polyEdgeStart[poly];
    let count = polyVertexCount[poly];
    let piece = -1;
    if ((polyBits[poly] & DENTED) !== 0) {
      piece = pieceEntered(state, mesh, current);
      if (piece < 0) {
        const fan = state.nodeCount;
        addPieceFans(state, mesh, current);
        current = chooseNext(state, mesh, fan, goesOn);
        continue;
      }
      ringVertex = state.pieces.entryVertex;
      ringNeighbor = state.pieces.entryNeighbor;
      first = state.pieces.pieceStart[piece];
      count = state.pieces.pieceSize[piece];
    }
    const stop = first + count;
    let portalCount = 0;
    for (let l = polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) portalCount++;
    reserveNodes(state, 3 * (count + portalCount));
    const { node, link } = state;
    const at = NODE_STRIDE * current;
    const flags = link[it + FLAGS];
    const entry = link[it + ENTRY];
    const begun = state.nodeCount;
    const looksBack = hasPortals || state.hasFlat;
    const rootX = node[at + ROOT];
    const rootZ = node[at + ROOT + 1];

    // Step: enter the polygon. `entryEdge` comes before the first exit.
    let entryEdge = stop - 1;
    let rightEdge = first;
    let isFan = (flags & IS_FAN) !== 0;
    let isFanned = false;
    // Keys and lengths of the corners where a path may turn: the ends of the interval.
    let rightKey = (flags & RIGHT_IS_END) !== 0 ? UNKNOWN_TURN : NO_TURN;
    let leftKey = (flags & LEFT_IS_END) !== 0 ? UNKNOWN_TURN : NO_TURN;
    let rightLength = 0;
    let leftLength = 0;
    let fanX = rootX;
    let fanZ = rootZ;
    let fanLength = length;
    let fanKey = key;
    const isPortal = (flags & IS_PORTAL) !== 0;
    if (!isFan) {
      if (isPortal) {
        entryEdge = piece < 0 ? portalEdge[entry] : entryOf(state.pieces, poly, portalEdge[entry]);
      } else {
        entryEdge = first;
        while (entryEdge < stop && ringVertex[entryEdge] !== entry) entryEdge++;
        if (entryEdge === stop) {
          current = -1;
          continue;
        }
      }
      rightEdge = entryEdge + 1 === stop ? first : entryEdge + 1;
      if (
        piece < 0 &&
        (isOvertaken(state, current, rightEdge, vertices, 3 * ringVertex[rightEdge], at + LEFT) ||
          isOvertaken(state, current, entryEdge, vertices, 3 * ringVertex[entryEdge], at + RIGHT))
      ) {
        current = -1;
        continue;
      }
      const seen =
        (flags & MAY_BE_FLAT) === 0
          ? SEES_INTERVAL
          : viewFrom(node, at, vertices, 3 * ringVertex[rightEdge], 3 * ringVertex[entryEdge]);
      if (seen !== SEES_INTERVAL) {
        isFan = true;
        if (seen !== SEES_ALL) {
          const isRight = seen === SEES_FROM_RIGHT;
          const end = at + (isRight ? RIGHT : LEFT);
          fanKey = isRight ? rightKey : leftKey;
          if (fanKey === UNKNOWN_TURN) {
            fanKey = turnAt(
              state,
              mesh,
              filter,
              current,
              realEdge(state, piece, isRight ? rightEdge : entryEdge),
              isRight,
            );
          }
          isFanned = fanKey === NO_TURN;
          fanX = node[end];
          fanZ = node[end + 1];
          fanLength = turned[0];
        }
      }
    }
    if (isFan && !isFanned) {
      const fans = piece < 0 ? state.fans : state.pieceFans;
      const fan = piece < 0 ? poly : piece;
      isFanned = fans.stamp[fan] === stamp && fans.key[fan] === fanKey && fans.length[fan] <= fanLength;
      if (!isFanned) {
        fans.stamp[fan] = stamp;
        fans.key[fan] = fanKey;
        fans.length[fan] = fanLength;
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
    // Sides of an exit's ends a and b to the right and to the left line. The end of an edge is the start of
    // the next one: `known` is the exit whose start is classified.
    let rightOfA = 0;
    let rightOfB = 0;
    let leftOfA = 0;
    let leftOfB = 0;
    let known = -1;
    // The entry edge comes last, for its other portals, or as a whole when there was no entry.
    const exitCount = isPortal || (flags & IS_FAN) !== 0 ? count : last;
    let edge = entryEdge;
    for (let k = 0; k < exitCount; k++) {
      // Step: pick an exit. A border edge has one for each portal.
      edge = edge + 1 === stop ? first : edge + 1;
      const beyond = ringNeighbor[edge];
      if (beyond === -1) continue;
      let portal = beyond < -1 ? polyPortal[poly] : -1;
      if (beyond < -1 && portal < 0) continue;
      const endVertex = ringVertex[edge + 1 === stop ? first : edge + 1];
      for (;;) {
        let other = beyond;
        let crossing = edge;
        if (piece >= 0) crossing = other === poly ? WITHIN : state.pieces.entryEdge[edge];
        if (portal >= 0) {
          const border = crossing;
          while (portal >= 0 && (portalEdge[portal] !== border || (isPortal && portal === entry)))
            portal = mesh.portalNext[portal];
          if (portal < 0) break;
          crossing = portalCrossing(portal);
          other = mesh.portalPoly[portal];
        }
        const bits =
          polyStamp[other] === stamp && (polyBits[other] & KNOWN) !== 0
            ? polyBits[other]
            : bitsOf(state, mesh, filter, other);
        if ((bits & (OPEN | DEAD_END)) === OPEN) {
          // Step: classify the exit's ends.
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
              if (!setPortalSides(state, mesh, current, portal, k === last)) {
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
            const a = 3 * ringVertex[edge];
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
                doubt = ERROR_BOUND * (Math.abs(l) + Math.abs(r));
                rightOfA = det > doubt ? 1 : det < -doubt ? -1 : sideOfLineAt(node, at + RIGHT_LINE, vertices, a);
                l = (leftAz - az) * (leftBx - ax);
                r = (leftAx - ax) * (leftBz - az);
                det = l - r;
                doubt = ERROR_BOUND * (Math.abs(l) + Math.abs(r));
                leftOfA = det > doubt ? 1 : det < -doubt ? -1 : sideOfLineAt(node, at + LEFT_LINE, vertices, a);
              }
              if (k === last - 1 && !isPortal) {
                rightOfB = 1;
                leftOfB = (flags & LEFT_IS_END) !== 0 ? 0 : 1;
              } else {
                l = (rightAz - bz) * (rightBx - bx);
                r = (rightAx - bx) * (rightBz - bz);
                det = l - r;
                doubt = ERROR_BOUND * (Math.abs(l) + Math.abs(r));
                rightOfB = det > doubt ? 1 : det < -doubt ? -1 : sideOfLineAt(node, at + RIGHT_LINE, vertices, b);
                l = (leftAz - bz) * (leftBx - bx);
                r = (leftAx - bx) * (leftBz - bz);
                det = l - r;
                doubt = ERROR_BOUND * (Math.abs(l) + Math.abs(r));
                leftOfB = det > doubt ? 1 : det < -doubt ? -1 : sideOfLineAt(node, at + LEFT_LINE, vertices, b);
              }
              known = k + 1;
            }
          }
          const nextEntry = portal >= 0 ? mesh.portalBack[portal] : endVertex;
          const crossingFlags = portal >= 0 ? IS_PORTAL | MAY_BE_FLAT : other === poly ? IS_WITHIN : 0;
          // The exit lies on one of the lines, or its ends are swapped, in a polygon that is convex
          // only up to rounding. The root sees it from its end, and a path may continue from there.
          const isFlat =
            !isFan &&
            ((rightOfA === 0 && rightOfB === 0) ||
              (leftOfA === 0 && leftOfB === 0) ||
              (rightOfA > 0 && rightOfB <= 0) ||
              (leftOfA >= 0 && leftOfB < 0));
          // Step: add a node for each visible part.
          for (let part = isFan ? FROM_FAN : FROM_ROOT; part <= FROM_LEFT; part++) {
            let isCutRight = false;
            let isCutLeft = false;
            if (isFlat) {
              if (looksBack && (bits & DENTED) === 0 && wasPassed(state, current, other)) break;
            } else if (part === FROM_ROOT) {
              if (rightOfB <= 0 || leftOfA >= 0) continue;
              if (looksBack && (bits & DENTED) === 0 && wasPassed(state, current, other)) continue;
              isCutRight = rightOfA < 0;
              isCutLeft = leftOfB > 0;
            } else if (part === FROM_RIGHT) {
              if (rightKey === NO_TURN || (rightOfA >= 0 && rightOfB > 0)) continue;
              if (rightKey === UNKNOWN_TURN) {
                rightKey = turnAt(state, mesh, filter, current, realEdge(state, piece, rightEdge), true);
                if (rightKey === NO_TURN) continue;
                rightLength = turned[0];
              }
              isCutLeft = rightOfB > 0;
            } else if (part === FROM_LEFT) {
              if (leftKey === NO_TURN || (leftOfB <= 0 && leftOfA < 0)) continue;
              if (leftKey === UNKNOWN_TURN) {
                leftKey = turnAt(state, mesh, filter, current, realEdge(state, piece, entryEdge), false);
                if (leftKey === NO_TURN) continue;
                leftLength = turned[0];
              }
              isCutRight = leftOfA < 0;
            }
            const item = state.nodeCount++;
            const to = NODE_STRIDE * item;
            const lt = LINK_STRIDE * item;
            let rx = rootX;
            let rz = rootZ;
            if (part === FROM_FAN) {
              rx = fanX;
              rz = fanZ;
              node[to + LENGTH] = fanLength;
              link[lt + KEY] = fanKey;
            } else if (part === FROM_ROOT) {
              node[to + LENGTH] = length;
              link[lt + KEY] = key;
            } else if (part === FROM_RIGHT) {
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
              // The right line bounds the part that the root sees, the left line the part that only the left end sees.
              const line = at + (part === FROM_ROOT ? RIGHT_LINE : LEFT_LINE);
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
              const line = at + (part === FROM_ROOT ? LEFT_LINE : RIGHT_LINE);
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
            if (other === poly) link[lt + PIECE] = state.pieces.entryPiece[edge];
            link[lt + DEPTH] = part === FROM_ROOT ? link[it + DEPTH] + 1 : 0;
            link[lt + FLAGS] =
              (isCutRight ? 0 : RIGHT_IS_END) |
              (isCutLeft ? 0 : LEFT_IS_END) |
              crossingFlags |
              (part === FROM_ROOT && !isFlat ? 0 : MAY_BE_FLAT);
            if ((bits & GOAL) !== 0) offerGoals(state, item);
            if (part === FROM_FAN || isFlat) break;
          }
        }
        if (portal < 0) break;
        portal = mesh.portalNext[portal];
        if (portal < 0) break;
      }
    }

    // Step: choose the next node.
    current = chooseNext(state, mesh, begun, goesOn);
  }
}

/**
 * Estimates the nodes from `begun` on and pushes them onto the open list, except the best one if no open node is
 * better: that node is returned as the next to expand. Returns -1 when the next node comes from the open list.
 */
function chooseNext(state: OptimalState, mesh: NavMesh, begun: number, goesOn: boolean): number {
  const { node, link, polyBits, best } = state;
  let held = -1;
  let heldTotal = best[0];
  for (let item = begun; item < state.nodeCount; item++) {
    if (!goesOn && (polyBits[link[LINK_STRIDE * item + POLY]] & GOAL) !== 0) continue;
    estimate(state, mesh, item);
    const total = node[NODE_STRIDE * item + ESTIMATE];
    if (total < heldTotal) {
      if (held >= 0) pushOpen(state, held);
      held = item;
      heldTotal = total;
    } else if (total < best[0]) {
      pushOpen(state, item);
    }
  }
  if (held < 0 || state.heapSize === 0 || heldTotal <= state.heapKey[0]) return held;
  pushOpen(state, held);
  return -1;
}

/** Returns the side of a vertex to a line of a node: 1 left, -1 right, 0 on it. Both are given by offsets. */
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
 * Returns whether the path from the root to this node has passed the polygon. A ray never returns to a convex polygon.
 * However, positions of portals and of polygons without convex pieces are rounded, and along their edges the search
 * might alternate forever. The function checks the last few polygons, and occasionally all of them.
 */
function wasPassed(state: OptimalState, item: number, poly: number): boolean {
  const { link } = state;
  let at = LINK_STRIDE * item;
  const depth = link[at + DEPTH];
  for (let n = depth > LOOK_BACK && (depth & 63) !== 0 ? LOOK_BACK : depth; n > 0; n--) {
    at = LINK_STRIDE * link[at + PARENT];
    if (link[at + POLY] === poly) return true;
  }
  return false;
}

/**
 * Sets `sides` for the portal in `ends`. A portal on the entry edge lies right or left of the portal that was entered
 * by. Returns false where the two overlap, because the portal only leads back.
 */
function setPortalSides(
  state: OptimalState,
  mesh: NavMesh,
  item: number,
  portal: number,
  isOnEntryEdge: boolean,
): boolean {
  if (isOnEntryEdge) {
    const { portalSpan } = mesh;
    const entry = state.link[LINK_STRIDE * item + ENTRY];
    const isRight = portalSpan[2 * portal] >= portalSpan[2 * entry + 1] - EDGE_SLACK;
    sides.fill(isRight ? -1 : 1);
    return isRight || portalSpan[2 * portal + 1] <= portalSpan[2 * entry] + EDGE_SLACK;
  }
  const { node } = state;
  for (let k = 0; k < 4; k++) {
    const line = NODE_STRIDE * item + (k < 2 ? RIGHT_LINE : LEFT_LINE);
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
