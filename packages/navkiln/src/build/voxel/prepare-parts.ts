/**
 * Prepares a level in parts, so that several workers share the work of `prepareSteps`: ranges of triangles, round after round. All parts
 * read and write the same arrays in shared memory, and every worker bakes tiles from them.
 *
 * Rounds: `measure` finds the extent, `place` rebases positions in doubles, `sort` marks slopes and counts the triangles of each tile,
 * `list` writes the triangles of each tile. Each step may run again, after a worker has stopped. A level with anything unusual (corners
 * that are not finite, misuse) is not prepared in parts; `prepareSteps` handles it and has the messages.
 *
 * In: a level in shared memory and options. Out: the level and the summary of `startLevelJob`, to the bit.
 * Cost: that of `prepareSteps`, shared, and one message each way for each step.
 * Based on: own.
 */
import { createWorkspace } from '../../base/data/workspace.ts';
import type { StageTimes } from './assemble.ts';
import { BATCH } from './batch.ts';
import type { PreparedTiles } from './build-tile.ts';
import { MOST_PAIRS, countTriangles, listTriangles } from './build-tile-grid.ts';
import { resolveConfig } from './config.ts';
import { extentOfTriangles, markRange } from './input.ts';
import type { PreparedInput, SlopeMarks } from './input.ts';
import type { BakeConfig } from './bake-config.ts';
import type { BuildOptions, TriangleInput } from './options.ts';
import { settingsOf } from './plain-options.ts';
import type { BuildSettings } from './plain-options.ts';
import { createBake, reportSlopes, warnAboutInput } from './prepare.ts';
import { rebaseOffset, rebasePositions, toLocal } from './rebase.ts';
import type { Offset } from './rebase.ts';
import { tilesWithTriangles } from './tile-jobs.ts';
import type { LevelSummary } from './tile-jobs.ts';

/** Fewer triangles are prepared faster by each worker than messages are sent. */
const FEWEST_TRIANGLES = 1 << 14;
/** More than one, so that a worker that starts late costs little. */
const PARTS_PER_WORKER = 2;

/** The input of a round. */
type Round =
  | { round: 'measure' }
  | { round: 'place'; offset: Offset; positions: Float32Array }
  | { round: 'sort'; config: BakeConfig; positions: Float32Array; areas: Uint8Array; start: Int32Array }
  | { round: 'list'; config: BakeConfig; positions: Float32Array; next: Int32Array; list: Int32Array };

/** A step of the preparation: part `part` of a round, the triangles `from` .. `to` - 1; of 'place', the vertices. */
export type PrepareStep = Round & { part: number; from: number; to: number };

/** The result of a step. `ms`: milliseconds of slopes, and of the rest. */
export interface PrepareAnswer {
  extent?: number[];
  slopes?: SlopeMarks;
  ms: [slope: number, rest: number];
}

/** A preparation that runs. */
export interface Preparation {
  caller: string;
  input: SharedInput;
  options: BuildOptions;
  partCount: number;
  /** Allocates shared memory of at least this size, with any content. */
  take: (byteLength: number) => SharedArrayBuffer;
  answers: (PrepareAnswer | undefined)[];
  left: number;
  times: [slope: number, rest: number];
  prepared: PreparedInput | undefined;
  config: BakeConfig | undefined;
  areas: Uint8Array;
  slopes: (SlopeMarks | undefined)[];
  starts: Int32Array[];
  list: Int32Array;
}

type SharedInput = TriangleInput & { positions: Float32Array | Float64Array; indices: Uint32Array };

/** A prepared level, in shared memory. */
export interface SharedLevel {
  level: Omit<PreparedTiles, 'options'> & { options: BuildSettings };
  summary: LevelSummary;
}

