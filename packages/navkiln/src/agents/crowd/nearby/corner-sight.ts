/**
 * Tells whether an agent still sees its next corner. While it does, the funnel need not run again.
 *
 *            C  the corner
 *           /|\
 *      o---/ | \--o   portals on the way, as seen from the corner: together they leave a cone open
 *         /  |  \
 *        o   x   o    agents in the cone see the corner
 *
 * The shortest path of an agent in the cone begins with the straight line to the corner. At a turn, the cone ends at
 * the line through this corner and the next one. Beyond that line the agent would no longer turn. Both depend on the
 * corridor alone. So the corners stay the same while the agent is in the cone, its corridor is the same, and it has
 * passed only portals before the corner.
 *
 * In: a corridor and the corners found for it. Out: `sight`, `sightPortals`.
 * Cost: linear in the portals up to the corner, at most `MAX_PORTALS`; two products for a test. No allocation.
 * Based on: own; it is the funnel seen from its end.
 */
import { CORNER_GOAL, CORNER_TURN } from '../../corridor/types.ts';
import { isLinkCrossing, setCrossingEnds } from '../../../mesh/crossing.ts';
import type { Crowd } from '../state/types.ts';

/** A corner behind more portals than this gets no cone. */
export const MAX_PORTALS = 32;

/** xyz of the two ends of a portal. */
const ends = new Float64Array(6);

/**
 * Notes the cone in which an agent sees the corner that it has just found. `nextKind` is the kind of the corner after
 * it; -1: none.
 */
export function noteSight(crowd: Crowd, slot: number, nextKind: number): void {
  const { agents, mesh } = crowd;
  const { corners, position, cornerKind, sight, sightPortals } = agents;
  sightPortals[slot] = 0;
  const isTurn = cornerKind[slot] === CORNER_TURN;
  if (isTurn ? nextKind !== CORNER_TURN && nextKind !== CORNER_GOAL : cornerKind[slot] !== CORNER_GOAL) return;
  const { polys, crossings, count } = crowd.corridors[slot].corridor;
  const cornerX = corners[6 * slot];
  const cornerZ = corners[6 * slot + 2];
  const x = position[3 * slot] - cornerX;
  const z = position[3 * slot + 2] - cornerZ;
  // Directions from the corner: the agent is to the left of a, and to the right of b. They start at right angles to the
  // line to the agent.
  let ax = z;
  let az = -x;
  let bx = -z;
  let bz = x;
  if (isTurn) {
    const dx = cornerX - corners[6 * slot + 3];
    const dz = cornerZ - corners[6 * slot + 5];
    const side = dx * z - dz * x;
    if (side > 0 && ax * dz - az * dx > 0) {
      ax = dx;
      az = dz;
    } else if (side < 0 && bx * dz - bz * dx < 0) {
      bx = dx;
      bz = dz;
    } else if (side === 0) return;
  }
  let i = 0;
  for (; i < count - 1; i++) {
    if (i === MAX_PORTALS || isLinkCrossing(crossings[i])) return;
    setCrossingEnds(ends, mesh, polys[i], crossings[i]);
    const ex = ends[0] - cornerX;
    const ez = ends[2] - cornerZ;
    const fx = ends[3] - cornerX;
    const fz = ends[5] - cornerZ;
    if (isTurn && ((ex === 0 && ez === 0) || (fx === 0 && fz === 0))) break;
    const sideE = ex * z - ez * x;
    const sideF = fx * z - fz * x;
    if (!(sideE > 0 && sideF < 0) && !(sideE < 0 && sideF > 0)) return;
    const isRightFirst = sideE > 0;
    const rx = isRightFirst ? ex : fx;
    const rz = isRightFirst ? ez : fz;
    const lx = isRightFirst ? fx : ex;
    const lz = isRightFirst ? fz : ez;
    if (ax * rz - az * rx > 0) {
      ax = rx;
      az = rz;
    }
    if (bx * lz - bz * lx < 0) {
      bx = lx;
      bz = lz;
    }
  }
  // The path turns at an end of a portal.
  if (isTurn && i === count - 1) return;
  const at = 4 * slot;
  sight[at] = ax;
  sight[at + 1] = az;
  sight[at + 2] = bx;
  sight[at + 3] = bz;
  sightPortals[slot] = i + 1;
}

/** Returns whether an agent still sees its corner as it did at the last call of `noteSight`. */
export function seesCorner({ agents }: Crowd, slot: number): boolean {
  const { sight, sightPortals, corners, position } = agents;
  if (sightPortals[slot] === 0) return false;
  const x = position[3 * slot] - corners[6 * slot];
  const z = position[3 * slot + 2] - corners[6 * slot + 2];
  const at = 4 * slot;
  return sight[at] * z - sight[at + 1] * x > 0 && sight[at + 2] * z - sight[at + 3] * x < 0;
}
