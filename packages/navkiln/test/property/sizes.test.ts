/**
 * One mesh for several sizes of agents, compared with a bake of each size alone: the walkable cells bit by bit, before and after pieces that
 * are too small are dropped, and the answers of queries. NAVKILN_FULL: all scenes and the real levels, every partition, whole and in tiles,
 * 10,000 pairs a size; otherwise one scene.
 */
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../src/base/data/random.ts';
import { createWorkspace } from '../../src/base/data/workspace.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { buildNavMesh, prepareTiles } from '../../src/build/voxel/build.ts';
import { rasterizeTile } from '../../src/build/voxel/build-tile.ts';
import type { PreparedTiles } from '../../src/build/voxel/build-tile.ts';
import { buildCompactField } from '../../src/build/voxel/field/compact.ts';
import { cellsDown, cellsUp } from '../../src/build/voxel/config.ts';
import { buildDistanceField } from '../../src/build/voxel/field/distance.ts';
import { erodeArea } from '../../src/build/voxel/field/erode.ts';
import { filterSpans } from '../../src/build/voxel/field/filter.ts';
import { markBySlope } from '../../src/build/voxel/input.ts';
import type { AgentSize, BuildOptions, SolidTile, TriangleInput } from '../../src/build/voxel/options.ts';
import type { BakeConfig, Partition } from '../../src/build/voxel/bake-config.ts';
import { runAll } from '../../src/build/voxel/prepare.ts';
import { buildRegionsLayers } from '../../src/build/voxel/regions/layers.ts';
import { buildRegionsMonotone } from '../../src/build/voxel/regions/monotone.ts';
import { buildRegionsWatershed } from '../../src/build/voxel/regions/watershed.ts';
import { createAgentSizes } from '../../src/build/voxel/sizes/create.ts';
import type { CompactField, Heightfield } from '../../src/build/voxel/types.ts';
import { BORDER_REGION } from '../../src/build/voxel/types.ts';
import { OBJ_NAMES, SCENE_NAMES, hasObjLevels, objLevel, sceneLevel } from '../golden/levels.ts';
import { bakeRecord, sizeCells } from './size-cells.ts';
import type { Point } from './size-cells.ts';

const isFull = process.env.NAVKILN_FULL !== undefined;
const SEED = Number(process.env.NAVKILN_SEED ?? 20261126);
const PAIRS = Number(process.env.NAVKILN_PAIRS ?? (isFull ? 10_000 : 100));

/** Radii in cells; heights as a part of the level's, climbs in voxels more; slopes in degrees, by default the level's. */
const SETS: Record<string, readonly (readonly [radius: number, height: number, climb: number, slope?: number])[]> = {
  two: [
    [2, 1, 0],
    [6, 1, 0],
  ],
  near: [
    [2, 1, 0],
    [3, 1, 0],
  ],
  heights: [
    [1, 0.5, 0],
    [2, 1, 1],
    [4, 1, -1],
    [8, 1.5, 0],
  ],
  crossed: [
    [1, 1.5, 0],
    [2, 1, 0],
    [5, 0.7, 1],
  ],
  slopes: [
    [1, 1, 0, 20],
    [2, 1, 0, 60],
    [3, 1, 0, 35],
    [4, 0.9, 1, 20],
    [5, 1, 0, 5],
  ],
};

function sizesOf(set: string, { cellSize = 0.3, cellHeight = 0.2, agent }: BuildOptions): AgentSize[] {
  const height = agent?.height ?? 1.8;
  const climb = agent?.maxClimb ?? 0.4;
  // One mesh needs climbs below all heights.
  const most = Math.min(...SETS[set].map(([, part]) => part)) * height - 2 * cellHeight;
  return SETS[set].map(([radius, part, more, maxSlopeDegrees], i) => ({
    name: `size ${i}`,
    radius: radius * cellSize,
    height: part * height,
    maxClimb: Math.max(0, Math.min(most, climb + more * cellHeight)),
    ...(maxSlopeDegrees === undefined ? {} : { maxSlopeDegrees }),
  }));
}

/** Copies spans, which filters change. */
function copyOf(solid: Heightfield): Heightfield {
  return { ...solid, columnStart: solid.columnStart.slice(), spans: solid.spans.slice(0, solid.spanCount) };
}

