/**
 * Stage 1b: shrinks the walkable area by the agent's radius.
 *
 * Walls move inwards by the radius less four cells (a ten-millionth of the map), so that a corridor exactly as
 * wide as the agent stays open, as a strip a few cells wide. On a grid so coarse that four cells matter, walls
 * move by two cells more than the radius instead, so that rounding never brings them closer. Around corners that
 * point into the area, the circle is approximated from outside by tangents at equal angles: its corners are further
 * away by at most `arcTolerance` of the radius, and nothing is closer. Where another wall is so near that such a
 * corner could close the passage, the tangents are finer.
 *
 * The walls are everything but the walkable area. Each of their rings is drawn again at a distance: shifted
 * edges, tangents around outer corners, and at inner corners the intersection of the shifted edges or, if
 * these are short, a detour over the corner itself. The curve may cross itself; its inside by winding number is the
 * grown wall. Walls of the area are closed curves with the area on one side, so their windings alone determine the
 * result. The triangulation that finds them is also the triangulation of the result.
 *
 * In: clean rings, the radius in cells.
 * Out: clean rings, and their triangulation.
 * Cost: that of the union, which grows when the radius spans many edges.
 * Based on: own; the detour over inner corners and the positive fill rule are those of Clipper2's offsetting
 * (Angus Johnson), which approximates circles from inside.
 */
import { checkFinite, checkRecord, refuse } from '../../base/data/refuse.ts';
import { atan2Degrees } from '../../base/math/angle.ts';
import { cosDegrees, sinDegrees } from '../../base/math/degrees.ts';
import type { PolygonBudget } from '../../base/plane/budget.ts';
import type { CleanGround } from './clean-simple.ts';
import { TAKEN, borderOfGround, borderRings, joinRings } from '../../base/plane/overlay.ts';
import { findWindings, triangulateRings } from '../../base/plane/triangulate.ts';
import type { Rings } from '../../base/plane/types.ts';
import { createWallGrid, isWallNear } from './wall-grid.ts';
import type { WallGrid } from './wall-grid.ts';

/** Distance in cells that covers the rounding of shifted edges and their intersections. */
const ROUNDING_CELLS = 2;
/** Both sides of a corridor may be off by the rounding of the map and of the shifted edges. */
const OPEN_CELLS = 2 * ROUNDING_CELLS;
/** From this radius in cells, `OPEN_CELLS` are less than half a percent of it. */
const FINE_RADIUS_CELLS = 1000;
/** Arcs opposite a wall lie outside the circle by at most this share of the radius. */
export const NARROW_TOLERANCE = 0.01;
/** Corners of an arc may touch walls up to this angle outside of the directions of the arc, degrees. */
const BESIDE_DEGREES = 17;

/** Returns by how many cells walls move inwards for a radius in cells. */
function insetOf(radiusCells: number): number {
  return radiusCells < FINE_RADIUS_CELLS ? radiusCells + ROUNDING_CELLS : radiusCells - OPEN_CELLS;
}

/** Returns the walkable area that is at least the radius away from its edges, up to `OPEN_CELLS`. */
export function insetWalkable(ground: Rings, radiusCells: number, arcTolerance: number, budget?: PolygonBudget): Rings {
  checkRecord('insetWalkable', 'ground', ground, 'start', 'Rings');
  checkFinite('insetWalkable', 'radiusCells', radiusCells);
  checkFinite('insetWalkable', 'arcTolerance', arcTolerance);
  if (!(arcTolerance > 0)) refuse('insetWalkable', 'arcTolerance', arcTolerance, '> 0');
  return insetGround(ground, radiusCells, arcTolerance, budget).rings;
}

/** Grown walls, and whether their windings alone determine the remaining area. */
export interface GrownWalls {
  walls: Rings;
  /** False: rounding is not small compared with the radius, so everything outside of the area is removed, too. */
  isEnough: boolean;
}

