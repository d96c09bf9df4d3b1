/**
 * Why a bake gives no polygon: measures the triangles of a level and picks the remedy that gives polygons.
 *
 * A builder lists remedies, the most likely first. Each is tried in a separate bake, and the first that gives a
 * polygon is the reason. A remedy that is certain from measurements alone is taken when no trial succeeds.
 *
 * In: triangles, the agent, and remedies with a trial each. Out: a reason in numbers, and one sentence.
 * Cost: a pass over the triangles, and a bake per trial. Only bakes without polygons pay it.
 * Based on: own.
 */
import type { EmptyCause, EmptyReason } from '../../../base/data/empty-reason.ts';
import { cosDegrees } from '../../../base/math/degrees.ts';

/** The agent's sizes that matter here. */
export interface EmptyBody {
  radius: number;
  height: number;
  maxSlopeDegrees: number;
}

/** Triangles of one level, as the builders take them. */
export interface EmptyLevel {
  positions: ArrayLike<number>;
  indices?: ArrayLike<number>;
  areas?: ArrayLike<number>;
}

/** Measures of a level. */
export interface LevelMeasures extends Pick<EmptyReason, 'size' | 'triangles' | 'facing'> {
  /** Square units of triangles that face up, by whole degrees of slope, 0 .. 89. */
  upByDegree: Float64Array;
}

/** Result of a trial: whether it gave polygons. Undefined: the bake is too large to try. */
export type TrialResult = boolean | undefined;

/** One change that may give polygons. */
export interface Remedy {
  cause: EmptyCause;
  option?: string;
  /** Values to try in turn. Default: one trial without a value. */
  values?: readonly (number | boolean | undefined)[];
  /** The largest value that works is searched between this and the first of `values`, which does not work. */
  least?: number;
  /** Bakes with the value, and returns whether there are polygons. */
  works: (value: number | boolean | undefined) => TrialResult;
  /** Measurements alone show that this is wrong. */
  isCertain?: boolean;
  say: (value: number | boolean | undefined) => string;
}

const SLOPE_COSINES: readonly number[] = Array.from({ length: 91 }, (_, degrees) => cosDegrees(degrees));
/** Steepest slope that may be meant to be walked on; beyond it are walls. */
const STEEPEST = 75;
/** Halvings that refine a searched value. */
const REFINEMENTS = 4;
/** Most trial bakes of one explanation. */
const MOST_TRIALS = 40;

/** Measures the triangles of levels. Triangles with an infinite or NaN corner do not count. */
export function measureLevels(levels: readonly EmptyLevel[], maxSlopeDegrees: number): LevelMeasures {
  const facing = { up: 0, down: 0, plusZ: 0, minusZ: 0 };
  const upByDegree = new Float64Array(90);
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  const limit = cosDegrees(maxSlopeDegrees) - 1e-9;
  let triangles = 0;
  for (const { positions: p, indices } of levels) {
    const count = (indices === undefined ? p.length / 3 : indices.length) / 3;
    for (let t = 0; t < Math.floor(count); t++) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * (indices === undefined ? 3 * t + k : indices[3 * t + k]));
      const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
      const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
      const [ny, nz] = [uz * vx - ux * vz, ux * vy - uy * vx];
      const nx = uy * vz - uz * vy;
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
      if (!(length < Infinity)) continue;
      triangles++;
      for (const corner of [a, b, c]) {
        for (let axis = 0; axis < 3; axis++) {
          min[axis] = Math.min(min[axis], p[corner + axis]);
          max[axis] = Math.max(max[axis], p[corner + axis]);
        }
      }
      if (length === 0) continue;
      if (ny > limit * length) facing.up += length / 2;
      if (-ny > limit * length) facing.down += length / 2;
      if (nz > limit * length) facing.plusZ += length / 2;
      if (-nz > limit * length) facing.minusZ += length / 2;
      if (ny <= 0) continue;
      let degree = 0;
      while (degree < 89 && SLOPE_COSINES[degree + 1] * length > ny) degree++;
      upByDegree[degree] += length / 2;
    }
  }
  const size = triangles === 0 ? [0, 0, 0] : max.map((value, axis) => value - min[axis]);
  return { size: size as [number, number, number], triangles, facing, upByDegree };
}

