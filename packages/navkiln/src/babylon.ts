/**
 * `navkiln/babylon`: levels from meshes of Babylon.js, debug geometry as meshes, and nodes that follow agents. Imports no
 * code of Babylon.js.
 */
export { levelFromMeshes } from './babylon/level.ts';
export type { BabylonMaterial, BabylonMesh, LevelFromMeshesOptions } from './babylon/level.ts';
export type { EngineLevel, EnginePart, LevelWarning } from './engine/level.ts';
export { drawGeometry, updateDrawn } from './babylon/draw.ts';
export type { BabylonClasses, BabylonDrawn, BabylonStandardMaterial } from './babylon/draw.ts';
export type { DrawGeometryOptions } from './engine/draw.ts';
export { createAgentNode, placeAgentNode, snapAgentNode, stepAgentNode } from './babylon/agent.ts';
export type { AgentNode, AgentNodeOptions, BabylonNode } from './babylon/agent.ts';
export type { AgentPose, AgentSource, InterpolatedAgent } from './engine/pose.ts';
