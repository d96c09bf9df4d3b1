/**
 * An Object3D that follows an agent. The simulation uses a fixed time step; rendering runs at any frame rate. Before
 * each frame, the object gets the interpolated pose between the last two ticks of its agent.
 *
 * Agents and characters interpolate themselves (`interpolateAgentInto`, `interpolateCharacterInto`), so one call before
 * each frame is enough. For any other object that moves in fixed steps, position and heading are read after each step.
 *
 * In: positions and headings of an agent. Out: position, rotation and visibility of an object.
 * Cost: constant per call. No allocation after creation.
 * Based on: own.
 */
import { Group } from 'three';
import type { Object3D } from 'three';
import { checkKeys } from '../../base/data/refuse.ts';
import { createPose, readPose, snapPose, stepPose, turnInto } from '../shared/pose.ts';
import type { AgentPose, AgentSource, InterpolatedAgent } from '../shared/pose.ts';

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
export interface AgentObject extends AgentPose {
  /** Positions are world positions, so its parent must have no transform. */
  object: Object3D;
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
  const pose = createPose('createAgentObject', source, options.snapDistance ?? 2);
  const agent: AgentObject = { ...pose, object: options.object ?? new Group() };
  snapPose('createAgentObject', agent);
  putObject(agent);
  return agent;
}

/**
 * Reads the position and the heading of an `AgentSource`. Call it after each fixed step, and twice after a teleport within `snapDistance`.
 * Does nothing for an agent that its crowd interpolates.
 */
export function stepAgentObject(agent: AgentObject): void {
  stepPose('stepAgentObject', agent);
  agent.object.visible = agent.isPresent;
}

/**
 * Places the object between the last two positions of its agent. Call it before each frame.
 *
 * @param alpha share of a step that has passed since the last step, 0 .. 1; from `advanceCrowd` or `advanceCharacters`
 */
export function placeAgentObject(agent: AgentObject, alpha: number): void {
  readPose('placeAgentObject', agent, alpha);
  putObject(agent);
}

const turn = /* @__PURE__ */ new Float64Array(2);

function putObject(agent: AgentObject): void {
  const { object, drawn } = agent;
  object.visible = agent.isPresent;
  object.position.set(drawn[0], drawn[1], drawn[2]);
  if (turnInto(turn, agent)) object.quaternion.set(0, turn[0], 0, turn[1]);
}
