/**
 * A streamed world: a level is published as tiles, and only the tiles around a walker are loaded, within a budget of bytes. The store is
 * in memory here; a game uses createHttpCache and the files of `navkiln world publish`.
 */
import { addAgent, advanceCrowd, createCrowd, getAgent, moveAgentTo } from 'navkiln/crowd';
import { createMemoryCache } from 'navkiln/worker';
import { openWorld, publishWorld, streamAround } from 'navkiln/world';
import { createView, drawDisc, drawMesh, everyFrame, showStatus } from '../shared/view.ts';

const [WIDTH, DEPTH, TILE] = [160, 100, 10];
const view = createView(WIDTH, DEPTH);

// Flat ground with walls.
const positions = [0, 0, 0, 0, 0, DEPTH, WIDTH, 0, DEPTH, WIDTH, 0, 0];
const indices = [0, 1, 2, 0, 2, 3];
for (let i = 0; i < 60; i++) {
  const [x, z, at] = [5 + ((i * 61.8) % (WIDTH - 10)), 5 + ((i * 38.3) % (DEPTH - 20)), positions.length / 3];
  const [dx, dz] = i % 2 === 0 ? [12, 0] : [0, 12];
  positions.push(x, -1, z, x, 3, z, x + dx, 3, z + dz, x + dx, -1, z + dz);
  indices.push(at, at + 1, at + 2, at, at + 2, at + 3);
}
showStatus('Publishing the world…');
const store = createMemoryCache();
const options = { tileSize: TILE, agent: { radius: 0.5, height: 1.8, maxClimb: 0.4 } };
const { manifest } = await publishWorld(store, { positions, indices }, options);
const allBytes = manifest.tiles.bytes.reduce((sum, bytes) => sum + bytes, 0);

const world = await openWorld(store);
const budget = { radius: 26, maxBytes: allBytes / 3 };
const start = [8, 0, 50];
while (streamAround(world, [start], budget).missingTiles > 0) await new Promise((next) => setTimeout(next));
const crowd = createCrowd(world.navMesh, { maxAgents: 1 });
const walker = addAgent(crowd, start, { radius: 0.5, maxSpeed: 9, maxAcceleration: 30 });

// It follows the pointer, or walks a round.
let goal = [150, 0, 50];
const rounds = [
  [150, 0, 50],
  [80, 0, 90],
  [8, 0, 50],
  [80, 0, 8],
];
document.querySelector('canvas')!.addEventListener('pointerdown', (event) => {
  const [x, y] = view.pointOf(event);
  goal = [x, 0, y];
});

let seconds = 0;
everyFrame((passed) => {
  const { position, velocity } = getAgent(crowd, walker)!;
  const { bytes, loadedTiles } = streamAround(world, [{ position, velocity }], budget);
  const [dx, dz] = [goal[0] - position[0], goal[2] - position[2]];
  const distance = Math.hypot(dx, dz);
  if (distance < 3) goal = rounds[(rounds.findIndex(([x, , z]) => x === goal[0] && z === goal[2]) + 1) % rounds.length];
  seconds += passed;
  if (seconds > 0.5) {
    seconds = 0;
    // Ground that is far away is not loaded: head for what is.
    const share = Math.min(1, 20 / distance);
    moveAgentTo(crowd, walker, [position[0] + share * dx, 0, position[2] + share * dz]);
  }
  advanceCrowd(crowd, Math.min(passed, 0.1));

  view.begin();
  const { context } = view;
  context.fillStyle = '#e6e1d6';
  context.fillRect(0, 0, WIDTH, DEPTH);
  drawMesh(view, world.navMesh);
  context.strokeStyle = '#5b4b3f';
  context.lineWidth = 0.6;
  for (let at = 12; at < positions.length; at += 12) {
    context.beginPath();
    context.moveTo(positions[at], positions[at + 2]);
    context.lineTo(positions[at + 6], positions[at + 8]);
    context.stroke();
  }
  drawDisc(view, position[0], position[2], 1.2, '#d55e00');
  drawDisc(view, goal[0], goal[2], 0.8, '#26323a');
  const share = Math.round((100 * bytes) / allBytes);
  showStatus(
    `${loadedTiles} of ${manifest.tiles.bytes.length} tiles loaded, ${share} % of the bytes. Click to send the walker.`,
  );
});
