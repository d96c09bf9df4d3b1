/**
 * Bakes a level for agents of several sizes at once. Each size gets a mesh with the bytes of a separate bake.
 *
 * Triangles are read and rasterized once. Filters and the compact field depend on height and climb, so they run once
 * for all sizes that share these; erosion and all later stages run for each size. The border around a tile grows with
 * the radius, and a grid that begins elsewhere may round differently. So in a bake with tiles, only sizes with the
 * same radius in cells share spans.
 *
 * In: triangles, options in world units, sizes. Out: one mesh and report per size.
 * Cost: in a bake of one tile, each further size takes about half the time of a separate bake (`npm run bench -- --only
 * sizes`).
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { workspaceBytes } from '../../base/data/workspace.ts';
import { insertTile } from '../../mesh/tiles/insert-tile.ts';
import type { AgentShape, NavMesh } from '../../mesh/types.ts';
import { reportOf, startMesh } from './assemble.ts';
import type { StageTimes } from './assemble.ts';
import { bakeEroded, beginStage, rasterizeTile, watchEmptiness } from './build-tile.ts';
import type { PreparedTiles } from './build-tile.ts';
import { sortIntoTiles, tileConfig } from './build-tile-grid.ts';
import { returnWorkspace, takeWorkspace } from './build.ts';
import { buildCompactField } from './field/compact.ts';
import { checkBuildOptions, resolveConfig } from './config.ts';
import { borderDistance, erodeArea, erodeByDistance, isNarrow } from './field/erode.ts';
import { filterSpans } from './field/filter.ts';
import { markBySlope, prepareInput } from './input.ts';
import { takeSlot } from './memory.ts';
import type { AgentSize, BuildOptions, SolidTile, Stage, TriangleInput } from './options.ts';
import type { BakeConfig } from './bake-config.ts';
import type { BuildResult } from './report.ts';
import { createBake, reportSlopes, warnAboutInput, withSurfaces } from './prepare.ts';
import type { FullBake } from './prepare.ts';
import { checkSizes } from './sizes/check.ts';
import { measureLoss, warnAboutLoss } from './empty.ts';
import type { CompactField } from './types.ts';

/** The mesh of one size. */
export interface SizedMesh extends BuildResult {
  name: string;
}

/** One size that is being baked. */
interface SizedBake {
  size: AgentSize;
  bake: FullBake;
  level: PreparedTiles;
  mesh: NavMesh;
  times: StageTimes;
}

/**
 * Bakes a level for several sizes of agents and returns one mesh per size, in their order. Each has the bytes of
 * `buildNavMesh` with that agent and the same cells: without `cellSize`, those of the smallest size.
 *
 * @param options the options of `buildNavMesh` except `dynamic`; `agent` supplies the fields that a size leaves out
 * @throws what `buildNavMesh` throws; RangeError for no sizes, more than 16, and names that occur twice
 */
export function buildNavMeshes(input: TriangleInput, options: BuildOptions, sizes: readonly AgentSize[]): SizedMesh[] {
  const caller = 'buildNavMeshes';
  checkBuildOptions(caller, options);
  checkSizes(caller, sizes);
  if (options.dynamic !== undefined)
    refuse(caller, 'options.dynamic', options.dynamic, 'absent: dynamic meshes are baked one by one');
  if (options.sizes !== undefined) refuse(caller, 'options.sizes', options.sizes, 'absent, or use buildNavMesh');
  const begun = performance.now();
  const workspace = takeWorkspace(caller, options);
  try {
    const all = sizes.map((size) => ({
      size,
      bake: createBake(caller, { ...options, agent: agentOf(options, size) }, workspace),
      times: new Map() as StageTimes,
    }));
    for (const { bake } of all) bake.measure = measureLoss;
    const bakes = prepareAll(caller, input, options, all);
    const { tileCountX, tileCountZ } = bakes[0].level.config;
    const groups = groupBy(bakes, ({ level: { config } }) =>
      [config.borderCells, config.walkableClimbCells, config.maxSlopeDegrees].join(' '),
    );
    const total = tileCountX * tileCountZ;
    for (let tile = 0; tile < total; tile++) {
      const x = tile % tileCountX;
      const z = (tile - x) / tileCountX;
      options.onProgress?.({ stage: total > 1 ? `tile ${x}, ${z}` : 'rasterize', done: tile, total });
      for (const group of groups) bakeGroup(group, x, z);
    }
    options.onProgress?.({ stage: '', done: total, total });
    return bakes.map((one) => finish(caller, input, one, begun, workspaceBytes(workspace)));
  } finally {
    returnWorkspace(workspace, options);
  }
}

