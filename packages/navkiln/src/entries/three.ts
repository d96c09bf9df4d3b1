/**
 * `navkiln/three`: levels from three.js scenes, and debug geometry as three.js objects. Needs three as a peer
 * dependency.
 */
export { levelFromObject3D } from '../engines/three/level.ts';
export type { LevelFromObjectOptions, ObjectLevel, ObjectLevelWarning, ObjectPart } from '../engines/three/level.ts';
export type { EngineLevel, EnginePart, LevelWarning } from '../engines/shared/level.ts';
export { disposeDrawn, drawLines, drawMesh, polyOfHit, updateDrawn } from '../engines/three/draw.ts';
export type { DrawnLines, DrawnMesh, DrawObjectOptions } from '../engines/three/draw.ts';
export { createAgentObject, placeAgentObject, stepAgentObject } from '../engines/three/agent.ts';
export type { AgentObject, AgentObjectOptions } from '../engines/three/agent.ts';
export type { AgentPose, AgentSource, InterpolatedAgent } from '../engines/shared/pose.ts';
