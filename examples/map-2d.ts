/** A 2D map with a lake and a hut, the shortest path between two points, and a walker on it. */
import { advancePathWalker, createPathWalker } from 'navkiln';
import { buildFromPolygons, findPath2d } from 'navkiln/polygon';

const { navMesh, report } = buildFromPolygons(
  {
    polygons: [
      {
        outline: [
          [0, 0],
          [40, 0],
          [40, 30],
          [0, 30],
        ],
        holes: [
          [
            [10, 8],
            [24, 6],
            [28, 20],
            [14, 22],
          ],
        ],
      },
    ],
    // Obstacles may touch, overlap and stick out.
    obstacles: [
      [
        [30, 0],
        [34, 0],
        [34, 12],
        [30, 12],
      ],
    ],
  },
  { radius: 0.5 },
);
if (report.warnings.length > 0) console.log(report.warnings);

const path = findPath2d(navMesh, [4, 15], [37, 4]);
console.log(path.status, path.points.length, path.length.toFixed(1));

// Three units per second, frame by frame.
const walker = createPathWalker(path.points, 3);
let frames = 0;
while (!walker.done) {
  advancePathWalker(walker, 1 / 60);
  frames++;
}
console.log(`there after ${(frames / 60).toFixed(1)} s, at ${walker.position.join(', ')}`);
