/** One character walks to a goal. It is pushed aside, a crate blocks its path, and it jumps across a gap. */
import { addLink, addTile, removeTile } from 'navkiln';
import { findTile } from 'navkiln/kernel';
import { buildNavMesh, buildTile } from 'navkiln/build';
import { crossLink, followPath, steerAlong } from 'navkiln/corridor';

// Two platforms with a gap of 3 m between them.
const platform = (x: number): number[] => [x, 0, 0, x, 0, 12, x + 12, 0, 12, x, 0, 0, x + 12, 0, 12, x + 12, 0, 0];
const level = { positions: [...platform(0), ...platform(15)] };
const options = {
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 },
  tileSize: 8,
  bounds: { min: [0, -1, 0], max: [27, 4, 12] },
};
const { navMesh } = buildNavMesh(level, options);
addLink(navMesh, { start: [11.3, 0, 6], end: [15.7, 0, 6], bothWays: true });

const follower = followPath(navMesh, [2, 0, 6], [25, 0, 6]);
console.log(follower.status);

// Four units per second, frame by frame. Any code may move the character; `steerAlong` takes its position.
let position: readonly number[] = [2, 0, 6];
let frames = 0;
let isThere = false;
while (!isThere && frames < 1000) {
  const { corner, distance, isAtGoal, isAtLink } = steerAlong(follower, navMesh, position);
  isThere = isAtGoal;
  if (isAtLink) {
    const jump = crossLink(follower, navMesh);
    if (jump !== null) position = jump.end;
    console.log('jumped');
  } else if (distance > 0) {
    const step = Math.min(4 / 60, distance) / distance;
    position = position.map((value, k) => value + step * (corner[k] - value));
  }
  if (frames === 30) position = [position[0], 0, position[2] + 1.5];
  if (frames === 60) {
    const crate = [8, 1, 5, 8, 1, 8, 9, 1, 8, 8, 1, 5, 9, 1, 8, 9, 1, 5];
    for (const x of [0, 1]) {
      const tile = buildTile({ positions: [...level.positions, ...crate] }, options, x, 0);
      removeTile(navMesh, findTile(navMesh, x, 0));
      if (tile !== null) addTile(navMesh, tile);
    }
  }
  frames++;
}
console.log(`there after ${(frames / 60).toFixed(1)} s and ${follower.searchCount} searches`);
