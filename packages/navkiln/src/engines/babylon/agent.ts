/**
 * A node of Babylon.js that follows an agent, interpolated between the last two ticks of its simulation.
 *
 * In: positions and headings of an agent. Out: position, direction and visibility of a node.
 * Cost: constant per call.
 * Based on: own.
 */
import { checkKeys, refuseType } from '../../base/data/refuse.ts';
import { createPose, readPose, snapPose, stepPose } from '../shared/pose.ts';
import type { AgentPose, AgentSource, InterpolatedAgent } from '../shared/pose.ts';

/** The members of a Babylon.js TransformNode or mesh that are used. */
export interface BabylonNode {
  position: { set(x: number, y: number, z: number): unknown };
  setEnabled(value: boolean): void;
  setDirection(direction: never): unknown;
}

/** Options of `createAgentNode`. */
export interface AgentNodeOptions {
  /**
   * Distance within one step, in world units, above which a movement is a teleport. Default 2. Only applies to
   * an `AgentSource`.
   */
  snapDistance?: number;
}

/** A node and the last two states of its agent. */
export interface AgentNode<N extends BabylonNode> extends AgentPose {
  /** Positions are world positions, so its parent must have no transform. */
  node: N;
}

/**
 * Binds a node to an agent and places it at the agent's position.
 *
 * @param source `(out, alpha) => interpolateAgentInto(out, crowd, id, alpha)` for an agent of a crowd, the same
 *   with `interpolateCharacterInto` for a character; or `{ position(out), heading(out) }`
 * @param node a TransformNode, a mesh, or the root of a loaded model. Its front is +z.
 * @throws RangeError, TypeError for unknown or invalid options, an invalid source and a value that is not a node
 */
export function createAgentNode<N extends BabylonNode>(
  source: AgentSource | InterpolatedAgent,
  node: N,
  options: AgentNodeOptions = {},
): AgentNode<N> {
  checkKeys('createAgentNode', options, ['snapDistance']);
  if (typeof node?.setDirection !== 'function') refuseType('createAgentNode', 'node', node, 'a node of Babylon.js');
  const agent = { ...createPose('createAgentNode', source, options.snapDistance ?? 2), node };
  snapPose('createAgentNode', agent);
  putNode(agent);
  return agent;
}

/**
 * Reads the position and the heading of an `AgentSource`. Call it after each fixed step, and twice after a teleport within `snapDistance`.
 * Does nothing for an agent that its crowd interpolates.
 */
export function stepAgentNode(agent: AgentNode<BabylonNode>): void {
  stepPose('stepAgentNode', agent);
}

/**
 * Places the node between the last two positions of its agent. Call it before each frame.
 *
 * @param alpha share of a step that has passed since the last step, 0 .. 1; from `advanceCrowd` or `advanceCharacters`
 */
export function placeAgentNode(agent: AgentNode<BabylonNode>, alpha: number): void {
  readPose('placeAgentNode', agent, alpha);
  putNode(agent);
}

const direction = { x: 0, y: 0, z: 1 };

function putNode({ node, drawn, isPresent }: AgentNode<BabylonNode>): void {
  node.setEnabled(isPresent);
  node.position.set(drawn[0], drawn[1], drawn[2]);
  direction.x = drawn[3];
  direction.z = drawn[4];
  if (drawn[3] !== 0 || drawn[4] !== 0) node.setDirection(direction as never);
}
