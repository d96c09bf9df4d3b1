/** `lineDrawings` of `navkiln/debug`: lines over a mesh or a level, as data for any engine. */
export { linksLines, neighborsOfPoly } from '../../show/draw/connections.ts';
export { boxLines } from '../../show/draw/level.ts';
export { agentLines, bvTreeBoxes, polyNormals } from '../../show/draw/marks.ts';
export { faultLines } from '../../show/verify/lines.ts';
