/**
 * The bodies of all agents on the mesh, indexed by position for one tick.
 *
 * In: positions, radii, heights and layers of active agents.
 * Out: `bodies`, valid until the next call; neighbors.ts and sleepers.ts read it.
 * Cost: linear in the agents. No allocation once there was room for `maxAgents`.
 * Based on: own.
 */
import { STATE_GROUND } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { readFloorLimits } from './floor.ts';
import { createPointGrid, indexPoints, limitCells, reserveGrid } from './grid.ts';
import type { PointGrid } from './grid.ts';
import { reachOf } from './reach.ts';

// Layout of a row of `shapes`.
export const SHAPE_Y = 0;
export const SHAPE_RADIUS = 1;
export const SHAPE_HEIGHT = 2;
export const SHAPE_LAYERS = 3;
export const SHAPE_STRIDE = 4;

/** Bodies of one tick. */
export interface Bodies {
  grid: PointGrid;
  /** One row per entry of the grid, in the grid's order; see the `SHAPE_` offsets. */
  shapes: Float64Array;
  /** Largest radius of a body, at index 0. In an array, because V8 may allocate a number stored elsewhere. */
  largestRadius: Float64Array;
  /** Limits of one floor, see floor.ts. */
  floor: Float64Array;
}

/** Scratch that is shared by all crowds: filled by `indexBodies`, read within the same tick. */
export const bodies: Bodies = {
  grid: createPointGrid(),
  shapes: new Float64Array(0),
  largestRadius: new Float64Array(1),
  floor: new Float64Array(2),
};

/** Fills `bodies` from the agents on the mesh. Agents on links, in the air or lost have no body. */
export function indexBodies(crowd: Crowd): void {
  const { agents, active, activeCount } = crowd;
  const { state, radius, position, height, layers } = agents;
  const { grid } = bodies;
  reserveGrid(grid, crowd.maxAgents);
  const { slots } = grid;
  readFloorLimits(bodies.floor, crowd.mesh.agent);
  let count = 0;
  let largest = 0;
  let smallest = Infinity;
  let sum = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if (state[slot] !== STATE_GROUND) continue;
    slots[count++] = slot;
    const r = radius[slot];
    if (r > largest) largest = r;
    if (r < smallest) smallest = r;
    sum += reachOf(agents, slot) + 2 * r;
  }
  bodies.largestRadius[0] = largest;
  if (count > 0) limitCells(grid, smallest, sum / count);
  indexPoints(grid, position, 3, count);
  if (bodies.shapes.length < SHAPE_STRIDE * count) bodies.shapes = new Float64Array(SHAPE_STRIDE * crowd.maxAgents);
  const { shapes } = bodies;
  for (let e = 0; e < count; e++) {
    const slot = grid.slot[e];
    const at = SHAPE_STRIDE * e;
    shapes[at + SHAPE_Y] = position[3 * slot + 1];
    shapes[at + SHAPE_RADIUS] = radius[slot];
    shapes[at + SHAPE_HEIGHT] = height[slot];
    shapes[at + SHAPE_LAYERS] = layers[slot];
  }
}
