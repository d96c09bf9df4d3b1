/**
 * A game object of Phaser that follows an agent on the mesh of a 2D map, interpolated between the last two ticks of its
 * simulation.
 *
 * In: positions and headings of an agent. Out: position, rotation and visibility of a game object.
 * Cost: constant per call.
 * Based on: own.
 */
import { checkKeys, checkMutable, checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import { createPose, readPose, snapPose, stepPose } from '../shared/pose.ts';
import type { AgentPose, AgentSource, InterpolatedAgent } from '../shared/pose.ts';
import { atan2Degrees } from '../../base/math/angle.ts';
import { mapYSignOf } from '../../mesh/map-plane.ts';
import type { NavMesh } from '../../mesh/types.ts';

/** The members of a Phaser Sprite, Image, Container or shape that are used. */
export interface PhaserSprite {
  rotation: number;
  setPosition(x: number, y: number): unknown;
  setVisible(value: boolean): unknown;
}

/** Options of `createAgentSprite`. */
export interface AgentSpriteOptions {
  /** False: the sprite stays upright; `agent.drawn[3]` and `[4]` are its heading. Default true: its front is +x. */
  turns?: boolean;
  /**
   * Distance within one step, in pixels, above which a movement is a teleport. Default 64. Only applies to an
   * `AgentSource`.
   */
  snapDistance?: number;
}

/** A sprite and the last two states of its agent. */
export interface AgentSprite<S extends PhaserSprite> extends AgentPose {
  sprite: S;
  turns: boolean;
  /** y of the map / z of the mesh. */
  ySign: 1 | -1;
}

/**
 * Binds a sprite to an agent and places it at the agent's position.
 *
 * @param mesh the mesh of the map that the agent walks on
 * @param source `(out, alpha) => interpolateAgentInto(out, crowd, id, alpha)` for an agent of a crowd; or `{
 *   position(out), heading(out) }` in positions of the mesh, as from `mapToMesh`
 * @throws RangeError, TypeError for unknown or invalid options, an invalid source and a value that is not a sprite
 */
export function createAgentSprite<S extends PhaserSprite>(
  mesh: Pick<NavMesh, 'mapYSign'>,
  source: AgentSource | InterpolatedAgent,
  sprite: S,
  options: AgentSpriteOptions = {},
): AgentSprite<S> {
  checkObject('createAgentSprite', 'mesh', mesh);
  checkKeys('createAgentSprite', options, ['turns', 'snapDistance']);
  const { turns = true, snapDistance = 64 } = options;
  if (typeof turns !== 'boolean') refuse('createAgentSprite', 'options.turns', turns, 'true or false');
  if (typeof sprite?.setPosition !== 'function')
    refuseType('createAgentSprite', 'sprite', sprite, 'a game object of Phaser');
  checkMutable('createAgentSprite', 'sprite', sprite);
  const agent = { ...createPose('createAgentSprite', source, snapDistance), sprite, turns, ySign: mapYSignOf(mesh) };
  snapPose('createAgentSprite', agent);
  putSprite(agent);
  return agent;
}

/**
 * Reads the position and the heading of an `AgentSource`. Call it after each fixed step, and twice after a teleport within `snapDistance`.
 * Does nothing for an agent that its crowd interpolates.
 */
export function stepAgentSprite(agent: AgentSprite<PhaserSprite>): void {
  stepPose('stepAgentSprite', agent);
}

/**
 * Places the sprite between the last two positions of its agent. Call it in `update`.
 *
 * @param alpha share of a step that has passed since the last step, 0 .. 1; from `advanceCrowd`
 */
export function placeAgentSprite(agent: AgentSprite<PhaserSprite>, alpha: number): void {
  readPose('placeAgentSprite', agent, alpha);
  putSprite(agent);
}

function putSprite({ sprite, drawn, isPresent, turns, ySign }: AgentSprite<PhaserSprite>): void {
  sprite.setVisible(isPresent);
  sprite.setPosition(drawn[0], ySign * drawn[2]);
  if (turns && (drawn[3] !== 0 || drawn[4] !== 0))
    sprite.rotation = (atan2Degrees(ySign * drawn[4], drawn[3]) * Math.PI) / 180;
}
