/**
 * `navkiln/publish`: plans publications of worlds, bakes their chunks on any machine, and ends them. `navkiln-farm`
 * builds on it.
 */
export { planPublication } from './streaming/plan/cut.ts';
export type { PlanOptions, Planning } from './streaming/plan/cut.ts';
export { createPlanBaker, currentPlan, listDoneChunks, readPlan, readPlanParts } from './streaming/plan/bake.ts';
export type { BakedChunk, ChunkError, FailedTile, PlanBaker } from './streaming/plan/bake.ts';
export { finishPublication } from './streaming/plan/finish.ts';
export type { PlanPart, PlannedChunk, PublicationPlan } from './streaming/plan/types.ts';
export type { TileRow } from './worker/tile-row.ts';
export type { WorldManifest } from './streaming/manifest.ts';
