/** Draws results of queries: lines, dots, circles and polygons in world units, collected as drawings. */
import type { NavMesh } from 'navkiln';
import { navMeshTriangles, rgba } from 'navkiln/debug';
import type { Vec3 } from '../state/state.ts';
import { drawingOf } from './debug-geometry.ts';
import type { Drawing } from './drawing.ts';
import { bytesOf } from './palette.ts';
import type { Palette } from './palette.ts';

/** Height of lines above the surface, world units. */
const LIFT = 0.06;
/** Lines are visible through what is less than this in front of them, world units. */
const REACH = 1;
const CIRCLE_SEGMENTS = 64;

export interface Colors {
  halo: string;
  main: string;
  second: string;
  third: string;
  /** Obstructions and errors. */
  trouble: string;
  faint: string;
}

/** Returns colors that also differ in lightness. */
export function colorsOf({ background, halo, path, start }: Palette): Colors {
  const isDark = bytesOf(background)[0] < 100;
  return isDark
    ? { halo, main: path, second: start, third: '#e6d4ff', trouble: '#ff6f91', faint: '#c3ccd2' }
    : { halo, main: path, second: start, third: '#4a2374', trouble: '#a3003c', faint: '#39444b' };
}

export interface LineStyle {
  /** Pixels. Default 4. */
  width?: number;
  isDashed?: boolean;
  hasHalo?: boolean;
  opacity?: number;
  order?: number;
}

export interface Marks {
  colors: Colors;
  list: Drawing[];
  /** Adds a line through points. */
  line: (points: readonly Vec3[], color: string, style?: LineStyle) => void;
  /** Adds line segments of two points each. */
  segments: (points: readonly Vec3[], color: string, style?: LineStyle) => void;
  dots: (points: readonly Vec3[], color: string, size?: number, hasHalo?: boolean) => void;
  /** Adds a horizontal circle. */
  circle: (center: Vec3, radius: number, color: string, style?: LineStyle) => void;
  /** Adds a line with an arrowhead at its end. */
  arrow: (from: Vec3, to: Vec3, color: string) => void;
  /** Adds a cross that marks an obstruction. */
  cross: (at: Vec3, size: number) => void;
  box: (center: Vec3, half: Vec3, color: string) => void;
  /** Adds the surface of polygons (dense indices) in a color '#rrggbb'. */
  polys: (mesh: NavMesh, polys: Iterable<number>, color: string | ((poly: number) => string), alpha?: number) => void;
}

/** How much of a line is seen behind walls. */
const BEHIND = 0.4;

export function createMarks(origin: Vec3, palette: Palette): Marks {
  const colors = colorsOf(palette);
  const list: Drawing[] = [];
  const local = (points: readonly Vec3[]): Float32Array => {
    const out = new Float32Array(3 * points.length);
    points.forEach(([x, y, z], i) => out.set([x - origin[0], y - origin[1] + LIFT, z - origin[2]], 3 * i));
    return out;
  };
  const segments: Marks['segments'] = (points, color, style = {}) => {
    if (points.length < 2) return;
    const { width = 4, isDashed = false, hasHalo = true, opacity = 1, order = 1 } = style;
    const positions = local(points);
    if (hasHalo) {
      list.push({
        kind: 'lines',
        positions,
        color: colors.halo,
        width: width + 3,
        opacity: 0.85,
        nearer: REACH,
        isThin: true,
        order: order - 1,
      });
    }
    const line: Drawing = {
      kind: 'lines',
      positions,
      color,
      width,
      isDashed,
      opacity,
      nearer: REACH,
      isThin: true,
      order,
    };
    // Behind walls it is faint: dashes of several lines above each other would be a pattern.
    list.push(line, { ...line, opacity: BEHIND * opacity, isBehind: true });
  };
  const line: Marks['line'] = (points, color, style) =>
    segments(
      points.slice(1).flatMap((point, i) => [points[i], point]),
      color,
      style,
    );
  const dots: Marks['dots'] = (points, color, size = 5, hasHalo = true) => {
    if (points.length === 0) return;
    const positions = local(points);
    if (hasHalo) list.push({ kind: 'points', positions, color: colors.halo, size: size + 3, isOnTop: true, order: 2 });
    list.push({ kind: 'points', positions, color, size, isOnTop: true, order: 3 });
  };
  return {
    colors,
    list,
    line,
    segments,
    dots,
    circle([x, y, z], radius, color, style = {}) {
      const at = (i: number): Vec3 => {
        const angle = (2 * Math.PI * i) / CIRCLE_SEGMENTS;
        return [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)];
      };
      line(
        Array.from({ length: CIRCLE_SEGMENTS + 1 }, (_, i) => at(i)),
        color,
        { width: 2, ...style },
      );
    },
    arrow(from, to, color) {
      const d = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const;
      const head = (side: number): Vec3 => [
        to[0] - 0.3 * d[0] + side * 0.16 * d[2],
        to[1] - 0.3 * d[1],
        to[2] - 0.3 * d[2] - side * 0.16 * d[0],
      ];
      segments([from, to, to, head(1), to, head(-1)], color, { width: 3 });
    },
    cross([x, y, z], size) {
      segments(
        [
          [x - size, y, z - size],
          [x + size, y, z + size],
          [x - size, y, z + size],
          [x + size, y, z - size],
        ],
        colors.trouble,
        { width: 4, order: 5 },
      );
    },
    box(center, half, color) {
      const pairs: Vec3[] = [];
      const corner = (bits: number): Vec3 =>
        [0, 1, 2].map((axis) => center[axis as 0] + ((bits >> axis) & 1 ? 1 : -1) * half[axis as 0]) as unknown as Vec3;
      for (let bits = 0; bits < 8; bits++) {
        for (let axis = 0; axis < 3; axis++)
          if (((bits >> axis) & 1) === 0) pairs.push(corner(bits), corner(bits | (1 << axis)));
      }
      segments(pairs, color, { width: 2, hasHalo: false });
    },
    polys(mesh, polys, color, alpha = 120) {
      const chosen = new Set(polys);
      if (chosen.size === 0) return;
      const geometry = navMeshTriangles(mesh, {
        filter: (poly) => chosen.has(poly),
        color: (poly) => rgba(typeof color === 'string' ? color : color(poly), alpha),
      });
      list.push(drawingOf(geometry, origin, { lift: 2, order: -1 } as Partial<Drawing>));
    },
  };
}
