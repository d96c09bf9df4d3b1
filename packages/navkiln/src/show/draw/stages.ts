/**
 * Draws the intermediate results of a voxel bake as debug geometry: solid spans, walkable floors by area,
 * region or distance, and contours.
 *
 * Stage records have coordinates relative to the bake's offset. Pass `report.config.offset` to draw them at
 * the level's position.
 *
 * In: stage records. Out: triangles or lines.
 * Cost: linear in spans and vertices.
 * Based on: own, after Recast's demo (Mikko Mononen).
 */
import { checkOptions } from '../check-options.ts';
import { checkKeys, checkRecord } from '../../base/data/refuse.ts';
import { spanArea, spanBottom, spanTop } from '../../build/voxel/types.ts';
import type { CompactField, ContourSet, Heightfield } from '../../build/voxel/types.ts';
import { addLine, createLineList, finishLines, numberColor, putColor, rgba } from './geometry.ts';
import type { DebugGeometry, Rgba } from './geometry.ts';
import { areaFill } from '../palette.ts';

/** Options of all functions of this file. */
export interface StageOptions {
  /** World position of the records, `report.config.offset`. Default [0, 0, 0]. */
  offset?: readonly [number, number, number];
}

/** Options of `compactFloors`. */
export interface CompactOptions extends StageOptions {
  /** Property that colors show. Distances range from dark at borders to light. Default 'area'. */
  color?: 'area' | 'region' | 'distance';
}

/** Options of `contourLines`. */
export interface ContourOptions extends StageOptions {
  /** True: contours before simplification. Default false. */
  raw?: boolean;
}

const STAGE_KEYS: readonly (keyof StageOptions)[] = ['offset'];
const COMPACT_KEYS: readonly (keyof CompactOptions)[] = ['offset', 'color'];
const CONTOUR_KEYS: readonly (keyof ContourOptions)[] = ['offset', 'raw'];
const BLOCKED: Rgba = rgba('#8b8f92');
const NO_REGION: Rgba = rgba('#26323a', 120);

/** Corners of a box's top and four sides; bits 0, 1, 2 are x, y, z. Counter-clockwise seen from outside. */
const FACES = [
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [4, 5, 7, 6],
  [5, 1, 3, 7],
  [1, 0, 2, 3],
];
/** Corners of a span's floor; bits 0 and 1 are x and z. Counter-clockwise seen from above. */
const FLOOR = [0, 2, 3, 1];

