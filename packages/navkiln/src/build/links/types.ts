/** The records of automatic links: options and results of a search. */

import type { AutoLinkKind, AutoLinkReport } from '../../mesh/auto-linker.ts';

/** Kinds in the order of their numbers in ids. */
export const KINDS: readonly AutoLinkKind[] = ['drop', 'climb', 'vault', 'jump'];

/** Area, flags and name that links of one kind get. */
export interface LinkMarks {
  /** Area id, 1 .. 63. Default `AREA_GROUND`. */
  area?: number;
  /** Flags, 16 bits; filters include and exclude links by them. Default `FLAG_WALK`. */
  flags?: number;
  /** Name, not empty: `setEnabled` switches all links of this name. Default: none. */
  name?: string;
}

/** Limits of jumps as lengths, world units. Distances are measured at the agent's center, from take-off to landing. */
export interface JumpLengths {
  /** Largest horizontal distance, > 0. Default 2.5. A gap of width w needs about w + 2 radii + 2 cells. */
  maxDistance?: number;
  /** Largest height of the landing above the take-off, >= 0. Default: the agent's `maxClimb`. */
  maxRise?: number;
  /** Largest height of the landing below the take-off, >= 0. Default 1. */
  maxDrop?: number;
  /** Largest height of the arc above the higher end, > 0. Default 0.5. The lowest clear arc is used. */
  peak?: number;
}

/** Limits of jumps as speeds: reach, rise and peak follow from them. World units and seconds. */
export interface JumpSpeeds {
  /** Upward speed at take-off, > 0. The arc rises by jumpSpeed² / (2 gravity) above the take-off. */
  jumpSpeed: number;
  /** Largest horizontal speed, > 0. */
  runSpeed: number;
  /** Downward acceleration, world units per second², > 0. Default: `gravity` of the options. */
  gravity?: number;
  /** Largest height of the landing below the take-off, >= 0. Default 1. */
  maxDrop?: number;
}

/** Limits of drops (out over the ledge and down) and climbs (up and in). */
export interface LedgeLimits {
  /** Largest height, > 0. Heights up to the agent's `maxClimb` need no link. Default 3 for drops, 1.2 for climbs. */
  maxHeight?: number;
  /** Largest horizontal distance between take-off and landing, > 0. Default 2.4 radii and 4 cells. */
  maxDistance?: number;
}

/** Limits of vaults: up, over an obstacle, and down to about the same height. */
export interface VaultLimits {
  /** Largest height of the obstacle, > 0. Default 1.1. */
  maxHeight?: number;
  /** Largest horizontal distance between take-off and landing, > 0. Default 2.4 radii, 4 cells and 0.8. */
  maxDistance?: number;
}

/** Limits by kind. A kind that is left out has no links; `{}` uses the defaults. */
export interface LimitsByKind {
  /** Jumps over gaps. Absent: no such links. */
  jump?: (JumpLengths | JumpSpeeds) & LinkMarks;
  /** Drops from ledges. Absent: no such links. */
  drop?: LedgeLimits & LinkMarks;
  /** Climbs onto ledges. Absent: no such links. */
  climb?: LedgeLimits & LinkMarks;
  /** Vaults over low walls. Absent: no such links. */
  vault?: VaultLimits & LinkMarks;
}

/** Options of `findLinkCandidates` and `addAutoLinks`. */
export interface AutoLinkOptions extends LimitsByKind {
  /**
   * On a mesh with sizes: limits for single sizes, by name. They replace all kinds above for that size; `{}` means no links for it.
   * Default: the kinds above, with the defaults of each size.
   */
  sizes?: Readonly<Record<string, LimitsByKind>>;
  /** Downward acceleration, world units per second², > 0. Default 9.81. */
  gravity?: number;
  /** Speed that turns the time of a link into its cost, world units per second, > 0. Default 3.5. */
  walkSpeed?: number;
  /**
   * A link is not added if walks between opposite points of its ends cost less than `minDetour` times the link, >= 0. On a wide link, this
   * must hold in every piece of it that is as wide as the link is long. Default 2; 0 keeps all links. Walks use the whole mesh, but no links.
   */
  minDetour?: number;
  /** A link is not added if a better one is nearer than this to all its corners, world units, >= 0. Default: 2 radii, or 4 cells. */
  spacing?: number;
  /** Ids of links that are not added, such as links that a person has removed. Default: none. */
  except?: Iterable<number>;
}

/** An automatic link. Ends are segments of equal length and direction, on the surface. World units. */
export interface AutoLink {
  /** An integer that depends only on position, kind and agent size. `addAutoLinks` stores it as the link's `userId`. */
  id: number;
  kind: AutoLinkKind;
  start: [[number, number, number], [number, number, number]];
  end: [[number, number, number], [number, number, number]];
  bothWays: boolean;
  /** Cost of the link in path searches: its duration times `walkSpeed`, but at least its straight length. */
  cost: number;
  /** Seconds from start to end. */
  duration: number;
  /** Horizontal distance between the ends. */
  distance: number;
  /** Length of each end; 0: a point. */
  width: number;
  /** Height of the feet at the highest point of the trajectory, above the higher end. 0 for drops and climbs. */
  peak: number;
  /** Names of the sizes that can use the link; empty on a mesh without sizes. */
  sizes: string[];
  /**
   * Length of a walk between opposite points of the ends. A wide link has several walks: this is the first that is long enough for
   * `minDetour`. Infinity if no walk is shorter than `minDetour` times the cost, or twice the cost if `minDetour` is less than 2.
   */
  walk: number;
}

/** Result of `findLinkCandidates`. */
export interface AutoLinkResult {
  /** The links that were found, in an order that does not depend on the order of tiles or triangles. */
  links: AutoLink[];
  report: AutoLinkReport;
}

/** Limits of one kind, with all defaults filled in. */
export interface Profile {
  kind: AutoLinkKind;
  maxDistance: number;
  maxRise: number;
  maxDrop: number;
  /** Peaks to try, as heights above the higher end, lowest first. */
  peaks: number[];
  /** Largest horizontal speed; 0 if only `maxDistance` limits the distance. */
  runSpeed: number;
  /** Highest point of the arc above the take-off; Infinity without speeds. */
  maxLift: number;
  gravity: number;
  marks: LinkMarks;
}

/** The body that is swept. World units. */
export interface Body {
  radius: number;
  height: number;
  /** Height of obstacles that feet may step over near an end. */
  lift: number;
  /** Elsewhere, the lowest part of the body is this much above the feet. */
  slack: number;
  /** Radius of the rounded edge of the body, and of the disc inside it. Their sum is `radius`. */
  rounding: number;
  disc: number;
}
