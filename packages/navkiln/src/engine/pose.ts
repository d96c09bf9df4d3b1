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
import { checkHandle, checkRecord, refuse, refuseType } from '../data/refuse.ts';

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

/** Reads the position and the heading of an `AgentSource`. Does nothing for an agent that interpolates itself. @internal */
export function stepPose(caller: string, pose: AgentPose): void {
  checkRecord(caller, 'agent', pose, 'drawn', 'a bound agent');
  const { from, to, fromHeading, toHeading, source } = pose;
  if (typeof source === 'function') return;
  from.set(to);
  fromHeading.set(toHeading);
  pose.isPresent = source.position(to) !== false;
  source.heading(toHeading);
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const dz = to[2] - from[2];
  if (dx * dx + dy * dy + dz * dz <= pose.snapDistance * pose.snapDistance) return;
  from.set(to);
  fromHeading.set(toHeading);
}

/** Writes the pose interpolated by `alpha` between the last two steps into `pose.drawn`. @internal */
export function readPose(caller: string, pose: AgentPose, alpha: number): void {
  checkHandle(caller, 'alpha', alpha);
  checkRecord(caller, 'agent', pose, 'drawn', 'a bound agent');
  const { source, drawn, from, to, fromHeading, toHeading } = pose;
  const s = alpha > 0 ? (alpha < 1 ? alpha : 1) : 0;
  if (typeof source === 'function') {
    pose.isPresent = source(drawn, s) !== false;
    return;
  }
  for (let k = 0; k < 3; k++) drawn[k] = from[k] + s * (to[k] - from[k]);
  const x = fromHeading[0] + s * (toHeading[0] - fromHeading[0]);
  const z = fromHeading[1] + s * (toHeading[1] - fromHeading[1]);
  // Opposite headings have no smaller angle between them.
  const isOpposite = x * x + z * z < 1e-12;
  drawn[3] = isOpposite ? toHeading[0] : x;
  drawn[4] = isOpposite ? toHeading[1] : z;
}

/** Sets the pose to the agent's position, without interpolation. @internal */
export function snapPose(caller: string, pose: AgentPose): void {
  stepPose(caller, pose);
  pose.from.set(pose.to);
  pose.fromHeading.set(pose.toHeading);
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
