/** The methods that the path tool compares. Those along the corridor are offered on 2D maps only. */
import { findMidpointPath, findOptimalPath, findPath, findSmoothPath, getCorridorLine } from 'navkiln';
import type { NavMesh, Path, PathOptions } from 'navkiln';
import type { Vec3 } from '../../state/state.ts';

type Find = (mesh: NavMesh, from: Vec3, to: Vec3, options: PathOptions & { step?: number }) => Path;

/** Finds the path of A* over midpoints of edges, and leads it over them or over the centers of the polygons. */
function alongCorridor(kind: 'centers' | 'midpoints'): Find {
  return (mesh, from, to, options) => {
    const path = findMidpointPath(mesh, from, to, options);
    const points = getCorridorLine(mesh, path, kind) ?? path.points;
    let length = 0;
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1], points[i]];
      length += Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    }
    return { ...path, points, length };
  };
}

interface Method<Id extends string> {
  id: Id;
  title: string;
  /** The function of the library on levels. */
  call: string;
  find: Find;
  help: string;
}

const method = <Id extends string>(id: Id, title: string, call: string, find: Find, help: string): Method<Id> => ({
  id,
  title,
  call,
  find,
  help,
});

export const METHODS = [
  method('funnel', 'Funnel', 'findPath', findPath, 'A* over polygons, then the shortest line through the corridor'),
  method('smooth', 'Smooth', 'findSmoothPath', findSmoothPath, 'The funnel path as points on the surface'),
  method('optimal', 'Optimal', 'findOptimalPath', findOptimalPath, 'The shortest path, seen from above'),
  method(
    'midpoints',
    'Midpoints',
    'findMidpointPath',
    alongCorridor('midpoints'),
    'A* over the midpoints of edges, without pulling the line tight',
  ),
  method(
    'centers',
    'Centers',
    'findMidpointPath',
    alongCorridor('centers'),
    'The same corridor over the centers of its polygons; may leave the walkable area',
  ),
] as const;
export type MethodId = (typeof METHODS)[number]['id'];

/** Returns the methods that are offered on a level or a 2D map. */
export function methodsOf(isMap: boolean): readonly (typeof METHODS)[number][] {
  return isMap ? METHODS : METHODS.slice(0, 3);
}
