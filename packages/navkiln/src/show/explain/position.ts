/**
 * Explains why a position is not walkable: the stage of the voxel bake that rejected it, and the number that
 * decided.
 *
 * Follows the position from the solid span of its column through each stage until it is rejected. Heights and distances
 * are those of voxels, by which the bake decides, so they are multiples of cells.
 *
 * In: the records of the tile (stage/records.ts) and a world position. Out: a stage, a code, a sentence, numbers; or
 * the polygon at the position.
 * Cost: linear in the tile's triangles; a distance sweep or a second partition when erosion or regions
 * rejected it.
 * Based on: own.
 */
import { checkRecord } from '../../base/data/refuse.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { sweepDistance } from '../../build/voxel/field/chamfer.ts';
import { markVolume } from '../../build/voxel/field/areas.ts';
import { partitionOf } from '../../build/voxel/partition-of.ts';
import { createWorkspace } from '../../base/data/workspace.ts';
import { buildRegions } from '../../build/voxel/regions/build.ts';
import { BORDER_REGION, spanArea, spanBottom, spanTop } from '../../build/voxel/types.ts';
import type { CompactField } from '../../build/voxel/types.ts';
import { meters } from './cause.ts';
import type { Cause, PositionExplanation } from './cause.ts';
import { explainFilter, explainTriangles } from './span.ts';
import { polygonAt } from '../stage/polygon-at.ts';
import type { StageRecords } from '../stage/records.ts';

const given = new Float64Array(3);

/**
 * Explains why a position is not walkable, or which polygon it is on.
 *
 * @param records of the tile that the position is in (`tileOfPlace`)
 * @param point world units, on or near the surface in question
 */
export function explainPosition(records: StageRecords, point: PointLike): PositionExplanation {
  checkRecord('explainPosition', 'records', records, 'erodedArea', 'the StageRecords of recordStages');
  readPoint(given, point, 'explainPosition', 'point');
  const {
    config: { boundsMin, cellSize, cellHeight, offset, walkableClimbCells, detailMaxError },
    solid,
    field,
  } = records;
  const x = given[0] - offset[0];
  const y = given[1] - offset[1];
  const z = given[2] - offset[2];
  const { cx, cz, index: spanIndex, distance } = columnNear(records, x, (y - boundsMin[1]) / cellHeight, z);
  const place: [number, number, number] = [
    boundsMin[0] + (cx + 0.5) * cellSize + offset[0],
    given[1],
    boundsMin[2] + (cz + 0.5) * cellSize + offset[2],
  ];
  const poly = polygonAt(records, x, y, z);
  if (poly.index >= 0 && poly.distance <= Math.max(detailMaxError, cellHeight) + 2 * cellHeight) {
    return { ...walkable(records, poly.index), place, triangle: -1 };
  }
  if (cx < 0) return { ...OUTSIDE, place: [given[0], given[1], given[2]], triangle: -1 };
  const column = cx + cz * solid.width;
  const reach = Math.max(walkableClimbCells, 2);
  if (distance > reach) {
    // Triangles on the far border of the grid fill no voxel.
    const { triangle, cause } = explainTriangles(records, { cx, cz, x, y, z }, 0);
    const isSteep = cause !== undefined && cause.code !== 'buried';
    return { ...(isSteep ? cause : noTriangles(distance * cellHeight)), place, triangle };
  }
  const word = solid.spans[spanIndex];
  place[1] = boundsMin[1] + spanTop(word) * cellHeight + offset[1];
  const { triangle, cause: steep } = explainTriangles(records, { cx, cz, x, y, z }, word);
  const found = (cause: Cause): PositionExplanation => ({ ...cause, place, triangle });
  const below = spanIndex > solid.columnStart[column] ? solid.spans[spanIndex - 1] : 0;
  const isCurb =
    records.config.filterLowHangingObstacles &&
    spanArea(below) > 0 &&
    spanTop(word) - spanTop(below) <= walkableClimbCells;
  const isUnder = y - boundsMin[1] < (spanTop(word) - reach) * cellHeight;
  const isLost = isUnder || (spanArea(word) === 0 && !isCurb);
  if (isLost) return found(steep ?? noTriangles(distance * cellHeight));
  if (spanArea(records.walkable.spans[spanIndex]) === 0) return found(explainFilter(records, cx, cz, spanIndex));
  const index = compactIndex(records, column, spanIndex);
  if (records.erodedArea[index] === 0) return found(nearBorder(records, index));
  if (field.area[index] === 0) return found(cutByVolume(records, index));
  const region = field.region[index];
  if (region >= BORDER_REGION) {
    const message = 'The position is in the border of this tile; use the neighboring tile.';
    return found({ stage: 'regions', code: 'tile-border', message, numbers: {} });
  }
  if (region === 0) return found(withoutRegion(records, index));
  if (poly.index >= 0 && poly.distance <= reach * cellHeight) return found(walkable(records, poly.index));
  return found(withoutPolygon(records, region));
}

