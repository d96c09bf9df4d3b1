/**
 * `navkiln/phaser`: 2D maps from tilemap layers of Phaser, debug geometry into a Graphics, and sprites that follow agents.
 * Imports no code of Phaser.
 */
export { mapFromLayers } from '../engines/phaser/map.ts';
export type { MapFromLayersOptions, PhaserLayer, PhaserTile } from '../engines/phaser/map.ts';
export { drawGeometry } from '../engines/phaser/draw.ts';
export type { DrawOnGraphicsOptions, PhaserGraphics } from '../engines/phaser/draw.ts';
export { createAgentSprite, placeAgentSprite, stepAgentSprite } from '../engines/phaser/agent.ts';
export type { AgentSprite, AgentSpriteOptions, PhaserSprite } from '../engines/phaser/agent.ts';
export type { AgentPose, AgentSource, InterpolatedAgent } from '../engines/shared/pose.ts';
