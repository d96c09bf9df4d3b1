/**
 * An Object3D that follows an agent. Agents move in fixed steps, pictures come when they come: after each step the object reads
 * where its agent is, and before each picture it is put between the last two places read.
 *
 * Headings are turned by the shorter way, without angles: from the direction the quaternion about y follows by two square roots.
 * A jump farther than `snapDistance` is not walked through but made at once. No allocation after it is made.
 */
import { Group } from 'three';
import type { Object3D } from 'three';
import { refuse } from '../data/refuse.ts';

/** What an object needs to know of its agent; any agent can be one. */
export interface AgentSource {
  /** Writes x, y, z of the feet. False: the agent is gone, and the object is hidden. */
  position(out: Float64Array): boolean | void;
  /** Writes the unit direction it looks in: x, z. */
  heading(out: Float64Array): void;
}

export interface AgentObjectOptions {
  /** What is moved. It looks along +z, as models of glTF do. Default: a new Group, to which a model can be added. */
  object?: Object3D;
  /** World units in one step, above which a move is a jump. Default 2. */
  snapDistance?: number;
}

export interface AgentObject {
  /** Its parent must not be moved: places are those of the world. */
  object: Object3D;
  source: AgentSource;
  snapDistance: number;
  /** x, y, z. */
  from: Float64Array;
  to: Float64Array;
  /** x, z. */
  fromHeading: Float64Array;
  toHeading: Float64Array;
}

/** The object stands where its agent is. */
export function createAgentObject(source: AgentSource, options: AgentObjectOptions = {}): AgentObject {
  if (typeof source?.position !== 'function' || typeof source.heading !== 'function') {
    throw new TypeError('createAgentObject: source must be { position(out), heading(out) }');
  }
  const { object = new Group(), snapDistance = 2 } = options;
  if (!(snapDistance >= 0)) refuse('createAgentObject', 'options.snapDistance', snapDistance, 'a length from 0 on');
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

/** After each fixed step: what was the newest place is now the older one. */
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

/** Before each picture: `alpha` is the share of a step, 0 .. 1, that has gone by since the last one. */
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
  // Opposite ones have no way between them that is shorter.
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

/** Puts the object where its agent is now, at once: after a teleport, a respawn, a load. */
export function snapAgentObject(agent: AgentObject): void {
  stepAgentObject(agent);
  agent.from.set(agent.to);
  agent.fromHeading.set(agent.toHeading);
  placeAgentObject(agent, 1);
}