function agentOf({ agent }: BuildOptions, { name: _, ...size }: AgentSize): Partial<AgentShape> {
  return { maxClimb: agent?.maxClimb, maxSlopeDegrees: agent?.maxSlopeDegrees, ...size } as Partial<AgentShape>;
}

/** Runs the stages that process the level as a whole. */
function prepareAll(
  caller: string,
  input: TriangleInput,
  options: BuildOptions,
  all: readonly Pick<SizedBake, 'size' | 'bake' | 'times'>[],
): SizedBake[] {
  for (const { bake } of all) beginStage(bake, 'input');
  const [prepared, ms] = timed(() => prepareInput(withSurfaces(caller, input, options), options.bounds, caller));
  all[0].times.set('input', ms);
  // The cells of the smallest size.
  const cells = all
    .map(({ bake }) => resolveConfig(prepared, bake.options, caller))
    .reduce((least, one) => (one.cellSize < least.cellSize ? one : least));
  const { cellSize, cellHeight } = cells;
  const tileLists = new Map<number, PreparedTiles['triangles']>();
  const slopes = new Map<number, ReturnType<typeof markBySlope>>();
  return all.map((one) => {
    const { bake } = one;
    bake.options = { ...bake.options, cellSize, cellHeight };
    const config = resolveConfig(prepared, bake.options, caller);
    bake.counts.triangles = prepared.triangleCount;
    warnAboutInput(prepared, config, bake.warn);
    let triangles = tileLists.get(config.borderCells);
    if (config.tileCells > 0 && triangles === undefined) {
      triangles = sortIntoTiles(prepared, config, caller);
      tileLists.set(config.borderCells, triangles);
    }
    beginStage(bake, 'slope');
    let slopeMs = 0;
    let marks = slopes.get(config.maxSlopeDegrees);
    // Problems of triangles are counted once.
    if (marks === undefined) {
      const from = slopes.size === 0 ? prepared : { ...prepared };
      [marks, slopeMs] = timed(() => markBySlope(from, config.maxSlopeDegrees, caller));
      slopes.set(config.maxSlopeDegrees, marks);
    }
    const { areas, walkableCount, flat } = marks;
    one.times.set('slope', slopeMs);
    reportSlopes(bake, prepared, walkableCount, flat);
    const obstacles = options.obstacles?.placed ?? [];
    const level = { options: bake.options, config, prepared, areas, walkableCount, triangles, obstacles };
    return { ...one, level, mesh: startMesh(bake, config) };
  });
}

function timed<T>(work: () => T): [result: T, ms: number] {
  const from = performance.now();
  const result = work();
  return [result, performance.now() - from];
}

