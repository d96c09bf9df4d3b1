/**
 * Tower defence: towers are obstacles of the mesh. A click builds one, unless it would close the last path. Creeps search new paths when the
 * mesh changes.
 */
import {
  addAgent,
  advanceCrowd,
  createCrowd,
  getAgent,
  interpolateAgentInto,
  listEvents,
  moveAgentTo,
  removeAgent,
} from 'navkiln/crowd';
import type { AgentId } from 'navkiln/crowd';
import { findPath2d, mapToMesh } from 'navkiln/polygon';
import { addObstacle, createMapWorld, removeObstacle, updateWorld } from 'navkiln/world';
import { createView, drawDisc, drawLine, drawMesh, everyFrame, rectangle, showStatus } from '../shared/view.ts';
import type { Point } from '../shared/view.ts';

const [WIDTH, HEIGHT] = [32, 20];
const ENTRY: Point = [1, 10];
const EXIT: Point = [31, 10];
const RANGE = 4;

const view = createView(WIDTH, HEIGHT);
const world = createMapWorld(
  { polygons: [{ outline: rectangle(0, 0, WIDTH, HEIGHT) }], yAxis: 'down' },
  { radius: 0.35, tileSize: 8 },
);
const { navMesh } = updateWorld(world);
const crowd = createCrowd(navMesh, { maxAgents: 200 });
const towers: { at: Point; wait: number; shot: Point | null }[] = [];
const creeps = new Map<AgentId, number>();
let [time, nextCreep, kills, leaks] = [0, 0, 0, 0];
let hint = 'Click to build towers.';

/** Builds a tower on a cell of 2 x 2. */
function build([x, y]: Point): void {
  const at: Point = [2 * Math.floor(x / 2) + 1, 2 * Math.floor(y / 2) + 1];
  if (towers.some((tower) => tower.at[0] === at[0] && tower.at[1] === at[1])) return;
  const id = addObstacle(world, { type: 'box', size: [1.9, 1.9], position: at });
  updateWorld(world);
  if (findPath2d(navMesh, ENTRY, EXIT).status === 'complete') {
    towers.push({ at, wait: 0, shot: null });
    hint = 'Click to build towers.';
    return;
  }
  removeObstacle(world, id);
  updateWorld(world);
  hint = 'That would close the last path.';
}
for (const [x, y] of [
  [9, 7],
  [9, 9],
  [9, 11],
  [9, 13],
  [17, 5],
  [17, 9],
  [17, 11],
  [17, 15],
  [23, 9],
  [23, 11],
  [23, 13],
]) {
  build([x, y]);
}
document.querySelector('canvas')!.addEventListener('pointerdown', (event) => build(view.pointOf(event)));

const drawn = new Float64Array(5);
everyFrame((passed) => {
  const seconds = Math.min(passed, 0.1);
  time += seconds;
  if (time > nextCreep) {
    nextCreep = time + 0.45;
    const creep = addAgent(crowd, mapToMesh(navMesh, ENTRY), { radius: 0.35, maxSpeed: 2.4 });
    if (creep !== 0 && moveAgentTo(crowd, creep, mapToMesh(navMesh, EXIT)) === 'accepted') creeps.set(creep, 5);
  }
  const alpha = advanceCrowd(crowd, seconds);
  for (const { kind, agent } of listEvents(crowd)) {
    if (kind !== 'arrived' && kind !== 'settled') continue;
    leaks++;
    creeps.delete(agent);
    removeAgent(crowd, agent);
  }
  shoot(seconds);

  view.begin();
  drawMesh(view, navMesh, '#dfe9d8');
  drawLine(view, findPath2d(navMesh, ENTRY, EXIT).points, '#26323a44', 0.3);
  for (const { at, shot } of towers) {
    view.context.fillStyle = '#5b4b3f';
    view.context.fillRect(at[0] - 0.95, at[1] - 0.95, 1.9, 1.9);
    drawDisc(view, at[0], at[1], 0.5, '#e69f00');
    if (shot !== null) drawLine(view, [at, shot], '#d55e00', 0.12);
  }
  for (const [creep, health] of creeps) {
    interpolateAgentInto(drawn, crowd, creep, alpha);
    drawDisc(view, drawn[0], drawn[2], 0.4, '#0072b2');
    view.context.fillStyle = '#009e73';
    view.context.fillRect(drawn[0] - 0.5, drawn[2] - 0.7, health / 5, 0.14);
  }
  showStatus(`${kills} shot, ${leaks} got through. ${hint}`);
});

/** Each tower shoots at a creep in reach, twice a second. */
function shoot(seconds: number): void {
  for (const tower of towers) {
    tower.wait -= seconds;
    if (tower.wait < 0.4) tower.shot = null;
    if (tower.wait > 0) continue;
    for (const [creep, health] of creeps) {
      const { position } = getAgent(crowd, creep)!;
      if (Math.hypot(position[0] - tower.at[0], position[2] - tower.at[1]) > RANGE) continue;
      tower.wait = 0.5;
      tower.shot = [position[0], position[2]];
      creeps.set(creep, health - 1);
      if (health > 1) break;
      kills++;
      creeps.delete(creep);
      removeAgent(crowd, creep);
      break;
    }
  }
}
