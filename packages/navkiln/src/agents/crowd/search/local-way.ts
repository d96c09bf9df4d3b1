/**
 * Finds a detour around standing bodies: searches a small grid of the surface around an agent, without the cells in
 * which it would overlap with a standing body.
 *
 * The mesh does not contain bodies, and one polygon may cover a large area, so that a path leads straight through
 * bodies that stand there. The search aims at the goal or one of the next two corners: the farthest of them inside the
 * grid. If none is inside, it aims at a point on the line to the next corner. Rays between neighboring cells keep it on
 * the surface.
 *
 * In: an agent with corners, standing bodies. Out: points in the plane that lead around them.
 * Cost: linear in the agents, plus at most `MAX_NODES` cells with up to eight short rays each. No allocation once
 * grown.
 * Based on: Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths,
 *   1968, over cells and their eight neighbors.
 */
import { CORNER_LINK } from '../../corridor/types.ts';
import { createMinHeap, popItem, pushItem } from '../../../base/data/min-heap.ts';
import { setHeight } from '../../../mesh/ground.ts';
import { createRayHit } from '../../../query/ray/hit.ts';
import { raycastInto } from '../../../query/ray/raycast.ts';
import { isStanding } from '../state/standing.ts';
import { WAY_POINTS } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * Cells along each side of the grid; the agent is in the cell at `HALF`, `HALF`. A cell is as wide as the agent's
 * radius.
 */
const SIDE = 64;
const HALF = 32;
/** Maximum number of cells that a search expands. */
const MAX_NODES = 2000;
/** A result that is at most this many times longer than the straight line is not a detour. */
const LEAST_LONGER = 1.02;
/** Distance from the aim, in cells, at which the search ends when a body stands on the aim. */
const NEAR_CELLS = 3;
const DIAGONAL: number = Math.sqrt(2);
/** Per neighbor: its offset in cells. */
const STEP_X: readonly number[] = [1, -1, 0, 0, 1, 1, -1, -1];
const STEP_Z: readonly number[] = [0, 0, 1, -1, 1, -1, 1, -1];

/** Per cell: 1 when a standing body is too near, 2 when it was expanded. */
const taken = new Uint8Array(SIDE * SIDE);
/**
 * Per cell: its polygon (-1 when it was not reached), its height, the cost from the agent, that cost plus the estimate,
 * and the previous cell.
 */
const cellPoly = new Int32Array(SIDE * SIDE);
const cellHeight = new Float64Array(SIDE * SIDE);
const cost = new Float64Array(SIDE * SIDE);
const key = new Float64Array(SIDE * SIDE);
const before = new Int32Array(SIDE * SIDE);
const heap = createMinHeap();
const ray = createRayHit();
const from = new Float64Array(3);
const to = new Float64Array(3);
/** The cells of the detour, last first. */
const trail = new Int32Array(SIDE * SIDE);
/** xz: the point that the search aims at. */
const aim = new Float64Array(2);

/**
 * Writes up to `WAY_POINTS` points (xz) of a detour around standing bodies. Returns their number; 0 when there is no
 * detour.
 */
export function findLocalWay(out: Float64Array, crowd: Crowd, slot: number): number {
  const { position, radius } = crowd.agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const size = radius[slot];
  if (!(size > 0) || !setAim(crowd, slot, (HALF - 2) * size)) return 0;
  markBodies(crowd, slot);
  const goal = cellAt((aim[0] - x) / size, (aim[1] - z) / size);
  const last = search(crowd, slot, goal, taken[goal] === 1 ? NEAR_CELLS : 0);
  if (last < 0) return 0;
  const dx = aim[0] - x;
  const dz = aim[1] - z;
  if (cost[last] * size <= LEAST_LONGER * Math.sqrt(dx * dx + dz * dz)) return 0;
  let length = 0;
  for (let cell = last; cell >= 0; cell = before[cell]) trail[length++] = cell;
  let count = 0;
  for (let at = length - 1; at > 0 && count < WAY_POINTS;) {
    // Find the farthest cell in sight.
    let next = at - 1;
    for (let k = 0; k < next; k++) if (isInSight(trail[at], trail[k])) next = k;
    at = next;
    out[2 * count] = x + ((trail[at] % SIDE) - HALF) * size;
    out[2 * count + 1] = z + (((trail[at] / SIDE) | 0) - HALF) * size;
    count++;
  }
  return count;
}

/** Returns the cell at an offset from the agent, in cells. */
function cellAt(x: number, z: number): number {
  return (Math.round(z) + HALF) * SIDE + Math.round(x) + HALF;
}

/** Sets `aim` to a point of the path within `reach`. Returns false for an agent without a path. */
function setAim({ agents, corridors }: Crowd, slot: number, reach: number): boolean {
  const { corners, position } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const { target } = corridors[slot];
  const isWithin = (ax: number, az: number): boolean => Math.max(Math.abs(ax - x), Math.abs(az - z)) <= reach;
  const at = 6 * slot;
  aim[0] = corners[at];
  aim[1] = corners[at + 2];
  if (!isWithin(aim[0], aim[1])) {
    const far = Math.max(Math.abs(aim[0] - x), Math.abs(aim[1] - z));
    aim[0] = x + ((aim[0] - x) * reach) / far;
    aim[1] = z + ((aim[1] - z) * reach) / far;
    return true;
  }
  if (agents.cornerKind[slot] === CORNER_LINK) return true;
  if (isWithin(corners[at + 3], corners[at + 5])) {
    aim[0] = corners[at + 3];
    aim[1] = corners[at + 5];
    if (isWithin(target[0], target[2])) {
      aim[0] = target[0];
      aim[1] = target[2];
    }
  }
  return aim[0] !== x || aim[1] !== z;
}

