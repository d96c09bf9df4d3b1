/** Tiles that are rebuilt at run time, a jump across a gap, and several queries. */
import {
  addLink,
  addTile,
  explainPath,
  findPath,
  findReachable,
  moveAlongSurface,
  raycast,
  removeTile,
  setLinkEnabled,
} from 'navkiln';
import { findTile } from 'navkiln/kernel';
import { buildNavMesh, buildTile } from 'navkiln/build';

// Two platforms with a gap of 3 m between them: counter-clockwise seen from above.
const platform = (x: number): number[] => [x, 0, 0, x, 0, 12, x + 12, 0, 12, x, 0, 0, x + 12, 0, 12, x + 12, 0, 0];
const level = { positions: [...platform(0), ...platform(15)] };
const options = {
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 },
  tileSize: 8,
  // The tile grid starts at the corner of the bounds. Fixed bounds keep it in place when the level grows.
  bounds: { min: [0, -1, 0], max: [27, 4, 12] },
};
const { navMesh, report } = buildNavMesh(level, options);
console.log(`${report.counts.tiles} tiles, ${report.counts.polygons} polygons`);

// No path crosses the gap; this explains why.
console.log(explainPath(navMesh, [2, 0, 6], [25, 0, 6]).message);

// A jump in both directions. It costs as much as 5 m, so the search prefers short detours.
const jump = addLink(navMesh, { start: [11.3, 0, 6], end: [15.7, 0, 6], bothWays: true, cost: 5 });
console.log(findPath(navMesh, [2, 0, 6], [25, 0, 6]).status);
setLinkEnabled(navMesh, jump, false);
console.log(findPath(navMesh, [2, 0, 6], [25, 0, 6]).status);

// A crate appears: only the tile under it is rebuilt.
const crate = [4, 1, 4, 4, 1, 6, 6, 1, 6, 4, 1, 4, 6, 1, 6, 6, 1, 4];
const tile = buildTile({ positions: [...level.positions, ...crate] }, options, 0, 0);
removeTile(navMesh, findTile(navMesh, 0, 0));
if (tile !== null) addTile(navMesh, tile);

// A ray, a step that slides along a wall, and the polygons within 6 m of walking.
console.log(raycast(navMesh, [2, 0, 5], [9, 0, 5]).status);
console.log(moveAlongSurface(navMesh, [3, 0, 5], [5, 0, 5.5]).point);
console.log(findReachable(navMesh, [2, 0, 2], { maxDistance: 6 }).polys.length);