function groupBy(bakes: readonly SizedBake[], keyOf: (one: SizedBake) => string): SizedBake[][] {
  const groups = new Map<string, SizedBake[]>();
  for (const one of bakes) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** Runs a stage that several sizes share. The report of the first size contains its time. */
function runStage<T>({ bake, times }: SizedBake, stage: Stage, work: () => T): T {
  beginStage(bake, stage);
  const [result, ms] = timed(work);
  times.set(stage, (times.get(stage) ?? 0) + ms);
  return result;
}

/** Bakes a tile for all sizes that share its spans. */
function bakeGroup(group: readonly SizedBake[], x: number, z: number): void {
  const [first] = group;
  const { triangles } = first.level;
  const { workspace } = first.bake;
  if (triangles !== undefined) {
    const tile = x + z * first.level.config.tileCountX;
    if (triangles.start[tile] === triangles.start[tile + 1]) return;
  }
  const made = runStage(first, 'rasterize', () => rasterizeTile(first.bake, first.level, x, z));
  if (made === undefined) return;
  const { solid } = made;
  const filterGroups = groupBy(group, ({ level: { config } }) => `${config.walkableHeightCells}`);
  const spans = filterGroups.length > 1 ? solid.spans.slice(0, solid.spanCount) : undefined;
  const columnStart = spans === undefined ? undefined : solid.columnStart.slice(0, solid.width * solid.depth + 1);
  filterGroups.forEach((members, i) => {
    if (i > 0) {
      // Later stages of the previous sizes have overwritten this memory.
      solid.spans = takeSlot(workspace, 'solid.spans', spans!.length);
      solid.spans.set(spans!);
      solid.columnStart = takeSlot(workspace, 'solid.columnStart', columnStart!.length);
      solid.columnStart.set(columnStart!);
      solid.spanCount = spans!.length;
    }
    bakeFiltered(members, made);
  });
}

/** Bakes a tile for all sizes of one height and climb. */
function bakeFiltered(members: readonly SizedBake[], { x, z, solid }: SolidTile): void {
  const [first] = members;
  const { workspace } = first.bake;
  const configOf = ({ level: { config, prepared } }: SizedBake): BakeConfig =>
    config.tileCells > 0 ? tileConfig(config, x, z, prepared.given !== undefined) : config;
  const open = members.map((one) => {
    const config = configOf(one);
    one.bake.counts.columns += solid.width * solid.depth;
    one.bake.counts.spans += solid.spanCount;
    one.bake.measure?.(one.bake.counts, solid, config.borderCells);
    beginStage(one.bake, 'rasterize');
    const goesOn = watchEmptiness(one.bake, config);
    return { one, config, goesOn, isOpen: goesOn(solid.spanCount) };
  });
  if (!open.some(({ isOpen }) => isOpen)) return;
  runStage(first, 'filter', () => {
    filterSpans(solid, open[0].config);
    const { options, obstacles, config } = first.level;
    options.obstacles?.cutHoles(solid, obstacles, config, x, z);
  });
  const field = runStage(first, 'compact', () => buildCompactField(solid, open[0].config, workspace));
  const area = members.length > 1 ? field.area.slice(0, field.spanCount) : undefined;
  /** Distances from borders, for all larger radii. */
  let distance: Uint16Array | undefined;
  const erode = (own: CompactField, radiusCells: number): void => {
    if (radiusCells <= 0 || members.length === 1 || isNarrow(own, radiusCells)) {
      erodeArea(own, radiusCells, workspace);
      return;
    }
    // A copy: later stages use the memory of the sweeps.
    distance ??= borderDistance(own, workspace).slice(0, own.spanCount + 1);
    erodeByDistance(own, radiusCells, distance);
  };
  open.forEach(({ one, config, goesOn, isOpen }, i) => {
    const { bake, level, mesh } = one;
    beginStage(bake, 'compact');
    bake.counts.walkableSpans += field.spanCount;
    if (!isOpen || !goesOn(field.spanCount, 'filter')) return;
    const own: CompactField = { ...field };
    if (i > 0) own.area.set(area!);
    runStage(one, 'erode', () => erode(own, config.walkableRadiusCells));
    const steps = bakeEroded(bake, level, { x, z, config, field: own }, goesOn);
    for (let step = steps.next(); ;) {
      if (step.done === true) {
        if (step.value !== undefined) insertTile(mesh, step.value);
        return;
      }
      const stage = step.value;
      const [next, ms] = timed(() => steps.next());
      one.times.set(stage, (one.times.get(stage) ?? 0) + ms);
      step = next;
    }
  });
}

// oxlint-disable-next-line max-params -- the parts of a report
function finish(caller: string, input: TriangleInput, one: SizedBake, begun: number, bytes: number): SizedMesh {
  const { size, bake, level, mesh, times } = one;
  warnAboutLoss(bake, level);
  bake.options.links?.addTo(caller, mesh);
  const result = { navMesh: mesh, report: reportOf(bake, level.config, times, begun, bytes) };
  bake.options.autoLinks?.addTo(caller, input, bake.options, result);
  bake.options.keepReachable?.update(caller, result, bake.options);
  return { name: size.name, ...result };
}
