/** Bakes one level with every library to the same polygons, and prepares everything needed to ask them the same questions. */
import { resolveBake } from 'navkiln/build';
import type { BenchLevel } from './levels.ts';
import { bakeWithNavcat } from './navcat.ts';
import { bakeWithNavkiln } from './navkiln.ts';
import type { Point } from './navkiln.ts';
import { bakeWithRecast, createRecastQuery } from './recast.ts';

export interface Contenders {
  mesh: ReturnType<typeof bakeWithNavkiln>['navMesh'];
  /** The caller must destroy it. */
  recastMesh: ReturnType<typeof bakeWithRecast>['navMesh'];
  query: ReturnType<typeof createRecastQuery>;
  navcat: ReturnType<typeof bakeWithNavcat>['navMesh'] | undefined;
  /** Half extents of the box in which a point is located on the mesh. */
  halfExtents: Point;
}

export function bakeForAll({ positions, indices, options: given }: BenchLevel, withNavcat: boolean): Contenders {
  const options = { ...given, recast: true };
  const config = resolveBake({ positions, indices }, options);
  const { navMesh: mesh } = bakeWithNavkiln(positions, indices, options);
  const recastMesh = bakeWithRecast(positions, indices, config, false).navMesh;
  const halfExtents: Point = [2 * config.agent.radius, config.agent.height, 2 * config.agent.radius];
  const query = createRecastQuery(recastMesh, halfExtents);
  const navcat = withNavcat ? bakeWithNavcat(positions, indices, config).navMesh : undefined;
  return { mesh, recastMesh, halfExtents, query, navcat };
}
