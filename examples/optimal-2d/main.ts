/**
 * Shortest paths in 2D: the path of A* and the funnel, which follows the best chain of polygons, and the shortest path to the pointer.
 */
import { buildFromPolygons, findNearest2d, findPath2d } from 'navkiln/polygon';
import { createView, drawDisc, drawLine, drawMesh, rectangle, showStatus } from '../shared/view.ts';
import type { Point } from '../shared/view.ts';

const view = createView(64, 40);
/** Rocks: irregular polygons around centers that are spread by a simple rule. */
const rocks = Array.from({ length: 34 }, (_, i): Point[] => {
  const [x, y] = [4 + ((i * 37.7) % 56), 4 + ((i * 23.3) % 32)];
  const size = 1.2 + ((i * 7) % 5) * 0.45;
  return Array.from({ length: 7 }, (_, k): Point => {
    const angle = (k / 7) * 2 * Math.PI + i;
    const radius = size * (0.75 + 0.5 * (((i + 3 * k) % 4) / 4));
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
});
const { navMesh } = buildFromPolygons(
  { polygons: [{ outline: rectangle(0, 0, 64, 40) }], obstacles: rocks, yAxis: 'down' },
  { radius: 0.4 },
);
let from = findNearest2d(navMesh, [13.8, 32.2]).point;
let to: Point = [41.1, 35.9];

function draw(): void {
  view.begin();
  drawMesh(view, navMesh, '#dfeaf2', '#b9cfdd');
  const funnel = findPath2d(navMesh, from, to, { mode: 'funnel', halfExtents: 60 });
  const shortest = findPath2d(navMesh, from, to, { mode: 'optimal', halfExtents: 60 });
  drawLine(view, funnel.points, '#d55e00', 0.35);
  drawLine(view, shortest.points, '#0072b2', 0.35);
  drawDisc(view, from[0], from[1], 0.6, '#26323a');
  drawDisc(view, ...(shortest.points.at(-1) ?? from), 0.6, '#0072b2');
  const excess = 100 * (funnel.length / shortest.length - 1);
  showStatus(
    `Shortest (blue) ${shortest.length.toFixed(2)}, funnel (orange) ${funnel.length.toFixed(2)}: ${excess.toFixed(1)} % longer. Move the pointer; click to start there.`,
  );
}

const canvas = document.querySelector('canvas')!;
canvas.addEventListener('pointermove', (event) => {
  to = view.pointOf(event);
  draw();
});
canvas.addEventListener('pointerdown', (event) => {
  from = findNearest2d(navMesh, view.pointOf(event), { halfExtents: 60 }).point;
  draw();
});
addEventListener('resize', draw);
draw();
