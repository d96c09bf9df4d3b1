/**
 * Characters: agents of a crowd with a body. The agent is on the mesh; the body has weight, a face, feet and a pace.
 *
 * One row a slot of the crowd: a character's id is its agent's, so all that is done with agents (`moveTo`, `moveVelocity`,
 * `stop`, `getAgent`) is done with characters. Everything is in typed arrays; a tick (character-advance.ts) changes them in
 * place and allocates nothing once lists have grown.
 *
 * Units: world units, seconds, degrees. A tick is the crowd's `stepSeconds`, whatever frames are: results do not depend on them.
 */
import type { AgentId, Crowd } from '../../crowd/state/types.ts';
import type { Targets } from './targets.ts';

// set.mode: how a character is off the ground; MODE_GROUND: it is not, or is on a link.
export const MODE_GROUND = 0;
/** It jumps: above the ground of the mesh, which it does not leave; walls hold it. */
export const MODE_JUMP = 1;
/** It flies or falls: wherever its velocity takes it, until there is ground below. */
export const MODE_FREE = 2;

// set.respawn: what becomes of one that falls out of the world.
export const RESPAWN_NEAREST = 0;
export const RESPAWN_SPAWN = 1;
export const RESPAWN_REMOVE = 2;
export const RESPAWN_NONE = 3;

// set.marks
/** It touches a wall and pushes on. */
export const MARK_WALL = 1;
/** It is outside of the world's bounds. */
export const MARK_OUTSIDE = 2;
/** It has been said that it fell out of the world. */
export const MARK_BELOW = 4;
/** It is turning: has left the dead zone, and is not done yet. */
export const MARK_TURNING = 8;
/** It faces `facePoint`, not where it goes. */
export const MARK_FACES_POINT = 16;
/** It has been said that its goal cannot be reached. */
export const MARK_UNREACHABLE = 32;
/** It runs. */
export const MARK_RUNS = 64;
/** It stood on the ground at the end of the last tick. */
export const MARK_GROUNDED = 128;

/**
 * 'arrived': at its goal or target; 'settled': as near to it as others who stand there let it; 'unreachable': no way leads
 * there (it goes as near as it gets, and is told again only after there was a way); 'gave-up': half a minute without coming
 * nearer; 'target-lost': what it followed was removed; 'wall': pressed against a wall, once a contact; 'fell': the ground is
 * gone from under it; 'landed': value is the speed down; 'world-edge': it left the world's bounds; 'out-of-world': it fell too
 * far below them; 'respawned'; 'removed': by its respawn policy.
 */
export type CharacterEventKind =
  | 'arrived'
  | 'settled'
  | 'unreachable'
  | 'gave-up'
  | 'target-lost'
  | 'wall'
  | 'fell'
  | 'landed'
  | 'world-edge'
  | 'out-of-world'
  | 'respawned'
  | 'removed';

/** Of the last `advanceCharacters`, in the order they happened. */
export interface CharacterEvents {
  count: number;
  kind: CharacterEventKind[];
  character: Float64Array;
  /** Speed down for 'landed', else 0. World units a second. */
  value: Float64Array;
}

export interface CharacterSet {
  crowd: Crowd;
  /** AgentId of the character in each slot; 0: none. */
  id: Float64Array;
  mode: Uint8Array;
  marks: Uint8Array;
  respawn: Uint8Array;
  /** xyz: where it was first put, and where it last stood on ground. */
  spawn: Float64Array;
  lastGround: Float64Array;
  walkSpeed: Float64Array;
  runSpeed: Float64Array;
  acceleration: Float64Array;
  deceleration: Float64Array;
  gravity: Float64Array;
  terminalSpeed: Float64Array;
  /** World units a second, up. */
  fallVelocity: Float64Array;
  /** How far the drawn feet are above the ground: what is left of steps just taken. And of the tick before. */
  stepOffset: Float64Array;
  previousOffset: Float64Array;
  /** Share a second of it that goes, see character-feet.ts. */
  stepRate: Float64Array;
  /** xz, unit: where it faces, now and in the tick before. */
  facing: Float64Array;
  previousFacing: Float64Array;
  /** xz: its velocity, smoothed: what it turns to. */
  smoothVelocity: Float64Array;
  /** xz: what it was told to face. */
  facePoint: Float64Array;
  deadZoneDegrees: Float64Array;
  turnRate: Float64Array;
  /** Degrees a second at most. */
  maxTurnDegrees: Float64Array;
  /** Ticks for which it has been pressed against a wall without a word. */
  wallTicks: Uint16Array;
  /** 0 .. 1: speed as a share of running speed, smoothed. And of the tick before. */
  speedFraction: Float64Array;
  previousSpeedFraction: Float64Array;
  /** As its options say; whoever is a target has the right of way, 1. */
  priority: Float64Array;
  /** Of following: the target's id, 0: none; how near; the arriveDistance before. */
  targetId: Float64Array;
  targetDistance: Float64Array;
  arriveDistance: Float64Array;
  /** 1: it has been told where its target is. */
  isAiming: Uint8Array;
  /** Not before this tick: another try after giving up. */
  againTick: Int32Array;
  targets: Targets | null;
  events: CharacterEvents;
  /** Given: min xyz, max xyz; else those of the mesh, of when its revision was `boundsRevision`. */
  bounds: Float64Array;
  hasBounds: boolean;
  boundsRevision: number;
  /** How far below the bounds one may fall. */
  fallLimit: number;
  /** The mesh's revision when the ground under characters was last looked at. */
  groundRevision: number;
  /** 0: seconds not yet stepped. */
  time: Float64Array;
}

export type { AgentId };
