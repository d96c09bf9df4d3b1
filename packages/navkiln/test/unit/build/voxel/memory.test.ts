/** The memory that stages share: lifetimes do not overlap, and bakes under guard use nothing outside of its lifetime. */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { layersPartition } from '../../../../src/build/voxel/regions/layers.ts';
import { monotonePartition } from '../../../../src/build/voxel/regions/monotone.ts';
import { describe, expect, it } from 'vitest';
import { createWorkspace, workspaceBytes } from '../../../../src/base/data/workspace.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { buildNavMesh, buildTile } from '../../../../src/build/voxel/build.ts';
import { guardWorkspace, LIFETIMES } from '../../../../src/build/voxel/memory-guard.ts';
import { memoryOf, SLOTS, takeSlot } from '../../../../src/build/voxel/memory.ts';
import type { SlotName } from '../../../../src/build/voxel/memory.ts';
import { BUILD_STAGES } from '../../../../src/build/voxel/options.ts';
import type { BuildOptions, TriangleInput } from '../../../../src/build/voxel/options.ts';
import { sceneLevel } from '../../../golden/levels.ts';
import { volumesOver } from '../../../golden/cases.ts';
import { smallLevel } from '../../../oracle/small-level.ts';
import { floor } from './levels.ts';

const NAMES = Object.keys(LIFETIMES) as SlotName[];

function lifetimeOf(slot: SlotName): [from: number, until: number] {
  const [from, until] = LIFETIMES[slot];
  return [BUILD_STAGES.indexOf(from), BUILD_STAGES.indexOf(until)];
}

describe('the table of slots', () => {
  it('is in the order of stages, and no slot ends before it starts', () => {
    const starts = NAMES.map((slot) => lifetimeOf(slot)[0]);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    for (const slot of NAMES) expect(lifetimeOf(slot)[1], slot).toBeGreaterThanOrEqual(lifetimeOf(slot)[0]);
  });

  it('lets a slot take over only the memory of earlier slots that have ended', () => {
    for (const [k, slot] of NAMES.entries()) {
      if (memoryOf(slot) === slot) continue;
      expect(NAMES.indexOf(memoryOf(slot) as SlotName), slot).toBeLessThan(k);
      for (const other of NAMES.slice(0, k)) {
        if (memoryOf(other) !== memoryOf(slot)) continue;
        expect(lifetimeOf(other)[1], `${other} before ${slot}`).toBeLessThan(lifetimeOf(slot)[0]);
      }
    }
  });
});

describe('the guard', () => {
  const guarded = (): ReturnType<typeof createWorkspace> => guardWorkspace(createWorkspace());

  it('throws when an array is used after its slot was released', () => {
    const workspace = guarded();
    workspace.guard!.beginStage('rasterize');
    const last = takeSlot(workspace, 'raster.last', 4).fill(3);
    const part = last.subarray(1, 3);
    last[0] = 1;
    expect([...last, last.length, part[0]]).toEqual([1, 3, 3, 3, 4, 3]);
    workspace.guard!.beginStage('compact');
    expect(() => last[0]).toThrow(/^memory: raster\.last is used after the start of stage compact$/);
    expect(() => (part[0] = 1)).toThrow(/raster\.last is used after/);
    expect(() => last.length).toThrow(/raster\.last is used after/);
    // Whoever takes the memory next finds the poison.
    expect(takeSlot(workspace, 'field.columnStart', 1)[0]).toBe(0xa5a5a5a5 | 0);
  });

  it('throws when memory is taken that another slot holds', () => {
    const workspace = guarded();
    workspace.guard!.beginStage('rasterize');
    takeSlot(workspace, 'raster.last', 4);
    // As if compact had begun without a release.
    workspace.guard!.beginStage('compact');
    takeSlot(workspace, 'field.columnStart', 4);
    expect(() => takeSlot(workspace, 'raster.last', 4)).toThrow(
      /raster\.last is taken in stage 'compact'; must be taken/,
    );
    const wrong = SLOTS as unknown as Record<string, readonly string[]>;
    const lifetimes = LIFETIMES as unknown as Record<string, readonly string[]>;
    wrong['test.slot'] = ['int32', 'raster.last'];
    lifetimes['test.slot'] = ['compact', 'compact'];
    try {
      expect(() => takeSlot(workspace, 'test.slot' as SlotName, 4)).toThrow(
        /^memory: test\.slot is taken in stage compact while field\.columnStart holds the same memory$/,
      );
    } finally {
      delete wrong['test.slot'];
      delete lifetimes['test.slot'];
    }
  });

  it('lets an owner grow its slot, and throws when the array before is used', () => {
    const workspace = guarded();
    workspace.guard!.beginStage('contours');
    const small = takeSlot(workspace, 'contours.vertices', 4).fill(5);
    const large = takeSlot(workspace, 'contours.vertices', 8000, 4);
    expect([...large.subarray(0, 4)]).toEqual([5, 5, 5, 5]);
    expect(() => small[0]).toThrow(/^memory: contours\.vertices is used after it was taken again in stage contours$/);
  });

  it('does not let a bake leave views of its memory', () => {
    const workspace = guarded();
    buildNavMesh(floor(0, 0, 4, 4), { cellSize: 0.25, workspace });
    expect(() => takeSlot(workspace, 'field.y', 1)).toThrow(/field\.y is taken in stage ''/);
  });
});

describe('bakes under guard give the same bytes and hold the same memory', () => {
  const house = sceneLevel('house');
  const coarse: BuildOptions = { ...house.options, cellSize: 0.45, cellHeight: 0.2 };
  const small: BuildOptions = { cellSize: 0.25, cellHeight: 0.2 };
  const cases: [name: string, input: TriangleInput, options: BuildOptions][] = [
    ['watershed', house.input, coarse],
    ['monotone', house.input, { ...coarse, partition: monotonePartition }],
    ['layers', house.input, { ...coarse, partition: layersPartition }],
    ['volumes and median', house.input, { ...coarse, volumes: createVolumes(volumesOver(house)), medianAreas: true }],
    ['radius of many cells', house.input, { ...coarse, agent: { ...coarse.agent, radius: 1.3 } }],
    ['no filters, no erosion', smallLevel(), { ...small, agent: { radius: 0 }, filterLedges: false }],
    ['tiles', smallLevel(), { ...small, tileSize: 4 }],
    ['tiles, monotone', smallLevel(), { ...small, tileSize: 4, partition: monotonePartition }],
    ['tiles, layers, volumes', smallLevel(), { ...small, tileSize: 4, partition: layersPartition, medianAreas: true }],
    ['tiles within bounds', smallLevel(), { ...small, tileSize: 4, bounds: { min: [1, -1, 1], max: [9, 4, 9] } }],
    ['nothing walkable', floor(0, 0, 8, 1), small],
    ['no triangles', { positions: [] }, small],
  ];

  it.each(cases)('%s', (_, input, options) => {
    const plain = createWorkspace();
    const guarded = guardWorkspace(createWorkspace());
    const bytesOf = (workspace: typeof plain): Buffer =>
      Buffer.from(saveNavMesh(buildNavMesh(input, { ...options, workspace }).navMesh));
    const expected = bytesOf(plain);
    expect(Buffer.compare(bytesOf(guarded), expected)).toBe(0);
    // Again, in memory full of poison.
    expect(Buffer.compare(bytesOf(guarded), expected)).toBe(0);
    expect(workspaceBytes(guarded)).toBe(workspaceBytes(plain));
    if (options.tileSize) {
      expect(buildTile(input, { ...options, workspace: guarded }, 0, 0)).toEqual(buildTile(input, options, 0, 0));
    }
  });
});
