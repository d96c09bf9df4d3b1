/** Finds paths on Detour's mesh with the steps of ours: locate both ends, search, straighten. */
import { Detour } from 'recast-navigation';
import type { NavMeshQuery } from 'recast-navigation';
import type { OracleNavMesh } from '../oracle/recast.ts';

export type Point = [number, number, number];

export interface DetourPath {
  status: 'complete' | 'partial' | 'none';
  reason: string;
  /** Polygon numbers of the ends, -1 when off the mesh. */
  startPoly: number;
  endPoly: number;
  startPoint: Point;
  endPoint: Point;
  points: Point[];
  polys: number[];
  length: number;
}

export function lengthOf(points: readonly (readonly number[])[]): number {
  let length = 0;
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    length += Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
  }
  return length;
}

const xyz = (p: Point): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });
const array = (p: { x: number; y: number; z: number }): Point => [p.x, p.y, p.z];

/** Returns the polygon and point nearest to `point`, or -1 when the box contains none. */
export function locate(
  detour: OracleNavMesh,
  point: Point,
  halfExtents: Point,
): { poly: number; ref: number; point: Point; isOver: boolean } {
  const found = detour.query.findNearestPoly(xyz(point), { halfExtents: xyz(halfExtents) });
  // Detour reports a miss as a success with ref 0 and an uninitialized point.
  if (!found.success || found.nearestRef === 0) return { poly: -1, ref: 0, point, isOver: false };
  return {
    poly: detour.polyIndexOf(found.nearestRef),
    ref: found.nearestRef,
    point: array(found.nearestPoint),
    isOver: found.isOverPoly,
  };
}

export function findDetourPath(
  detour: OracleNavMesh,
  start: Point,
  end: Point,
  halfExtents: Point,
  maxPolys: number,
): DetourPath {
  const from = locate(detour, start, halfExtents);
  const to = locate(detour, end, halfExtents);
  const path: DetourPath = {
    status: 'none',
    reason: '',
    startPoly: from.poly,
    endPoly: to.poly,
    startPoint: from.point,
    endPoint: to.point,
    points: [],
    polys: [],
    length: 0,
  };
  if (from.poly < 0 || to.poly < 0) {
    path.reason = from.poly < 0 ? 'start-off-mesh' : 'end-off-mesh';
    return path;
  }
  const { query } = detour;
  const found = findCorridor(query, from.ref, to.ref, from.point, to.point, maxPolys);
  path.polys = found.refs.map((ref) => detour.polyIndexOf(ref));
  path.status = found.partial ? 'partial' : 'complete';
  let goal = to.point;
  if (found.partial)
    goal = array(query.closestPointOnPoly(found.refs[found.refs.length - 1], xyz(to.point)).closestPoint);
  path.endPoint = goal;
  const straight = query.findStraightPath(xyz(from.point), xyz(goal), found.refs, {
    maxStraightPathPoints: maxPolys + 2,
  });
  const flat = straight.straightPath.getHeapView();
  for (let k = 0; k < straight.straightPathCount; k++)
    path.points.push([flat[k * 3], flat[k * 3 + 1], flat[k * 3 + 2]]);
  straight.straightPath.destroy();
  straight.straightPathFlags.destroy();
  straight.straightPathRefs.destroy();
  path.length = lengthOf(path.points);
  return path;
}

function findCorridor(
  query: NavMeshQuery,
  from: number,
  to: number,
  start: Point,
  end: Point,
  maxPolys: number,
): { refs: number[]; partial: boolean } {
  const found = query.findPath(from, to, xyz(start), xyz(end), { maxPathPolys: maxPolys });
  if ((found.status & Detour.DT_FAILURE) !== 0) throw new Error(`findCorridor: Detour's status is ${found.status}`);
  const refs = Array.from(found.polys.getHeapView());
  found.polys.destroy();
  const partial = (found.status & Detour.DT_PARTIAL_RESULT) !== 0 || refs[refs.length - 1] !== to;
  return { refs, partial };
}
