/**
 * Measures of a level that tell its unit and its up axis before it is baked.
 *
 * In: triangles. Out: extent, areas by the direction that they face, the median edge; a guess of the unit.
 * Cost: a pass over the triangles.
 * Based on: own. Edges of 68 levels have medians from 0.003 to 50 meters, so the edge alone does not tell the unit.
 */
import { measureLevels } from './empty/reason.ts';
import { checkFinite, checkNumberKeys, checkNumbers, checkObject } from '../../base/data/refuse.ts';
import type { AgentShape } from '../../mesh/types.ts';
import { unitOfAgent } from './sizes.ts';
import { AGENT_DEFAULTS } from '../../build/voxel/config.ts';
import type { BuildOptions, TriangleInput } from '../../build/voxel/options.ts';

/** Wider levels than this number of agent radii may be in another unit, and smaller ones than the other. */
const WIDE_RADII = 2000;
const NARROW_RADII = 20;
/** Usual length of an edge, and width of a level, in agent radii. */
const USUAL_EDGE = 5;
const USUAL_WIDTH = 200;
/** A level that is lower than this number of agent heights is flat. */
const LOW = 0.2;
/** Levels are rarely higher than this number of agent heights. */
const HIGH = 100;
/** Edges whose lengths are sorted. */
const MOST_EDGES = 20_000;
/** Factors for units: of centimeters and millimeters to meters. */
const UNITS: readonly (readonly [scale: number, name: string])[] = [
  [0.01, 'centimeters'],
  [0.001, 'millimeters'],
];

/** Factors for levels that are much smaller than the agent. */
export const FACTORS: readonly number[] = [10, 100, 1000];

/** A level that is probably in another unit than the agent. */
export interface UnitGuess {
  /** Factor for the positions: 0.01 or 0.001. */
  scale: number;
  unit: string;
  /** Width of the level in agent radii, as it is. */
  radii: number;
}

/** Returns a guess of the unit of a level that is much larger than the agent; undefined: its unit fits, or the level is that large. */
export function guessUnit(input: TriangleInput, agent: AgentShape): UnitGuess | undefined {
  const { size } = measureLevels([input], agent.maxSlopeDegrees);
  const radius = unitOfAgent(agent);
  const width = Math.max(size[0], size[2]);
  if (!(width > WIDE_RADII * radius)) return undefined;
  const edge = medianEdge(input);
  const edgeOctaves = (scale: number): number => octaves((scale * edge) / (USUAL_EDGE * radius));
  const scoreOf = (scale: number): number => oddnessOfScale(scale, edge / radius, width / radius);
  const isHigh = size[1] > HIGH * agent.height;
  const oddness = edgeOctaves(1) + (isHigh ? 2 * octaves(size[1] / (HIGH * agent.height)) : 0);
  let best: UnitGuess | undefined;
  let least = Infinity;
  for (const [scale, unit] of UNITS) {
    const isPlausible = scale * width > NARROW_RADII * radius && scale * width <= WIDE_RADII * radius;
    const isFlattened = size[1] > LOW * agent.height && scale * size[1] < LOW * agent.height;
    if (!isPlausible || isFlattened || edgeOctaves(scale) >= oddness) continue;
    const score = scoreOf(scale);
    if (score >= least) continue;
    least = score;
    best = { scale, unit, radii: width / radius };
  }
  return best;
}

/** Returns how unusual a level is at a scale, from lengths in agent radii. */
function oddnessOfScale(scale: number, edge: number, width: number): number {
  return octaves((scale * edge) / USUAL_EDGE) / 2 + octaves((scale * width) / USUAL_WIDTH);
}

/** Returns the factors that may fit a level that is much smaller than the agent, the most likely first. */
export function guessFactors(input: TriangleInput, width: number, radius: number): number[] {
  const edge = medianEdge(input) / radius;
  const scoreOf = (scale: number): number => oddnessOfScale(scale, edge, width / radius);
  return [...FACTORS].sort((a, b) => scoreOf(a) - scoreOf(b));
}

/** Returns how many times a ratio must be doubled or halved to be 1, linear between whole numbers. */
function octaves(ratio: number): number {
  let count = 0;
  let rest = Math.max(ratio, 1 / ratio);
  for (; rest >= 2 && rest < Infinity; rest /= 2) count++;
  return count + rest - 1;
}

function medianEdge({ positions: p, indices }: TriangleInput): number {
  const corners = indices?.length ?? p.length / 3;
  const step = Math.max(1, Math.ceil(corners / 3 / MOST_EDGES));
  const lengths: number[] = [];
  for (let t = 0; 3 * t + 2 < corners; t += step) {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [3 * t + k, 3 * t + ((k + 1) % 3)];
      const [a, b] = indices === undefined ? [3 * i, 3 * j] : [3 * indices[i], 3 * indices[j]];
      const [dx, dy, dz] = [p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]];
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (length > 0) lengths.push(length);
    }
  }
  lengths.sort((a, b) => a - b);
  return lengths[lengths.length >> 1] ?? 0;
}

/** The size of a bake, before it runs. */
export interface BakeMeasures {
  /** Extent of the level along x, y and z. */
  size: [number, number, number];
  /** Columns of the voxel grid without tiles. */
  columns: number;
  /** Width of the level in agent radii. */
  radii: number;
  /** The unit that the level is probably in; absent when it fits the agent. */
  unit?: UnitGuess;
}

/** Measures a bake before it runs: its columns, and whether the level is probably in another unit. Takes a pass over the triangles. */
export function measureBake(input: TriangleInput, options: BuildOptions = {}): BakeMeasures {
  checkBake('measureBake', input, options);
  const agent: AgentShape = { ...AGENT_DEFAULTS, ...options.agent };
  Object.assign(agent, options.sizes?.list[0]);
  const { size } = measureLevels([input], agent.maxSlopeDegrees);
  const cell = options.cellSize ?? (agent.radius > 0 ? agent.radius / 2 : agent.height / 10);
  const radii = Math.max(size[0], size[2]) / (agent.radius > 0 ? agent.radius : agent.height / 5);
  const unit = guessUnit(input, agent);
  return { size, columns: (size[0] / cell) * (size[2] / cell), radii, ...(unit && { unit }) };
}

/** Throws for triangles and options that cannot be measured. */
export function checkBake(caller: string, input: TriangleInput, options: BuildOptions): void {
  checkObject(caller, 'input', input);
  checkObject(caller, 'options', options);
  checkNumbers(caller, 'input.positions', input.positions);
  if (input.indices !== undefined) checkNumbers(caller, 'input.indices', input.indices, true);
  const { agent = {} } = options;
  checkObject(caller, 'options.agent', agent);
  for (const [key, value] of Object.entries(agent)) checkFinite(caller, `options.agent.${key}`, value);
  checkNumberKeys(caller, options, ['cellSize', 'cellHeight', 'regionMinArea', 'tileSize']);
}
