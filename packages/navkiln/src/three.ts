/** `navkiln/three`: geometry out of three.js scenes, draw lists into them. An explicit list; needs three beside it. */
export { levelFromObject3D } from './three/level.ts';
export type { LevelFromObjectOptions, ObjectLevel, ObjectLevelWarning, ObjectPart } from './three/level.ts';
export { disposeDrawn, drawLines, drawMesh, polyOfHit, updateDrawn } from './three/draw.ts';
export type { DrawnLines, DrawnMesh, DrawObjectOptions } from './three/draw.ts';
export { createAgentObject, placeAgentObject, snapAgentObject, stepAgentObject } from './three/agent.ts';
export type { AgentObject, AgentObjectOptions, AgentSource } from './three/agent.ts';
