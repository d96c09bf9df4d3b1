/**
 * Debug geometry: triangles and lines in flat arrays, ready for vertex buffers and independent of any renderer.
 * `navkiln/three` creates three.js objects from it.
 *
 * Positions are float32 and relative to `origin`, a multiple of 1,024 per axis near the center of the geometry. So the
 * geometry has the same precision far from the world's origin as near it. Place it at `origin`, and let the renderer
 * subtract the camera's position in doubles, as three.js does.
 *
 * Based on: own.
 */
import { checkHandle, refuseType } from '../../base/data/refuse.ts';
import { REBASE_STEP } from '../../base/constants.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { usedSlots } from '../../formats/levels/ground-triangles.ts';

/** Triangles or lines in flat arrays. */
export interface DebugGeometry {
  /** Triangles are counter-clockwise seen from above; lines have two points each. */
  kind: 'triangles' | 'lines';
  /** xyz relative to `origin`. */
  positions: Float32Array;
  /** Red, green, blue, alpha per vertex, sRGB. */
  colors: Uint8Array;
  /** Three per triangle. Absent: 0, 1, 2, 3, … */
  indices?: Uint32Array;
  /**
   * The polygon of each triangle or line, for picking: a dense index, valid until a tile of the mesh changes.
   */
  polys?: Int32Array;
  /** World position of the geometry. */
  origin: [number, number, number];
}

/** A color as 0xrrggbbaa. */
export type Rgba = number;

/** Options of most draw functions. */
export interface DebugGeometryOptions {
  /**
   * Height above the surface, world units. Default: 2 % of the agent's height for triangles, 3 % for lines.
   */
  lift?: number;
  /** Slots of the tiles to draw. Default: all tiles. */
  slots?: readonly number[];
}

/** A growing list of lines. */
export interface LineList {
  count: number;
  /** Six numbers per line, relative to `origin`. */
  positions: Float32Array;
  /** Eight bytes per line. */
  colors: Uint8Array;
  polys: Int32Array;
  origin: [number, number, number];
}

/** Creates an empty list of lines. @internal */
export function createLineList(origin: [number, number, number]): LineList {
  return { count: 0, positions: new Float32Array(384), colors: new Uint8Array(512), polys: new Int32Array(64), origin };
}

/**
 * Adds a line.
 *
 * @param ends xyz of both ends, world units
 * @param poly the polygon it belongs to, or -1
 * @param lift added to both heights
 * @internal
 */
export function addLine(
  list: LineList,
  ends: ArrayLike<number>,
  color: Rgba,
  poly: number = -1,
  lift: number = 0,
): void {
  const { count, origin } = list;
  if (count === list.polys.length) {
    list.positions = grown(list.positions, new Float32Array(12 * count));
    list.colors = grown(list.colors, new Uint8Array(16 * count));
    list.polys = grown(list.polys, new Int32Array(2 * count));
  }
  const { positions } = list;
  const at = 6 * count;
  positions[at] = ends[0] - origin[0];
  positions[at + 1] = ends[1] + lift - origin[1];
  positions[at + 2] = ends[2] - origin[2];
  positions[at + 3] = ends[3] - origin[0];
  positions[at + 4] = ends[4] + lift - origin[1];
  positions[at + 5] = ends[5] - origin[2];
  putColor(list.colors, 2 * count, color);
  putColor(list.colors, 2 * count + 1, color);
  list.polys[count] = poly;
  list.count++;
}

/** Adds the twelve edges of a box: min xyz, max xyz. @internal */
export function addBox(list: LineList, box: readonly number[], color: Rgba, poly: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    for (let corner = 0; corner < 4; corner++) {
      const a = [box[0], box[1], box[2]];
      a[u] = box[u + (corner & 1 ? 3 : 0)];
      a[v] = box[v + (corner & 2 ? 3 : 0)];
      const b = [...a];
      b[axis] = box[axis + 3];
      addLine(list, [...a, ...b], color, poly);
    }
  }
}

/** Returns a list of lines as debug geometry. @internal */
export function finishLines({ count, positions, colors, polys, origin }: LineList, hasPolys: boolean): DebugGeometry {
  const list: DebugGeometry = {
    kind: 'lines',
    positions: positions.slice(0, 6 * count),
    colors: colors.slice(0, 8 * count),
    origin,
  };
  return hasPolys ? { ...list, polys: polys.slice(0, count) } : list;
}

function grown<T extends Float32Array | Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Throws a TypeError unless a callback `color` returned a number. @internal */
export function checkColor(color: unknown): void {
  if (typeof color !== 'number') refuseType('color', 'the result', color, 'a number 0xrrggbbaa');
}

/** Writes the color of a vertex. @internal */
export function putColor(colors: Uint8Array, vertex: number, color: Rgba): void {
  checkColor(color);
  colors[4 * vertex] = color >>> 24;
  colors[4 * vertex + 1] = color >>> 16;
  colors[4 * vertex + 2] = color >>> 8;
  colors[4 * vertex + 3] = color;
}

/** Returns the color of '#rrggbb' and an alpha of 0 .. 255. */
export function rgba(hex: string, alpha: number = 255): Rgba {
  if (typeof hex !== 'string') refuseType('rgba', 'hex', hex, 'a string such as #ff8800');
  checkHandle('rgba', 'alpha', alpha);
  return ((parseInt(hex.slice(1), 16) << 8) | alpha) >>> 0;
}

/** Returns a color for a number. Consecutive numbers have clearly different hues. */
export function numberColor(number: number, alpha: number = 255): Rgba {
  checkHandle('numberColor', 'number', number);
  checkHandle('numberColor', 'alpha', alpha);
  const hue = (Math.imul(number + 1, 0x9e3779b1) >>> 0) / 4294967296;
  // Three triangle waves, each shifted by a third of a period.
  const wave = (turn: number): number => Math.round(60 + 180 * Math.abs(2 * ((hue + turn) % 1) - 1));
  return ((wave(0) << 24) | (wave(1 / 3) << 16) | (wave(2 / 3) << 8) | alpha) >>> 0;
}

/** Returns the multiple of 1,024 per axis nearest to the center of a box. @internal */
export function originOf(min: ArrayLike<number>, max: ArrayLike<number>): [number, number, number] {
  const nearest = (axis: number): number => {
    const middle = min[axis] / 2 + max[axis] / 2;
    return Number.isFinite(middle) ? Math.floor(middle / REBASE_STEP + 0.5) * REBASE_STEP : 0;
  };
  return [nearest(0), nearest(1), nearest(2)];
}

/** Returns the origin of all debug geometry of a mesh. @internal */
export function originOfMesh(mesh: NavMesh): [number, number, number] {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const slot of usedSlots(mesh)) {
    if (mesh.tilePolyCount[slot] === 0) continue;
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], mesh.tileBounds[6 * slot + k]);
      max[k] = Math.max(max[k], mesh.tileBounds[6 * slot + 3 + k]);
    }
  }
  return originOf(min, max);
}

/** Returns the slots to draw that hold tiles. @internal */
export function slotsToDraw(mesh: NavMesh, { slots }: DebugGeometryOptions): number[] {
  return slots === undefined ? usedSlots(mesh) : slots.filter((slot) => mesh.tileState[slot] === 1);
}

/** Returns the height of lines above the surface. @internal */
export function liftOfLines(mesh: NavMesh, { lift }: DebugGeometryOptions): number {
  return lift ?? 0.03 * mesh.agent.height;
}
