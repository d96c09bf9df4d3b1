/**
 * `navkiln/playcanvas`: levels from entities of PlayCanvas, debug geometry as entities, and entities that follow agents.
 * Imports no code of PlayCanvas.
 */
export { levelFromEntity } from '../engines/playcanvas/level.ts';
export type { LevelFromEntityOptions, PlayCanvasEntity, PlayCanvasMeshInstance } from '../engines/playcanvas/level.ts';
export type { EngineLevel, EnginePart, LevelWarning } from '../engines/shared/level.ts';
export { drawGeometry, updateDrawn } from '../engines/playcanvas/draw.ts';
export type {
  PlayCanvasClasses,
  PlayCanvasDrawn,
  PlayCanvasMaterial,
  PlayCanvasMesh,
} from '../engines/playcanvas/draw.ts';
export type { DrawGeometryOptions } from '../engines/shared/draw.ts';
export { createAgentEntity, placeAgentEntity, stepAgentEntity } from '../engines/playcanvas/agent.ts';
export type { AgentEntity, AgentEntityOptions, PlayCanvasNode } from '../engines/playcanvas/agent.ts';
export type { AgentPose, AgentSource, InterpolatedAgent } from '../engines/shared/pose.ts';
