/**
 * Measures the paths between the gates of a cell whose polygons fold over each other, so that lines of sight cannot be
 * followed.
 *
 * Each path is searched separately. No corners are kept, so a query that crosses the cell has to search in it.
 *
 * In: a cell cut out of its mesh, its gates.
 * Out: the length between each two gates.
 * Cost: a search for each pair of gates.
 * Based on: own.
 */
import type { NavMesh } from '../../../../mesh/types.ts';
import { DEFAULT_FILTER } from '../../../filter.ts';
import { findCorridor } from '../../../path/a-star.ts';
import { createCorridor } from '../../../path/corridor.ts';
import { pullString } from '../../../path/funnel.ts';
import { createPathLine } from '../../../path/path-line.ts';
import { createSearchState } from '../../../search-state.ts';
import type { CellGates, CellPaths } from './cell-lengths.ts';

/** Returns the lengths of the paths that `findPath` finds between the gates of a cell. */
export function measureFoldedCell(mesh: NavMesh, { count, polys, points }: CellGates): CellPaths {
  const lengths = new Float32Array((count * (count - 1)) / 2);
  const state = createSearchState();
  const corridor = createCorridor();
  const line = createPathLine();
  const ends = Array.from(polys, (poly, i) => {
    const vertex = mesh.edgeVertex[mesh.polyEdgeStart[poly]];
    return Float64Array.of(points[2 * i], mesh.vertices[3 * vertex + 1], points[2 * i + 1]);
  });
  for (let i = 1; i < count; i++) {
    for (let j = 0; j < i; j++) {
      findCorridor(corridor, state, mesh, DEFAULT_FILTER, polys[i], ends[i], polys[j], ends[j], Infinity);
      let length = Infinity;
      if (corridor.outcome === 'complete') {
        pullString(line, mesh, corridor, ends[i], ends[j]);
        length = 0;
        for (let k = 3; k < 3 * line.count; k += 3) {
          const dx = line.points[k] - line.points[k - 3];
          const dz = line.points[k + 2] - line.points[k - 1];
          length += Math.sqrt(dx * dx + dz * dz);
        }
      }
      lengths[(i * (i - 1)) / 2 + j] = length;
    }
  }
  return { lengths, cornerCount: 0, corners: [], hops: new Uint16Array(count * count) };
}