function regionsOf(field: CompactField, config: BakeConfig, partition: Partition, minArea: number): void {
  const workspace = createWorkspace();
  if (partition === 'watershed') buildDistanceField(field, workspace);
  if (partition === 'layers') buildRegionsLayers(field, minArea, workspace);
  else {
    const build = partition === 'watershed' ? buildRegionsWatershed : buildRegionsMonotone;
    build(field, minArea, config.regionMergeAreaCells, workspace);
  }
}

/** The cells of a field as texts: column and floor. */
function cellsWhere(field: CompactField, isIn: (span: number) => boolean): Set<string> {
  const cells = new Set<string>();
  for (let c = 0; c < field.width * field.depth; c++) {
    for (let i = field.columnStart[c]; i < field.columnStart[c + 1]; i++) if (isIn(i)) cells.add(`${c} ${field.y[i]}`);
  }
  return cells;
}

/** Returns how many cells are in one set only. */
function differences(a: Set<string>, b: Set<string>): number {
  let count = 0;
  for (const cell of a) if (!b.has(cell)) count++;
  for (const cell of b) if (!a.has(cell)) count++;
  return count;
}

interface Counts {
  cells: number;
  /** Cells that differ after erosion; after small pieces are dropped. */
  eroded: number;
  kept: number;
}

/** Compares the cells of a tile. The oracle runs the stages of a bake for one size, in the same window, from triangles on. */
function compareTile(tile: SolidTile, level: PreparedTiles, partition: Partition, out: Counts): void {
  const { config } = tile;
  const { options } = level;
  const workspace = createWorkspace();
  const sizes = options.sizes!;
  const field = runAll(
    sizes.build(
      { ...tile, solid: copyOf(tile.solid) },
      // oxlint-disable-next-line require-yield -- stages are not measured here
      function* (own) {
        filterSpans(own.solid, own.config);
        return buildCompactField(own.solid, own.config, workspace);
      },
      workspace,
    ),
  );
  const masks = field.sizes!.slice();
  const isWalkable = (i: number): boolean => field.area[i] !== 0;
  const eroded = config.sizes!.map((_, k) => cellsWhere(field, (i) => isWalkable(i) && ((masks[i] >> k) & 1) === 1));
  regionsOf(field, config, partition, 0);
  const codes = sizes.split(field, config);
  // The sizes that polygons of each code would get.
  const area = Uint8Array.from({ length: 256 }, (_, code) => code);
  const put = codes({ polyArea: area } as never).polySizes!;
  const kept = config.sizes!.map((_, k) =>
    cellsWhere(
      field,
      (i) => field.region[i] > 0 && field.region[i] < BORDER_REGION && ((put[field.area[i]] >> k) & 1) === 1,
    ),
  );
  config.sizes!.forEach(({ radius, height, maxClimb, maxSlopeDegrees }, k) => {
    const areas = markBySlope(level.prepared, maxSlopeDegrees).areas;
    const plain: BuildOptions = { ...options, sizes: undefined };
    const walkableClimbCells = cellsDown(maxClimb, config.cellHeight);
    const onlyThis = { ...level, options: plain, areas, config: { ...level.config, walkableClimbCells } };
    const solid = rasterizeTile(bakeRecord(plain), onlyThis, tile.x, tile.z)?.solid;
    if (solid === undefined) return expect([eroded[k].size, kept[k].size]).toEqual([0, 0]);
    const own: BakeConfig = {
      ...config,
      walkableHeightCells: cellsUp(height, config.cellHeight),
      walkableClimbCells,
      walkableRadiusCells: cellsUp(radius, config.cellSize),
    };
    filterSpans(solid, own);
    const alone = buildCompactField(solid, own);
    erodeArea(alone, own.walkableRadiusCells);
    const cells = cellsWhere(alone, (i) => alone.area[i] !== 0);
    out.cells += cells.size;
    out.eroded += differences(cells, eroded[k]);
    regionsOf(alone, own, partition, own.regionMinAreaCells);
    const left = cellsWhere(alone, (i) => alone.region[i] > 0 && alone.region[i] < BORDER_REGION);
    out.kept += differences(left, kept[k]);
  });
}

