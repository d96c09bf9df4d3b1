/**
 * `navkiln/publish`: plans publications of worlds, bakes their chunks on any machine, and ends them. `navkiln-farm`
 * builds on it.
 */
export { planPublication } from '../world/streaming/plan/cut.ts';
export type { PlanOptions, Planning } from '../world/streaming/plan/cut.ts';
export { createPlanBaker, currentPlan, listDoneChunks, readPlan, readPlanParts } from '../world/streaming/plan/bake.ts';
export type { BakedChunk, ChunkError, FailedTile, PlanBaker } from '../world/streaming/plan/bake.ts';
export { finishPublication } from '../world/streaming/plan/finish.ts';
export type { PlanPart, PlannedChunk, PublicationPlan } from '../world/streaming/plan/types.ts';
export type { TileRow } from '../world/worker/tile-row.ts';
export type { WorldManifest } from '../world/streaming/manifest.ts';
