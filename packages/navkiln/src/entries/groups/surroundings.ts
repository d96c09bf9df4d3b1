/** `surroundings` of `navkiln/kernel`: walls and polygons near a position, and moves between them. */
export { createPolyList, findPolysInBoxInto } from '../../query/nearest/polys-in-box.ts';
export { createNeighborhood, findLocalNeighborhoodInto } from '../../query/walk/neighborhood.ts';
export { addWallSegments, createWallSegments } from '../../query/walk/wall-segments.ts';
export { createWallHit, findDistanceToWallInto } from '../../query/walk/wall.ts';
export { createMove, validateMoveInto } from '../../query/walk/gate/validate-move.ts';
