/** `stageDrawings` of `navkiln/debug`: the records of a bake as debug geometry. `viewStage` draws any stage by its name. */
export { compactFloors, contourLines, solidSpans } from '../../show/draw/stages.ts';
export { voxelBoxes, voxelFloors } from '../../show/stage/voxels.ts';