function compareCells(input: TriangleInput, base: BuildOptions, set: string, partition: Partition): Counts {
  const options: BuildOptions = {
    ...base,
    ...optionsFromSettings({ partition }),
    sizes: createAgentSizes(sizesOf(set, base)),
  };
  const level = prepareTiles(input, options);
  const counts: Counts = { cells: 0, eroded: 0, kept: 0 };
  const { tileCountX, tileCountZ } = level.config;
  for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
    const x = tile % tileCountX;
    const solid = rasterizeTile(bakeRecord(options), level, x, (tile - x) / tileCountX);
    if (solid !== undefined) compareTile(solid, level, partition, counts);
  }
  return counts;
}

const PARTITIONS: readonly Partition[] = ['watershed', 'monotone', 'layers'];

function levelOf(name: string): { input: TriangleInput; options: BuildOptions } {
  if (name.endsWith('.obj')) return objLevel(name.slice(0, -4) as (typeof OBJ_NAMES)[number]);
  const { input, options } = sceneLevel(name);
  return { input, options: isFull ? options : { ...options, cellSize: 0.5 } };
}

const names = isFull ? [...SCENE_NAMES, ...(hasObjLevels ? OBJ_NAMES.map((name) => `${name}.obj`) : [])] : ['house'];

describe('cells of a size are those of a bake for it', () => {
  for (const name of names) {
    it(name, () => {
      const { input, options } = levelOf(name);
      for (const set of Object.keys(SETS)) {
        for (const tileSize of [0, 40 * (options.cellSize ?? 0.3)]) {
          for (const partition of isFull ? PARTITIONS : (['watershed'] as const)) {
            const at = `${name}, ${set}, ${partition}, ${tileSize > 0 ? 'tiles' : 'whole'}`;
            const { cells, eroded, kept } = compareCells(input, { ...options, tileSize }, set, partition);
            expect(eroded, at).toBe(0);
            if (isFull) console.info(`${at}: ${cells} cells, ${kept} differ after small pieces are dropped`);
            // Recast drops some pieces that are enclosed by others, and layers drop them piece by piece.
            expect(kept, at).toBeLessThanOrEqual(Math.ceil((partition === 'layers' ? 0.02 : 0.002) * cells));
          }
        }
      }
    });
  }
});

/** Triangles of all slopes that cross each other, over a floor; with odd seeds of one area, so that slopes share a rasterization. */
function soup(seed: number): TriangleInput {
  const state = createRandom(seed);
  const random = (): number => nextRandom(state);
  const positions = [0, 0, 0, 0, 0, 12, 12, 0, 0, 12, 0, 0, 0, 0, 12, 12, 0, 12];
  const areas = [63, 63];
  for (let t = 0; t < 60; t++) {
    const [x, y, z] = [12 * random(), random(), 12 * random()];
    for (let k = 0; k < 3; k++) positions.push(x + 3 * random(), y + 1.5 * random() ** 2, z + 3 * random());
    const area = 1 + Math.floor(3 * random());
    areas.push(seed % 2 === 0 ? area : 63);
  }
  return { positions: Float32Array.from(positions), areas, twoSided: true };
}

describe('cells of a size are those of a bake for it, on soups of triangles', () => {
  it(`(seed ${SEED})`, () => {
    const base: BuildOptions = { agent: { height: 1.6, maxClimb: 0.3 }, cellSize: 0.25, cellHeight: 0.1 };
    for (let seed = SEED; seed < SEED + (isFull ? 300 : 2); seed++) {
      for (const set of Object.keys(SETS)) {
        for (const tileSize of [0, 5]) {
          const { cells, eroded } = compareCells(soup(seed), { ...base, tileSize }, set, 'monotone');
          expect([cells > 0, eroded], `seed ${seed}, ${set}, ${tileSize}`).toEqual([true, 0]);
        }
      }
    }
  });
});

/** Distance in cells within which simplified outlines may decide otherwise: their error, and a cell. */
const BAND_CELLS = 2.5;

/** Cells between two walls that outlines of both may close: twice their error. Passages on cells are as wide or one wider. */
const NARROW_CELLS = 3;

