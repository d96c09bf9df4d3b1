/** The configuration's estimate of a bake's memory is a lower bound, and close to the actual amount. Large fields take less per column. */
import { expect, it } from 'vitest';
import { buildNavMesh, createWorkspace, workspaceBytes } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';

it('estimates a lower bound of the memory, within a factor of three for one floor', () => {
  for (const [name, scale, most] of [
    ['terrain', 1, 3],
    ['terrain-coarse', 3, 3],
    ['dungeon', 1, 3],
    ['city', 1, 4],
  ] as const) {
    const scene = findLevelScene(name);
    const level = scene.create(undefined, scale);
    const workspace = createWorkspace();
    buildNavMesh(level, { ...scene.options, workspace });
    const held = workspaceBytes(workspace);
    let limit = held;
    const isRefused = (): boolean => {
      try {
        buildNavMesh(level, { ...scene.options, workspace, memoryLimitBytes: limit });
        return false;
      } catch (error) {
        return /for the .* of memoryLimitBytes/.test((error as Error).message);
      }
    };
    expect(isRefused(), name).toBe(false);
    limit = held / most;
    expect(isRefused(), name).toBe(true);
  }
});

// `npm run soak` sets NAVKILN_FULL: a bake of 17 million columns.
it.runIf(process.env['NAVKILN_FULL'] !== undefined)(
  'takes at most 40 bytes per column where the copy of neighbors would be large',
  { timeout: 60_000 },
  () => {
    const scene = findLevelScene('terrain-coarse');
    const workspace = createWorkspace();
    const { report } = buildNavMesh(scene.create(undefined, 16), { ...scene.options, workspace });
    expect(report.counts.walkableSpans).toBeGreaterThan(2 ** 22);
    expect(report.counts.polygons).toBeGreaterThan(100);
    expect(workspaceBytes(workspace) / report.counts.columns).toBeLessThan(40);
  },
);