/** Returns the first remedy that gives polygons within `MOST_TRIALS` trials, as a reason and a sentence that ends in the remedy. */
export function explainEmpty(
  measures: LevelMeasures,
  { radius, height }: EmptyBody,
  remedies: readonly Remedy[],
): { reason: EmptyReason; message: string } {
  const { size, triangles, facing } = measures;
  const about = `the level is ${size.map(plain).join(' × ')} units, agent radius ${plain(radius)}, height ${plain(height)}`;
  const finish = (remedy: Remedy | undefined, value: Remedy['values'], isTried: boolean) => {
    const reason: EmptyReason = { cause: remedy?.cause ?? 'unknown', size, triangles, radius, height, facing, isTried };
    if (remedy?.option !== undefined) reason.option = remedy.option;
    if (value?.[0] !== undefined) reason.value = value[0];
    const hint = remedy === undefined ? 'none of the tried changes alone gives polygons' : remedy.say(value?.[0]);
    const tried = isTried ? ', which gives polygons' : '';
    return { reason, message: `${about}: ${hint}${tried}` };
  };
  let trials = 0;
  for (const remedy of remedies) {
    const works: Remedy['works'] = (value) => (trials++ < MOST_TRIALS ? remedy.works(value) : undefined);
    const found = findValue({ ...remedy, works });
    if (found !== undefined) return finish(remedy, [found.value], true);
  }
  const certain = remedies.find(({ isCertain }) => isCertain);
  return finish(certain, certain?.least === undefined ? certain?.values : undefined, false);
}

/** Returns a value that gives polygons; undefined: there is none. */
function findValue({
  values = [undefined],
  least,
  works,
}: Remedy): { value: number | boolean | undefined } | undefined {
  if (least === undefined) {
    const value = values.findIndex((one) => works(one) === true);
    return value < 0 ? undefined : { value: values[value] };
  }
  let bad = values[0] as number;
  let good = bad;
  do {
    if (good <= least) return undefined;
    bad = good;
    good = Math.max(least, good / 2);
  } while (works(good) !== true);
  for (let i = 0; i < REFINEMENTS; i++) {
    const middle = (good + bad) / 2;
    if (works(middle) === true) good = middle;
    else bad = middle;
  }
  const short = Number(good.toPrecision(2));
  return { value: short <= good || works(short) === true ? short : good };
}

/** Returns remedies that change the level: winding, axis and scale. `works` bakes a changed level. */
export function levelRemedies(
  measures: LevelMeasures,
  body: EmptyBody,
  works: (change: (level: EmptyLevel) => EmptyLevel) => TrialResult,
): { flip: Remedy; turn: Remedy; scale: Remedy } {
  const { up, down, plusZ, minusZ } = measures.facing;
  const turn = plusZ >= minusZ ? -90 : 90;
  const most = Math.max(measures.size[0], measures.size[2]);
  return {
    flip: {
      cause: 'flipped-faces',
      option: 'input.indices',
      isCertain: down > 0 && up === 0 && down >= plusZ && down >= minusZ,
      works: () => works(flipLevel),
      say: () =>
        `faces flipped? ${plain(down)} square units face down and ${plain(up)} up: ` +
        'the winding must be counter-clockwise seen from above; swap two corners of each triangle',
    },
    turn: {
      cause: 'wrong-up-axis',
      option: 'input.positions',
      values: [turn],
      isCertain: up === 0 && Math.max(plusZ, minusZ) > 0,
      works: () => works((level) => turnLevel(level, turn)),
      say: () =>
        `${turn < 0 ? 'z' : '-z'} up? ${plain(Math.max(plusZ, minusZ))} square units face along ${turn < 0 ? '+z' : '-z'} and ` +
        `${plain(up)} up, which is y; turn the level by ${turn} degrees about x: (x, ${turn < 0 ? 'z, -y' : '-z, y'})`,
    },
    scale: {
      cause: 'wrong-scale',
      option: 'input.positions',
      values: [100, 1000, 10],
      isCertain: most > 0 && most < 2 * body.radius,
      works: (factor) => works((level) => scaleLevel(level, factor as number)),
      say: (factor) =>
        `wrong scale? the level is ${plain(most / body.height)} agent heights wide; ` +
        `multiply its positions by ${String(factor)}`,
    },
  };
}