const OUTSIDE: Cause = {
  stage: 'input',
  code: 'outside',
  message: 'The position is outside the baked area.',
  numbers: {},
};

function walkable({ polyMesh, config: { cellSize }, field }: StageRecords, poly: number): Cause {
  const region = polyMesh.region[poly];
  const area = polyMesh.area[poly];
  let cells = 0;
  for (const one of field.region) if (one === region) cells++;
  const size = cells * cellSize * cellSize;
  return {
    stage: 'navmesh',
    code: 'walkable',
    numbers: { polygon: poly, area, region, regionSize: size },
    message: `Walkable: polygon ${poly}, area ${area}, region ${region} of ${Number(size.toFixed(1))} m².`,
  };
}

function noTriangles(distance: number): Cause {
  const next = distance < Infinity ? `; the nearest in its column is ${meters(distance)} away` : '';
  return {
    stage: 'rasterize',
    code: 'no-triangles',
    message: `There are no triangles here${next}.`,
    numbers: distance < Infinity ? { distance } : {},
  };
}

/**
 * Distance from a column border, in cells, within which both columns count. Walls lie on borders, and
 * rounding moves them.
 */
const RIM = 2e-3;

/** Returns the span nearest to a local position (y in voxels) and its column; cx is -1 outside the grid. */
function columnNear(
  { solid }: StageRecords,
  x: number,
  y: number,
  z: number,
): { cx: number; cz: number; index: number; distance: number } {
  const { width, depth, boundsMin, cellSize, columnStart, spans } = solid;
  const best = { cx: -1, cz: -1, index: -1, distance: Infinity };
  const u = (x - boundsMin[0]) / cellSize;
  const v = (z - boundsMin[2]) / cellSize;
  for (const [du, dv] of [
    [0, 0],
    [-RIM, 0],
    [RIM, 0],
    [0, -RIM],
    [0, RIM],
  ]) {
    const cx = Math.floor(u + du);
    const cz = Math.floor(v + dv);
    if (cx < 0 || cx >= width || cz < 0 || cz >= depth) continue;
    if (best.cx < 0) Object.assign(best, { cx, cz });
    const column = cx + cz * width;
    for (let index = columnStart[column]; index < columnStart[column + 1]; index++) {
      const bottom = spanBottom(spans[index]);
      const top = spanTop(spans[index]);
      const distance = y > top ? y - top : y < bottom ? bottom - y : 0;
      if (distance < best.distance) Object.assign(best, { cx, cz, index, distance });
    }
  }
  return best;
}

/** Returns the index of a walkable span in the compact field. */
function compactIndex({ walkable: { spans, columnStart }, field }: StageRecords, column: number, span: number): number {
  let index = field.columnStart[column];
  for (let i = columnStart[column]; i < span; i++) if (spanArea(spans[i]) > 0) index++;
  return index;
}

/**
 * Explains erosion: the distance of the border in the units of erosion (2 per cell, 3 per diagonal), and its position.
 */
function nearBorder({ config, field, compactArea }: StageRecords, index: number): Cause {
  const { cellSize, walkableRadiusCells, agent } = config;
  const kinds = new Uint8Array(field.spanCount);
  for (let i = 0; i < kinds.length; i++) kinds[i] = compactArea[i] > 0 ? 1 : 0;
  const { distance: half } = sweepDistance(field, kinds, createWorkspace());
  const distance = (half[index + 1] / 2) * cellSize;
  const border = descend(field, half, index);
  const radius = walkableRadiusCells * cellSize;
  const rounded = Math.abs(radius - agent.radius) > 1e-6 ? `, in whole cells ${meters(radius)}` : '';
  return {
    stage: 'erode',
    code: 'near-border',
    numbers: { distance, radius: agent.radius, radiusInCells: radius },
    message: `Too close to a border: ${meters(distance)} < radius ${meters(agent.radius)}${rounded}.`,
    where: positionOfSpan(field, border, config.offset),
  };
}

