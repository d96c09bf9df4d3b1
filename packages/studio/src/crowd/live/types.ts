/** The records of a live world with obstacles. */
import type { ObstacleId, World } from 'navkiln/world';
import type { Vec3 } from '../../state/state.ts';
import type { Palette } from '../../view/palette.ts';
import type { Ray } from '../../view/view.ts';

export interface ObstacleShape {
  shape: 'box' | 'cylinder';
  /** Side or diameter, and height, world units. */
  width: number;
  height: number;
}

export interface LiveObstacle extends ObstacleShape {
  id: ObstacleId;
  /** The middle of its base. */
  position: Vec3;
}

export interface Live {
  world: World;
  isMap: boolean;
  obstacles: LiveObstacle[];
  /** Tiles that wait to be rebuilt. */
  pending: number;
  /** Tiles rebuilt since the mesh was drawn, and the time that they took, ms. */
  rebuilt: [x: number, z: number][];
  ms: number;
  publishedAt: number;
}

/** The live world of a run, and how it is shown. */
export interface LiveRun {
  live: Live;
  bodies: { setPalette: (palette: Palette) => void };
  /** The obstacle that Delete removes. */
  selected: LiveObstacle | undefined;
  /** Returns the obstacle under a pointer. */
  under: (ray: Ray) => LiveObstacle | undefined;
  drag: (obstacle: LiveObstacle, point: Vec3) => void;
  remove: (obstacle: LiveObstacle) => void;
  /** Rebuilds tiles. Returns true while some wait. */
  frame: (seconds: number) => boolean;
  /** Removes the obstacles from the view. */
  hide: () => void;
}
