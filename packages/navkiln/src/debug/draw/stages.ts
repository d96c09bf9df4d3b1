/**
 * What lies between the stages of a voxel bake, as draw lists: solid spans; walkable floors by area, region, distance; outlines.
 *
 * The records of the stages know only coordinates less the bake's offset (`report.config.offset`): give it, and the list lies
 * where the level does. Cost: linear in spans and vertices. Based on: own; what is shown is what Recast's demo shows (Mikko
 * Mononen).
 */
import { spanArea, spanBottom, spanTop } from '../../voxel/types.ts';
import type { CompactField, ContourSet, Heightfield } from '../../voxel/types.ts';
import { addLine, createLineList, finishLines, numberColor, putColor, rgba } from './list.ts';
import type { DebugGeometry, Rgba } from './list.ts';
import { areaFill } from '../palette.ts';

export interface StageOptions {
  /** `report.config.offset`. Default [0, 0, 0]. */
  offset?: readonly [number, number, number];
}

export interface CompactOptions extends StageOptions {
  /** Default 'area'. Distances go from dark at borders to light. */
  color?: 'area' | 'region' | 'distance';
}

export interface ContourOptions extends StageOptions {
  /** True: as they were before they were simplified. Default false. */
  raw?: boolean;
}

const BLOCKED: Rgba = rgba('#8b8f92');
const NO_REGION: Rgba = rgba('#26323a', 120);

/** Corners of a box's top and its four sides, by bits x, y, z; each counter-clockwise from outside. */
const FACES = [
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [4, 5, 7, 6],
  [5, 1, 3, 7],
  [1, 0, 2, 3],
];

/** Solid spans as boxes without bottoms, in the colour of their area; those nobody can walk on are grey. */
export function solidSpans(field: Heightfield, { offset = [0, 0, 0] }: StageOptions = {}): DebugGeometry {
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
      FACES.forEach((face, f) =>
        putQuad(
          indices,
          30 * span + 6 * f,
          face.map((corner) => 8 * span + corner),
        ),
      );
    }
  }
  return { kind: 'triangles', positions, colors, indices, origin: [...offset] };
}

/** Walkable floors, a square each. */
export function compactFloors(
  field: CompactField,
  { offset = [0, 0, 0], color = 'area' }: CompactOptions = {},
): DebugGeometry {
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
      putQuad(
        indices,
        6 * span,
        [0, 2, 3, 1].map((corner) => 4 * span + corner),
      );
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

/** Outlines of regions, in the regions' colours, one cell's height above the ground. */
export function contourLines(
  contours: ContourSet,
  { offset = [0, 0, 0], raw = false }: ContourOptions = {},
): DebugGeometry {
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
      addLine(list, x(i), y(i), z(i), x(j), y(j), z(j), numberColor(region[c]));
    }
  }
  return { ...finishLines(list, false), origin: [...offset] };
}

function putQuad(indices: Uint32Array, at: number, [a, b, c, d]: readonly number[]): void {
  indices.set([a, b, c, a, c, d], at);
}
