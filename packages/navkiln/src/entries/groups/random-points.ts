/** `randomPoints` of `navkiln/kernel`: points drawn uniformly by area, from a mesh or from what a flood has reached. */
export {
  createGroundSampler,
  createRandomHit,
  drawPointInto,
  sampleFlood,
  sampleMesh,
} from '../../query/random/ground-sampler.ts';