/** Returns the walls of an area grown by a radius, which is not 0. @internal */
export function growWalls(ground: Rings, radiusCells: number, arcTolerance: number): GrownWalls {
  return {
    walls: drawWalls(ground, insetOf(radiusCells), arcTolerance),
    isEnough: radiusCells >= FINE_RADIUS_CELLS,
  };
}

/** Returns the area of `insetWalkable`, and its triangulation if it is known. @internal */
export function insetGround(
  ground: Rings,
  radiusCells: number,
  arcTolerance: number,
  budget?: PolygonBudget,
): CleanGround {
  if (radiusCells === 0 || ground.ringCount === 0) return { rings: ground };
  const { walls, isEnough } = growWalls(ground, radiusCells, arcTolerance);
  if (!isEnough) return { rings: withoutWalls(ground, walls, budget) };
  // Grown walls run clockwise around the area, so its winding number is -1 where none of them reaches.
  const triangulation = triangulateRings(walls, undefined, budget);
  const winding = findWindings(triangulation);
  for (let h = 0; h < winding.length; h++) winding[h] >>>= 31;
  return { rings: borderRings(triangulation, winding), cut: { triangulation, winding } };
}

function withoutWalls(ground: Rings, walls: Rings, budget: PolygonBudget | undefined): Rings {
  // A box around everything: the outside is wall, too.
  let low = 0;
  let high = 0;
  for (const { x, y } of [ground, walls]) {
    for (let i = 0; i < x.length; i++) {
      low = Math.min(low, x[i], y[i]);
      high = Math.max(high, x[i], y[i]);
    }
  }
  low -= 1;
  high += 1;
  const box = {
    ringCount: 1,
    start: Int32Array.of(0, 4),
    x: Int32Array.of(low, high, high, low),
    y: Int32Array.of(low, low, high, high),
  };
  const weights = new Int32Array(ground.ringCount + walls.ringCount + 1).fill(TAKEN).fill(1, 0, ground.ringCount);
  const mesh = triangulateRings(joinRings([ground, walls, box]), weights, budget);
  return borderOfGround(mesh, findWindings(mesh));
}

/** Points that are being drawn. */
interface Drawing {
  count: number;
  x: Int32Array;
  y: Int32Array;
}

/** Returns each ring reversed, so that the wall is on its left, and moved to its right. */
function drawWalls(ground: Rings, radius: number, arcTolerance: number): Rings {
  const { ringCount, start, x, y } = ground;
  const out: Drawing = { count: 0, x: new Int32Array(2 * x.length + 64), y: new Int32Array(2 * x.length + 64) };
  const arcs = createArcs(ground, radius, arcTolerance);
  const ends = new Int32Array(ringCount + 1);
  const from = { x: 0, y: 0 };
  const to = { x: 0, y: 0 };
  for (let r = 0; r < ringCount; r++) {
    const first = start[r];
    const last = start[r + 1] - 1;
    let before = first;
    let at = last;
    let dx = x[at] - x[before];
    let dy = y[at] - y[before];
    let beforeLength = Math.sqrt(dx * dx + dy * dy);
    // Unit vectors to the right of the edges before and after.
    let beforeX = dy / beforeLength;
    let beforeY = -dx / beforeLength;
    for (; at >= first; at--) {
      const after = at > first ? at - 1 : last;
      dx = x[after] - x[at];
      dy = y[after] - y[at];
      const length = Math.sqrt(dx * dx + dy * dy);
      const nx = dy / length;
      const ny = -dx / length;
      const cross = beforeX * ny - beforeY * nx;
      const dot = beforeX * nx + beforeY * ny;
      if (cross >= 0) {
        from.x = beforeX;
        from.y = beforeY;
        to.x = nx;
        to.y = ny;
        addArc(out, arcs, at, from, to);
      } else {
        // The distance from the corner at which the shifted edges meet.
        const short = dot > -0.9 ? radius * Math.sqrt((1 - dot) / (1 + dot)) : Infinity;
        if (short <= 0.5 * Math.min(beforeLength, length)) {
          addPoint(out, x[at], y[at], beforeX + nx, beforeY + ny, radius / (1 + dot));
        } else {
          addPoint(out, x[at], y[at], beforeX, beforeY, radius);
          addPoint(out, x[at], y[at], 0, 0, 0);
          addPoint(out, x[at], y[at], nx, ny, radius);
        }
      }
      before = at;
      beforeX = nx;
      beforeY = ny;
      beforeLength = length;
    }
    ends[r + 1] = out.count;
  }
  return { ringCount, start: ends, x: out.x.subarray(0, out.count), y: out.y.subarray(0, out.count) };
}

