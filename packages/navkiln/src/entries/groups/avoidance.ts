/**
 * `avoidance` of `navkiln/kernel`: an agent that chooses its velocity. Fill an `AvoidanceScene` at the offsets, then call one of the two
 * kernels.
 */
export { avoidByOrca } from '../../agents/crowd/avoidance/orca.ts';
export { SAMPLED_DEFAULTS, avoidBySampling, createSampledParams } from '../../agents/crowd/avoidance/sampled.ts';
export {
  NEIGHBOR_DX,
  NEIGHBOR_DZ,
  NEIGHBOR_RADIUS,
  NEIGHBOR_SHARE,
  NEIGHBOR_STRIDE,
  NEIGHBOR_VX,
  NEIGHBOR_VZ,
  SELF_DESIRED_X,
  SELF_DESIRED_Z,
  SELF_HORIZON,
  SELF_LENGTH,
  SELF_MAX_SPEED,
  SELF_RADIUS,
  SELF_SIDE,
  SELF_STEP,
  SELF_VX,
  SELF_VZ,
  SELF_WALL_HORIZON,
  WALL_STRIDE,
  createAvoidanceScene,
} from '../../agents/crowd/avoidance/scene.ts';
