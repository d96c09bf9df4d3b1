/**
 * The contents of a scene file as plain data. Omitted values have defaults. World units, seconds, degrees.
 */
import type { AgentSize } from 'navkiln/build';
import type { LinkFields } from '../config/schema.ts';
import type { BakeFields } from '../config/settings.ts';

/** The version of scene files that is read and written. */
export const SCENE_VERSION = 1;

export type ScenePoint = [number, number, number];

export interface SceneLevel {
  /** Path of a level file, relative to the scene file. */
  file?: string;
  /** Name of a bundled level, instead of a file. */
  scene?: string;
  position?: ScenePoint;
  /** Degrees about y; or about the world's x, then y, then z; or a quaternion. */
  rotation?: number | ScenePoint | [number, number, number, number];
  scale?: number | ScenePoint;
  /** True when the level has z up. */
  swapYZ?: boolean;
  /** Whether triangles count from both sides. Default: as the materials of the file say. */
  twoSided?: boolean;
}

export interface SceneLink extends LinkFields {
  /** Number of agents that may be on it at a time. */
  capacity?: number;
  /** Duration of a traverse in seconds. */
  seconds?: number;
}

export interface SceneTarget {
  name: string;
  position?: ScenePoint;
  /** Points that it moves along in straight lines, instead of a position. */
  path?: ScenePoint[];
  /** Speed along the path, in world units per second. */
  speed?: number;
  /** Continues from the last point at the first. Default false: it stays at the last. */
  loop?: boolean;
  /** Seconds at which it starts to move, and at which it is removed. */
  startsAt?: number;
  endsAt?: number;
}

/** A circle or a box. */
export interface SceneRegion {
  center?: ScenePoint;
  radius?: number;
  min?: ScenePoint;
  max?: ScenePoint;
}

export interface SceneAgent {
  name?: string;
  count?: number;
  position?: ScenePoint;
  within?: SceneRegion;
  /** Name of one of `agentTypes`. */
  type?: string;
  radius?: number;
  height?: number;
  walkSpeed?: number;
  runSpeed?: number;
  /** True: it runs instead of walking. */
  run?: boolean;
  acceleration?: number;
  deceleration?: number;
  maxTurnDegrees?: number;
  priority?: number;
  /** How it avoids others; see `AgentOptions`. */
  avoidance?: 'orca' | 'sampled' | 'none';
  /** How strongly it keeps its distance from others that move. */
  separation?: number;
  /** A point, the name of a target, or 'random' for any target. */
  goal?: ScenePoint | string;
  /** Name of the target or agent to follow. */
  follows?: string;
  /** Distance kept from what it follows. */
  distance?: number;
}

export type SceneRespawn = 'nearest' | 'spawn' | 'remove' | 'none';

export interface SceneFile {
  $schema?: string;
  version: typeof SCENE_VERSION;
  title?: string;
  levels: SceneLevel[];
  build?: 'voxel' | 'surface';
  /** Steepest walkable slope in degrees, and highest step. */
  slope?: number;
  step?: number;
  gravity?: number;
  /** As in a configuration of `navkiln bake`. */
  bake?: BakeFields;
  /** Types of agents, as in a configuration of `navkiln bake`. */
  agentTypes?: AgentSize[];
  links?: SceneLink[];
  /** Mesh that none of these positions leads to is left out. */
  keepReachable?: ScenePoint[];
  targets?: SceneTarget[];
  agents?: SceneAgent[];
  respawn?: SceneRespawn;
  seconds?: number;
  seed?: number;
}