function addPoint(out: Drawing, x: number, y: number, dx: number, dy: number, scale: number): void {
  if (out.count === out.x.length) {
    for (const key of ['x', 'y'] as const) {
      const larger = new Int32Array(2 * out.count);
      larger.set(out[key]);
      out[key] = larger;
    }
  }
  out.x[out.count] = Math.round(x + dx * scale);
  out.y[out.count++] = Math.round(y + dy * scale);
}

/** Settings for the rounding of corners. */
interface Arcs {
  ground: Rings;
  radius: number;
  /** Largest angle between tangents, degrees, and its cosine; in general, and opposite a wall. */
  wideDegrees: number;
  narrowDegrees: number;
  narrowCos: number;
  /** How near an opposite wall is for narrow angles, in cells. */
  reach: number;
  /** Created for the first corner that turns by more than the narrow angle. */
  grid: WallGrid | undefined;
}

function createArcs(ground: Rings, radius: number, arcTolerance: number): Arcs {
  const narrowDegrees = degreesOf(Math.min(arcTolerance, NARROW_TOLERANCE));
  return {
    ground,
    radius,
    wideDegrees: degreesOf(arcTolerance),
    narrowDegrees,
    narrowCos: cosDegrees(narrowDegrees),
    reach: 2 * radius * (1 + arcTolerance),
    grid: undefined,
  };
}

/** Returns the angle between tangents that meet outside the circle by this share of the radius. */
function degreesOf(tolerance: number): number {
  return 2 * atan2Degrees(Math.sqrt(tolerance * (2 + tolerance)), 1);
}

/** Returns the number of tangents around a circle that meet outside of it by this share of the radius. @internal */
export function circleSides(tolerance: number): number {
  return Math.max(3, Math.ceil(360 / degreesOf(tolerance) - 1e-9));
}

interface Direction {
  x: number;
  y: number;
}

/** Adds the corners of an arc of tangents at equal angles, which turns left from one unit vector to another. */
function addArc(out: Drawing, arcs: Arcs, at: number, from: Direction, to: Direction): void {
  const { x: fromX, y: fromY } = from;
  const { x: toX, y: toY } = to;
  const { radius, wideDegrees, narrowDegrees, narrowCos, reach, ground } = arcs;
  const x = ground.x[at];
  const y = ground.y[at];
  const dot = fromX * toX + fromY * toY;
  if (dot >= narrowCos) {
    addPoint(out, x, y, fromX + toX, fromY + toY, radius / (1 + dot));
    return;
  }
  const turn = atan2Degrees(Math.max(0, fromX * toY - fromY * toX), dot);
  let most = wideDegrees;
  if (wideDegrees > narrowDegrees) {
    const cos = cosDegrees(turn / 2);
    const sin = sinDegrees(turn / 2);
    const ahead = {
      aheadX: fromX * cos - fromY * sin,
      aheadY: fromX * sin + fromY * cos,
      behind: reach * Math.min(0, cosDegrees(turn / 2 + BESIDE_DEGREES)),
    };
    arcs.grid ??= createWallGrid(ground, reach);
    if (isWallNear(arcs.grid, at, reach, ahead)) most = narrowDegrees;
  }
  const parts = Math.max(1, Math.ceil(turn / most - 1e-9));
  const step = turn / parts;
  const far = radius / cosDegrees(step / 2);
  for (let k = 0; k < parts; k++) {
    const cos = cosDegrees((k + 0.5) * step);
    const sin = sinDegrees((k + 0.5) * step);
    addPoint(out, x, y, fromX * cos - fromY * sin, fromX * sin + fromY * cos, far);
  }
}
