/**
 * Draws debug geometry into a Graphics of Phaser, in the pixels of a 2D map.
 *
 * In: debug geometry of a mesh that was built from a map. Out: calls of a Graphics.
 * Cost: linear in the triangles or lines. A Graphics draws them again in each frame.
 * Based on: own.
 */
import { checkKeys, checkObject, checkRecord, refuse, refuseType } from '../../base/data/refuse.ts';
import type { DebugGeometry } from '../../show/draw/geometry.ts';
import { mapYSignOf } from '../../mesh/map-plane.ts';
import type { NavMesh } from '../../mesh/types.ts';

/** The methods of a Phaser Graphics object that are called. */
export interface PhaserGraphics {
  fillStyle(color: number, alpha: number): unknown;
  lineStyle(width: number, color: number, alpha: number): unknown;
  fillTriangle(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): unknown;
  lineBetween(x1: number, y1: number, x2: number, y2: number): unknown;
}

/** Options of `drawGeometry`. */
export interface DrawOnGraphicsOptions {
  /** Factor of the colors' alpha, 0 .. 1. Default 1. */
  opacity?: number;
  /** Width of lines, pixels. Default 1. */
  lineWidth?: number;
}

/**
 * Draws debug geometry into a Graphics object. `graphics.clear()` removes it.
 *
 * @param mesh the mesh of the map
 * @throws RangeError, TypeError for a value that is not debug geometry and for unknown or invalid options
 */
export function drawGeometry(
  graphics: PhaserGraphics,
  mesh: Pick<NavMesh, 'mapYSign'>,
  geometry: DebugGeometry,
  options: DrawOnGraphicsOptions = {},
): void {
  if (typeof graphics?.fillTriangle !== 'function')
    refuseType('drawGeometry', 'graphics', graphics, 'a Graphics of Phaser');
  checkObject('drawGeometry', 'mesh', mesh);
  checkRecord('drawGeometry', 'geometry', geometry, 'positions', 'debug geometry');
  checkKeys('drawGeometry', options, ['opacity', 'lineWidth']);
  const { opacity = 1, lineWidth = 1 } = options;
  if (typeof opacity !== 'number' || !(opacity >= 0 && opacity <= 1))
    refuse('drawGeometry', 'options.opacity', opacity, 'a number, 0 .. 1');
  if (typeof lineWidth !== 'number' || !(lineWidth > 0))
    refuse('drawGeometry', 'options.lineWidth', lineWidth, 'a number above 0');
  const { kind, positions, colors, indices, origin } = geometry;
  const sign = mapYSignOf(mesh);
  const x = (v: number): number => origin[0] + positions[3 * v];
  const y = (v: number): number => sign * (origin[2] + positions[3 * v + 2]);
  const corners = indices ?? Array.from({ length: positions.length / 3 }, (_, i) => i);
  for (let i = 0; i < corners.length; i += kind === 'lines' ? 2 : 3) {
    const [a, b, c] = [corners[i], corners[i + 1], corners[i + 2]];
    const color = (colors[4 * a] << 16) | (colors[4 * a + 1] << 8) | colors[4 * a + 2];
    const alpha = (opacity * colors[4 * a + 3]) / 255;
    if (kind === 'lines') {
      graphics.lineStyle(lineWidth, color, alpha);
      graphics.lineBetween(x(a), y(a), x(b), y(b));
    } else {
      graphics.fillStyle(color, alpha);
      graphics.fillTriangle(x(a), y(a), x(b), y(b), x(c), y(c));
    }
  }
}
