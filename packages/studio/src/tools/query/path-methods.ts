/** The methods that the path tool compares. Those along the corridor are offered on 2D maps only. */
import { findOptimalPath, findPath, findSmoothPath } from 'navkiln';
import type { NavMesh, Path, PathOptions } from 'navkiln';
import type { Say } from '../../state/message.ts';
import type { Vec3 } from '../../state/state.ts';
import { loadPart } from '../lazy.ts';
import type { findAlongCorridor } from './corridor-lines.ts';

type Find = (mesh: NavMesh, from: Vec3, to: Vec3, options: PathOptions & { step?: number }) => Path | undefined;

/** The search along the corridor, once it is loaded. */
let alongCorridor: typeof findAlongCorridor | undefined;

/** Loads the methods along the corridor. Until then they find nothing. */
export async function loadCorridorLines(say: Say): Promise<boolean> {
  alongCorridor ??= (await loadPart(() => import('./corridor-lines.ts'), say))?.findAlongCorridor;
  return alongCorridor !== undefined;
}

export function hasCorridorLines(): boolean {
  return alongCorridor !== undefined;
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
    (...query) => alongCorridor?.('midpoints', ...query),
    'A* over the midpoints of edges, without pulling the line tight',
  ),
  method(
    'centers',
    'Centers',
    'findMidpointPath',
    (...query) => alongCorridor?.('centers', ...query),
    'The same corridor over the centers of its polygons; may leave the walkable area',
  ),
] as const;
export type MethodId = (typeof METHODS)[number]['id'];

/** Returns the methods that are offered on a level or a 2D map. */
export function methodsOf(isMap: boolean): readonly (typeof METHODS)[number][] {
  return isMap ? METHODS : METHODS.slice(0, 3);
}
