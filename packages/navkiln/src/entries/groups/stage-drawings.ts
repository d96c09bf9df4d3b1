/** `stageDrawings` of `navkiln/debug`: the records of a bake as debug geometry: any stage by its name, or single records, and the tile at a place. */
export { compactFloors, contourLines, solidSpans } from '../../show/draw/stages.ts';
export { listMapStages, viewMapStage } from '../../show/stage/map.ts';
export { tileOfPlace } from '../../show/stage/records.ts';
export { listStages, viewStage } from '../../show/stage/views.ts';
export { voxelBoxes, voxelFloors } from '../../show/stage/voxels.ts';
