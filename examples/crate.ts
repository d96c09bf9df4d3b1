/** A crate that is pushed through a crowd, with 2 ms per frame for the mesh; a second one that carves only when it stands still. */
import { addAgent, createCrowd, getAgent, moveAgentTo, stepCrowd } from 'navkiln/crowd';
import { addLevel, addObstacle, createWorld, moveObstacle, updateWorld } from 'navkiln/world';

const world = createWorld({ tileSize: 6.4, agent: { radius: 0.3, height: 1.8, maxClimb: 0.4 } });
addLevel(world, { positions: [0, 0, 0, 0, 0, 10, 24, 0, 10, 0, 0, 0, 24, 0, 10, 24, 0, 0] });
const { navMesh } = updateWorld(world);

const crowd = createCrowd(navMesh, { maxAgents: 16 });
const agents = Array.from({ length: 10 }, (_, k) => addAgent(crowd, [2, 0, 0.5 + k], { radius: 0.3, maxSpeed: 3 }));
for (const [k, agent] of agents.entries()) moveAgentTo(crowd, agent, [22, 0, 0.5 + k]);

const crate = addObstacle(world, { type: 'box', size: [2, 1, 2], position: [12, 0.5, 2] });
const slow = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [16, 0.5, 8], carveOnlyStationary: true });

let mostPending = 0;
for (let frame = 0; frame < 800; frame++) {
  const z = 2 + Math.min(frame / 60, 6);
  moveObstacle(world, crate, { position: [12, 0.5, z], rotation: frame / 4 });
  if (frame < 200) moveObstacle(world, slow, { position: [16, 0.5, 8 - frame / 100] });
  const { pendingTileCount } = updateWorld(world, { maxMs: 2, seconds: crowd.stepSeconds });
  mostPending = Math.max(mostPending, pendingTileCount);
  stepCrowd(crowd);
}
const passed = agents.filter((agent) => getAgent(crowd, agent)!.position[0] > 20).length;
console.log(`${passed} of ${agents.length} agents passed the crate`);
console.log(`no more than ${mostPending < 8 ? 'a few' : 'many'} tiles ever waited`);
