/** A door that closes: paths then lead through the passage at the far end, and the mesh equals a fresh bake with the door in it. */
import { findPath } from 'navkiln';
import { addLevel, addObstacle, createWorld, removeObstacle, updateWorld } from 'navkiln/world';

// Two rooms of 8 x 8 m, joined by a passage of 2 m in the middle and one at the far end.
const slab = (x0: number, z0: number, x1: number, z1: number): number[] =>
  [x0, z0, x0, z1, x1, z1, x0, z0, x1, z1, x1, z0].flatMap((value, k) => (k % 2 === 0 ? [value, 0] : [value]));
const positions = [...slab(0, 0, 8, 8), ...slab(12, 0, 20, 8), ...slab(8, 0, 12, 2), ...slab(8, 3, 12, 5)];
const world = createWorld({ tileSize: 6.4, agent: { radius: 0.3, height: 1.8, maxClimb: 0.4 } });
addLevel(world, { positions });
const { navMesh } = updateWorld(world);
const pathLength = (): string => findPath(navMesh, [6, 0, 4], [14, 0, 4]).length.toFixed(1);
console.log(`open: ${pathLength()} m`);

// The door is thinner than a cell of the mesh, and still closes the passage.
const door = addObstacle(world, { type: 'box', size: [0.1, 2.2, 2], position: [10, 1.1, 4] });
console.log(`closing rebuilds ${updateWorld(world).changedTileCount} tiles`);
console.log(`closed: ${pathLength()} m`);

removeObstacle(world, door);
updateWorld(world);
console.log(`open again: ${pathLength()} m`);
