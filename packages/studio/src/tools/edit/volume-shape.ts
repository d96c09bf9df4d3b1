/** The shape of area volumes: corners for drawing, moving, and changing a corner. */
import type { AreaVolume } from 'navkiln/build';
import type { Vec3 } from '../../state/state.ts';

type Point = readonly [x: number, z: number];

/** Number of corners that a cylinder is drawn with. */
const CYLINDER_CORNERS = 24;

function outlineOf(volume: AreaVolume): Point[] {
  if (volume.type === 'prism') return volume.outline.map(([x, z]) => [x!, z!]);
  if (volume.type === 'box') {
    const [a, b] = [volume.min, volume.max];
    return [
      [a[0], a[2]],
      [b[0], a[2]],
      [b[0], b[2]],
      [a[0], b[2]],
    ];
  }
  return Array.from({ length: CYLINDER_CORNERS }, (_, k): Point => {
    const angle = (2 * Math.PI * k) / CYLINDER_CORNERS;
    return [volume.center[0] + volume.radius * Math.cos(angle), volume.center[2] + volume.radius * Math.sin(angle)];
  });
}

function heightsOf(volume: AreaVolume): [low: number, high: number] {
  if (volume.type === 'prism') return [volume.minY, volume.maxY];
  return volume.type === 'box' ? [volume.min[1], volume.max[1]] : [volume.center[1], volume.center[1] + volume.height];
}

/** Returns the corners of the upper face. */
export const topOf = (volume: AreaVolume): Vec3[] => outlineOf(volume).map(([x, z]) => [x, heightsOf(volume)[1], z]);
/** Returns the corners of the lower face. */
export const baseOf = (volume: AreaVolume): Vec3[] => outlineOf(volume).map(([x, z]) => [x, heightsOf(volume)[0], z]);

/** Returns the center of the upper face. */
export function centerOf(volume: AreaVolume): Vec3 {
  const outline = outlineOf(volume);
  const mean = (axis: 0 | 1): number => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length;
  return [mean(0), heightsOf(volume)[1], mean(1)];
}

/** Returns a moved volume. */
export function shifted(volume: AreaVolume, [x, y, z]: Vec3): AreaVolume {
  const moved = (p: readonly number[]): number[] => [p[0] + x, p[1] + y, p[2] + z];
  if (volume.type === 'box') return { ...volume, min: moved(volume.min), max: moved(volume.max) };
  if (volume.type === 'cylinder') return { ...volume, center: moved(volume.center) };
  return {
    ...volume,
    outline: volume.outline.map((p) => [p[0] + x, p[1] + z]),
    minY: volume.minY + y,
    maxY: volume.maxY + y,
  };
}

/** Returns a prism with one corner moved. It stays convex, so it may lose corners. */
export function withCorner(volume: Extract<AreaVolume, { type: 'prism' }>, corner: number, [x, , z]: Vec3): AreaVolume {
  const outline = convexHull(volume.outline.map((p, i): Point => (i === corner ? [p[0] + x, p[1] + z] : [p[0], p[1]])));
  return outline.length >= 3 ? { ...volume, outline } : volume;
}

/**
 * Returns the convex hull of points, counter-clockwise when x points right and z up.
 *
 * Based on: A. M. Andrew, "Another Efficient Algorithm for Convex Hulls in Two Dimensions", 1979.
 */
export function convexHull(points: readonly Point[]): [number, number][] {
  const sorted = points.map(([x, z]): [number, number] => [x, z]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: [number, number][]): [number, number][] => {
    const out: [number, number][] = [];
    for (const point of list) {
      while (out.length >= 2 && !isLeftTurn(out[out.length - 2], out[out.length - 1], point)) out.pop();
      out.push(point);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function isLeftTurn(a: Point, b: Point, p: Point): boolean {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0;
}
