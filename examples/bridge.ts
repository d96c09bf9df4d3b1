/** A drawbridge: an obstacle that adds surface, and an area of mud in front of it. */
import { createFilter, findPath } from 'navkiln';
import { addLevel, addObstacle, createWorld, moveObstacle, updateWorld } from 'navkiln/world';

// Two banks with a river of 4 m between them.
const bank = (x: number): number[] => [x, 0, 0, x, 0, 10, x + 10, 0, 10, x, 0, 0, x + 10, 0, 10, x + 10, 0, 0];
const world = createWorld({ tileSize: 6.4, agent: { radius: 0.3, height: 1.8, maxClimb: 0.4 } });
addLevel(world, { positions: [...bank(0), ...bank(14)] });

const bridge = addObstacle(world, { type: 'box', size: [5, 0.2, 2], position: [12, 4, 5], effect: 'surface' });
const { navMesh } = updateWorld(world);
const cross = (): string => findPath(navMesh, [2, 0, 5], [22, 0, 5]).status;
console.log(`raised: ${cross()}`);

moveObstacle(world, bridge, { position: [12, 0, 5] });
updateWorld(world);
console.log(`lowered: ${cross()}`);

// Mud costs four times as much, so a path avoids it where the detour costs less.
const MUD = 5;
addObstacle(world, { type: 'cylinder', radius: 2, height: 1, position: [7, 0, 5], effect: 'area', area: MUD });
updateWorld(world);
const filter = createFilter({ areaCosts: { [MUD]: 4 } });
const { length } = findPath(navMesh, [2, 0, 5], [22, 0, 5], { filter });
console.log(`around the mud: ${length > 20.1 ? 'longer' : 'straight'}`);
