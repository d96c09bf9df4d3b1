import { beforeAll, describe, expect, it } from 'vitest';
import { Raw } from 'recast-navigation';
import { BORDER_REGION, CONTOUR_AREA_BORDER, spanArea, spanBottom, spanTop } from '../../src/build/voxel/types.ts';
import { compareStages } from './compare.ts';
import { poisonFreeMemory } from './heap.ts';
import { initOracle, runRecast } from './recast.ts';
import type { OracleResult } from './recast.ts';
import type { StageName } from './records.ts';
import { smallConfig, smallLevel } from './small-level.ts';

beforeAll(initOracle);

const bake = (change = {}, options = {}): OracleResult => runRecast(smallLevel(), smallConfig(change), options);

describe('oracle', () => {
  it('records every stage', () => {
    const r = bake();
    expect(r.failedStage).toBe('');
    expect(r.ok).toBe(true);
    expect(r.stages.map((s) => s.name)).toEqual([
      'input',
      'rasterize',
      'filter',
      'compact',
      'erode',
      'areas',
      'distance',
      'regions',
      'contours',
      'polymesh',
      'detail',
    ]);
    const solid = r.rasterized!;
    expect(solid.columnStart.length).toBe(60 * 60 + 1);
    expect(solid.columnStart[3600]).toBe(solid.spanCount);
    for (const span of solid.spans) {
      expect(spanTop(span)).toBeGreaterThan(spanBottom(span));
      expect([0, 63]).toContain(spanArea(span));
    }
    const field = r.compact!;
    expect(field.spanCount).toBe(field.area.length);
    // Connections are mutual. The packed layers convert to consistent records only if every offset is right.
    let links = 0;
    for (let s = 0; s < field.spanCount; s++) {
      for (let dir = 0; dir < 4; dir++) {
        const other = field.neighbor[s * 4 + dir];
        if (other < 0) continue;
        links++;
        expect(field.neighbor[other * 4 + (dir ^ 2)]).toBe(s);
      }
    }
    expect(links).toBeGreaterThan(field.spanCount * 3);
    // Recorded before the distances are blurred.
    expect(r.maxDistance).toBeGreaterThanOrEqual(Math.max(...r.distance!));
    expect(r.maxDistance).toBeLessThan(Math.max(...r.distance!) + 4);
    const largestId = Math.max(...r.region!);
    expect([largestId, largestId + 1]).toContain(r.regionCount);
    expect(r.contours!.count).toBe(largestId);
    expect(r.polyMesh!.polyCount).toBeGreaterThan(5);
    expect(Math.max(...r.polyMesh!.polys)).toBe(r.polyMesh!.vertexCount - 1);
    expect(Math.max(...r.polyMesh!.neighbors)).toBeLessThan(r.polyMesh!.polyCount);
    expect(r.detail!.polyCount).toBe(r.polyMesh!.polyCount);
    for (let p = 0; p < r.detail!.polyCount; p++)
      expect(r.detail!.triStart[p + 1]).toBeGreaterThan(r.detail!.triStart[p]);
  });

  it('reads the same values from the heap as the bindings read through getters', () => {
    // This test fails first when a release changes the layout of a struct.
    expect(Raw.Recast.BORDER_REG).toBe(0x8000);
    expect(Raw.Recast.BORDER_VERTEX).toBe(0x10000);
    expect(Raw.Recast.AREA_BORDER).toBe(0x20000);
    expect(Raw.Recast.CONTOUR_REG_MASK).toBe(0xffff);
    expect(Raw.Recast.NOT_CONNECTED).toBe(63);
    const r = bake({ maxVerticesPerPoly: 5, boundsMin: [0.5, -1, 0.25] });
    expect(r.rasterized!).toMatchObject({ width: 60, depth: 60, boundsMin: [0.5, -1, 0.25], boundsMax: [12, 2.5, 12] });
    expect(r.compact!).toMatchObject({ walkableHeightCells: 18, walkableClimbCells: 4, borderCells: 0 });
    expect(r.compact!.boundsMax[1]).toBeCloseTo(2.5 + 18 * 0.1, 5);
    expect(r.contours!.maxEdgeErrorCells).toBe(Math.fround(1.3));
    expect(r.polyMesh!.maxVerticesPerPoly).toBe(5);
    expect(r.polyMesh!.maxEdgeErrorCells).toBe(Math.fround(1.3));
  });

  it('converts tile borders and areas', () => {
    const r = bake(
      { borderCells: 5, tessellateAreaEdges: true },
      {
        volumes: [
          { type: 'box', area: 7, min: [8, -1, 8], max: [10, 3, 10] },
          { type: 'cylinder', area: 9, center: [4.5, -1, 4.5], radius: 1.2, height: 4 },
          {
            type: 'prism',
            area: 0,
            outline: [
              [6, 1.5],
              [8, 1.5],
              [8, 3.5],
              [6, 3.5],
            ],
            minY: -1,
            maxY: 3,
          },
        ],
      },
    );
    expect(r.region!.some((id) => id >= BORDER_REGION)).toBe(true);
    expect([...new Set(r.polyMesh!.area)].sort((a, b) => a - b)).toEqual([7, 9, 63]);
    expect(r.markedArea!.filter((a) => a === 0).length).toBeGreaterThan(r.erodedArea!.filter((a) => a === 0).length);
    const sides = new Set([...r.polyMesh!.neighbors].filter((n) => n < -1));
    expect([...sides].sort((a, b) => a - b)).toEqual([-5, -4, -3, -2]);
    expect(r.contours!.vertices.some((v, k) => k % 4 === 3 && (v & CONTOUR_AREA_BORDER) !== 0)).toBe(true);
  });

  it('runs each partitioning and makes a mesh on which Detour finds paths', () => {
    for (const partition of ['watershed', 'monotone', 'layers'] as const) {
      const r = bake({ partition }, { navMesh: true });
      expect(r.ok).toBe(true);
      const { query, polyIndexOf, refOf } = r.detour!;
      const near = query.findNearestPoly({ x: 1.5, y: 0, z: 1.5 }, { halfExtents: { x: 1, y: 2, z: 1 } });
      const index = polyIndexOf(near.nearestRef);
      expect(index).toBeGreaterThanOrEqual(0);
      expect(index).toBeLessThan(r.polyMesh!.polyCount);
      expect(refOf(index)).toBe(near.nearestRef);
      const path = query.computePath({ x: 1.5, y: 0.3, z: 6 }, { x: 10, y: 0.3, z: 6 });
      expect(path.success).toBe(true);
      expect(path.path.length).toBeGreaterThan(2);
      r.detour!.destroy();
    }
  });

  it('reports the stage that failed', () => {
    const r = runRecast({ positions: [0, 0, 0, 1, 0, 0, 0, 0, 1] }, smallConfig(), { navMesh: true });
    expect(r.ok).toBe(false);
    expect(r.failedStage).toBe('tile');
  });

  it('sets the content of uninitialized memory', () => {
    for (const byte of [0xab, 0]) {
      poisonFreeMemory(byte);
      for (const size of [400, 1000, 6000, 60_000]) {
        const p = Raw.Module._malloc(size);
        // The allocator keeps its own words in free memory, also where two free blocks were merged.
        const held = Raw.Module.HEAPU8.slice(p + 16, p + size - 8).filter((value) => value === byte).length;
        Raw.Module._free(p);
        expect(held / (size - 24)).toBeGreaterThan(0.9);
      }
    }
  });

  it('leaves nothing allocated in the wasm heap', () => {
    const size = (): number => Raw.Module.HEAPU8.length;
    const once = (): void => {
      bake({}, { navMesh: true }).detour!.destroy();
    };
    for (let k = 0; k < 5; k++) once();
    // The largest free block: what malloc returns without growing the heap.
    const probe = (): number => {
      const p = Raw.Module._malloc(4_000_000);
      Raw.Module._free(p);
      return p;
    };
    const before = { size: size(), at: probe() };
    for (let k = 0; k < 60; k++) once();
    expect(size()).toBe(before.size);
    expect(probe() - before.at).toBeLessThan(200_000);
  });
});

