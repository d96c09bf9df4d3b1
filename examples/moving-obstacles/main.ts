/**
 * Obstacles that move through a crowd: three bars turn, and a crate follows the pointer. Only the tiles that they touch are rebuilt, within
 * 3 ms a frame.
 */
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, listEvents, moveAgentTo } from 'navkiln/crowd';
import { mapToMesh } from 'navkiln/polygon';
import { addObstacle, createMapWorld, moveObstacle, updateWorld } from 'navkiln/world';
import { createView, drawDisc, drawMesh, everyFrame, rectangle, showStatus } from '../shared/view.ts';
import type { Point } from '../shared/view.ts';

const view = createView(48, 30);
const world = createMapWorld(
  { polygons: [{ outline: rectangle(0, 0, 48, 30) }], yAxis: 'down' },
  { radius: 0.4, tileSize: 8 },
);
const bars = [10, 24, 38].map((x, i) => ({
  x,
  speed: 20 + 10 * i,
  id: addObstacle(world, { type: 'box', size: [1, 11], position: [x, 15] }),
}));
const crate = addObstacle(world, { type: 'box', size: [3, 3], position: [17, 6] });
const { navMesh } = updateWorld(world);

// Eighty agents that walk from side to side.
const crowd = createCrowd(navMesh, { maxAgents: 80 });
const agents = Array.from({ length: 80 }, (_, i) => {
  const y = 1.5 + 27 * ((i >> 1) / 40);
  const ends: Point[] = [
    [1.5, y],
    [46.5, 28.5 - y + 1.5],
  ];
  const id = addAgent(crowd, mapToMesh(navMesh, ends[i % 2]), { radius: 0.35, maxSpeed: 2 + (i % 5) / 4 });
  return { id, ends, next: 1 - (i % 2) };
});
const send = (agent: (typeof agents)[number]): void => {
  moveAgentTo(crowd, agent.id, mapToMesh(navMesh, agent.ends[agent.next]));
  agent.next = 1 - agent.next;
};
agents.forEach(send);

let pointer: Point = [17, 6];
document.querySelector('canvas')!.addEventListener('pointermove', (event) => (pointer = view.pointOf(event)));

const drawn = new Float64Array(5);
let time = 0;
let trips = 0;
let rebuilt = 0;
everyFrame((seconds) => {
  time += seconds;
  for (const { id, x, speed } of bars) moveObstacle(world, id, { position: [x, 15], rotation: speed * time });
  moveObstacle(world, crate, { position: pointer });
  rebuilt += updateWorld(world, { maxMs: 3, seconds }).changedTileCount;

  const alpha = advanceCrowd(crowd, Math.min(seconds, 0.1));
  for (const { kind, agent } of listEvents(crowd)) {
    if (kind !== 'arrived' && kind !== 'settled') continue;
    trips++;
    send(agents.find(({ id }) => id === agent)!);
  }

  view.begin();
  drawMesh(view, navMesh);
  for (const [i, { id }] of agents.entries()) {
    interpolateAgentInto(drawn, crowd, id, alpha);
    drawDisc(view, drawn[0], drawn[2], 0.35, i % 2 === 0 ? '#d55e00' : '#0072b2', [drawn[3], drawn[4]]);
  }
  const { context } = view;
  context.fillStyle = '#5b4b3f';
  for (const { x, speed } of bars) {
    context.save();
    context.translate(x, 15);
    // Obstacles turn counter-clockwise, a canvas clockwise.
    context.rotate((-speed * time * Math.PI) / 180);
    context.fillRect(-0.5, -5.5, 1, 11);
    context.restore();
  }
  context.fillRect(pointer[0] - 1.5, pointer[1] - 1.5, 3, 3);
  showStatus(`${trips} trips, ${rebuilt} tiles rebuilt. The crate follows the pointer.`);
});
