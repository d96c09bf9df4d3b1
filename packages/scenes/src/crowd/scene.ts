/**
 * What a crowd scene is: a seeded level with agents, what they are told and when, and what it means that they are done. Levels
 * are in metres and agents are people: radius 0.3 to 0.4, speed 1.3 to 2. A setup is a plain record without any function.
 */
import type { LevelMesh, LevelSceneOptions, Point } from '../scene.ts';

export interface CrowdSceneAgent {
  position: Point;
  /** Where it goes when the scene begins. */
  goal?: Point;
  /** Or the agent it follows then: its index, and how near, centre to centre. */
  follow?: number;
  followDistance?: number;
  radius: number;
  height: number;
  maxSpeed: number;
  maxAcceleration: number;
  /** 0 .. 1, default 0.5: who has more makes less room. */
  priority?: number;
  /** Nobody minds it, and it minds nobody: it goes through all. */
  ghost?: boolean;
  /** Stream, team or storey: for pictures and for counting. */
  group: number;
}

/** A way off the ground that so many agents may be on at a time. */
export interface CrowdSceneLink {
  start: Point;
  end: Point;
  bothWays: boolean;
  /** How far an end may be from its ground. */
  radius: number;
  capacity: number;
  /** A traverse takes so long. */
  seconds: number;
}

export type CrowdSceneStep =
  | { atSecond: number; do: 'move-to'; agent: number; point: Point }
  | { atSecond: number; do: 'follow'; agent: number; target: number; distance: number }
  | { atSecond: number; do: 'stop' | 'remove'; agent: number }
  /** The tile at this place is baked again, of `level` (0) or of `variants[variant - 1]`. */
  | { atSecond: number; do: 'rebuild-tile'; x: number; z: number; variant: number };

export interface CrowdSceneOptions extends LevelSceneOptions {
  tileSize?: number;
  bounds?: { min: Point; max: Point };
}

export interface CrowdSetup {
  level: LevelMesh;
  /** Other states of the level, for tiles that are baked again. */
  variants?: LevelMesh[];
  options: CrowdSceneOptions;
  links?: CrowdSceneLink[];
  agents: CrowdSceneAgent[];
  /** In the order of time. */
  script?: CrowdSceneStep[];
  /** All are done by then. */
  seconds: number;
  /** As near to a goal as this counts as there. */
  goalRadius: number;
  /** Who crosses it, from its negative to its positive side, has passed: normal . point = offset. */
  gate?: { normal: Point; offset: number };
  /** Polygons that searches may look at in a tick. */
  searchBudget?: number;
}

/** What some scenes can be asked to be like. */
export interface CrowdSceneTweaks {
  /** Free width of the door or the corridor, metres. */
  width?: number;
}

export interface CrowdScene {
  /** Unique, kebab-case. */
  name: string;
  kind: 'crowd';
  title: string;
  /** How many agents there are by default. */
  agents: number;
  /**
   * Makes the setup. The same arguments give the same numbers in every engine. `agents` is a wish: scenes of streams round it to
   * whole streams; at least 2.
   */
  create: (seed?: number, agents?: number, tweaks?: CrowdSceneTweaks) => CrowdSetup;
}
