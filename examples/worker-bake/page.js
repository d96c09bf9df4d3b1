/**
 * Bakes hills with hundreds of pillars in workers, with progress, an estimate of the time left, and a button that stops the bake. The
 * canvas shows the mesh when it is done.
 *
 * Serve the repository by any static server and open examples/worker-bake/, for example: npx http-server . -o examples/worker-bake/
 */
import { navMeshOutlines, navMeshTriangles } from 'navkiln';
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

/** Draws a mesh from above, colored by height, with lines around its polygons. */
function draw(mesh) {
  const context = canvas.getContext('2d');
  const scale = canvas.width / SIDE;
  context.clearRect(0, 0, canvas.width, canvas.height);
  const { origin, positions, indices } = navMeshTriangles(mesh);
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [...indices.subarray(t, t + 3)];
    const height = origin[1] + corners.reduce((sum, v) => sum + positions[3 * v + 1], 0) / 3;
    context.fillStyle = context.strokeStyle = `hsl(${200 - 25 * height} 55% 72%)`;
    context.lineWidth = 0.5;
    context.beginPath();
    for (const v of corners)
      context.lineTo((origin[0] + positions[3 * v]) * scale, (origin[2] + positions[3 * v + 2]) * scale);
    context.closePath();
    context.fill();
    context.stroke();
  }
  const edges = navMeshOutlines(mesh);
  context.strokeStyle = '#3b5566';
  context.lineWidth = 0.6;
  context.beginPath();
  for (let v = 0; v < edges.positions.length; v += 3) {
    const [x, z] = [edges.origin[0] + edges.positions[v], edges.origin[2] + edges.positions[v + 2]];
    context[v % 6 === 0 ? 'moveTo' : 'lineTo'](x * scale, z * scale);
  }
  context.stroke();
}