interface Answers {
  pairs: number;
  /** Pairs with another answer than the cells. */
  wrong: string[];
  /** Pairs to which the mesh of the size alone gives another answer, through a narrow passage; through a wider one. */
  narrow: string[];
  wide: string[];
  /** The mesh of the size alone has problems of outlines. */
  hasProblems: boolean;
  /** Number of complete paths whose shortest lengths differ by more than 1 %, beyond the band at each corner. */
  long: number;
  /** Sums of lengths by A*, one mesh and the own one, and of exact lengths. */
  length: [one: number, own: number, oneExact: number, ownExact: number];
}

/** Returns the number of polygons without area, on which exact searches and path indexes do not rely. */
function countFlat({ vertices, edgeVertex, polyEdgeStart, polyVertexCount, polyCount }: NavMesh): number {
  let count = 0;
  for (let p = 0; p < polyCount; p++) {
    let area = 0;
    for (let k = 0; k < polyVertexCount[p]; k++) {
      const a = 3 * edgeVertex[polyEdgeStart[p] + k];
      const b = 3 * edgeVertex[polyEdgeStart[p] + ((k + 1) % polyVertexCount[p])];
      area += vertices[a + 2] * vertices[b] - vertices[a] * vertices[b + 2];
    }
    if (area < 1e-9) count++;
  }
  return count;
}

/** Warnings of a bake after which its polygons may cover other ground than its cells, or lie at other heights. */
const PROBLEMS = /polygon|hole|detail/;

/** Compares the answers for one size with the cells of the size, and with those on its own mesh. */
function compareAnswers(input: TriangleInput, base: BuildOptions, set: string, pairs: number): Answers[] {
  const list = sizesOf(set, base);
  const { navMesh: one, report } = buildNavMesh(input, { ...base, sizes: createAgentSizes(list) });
  expect(validateNavMesh(one)).toEqual([]);
  // Outlines of a mesh with sizes do not cross.
  expect(report.warnings.filter(({ code }) => /not-triangulated|hole/.test(code))).toEqual([]);
  expect(countFlat(one)).toBe(0);
  const random = createRandom(SEED);
  return list.map(({ name, ...agent }) => {
    const options = { ...base, agent: { ...base.agent, ...agent } };
    const { navMesh: own, report: alone } = buildNavMesh(input, options);
    const out: Answers = {
      pairs: 0,
      wrong: [],
      narrow: [],
      wide: [],
      hasProblems: false,
      long: 0,
      length: [0, 0, 0, 0],
    };
    out.hasProblems = alone.warnings.some(({ code }) => PROBLEMS.test(code));
    const cells = sizeCells(input, options);
    if (cells.count === 0) return out;
    const band = BAND_CELLS * own.cellSize;
    for (; out.pairs < pairs; out.pairs++) {
      const [a, b] = [cells.pick(random), cells.pick(random)];
      const [from, to] = [a.point, b.point];
      const [p, q] = [findPath(one, from, to, { size: name }), findPath(own, from, to)];
      const known = cells.isConnected(a.cell, b.cell) ? 'complete' : 'partial';
      const what = `${name}: ${from.join()} to ${to.join()} is ${p.status} ${p.reason}, alone ${q.status} ${q.reason}`;
      if (p.status !== known) out.wrong.push(`${what}, on cells ${known}`);
      if (p.status !== q.status || p.reason !== q.reason) {
        const width = known === 'complete' ? cells.widthBetween(a.cell, b.cell, NARROW_CELLS) : 0;
        (width <= NARROW_CELLS ? out.narrow : out.wide).push(`${what}, passage of ${width} cells`);
        continue;
      }
      expect(p.size).toBe(name);
      expect(Math.max(p.startDistance, p.endDistance)).toBeLessThan(3 * band);
      const nearest = findNearest(one, from, { size: name });
      expect(nearest.distance).toBe(p.startDistance);
      if (q.status !== 'complete') continue;
      const [r, s] = [findOptimalPath(one, from, to, { size: name }), findOptimalPath(own, from, to)];
      [p, q, r, s].forEach(({ length }, i) => (out.length[i] += length));
      if (Math.abs(r.length - s.length) > 0.01 * s.length + band) out.long++;
      compareWalks(one, own, name, from, to, band);
    }
    return out;
  });
}

