/**
 * An entity of PlayCanvas that follows an agent, interpolated between the last two ticks of its simulation.
 *
 * In: positions and headings of an agent. Out: position, rotation and state of an entity.
 * Cost: constant per call.
 * Based on: own.
 */
import { checkKeys, refuseType } from '../../base/data/refuse.ts';
import { createPose, readPose, snapPose, stepPose, turnInto } from '../shared/pose.ts';
import type { AgentPose, AgentSource, InterpolatedAgent } from '../shared/pose.ts';

/** The members of a PlayCanvas Entity that are used. */
export interface PlayCanvasNode {
  enabled: boolean;
  setPosition(x: number, y: number, z: number): void;
  setRotation(x: number, y: number, z: number, w: number): void;
}

/** Options of `createAgentEntity`. */
export interface AgentEntityOptions {
  /**
   * Distance within one step, in world units, above which a movement is a teleport. Default 2. Only applies to
   * an `AgentSource`.
   */
  snapDistance?: number;
}

/** An entity and the last two states of its agent. */
export interface AgentEntity<E extends PlayCanvasNode> extends AgentPose {
  entity: E;
}

/**
 * Binds an entity to an agent and places it at the agent's position.
 *
 * @param source `(out, alpha) => interpolateAgentInto(out, crowd, id, alpha)` for an agent of a crowd, the same
 *   with `interpolateCharacterInto` for a character; or `{ position(out), heading(out) }`
 * @param entity an entity, or the root of a loaded model. Its front is +z, as in glTF models.
 * @throws RangeError, TypeError for unknown or invalid options, an invalid source and a value that is not an entity
 */
export function createAgentEntity<E extends PlayCanvasNode>(
  source: AgentSource | InterpolatedAgent,
  entity: E,
  options: AgentEntityOptions = {},
): AgentEntity<E> {
  checkKeys('createAgentEntity', options, ['snapDistance']);
  if (typeof entity?.setRotation !== 'function')
    refuseType('createAgentEntity', 'entity', entity, 'an Entity of PlayCanvas');
  const agent = { ...createPose('createAgentEntity', source, options.snapDistance ?? 2), entity };
  snapPose('createAgentEntity', agent);
  putEntity(agent);
  return agent;
}

/**
 * Reads the position and the heading of an `AgentSource`. Call it after each fixed step, and twice after a teleport within `snapDistance`.
 * Does nothing for an agent that its crowd interpolates.
 */
export function stepAgentEntity(agent: AgentEntity<PlayCanvasNode>): void {
  stepPose('stepAgentEntity', agent);
}

/**
 * Places the entity between the last two positions of its agent. Call it before each frame.
 *
 * @param alpha share of a step that has passed since the last step, 0 .. 1; from `advanceCrowd` or `advanceCharacters`
 */
export function placeAgentEntity(agent: AgentEntity<PlayCanvasNode>, alpha: number): void {
  readPose('placeAgentEntity', agent, alpha);
  putEntity(agent);
}

const turn = /* @__PURE__ */ new Float64Array(2);

function putEntity(agent: AgentEntity<PlayCanvasNode>): void {
  const { entity, drawn, isPresent } = agent;
  entity.enabled = isPresent;
  entity.setPosition(drawn[0], drawn[1], drawn[2]);
  if (turnInto(turn, agent)) entity.setRotation(0, turn[0], 0, turn[1]);
}
