/**
 * An Object3D that follows an agent. The simulation uses a fixed time step; rendering runs at any frame rate.
 * Before each frame the object is placed between the last two ticks of its agent.
 *
 * Agents and characters interpolate themselves (`interpolateAgentInto`, `interpolateCharacterInto`), so one
 * call before each frame is enough. Any other thing that moves in fixed steps has its position and heading
 * read after each step. Headings are interpolated along the shorter way. The quaternion about y follows from
 * the direction by two square roots, without angles. A movement longer than `snapDistance` in one step is not
 * interpolated.
 *
 * In: positions and headings of an agent. Out: position, rotation and visibility of an object.
 * Cost: constant per call. No allocation after creation.
 * Based on: own; half-angle formulas.
 */
import { Group } from 'three';
import type { Object3D } from 'three';
import { checkHandle, checkKeys, checkRecord, refuse, showValue } from '../data/refuse.ts';

/**
 * An agent that is interpolated by its crowd: writes x, y, z of its feet and x, z of its heading, `alpha` of the
 * way between its last two ticks. False: the agent is gone, and the object is hidden. For example
 * `(out, alpha) => interpolateAgentInto(out, crowd, id, alpha)`.
 */
export type InterpolatedAgent = (out: Float64Array, alpha: number) => boolean | void;

/** Any other agent: a position and a heading that change in fixed steps. `stepAgentObject` reads them. */
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
  /**
   * Distance within one step, in world units, above which a movement is a teleport. Default 2. Only applies to
   * an `AgentSource`.
   */
  snapDistance?: number;
}

const KEYS: readonly (keyof AgentObjectOptions)[] = ['object', 'snapDistance'];

/** An object and the last two states of its agent. */
export interface AgentObject {
  /** Positions are world positions, so its parent must have no transform. */
  object: Object3D;
  source: AgentSource | InterpolatedAgent;
  snapDistance: number;
  /** x, y, z of the previous and the last step. */
  from: Float64Array;
  to: Float64Array;
  /** x, z of the previous and the last step. */
  fromHeading: Float64Array;
  toHeading: Float64Array;
  /** What an `InterpolatedAgent` writes: x, y, z, heading x, z, and for a character its speed fraction. */
  drawn: Float64Array;
}

/**
 * Creates an object that follows an agent, at the agent's position.
 *
 * @param source `(out, alpha) => interpolateAgentInto(out, crowd, id, alpha)` for an agent of a crowd, the same
 *   with `interpolateCharacterInto` for a character; or `{ position(out), heading(out) }`
 * @throws RangeError, TypeError for unknown or invalid options and for an invalid source
 */
export function createAgentObject(
  source: AgentSource | InterpolatedAgent,
  options: AgentObjectOptions = {},
): AgentObject {
  checkKeys('createAgentObject', options, KEYS);
  if (
    typeof source !== 'function' &&
    (typeof source?.position !== 'function' || typeof source.heading !== 'function')
  ) {
    const mustBe = '(out, alpha) => boolean, or { position(out), heading(out) }';
    throw new TypeError(`createAgentObject: source is ${showValue(source)}; must be ${mustBe}`);
  }
  const { object = new Group(), snapDistance = 2 } = options;
  if (typeof snapDistance !== 'number' || !(snapDistance >= 0))
    refuse('createAgentObject', 'options.snapDistance', snapDistance, 'a length from 0 up');
  const agent: AgentObject = {
    object,
    source,
    snapDistance,
    from: new Float64Array(3),
    to: new Float64Array(3),
    fromHeading: Float64Array.of(0, 1),
    toHeading: Float64Array.of(0, 1),
    drawn: Float64Array.of(0, 0, 0, 0, 1, 0),
  };
  snapAgentObject(agent);
  return agent;
}

/**
 * Reads the position and the heading of an `AgentSource`. Call it after each fixed step. Does nothing for an
 * agent that is interpolated by its crowd.
 */
export function stepAgentObject(agent: AgentObject): void {
  checkRecord('stepAgentObject', 'agent', agent, 'drawn', 'the AgentObject of createAgentObject');
  const { from, to, fromHeading, toHeading, source, object } = agent;
  if (typeof source === 'function') return;
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
 * @param alpha share of a step that has passed since the last one, 0 .. 1; from `advanceCrowd` or
 *   `advanceCharacters`
 */
export function placeAgentObject(agent: AgentObject, alpha: number): void {
  checkHandle('placeAgentObject', 'alpha', alpha);
  checkRecord('placeAgentObject', 'agent', agent, 'drawn', 'the AgentObject of createAgentObject');
  const { object, source, drawn, from, to, fromHeading, toHeading } = agent;
  const s = alpha > 0 ? (alpha < 1 ? alpha : 1) : 0;
  if (typeof source === 'function') {
    object.visible = source(drawn, s) !== false;
    object.position.set(drawn[0], drawn[1], drawn[2]);
    turnObject(object, drawn[3], drawn[4]);
    return;
  }
  object.position.set(
    from[0] + s * (to[0] - from[0]),
    from[1] + s * (to[1] - from[1]),
    from[2] + s * (to[2] - from[2]),
  );
  let x = fromHeading[0] + s * (toHeading[0] - fromHeading[0]);
  let z = fromHeading[1] + s * (toHeading[1] - fromHeading[1]);
  // Opposite headings have no shorter way between them.
  if (x * x + z * z < 1e-12) {
    x = toHeading[0];
    z = toHeading[1];
  }
  turnObject(object, x, z);
}

/** Turns an object about y, so that its +z points along (x, z). Without a direction it stays as it is. */
function turnObject(object: Object3D, x: number, z: number): void {
  const length = Math.sqrt(x * x + z * z);
  if (length === 0) return;
  const cos = Math.min(1, Math.max(-1, z / length));
  const half = Math.sqrt((1 - cos) / 2);
  object.quaternion.set(0, x < 0 ? -half : half, 0, Math.sqrt((1 + cos) / 2));
}

/** Places the object at its agent's position without interpolation: after a teleport, a respawn or a load. */
export function snapAgentObject(agent: AgentObject): void {
  checkRecord('snapAgentObject', 'agent', agent, 'drawn', 'the AgentObject of createAgentObject');
  stepAgentObject(agent);
  agent.from.set(agent.to);
  agent.fromHeading.set(agent.toHeading);
  placeAgentObject(agent, 1);
}
