/** Three thousand units with one goal: agents with the same goal share one search. */
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, listEvents, moveAgentTo } from 'navkiln/crowd';
import { buildFromPolygons, findNearest2d, mapToMesh } from 'navkiln/polygon';
import { createView, drawSquares, drawMesh, everyFrame, rectangle, showStatus } from '../shared/view.ts';
import type { Point } from '../shared/view.ts';

const COUNT = 3000;
const view = createView(160, 100);
const rocks = Array.from({ length: 40 }, (_, i): Point[] => {
  const [x, y] = [30 + ((i * 61.8) % 100), 4 + ((i * 38.3) % 92)];
  return rectangle(x, y, 2 + ((i * 5) % 7), 2 + ((i * 3) % 9));
});
const { navMesh } = buildFromPolygons(
  { polygons: [{ outline: rectangle(0, 0, 160, 100) }], obstacles: rocks, yAxis: 'down' },
  { radius: 0.5 },
);
const crowd = createCrowd(navMesh, { maxAgents: COUNT });
// Four blocks, one in each corner.
const units = Array.from({ length: COUNT }, (_, i) => {
  const [block, k] = [i % 4, Math.floor(i / 4)];
  const [x, y] = [2 + (k % 25) * 0.95, 2 + Math.floor(k / 25) * 0.95];
  const start: Point = [block % 2 === 0 ? x : 160 - x, block < 2 ? y : 100 - y];
  return addAgent(crowd, mapToMesh(navMesh, start), { radius: 0.4, maxSpeed: 9 });
});

let goal: Point = [80, 50];
let reached = 0;
function send(): void {
  reached = 0;
  for (const unit of units) moveAgentTo(crowd, unit, mapToMesh(navMesh, goal));
}
send();
document.querySelector('canvas')!.addEventListener('pointerdown', (event) => {
  goal = findNearest2d(navMesh, view.pointOf(event), { halfExtents: 50 }).point;
  send();
});

const COLORS = ['#d55e00', '#0072b2', '#009e73', '#cc79a7'];
const places = new Float64Array(2 * COUNT);
const drawn = new Float64Array(5);
everyFrame((seconds) => {
  // At most four ticks a frame: on slow machines the crowd slows down, the page does not.
  const alpha = advanceCrowd(crowd, Math.min(seconds, 1 / 15));
  for (const { kind } of listEvents(crowd)) if (kind === 'arrived' || kind === 'settled') reached++;
  view.begin();
  drawMesh(view, navMesh);
  for (const [i, unit] of units.entries()) {
    interpolateAgentInto(drawn, crowd, unit, alpha);
    places[2 * i] = drawn[0];
    places[2 * i + 1] = drawn[2];
  }
  for (const [block, color] of COLORS.entries()) drawSquares(view, places, 2 * block, 8, 0.8, color);
  view.context.strokeStyle = '#26323a';
  view.context.lineWidth = 0.4;
  view.context.strokeRect(goal[0] - 1.5, goal[1] - 1.5, 3, 3);
  showStatus(`${COUNT} units, ${reached} at the goal. Click to send them.`);
});
