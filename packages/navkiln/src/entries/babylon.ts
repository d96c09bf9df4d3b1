/**
 * `navkiln/babylon`: levels from meshes of Babylon.js, debug geometry as meshes, and nodes that follow agents. Imports no
 * code of Babylon.js.
 */
export { levelFromMeshes } from '../engines/babylon/level.ts';
export type { BabylonMaterial, BabylonMesh, LevelFromMeshesOptions } from '../engines/babylon/level.ts';
export type { EngineLevel, EnginePart, LevelWarning } from '../engines/shared/level.ts';
export { drawGeometry, updateDrawn } from '../engines/babylon/draw.ts';
export type { BabylonClasses, BabylonDrawn, BabylonStandardMaterial } from '../engines/babylon/draw.ts';
export type { DrawGeometryOptions } from '../engines/shared/draw.ts';
export { createAgentNode, placeAgentNode, stepAgentNode } from '../engines/babylon/agent.ts';
export type { AgentNode, AgentNodeOptions, BabylonNode } from '../engines/babylon/agent.ts';
export type { AgentPose, AgentSource, InterpolatedAgent } from '../engines/shared/pose.ts';
