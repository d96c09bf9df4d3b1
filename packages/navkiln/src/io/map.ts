/**
 * The record that every 2D map format is read into: ground with holes, obstacles, and what was odd about the file. It is a map of
 * `buildFromPolygons` as it stands.
 */

/** [x, y]. Rings are closed without a copy of their first point. */
export type ParsedPoint = [number, number];
export type ParsedRing = ParsedPoint[];

export interface ParsedPolygon {
  outline: ParsedRing;
  holes: ParsedRing[];
}

export interface ParsedMap {
  /** Ground. May touch and overlap. */
  polygons: ParsedPolygon[];
  /** What is taken out of the ground. May touch, overlap, stick out; a ring may touch itself (see rings.ts). */
  obstacles: ParsedRing[];
  warnings: ParsedMapWarning[];
}

/** Something odd in a map file that was worked around. One entry a code, with how often and where first. */
export interface ParsedMapWarning {
  code: ParsedMapWarningCode;
  count: number;
  /** One sentence: what was found, where first, what was done. */
  message: string;
}

export type ParsedMapWarningCode =
  | 'not-an-area'
  | 'ring-not-closed'
  | 'wide-area'
  | 'shape-without-area'
  | 'tileset-missing'
  | 'tile-size-ignored'
  | 'unknown-tile';
