/**
 * Clearance stage: cuts out of the surface what an agent cannot stand on.
 *
 * Triangles that stand on the surface, or hang lower above it than the agent's height, are cut out of it, and the
 * surface is cut along walls that stand on it. Surface covered by other surface is removed, too. Where two surfaces
 * coincide, one is removed, or the border of each would be a wall on the other. Each ground triangle
 * is handled alone, seen from above. The part of another triangle between the plane of the ground triangle and the
 * agent's height above it is a convex shape. It is subtracted from the convex pieces that are left. Where a ramp or
 * stair stands on a floor, the rest of the floor ends at its first edge and is joined there like any two edges.
 *
 * In: welded surface, and all other triangles.
 * Out: surface of more triangles, whose edges need not conform.
 * Cost: linear in triangles and in pairs that overlap seen from above. Triangles with nothing on them cost
 * nothing.
 * Based on: own; splitting a convex shape by another's lines is what binary space partitions do.
 * Tried: cutting out the largest obstacle first takes as long, and loses ways where neighbors are cut in another order.
 */
import { carve } from './shapes/carve.ts';
import type { Cut } from './shapes/carve.ts';
import { clipShape, leftOf } from './shapes/convex.ts';
import type { Shape } from './shapes/convex.ts';
import { forEachNear } from './shapes/near-segments.ts';
import { planeOf, replaceTriangles, setHeights } from './weld/pieces.ts';
import type { AgentShape } from '../../mesh/types.ts';
import type { Ground, PointTable, Surroundings } from './types.ts';

/** A wall leans if its part in the way is wider than this, seen from above, in tolerances. */
const LEAN = 1 / 16;

/** All triangles: the surface by its points, then upright triangles, then the others. */
interface Scene {
  ground: Ground;
  table: PointTable;
  input: Surroundings;
  wallsFrom: number;
  othersFrom: number;
  count: number;
}

/** Cuts the surface. Returns it unchanged when nothing is to be cleared. */
export function clearGround(ground: Ground, table: PointTable, input: Surroundings, agent: AgentShape): Ground {
  const wallCount = input.wallVertex.length / 3;
  const othersFrom = ground.count + wallCount;
  const scene: Scene = {
    ground,
    table,
    input,
    wallsFrom: ground.count,
    othersFrom,
    count: othersFrom + input.otherVertex.length / 3,
  };
  const obstacles = findObstacles(scene, agent.height);
  if (obstacles.item.length === 0) return ground;
  return replaceTriangles(ground, table, (t) =>
    obstacles.first[t] < 0 ? undefined : piecesOf(scene, t, obstacles, agent),
  );
}

/** The triangles that may stand on each ground triangle: lists by ground triangle. */
interface Obstacles {
  first: Int32Array;
  next: number[];
  item: number[];
}

/** Corners of the current triangles, xyz each. */
const here = new Float64Array(9);
const there = new Float64Array(9);

function load(out: Float64Array, { ground, table, input, wallsFrom, othersFrom }: Scene, item: number): void {
  for (let k = 0; k < 3; k++) {
    if (item < wallsFrom) {
      const point = ground.corner[3 * item + k];
      const plan = table.pointPlan[point];
      out[3 * k] = table.planX[plan];
      out[3 * k + 1] = table.pointY[point];
      out[3 * k + 2] = table.planZ[plan];
    } else {
      const isWall = item < othersFrom;
      const vertex = isWall
        ? input.wallVertex[3 * (item - wallsFrom) + k]
        : input.otherVertex[3 * (item - othersFrom) + k];
      out[3 * k] = input.positions[3 * vertex];
      out[3 * k + 1] = input.positions[3 * vertex + 1];
      out[3 * k + 2] = input.positions[3 * vertex + 2];
    }
  }
}

function findObstacles(scene: Scene, height: number): Obstacles {
  const { count, wallsFrom } = scene;
  const { tolerance } = scene.table;
  const boxes = new Float64Array(4 * count);
  const low = new Float64Array(count);
  const high = new Float64Array(count);
  for (let item = 0; item < count; item++) {
    load(here, scene, item);
    boxes[4 * item] = Math.min(here[0], here[3], here[6]);
    boxes[4 * item + 1] = Math.min(here[2], here[5], here[8]);
    boxes[4 * item + 2] = Math.max(here[0], here[3], here[6]);
    boxes[4 * item + 3] = Math.max(here[2], here[5], here[8]);
    low[item] = Math.min(here[1], here[4], here[7]);
    high[item] = Math.max(here[1], here[4], here[7]);
  }
  const obstacles: Obstacles = { first: new Int32Array(wallsFrom).fill(-1), next: [], item: [] };
  // Surface may also coincide with other surface.
  const isOver = (item: number, ground: number): boolean =>
    high[item] > low[ground] + (item < wallsFrom ? -2 : 2) * tolerance && low[item] < high[ground] + height;
  const note = (item: number, ground: number): void => {
    obstacles.next.push(obstacles.first[ground]);
    obstacles.first[ground] = obstacles.item.push(item) - 1;
  };
  const visit = (i: number, j: number): boolean => {
    const ofI = i < wallsFrom && isOver(j, i);
    const ofJ = j < wallsFrom && isOver(i, j);
    if (!ofI && !ofJ) return false;
    load(here, scene, i);
    load(there, scene, j);
    if (areApart(here, there, tolerance) || areApart(there, here, tolerance)) return true;
    if (ofI) note(j, i);
    if (ofJ) note(i, j);
    return true;
  };
  forEachNear(boxes, 0, scene.table.budget, visit, { from: wallsFrom, within: true });
  return obstacles;
}

