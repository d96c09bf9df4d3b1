/**
 * The bodies of all agents on the mesh, indexed by position.
 *
 * Positions are those of the tick, but the cells are kept over some ticks. A body may have drifted out of its cell by
 * up to `drift`, and queries look that much farther. The cells are rebuilt when a body has drifted too far, or when the
 * set of agents on the mesh changes.
 *
 * In: positions, radii and states of active agents.
 * Out: `Bodies` of a crowd, valid within the tick; neighbors.ts, sleepers.ts and taken-goal.ts read them.
 * Cost: linear in the agents; in some ticks also a new grid. No allocation after the first tick of a crowd.
 * Based on: own.
 */
import { STATE_GROUND } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { readFloorLimits } from './floor.ts';
import { SIZE_SIDE, createPointGrid, indexPoints, limitCells, reserveGrid } from './grid.ts';
import type { PointGrid } from './grid.ts';
import { reachOf } from './reach.ts';

/** Distance that a body may drift before the cells are rebuilt, in sides of a cell. */
const MOST_DRIFT = 0.15;

/** Bodies of a crowd. */
export interface Bodies {
  grid: PointGrid;
  /** xz of each entry of the grid when the cells were built. */
  madeAt: Float64Array;
  /** Largest drift of a body since then, at index 0. An array, because V8 may allocate a number stored in an object. */
  drift: Float64Array;
  /** Largest radius of a body, at index 0. */
  largestRadius: Float64Array;
  /** Limits of one floor, see floor.ts. */
  floor: Float64Array;
}

const known = new WeakMap<Crowd, Bodies>();

/** Returns the last result of `indexBodies`. Agents may have moved since then. */
export function lastBodiesOf(crowd: Crowd): Bodies {
  return known.get(crowd) ?? indexBodies(crowd);
}

/** Returns the bodies of a crowd at their positions in this tick. Agents on links, in the air or lost have no body. */
export function indexBodies(crowd: Crowd): Bodies {
  let bodies = known.get(crowd);
  if (bodies === undefined) {
    bodies = {
      grid: createPointGrid(),
      madeAt: new Float64Array(2 * crowd.maxAgents),
      drift: new Float64Array(1),
      largestRadius: new Float64Array(1),
      floor: new Float64Array(2),
    };
    reserveGrid(bodies.grid, crowd.maxAgents);
    known.set(crowd, bodies);
  }
  readFloorLimits(bodies.floor, crowd.mesh.agent);
  const count = listBodies(bodies, crowd);
  if (!followBodies(bodies, crowd, count)) makeCells(bodies, crowd, count);
  return bodies;
}

/** Lists the slots of all bodies. Returns how many there are. */
function listBodies(bodies: Bodies, { agents, active, activeCount }: Crowd): number {
  const { state, radius } = agents;
  const { slots } = bodies.grid;
  let count = 0;
  let largest = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if (state[slot] !== STATE_GROUND) continue;
    slots[count++] = slot;
    if (radius[slot] > largest) largest = radius[slot];
  }
  bodies.largestRadius[0] = largest;
  return count;
}

/** Brings the positions of entries up to date. Returns false when the cells have to be rebuilt. */
function followBodies(bodies: Bodies, { agents }: Crowd, count: number): boolean {
  const { grid, madeAt } = bodies;
  if (grid.count !== count) return false;
  const { slot: slotOf, xz, size } = grid;
  const { position, state } = agents;
  const most = MOST_DRIFT * size[SIZE_SIDE];
  const mostSq = most * most;
  let driftSq = 0;
  for (let e = 0; e < count; e++) {
    const slot = slotOf[e];
    const x = position[3 * slot];
    const z = position[3 * slot + 2];
    const dx = x - madeAt[2 * e];
    const dz = z - madeAt[2 * e + 1];
    const movedSq = dx * dx + dz * dz;
    if (!(movedSq <= mostSq) || state[slot] !== STATE_GROUND) return false;
    if (movedSq > driftSq) driftSq = movedSq;
    xz[2 * e] = x;
    xz[2 * e + 1] = z;
  }
  bodies.drift[0] = Math.sqrt(driftSq);
  return true;
}

/** Builds the cells of all bodies. */
function makeCells(bodies: Bodies, { agents }: Crowd, count: number): void {
  const { grid, madeAt } = bodies;
  const { radius } = agents;
  let smallest = Infinity;
  let sum = 0;
  for (let k = 0; k < count; k++) {
    const slot = grid.slots[k];
    const r = radius[slot];
    if (r < smallest) smallest = r;
    sum += reachOf(agents, slot) + 2 * r;
  }
  if (count > 0) limitCells(grid, smallest, sum / count);
  indexPoints(grid, agents.position, 3, count);
  for (let k = 0; k < 2 * count; k++) madeAt[k] = grid.xz[k];
  bodies.drift[0] = 0;
}