/** Marks the cells in which the agent would overlap with a standing body. */
function markBodies(crowd: Crowd, slot: number): void {
  const { agents, active, activeCount } = crowd;
  const { position, radius, height, layers, mask } = agents;
  const x = position[3 * slot];
  const y = position[3 * slot + 1];
  const z = position[3 * slot + 2];
  const size = radius[slot];
  taken.fill(0);
  for (let i = 0; i < activeCount; i++) {
    const other = active[i];
    const dx = (position[3 * other] - x) / size;
    const dz = (position[3 * other + 2] - z) / size;
    const reach = 1 + radius[other] / size;
    if (Math.abs(dx) > HALF + reach || Math.abs(dz) > HALF + reach || other === slot) continue;
    const dy = position[3 * other + 1] - y;
    if (dy >= height[slot] || -dy >= height[other] || (mask[slot] & layers[other]) === 0) continue;
    if (!isStanding(crowd, other)) continue;
    const left = Math.max(0, Math.ceil(dx - reach) + HALF);
    const right = Math.min(SIDE - 1, Math.floor(dx + reach) + HALF);
    const top = Math.max(0, Math.ceil(dz - reach) + HALF);
    const bottom = Math.min(SIDE - 1, Math.floor(dz + reach) + HALF);
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const ox = column - HALF - dx;
        const oz = row - HALF - dz;
        if (ox * ox + oz * oz < reach * reach) taken[row * SIDE + column] = 1;
      }
    }
  }
}

/** Searches from the agent to within `near` cells of `goal`. Returns the last cell, or -1. */
function search(crowd: Crowd, slot: number, goal: number, near: number): number {
  const { agents } = crowd;
  const goalX = goal % SIDE;
  const goalZ = (goal / SIDE) | 0;
  const start = HALF * SIDE + HALF;
  cellPoly.fill(-1);
  heap.count = 0;
  cellPoly[start] = agents.poly[slot];
  cellHeight[start] = agents.position[3 * slot + 1];
  cost[start] = key[start] = 0;
  before[start] = -1;
  pushItem(heap, start, key);
  for (let nodes = 0; heap.count > 0 && nodes < MAX_NODES;) {
    const cell = popItem(heap);
    if (taken[cell] === 2) continue;
    taken[cell] = 2;
    nodes++;
    const cx = cell % SIDE;
    const cz = (cell / SIDE) | 0;
    if (Math.max(Math.abs(cx - goalX), Math.abs(cz - goalZ)) <= near) return cell;
    for (let k = 0; k < 8; k++) {
      const nx = cx + STEP_X[k];
      const nz = cz + STEP_Z[k];
      if (nx < 0 || nz < 0 || nx >= SIDE || nz >= SIDE) continue;
      const next = nz * SIDE + nx;
      if (taken[next] !== 0) continue;
      const nextCost = cost[cell] + (k < 4 ? 1 : DIAGONAL);
      if (cellPoly[next] >= 0 && cost[next] <= nextCost) continue;
      if (!walk(crowd, slot, cell, next)) continue;
      cost[next] = nextCost;
      const ax = Math.abs(nx - goalX);
      const az = Math.abs(nz - goalZ);
      key[next] = nextCost + Math.max(ax, az) + (DIAGONAL - 1) * Math.min(ax, az);
      before[next] = cell;
      pushItem(heap, next, key);
    }
  }
  return -1;
}

/**
 * Returns whether the surface leads straight from a cell to the next one. Notes the polygon and height of the next
 * cell.
 */
function walk(crowd: Crowd, slot: number, cell: number, next: number): boolean {
  const { agents, mesh } = crowd;
  const size = agents.radius[slot];
  const x = agents.position[3 * slot];
  const z = agents.position[3 * slot + 2];
  from[0] = x + ((cell % SIDE) - HALF) * size;
  from[1] = cellHeight[cell];
  from[2] = z + (((cell / SIDE) | 0) - HALF) * size;
  to[0] = x + ((next % SIDE) - HALF) * size;
  to[1] = from[1];
  to[2] = z + (((next / SIDE) | 0) - HALF) * size;
  raycastInto(ray, mesh, cellPoly[cell], from, to, crowd.filters[agents.filter[slot]], false);
  if (ray.status !== 'reached') return false;
  cellPoly[next] = ray.polys[ray.count - 1];
  setHeight(to, mesh, cellPoly[next]);
  cellHeight[next] = to[1];
  return true;
}

/** Returns whether all cells between two cells were expanded, so that the agent may go straight. */
function isInSight(a: number, b: number): boolean {
  const ax = a % SIDE;
  const az = (a / SIDE) | 0;
  const dx = (b % SIDE) - ax;
  const dz = ((b / SIDE) | 0) - az;
  const steps = 2 * Math.max(Math.abs(dx), Math.abs(dz));
  for (let k = 1; k < steps; k++) {
    const px = ax + Math.round((dx * k) / steps);
    const pz = az + Math.round((dz * k) / steps);
    const cell = pz * SIDE + px;
    if (cell !== b && taken[cell] !== 2) return false;
  }
  return true;
}
