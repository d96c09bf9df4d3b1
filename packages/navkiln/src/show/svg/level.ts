/**
 * Draws a level as shaded stone in an SVG.
 *
 * Faces turned away from the viewer are left out, so that caves and rooms are visible from above. All other faces are
 * rasterized, and outlines of equal tones become paths. When these exceed `maxBytes`, tones are merged, then small
 * specks are left out.
 *
 * In: triangles. Out: SVG paths, one per color, and the raster's depths for elements drawn on top.
 * Cost: O(triangles + cells of the raster).
 * Based on: own.
 * Tried: painting triangles from back to front, splitting them where they are hidden, an embedded bitmap; see
 * docs/notes/debug.md.
 */
import { orientTwoSided } from '../../base/data/two-sided.ts';
import { stoneColor } from '../palette.ts';
import { VIEW_X, VIEW_Y, VIEW_Z } from './projection.ts';
import type { Projection } from './projection.ts';
import { addTriangle } from './raster.ts';
import type { Raster } from './raster.ts';
import { traceLabels } from './trace.ts';

/** A level's triangles. */
export interface LevelTriangles {
  /** xyz, world units. */
  positions: ArrayLike<number>;
  /** Three per triangle. Default: 0, 1, 2, 3, … */
  indices?: ArrayLike<number>;
  /** Triangles that are walkable from both sides, as in the input of a bake. */
  twoSided?: boolean | ArrayLike<number>;
}

/** Direction to the sun, unit length: behind the viewer's left shoulder. */
const SUN_X = -0.4;
const SUN_Y = 0.82;
const SUN_Z = 0.41;

/** A label is 1 + light + LIGHTS * warmth: levels of brightness and of height. */
const LIGHTS = 64;
const WARMTHS = 8;

/** Draws a level into `raster` and returns its markup. */
export function drawLevel(
  level: LevelTriangles,
  projection: Projection,
  raster: Raster,
  cutAbove: number,
  maxBytes: number,
): string {
  rasterLevel(level, projection, raster, cutAbove);
  const backdrop = silhouette(raster);
  // Fewer tones come first, then larger specks are left out.
  let minCells = 6;
  for (let coarse = 0; ; coarse++) {
    const paths = traceLabels(coarsen(raster, Math.min(coarse, 3)), minCells);
    const markup = [...paths]
      .map(([label, parts]) => `<path color="${labelColor(label)}" d="${parts.join('')}"/>\n`)
      .join('');
    if (markup.length <= maxBytes || minCells > raster.label.length) return backdrop + markup;
    if (coarse >= 2) minCells *= 4;
  }
}

/** Merges tones: each 2 ** steps levels of light become one, and the same for levels of warmth. */
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

/** Returns everything visible in one gray, which shows where specks are left out. */
function silhouette(raster: Raster): string {
  const whole: Raster = { ...raster, label: raster.label.map((label) => (label === 0 ? 0 : 1)) };
  const parts = traceLabels(whole, 6).get(1) ?? [];
  return `<path color="#d5d3cc" d="${parts.join('')}"/>\n`;
}

function rasterLevel(level: LevelTriangles, projection: Projection, raster: Raster, cutAbove: number): void {
  const { positions } = level;
  const indices = orientTwoSided(positions, level.indices, level.twoSided);
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
    if (label > 0) addTriangle(raster, projection, c, label);
  }
}

/** Returns the lowest height and the range of heights. */
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

/** Returns the label of a triangle's tone; 0: it faces away or has no area. */
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
  // Steep slopes stay darker than floors in any light.
  const light = 0.08 + 0.5 * sun + 0.28 * upness * upness + 0.14 * height;
  return 1 + Math.round(Math.min(1, light) * (LIGHTS - 1)) + LIGHTS * Math.round(height * (WARMTHS - 1));
}
