/**
 * `navkiln/playcanvas`: levels from entities of PlayCanvas, debug geometry as entities, and entities that follow agents.
 * Imports no code of PlayCanvas.
 */
export { levelFromEntity } from './playcanvas/level.ts';
export type { LevelFromEntityOptions, PlayCanvasEntity, PlayCanvasMeshInstance } from './playcanvas/level.ts';
export type { EngineLevel, EnginePart, LevelWarning } from './engine/level.ts';
export { drawGeometry, updateDrawn } from './playcanvas/draw.ts';
export type { PlayCanvasClasses, PlayCanvasDrawn, PlayCanvasMaterial, PlayCanvasMesh } from './playcanvas/draw.ts';
export type { DrawGeometryOptions } from './engine/draw.ts';
export { createAgentEntity, placeAgentEntity, snapAgentEntity, stepAgentEntity } from './playcanvas/agent.ts';
export type { AgentEntity, AgentEntityOptions, PlayCanvasNode } from './playcanvas/agent.ts';
export type { AgentPose, AgentSource, InterpolatedAgent } from './engine/pose.ts';
