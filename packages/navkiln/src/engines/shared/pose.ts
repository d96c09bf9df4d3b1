/**
 * The pose of an agent between two ticks. The simulation uses a fixed time step; rendering runs at any frame rate.
 *
 * Agents and characters interpolate themselves (`interpolateAgentInto`, `interpolateCharacterInto`). For any other
 * object that moves in fixed steps, position and heading are read after each step, and headings are interpolated over
 * the smaller angle. A movement longer than `snapDistance` in one step is not interpolated.
 *
 * In: positions and headings of an agent. Out: a position and a heading per frame, for an engine's object.
 * Cost: constant per call. No allocation after creation.
 * Based on: own; half-angle formulas.
 */
import { checkHandle, refuse, refuseType } from '../../base/data/refuse.ts';

/**
 * An agent that its crowd interpolates. Writes x, y, z of its feet and x, z of its heading, interpolated by `alpha`
 * between its last two ticks. False: the agent was removed, and the object is hidden. For example `(out, alpha) =>
 * interpolateAgentInto(out, crowd, id, alpha)`.
 */
export type InterpolatedAgent = (out: Float64Array, alpha: number) => boolean | void;

/** Any other agent: its position and heading change in fixed steps and are read after each step. */
export interface AgentSource {
  /** Writes x, y, z of the agent's feet. False: the agent was removed, and the object is hidden. */
  position(out: Float64Array): boolean | void;
  /** Writes the agent's heading, a unit vector x, z. */
  heading(out: Float64Array): void;
}

/** The last two states of an agent, and the interpolated pose. */
export interface AgentPose {
  source: AgentSource | InterpolatedAgent;
  /** World units. */
  snapDistance: number;
  /** False after the agent was removed. */
  isPresent: boolean;
  /** x, y, z of the previous and the last step. */
  from: Float64Array;
  to: Float64Array;
  /** x, z of the previous and the last step. */
  fromHeading: Float64Array;
  toHeading: Float64Array;
  /** The drawn pose: x, y, z, heading x, z, and for a character its speed fraction. */
  drawn: Float64Array;
}

/**
 * Creates the pose of an agent at the agent's position.
 *
 * @throws TypeError, RangeError for an invalid source or distance, in the name of `caller`
 * @internal
 */
export function createPose(caller: string, source: AgentSource | InterpolatedAgent, snapDistance: number): AgentPose {
  if (typeof source !== 'function' && (typeof source?.position !== 'function' || typeof source.heading !== 'function'))
    refuseType(caller, 'source', source, '(out, alpha) => boolean, or { position(out), heading(out) }');
  if (typeof snapDistance !== 'number' || !(snapDistance >= 0))
    refuse(caller, 'options.snapDistance', snapDistance, 'a length >= 0');
  return {
    source,
    snapDistance,
    isPresent: true,
    from: new Float64Array(3),
    to: new Float64Array(3),
    fromHeading: Float64Array.of(0, 1),
    toHeading: Float64Array.of(0, 1),
    drawn: Float64Array.of(0, 0, 0, 0, 1, 0),
  };
}

function checkPose(caller: string, pose: AgentPose): void {
  if (!ArrayBuffer.isView(pose?.drawn) || Object.isFrozen(pose))
    refuseType(caller, 'agent', pose, 'a bound agent, not frozen');
}

/** Makes both states the last one. */
function endStep({ from, to, fromHeading, toHeading }: AgentPose): void {
  from.set(to);
  fromHeading.set(toHeading);
}

/** Reads the position and the heading of an `AgentSource`. Does nothing for an agent that interpolates itself. @internal */
export function stepPose(caller: string, pose: AgentPose): void {
  checkPose(caller, pose);
  const { from, to, source, snapDistance } = pose;
  if (typeof source === 'function') return;
  endStep(pose);
  pose.isPresent = source.position(to) !== false;
  source.heading(pose.toHeading);
  let distanceSq = 0;
  for (let k = 0; k < 3; k++) distanceSq += (to[k] - from[k]) * (to[k] - from[k]);
  if (!(distanceSq <= snapDistance * snapDistance)) endStep(pose);
}

function mixInto(out: Float64Array, at: number, from: Float64Array, to: Float64Array, s: number): void {
  for (let k = 0; k < from.length; k++) out[at + k] = from[k] + s * (to[k] - from[k]);
}

/** Writes the pose interpolated by `alpha` between the last two steps into `pose.drawn`. @internal */
export function readPose(caller: string, pose: AgentPose, alpha: number): void {
  checkHandle(caller, 'alpha', alpha);
  checkPose(caller, pose);
  const { source, drawn, from, to, fromHeading, toHeading } = pose;
  const s = alpha > 0 ? (alpha < 1 ? alpha : 1) : 0;
  if (typeof source === 'function') {
    pose.isPresent = source(drawn, s) !== false;
    return;
  }
  mixInto(drawn, 0, from, to, s);
  mixInto(drawn, 3, fromHeading, toHeading, s);
  // Opposite headings have no smaller angle between them.
  if (drawn[3] * drawn[3] + drawn[4] * drawn[4] < 1e-12) drawn.set(toHeading, 3);
}

/** Sets the pose to the agent's position, without interpolation. @internal */
export function snapPose(caller: string, pose: AgentPose): void {
  stepPose(caller, pose);
  endStep(pose);
  readPose(caller, pose, 1);
}

/**
 * Writes the turn about y that makes +z point along the drawn heading, as y and w of a quaternion. Returns false if
 * there is no heading.
 *
 * @internal
 */
export function turnInto(out: Float64Array, { drawn }: AgentPose): boolean {
  const x = drawn[3];
  const z = drawn[4];
  const length = Math.sqrt(x * x + z * z);
  if (!(length > 0)) return false;
  const cos = Math.min(1, Math.max(-1, z / length));
  const half = Math.sqrt((1 - cos) / 2);
  out[0] = x < 0 ? -half : half;
  out[1] = Math.sqrt((1 + cos) / 2);
  return true;
}
