/**
 * Sets the area ids of spans inside volumes (0 cuts them away), and removes speckles of areas by a median
 * filter.
 *
 * As in Recast, footprints are decided at the centers of cells in float32, and heights by whole voxels. So a cell on
 * the border falls to the same side. A footprint is tested once per column, not once per span.
 *
 * In: CompactField and volumes in local coordinates. Out: the same field with other areas.
 * Cost: the columns in the volume's box; one pass over the spans for the median.
 * Based on: Mikko Mononen, Recast (2009), rcMarkBoxArea, rcMarkCylinderArea, rcMarkConvexPolyArea,
 *   rcMedianFilterWalkableArea.
 */
import { AREA_NONE } from '../../../base/constants.ts';
import { areaMapper, createAreaCodes } from '../area-codes.ts';
import type { AreaCodes } from '../area-codes.ts';
import type { AreaVolume } from '../options.ts';
import type { CompactField } from '../types.ts';

const f = Math.fround;

/**
 * Sets the area of the walkable spans in a volume, and its name as a code. Later volumes overwrite earlier ones, but a hole
 * stays a hole.
 */
export function markVolume(field: CompactField, volume: AreaVolume, codes: AreaCodes = createAreaCodes()): void {
  const areaOf = areaMapper(codes, volume.name, volume.area);
  if (volume.type === 'box') {
    markColumns(field, areaOf, volume.min, volume.max, () => true);
  } else if (volume.type === 'cylinder') {
    const [x, y, z] = volume.center.map(f) as [number, number, number];
    const radius = f(volume.radius);
    const radiusSq = f(radius * radius);
    markColumns(
      field,
      areaOf,
      [x - radius, y, z - radius],
      [x + radius, y + f(volume.height), z + radius],
      (px, pz) => {
        const dx = f(px - x);
        const dz = f(pz - z);
        return f(f(dx * dx) + f(dz * dz)) < radiusSq;
      },
    );
  } else {
    const xs = volume.outline.map(([x]) => f(x));
    const zs = volume.outline.map(([, z]) => f(z));
    const [x, z] = [xs, zs].map((list) => Float32Array.from(list).sort());
    const min = [x[0], volume.minY, z[0]];
    const max = [x.at(-1)!, volume.maxY, z.at(-1)!];
    markColumns(field, areaOf, min, max, (px, pz) => isInside(xs, zs, px, pz));
  }
}

function markColumns(
  field: CompactField,
  areaOf: (code: number) => number,
  min: readonly number[],
  max: readonly number[],
  contains: (x: number, z: number) => boolean,
): void {
  const { width, depth, boundsMin, cellSize, cellHeight, columnStart, y, area } = field;
  const cell = (value: number, axis: number): number =>
    Math.trunc(f(f(f(value) - boundsMin[axis]) / (axis === 1 ? cellHeight : cellSize)));
  const center = (index: number, axis: number): number => f(boundsMin[axis] + f(f(index + 0.5) * cellSize));
  const [x0, y0, z0] = min.map(cell) as [number, number, number];
  const [x1, y1, z1] = max.map(cell) as [number, number, number];
  for (let z = Math.max(z0, 0); z <= z1 && z < depth; z++) {
    for (let x = Math.max(x0, 0); x <= x1 && x < width; x++) {
      const c = x + z * width;
      const begin = columnStart[c];
      const end = columnStart[c + 1];
      if (begin === end || !contains(center(x, 0), center(z, 2))) continue;
      for (let i = begin; i < end; i++) {
        if (area[i] !== AREA_NONE && y[i] >= y0 && y[i] <= y1) area[i] = areaOf(area[i]);
      }
    }
  }
}

/** Returns whether a point lies inside an outline, by the even-odd rule. */
function isInside(xs: readonly number[], zs: readonly number[], px: number, pz: number): boolean {
  let inside = false;
  for (let i = 0, j = xs.length - 1; i < xs.length; j = i++) {
    const ix = xs[i];
    const iz = zs[i];
    if (iz > pz !== zs[j] > pz && px < f(f(f(f(xs[j] - ix) * f(pz - iz)) / f(zs[j] - iz)) + ix)) inside = !inside;
  }
  return inside;
}

const around = new Uint8Array(9);

/**
 * Gives each walkable span the median area of itself and its eight neighbors. Missing neighbors count as the
 * span itself.
 */
export function medianFilterAreas(field: CompactField): void {
  const { spanCount, area, neighbor } = field;
  const before = area.slice();
  for (let i = 0; i < spanCount; i++) {
    const own = before[i];
    if (own === AREA_NONE) continue;
    around.fill(own);
    let differs = false;
    for (let k = 0; k < 8; k++) {
      // Even k: a side; odd k: the corner behind it.
      let next = neighbor[4 * i + (k >> 1)];
      if ((k & 1) === 1 && next !== -1) next = neighbor[4 * next + (((k >> 1) + 1) & 3)];
      if (next === -1 || before[next] === AREA_NONE || before[next] === own) continue;
      around[k] = before[next];
      differs = true;
    }
    if (differs) area[i] = around.sort()[4];
  }
}
