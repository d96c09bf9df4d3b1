/**
 * Trial bakes of the surroundings of a fault, judged by the same rules as the mesh.
 *
 * Small levels are baked whole, once per change. Otherwise, the box of a trial begins on a cell, or a tile, of the mesh, so that
 * the same voxels and borders result.
 *
 * In: a level, a mesh, options of its bake, a place. Out: how much of the fault is there.
 * Cost: a bake and a verification of the surroundings.
 * Based on: own.
 */
import type { AgentShape, NavMesh } from '../../../mesh/types.ts';
import { buildNavMesh, prepareTiles } from '../../../build/voxel/build.ts';
import type { PreparedTiles } from '../../../build/voxel/build-tile.ts';
import type { BuildOptions, TriangleInput } from '../../../build/voxel/options.ts';
import type { PositionExplanation } from '../../explain/cause.ts';
import { explainPosition } from '../../explain/position.ts';
import { recordStages, tileOfPlace } from '../../stage/records.ts';
import type { StageRecords } from '../../stage/records.ts';
import type { Source } from '../source.ts';
import type { FaultPlace, VerifyOptions, VerifyResult } from '../types.ts';
import { verifySource } from '../verify.ts';

/** What trials need. */
export interface Trials {
  level: TriangleInput;
  source: Source;
  mesh: NavMesh;
  result: VerifyResult;
  /** Options of the bake, without what trials do not need. */
  bake: BuildOptions;
  /** Results of whole levels, by the size and the options that change. */
  memo: Map<string, VerifyResult>;
  /** The level and its tiles for explanations, when it is baked whole, by the size. */
  stages: Map<string, Explained>;
}

/** A level that is ready for explanations. */
interface Explained {
  level: PreparedTiles;
  records: Map<string, StageRecords>;
}

/** The surroundings of a place. */
export interface Surroundings {
  place: FaultPlace;
  agent: AgentShape;
  /** The box that is baked, undefined: all; and the one in which faults count. */
  outer: { min: readonly number[]; max: readonly number[] } | undefined;
  inner: { min: number[]; max: number[] };
}

/** How much of a fault a trial shows. */
export interface Amount {
  /** Area of faults of the same kind near the place. */
  fault: number;
  /** Area of overreach, and of wrong connections. */
  worse: number;
}

/** Least distance from a place to the border of its box, in cells, besides the radius. */
const LEAST_CELLS = 24;

/** Levels with at most this many columns are baked whole. */
const WHOLE_COLUMNS = 400_000;
/** Levels with at most this many are baked whole when the surroundings alone do not have the fault. */
const WHOLE_IF_NEEDED = 6_000_000;

/** Returns the box around a place. */
export function surround({ mesh, source, result, bake }: Trials, place: FaultPlace): Surroundings {
  const agent: AgentShape = mesh.sizes.find(({ name }) => name === place.size) ?? result.agent;
  const { cellSize, tileSize, origin } = mesh;
  const isGround = place.kind === 'uncovered' || place.kind === 'overreach';
  const near = (LEAST_CELLS / 2) * cellSize + (isGround ? Math.sqrt(place.area) : 0);
  const step = tileSize > 0 ? tileSize : cellSize;
  const reach = near + (LEAST_CELLS / 2) * cellSize + 2 * agent.radius;
  const box = (distance: number, grid: number): { min: number[]; max: number[] } => {
    const min = [...source.min];
    const max = [...source.max];
    for (const axis of [0, 2]) {
      const low = Math.floor((place.position[axis] - distance - origin[axis]) / grid);
      const high = Math.ceil((place.position[axis] + distance - origin[axis]) / grid);
      min[axis] = origin[axis] + Math.max(0, low) * grid;
      max[axis] = Math.min(origin[axis] + high * grid, max[axis]);
    }
    min[1] = Math.min(min[1], origin[1]);
    return { min, max };
  };
  const isWhole = columnsOf(source, cellSize) <= WHOLE_COLUMNS;
  const inner = box(near, cellSize);
  return { place, agent, outer: isWhole ? bake.bounds : box(reach, step), inner };
}

function columnsOf({ min, max }: Source, cellSize: number): number {
  return ((max[0] - min[0]) / cellSize) * ((max[2] - min[2]) / cellSize);
}

/** Returns the surroundings with the whole level as their box; undefined: they have it, or it is too large. */
export function widen({ mesh, source, bake }: Trials, around: Surroundings): Surroundings | undefined {
  if (around.outer === bake.bounds || columnsOf(source, mesh.cellSize) > WHOLE_IF_NEEDED) return undefined;
  return { ...around, outer: bake.bounds };
}

