/**
 * The level as shaded stone for a picture.
 *
 * in: triangles, any number. out: SVG path elements, one a colour, and the depth of what is seen (for what is drawn on top).
 * Faces turned away from the viewer are left out, so that one looks into caves and under ceilings. The rest is rastered; the
 * outlines of equal tone become paths. Where these would exceed `maxBytes`, tones are joined, then specks are left out.
 * cost: O(triangles + cells of the raster).
 *
 * Tried and lost: painting triangles from back to front (wide floors cover small boxes; megabytes for a terrain), splitting
 * them by what is hidden (saw teeth along every wall), one embedded bitmap (blurred when enlarged).
 */
import { stoneColor } from '../palette.ts';
import { VIEW_X, VIEW_Y, VIEW_Z } from './projection.ts';
import type { Projection } from './projection.ts';
import { addTriangle } from './raster.ts';
import type { Raster } from './raster.ts';
import { traceLabels } from './trace.ts';

export interface LevelTriangles {
  positions: ArrayLike<number>;
  /** Default: 0, 1, 2, 3, … */
  indices?: ArrayLike<number>;
}

/** Where the sun is, unit length: behind the viewer's left shoulder. */
const SUN_X = -0.4;
const SUN_Y = 0.82;
const SUN_Z = 0.41;

/** A label is 1 + light + LIGHTS * warmth: steps of shade and of height. */
const LIGHTS = 64;
const WARMTHS = 8;

/** Draws into `raster` and returns the markup. */
export function drawLevel(
  level: LevelTriangles,
  projection: Projection,
  raster: Raster,
  cutAbove: number,
  maxBytes: number,
): string {
  rasterLevel(level, projection, raster, cutAbove);
  const ground = silhouette(raster);
  // Fewer tones first, then larger specks.
  let minCells = 6;
  for (let coarse = 0; ; coarse++) {
    const paths = traceLabels(coarsen(raster, Math.min(coarse, 3)), minCells);
    const markup = [...paths]
      .map(([label, parts]) => `<path color="${labelColor(label)}" d="${parts.join('')}"/>\n`)
      .join('');
    if (markup.length <= maxBytes || minCells > raster.label.length) return ground + markup;
    if (coarse >= 2) minCells *= 4;
  }
}

/** Joins tones: 2 ** steps of light become one, and so for warmth. */
function coarsen(raster: Raster, steps: number): Raster {
  if (steps === 0) return raster;
  const label = raster.label.map((own) => {
    if (own === 0) return 0;
    const light = ((((own - 1) % LIGHTS) >> steps) << steps) + (1 << (steps - 1));
    const warmth = (Math.floor((own - 1) / LIGHTS) >> steps) << steps;
    return 1 + light + LIGHTS * warmth;
  });
  return { ...raster, label };
}

function labelColor(label: number): string {
  return stoneColor(((label - 1) % LIGHTS) / (LIGHTS - 1), Math.floor((label - 1) / LIGHTS) / (WARMTHS - 1));
}

/** Everything that is seen, in one middle grey: shows through where specks are left out. */
function silhouette(raster: Raster): string {
  const whole: Raster = { ...raster, label: raster.label.map((label) => (label === 0 ? 0 : 1)) };
  const parts = traceLabels(whole, 6).get(1) ?? [];
  return `<path color="#d5d3cc" d="${parts.join('')}"/>\n`;
}

function rasterLevel(level: LevelTriangles, projection: Projection, raster: Raster, cutAbove: number): void {
  const { positions, indices } = level;
  const count = Math.floor((indices === undefined ? positions.length / 3 : indices.length) / 3);
  const [lowest, span] = heights(positions);
  const c = new Float64Array(9);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const at = 3 * (indices === undefined ? t * 3 + k : indices[t * 3 + k]);
      for (let axis = 0; axis < 3; axis++) c[k * 3 + axis] = positions[at + axis];
    }
    if (Math.min(c[1], c[4], c[7]) >= cutAbove) continue;
    const label = toneOf(c, lowest, span);
    if (label > 0) addTriangle(raster, projection, c, 0, label);
  }
}

function heights(positions: ArrayLike<number>): [lowest: number, span: number] {
  let min = Infinity;
  let max = -Infinity;
  for (let i = 1; i < positions.length; i += 3) {
    if (!Number.isFinite(positions[i])) continue;
    if (positions[i] < min) min = positions[i];
    if (positions[i] > max) max = positions[i];
  }
  return [min, Math.max(1e-9, max - min)];
}

/** Label of a triangle's shade; 0: turned away, or no triangle at all. */
function toneOf(c: Float64Array, lowest: number, span: number): number {
  const ux = c[3] - c[0];
  const uy = c[4] - c[1];
  const uz = c[5] - c[2];
  const vx = c[6] - c[0];
  const vy = c[7] - c[1];
  const vz = c[8] - c[2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(nx * VIEW_X + ny * VIEW_Y + nz * VIEW_Z > 1e-6 * length)) return 0;
  const sun = Math.max(0, (nx * SUN_X + ny * SUN_Y + nz * SUN_Z) / length);
  const upness = Math.max(0, ny / length);
  const height = Math.min(1, Math.max(0, ((c[1] + c[4] + c[7]) / 3 - lowest) / span));
  // Slopes too steep to stand on stay darker than floors in any light.
  const light = 0.08 + 0.5 * sun + 0.28 * upness * upness + 0.14 * height;
  return 1 + Math.round(Math.min(1, light) * (LIGHTS - 1)) + LIGHTS * Math.round(height * (WARMTHS - 1));
}
