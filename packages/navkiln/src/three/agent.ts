/**
 * An Object3D that follows an agent. The simulation uses a fixed time step; rendering runs at any frame rate.
 * After each step the object reads its agent's position, and before each frame it is placed between the last
 * two positions.
 *
 * Headings are interpolated along the shorter way. The quaternion about y follows from the direction by two
 * square roots, without angles. A movement longer than `snapDistance` in one step is not interpolated.
 *
 * In: positions and headings of an agent. Out: position, rotation and visibility of an object.
 * Cost: constant per call. No allocation after creation.
 * Based on: own; half-angle formulas.
 */
import { Group } from 'three';
import type { Object3D } from 'three';
import { checkKeys, refuse, showValue } from '../data/refuse.ts';

/** The agent of an object: any position and heading that change in fixed steps. */
export interface AgentSource {
  /** Writes x, y, z of the agent's feet. False: the agent is gone, and the object is hidden. */
  position(out: Float64Array): boolean | void;
  /** Writes the agent's heading, a unit vector x, z. */
  heading(out: Float64Array): void;
}

/** Options of `createAgentObject`. */
export interface AgentObjectOptions {
  /**
   * The object to move. Its front is +z, as in glTF models. Default: a new Group, to which a model can be
   * added.
   */
  object?: Object3D;
  /** Distance within one step, in world units, above which a movement is a teleport. Default 2. */
  snapDistance?: number;
}

const KEYS: readonly (keyof AgentObjectOptions)[] = ['object', 'snapDistance'];

/** An object and the last two states of its agent. */
export interface AgentObject {
  /** Positions are world positions, so its parent must have no transform. */
  object: Object3D;
  source: AgentSource;
  snapDistance: number;
  /** x, y, z of the previous and the last step. */
  from: Float64Array;
  to: Float64Array;
  /** x, z of the previous and the last step. */
  fromHeading: Float64Array;
  toHeading: Float64Array;
}

/**
 * Creates an object that follows an agent, at the agent's position.
 *
 * @throws RangeError, TypeError for unknown or invalid options and for an invalid source
 */
export function createAgentObject(source: AgentSource, options: AgentObjectOptions = {}): AgentObject {
  checkKeys('createAgentObject', options, KEYS);
  if (typeof source?.position !== 'function' || typeof source.heading !== 'function') {
    throw new TypeError(`createAgentObject: source is ${showValue(source)}; must be { position(out), heading(out) }`);
  }
  const { object = new Group(), snapDistance = 2 } = options;
  if (!(snapDistance >= 0)) refuse('createAgentObject', 'options.snapDistance', snapDistance, 'a length from 0 up');
  const agent: AgentObject = {
    object,
    source,
    snapDistance,
    from: new Float64Array(3),
    to: new Float64Array(3),
    fromHeading: Float64Array.of(0, 1),
    toHeading: Float64Array.of(0, 1),
  };
  snapAgentObject(agent);
  return agent;
}

/** Reads the agent's position and heading. Call it after each fixed step. */
export function stepAgentObject(agent: AgentObject): void {
  const { from, to, fromHeading, toHeading, source, object } = agent;
  from.set(to);
  fromHeading.set(toHeading);
  object.visible = source.position(to) !== false;
  source.heading(toHeading);
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const dz = to[2] - from[2];
  if (dx * dx + dy * dy + dz * dz <= agent.snapDistance * agent.snapDistance) return;
  from.set(to);
  fromHeading.set(toHeading);
}

/**
 * Places the object between the last two positions of its agent. Call it before each frame.
 *
 * @param alpha share of a step that has passed since the last one, 0 .. 1
 */
export function placeAgentObject(agent: AgentObject, alpha: number): void {
  const { object, from, to, fromHeading, toHeading } = agent;
  const s = alpha > 0 ? (alpha < 1 ? alpha : 1) : 0;
  object.position.set(
    from[0] + s * (to[0] - from[0]),
    from[1] + s * (to[1] - from[1]),
    from[2] + s * (to[2] - from[2]),
  );
  let x = fromHeading[0] + s * (toHeading[0] - fromHeading[0]);
  let z = fromHeading[1] + s * (toHeading[1] - fromHeading[1]);
  let length = Math.sqrt(x * x + z * z);
  // Opposite headings have no shorter way between them.
  if (length < 1e-6) {
    x = toHeading[0];
    z = toHeading[1];
    length = Math.sqrt(x * x + z * z);
  }
  if (length === 0) return;
  const cos = Math.min(1, Math.max(-1, z / length));
  const half = Math.sqrt((1 - cos) / 2);
  object.quaternion.set(0, x < 0 ? -half : half, 0, Math.sqrt((1 + cos) / 2));
}

/** Places the object at its agent's position without interpolation: after a teleport, a respawn or a load. */
export function snapAgentObject(agent: AgentObject): void {
  stepAgentObject(agent);
  agent.from.set(agent.to);
  agent.fromHeading.set(agent.toHeading);
  placeAgentObject(agent, 1);
}