/** Bakes the surroundings with other options, and measures the fault. */
export function tryChange(trials: Trials, around: Surroundings, options: Partial<BuildOptions>): Amount {
  const judge = (): VerifyResult => {
    const { mesh, source } = trials;
    const { navMesh } = buildNavMesh(trials.level, optionsFor(trials, around, options));
    // Margins stay those of the mesh, so that smaller cells are not judged more strictly.
    const judged = { ...navMesh, cellSize: mesh.cellSize, cellHeight: mesh.cellHeight };
    return verifySource(source, judged, { ...judgement(trials, around), agent: around.agent });
  };
  return measure(remember(trials, around, JSON.stringify(options), judge), around);
}

/** Measures the fault of the mesh itself, in the same box. */
export function measureMesh(trials: Trials, around: Surroundings): Amount {
  const judge = (): VerifyResult => verifySource(trials.source, trials.mesh, judgement(trials, around));
  return measure(remember(trials, around, 'mesh', judge), around);
}

/** Returns a result from the memo when the box is the same for all places. */
function remember({ memo, bake }: Trials, around: Surroundings, key: string, judge: () => VerifyResult): VerifyResult {
  if (around.outer !== bake.bounds) return judge();
  const all = `${around.place.size ?? ''} ${key}`;
  const result = memo.get(all) ?? judge();
  memo.set(all, result);
  return result;
}

function judgement({ result: { seed, spacing }, bake }: Trials, { outer }: Surroundings): VerifyOptions {
  return { seed, spacing, pairs: 100, bounds: outer, maxPlaces: 10_000, volumes: bake.volumes };
}

function measure({ places }: VerifyResult, { place, inner }: Surroundings): Amount {
  const amount = { fault: 0, worse: 0 };
  const reach = 3;
  for (const { kind, size, position, area } of places) {
    if (size !== undefined && size !== place.size) continue;
    if ([0, 2].some((axis) => position[axis] < inner.min[axis] || position[axis] > inner.max[axis])) continue;
    if (kind === place.kind && Math.abs(position[1] - place.position[1]) <= reach) amount.fault += area;
    else if (kind !== 'uncovered' && kind !== 'invisible-wall') amount.worse += area;
  }
  return amount;
}

function optionsFor({ bake }: Trials, { agent, outer }: Surroundings, options: Partial<BuildOptions>): BuildOptions {
  const { radius, height, maxClimb, maxSlopeDegrees } = agent;
  return {
    ...bake,
    ...options,
    agent: { radius, height, maxClimb, maxSlopeDegrees },
    ...(outer === undefined ? {} : { bounds: outer }),
  };
}

/** Returns why the bake has no polygon at the place. */
export function explainPlace(trials: Trials, around: Surroundings): PositionExplanation {
  const { level, records } = prepareStages(trials, around);
  const why = (position: readonly number[]): PositionExplanation => {
    const { tileCountX, tileCountZ } = level.config;
    const [tx, tz] = tileOfPlace(level, position);
    const x = Math.max(0, Math.min(tileCountX - 1, tx));
    const z = Math.max(0, Math.min(tileCountZ - 1, tz));
    const key = `${x},${z}`;
    const tile = records.get(key) ?? recordStages(level, x, z);
    records.set(key, tile);
    return explainPosition(tile, position);
  };
  const found = why(around.place.position);
  if (found.code !== 'near-border') return found;
  // The border is the cause, when a stage before made it. It is the first cell without area beside the place.
  const { cellSize } = level.config;
  const [x, y, z] = found.where ?? found.place;
  for (const [du, dv] of AROUND) {
    const border = why([x + du * cellSize, y, z + dv * cellSize]);
    if (!BORDER_CODES.includes(border.code)) continue;
    return { ...border, message: `${border.message} The ground within the agent's radius of it is removed, too.` };
  }
  return found;
}

function prepareStages(trials: Trials, around: Surroundings): Explained {
  const make = (): Explained => ({
    level: prepareTiles(trials.level, optionsFor(trials, around, {})),
    records: new Map(),
  });
  if (around.outer !== trials.bake.bounds) return make();
  const key = around.place.size ?? '';
  const made = trials.stages.get(key) ?? make();
  trials.stages.set(key, made);
  return made;
}

/** Offsets of the cells at and around a border. */
const AROUND = [0, -1, 1].flatMap((dv) => [0, -1, 1].map((du) => [du, dv]));
/** Reasons of stages before erosion that a place should not have. */
const BORDER_CODES: readonly string[] = ['ledge', 'steps', 'ceiling'];
