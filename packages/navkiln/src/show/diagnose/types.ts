/** The records of a diagnosis: what a bake covers, what its stages lose, and remedies that were tried. */
import type { EmptyReason } from '../../base/data/empty-reason.ts';
import type { ClosedRoom } from './closed-rooms.ts';
import type { IslandGap } from './island-gaps.ts';
import type { StageAreas } from './trial.ts';

/** The cause of a suspicious bake. */
export type BakeFindingCode =
  | 'wrong-unit'
  | 'wrong-up-axis'
  | 'flipped-faces'
  | 'one-sided-sheets'
  | 'small-level'
  | 'low-headroom'
  | 'large-radius'
  | 'large-agent'
  | 'small-pieces'
  | 'coarse-cells'
  | 'low-coverage';

/** A cause, with the remedy that was tried on a sample of the level. */
export interface BakeFinding {
  code: BakeFindingCode;
  /** One sentence with the remedy. */
  message: string;
  /**
   * Changes that help, by path: options such as `agent.radius`; `input.scale`, a factor for positions; `input.turn`, degrees about x (180: -y is up); `input.turnZ`, degrees about z;
   * `input.indices`, true: swap two corners of each triangle; `input.twoSided`. Empty for 'low-coverage'.
   */
  changes: Record<string, number | boolean>;
  /** Square units that the mesh covers after the changes, in the scale of the level as it is; their share of what is flat enough then. */
  area: number;
  coverage: number;
  /** Where most of the surface is lost. Only for 'low-coverage'. */
  position?: [number, number, number];
}

/** The result of `diagnoseBake`. */
export interface BakeDiagnosis {
  /** Extent of the level along x, y and z. */
  size: [number, number, number];
  /** Square units that the mesh covers. */
  meshArea: number;
  /** Share of the surface that is flat enough to walk on. 1 for a level without any. */
  coverage: number;
  /** What each stage leaves, square units; measured only when the bake is suspicious and the level is not too wide. */
  stages?: StageAreas;
  /** Empty for a bake that is not suspicious. The most likely cause comes first; 'low-coverage' comes last. */
  findings: BakeFinding[];
  /**
   * Mesh that nothing leads to, below a ceiling: closed rooms, and the hollow of solids, the largest first. `pruneUnreachable` leaves it
   * out. Empty without a mesh.
   */
  closedRooms: ClosedRoom[];
  /**
   * Places where two islands nearly meet, such as stairs that miss a floor by less than a step, or a ramp with a gap of less than two
   * cells, with the change that joins them. The first belong to the largest islands. Empty without a mesh.
   */
  islandGaps: IslandGap[];
  /** Number of places that were not looked at, because there are too many. */
  untriedGaps: number;
  /** For a mesh without polygons: the change that gives polygons, which `findings` may outdo. */
  empty?: { reason: EmptyReason; message: string };
}
