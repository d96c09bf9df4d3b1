/**
 * `navkiln/phaser`: 2D maps from tilemap layers of Phaser, debug geometry into a Graphics, and sprites that follow agents.
 * Imports no code of Phaser.
 */
export { mapFromLayers } from './phaser/map.ts';
export type { MapFromLayersOptions, PhaserLayer, PhaserTile } from './phaser/map.ts';
export { drawGeometry } from './phaser/draw.ts';
export type { DrawOnGraphicsOptions, PhaserGraphics } from './phaser/draw.ts';
export { createAgentSprite, placeAgentSprite, snapAgentSprite, stepAgentSprite } from './phaser/agent.ts';
export type { AgentSprite, AgentSpriteOptions, PhaserSprite } from './phaser/agent.ts';
export type { AgentPose, AgentSource, InterpolatedAgent } from './engine/pose.ts';
