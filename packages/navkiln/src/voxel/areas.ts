/**
 * Areas: gives ground inside volumes an area id (0 cuts it away), and a median filter against speckles. In place.
 *
 * Footprints are decided at the centres of cells in float32, heights by whole voxels, both as Recast does, so that a cell on
 * the border falls to the same side. A footprint is tested once a column, not once a span. Cost: the columns in the
 * volume's box.
 *
 * Based on: Mikko Mononen, Recast (2009), rcMarkBoxArea, rcMarkCylinderArea, rcMarkConvexPolyArea, rcMedianFilterWalkableArea.
 */
import { AREA_NONE } from '../constants.ts';
import type { AreaVolume } from './options.ts';
import type { CompactField } from './types.ts';

const f = Math.fround;

/** Marks one volume. Later volumes overwrite earlier ones; what was cut stays cut. */
export function markVolume(field: CompactField, volume: AreaVolume): void {
  if (volume.type === 'box') {
    markColumns(field, volume.area, volume.min.map(f), volume.max.map(f), () => true);
  } else if (volume.type === 'cylinder') {
    const [x, y, z] = volume.center.map(f) as [number, number, number];
    const radius = f(volume.radius), height = f(volume.height);
    const radiusSq = f(radius * radius);
    const min = [f(x - radius), y, f(z - radius)], max = [f(x + radius), f(y + height), f(z + radius)];
    markColumns(field, volume.area, min, max, (px, pz) => {
      const dx = f(px - x), dz = f(pz - z);
      return f(f(dx * dx) + f(dz * dz)) < radiusSq;
    });
  } else {
    const outline = Float32Array.from(volume.outline.flatMap((point) => [point[0]!, point[1]!]));
    const min = [Infinity, f(volume.minY), Infinity], max = [-Infinity, f(volume.maxY), -Infinity];
    for (let i = 0; i < outline.length; i += 2) {
      min[0] = Math.min(min[0]!, outline[i]!);
      max[0] = Math.max(max[0]!, outline[i]!);
      min[2] = Math.min(min[2]!, outline[i + 1]!);
      max[2] = Math.max(max[2]!, outline[i + 1]!);
    }
    markColumns(field, volume.area, min, max, (px, pz) => isInside(outline, px, pz));
  }
}

function markColumns(
  field: CompactField,
  areaId: number,
  min: readonly number[],
  max: readonly number[],
  contains: (x: number, z: number) => boolean,
): void {
  const { width, depth, boundsMin, cellSize, cellHeight, columnStart, y, area } = field;
  let x0 = cell(min[0]!, boundsMin[0], cellSize), x1 = cell(max[0]!, boundsMin[0], cellSize);
  let z0 = cell(min[2]!, boundsMin[2], cellSize), z1 = cell(max[2]!, boundsMin[2], cellSize);
  const y0 = cell(min[1]!, boundsMin[1], cellHeight), y1 = cell(max[1]!, boundsMin[1], cellHeight);
  if (x1 < 0 || x0 >= width || z1 < 0 || z0 >= depth) return;
  x0 = Math.max(x0, 0);
  z0 = Math.max(z0, 0);
  x1 = Math.min(x1, width - 1);
  z1 = Math.min(z1, depth - 1);
  for (let z = z0; z <= z1; z++) {
    const pz = f(boundsMin[2] + f(f(z + 0.5) * cellSize));
    for (let x = x0; x <= x1; x++) {
      const c = x + z * width;
      const begin = columnStart[c]!, end = columnStart[c + 1]!;
      if (begin === end || !contains(f(boundsMin[0] + f(f(x + 0.5) * cellSize)), pz)) continue;
      for (let i = begin; i < end; i++) {
        if (area[i] !== AREA_NONE && y[i]! >= y0 && y[i]! <= y1) area[i] = areaId;
      }
    }
  }
}

function cell(position: number, origin: number, size: number): number {
  return Math.trunc(f(f(position - origin) / size));
}

/** Even-odd test against an outline of x, z pairs. */
function isInside(outline: Float32Array, px: number, pz: number): boolean {
  let inside = false;
  const n = outline.length;
  for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
    const ix = outline[i]!, iz = outline[i + 1]!, jx = outline[j]!, jz = outline[j + 1]!;
    if (iz > pz === jz > pz) continue;
    if (px >= f(f(f(f(jx - ix) * f(pz - iz)) / f(jz - iz)) + ix)) continue;
    inside = !inside;
  }
  return inside;
}

const around = new Uint8Array(9);

/** Each walkable span takes the median area of itself and its eight neighbours; those that are missing count as itself. */
export function medianFilterAreas(field: CompactField): void {
  const { spanCount, area, neighbor } = field;
  const before = area.slice();
  for (let i = 0; i < spanCount; i++) {
    const own = before[i]!;
    if (own === AREA_NONE) continue;
    around.fill(own);
    let differs = false;
    for (let dir = 0; dir < 4; dir++) {
      const a = neighbor[4 * i + dir]!;
      if (a === -1) continue;
      if (before[a] !== AREA_NONE && before[a] !== own) {
        around[2 * dir] = before[a]!;
        differs = true;
      }
      const b = neighbor[4 * a + ((dir + 1) & 3)]!;
      if (b !== -1 && before[b] !== AREA_NONE && before[b] !== own) {
        around[2 * dir + 1] = before[b]!;
        differs = true;
      }
    }
    if (differs) area[i] = around.sort()[4]!;
  }
}