/** Returns remedies that change the agent. `works` bakes with other sizes. */
export function agentRemedies(
  measures: LevelMeasures,
  body: EmptyBody,
  works: (change: Partial<EmptyBody>) => TrialResult,
): { slope: Remedy; headroom: Remedy; radius: Remedy } {
  const steep = medianSlope(measures.upByDegree);
  const isSteep = steep >= body.maxSlopeDegrees && steep <= STEEPEST;
  return {
    slope: {
      cause: 'too-steep',
      option: 'agent.maxSlopeDegrees',
      values: isSteep ? [steep] : [],
      isCertain: isSteep && measures.facing.up === 0,
      works: (value) => works({ maxSlopeDegrees: value as number }),
      say: (value) =>
        `too steep? half of what faces up is steeper than ${steep - 1} degrees, and the limit is ` +
        `${plain(body.maxSlopeDegrees)}; set agent.maxSlopeDegrees to ${String(value)}`,
    },
    headroom: {
      cause: 'low-headroom',
      option: 'agent.height',
      values: [body.height],
      least: body.height / 4,
      works: (value) => works({ height: value as number }),
      say: (value) => `headroom too low? set agent.height to ${plain(value as number)} or less`,
    },
    radius: {
      cause: 'large-radius',
      option: 'agent.radius',
      // Where the radius is larger than the level, it removes everything.
      values: [Math.min(body.radius, Math.max(measures.size[0], measures.size[2], body.height / 20))],
      least: Math.min(body.radius, body.height / 20),
      works: (value) => works({ radius: value as number }),
      say: (value) => `too narrow for the radius? set agent.radius to ${plain(value as number)} or less`,
    },
  };
}

/** Returns whether the level is so small that its scale is suspected before the agent's sizes. */
export function isTiny({ size }: LevelMeasures, { height }: EmptyBody): boolean {
  return Math.max(size[0], size[2]) < 1.5 * height;
}

/** Returns the whole degrees that half of the area that faces up does not exceed; 90 when nothing faces up. */
function medianSlope(upByDegree: Float64Array): number {
  const half = upByDegree.reduce((sum, area) => sum + area, 0) / 2;
  if (half === 0) return 90;
  let sum = 0;
  return 1 + upByDegree.findIndex((area) => (sum += area) >= half);
}

export function flipLevel(level: EmptyLevel): EmptyLevel {
  const { positions, indices = Uint32Array.from({ length: positions.length / 3 }, (_, k) => k) } = level;
  return { ...level, indices: Uint32Array.from(indices, (_, k) => indices[k - (k % 3) + ((3 - (k % 3)) % 3)]) };
}

export function turnLevel(level: EmptyLevel, degrees: number): EmptyLevel {
  const { positions: p } = level;
  if (degrees === 180)
    return { ...level, positions: Float64Array.from(p, (value, i) => (i % 3 === 0 ? value : -value)) };
  const sign = degrees < 0 ? 1 : -1;
  const turned = Float64Array.from(p, (value, i) =>
    i % 3 === 0 ? value : i % 3 === 1 ? sign * p[i + 1] : -sign * p[i - 1],
  );
  return { ...level, positions: turned };
}

/** Turns a level about z by 90 or -90 degrees: then x, or -x, is up. */
export function turnLevelSideways(level: EmptyLevel, degrees: number): EmptyLevel {
  const { positions: p } = level;
  const sign = degrees < 0 ? -1 : 1;
  const turned = Float64Array.from(p, (value, i) =>
    i % 3 === 2 ? value : i % 3 === 1 ? sign * p[i - 1] : -sign * p[i + 1],
  );
  return { ...level, positions: turned };
}

export function scaleLevel(level: EmptyLevel, factor: number): EmptyLevel {
  return { ...level, positions: Float64Array.from(level.positions, (value) => value * factor) };
}

/** Returns the value with three significant digits, for messages. */
export function plain(value: number): string {
  return String(Number(value.toPrecision(3)));
}
