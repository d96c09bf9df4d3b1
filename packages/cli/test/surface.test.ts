/** `navkiln bake --surface`: levels without voxels, and settings that do not apply. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadNavMesh } from 'navkiln';
import { run } from './cli.ts';

let folder = '';

/** Two floors with a step between them, and a third one that is turned over. */
const WALK_MESH = [
  'v 0 0 0',
  'v 0 0 4',
  'v 4 0 4',
  'v 4 0 0',
  'v 4 0.3 0',
  'v 4 0.3 4',
  'v 8 0.3 4',
  'v 8 0.3 0',
  'f 1 2 3 4',
  'f 5 6 7 8',
  '',
].join('\n');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-surface-'));
  writeFileSync(join(folder, 'walk.obj'), WALK_MESH);
  writeFileSync(
    join(folder, 'flipped.obj'),
    WALK_MESH.replace('f 1 2 3 4', 'f 4 3 2 1').replace('f 5 6 7 8', 'f 8 7 6 5'),
  );
}, 200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('bakes a surface mesh', async () => {
  const { status, stdout, stderr } = await run(
    ['bake', 'walk.obj', '--surface', '-o', 'walk.navmesh', '--json'],
    folder,
  );
  expect(status, stderr).toBe(0);
  const summary = JSON.parse(stdout) as { polygons: number; warnings: unknown[]; stages: { name: string }[] };
  expect(summary).toMatchObject({ polygons: 2, tiles: 1, warnings: [] });
  expect(summary.stages.map(({ name }) => name)).toContain('conform');
  expect(loadNavMesh(readFileSync(join(folder, 'walk.navmesh'))).polyCount).toBe(2);
  const path = await run(['path', 'walk.navmesh', '--from', '1,0,1', '--to', '7,0.3,3', '--json'], folder);
  expect(JSON.parse(path.stdout)).toMatchObject({ status: 'complete' });
});

it('reads its options from flags and from a configuration', async () => {
  writeFileSync(
    join(folder, 'bake.yaml'),
    'levels: [walk.obj]\noutput: by-file.navmesh\nsurface: { islandMinArea: 20 }\nagent: { maxClimb: 0.1 }\n',
  );
  const both = await run(['bake', '--config', 'bake.yaml', '--json'], folder);
  expect(JSON.parse(both.stdout)).toMatchObject({
    polygons: 0,
    warnings: [{ code: 'small-islands', count: 2 }, { code: 'empty-result' }],
  });
  expect([both.status, both.stderr.match(/^try: .*$/m)?.[0]]).toEqual([1, 'try: --island-min-area 0']);
  const flag = await run(['bake', '--config', 'bake.yaml', '--island-min-area', '1', '--json'], folder);
  expect(JSON.parse(flag.stdout)).toMatchObject({ polygons: 2, warnings: [] });
});

it('--two-sided: flipped floors are walked on, with voxels and without', async () => {
  for (const args of [['--surface'], []]) {
    const { status, stdout, stderr } = await run(
      ['bake', 'flipped.obj', '--two-sided', '-o', 'both.navmesh', '--json', ...args],
      folder,
    );
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ warnings: [] });
    expect(loadNavMesh(readFileSync(join(folder, 'both.navmesh'))).polyCount).toBeGreaterThan(0);
  }
  const placed = await run(['bake', 'flipped.obj::twoSided=true', '--surface', '-o', 'both.navmesh', '--json'], folder);
  expect(JSON.parse(placed.stdout)).toMatchObject({ polygons: 2, warnings: [] });
  writeFileSync(
    join(folder, 'sides.yaml'),
    'levels: [{ file: flipped.obj, twoSided: true }]\noutput: both.navmesh\nsurface: {}\n',
  );
  const configured = await run(['bake', '--config', 'sides.yaml', '--json'], folder);
  expect(JSON.parse(configured.stdout)).toMatchObject({ polygons: 2, warnings: [] });
});

it('reports flipped winding, and refuses settings of the voxel bake', async () => {
  const flipped = await run(['bake', 'flipped.obj', '--surface', '-o', 'flipped.navmesh'], folder);
  expect(flipped.status).toBe(1);
  expect(flipped.stderr).toMatch(/face down and none up/);
  expect(flipped.stderr).toMatch(/\ntry: --two-sided, or flip the faces/);
  for (const [args, message] of [
    [['--surface', '--cell-size', '0.1'], /cellSize: only applies to the voxel bake/],
    [['--weld-tolerance', '0.1'], /only apply with --surface/],
    [['--surface', '--weld-tolerance', '0'], /--weld-tolerance/],
    [['--max-gap', '0.1'], /only apply with --surface/],
    [['--surface', '--memory-limit', '2 parsecs'], /--memory-limit: must be a number of bytes, or a size such as/],
  ] as const) {
    const { status, stderr } = await run(['bake', 'walk.obj', '-o', 'x.navmesh', ...args], folder);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  }
});

it('joins gaps up to --max-gap, and names one that joins the others', async () => {
  const apart = WALK_MESH.replaceAll('v 8', 'v 8.05').replaceAll('v 4 0.3', 'v 4.05 0.3');
  writeFileSync(join(folder, 'apart.obj'), apart);
  const bake = ['bake', 'apart.obj', '--surface', '-o', 'apart.navmesh', '--memory-limit', '0.5GiB'];
  const open = await run(bake, folder);
  expect(open.stderr).toMatch(
    /by more than the weldTolerance of 0\.0018, the widest by 0\.05.* or use a maxGap of 0\.053/,
  );
  const joined = await run([...bake, '--max-gap', '0.053'], folder);
  expect(joined.stderr).toMatch(/1 gap of up to 0\.05 in the surface was joined/);
  const path = await run(['path', 'apart.navmesh', '--from', '1,0,1', '--to', '7,0.3,1', '--json'], folder);
  expect(JSON.parse(path.stdout)).toMatchObject({ status: 'complete' });
});
