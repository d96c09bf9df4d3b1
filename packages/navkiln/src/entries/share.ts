/**
 * `navkiln/share`: one mesh for many threads and rooms. Meshes in shared memory, and overlays with doors, names and links of their own.
 */
export { createMeshOverlay } from '../world/share/overlay.ts';
export { sharePathIndex } from '../world/share/arrays.ts';
export {
  closeSharedNavMesh,
  getSharedStatus,
  openSharedNavMesh,
  refreshSharedNavMesh,
  shareNavMesh,
  updateSharedNavMesh,
} from '../world/share/share.ts';
export type { SharedNavMesh, ShareOptions, SharedStatus, SharedUpdate } from '../world/share/share.ts';
