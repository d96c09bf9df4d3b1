/**
 * PixiJS: a grid of cells becomes a mesh, drawn with one Graphics, and ants run through it to the pointer.
 */
import { Application, Container, Graphics } from 'pixi.js';
import { createRandom, findRandomPoint } from 'navkiln';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines } from 'navkiln/debug';
import { buildFromPolygons, findNearest2d, mapToMesh, polygonsFromGrid } from 'navkiln/polygon';

const rows = [
  '##############################',
  '#......#.........#...........#',
  '#.####.#.#######.#.#########.#',
  '#.#....#.#.....#.#.#.........#',
  '#.#.####.#.###.#.#.#.#######.#',
  '#.#......#.#...#...#.#.....#.#',
  '#.########.#.#######.#.###.#.#',
  '#..........#.........#.#...#.#',
  '#.##########.#########.#.###.#',
  '#.#..........#.........#.#...#',
  '#.#.##########.#########.#.###',
  '#.#.....................#....#',
  '#.#####.###.#####.#####.####.#',
  '#.......#.........#..........#',
  '##############################',
];
const CELL = 32;
const cells = [...rows.join('')].map((cell) => cell !== '#');
const map = polygonsFromGrid(cells, rows[0].length, rows.length, { cellSize: CELL });
const { navMesh } = buildFromPolygons(map, { radius: 6 });

const app = new Application();
await app.init({
  background: '#5b4b3f',
  resizeTo: document.querySelector('#game'),
  antialias: true,
  preference: 'webgl',
});
document.querySelector('#game').append(app.canvas);
const scene = new Container();
app.stage.addChild(scene);

// One Graphics for the floor, one for the outlines of the mesh. They are built once.
const floor = new Graphics();
for (const { outline, holes = [] } of map.polygons) {
  floor.poly(outline.flat()).fill('#ece5d8');
  for (const hole of holes) floor.poly(hole.flat()).fill('#5b4b3f');
}
const lines = new Graphics();
const { positions, origin } = navMeshOutlines(navMesh);
for (let i = 0; i < positions.length; i += 6) {
  lines.moveTo(origin[0] + positions[i], origin[2] + positions[i + 2]);
  lines.lineTo(origin[0] + positions[i + 3], origin[2] + positions[i + 5]);
}
lines.stroke({ width: 1, color: '#0072b2', alpha: 0.5 });
scene.addChild(floor, lines);

// Sizes and speeds are in pixels.
const crowd = createCrowd(navMesh, { maxAgents: 120 });
const random = createRandom(11);
const ants = Array.from({ length: 120 }, (_, i) => {
  const id = addAgent(crowd, findRandomPoint(navMesh, random).point, {
    radius: 5,
    maxSpeed: 60 + (i % 5) * 8,
    maxAcceleration: 500,
  });
  moveAgentTo(crowd, id, mapToMesh(navMesh, [26 * CELL, 13.5 * CELL]));
  const view = new Graphics()
    .ellipse(0, 0, 6, 4)
    .fill(['#d55e00', '#0072b2', '#009e73'][i % 3])
    .circle(4, 0, 2)
    .fill('#26323a');
  scene.addChild(view);
  return { id, view };
});

app.stage.eventMode = 'static';
app.stage.hitArea = { contains: () => true };
app.stage.on('pointerdown', ({ global }) => {
  const { x, y } = scene.toLocal(global);
  const { point } = findNearest2d(navMesh, [x, y], { halfExtents: 100 });
  for (const { id } of ants) moveAgentTo(crowd, id, mapToMesh(navMesh, point));
});

const drawn = new Float64Array(5);
app.ticker.add(({ deltaMS }) => {
  const { width, height } = app.screen;
  const scale = Math.min(width / (CELL * rows[0].length), height / (CELL * rows.length));
  scene.scale.set(scale);
  scene.position.set((width - scale * CELL * rows[0].length) / 2, (height - scale * CELL * rows.length) / 2);
  const alpha = advanceCrowd(crowd, Math.min(deltaMS, 100) / 1000);
  for (const { id, view } of ants) {
    interpolateAgentInto(drawn, crowd, id, alpha);
    view.position.set(drawn[0], drawn[2]);
    view.rotation = Math.atan2(drawn[4], drawn[3]);
  }
});
document.querySelector('#status').textContent =
  `${navMesh.polyCount} polygons, ${ants.length} ants. Click to call them.`;