/** A ray and a walk over a mesh of a size stay on its polygons, and end near those on the mesh of that size alone. */
function compareWalks(one: NavMesh, own: NavMesh, size: string, a: Point, b: Point, band: number): void {
  const bit = one.sizes.findIndex(({ name }) => name === size);
  const hit = raycast(one, a, b, { size, withPolys: true });
  const slide = moveAlongSurface(one, a, b, { size });
  for (const ref of [...(hit.polys ?? []), ...slide.polys]) {
    expect((one.polySizes[polyIndexOf(one, ref)] >> bit) & 1).toBe(1);
  }
  const alone = raycast(own, a, b);
  // Along a wall, one of both may pass it.
  if (hit.status === 'reached' && alone.status === 'reached')
    expect(Math.hypot(hit.point[0] - alone.point[0], hit.point[2] - alone.point[2])).toBeLessThan(2 * band);
}

describe('answers for a size are those of its cells', () => {
  for (const name of isFull ? names.filter((one) => !/limits|single|one-|two-|soup|detail/.test(one)) : ['house']) {
    it(`${name} (seed ${SEED})`, () => {
      const { input, options } = levelOf(name);
      for (const set of isFull ? Object.keys(SETS) : ['two']) {
        const answers = compareAnswers(input, options, set, PAIRS);
        for (const [k, { pairs, wrong, narrow, wide, hasProblems, long, length }] of answers.entries()) {
          const at = `${name}, ${set}, ${k}`;
          const ratio = [length[0] / length[1], length[2] / length[3]];
          if (isFull) {
            console.info(
              `${at}: of ${pairs}, ${wrong.length} differ from the cells; ${narrow.length} and ${wide.length} from a mesh of its own, ` +
                `through narrow and wide passages${hasProblems ? ', which has problems' : ''}; ${long} beyond 1 %, lengths ${ratio.join(', exact ')}`,
            );
            for (const one of [...wrong, ...narrow, ...wide].slice(0, 5)) console.info(`  ${one}`);
          }
          expect(wrong, at).toEqual([]);
          // Where a mesh of one size alone differs from its cells, its own outlines cross, or close a narrow passage.
          if (!hasProblems) expect(wide, at).toEqual([]);
          // Radii that differ by a cell: simplified outlines of the larger size lie up to a cell closer to walls.
          const most = set === 'near' ? 0.03 : 0.01;
          if (length[3] > 0 && !hasProblems) expect(Math.abs(ratio[1] - 1), at).toBeLessThan(most);
        }
      }
    });
  }
});

describe('answers for a size are those of its cells, on soups of triangles', () => {
  it(`(seed ${SEED})`, () => {
    const base: BuildOptions = { agent: { height: 1.6, maxClimb: 0.3 }, cellSize: 0.25, cellHeight: 0.1 };
    const random = createRandom(SEED);
    // On level 4874, a hole of one cell was taken for an outline.
    const seeds = [4874, ...Array.from({ length: isFull ? 300 : 1 }, (_, i) => SEED + i)];
    for (const seed of seeds) {
      for (const set of Object.keys(SETS)) {
        const list = sizesOf(set, base);
        const input = soup(seed);
        for (const tileSize of isFull || seed === 4874 ? [0, 5] : [5]) {
          const partition = PARTITIONS[seed % 3];
          const { navMesh } = buildNavMesh(input, {
            ...base,
            tileSize,
            ...optionsFromSettings({ partition }),
            sizes: createAgentSizes(list),
          });
          expect(countFlat(navMesh), `seed ${seed}, ${set}, ${tileSize}`).toBe(0);
          for (const { name, ...agent } of list) {
            const cells = sizeCells(input, { ...base, agent: { ...base.agent, ...agent } });
            for (let k = 0; k < (isFull ? 60 : 20) && cells.count > 0; k++) {
              const [a, b] = [cells.pick(random), cells.pick(random)];
              const { status } = findPath(navMesh, a.point, b.point, { size: name });
              const at = `seed ${seed}, ${set}, ${tileSize}, ${partition}, ${name}: ${a.point.join()} to ${b.point.join()}`;
              expect(status, at).toBe(cells.isConnected(a.cell, b.cell) ? 'complete' : 'partial');
            }
          }
        }
      }
    }
  });
});