/**
 * Draws solid spans as boxes without bottoms, in the color of their area; gray when not walkable.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function solidSpans(field: Heightfield, options: StageOptions = {}): DebugGeometry {
  checkRecord('solidSpans', 'field', field, 'spans', 'a Heightfield');
  checkKeys('solidSpans', options, STAGE_KEYS);
  checkOptions('solidSpans', options);
  const { offset = [0, 0, 0] } = options;
  const { width, columnStart, spans, spanCount, boundsMin, cellSize, cellHeight } = field;
  const positions = new Float32Array(24 * spanCount);
  const colors = new Uint8Array(32 * spanCount);
  const indices = new Uint32Array(30 * spanCount);
  for (let column = 0, span = 0; span < spanCount; column++) {
    const x = column % width;
    const z = (column - x) / width;
    for (; span < columnStart[column + 1]; span++) {
      const word = spans[span];
      const rows = [spanBottom(word), spanTop(word)];
      const area = spanArea(word);
      for (let corner = 0; corner < 8; corner++) {
        const at = 24 * span + 3 * corner;
        positions[at] = boundsMin[0] + (x + (corner & 1)) * cellSize;
        positions[at + 1] = boundsMin[1] + rows[(corner >> 1) & 1] * cellHeight;
        positions[at + 2] = boundsMin[2] + (z + (corner >> 2)) * cellSize;
        putColor(colors, 8 * span + corner, area > 0 ? rgba(areaFill(area)) : BLOCKED);
      }
      FACES.forEach((face, f) => putQuad(indices, 30 * span + 6 * f, face, 8 * span));
    }
  }
  return { kind: 'triangles', positions, colors, indices, origin: [...offset] };
}

/**
 * Draws walkable floors as one square per span.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function compactFloors(field: CompactField, options: CompactOptions = {}): DebugGeometry {
  checkRecord('compactFloors', 'field', field, 'neighbor', 'a CompactField');
  checkKeys('compactFloors', options, COMPACT_KEYS);
  checkOptions('compactFloors', options);
  const { offset = [0, 0, 0], color = 'area' } = options;
  const { width, columnStart, spanCount, y, boundsMin, cellSize, cellHeight } = field;
  const positions = new Float32Array(12 * spanCount);
  const colors = new Uint8Array(16 * spanCount);
  const indices = new Uint32Array(6 * spanCount);
  for (let column = 0, span = 0; span < spanCount; column++) {
    const x = column % width;
    const z = (column - x) / width;
    for (; span < columnStart[column + 1]; span++) {
      const own = floorColor(field, span, color);
      for (let corner = 0; corner < 4; corner++) {
        const at = 12 * span + 3 * corner;
        positions[at] = boundsMin[0] + (x + (corner & 1)) * cellSize;
        positions[at + 1] = boundsMin[1] + y[span] * cellHeight;
        positions[at + 2] = boundsMin[2] + (z + (corner >> 1)) * cellSize;
        putColor(colors, 4 * span + corner, own);
      }
      putQuad(indices, 6 * span, FLOOR, 4 * span);
    }
  }
  return { kind: 'triangles', positions, colors, indices, origin: [...offset] };
}

function floorColor(
  { area, region, distance, maxDistance }: CompactField,
  span: number,
  color: CompactOptions['color'],
): Rgba {
  if (color === 'distance') {
    const light = distance.length > 0 ? Math.round((255 * distance[span]) / Math.max(1, maxDistance)) : 0;
    return ((light << 24) | (light << 16) | (light << 8) | 255) >>> 0;
  }
  if (color === 'region') return region.length > 0 && region[span] > 0 ? numberColor(region[span]) : NO_REGION;
  return area[span] > 0 ? rgba(areaFill(area[span])) : BLOCKED;
}

/**
 * Draws contours of regions in the regions' colors, one cell height above the surface.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function contourLines(contours: ContourSet, options: ContourOptions = {}): DebugGeometry {
  checkRecord('contourLines', 'contours', contours, 'rawStart', 'a ContourSet');
  checkKeys('contourLines', options, CONTOUR_KEYS);
  checkOptions('contourLines', options);
  const { offset = [0, 0, 0], raw = false } = options;
  const { boundsMin, cellSize, cellHeight, count, region } = contours;
  const start = raw ? contours.rawStart : contours.start;
  const v = raw ? contours.raw : contours.vertices;
  const list = createLineList([0, 0, 0]);
  const x = (i: number): number => boundsMin[0] + v[4 * i] * cellSize;
  const y = (i: number): number => boundsMin[1] + (v[4 * i + 1] + 1) * cellHeight;
  const z = (i: number): number => boundsMin[2] + v[4 * i + 2] * cellSize;
  for (let c = 0; c < count; c++) {
    for (let i = start[c]; i < start[c + 1]; i++) {
      const j = i + 1 === start[c + 1] ? start[c] : i + 1;
      addLine(list, [x(i), y(i), z(i), x(j), y(j), z(j)], numberColor(region[c]));
    }
  }
  return { ...finishLines(list, false), origin: [...offset] };
}

/** Writes two triangles of a quad whose corners are numbers from `first` up. */
function putQuad(indices: Uint32Array, at: number, [a, b, c, d]: readonly number[], first: number): void {
  indices.set([first + a, first + b, first + c, first + a, first + c, first + d], at);
}
