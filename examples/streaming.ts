/** A level that is published as tiles, and a walker around whom they are loaded, within 100 KB. */
import { addAgent, createCrowd, getAgent, moveAgentTo, stepCrowd } from 'navkiln/crowd';
import { createMemoryCache } from 'navkiln/worker';
import { openWorld, publishWorld, streamAround } from 'navkiln/world';

// Ground of 200 x 40 with a wall every 20 that leaves a gap on one side.
const positions = [0, 0, 0, 0, 0, 40, 200, 0, 40, 200, 0, 0];
const indices = [0, 1, 2, 0, 2, 3];
for (let i = 1; i < 10; i++) {
  const [x, from, to, at] = [20 * i, i % 2 === 0 ? 0 : 10, i % 2 === 0 ? 30 : 40, positions.length / 3];
  positions.push(x, 0, from, x, 3, from, x, 3, to, x, 0, to);
  indices.push(at, at + 1, at + 2, at, at + 2, at + 3);
}

const store = createMemoryCache(); // in Node createFolderStore of navkiln-cli/cache, in a page createHttpCache
const { manifest } = await publishWorld(store, { positions, indices }, { tileSize: 16, agent: { radius: 0.4 } });
const total = manifest.tiles.bytes.reduce((sum, bytes) => sum + bytes, 0);

const world = await openWorld(store);
const options = { radius: 30, maxBytes: 100_000 };
// The first tiles, before the walker can stand on one.
while (streamAround(world, [[2, 0, 20]], options).missingTiles > 0) await new Promise((next) => setTimeout(next));

const crowd = createCrowd(world.navMesh, { maxAgents: 1 });
const walker = addAgent(crowd, [2, 0, 20], { maxSpeed: 6 });
let mostBytes = 0;
for (let frame = 0; frame < 60 * 120 && getAgent(crowd, walker)!.position[0] < 190; frame++) {
  const { position, velocity } = getAgent(crowd, walker)!;
  const { bytes } = streamAround(world, [{ position, velocity }], options);
  mostBytes = Math.max(mostBytes, bytes);
  // The goal lies on ground that is not loaded yet: head for what is.
  if (frame % 60 === 0) moveAgentTo(crowd, walker, [Math.min(195, position[0] + 30), 0, 20]);
  stepCrowd(crowd);
  if (frame % 20 === 0) await new Promise((next) => setTimeout(next));
}
console.log(`the walker is ${getAgent(crowd, walker)!.position[0] >= 190 ? 'through' : 'stuck'}`);
console.log(`never more than ${mostBytes < total / 2 ? 'half' : 'all'} of the tiles were loaded`);
