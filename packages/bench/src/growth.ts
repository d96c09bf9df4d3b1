/**
 * Measures how time and memory of a bake grow with the level: scenes from 10^5 columns up, each baked in a
 * process of its own, so that the peak memory of the process is that of the bake. Reports nanoseconds and
 * bytes per column.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildNavMesh, createWorkspace, resolveBake, workspaceBytes } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';
import { bakeWithRecast, initRecast, recastHeapBytes } from './recast.ts';

export interface GrowthRow {
  level: string;
  scale: number;
  contender: string;
  columns: number;
  spans: number;
  triangles: number;
  polygons: number;
  /** Time of a first bake in a process that has baked a small level, and of a second bake. */
  firstMs: number;
  secondMs: number;
  /** Peak memory that the process took for its bakes, without the level's triangles. */
  peakBytes: number;
  /** navkiln: the workspace. Recast: the wasm heap, which never shrinks. */
  heldBytes: number;
  /** Bytes that a second bake, and the first, took in array buffers and on the heap. navkiln only. */
  secondBytes: number;
  firstBytes: number;
  /** Bytes of the mesh's arrays, which are part of that. */
  meshBytes: number;
  stages: { name: string; ms: number }[];
  error: string;
}

/** Columns of a scene at scale 1. */
function columnsOf(level: string): number {
  const scene = findLevelScene(level);
  const config = resolveBake(scene.create(), scene.options);
  return config.widthCells * config.depthCells;
}

/** Returns a row per level, size and contender. Sizes are columns. */
export function measureGrowth(
  levels: readonly string[],
  sizes: readonly number[],
  contenders: readonly string[],
): GrowthRow[] {
  const rows: GrowthRow[] = [];
  for (const level of levels) {
    const one = columnsOf(level);
    for (const size of sizes) {
      for (const contender of contenders) rows.push(measureInChild(level, size / one, contender));
    }
  }
  return rows;
}

function measureInChild(level: string, scale: number, contender: string): GrowthRow {
  // Tests run the sources; the child process runs the build.
  const script = fileURLToPath(import.meta.url).replace(/src([\\/])growth\.ts$/, 'dist$1growth.js');
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=16000', script, '--child', level, String(scale), contender],
    { encoding: 'utf8', maxBuffer: 1 << 24 },
  );
  const line = child.stdout.trim().split('\n').pop() ?? '';
  if (child.status === 0 && line.startsWith('{')) return JSON.parse(line) as GrowthRow;
  const error =
    /^\s*\w*(?:Error|abort): [^\n]*/im.exec(child.stderr)?.[0].trim() ?? `ended with ${child.status ?? child.signal}`;
  return { ...emptyRow(level, scale, contender), error };
}

function emptyRow(level: string, scale: number, contender: string): GrowthRow {
  return {
    level,
    scale,
    contender,
    columns: 0,
    spans: 0,
    triangles: 0,
    polygons: 0,
    firstMs: 0,
    secondMs: 0,
    peakBytes: 0,
    heldBytes: 0,
    firstBytes: 0,
    meshBytes: 0,
    secondBytes: 0,
    stages: [],
    error: '',
  };
}

const collect = (): void => (globalThis as { gc?: () => void }).gc?.();

/** Runs and measures array buffers before a garbage collection, and the heap after it. */
function bytesOf(run: () => void): number {
  collect();
  const before = process.memoryUsage();
  run();
  const { arrayBuffers } = process.memoryUsage();
  collect();
  return arrayBuffers - before.arrayBuffers + Math.max(0, process.memoryUsage().heapUsed - before.heapUsed);
}

async function measureHere(level: string, scale: number, contender: string): Promise<GrowthRow> {
  const row = emptyRow(level, scale, contender);
  const scene = findLevelScene(level);
  const small = scene.create(undefined, 0.25);
  const isRecast = contender === 'recast';
  if (isRecast) await initRecast();
  // Warm-up: the engine compiles, and takes its own memory.
  for (let k = 0; k < 6; k++) {
    if (isRecast)
      bakeWithRecast(small.positions, small.indices, resolveBake(small, scene.options), false).navMesh.destroy();
    else buildNavMesh(small, { ...scene.options, workspace: createWorkspace() });
  }
  const mesh = scene.create(undefined, scale);
  const options = { ...scene.options, memoryLimitBytes: 2 ** 36 };
  const config = resolveBake(mesh, options);
  row.columns = config.widthCells * config.depthCells;
  row.triangles = mesh.indices.length / 3;
  collect();
  // The peak so far belongs to creating the level; measure from the memory that is resident now.
  const peakBefore = process.resourceUsage().maxRSS * 1024;
  const before = process.memoryUsage().rss;
  const workspace = createWorkspace();
  const bake = (): { polygons: number; stages: GrowthRow['stages']; spans: number; meshBytes: number } => {
    if (!isRecast) {
      const { navMesh, report } = buildNavMesh(mesh, { ...options, workspace });
      const arrays = Object.values(navMesh).filter((value) => ArrayBuffer.isView(value));
      const meshBytes = arrays.reduce((sum, array) => sum + array.byteLength, 0);
      return { polygons: report.counts.polygons, stages: report.stages, spans: report.counts.spans, meshBytes };
    }
    const { navMesh, polyCount, stages } = bakeWithRecast(mesh.positions, mesh.indices, config, false);
    navMesh.destroy();
    return { polygons: polyCount, stages, spans: 0, meshBytes: 0 };
  };
  let begin = performance.now();
  row.firstBytes = bytesOf(() => {
    bake();
    row.firstMs = performance.now() - begin;
  });
  const peak = process.resourceUsage().maxRSS * 1024;
  row.peakBytes = peak > peakBefore ? peak - before : NaN;
  row.heldBytes = isRecast ? recastHeapBytes() : workspaceBytes(workspace);
  row.secondBytes = bytesOf(() => {
    begin = performance.now();
    Object.assign(row, bake());
    row.secondMs = performance.now() - begin;
  });
  return row;
}

if (process.argv[2] === '--child') {
  const row = await measureHere(process.argv[3], Number(process.argv[4]), process.argv[5]);
  console.log(JSON.stringify(row));
}
