/**
 * Measures bakes: every contender makes a mesh that answers path queries from the same triangles, and returns
 * it.
 *
 * The bake by default is measured, which differs from Recast's where that is wrong. With `recast: true` its polygons must be Recast's.
 */
import { optionsFromSettings, resolveBake } from 'navkiln/build';
import type { BakeConfig, BuildOptions, Partition } from 'navkiln/build';
import { measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Contender, Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';
import { bakeWithNavcat } from './navcat.ts';
import { bakeWithNavkiln } from './navkiln.ts';
import type { NavkilnBake } from './navkiln.ts';
import { bakeWithRecast } from './recast.ts';
import type { RecastBake } from './recast.ts';

export interface BakeRow {
  level: string;
  partition: string;
  triangles: number;
  cells: number;
  polygons: number;
  navcatPolygons: number;
  /** Median milliseconds, by contender. */
  ms: Record<string, number>;
  /** time(navkiln) / time(peer). */
  ratios: Record<string, Spread>;
  stages?: StageRow[];
}

export interface StageRow {
  stage: string;
  ms: number;
  recastMs: number;
  ratio: Spread;
}

/** Stages of the report that belong to one call of Recast. Recast's names are on the left. */
const STAGE_GROUPS: readonly [recast: string, ours: readonly string[]][] = [
  ['input', ['input', 'slope']],
  ['rasterize', ['rasterize']],
  ['filter', ['filter']],
  ['compact', ['compact']],
  ['erode', ['erode', 'areas']],
  ['distance', ['distance']],
  ['regions', ['regions']],
  ['contours', ['contours']],
  ['polymesh', ['polymesh']],
  ['detail', ['detail']],
  ['tile', ['navmesh']],
];

export interface BakeBenchOptions {
  rounds: number;
  stages: boolean;
  partition?: Partition;
  navcat: boolean;
}

export function benchBake(level: BenchLevel, options: BakeBenchOptions): BakeRow {
  const { positions, indices } = level;
  const buildOptions: BuildOptions = {
    ...level.options,
    ...(options.partition ? optionsFromSettings({ partition: options.partition }) : {}),
  };
  const equalOptions: BuildOptions = { ...buildOptions, recast: true };
  const config = resolveBake({ positions, indices }, equalOptions);
  const ours = bakeWithNavkiln(positions, indices, equalOptions);
  const theirs = bakeWithRecast(positions, indices, config, true);
  agree(level.name, ours, theirs, config);
  theirs.navMesh.destroy();
  const withNavcat = options.navcat && config.partition === 'watershed';
  const navcatPolygons = withNavcat ? bakeWithNavcat(positions, indices, config).polyCount : -1;

  const ourStages: NavkilnBake['report']['stages'][] = [];
  const recastStages: RecastBake['stages'][] = [];
  const contenders: Contender[] = [
    {
      name: 'navkiln',
      run: () => bakeWithNavkiln(positions, indices, buildOptions),
      release: (bake) => {
        ourStages.push((bake as NavkilnBake).report.stages);
      },
    },
    {
      name: 'recast',
      run: () => bakeWithRecast(positions, indices, config, false),
      release: (bake) => {
        recastStages.push((bake as RecastBake).stages);
        (bake as RecastBake).navMesh.destroy();
      },
    },
  ];
  if (withNavcat) contenders.push({ name: 'navcat', run: () => bakeWithNavcat(positions, indices, config) });
  const warmups = 5;
  const times = measureInterleaved(contenders, { rounds: options.rounds, warmups });

  const row: BakeRow = {
    level: level.name,
    partition: config.partition,
    triangles: indices.length / 3,
    cells: config.widthCells * config.depthCells,
    polygons: theirs.polyCount,
    navcatPolygons,
    ms: {},
    ratios: {},
  };
  contenders.forEach(({ name }, k) => {
    row.ms[name] = spreadOf(times[k]).median;
    if (k > 0) row.ratios[name] = ratioOf(times[0], times[k]);
  });
  if (options.stages) row.stages = compareStageTimes(ourStages.slice(warmups), recastStages.slice(warmups));
  return row;
}

function compareStageTimes(
  ours: { name: string; ms: number }[][],
  theirs: { name: string; ms: number }[][],
): StageRow[] {
  const sum = (round: { name: string; ms: number }[], names: readonly string[]): number =>
    round.reduce((ms, stage) => (names.includes(stage.name) ? ms + stage.ms : ms), 0);
  const grouped = STAGE_GROUPS.flatMap(([, names]) => names);
  const rest = [...new Set(ours.flat().map((stage) => stage.name))].filter((name) => !grouped.includes(name));
  const rows: StageRow[] = [];
  for (const [stage, names] of STAGE_GROUPS) {
    const a = ours.map((round) => sum(round, names));
    const b = theirs.map((round) => sum(round, [stage]));
    if (spreadOf(b).median === 0 && spreadOf(a).median === 0) continue;
    rows.push({ stage, ms: spreadOf(a).median, recastMs: spreadOf(b).median, ratio: ratioOf(a, b) });
  }
  for (const name of rest) {
    const a = ours.map((round) => sum(round, [name]));
    rows.push({ stage: name, ms: spreadOf(a).median, recastMs: 0, ratio: { q1: NaN, median: NaN, q3: NaN } });
  }
  return rows;
}

/** Throws unless navkiln's mesh has Recast's polygons, in the same order, over the same vertices. */
function agree(level: string, ours: NavkilnBake, theirs: RecastBake, config: BakeConfig): void {
  const mesh = ours.navMesh;
  const fail = (what: string): never => {
    throw new Error(`bake of ${level}: ${what}`);
  };
  if (mesh.polyCount !== theirs.polyCount) fail(`${mesh.polyCount} polygons, Recast has ${theirs.polyCount}`);
  const vertexCount = theirs.vertices.length / 3;
  if (mesh.vertexCount !== vertexCount) fail(`${mesh.vertexCount} vertices, Recast has ${vertexCount}`);
  for (let v = 0; v < vertexCount; v++) {
    for (let axis = 0; axis < 3; axis++) {
      const size = axis === 1 ? config.cellHeight : config.cellSize;
      const cells = (mesh.vertices[v * 3 + axis] - config.boundsMin[axis]) / size;
      const expected = theirs.vertices[v * 3 + axis];
      if (Math.abs(cells - expected) > 1e-3) fail(`vertex ${v}, axis ${axis}: ${cells} cells, Recast has ${expected}`);
    }
  }
  const nvp = config.maxVerticesPerPoly;
  for (let p = 0; p < mesh.polyCount; p++) {
    for (let k = 0; k < nvp; k++) {
      const vertex = k < mesh.polyVertexCount[p] ? mesh.edgeVertex[mesh.polyEdgeStart[p] + k] : 0xffff;
      const expected = theirs.polys[p * nvp + k];
      if (vertex !== expected) fail(`polygon ${p}, corner ${k}: ${vertex}, Recast has ${expected}`);
    }
  }
}
