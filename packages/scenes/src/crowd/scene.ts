/**
 * The type of a crowd scene: a seeded level with agents, their orders over time, and when the run counts as
 * finished. Levels are in meters and agents have the size of people: radius 0.3 to 0.4, speed 1.3 to 2. A
 * setup is plain data without functions.
 */
import type { LevelMesh, LevelSceneOptions, Point } from '../scene.ts';

export interface CrowdSceneAgent {
  position: Point;
  /** The first goal. An agent without a goal stands. */
  goal?: Point;
  /** Further goals: when it is at a goal it goes to the next one, and after the last to the first. */
  errands?: Point[];
  /** The index of the agent to follow, and the distance between centers; in place of a goal. */
  follow?: number;
  followDistance?: number;
  radius: number;
  height: number;
  maxSpeed: number;
  maxAcceleration: number;
  /** 0 to 1, default 0.5. Agents with a higher priority yield less. */
  priority?: number;
  /** True: it neither avoids others nor is avoided. */
  ghost?: boolean;
  /** Stream, team or storey, for pictures and counts. */
  group: number;
}

/** An off-mesh link with limited capacity. */
export interface CrowdSceneLink {
  start: Point;
  end: Point;
  bothWays: boolean;
  /** Search distance from an end to the mesh. */
  radius: number;
  capacity: number;
  /** Duration of a traverse. */
  seconds: number;
}

export type CrowdSceneStep =
  | { atSecond: number; do: 'move-to'; agent: number; point: Point }
  | { atSecond: number; do: 'follow'; agent: number; target: number; distance: number }
  | { atSecond: number; do: 'stop' | 'remove'; agent: number }
  /** The tile at this position is rebuilt from `level` (0) or from `variants[variant - 1]`. */
  | { atSecond: number; do: 'rebuild-tile'; x: number; z: number; variant: number };

export interface CrowdSceneOptions extends LevelSceneOptions {
  tileSize?: number;
  bounds?: { min: Point; max: Point };
}

export interface CrowdSetup {
  level: LevelMesh;
  /** Other states of the level, for tiles that are rebuilt. */
  variants?: LevelMesh[];
  options: CrowdSceneOptions;
  links?: CrowdSceneLink[];
  agents: CrowdSceneAgent[];
  /** Ordered by time. */
  script?: CrowdSceneStep[];
  /** By this time every agent has arrived. */
  seconds: number;
  /** Distance to a goal that counts as arrived. */
  goalRadius: number;
  /** Distance from a common goal within which all agents find a place, if walls around the goal leave less than a circle. */
  restRadius?: number;
  /** Until this time agents go on to their `errands`; then each goes back to where it began. */
  errandSeconds?: number;
  /**
   * Agents that cross this plane from its negative to its positive side are counted: normal . point = offset.
   */
  gate?: { normal: Point; offset: number };
  /** Number of polygons that searches may expand per tick. */
  searchBudget?: number;
}

/** Parameters of some scenes. */
export interface CrowdSceneTweaks {
  /** Free width of the door or the corridor, in meters. */
  width?: number;
  /** People per square meter. */
  density?: number;
  /** Arms of the junction, 3 or 4. */
  arms?: number;
}

export interface CrowdScene {
  /** Unique, kebab-case. */
  name: string;
  kind: 'crowd';
  title: string;
  /** Default number of agents. */
  agents: number;
  /**
   * Makes the setup. The same arguments give the same numbers in every engine. `agents` is at least 2; scenes
   * with streams round it to whole streams.
   */
  create: (seed?: number, agents?: number, tweaks?: CrowdSceneTweaks) => CrowdSetup;
}
