/**
 * `navkiln/rollback`: snapshots in memory of crowds, characters, worlds and meshes, for games that go back some ticks
 * and simulate them again.
 */
export { captureMesh, rewindMesh } from '../mesh/rollback/mesh-snapshot.ts';
export type { MeshSnapshot } from '../mesh/rollback/mesh-snapshot.ts';
export { captureCrowd, rewindCrowd } from '../agents/crowd/rollback/crowd-snapshot.ts';
export type { CrowdSnapshot } from '../agents/crowd/rollback/crowd-snapshot.ts';
export { captureCharacters, rewindCharacters } from '../agents/characters/snapshot.ts';
export type { CharactersSnapshot } from '../agents/characters/snapshot.ts';
export { captureWorld, rewindWorld } from '../world/rollback/world-snapshot.ts';
export type { WorldSnapshot } from '../world/rollback/world-snapshot.ts';
export { createSnapshotRing } from '../world/rollback/snapshot-ring.ts';
export type { SnapshotRing, SnapshotRingOptions } from '../world/rollback/snapshot-ring.ts';