/** Returns whether an edge of triangle a separates both triangles seen from above, within the tolerance. */
function areApart(a: Float64Array, b: Float64Array, tolerance: number): boolean {
  const area = (a[5] - a[2]) * (a[6] - a[0]) - (a[3] - a[0]) * (a[8] - a[2]);
  const sign = area < 0 ? -1 : 1;
  for (let k = 0; k < 9; k += 3) {
    const m = k === 6 ? 0 : k + 3;
    const dx = sign * (a[m] - a[k]);
    const dz = sign * (a[m + 2] - a[k + 2]);
    if (dx === 0 && dz === 0) continue;
    const u = dz * (b[0] - a[k]) - dx * (b[2] - a[k + 2]);
    const v = dz * (b[3] - a[k]) - dx * (b[5] - a[k + 2]);
    const w = dz * (b[6] - a[k]) - dx * (b[8] - a[k + 2]);
    const most = u > v ? (u > w ? u : w) : v > w ? v : w;
    if (most <= 0 || most * most <= tolerance * tolerance * (dx * dx + dz * dz)) return true;
    // Seen from above, an upright triangle has no inner side: both sides of its edges count.
    if (area !== 0) continue;
    const least = u < v ? (u < w ? u : w) : v < w ? v : w;
    if (least >= 0 || least * least <= tolerance * tolerance * (dx * dx + dz * dz)) return true;
  }
  return false;
}

/**
 * Returns the part of a shape above the triangle `here`, seen from above. Heights are compared there: further away, the planes of two
 * small triangles that coincide may differ by any height.
 */
function partOver(whole: Shape): Shape {
  let part = whole;
  for (let k = 0; k < 9; k += 3) {
    const m = k === 6 ? 0 : k + 3;
    part = leftOf(part, here[k], here[k + 2], here[m], here[m + 2]);
  }
  return part;
}

/** Returns whether ground triangle a remains where it coincides with b: the higher area does, as in the voxel bake. */
function remains({ area }: Ground, a: number, b: number): boolean {
  return area[a] === area[b] ? a < b : area[a] > area[b];
}

/**
 * Returns what the obstacles of a ground triangle (loaded as `here`) cut, in their order: neighbors are then cut alike.
 * The third number of a corner is its height above the triangle.
 */
function cutsOf(scene: Scene, t: number, { first, next, item }: Obstacles, agent: AgentShape): Cut[] {
  const {
    wallsFrom,
    othersFrom,
    table: { tolerance },
  } = scene;
  const list: number[] = [];
  for (let o = first[t]; o >= 0; o = next[o]) list.push(item[o]);
  list.sort((a, b) => a - b);
  const plane = planeOf(here);
  const cuts: Cut[] = [];
  for (const obstacle of list) {
    load(there, scene, obstacle);
    const whole: Shape = [0, 1, 2].map((k) => {
      const [x, y, z] = [there[3 * k], there[3 * k + 1], there[3 * k + 2]];
      return [x, z, y - plane[0] - plane[1] * (x - here[0]) - plane[2] * (z - here[2])];
    });
    const isWall = obstacle >= wallsFrom && obstacle < othersFrom;
    const isGround = obstacle < wallsFrom;
    const isHigher = (corner: readonly number[]): boolean => corner[2] > 2 * tolerance;
    const over = !isGround || whole.every(isHigher) ? whole : partOver(whole);
    const isAbove = over.some(isHigher);
    let lowest = isWall ? agent.maxClimb + 2 * tolerance : 0;
    if (isGround && over.every((corner) => corner[2] >= -2 * tolerance)) {
      if (!isAbove && !remains(scene.ground, obstacle, t)) continue;
      lowest = -2 * tolerance;
    } else if (!isAbove) continue;
    const shape = clipShape(clipShape(whole, 2, 1, lowest), 2, -1, 2 * tolerance - agent.height);
    if (shape.length < 3) continue;
    const foot = isWall ? footOf(shape, lowest, tolerance) : shape;
    cuts.push({ shape: foot, isWall });
    // Higher up, a part of a wall that leans may be wider than its foot.
    if (foot !== shape) cuts.push({ shape, isWall });
  }
  return cuts;
}

/**
 * Returns where the part of a wall in the way is lowest, if that is a line and the wall leans: there, the triangles of a wall
 * meet, so that their cuts close. Returns the whole part of an upright wall.
 */
function footOf(part: Shape, lowest: number, tolerance: number): Shape {
  const foot = part.filter((corner) => corner[2] <= lowest * (1 + 1e-9));
  if (foot.length !== 2) return part;
  const [[x, z], [x1, z1]] = foot;
  const most = LEAN * tolerance * Math.sqrt((x1 - x) * (x1 - x) + (z1 - z) * (z1 - z));
  const leans = part.some((corner) => Math.abs((x1 - x) * (corner[1] - z) - (z1 - z) * (corner[0] - x)) > most);
  return leans ? foot : part;
}

/** Returns what is left of a triangle as convex shapes, or undefined when all of it is left. */
function piecesOf(scene: Scene, t: number, obstacles: Obstacles, agent: AgentShape): Shape[] | undefined {
  const { tolerance, budget } = scene.table;
  load(here, scene, t);
  const cuts = cutsOf(scene, t, obstacles, agent);
  const whole: Shape = [0, 1, 2].map((k) => [here[3 * k], here[3 * k + 2], 0]);
  const shapes = carve(whole, cuts, tolerance, budget);
  if (shapes !== undefined) setHeights(shapes, here, planeOf(here));
  return shapes;
}
