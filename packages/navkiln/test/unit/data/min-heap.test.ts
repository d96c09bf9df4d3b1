import { describe, expect, it } from 'vitest';
import { createMinHeap, popItem, pushItem } from '../../../src/data/min-heap.ts';
import { seeded } from '../meshes.ts';

describe('min-heap', () => {
  it('gives items back by key, then by number, as sorting does', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = seeded(seed);
      const heap = createMinHeap();
      const keys = Float64Array.from({ length: 300 }, () => Math.floor(random() * 40));
      let live: number[] = [];
      for (let item = 0; item < 300; item++) {
        pushItem(heap, item, keys);
        live.push(item);
        if (random() < 0.4) {
          live.sort((a, b) => keys[a] - keys[b] || a - b);
          expect(popItem(heap), `seed ${seed}`).toBe(live[0]);
          live = live.slice(1);
        }
      }
      live.sort((a, b) => keys[a] - keys[b] || a - b);
      for (const item of live) expect(popItem(heap), `seed ${seed}`).toBe(item);
      expect(heap.count).toBe(0);
    }
  });
});