/** Returns the border span at which a descent along the distance field from a span ends. */
function descend({ neighbor }: CompactField, half: Uint16Array, start: number): number {
  let index = start;
  for (;;) {
    let next = index;
    for (let dir = 0; dir < 4; dir++) {
      const side = neighbor[4 * index + dir];
      const corner = side < 0 ? -1 : neighbor[4 * side + ((dir + 1) & 3)];
      for (const one of [side, corner]) if (one >= 0 && half[one + 1] < half[next + 1]) next = one;
    }
    if (next === index || half[next + 1] === 0) return next;
    index = next;
  }
}

function positionOfSpan(field: CompactField, index: number, offset: readonly number[]): [number, number, number] {
  const { columnStart, width, boundsMin, cellSize, cellHeight, y } = field;
  let low = 0;
  let high = columnStart.length - 1;
  // Finds the last column that begins at or before the span.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (columnStart[middle] <= index) low = middle;
    else high = middle;
  }
  return [
    boundsMin[0] + ((low % width) + 0.5) * cellSize + offset[0],
    boundsMin[1] + y[index] * cellHeight + offset[1],
    boundsMin[2] + (Math.floor(low / width) + 0.5) * cellSize + offset[2],
  ];
}

function cutByVolume({ field, volumes }: StageRecords, index: number): Cause {
  let number = volumes.length - 1;
  const probe: CompactField = { ...field, area: new Uint8Array(field.spanCount) };
  for (; number > 0; number--) {
    if (volumes[number].area !== 0) continue;
    probe.area.fill(1);
    markVolume(probe, volumes[number]);
    if (probe.area[index] === 0) break;
  }
  return {
    stage: 'areas',
    code: 'volume',
    numbers: { volume: number },
    message: `Volume ${number + 1} cuts out this position: its area is 0.`,
  };
}

function withoutRegion({ config, field }: StageRecords, index: number): Cause {
  const { cellSize, regionMinAreaCells } = config;
  const all: CompactField = { ...field, region: new Int32Array(0), regionCount: 0 };
  buildRegions(all, config, partitionOf(config.partition), 0);
  if (all.region[index] === 0) {
    return {
      stage: 'regions',
      code: 'no-region',
      numbers: {},
      message: 'The walkable surface is too narrow here to become a region; use smaller cells.',
    };
  }
  // Collect all connected spans that were dropped.
  const isDropped = (i: number): boolean => field.region[i] === 0 && all.region[i] > 0 && all.region[i] < BORDER_REGION;
  const seen = new Set([index]);
  for (const i of seen) {
    for (let dir = 0; dir < 4; dir++) {
      const side = field.neighbor[4 * i + dir];
      if (side >= 0 && isDropped(side)) seen.add(side);
    }
  }
  const size = seen.size * cellSize * cellSize;
  const least = regionMinAreaCells * cellSize * cellSize;
  const [a, b] = [size, least].map((value) => Number(value.toFixed(2)));
  return {
    stage: 'regions',
    code: 'region-small',
    numbers: { size, cells: seen.size, regionMinArea: least },
    message: `The separate walkable area is too small: ${a} m² < ${b} m² (regionMinArea).`,
  };
}

function withoutPolygon({ contours, config: { maxEdgeErrorCells, cellSize } }: StageRecords, region: number): Cause {
  const maxEdgeError = maxEdgeErrorCells * cellSize;
  const numbers = { region, maxEdgeError };
  const hasOutline = contours.region.subarray(0, contours.count).includes(region);
  return hasOutline
    ? {
        stage: 'contours',
        code: 'simplified',
        numbers,
        message: `The simplified contour leaves out this position: it may deviate by ${meters(maxEdgeError)} (maxEdgeError).`,
      }
    : {
        stage: 'contours',
        code: 'no-outline',
        numbers,
        message: `Simplification removed the contour of region ${region}: maxEdgeError is ${meters(maxEdgeError)}.`,
      };
}
