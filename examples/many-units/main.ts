/**
 * Three thousand units with one goal: agents with the same goal share one field of costs instead of a search each.
 */
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, moveAgentTo } from 'navkiln/crowd';
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
const units = Array.from({ length: COUNT }, (_, i) =>
  addAgent(crowd, mapToMesh(navMesh, [1 + (i % 30) * 0.9, 2 + Math.floor(i / 30) * 0.96]), {
    radius: 0.4,
    maxSpeed: 6,
  }),
);

let goal: Point = [140, 50];
function send(): void {
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
let milliseconds = 0;
everyFrame((seconds) => {
  const before = performance.now();
  // At most two ticks a frame: on slow machines the crowd slows down, the page does not.
  const alpha = advanceCrowd(crowd, Math.min(seconds, 1 / 30));
  milliseconds += 0.05 * (performance.now() - before - milliseconds);
  view.begin();
  drawMesh(view, navMesh);
  for (const [i, unit] of units.entries()) {
    interpolateAgentInto(drawn, crowd, unit, alpha);
    places[2 * i] = drawn[0];
    places[2 * i + 1] = drawn[2];
  }
  for (const [k, color] of COLORS.entries()) drawSquares(view, places, 2 * k, 8, 0.7, color);
  view.context.strokeStyle = '#26323a';
  view.context.lineWidth = 0.4;
  view.context.strokeRect(goal[0] - 1.5, goal[1] - 1.5, 3, 3);
  showStatus(`${COUNT} units, ${milliseconds.toFixed(1)} ms a frame for the crowd. Click to send them.`);
});
