/** `crowdRuns` of `navkiln/debug`: crowd scenes that are run, measured and drawn. */
export { createCrowdDriver } from '../../show/crowd/driver.ts';
export {
  BODY_ARRIVED,
  BODY_GAVE_UP,
  BODY_GONE,
  BODY_IDLE,
  BODY_MOVING,
  BODY_ON_LINK,
  BODY_QUEUEING,
  BODY_SETTLED,
  createCrowdMetrics,
  isAtRest,
  listBrokenPromises,
  noteCrowdOrder,
  recordCrowdTick,
  summarizeCrowd,
} from '../../show/crowd/metrics.ts';
export { createCrowdWorld, finishCrowdRun, runCrowdScene, startCrowdRun, stepCrowdRun } from '../../show/crowd/run.ts';
export { createCrowdTrail, crowdSvg, noteCrowdTrail } from '../../show/crowd/svg.ts';
