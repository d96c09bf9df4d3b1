/** Tiles that are rebuilt while the game runs, a jump across a gap, and questions to ask of a mesh. */
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
  // Tiles are counted from the corner of the bounds: give them when the level may grow.
  bounds: { min: [0, -1, 0], max: [27, 4, 12] },
};
const { navMesh, report } = buildNavMesh(level, options);
console.log(`${report.counts.tiles} tiles, ${report.counts.polygons} polygons`);

// There is no way across. Why?
console.log(explainPath(navMesh, [2, 0, 6], [25, 0, 6]).message);

// A jump, both ways. It counts as 5 m, so short ways around would be taken instead.
const jump = addLink(navMesh, { start: [11.3, 0, 6], end: [15.7, 0, 6], bothWays: true, cost: 5 });
console.log(findPath(navMesh, [2, 0, 6], [25, 0, 6]).status);
setLinkEnabled(navMesh, jump, false);
console.log(findPath(navMesh, [2, 0, 6], [25, 0, 6]).status);

// A crate is put down: only the tile under it is baked again.
const crate = [4, 1, 4, 4, 1, 6, 6, 1, 6, 4, 1, 4, 6, 1, 6, 6, 1, 4];
const tile = buildTile({ positions: [...level.positions, ...crate] }, options, 0, 0);
removeTile(navMesh, findTile(navMesh, 0, 0));
if (tile !== null) addTile(navMesh, tile);

// What is in sight, how far a step slides along it, what can be reached within 6 m.
console.log(raycast(navMesh, [2, 0, 5], [9, 0, 5]).status);
console.log(moveAlongSurface(navMesh, [3, 0, 5], [5, 0, 5.5]).point);
console.log(findReachable(navMesh, [2, 0, 2], { maxDistance: 6 }).polys.length);
