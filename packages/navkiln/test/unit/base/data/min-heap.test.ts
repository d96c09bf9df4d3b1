import { describe, expect, it } from 'vitest';
import { createMinHeap, popItem, pushItem } from '../../../../src/base/data/min-heap.ts';
import { seeded } from '../../meshes.ts';

describe('min-heap', () => {
  it('pops items in the order of their keys', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = seeded(seed);
      const heap = createMinHeap();
      const keys = Float64Array.from({ length: 300 }, () => Math.floor(random() * 40));
      const live = new Set<number>();
      const wrong: number[] = [];
      const pop = (): void => {
        const item = popItem(heap);
        if (!live.has(item) || keys[item] !== Math.min(...Array.from(live, (one) => keys[one]))) wrong.push(item);
        live.delete(item);
      };
      for (let item = 0; item < 300; item++) {
        pushItem(heap, item, keys);
        live.add(item);
        if (random() < 0.4) pop();
      }
      while (live.size > 0) pop();
      expect(wrong, `seed ${seed}`).toEqual([]);
      expect(heap.count).toBe(0);
    }
  });

  it('orders equal keys independently of the item numbers', () => {
    const random = seeded(9);
    const heap = createMinHeap();
    const other = createMinHeap();
    const keys = Float64Array.from({ length: 200 }, () => Math.floor(random() * 5));
    const otherKeys = keys.slice().reverse();
    for (let item = 0; item < 200; item++) {
      pushItem(heap, item, keys);
      pushItem(other, 199 - item, otherKeys);
      if (item % 3 === 2) expect(popItem(heap)).toBe(199 - popItem(other));
    }
    while (heap.count > 0) expect(popItem(heap)).toBe(199 - popItem(other));
  });
});
