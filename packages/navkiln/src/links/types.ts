/** The records of automatic links: what a search takes and what it finds. */

import type { AutoLinkKind, AutoLinkReport } from '../navmesh/auto-linker.ts';

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

/** Limits of jumps as lengths, world units. Distances are from take-off to landing, of the middle of the agent. */
export interface JumpLengths {
  /** Largest horizontal distance, > 0. Default 2.5. A gap of width w needs about w + 2 radii + 2 cells. */
  maxDistance?: number;
  /** Largest height of the landing above the take-off, >= 0. Default: the agent's `maxClimb`. */
  maxRise?: number;
  /** Largest height of the landing below the take-off, >= 0. Default 1. */
  maxDrop?: number;
  /** Largest height of the arc above the higher end, > 0. Default 0.5. Lower arcs are taken where they are clear. */
  peak?: number;
}

/** Limits of jumps as speeds: reach, rise and peak follow from them. World units and seconds. */
export interface JumpSpeeds {
  /** Upward speed at take-off, > 0. The arc rises by jumpSpeed² / (2 gravity) above the take-off. */
  jumpSpeed: number;
  /** Largest horizontal speed, > 0. */
  runSpeed: number;
  /** > 0. Default: `gravity` of the options. */
  gravity?: number;
  /** Largest height of the landing below the take-off, >= 0. Default 1. */
  maxDrop?: number;
}

/** Limits of drops and climbs: out over the ledge and down, or up and in. */
export interface LedgeLimits {
  /** Largest height, > 0; the smallest is the agent's `maxClimb`. Default 3 for drops, 1.2 for climbs. */
  maxHeight?: number;
  /** Largest horizontal distance between take-off and landing, > 0. Default 2.4 radii and 4 cells. */
  maxDistance?: number;
}

/** Limits of vaults: up, over an obstacle and down on the same level. */
export interface VaultLimits {
  /** Largest height of the obstacle, > 0. Default 1.1. */
  maxHeight?: number;
  /** Largest horizontal distance between take-off and landing, > 0. Default 2.4 radii, 4 cells and 0.8. */
  maxDistance?: number;
}

/** Limits by kind. A kind that is left out has no links; `{}` takes its defaults. */
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
   * On a mesh with sizes: limits of a size, by its name, in place of all kinds above; `{}`: no links for that size. Default: the kinds
   * above, with the defaults of each size.
   */
  sizes?: Readonly<Record<string, LimitsByKind>>;
  /** Downward acceleration, world units per second², > 0. Default 9.81. */
  gravity?: number;
  /** Speed that turns the time of a link into its cost, world units per second, > 0. Default 3.5. */
  walkSpeed?: number;
  /**
   * A link stays out where walks between opposite points of its ends cost less than this times the link, in all of its parts that are
   * no wider than long, >= 0. Default 2; 0: all links stay. Walks may lead over the whole mesh, and over no link.
   */
  minDetour?: number;
  /** A link stays out if a better one is nearer than this to all its corners, world units, >= 0. Default: 2 radii, or 4 cells. */
  spacing?: number;
  /** Ids of links that stay out: those that a person has removed. Default: none. */
  except?: Iterable<number>;
}

/** An automatic link. Ends are segments of equal length and direction, on the surface. World units. */
export interface AutoLink {
  /** A whole number that depends on the place and the kind alone; `addAutoLinks` stores it as the link's `userId`. */
  id: number;
  kind: AutoLinkKind;
  start: [[number, number, number], [number, number, number]];
  end: [[number, number, number], [number, number, number]];
  bothWays: boolean;
  /** Length that the link counts as: its duration times `walkSpeed`, at least its straight length. */
  cost: number;
  /** Seconds from start to end. */
  duration: number;
  /** Horizontal distance between the ends. */
  distance: number;
  /** Length of each end; 0: a point. */
  width: number;
  /** Height of the feet at the top of the way, above the higher end. 0 for drops and climbs. */
  peak: number;
  /** Names of the sizes that can use the link; empty on a mesh without sizes. */
  sizes: string[];
  /**
   * Length of a walk between opposite points of the ends: of a wide link, the first of some places where it is long. Infinity: none that
   * is shorter than twice the cost, or `minDetour` times.
   */
  walk: number;
}

/** Result of `findLinkCandidates`. */
export interface AutoLinkResult {
  /** In an order that does not depend on the order of tiles or triangles. */
  links: AutoLink[];
  report: AutoLinkReport;
}

/** Limits of one kind, complete. */
export interface Profile {
  kind: AutoLinkKind;
  maxDistance: number;
  maxRise: number;
  maxDrop: number;
  /** Peaks above the higher end to try, lowest first. */
  peaks: number[];
  /** 0: `maxDistance` is the reach. */
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
  /** The height that feet may step over near an end. */
  lift: number;
  /** The depth to which feet may be inside the surface elsewhere. */
  slack: number;
  /** Radius of the rounding, and of the disc that it goes round: `radius` together. */
  rounding: number;
  disc: number;
}
