/**
 * `navkiln/three`: levels from three.js scenes, and debug geometry as three.js objects. Needs three as a peer
 * dependency.
 */
export { levelFromObject3D } from './three/level.ts';
export type { LevelFromObjectOptions, ObjectLevel, ObjectLevelWarning, ObjectPart } from './three/level.ts';
export type { EngineLevel, EnginePart, LevelWarning } from './engine/level.ts';
export { disposeDrawn, drawLines, drawMesh, polyOfHit, updateDrawn } from './three/draw.ts';
export type { DrawnLines, DrawnMesh, DrawObjectOptions } from './three/draw.ts';
export { createAgentObject, placeAgentObject, snapAgentObject, stepAgentObject } from './three/agent.ts';
export type { AgentObject, AgentObjectOptions } from './three/agent.ts';
export type { AgentPose, AgentSource, InterpolatedAgent } from './engine/pose.ts';
