/** Types of crowd scenes, their drivers and their runs. World units, seconds. */
import type { LinkRef, NavMesh, TileData } from '../../mesh/types.ts';
import type { AgentType } from '../../query/agent-types.ts';
import type { PreparedTiles } from '../../build/voxel/build-tile.ts';
import type { BuildOptions, TriangleInput } from '../../build/voxel/options.ts';
import type { CrowdFrame, CrowdMetrics, CrowdReport } from './metrics.ts';

/** The baked level of a scene. Its script may rebuild tiles. */
export interface CrowdWorld {
  mesh: NavMesh;
  setup: CrowdSetup;
  links: LinkRef[];
  prepared: (PreparedTiles | undefined)[];
}

/** Moves a crowd. Agents are numbered from 0 in the order in which they were added. */
export interface CrowdDriver {
  /** Adds an agent. Returns false when it cannot be added. */
  add(agent: CrowdSceneAgent, index: number): boolean;
  moveTo(index: number, point: Point): void;
  follow(index: number, target: number, distance: number): void;
  stop(index: number): void;
  remove(index: number): void;
  /** Replaces the tile at (x, z) of the grid; null removes it. Absent: the driver does not support it. */
  setTile?(x: number, z: number, tile: TileData | null, variant: number): void;
  /** Runs one tick. */
  step(): void;
  /**
   * Writes the positions of all agents and, when `knowsRest` is true, their states. Otherwise states are
   * guessed.
   */
  read(frame: CrowdFrame): void;
  knowsRest: boolean;
  /** Path searches so far; NaN: unknown. */
  searches(): number;
  hash(): string;
  distanceToGround?(index: number): number;
}

/** x, y, z. */
export type Point = readonly [number, number, number];

/** An agent of a scene. */
export interface CrowdSceneAgent {
  position: Point;
  goal?: Point;
  /** Further goals. At a goal, the agent continues to the next one, and after the last to the first. */
  errands?: readonly Point[];
  /** Index of the agent that it follows, and the distance. */
  follow?: number;
  followDistance?: number;
  radius: number;
  height: number;
  maxSpeed: number;
  maxAcceleration: number;
  priority?: number;
  /** Its agent type: paths and measures use its filter. Default: none. */
  type?: AgentType;
  /** True: it avoids no other agent and is avoided by none. */
  ghost?: boolean;
  group: number;
}

/** A link of a scene: capacity is the number of agents at a time, seconds the time of passage. */
export interface CrowdSceneLink {
  start: Point;
  end: Point;
  bothWays: boolean;
  radius: number;
  capacity: number;
  seconds: number;
}

/** An order or event of a scene's script. */
export type CrowdSceneStep =
  | { atSecond: number; do: 'move-to'; agent: number; point: Point }
  | { atSecond: number; do: 'follow'; agent: number; target: number; distance: number }
  | { atSecond: number; do: 'stop' | 'remove'; agent: number }
  | { atSecond: number; do: 'rebuild-tile'; x: number; z: number; variant: number };

/** A crowd scene: the result of its `create`. */
export interface CrowdSetup {
  level: TriangleInput;
  variants?: readonly TriangleInput[];
  options: BuildOptions;
  links?: readonly CrowdSceneLink[];
  agents: readonly CrowdSceneAgent[];
  /** In order of time. */
  script?: readonly CrowdSceneStep[];
  seconds: number;
  goalRadius: number;
  /** Distance from a common goal within which all agents find a place; a circle that they fill by default. */
  restRadius?: number;
  /** Until this time agents continue to their `errands`; then each goes back to its start position. */
  errandSeconds?: number;
  gate?: { normal: readonly number[]; offset: number };
  searchBudget?: number;
}

/** Options of `runCrowdScene` and `startCrowdRun`. */
export interface CrowdRunOptions {
  /** Time step in seconds. Default 1/60. */
  stepSeconds?: number;
  /** Simulated time after which the run ends, in seconds. Default: the scene's. */
  seconds?: number;
  /** A clock in milliseconds. Default: none; times are not measured. */
  now?: () => number;
  /** Called after each tick. */
  onTick?: (frame: CrowdFrame, tick: number) => void;
  /** True: does not measure overlaps and other results, to measure only times. Default false. */
  unmeasured?: boolean;
}

/** Result of a run. Times in milliseconds. */
export interface CrowdRunResult extends CrowdReport {
  /** Number of goals that agents with errands reached before `errandSeconds`. */
  trips: number;
  /**
   * Number of trips that took longer than twice the time of the shortest path at full speed plus ten seconds, finished
   * or not.
   */
  lateTrips: number;
  /** NaN without `options.now`. */
  msPerTick: { median: number; p99: number; max: number };
  searches: number;
  /** Hash of the crowd's whole state; for drivers without one, of all positions so far. */
  stateHash: string;
}

/** The errands of a run so far. */
export interface CrowdErrands {
  /** Per agent: the number of errands begun. */
  begun: Int32Array;
  /** Per agent: the tick of its last order; -1: none yet. */
  orderTick: Int32Array;
  /** Per agent: the duration from which its current trip is late, seconds. */
  lateAfter: Float64Array;
  trips: number;
  lateTrips: number;
  isOver: boolean;
}

/** A run in progress. */
export interface CrowdRun {
  driver: CrowdDriver;
  world: CrowdWorld;
  setup: CrowdSetup;
  options: CrowdRunOptions;
  stepSeconds: number;
  maxTicks: number;
  tick: number;
  frame: CrowdFrame;
  metrics: CrowdMetrics;
  times: number[];
  nextStep: number;
  /** Index of the agent that each agent follows, or -1. */
  target: Int32Array;
  /** Distance within which each agent may stop, when all agents with the same goal are around it. */
  packed: Float64Array;
  errands: CrowdErrands;
  /** Number of consecutive ticks with all agents at rest, and per agent of its standing. */
  restTicks: number;
  stillTicks: Int32Array;
  lastPosition: Float64Array;
}
