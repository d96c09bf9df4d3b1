/** What a scene file says: plain data; what is left out has a default, and is left out here. World units, seconds, degrees. */
import type { BakeFields, LinkFields } from '../config/schema.ts';

/** The version of scene files that is read and written. */
export const SCENE_VERSION = 1;

export type ScenePoint = [number, number, number];

export interface SceneLevel {
  /** Path of a level file, from the folder of the scene file. */
  file?: string;
  /** Instead of a file: the name of a bundled level. */
  scene?: string;
  position?: ScenePoint;
  /** Degrees about y; about the world's x, then y, then z; or a quaternion. */
  rotation?: number | ScenePoint | [number, number, number, number];
  scale?: number | ScenePoint;
  /** The level has z up. */
  swapYZ?: boolean;
}

export interface SceneLink extends LinkFields {
  /** How many may be on it at a time. */
  capacity?: number;
  /** How long a traverse takes. */
  seconds?: number;
}

export interface SceneTarget {
  name: string;
  position?: ScenePoint;
  /** Instead of a position: goes along these points, straight from one to the next. */
  path?: ScenePoint[];
  /** World units a second, along the path. */
  speed?: number;
  /** From the last point back to the first, and on. Default false: it stays at the last. */
  loop?: boolean;
  /** When it goes, and when it is taken away. Seconds. */
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
  radius?: number;
  height?: number;
  walkSpeed?: number;
  runSpeed?: number;
  /** True: it runs. */
  run?: boolean;
  acceleration?: number;
  deceleration?: number;
  maxTurnDegrees?: number;
  priority?: number;
  /** A point, the name of a target, or 'random': any of the targets. */
  goal?: ScenePoint | string;
  /** The name of a target or of an agent. */
  follows?: string;
  /** How near it comes to what it follows. */
  distance?: number;
}

export type SceneRespawn = 'nearest' | 'spawn' | 'remove' | 'none';

export interface SceneFile {
  $schema?: string;
  version: typeof SCENE_VERSION;
  title?: string;
  levels: SceneLevel[];
  build?: 'voxel' | 'surface';
  /** Steepest ground walked on, degrees; highest step climbed. */
  slope?: number;
  step?: number;
  gravity?: number;
  /** As in a configuration of `navkiln bake`. */
  bake?: BakeFields;
  links?: SceneLink[];
  targets?: SceneTarget[];
  agents?: SceneAgent[];
  respawn?: SceneRespawn;
  seconds?: number;
  seed?: number;
}
