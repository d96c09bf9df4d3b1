/** Drawing functions of the 2D examples: a canvas that fits a map on the page, polygons of a mesh, lines and discs. */
import { navMeshOutlines, navMeshTriangles } from 'navkiln';
import type { DebugGeometry, NavMesh } from 'navkiln';

export type Point = [number, number];

/** A canvas on which units of a map are drawn, y down. */
export interface View {
  context: CanvasRenderingContext2D;
  /** Clears the canvas, and fits width x height of the map on it. */
  begin(): void;
  /** The position on the map of a pointer event. */
  pointOf(event: PointerEvent): Point;
}

/** Creates the view of the page's canvas. */
export function createView(width: number, height: number): View {
  const canvas = document.querySelector('canvas')!;
  const context = canvas.getContext('2d')!;
  const fit = { scale: 1, left: 0, top: 0 };
  return {
    context,
    begin() {
      canvas.width = canvas.clientWidth * devicePixelRatio;
      canvas.height = canvas.clientHeight * devicePixelRatio;
      fit.scale = Math.min(canvas.width / width, canvas.height / height);
      fit.left = (canvas.width - fit.scale * width) / 2;
      fit.top = (canvas.height - fit.scale * height) / 2;
      context.setTransform(fit.scale, 0, 0, fit.scale, fit.left, fit.top);
    },
    pointOf: ({ offsetX, offsetY }) => [
      (offsetX * devicePixelRatio - fit.left) / fit.scale,
      (offsetY * devicePixelRatio - fit.top) / fit.scale,
    ],
  };
}

/** Fills the polygons of a mesh of a 2D map, with a thin line around each. */
export function drawMesh({ context }: View, mesh: NavMesh, fill: string = '#cfe3f0', line: string = '#ffffff'): void {
  const surface = navMeshTriangles(mesh);
  context.fillStyle = context.strokeStyle = fill;
  context.lineWidth = 0.02;
  context.beginPath();
  for (const [k, v] of surface.indices!.entries()) {
    if (k % 3 === 0) context.closePath();
    context[k % 3 === 0 ? 'moveTo' : 'lineTo'](...positionOf(surface, v));
  }
  context.closePath();
  context.fill();
  // Covers the thin gaps that smoothing leaves between triangles.
  context.stroke();
  const edges = navMeshOutlines(mesh);
  context.strokeStyle = line;
  context.lineWidth = 0.06;
  context.beginPath();
  for (let v = 0; v < edges.positions.length / 3; v++)
    context[v % 2 === 0 ? 'moveTo' : 'lineTo'](...positionOf(edges, v));
  context.stroke();
}

/** Position of a vertex of a drawing on the map. */
function positionOf({ origin, positions }: DebugGeometry, v: number): Point {
  return [origin[0] + positions[3 * v], origin[2] + positions[3 * v + 2]];
}

/** Draws a line through points. */
export function drawLine(
  { context }: View,
  points: readonly (readonly number[])[],
  color: string,
  width: number,
): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.lineJoin = context.lineCap = 'round';
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

/** Draws a disc, and with a heading a line to its front. */
export function drawDisc(
  { context }: View,
  x: number,
  y: number,
  radius: number,
  color: string,
  heading?: Point,
): void {
  context.fillStyle = color;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
  if (heading === undefined) return;
  context.strokeStyle = '#ffffff';
  context.lineWidth = radius / 3;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 0.8 * radius * heading[0], y + 0.8 * radius * heading[1]);
  context.stroke();
}

/** Draws many discs of one size and color at once: x and y of each, the first of which is at `first`. */
export function drawDiscs(
  { context }: View,
  places: ArrayLike<number>,
  first: number,
  stride: number,
  radius: number,
  color: string,
): void {
  context.fillStyle = color;
  context.beginPath();
  for (let at = first; at + 1 < places.length; at += stride) {
    context.moveTo(places[at] + radius, places[at + 1]);
    context.arc(places[at], places[at + 1], radius, 0, 7);
  }
  context.fill();
}

/** Like `drawDiscs`, with squares, which browsers draw faster. */
export function drawSquares(
  { context }: View,
  places: ArrayLike<number>,
  first: number,
  stride: number,
  side: number,
  color: string,
): void {
  context.fillStyle = color;
  for (let at = first; at + 1 < places.length; at += stride)
    context.fillRect(places[at] - side / 2, places[at + 1] - side / 2, side, side);
}

/** The corners of a rectangle. */
export const rectangle = (x: number, y: number, width: number, height: number): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/** Shows a sentence on the page. */
export function showStatus(text: string): void {
  document.querySelector('#status')!.textContent = text;
}

/** Calls `frame` before each frame is drawn, with the seconds since the last one. */
export function everyFrame(frame: (seconds: number) => void): void {
  // The timestamp of a frame is its start, which may lie before this call.
  let last = Infinity;
  const next = (now: number): void => {
    frame(Math.max(0, now - last) / 1000);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}
