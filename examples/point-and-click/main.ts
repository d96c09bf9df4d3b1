/**
 * A point-and-click adventure: the floor of a painted room is a polygon with holes. A click anywhere leads to the nearest position, and the
 * hero becomes smaller with the distance.
 */
import { advancePathWalker, createPathWalker, setPathWalkerPoints } from 'navkiln';
import { buildFromPolygons, findNearest2d, findPath2d } from 'navkiln/polygon';
import { createView, drawLine, everyFrame, rectangle, showStatus } from '../shared/view.ts';
import type { Point } from '../shared/view.ts';

const view = createView(320, 200);
const ground: Point[] = [
  [8, 196],
  [70, 118],
  [128, 118],
  [132, 104],
  [160, 104],
  [166, 118],
  [248, 118],
  [312, 196],
];
/** Things in the room: the part of the floor that each covers, and how it is drawn. */
const things: { name: string; foot: Point[]; draw: (context: CanvasRenderingContext2D) => void }[] = [
  {
    name: 'the table',
    foot: rectangle(96, 148, 58, 12),
    draw: (c) =>
      fill(c, '#8a5a3c', [
        [94, 130, 62, 8],
        [98, 138, 5, 22],
        [147, 138, 5, 22],
      ]),
  },
  {
    name: 'the barrel',
    foot: rectangle(204, 134, 24, 8),
    draw: (c) =>
      fill(c, '#a9744f', [
        [204, 106, 24, 36],
        [202, 112, 28, 3],
        [202, 131, 28, 3],
      ]),
  },
  {
    name: 'the chest',
    foot: rectangle(232, 168, 40, 10),
    draw: (c) =>
      fill(c, '#6b4a2f', [
        [232, 154, 40, 24],
        [249, 162, 6, 6],
      ]),
  },
];
const { navMesh } = buildFromPolygons(
  { polygons: [{ outline: ground }], obstacles: things.map(({ foot }) => foot), yAxis: 'down' },
  { radius: 4 },
);

let goal: Point = [150, 112];
let place: Point = findNearest2d(navMesh, [60, 180], { halfExtents: 300 }).point;
const walker = createPathWalker(findPath2d(navMesh, place, goal).points, 55);
let text = 'Click to walk. The door is at the back.';
document.querySelector('canvas')!.addEventListener('pointerdown', (event) => {
  const clicked = view.pointOf(event);
  const thing = things.find(
    ({ foot }) => clicked[0] > foot[0][0] && clicked[0] < foot[1][0] && Math.abs(clicked[1] - foot[0][1]) < 24,
  );
  goal = findNearest2d(navMesh, clicked, { halfExtents: 300 }).point;
  setPathWalkerPoints(walker, findPath2d(navMesh, place, goal).points);
  text = thing === undefined ? 'Walk there.' : `Walk to ${thing.name}.`;
});

everyFrame((seconds) => {
  advancePathWalker(walker, Math.min(seconds, 0.1));
  if (walker.pointCount > 0) place = [walker.position[0], walker.position[1]];
  view.begin();
  const { context } = view;
  drawRoom(context);
  drawLine(view, findPath2d(navMesh, place, goal).points, '#ffffff66', 1.2);
  // From back to front, so that the hero passes behind and before things.
  const layers = things.map(({ foot, draw }) => ({ y: foot[2][1], draw }));
  layers.push({ y: place[1], draw: drawHero });
  for (const { draw } of layers.sort((a, b) => a.y - b.y)) draw(context);
  showStatus(walker.done ? 'There. Click to walk.' : text);
});

function fill(context: CanvasRenderingContext2D, color: string, boxes: [number, number, number, number][]): void {
  context.fillStyle = color;
  for (const [x, y, width, height] of boxes) {
    context.fillRect(x, y, width, height);
    context.fillStyle = '#4c3320';
  }
}

function drawRoom(context: CanvasRenderingContext2D): void {
  fill(context, '#c9b79c', [[0, 0, 320, 200]]);
  fill(context, '#a8b7c7', [[70, 10, 180, 108]]);
  fill(context, '#7a5a42', [[131, 50, 30, 68]]);
  fill(context, '#f6e7b2', [
    [190, 36, 34, 30],
    [206, 36, 2, 30],
  ]);
  context.fillStyle = '#b98f63';
  context.beginPath();
  for (const [x, y] of [
    [0, 200],
    [70, 118],
    [250, 118],
    [320, 200],
  ])
    context.lineTo(x, y);
  context.fill();
  context.strokeStyle = '#a57d54';
  context.lineWidth = 0.8;
  for (let i = 0; i <= 12; i++) {
    context.beginPath();
    context.moveTo(70 + 15 * i, 118);
    context.lineTo((320 / 12) * i, 200);
    context.stroke();
  }
}

function drawHero(context: CanvasRenderingContext2D): void {
  const [x, y] = place;
  const size = 0.35 + 0.65 * ((y - 104) / 92);
  const step = walker.done ? 0 : Math.sin(walker.distance / 4) * 3;
  context.save();
  context.translate(x, y);
  context.scale(size, size);
  fill(context, '#00000022', [[-9, -2, 18, 4]]);
  fill(context, '#26323a', [[-5 + step, -16, 4, 16]]);
  fill(context, '#26323a', [[1 - step, -16, 4, 16]]);
  fill(context, '#0072b2', [[-7, -38, 14, 24]]);
  context.fillStyle = '#f0c9a4';
  context.beginPath();
  context.arc(0, -45, 7, 0, 7);
  context.fill();
  fill(context, '#5b3a1e', [[-7, -53, 14, 6]]);
  context.restore();
}