/** Returns the preparation of a level that can be prepared in parts; otherwise undefined. `input` is in shared memory. */
export function startPreparation(
  caller: string,
  input: TriangleInput,
  options: BuildOptions,
  workerCount: number,
  take: Preparation['take'],
): Preparation | undefined {
  const { positions, indices, areas, twoSided } = input;
  const isUsual =
    Boolean(options.tileSize) &&
    twoSided === undefined &&
    options.sizes === undefined &&
    options.obstacles === undefined &&
    (positions instanceof Float32Array || positions instanceof Float64Array) &&
    positions.length % 3 === 0 &&
    ArrayBuffer.isView(indices) &&
    indices.length % 3 === 0 &&
    indices.length >= 3 * FEWEST_TRIANGLES &&
    (areas === undefined || (ArrayBuffer.isView(areas) && areas.length === indices.length / 3));
  if (!isUsual || workerCount < 2) return undefined;
  return {
    caller,
    input: input as SharedInput,
    options,
    partCount: PARTS_PER_WORKER * workerCount,
    take,
    answers: [],
    left: 0,
    times: [0, 0],
    prepared: undefined,
    config: undefined,
    areas: new Uint8Array(0),
    slopes: [],
    starts: [],
    list: new Int32Array(0),
  };
}

/** Returns the steps of a round. */
function stepsOf(preparation: Preparation, count: number, round: (part: number) => Round): PrepareStep[] {
  const { partCount } = preparation;
  preparation.answers = new Array<undefined>(partCount).fill(undefined);
  preparation.left = partCount;
  const border = (part: number): number =>
    part === partCount ? count : BATCH * Math.floor(((part / partCount) * count) / BATCH);
  return preparation.answers.map((_, part) => ({ ...round(part), part, from: border(part), to: border(part + 1) }));
}

/** Returns the steps of the first round. */
export function firstSteps(preparation: Preparation): PrepareStep[] {
  return stepsOf(preparation, preparation.input.indices.length / 3, () => ({ round: 'measure' }));
}

/**
 * Takes the answer of a step. Returns the steps of the next round after the last step of a round, and the level after
 * the last step of all. Returns 'unusual' when the level must be prepared whole.
 */
export function takeAnswer(
  preparation: Preparation,
  { round, part }: PrepareStep,
  answer: PrepareAnswer | undefined,
): PrepareStep[] | SharedLevel | 'unusual' {
  const { answers, times } = preparation;
  if (answer === undefined) return 'unusual';
  times[0] += answer.ms[0];
  times[1] += answer.ms[1];
  answers[part] = answer;
  if (--preparation.left > 0) return [];
  if (round === 'measure') return afterMeasure(preparation);
  if (round === 'place') return sortSteps(preparation);
  if (round === 'sort') return listSteps(preparation);
  return finish(preparation);
}

function afterMeasure(preparation: Preparation): PrepareStep[] | 'unusual' {
  const { input, options, answers } = preparation;
  const { positions: given, indices, areas } = input;
  const extent = answers[0]!.extent!.slice();
  for (const answer of answers) {
    answer!.extent!.forEach(
      (value, k) => (extent[k] = k < 3 ? Math.min(extent[k], value) : Math.max(extent[k], value)),
    );
  }
  const [min, max] = [extent.slice(0, 3), extent.slice(3)];
  const isMoved = !(given instanceof Float32Array);
  const offset: Offset = isMoved ? rebaseOffset(options.bounds ?? { min, max }) : [0, 0, 0];
  if (!extent.every((value, k) => Number.isFinite(Math.fround(value - offset[k % 3])))) return 'unusual';
  preparation.prepared = {
    positions: isMoved ? new Float32Array(preparation.take(4 * given.length), 0, given.length) : given,
    given: isMoved ? given : undefined,
    offset,
    min: toLocal(min, offset),
    max: toLocal(max, offset),
    indices,
    triangleCount: indices.length / 3,
    areas,
    invalidCount: 0,
    firstInvalid: -1,
    degenerateCount: 0,
    firstDegenerate: -1,
  };
  if (!isMoved) return sortSteps(preparation);
  const { positions } = preparation.prepared;
  return stepsOf(preparation, given.length / 3, () => ({ round: 'place', offset, positions }));
}

function sortSteps(preparation: Preparation): PrepareStep[] {
  const { caller, options, partCount, take } = preparation;
  const { positions, triangleCount } = preparation.prepared!;
  const config = resolveConfig(preparation.prepared!, options, caller);
  const tileCount = config.tileCountX * config.tileCountZ;
  const areas = new Uint8Array(take(triangleCount), 0, triangleCount);
  const starts = Array.from({ length: partCount }, () => new Int32Array(take(4 * (tileCount + 1)), 0, tileCount + 1));
  Object.assign(preparation, { config, areas, starts });
  return stepsOf(preparation, triangleCount, (part) => ({
    round: 'sort',
    config,
    positions,
    areas,
    start: starts[part],
  }));
}

