/**
 * The character record: agents of a crowd with a body. The agent moves on the mesh; the body has gravity, a
 * facing, feet and a speed fraction.
 *
 * One row per slot of the crowd. A character's id is its agent's id, so functions for agents (`moveAgentTo`,
 * `setAgentVelocity`, `stopAgent`, `getAgent`) also take characters. Everything is in typed arrays. A tick
 * (agents/characters/advance.ts) changes them in place and allocates nothing once lists have grown.
 *
 * Units: world units, seconds, degrees. A tick is the crowd's `stepSeconds` at any frame rate.
 */
import type { Crowd } from '../../crowd/state/types.ts';
import type { Targets } from './targets.ts';

// set.mode: how a character moves off the mesh. MODE_GROUND: on the mesh or on a link.
export const MODE_GROUND = 0;
/** Jumping: above the walkable surface, held by its walls. */
export const MODE_JUMP = 1;
/** Thrown or falling: moved by its velocity until it lands. */
export const MODE_FREE = 2;

// set.respawn: what happens after a fall out of the world.
export const RESPAWN_NEAREST = 0;
export const RESPAWN_SPAWN = 1;
export const RESPAWN_REMOVE = 2;
export const RESPAWN_NONE = 3;

// set.marks: a bit set
/** The character touches a wall and keeps pushing. */
export const MARK_WALL = 1;
/** It is outside the world's bounds. */
export const MARK_OUTSIDE = 2;
/** The event 'out-of-world' was reported. */
export const MARK_BELOW = 4;
/** It is turning: it left the dead zone and is not aligned yet. */
export const MARK_TURNING = 8;
/** It faces `facePoint` instead of its movement. */
export const MARK_FACES_POINT = 16;
/** The event 'unreachable' was reported. */
export const MARK_UNREACHABLE = 32;
/** It is running. */
export const MARK_RUNS = 64;
/** It was on the ground at the end of the last tick. */
export const MARK_GROUNDED = 128;

/**
 * The kind of a character event.
 *
 * - 'arrived': reached its goal or target.
 * - 'settled': stopped as close to the goal as the agents standing there allow.
 * - 'unreachable': no path leads to the goal. The character walks to the closest point. Reported again only
 *   after a path existed.
 * - 'gave-up': came no closer to the goal for half a minute.
 * - 'target-lost': the target it followed was removed.
 * - 'wall': presses against a wall; once per contact.
 * - 'fell': the walkable surface under it was removed.
 * - 'landed': touched the ground; `value` is the downward speed.
 * - 'world-edge': left the world's bounds.
 * - 'out-of-world': fell more than `fallLimit` below the bounds.
 * - 'respawned': was put back by its respawn policy.
 * - 'removed': was removed by its respawn policy.
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

/** Events of the last `advanceCharacters` or `stepCharacters`, in order. */
export interface CharacterEvents {
  count: number;
  kind: CharacterEventKind[];
  character: Float64Array;
  /** Downward speed of 'landed' in world units per second, otherwise 0. */
  value: Float64Array;
}

/**
 * The characters of a crowd, one row for each of its slots.
 * @opaque crowd, targets, events, mode
 */
export interface CharacterSet {
  crowd: Crowd;
  /** AgentId of the character in each slot; 0: no character. */
  id: Float64Array;
  mode: Uint8Array;
  marks: Uint8Array;
  respawn: Uint8Array;
  /** xyz of its first position, and of its last position on the ground. */
  spawn: Float64Array;
  lastGround: Float64Array;
  walkSpeed: Float64Array;
  runSpeed: Float64Array;
  acceleration: Float64Array;
  deceleration: Float64Array;
  gravity: Float64Array;
  terminalSpeed: Float64Array;
  /** Upward velocity in the air, world units per second. */
  fallVelocity: Float64Array;
  /**
   * Height of the drawn feet above the ground: the remaining offset of recent steps. The second array contains the
   * previous tick.
   */
  stepOffset: Float64Array;
  previousOffset: Float64Array;
  /** Decay rate of `stepOffset`, 1 / seconds; see characters/body.ts. */
  stepRate: Float64Array;
  /** xz, unit vectors: current facing, and facing in the previous tick. */
  facing: Float64Array;
  previousFacing: Float64Array;
  /** xz: smoothed velocity, which the character turns to. */
  smoothVelocity: Float64Array;
  /** xyz: the point to face (MARK_FACES_POINT). */
  facePoint: Float64Array;
  deadZoneDegrees: Float64Array;
  turnRate: Float64Array;
  /** Turning speed limit, degrees per second. */
  maxTurnDegrees: Float64Array;
  /** Ticks of the current contact with a wall, while it is not reported yet. */
  wallTicks: Uint16Array;
  /** Smoothed speed as a share of running speed, 0 .. 1. The second array contains the previous tick. */
  speedFraction: Float64Array;
  previousSpeedFraction: Float64Array;
  /** Priority from its options. While the character is a target, its agent has priority 1. */
  priority: Float64Array;
  /**
   * Id of the followed target (0: none), the distance to keep (-1: default), and the agent's own
   * arriveDistance.
   */
  targetId: Float64Array;
  targetDistance: Float64Array;
  arriveDistance: Float64Array;
  /** 1: the agent was sent to the target's position. */
  isAiming: Uint8Array;
  /** Tick before which a follower that gave up does not retry. */
  againTick: Int32Array;
  targets: Targets | null;
  events: CharacterEvents;
  /** min xyz, max xyz. Chosen by the caller (`hasBounds`) or taken from the mesh at `boundsRevision`. */
  bounds: Float64Array;
  hasBounds: boolean;
  boundsRevision: number;
  /** Depth below the bounds at which a character is out of the world. World units. */
  fallLimit: number;
  /** Revision of the mesh at the last check of the ground under characters. */
  groundRevision: number;
  /** [0]: seconds that `advanceCharacters` has not stepped yet. */
  time: Float64Array;
}