describe('compareStages', () => {
  it('finds two runs equal', () => {
    expect(compareStages(bake(), bake())).toBeUndefined();
  });

  const corruptions: [StageName, RegExp, (r: OracleResult) => void][] = [
    [
      'rasterize',
      /column \d+,\d+, span 0: .* instead of/,
      (r) => {
        r.rasterized!.spans[500] += 1 << 13;
      },
    ],
    [
      'filter',
      /column .* area 0 instead of .* area 63/,
      (r) => {
        const spans = r.filtered!.spans;
        const k = spans.findIndex((s) => spanArea(s) === 63);
        spans[k] = spans[k] & 0x3ffffff;
      },
    ],
    [
      'compact',
      /floor of span 77 \(column/,
      (r) => {
        r.compact!.y[77]++;
      },
    ],
    [
      'compact',
      /neighbors of span 1000/,
      (r) => {
        r.compact!.neighbor[4003]++;
      },
    ],
    [
      'compact',
      /boundsMax/,
      (r) => {
        r.compact!.boundsMax = [12, 2.5, 12];
      },
    ],
    [
      'erode',
      /area of span 9 /,
      (r) => {
        r.erodedArea![9] = 1;
      },
    ],
    [
      'areas',
      /area of span 10 /,
      (r) => {
        r.markedArea![10] = 1;
      },
    ],
    [
      'distance',
      /distance of span 1234/,
      (r) => {
        r.distance![1234]++;
      },
    ],
    [
      'distance',
      /largest distance/,
      (r) => {
        r.maxDistance!++;
      },
    ],
    [
      'regions',
      /region of span 1200/,
      (r) => {
        r.region![1200]++;
      },
    ],
    [
      'regions',
      /number of regions/,
      (r) => {
        r.regionCount!++;
      },
    ],
    [
      'contours',
      /contour 1, vertex 2: /,
      (r) => {
        r.contours!.vertices[(r.contours!.start[1] + 2) * 4]++;
      },
    ],
    [
      'contours',
      /contour 0, raw vertex 4: /,
      (r) => {
        r.contours!.raw[16 + 3] ^= CONTOUR_AREA_BORDER;
      },
    ],
    [
      'contours',
      /contour 0, vertex \d+: .* instead of nothing|nothing instead of/,
      (r) => {
        const c = r.contours!;
        c.start = c.start.map((s, k) => (k === 0 ? s : s - 1));
        c.vertices = Int32Array.from([...c.vertices].toSpliced(c.start[1] * 4, 4));
      },
    ],
    [
      'polymesh',
      /vertex 3: /,
      (r) => {
        r.polyMesh!.vertices[10]++;
      },
    ],
    [
      'polymesh',
      /^polygon 2: /,
      (r) => {
        r.polyMesh!.polys[13]++;
      },
    ],
    [
      'polymesh',
      /neighbors of polygon 1: /,
      (r) => {
        r.polyMesh!.neighbors[6]--;
      },
    ],
    [
      'polymesh',
      /area of polygon 4: /,
      (r) => {
        r.polyMesh!.area[4] = 2;
      },
    ],
    [
      'polymesh',
      /polygon \d+: nothing instead of/,
      (r) => {
        r.polyMesh!.polyCount--;
      },
    ],
    [
      'detail',
      /polygon 0, extra vertex 0: /,
      (r) => {
        r.detail!.vertices[1] += 0.01;
      },
    ],
    [
      'detail',
      /polygon 1, triangle 0: /,
      (r) => {
        r.detail!.tris[r.detail!.triStart[1] * 4 + 3] ^= 1;
      },
    ],
  ];
  it.each(corruptions)('names a corrupt %s: %s', (stage, words, corrupt) => {
    const broken = bake();
    corrupt(broken);
    const difference = compareStages(broken, bake());
    expect(difference?.stage).toBe(stage);
    expect(difference?.what).toMatch(words);
    expect(difference?.text.startsWith(`${stage}: `)).toBe(true);
  });
});
