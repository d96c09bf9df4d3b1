/**
 * Bakes hills with hundreds of pillars in workers, with progress, an estimate of the time left, and a button that stops the bake. The
 * canvas shows the mesh when it is done.
 *
 * Serve the repository by any static server and open examples/worker-bake/, for example: npx http-server . -o examples/worker-bake/
 */
import { bakeNavMesh } from 'navkiln/build';
import { closeBakePool, createBakePool, createIndexedDbCache } from 'navkiln/worker';

const SIDE = 96;
const TILE_SIZE = 6.4;

const form = document.querySelector('form');
const bar = document.querySelector('progress');
const status = document.querySelector('#status');
const canvas = document.querySelector('canvas');
const { workers, cache, bake, stop } = form.elements;

/** The pool is kept for all bakes with the same number of workers. */
let pool;
let controller;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void run();
});
stop.addEventListener('click', () => controller.abort());

async function run() {
  const count = Number(workers.value);
  if (pool?.workers !== count) {
    if (pool !== undefined) closeBakePool(pool);
    pool = createBakePool({ workers: count });
  }
  controller = new AbortController();
  bake.disabled = true;
  stop.disabled = false;
  const begun = performance.now();
  try {
    const { navMesh, report } = await bakeNavMesh(createLevel(), {
      tileSize: TILE_SIZE,
      agent: { radius: 0.3, height: 1.8, maxClimb: 0.4 },
      pool,
      signal: controller.signal,
      cache: cache.checked ? createIndexedDbCache('worker-bake') : undefined,
      onProgress: showProgress,
    });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const { tiles, polygons } = report.counts;
    const kept = report.cache === undefined ? '' : `, ${report.cache.hits} of them from IndexedDB`;
    status.textContent = `${tiles} tiles${kept}: ${polygons} polygons in ${seconds} s.`;
    draw(navMesh);
  } catch (error) {
    bar.value = 0;
    status.textContent = error.name === 'AbortError' ? 'Stopped.' : error.message;
  } finally {
    bake.disabled = false;
    stop.disabled = true;
  }
}

/** Shows the progress, the number of tiles, and the time left. `total` is 0 until the number of tiles is known. */
function showProgress({ done, total, msLeft }) {
  if (total === 0) return;
  bar.value = done / total;
  const left = msLeft === undefined ? '' : `, ${(msLeft / 1000).toFixed(1)} s left`;
  // The first two of the counted steps are those of the level as a whole.
  status.textContent = `${Math.max(0, done - 2)} of ${total - 2} tiles${left}`;
}

/** Returns hills with a pillar on each fourth square of a meter. */
function createLevel() {
  const positions = [];
  const indices = [];
  const height = (x, z) => 2 * Math.sin(x / 9) * Math.cos(z / 7);
  for (let z = 0; z <= SIDE; z++) for (let x = 0; x <= SIDE; x++) positions.push(x, height(x, z), z);
  for (let z = 0; z < SIDE; z++) {
    for (let x = 0; x < SIDE; x++) {
      const v = z * (SIDE + 1) + x;
      indices.push(v, v + SIDE + 1, v + SIDE + 2, v, v + SIDE + 2, v + 1);
    }
  }
  for (let z = 1; z < SIDE; z += 4) {
    for (let x = 1 + (z % 3); x < SIDE; x += 4) addPillar(positions, indices, x, z, height(x, z) - 1);
  }
  // Typed arrays are shared with the workers, or copied to them a part at a time.
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Adds the four walls and the top of a box. */
function addPillar(positions, indices, x, z, y) {
  const v = positions.length / 3;
  const corners = [
    [x, z],
    [x, z + 1],
    [x + 1, z + 1],
    [x + 1, z],
  ];
  for (const [cx, cz] of corners) positions.push(cx, y, cz, cx, y + 4, cz);
  for (let k = 0; k < 4; k++) {
    const [a, b] = [v + 2 * k, v + 2 * ((k + 1) % 4)];
    indices.push(a, b, b + 1, a, b + 1, a + 1);
  }
  indices.push(v + 1, v + 3, v + 5, v + 1, v + 5, v + 7);
}

/** Draws the polygons of a mesh from above, colored by height. */
function draw(mesh) {
  const context = canvas.getContext('2d');
  const scale = canvas.width / SIDE;
  context.clearRect(0, 0, canvas.width, canvas.height);
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const first = mesh.polyEdgeStart[poly];
    let sum = 0;
    context.beginPath();
    for (let edge = first; edge < first + mesh.polyVertexCount[poly]; edge++) {
      const at = 3 * mesh.edgeVertex[edge];
      context.lineTo(mesh.vertices[at] * scale, mesh.vertices[at + 2] * scale);
      sum += mesh.vertices[at + 1];
    }
    context.closePath();
    context.fillStyle = `hsl(${200 - 25 * (sum / mesh.polyVertexCount[poly])} 55% 72%)`;
    context.fill();
    context.strokeStyle = '#3b5566';
    context.lineWidth = 0.6;
    context.stroke();
  }
}
