/**
 * Draw lists: triangles and lines in flat arrays, as graphics cards take them, of which nothing here knows. `navkiln/three` makes
 * three.js objects of them; any other engine needs as little.
 *
 * Positions are float32 and relative to `origin`, which is a multiple of 1,024 an axis near the middle of what is drawn: far from
 * the origin of the world a list is as exact as at it. Put what is drawn at `origin`, and let the engine take the camera's
 * position off in doubles, as three.js does.
 *
 * Based on: own.
 */
import { REBASE_STEP } from '../../constants.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { usedSlots } from '../../io/ground-triangles.ts';

export interface DebugGeometry {
  /** Triangles counter-clockwise seen from above; lines two points each. */
  kind: 'triangles' | 'lines';
  /** xyz relative to `origin`. */
  positions: Float32Array;
  /** Red, green, blue, alpha a vertex. */
  colors: Uint8Array;
  /** Three a triangle. Absent: 0, 1, 2, 3, … */
  indices?: Uint32Array;
  /** The polygon each triangle or line belongs to: a dense index, good until the mesh's tiles change. For picking. */
  polys?: Int32Array;
  origin: [number, number, number];
}

/** 0xrrggbbaa. */
export type Rgba = number;

export interface DebugGeometryOptions {
  /** How far above the ground, world units. Default: 2 % of the agent's height for triangles, 3 % for lines. */
  lift?: number;
  /** Slots of the tiles to draw. Default: all that are in use. */
  slots?: readonly number[];
}

/** A list of lines that grows. */
export interface LineList {
  count: number;
  /** Six numbers a line, relative to `origin`. */
  positions: Float32Array;
  /** Eight bytes a line. */
  colors: Uint8Array;
  polys: Int32Array;
  origin: [number, number, number];
}

export function createLineList(origin: [number, number, number]): LineList {
  return { count: 0, positions: new Float32Array(384), colors: new Uint8Array(512), polys: new Int32Array(64), origin };
}

/** Adds a line between two points, world units. */
export function addLine(
  list: LineList,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  color: Rgba,
  poly: number = -1,
): void {
  const { count, origin } = list;
  if (count === list.polys.length) {
    list.positions = grown(list.positions, new Float32Array(12 * count));
    list.colors = grown(list.colors, new Uint8Array(16 * count));
    list.polys = grown(list.polys, new Int32Array(2 * count));
  }
  const { positions } = list;
  const at = 6 * count;
  positions[at] = ax - origin[0];
  positions[at + 1] = ay - origin[1];
  positions[at + 2] = az - origin[2];
  positions[at + 3] = bx - origin[0];
  positions[at + 4] = by - origin[1];
  positions[at + 5] = bz - origin[2];
  putColor(list.colors, 2 * count, color);
  putColor(list.colors, 2 * count + 1, color);
  list.polys[count] = poly;
  list.count++;
}

/** Adds the twelve lines of a box: min xyz, max xyz. */
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
      addLine(list, a[0], a[1], a[2], b[0], b[1], b[2], color, poly);
    }
  }
}

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

export function putColor(colors: Uint8Array, vertex: number, color: Rgba): void {
  colors[4 * vertex] = color >>> 24;
  colors[4 * vertex + 1] = color >>> 16;
  colors[4 * vertex + 2] = color >>> 8;
  colors[4 * vertex + 3] = color;
}

/** '#rrggbb' and an alpha of 0 .. 255. */
export function rgba(hex: string, alpha: number = 255): Rgba {
  return ((parseInt(hex.slice(1), 16) << 8) | alpha) >>> 0;
}

/** Colours of numbered things that lie side by side: 0, 1, 2, … are far apart from each other. */
export function numberColor(number: number, alpha: number = 255): Rgba {
  const hue = (Math.imul(number + 1, 0x9e3779b1) >>> 0) / 4294967296;
  // Three triangle waves, a third of a turn apart.
  const wave = (turn: number): number => Math.round(60 + 180 * Math.abs(2 * ((hue + turn) % 1) - 1));
  return ((wave(0) << 24) | (wave(1 / 3) << 16) | (wave(2 / 3) << 8) | alpha) >>> 0;
}

/** The multiple of 1,024 an axis nearest to the middle of a box. */
export function originOf(min: ArrayLike<number>, max: ArrayLike<number>): [number, number, number] {
  const nearest = (axis: number): number => {
    const middle = min[axis] / 2 + max[axis] / 2;
    return Number.isFinite(middle) ? Math.floor(middle / REBASE_STEP + 0.5) * REBASE_STEP : 0;
  };
  return [nearest(0), nearest(1), nearest(2)];
}

/** The origin that all lists of a mesh have. */
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

/** Slots to draw, without those not in use. */
export function slotsToDraw(mesh: NavMesh, { slots }: DebugGeometryOptions): number[] {
  return slots === undefined ? usedSlots(mesh) : slots.filter((slot) => mesh.tileState[slot] === 1);
}

export function liftOfLines(mesh: NavMesh, { lift }: DebugGeometryOptions): number {
  return lift ?? 0.03 * mesh.agent.height;
}
