/** `navkiln-farm`: bakes worlds on many machines: plans, workers, status. An explicit list. */
export { planFarm } from './plan.ts';
export type { FarmPlan, FarmPlanOptions } from './plan.ts';
export { runFarmWorker } from './work.ts';
export type { FarmEvent, FarmWork, FarmWorkerOptions } from './work.ts';
export { formatFarmMetrics, readFarmStatus } from './status.ts';
export type { FarmFailure, FarmStatus, QueueCounts } from './status.ts';
export { bakeFarmTile, retryFarm } from './repair.ts';
