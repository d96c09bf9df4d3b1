/**
 * Plans two grids of tiles over the same two triangles, and prints their tiles, the most bytes that the planner holds and those that it
 * writes, as JSON. Runs with --expose-gc, in a process of its own, where nothing else changes the heap.
 */
import { planPublication } from '../../../../out/world/streaming/plan/cut.js';

const SIDE = 1536;
const ground = {
  positions: Float32Array.of(0, 0, 0, 0, 0, SIDE, SIDE, 0, SIDE, SIDE, 0, 0),
  indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
};

/** Returns the bytes in use. The memory of arrays is freed a moment after their collection. */
async function used() {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function measure(tileSize) {
  const before = await used();
  let [held, written] = [0, 0];
  const store = {
    get: async () => undefined,
    set: async (name, bytes) => {
      written += bytes.length;
      if (!name.includes('chunks/')) held = Math.max(held, (await used()) - before);
    },
    delete: async () => {},
    keys: async () => [],
  };
  const { plan } = await planPublication(store, ground, { cellSize: 1.5, tileSize });
  return { tiles: plan.tiles, held, written };
}

// The first plan also compiles the code.
await measure(24);
const all = [await measure(24), await measure(12)];
const column = (name) => all.map((one) => one[name]);
console.log(JSON.stringify({ tiles: column('tiles'), held: column('held'), written: column('written') }));
