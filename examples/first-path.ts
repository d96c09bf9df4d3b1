import { buildNavMesh, findPath } from 'navkiln';

// A floor of 20 m by 10 m, and a wall across it that leaves a gap of 3 m.
const positions = [0, 0, 0, 0, 0, 10, 20, 0, 10, 20, 0, 0, 10, 0, 0, 10, 0, 7, 10, 2, 7, 10, 2, 0];
const indices = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];

const { navMesh } = buildNavMesh({ positions, indices }, { agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 } });
const path = findPath(navMesh, [2, 0, 2], [18, 0, 2]);
console.log(path.status, path.points);