/** Returns the steps of the round `list`. Each gets the positions at which it writes into the list of each tile. */
function listSteps(preparation: Preparation): PrepareStep[] | 'unusual' {
  const { starts, answers } = preparation;
  const { positions, triangleCount } = preparation.prepared!;
  const config = preparation.config!;
  preparation.slopes = answers.map((answer) => answer!.slopes);
  let at = 0;
  for (let i = 1; i < starts[0].length; i++) {
    for (const start of starts) {
      const count = start[i];
      start[i - 1] = at;
      at += count;
    }
    if (at > MOST_PAIRS) return 'unusual';
  }
  for (const start of starts) start[start.length - 1] = at;
  const list = (preparation.list = new Int32Array(preparation.take(4 * at), 0, at));
  return stepsOf(preparation, triangleCount, (part) => ({
    round: 'list',
    config,
    positions,
    next: starts[part],
    list,
  }));
}

function finish({
  caller,
  input,
  options,
  prepared,
  config,
  areas,
  slopes,
  starts,
  list,
  times,
}: Preparation): SharedLevel {
  // This bake never throws for a warning: the bake that reads the summary decides that.
  const bake = createBake(caller, { ...options, strict: false }, createWorkspace());
  const whole = prepared!;
  bake.counts.triangles = whole.triangleCount;
  warnAboutInput(whole, config!, bake.warn);
  bake.stage = 'slope';
  const flat = { up: 0, down: 0, downCount: 0 };
  let walkableCount = 0;
  for (const marks of slopes) {
    const { flats, degenerateCount, firstDegenerate } = marks!;
    walkableCount += marks!.walkableCount;
    whole.degenerateCount += degenerateCount;
    if (whole.firstDegenerate < 0) whole.firstDegenerate = firstDegenerate;
    for (let i = 0; i < flats.length; i += 3) {
      flat.up += flats[i];
      flat.down += flats[i + 1];
      flat.downCount += flats[i + 2];
    }
  }
  reportSlopes(bake, whole, walkableCount, flat);
  const triangles = { start: starts[0], list };
  const stageTimes: StageTimes = new Map([
    ['input', times[1]],
    ['slope', times[0]],
  ]);
  const summary: LevelSummary = {
    config: config!,
    counts: bake.counts,
    warnings: [...bake.warnings.values()],
    tiles: tilesWithTriangles(config!, triangles),
    times: stageTimes,
    isMoved: !(input.positions instanceof Float32Array),
  };
  const level = {
    options: settingsOf(options),
    config: config!,
    prepared: whole,
    areas,
    walkableCount,
    triangles,
    obstacles: [],
  };
  return { level, summary };
}

/** Runs a step. Returns undefined when the level must be prepared whole. */
export function doStep(caller: string, input: TriangleInput, step: PrepareStep): PrepareAnswer | undefined {
  try {
    return runStep(caller, input as SharedInput, step);
  } catch {
    // The input is misuse. `prepareSteps` throws for it again, with the same message for any number of workers.
    return undefined;
  }
}

function runStep(caller: string, { positions: given, indices, areas }: SharedInput, step: PrepareStep): PrepareAnswer {
  const { from, to } = step;
  const begin = performance.now();
  const answer: PrepareAnswer = { ms: [0, 0] };
  if (step.round === 'measure') answer.extent = extentOfTriangles(caller, given, indices.subarray(3 * from, 3 * to));
  else if (step.round === 'place') {
    step.positions.set(rebasePositions(given.subarray(3 * from, 3 * to), step.offset), 3 * from);
  } else {
    const prepared = { positions: step.positions, indices, areas };
    if (step.round === 'list') {
      // A copy: the step may run again.
      listTriangles(prepared, step.config, from, to, step.next.slice(), step.list);
    } else {
      step.start.fill(0);
      countTriangles(prepared, step.config, from, to, step.start, caller);
      const marked = performance.now();
      step.areas.fill(0, from, to);
      answer.slopes = markRange(prepared, step.config.maxSlopeDegrees, caller, step.areas, from, to);
      answer.ms[0] = performance.now() - marked;
    }
  }
  answer.ms[1] = performance.now() - begin - answer.ms[0];
  return answer;
}
