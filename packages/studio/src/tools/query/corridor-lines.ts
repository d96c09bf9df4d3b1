/** Paths over the midpoints of edges and over the centers of polygons. Loaded when one of them is switched on. */
import { findMidpointPath, getCorridorLine } from 'navkiln';
import type { NavMesh, Path, PathOptions } from 'navkiln';
import type { Vec3 } from '../../state/state.ts';

/** Finds the path of A* over midpoints of edges, and leads it over them or over the centers of the polygons. */
export function findAlongCorridor(
  kind: 'centers' | 'midpoints',
  mesh: NavMesh,
  from: Vec3,
  to: Vec3,
  options: PathOptions,
): Path {
  const path = findMidpointPath(mesh, from, to, options);
  const points = getCorridorLine(mesh, path, kind) ?? path.points;
  let length = 0;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    length += Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }
  return { ...path, points, length };
}
