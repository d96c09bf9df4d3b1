/** TODO: header. */
import type { LinkRef, NavMesh, TileData } from '../../navmesh/types.ts';
import type { PreparedTiles } from '../../voxel/build-tile.ts';
import type { BuildOptions, TriangleInput } from '../../voxel/options.ts';
import type { CrowdFrame, CrowdMetrics, CrowdReport } from './metrics.ts';

/** A scene's level, baked; its tiles are baked again as the script says. */
export interface CrowdWorld {
  mesh: NavMesh;
  setup: CrowdSetup;
  links: LinkRef[];
  prepared: (PreparedTiles | undefined)[];
}

/** Moves a crowd. Agents are numbers from 0 on, in the order in which they were added. */
export interface CrowdDriver {
  /** False: it was refused, and is not there. */
  add(agent: CrowdSceneAgent, index: number): boolean;
  moveTo(index: number, point: Point): void;
  follow(index: number, target: number, distance: number): void;
  stop(index: number): void;
  remove(index: number): void;
  /** The tile at (x, z) of the grid is another; null: there is no ground any more. Not there: it cannot. */
  setTile?(x: number, z: number, tile: TileData | null, variant: number): void;
  /** One tick. */
  step(): void;
  /** Writes where all are; and how they fare, if it knows: else whoever stands near enough to the goal is taken to have come. */
  read(frame: CrowdFrame): void;
  knowsRest: boolean;
  /** Path searches so far; NaN: not known. */
  searches(): number;
  hash(): string;
  distanceToGround?(index: number): number;
}

export type Point = readonly [number, number, number];

export interface CrowdSceneAgent {
  position: Point;
  goal?: Point;
  /** Index of the agent it follows, and how near. */
  follow?: number;
  followDistance?: number;
  radius: number;
  height: number;
  maxSpeed: number;
  maxAcceleration: number;
  priority?: number;
  /** Nobody minds it, and it minds nobody. */
  ghost?: boolean;
  group: number;
}

export interface CrowdSceneLink {
  start: Point;
  end: Point;
  bothWays: boolean;
  radius: number;
  capacity: number;
  seconds: number;
}

export type CrowdSceneStep =
  | { atSecond: number; do: 'move-to'; agent: number; point: Point }
  | { atSecond: number; do: 'follow'; agent: number; target: number; distance: number }
  | { atSecond: number; do: 'stop' | 'remove'; agent: number }
  | { atSecond: number; do: 'rebuild-tile'; x: number; z: number; variant: number };

/** What a crowd scene's `create` returns. */
export interface CrowdSetup {
  level: TriangleInput;
  variants?: readonly TriangleInput[];
  options: BuildOptions;
  links?: readonly CrowdSceneLink[];
  agents: readonly CrowdSceneAgent[];
  /** In the order of time. */
  script?: readonly CrowdSceneStep[];
  seconds: number;
  goalRadius: number;
  gate?: { normal: readonly number[]; offset: number };
  searchBudget?: number;
}

export interface CrowdRunOptions {
  /** Default 1/60. */
  stepSeconds?: number;
  /** Ends then. Default: the scene's time. */
  seconds?: number;
  /** Milliseconds of some clock. Default: none, and no times. */
  now?: () => number;
  /** Called after each tick. */
  onTick?: (frame: CrowdFrame, tick: number) => void;
  /** Default false: measure overlaps, ground and so on at each tick. True: only run, for times alone. */
  unmeasured?: boolean;
}

export interface CrowdRunResult extends CrowdReport {
  msPerTick: { median: number; p99: number; max: number };
  searches: number;
  /** Of all that decides the crowd's future; of a driver that has none: of where all have been. */
  stateHash: string;
}

/** A run under way. */
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
  /** Who is followed by each; -1. */
  target: Int32Array;
  /** How near each may be to its goal with all who share it packed around it. */
  packed: Float64Array;
  /** Ticks in a row that all were at rest; of each agent, that it stood. */
  restTicks: number;
  stillTicks: Int32Array;
  lastPosition: Float64Array;
}
