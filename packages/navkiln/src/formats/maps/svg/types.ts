/** The options of `parseSvg`, and the records that the readers of a picture's parts share. */
import type { JsonSource } from '../json-source.ts';
import type { ParsedArea, ParsedPoint, ParsedPolygon, ParsedRing } from '../map.ts';
import type { Affine } from '../tiled/types.ts';

/** Options of `parseSvg`. */
export interface SvgOptions {
  /**
   * Names of shapes and groups that are walkable floor; other shapes without a mark are then left out. A name is a label of
   * Inkscape, an id, a class or the attribute `data-name`. Names with a word such as floor, room, corridor or walkable count
   * as listed. Default: shapes without a mark are walkable.
   */
  walkable?: readonly string[];
  /** Names of shapes and groups that block. Names with a word such as walls, obstacles or solid count as listed. Default: none. */
  walls?: readonly string[];
  /** Names of shapes and groups that are left out. Default: none. */
  ignore?: readonly string[];
  /** World units per unit of the picture's coordinates, which are those of its `viewBox`. Default 1. */
  scale?: number;
  /** Largest distance between a curve and the lines that replace it, units of the picture. Default: a two-thousandth of its extent. */
  tolerance?: number;
  /** Memory that reading may take, bytes; larger pictures are refused. Default 2^30 (1 GiB). */
  memoryLimitBytes?: number;
  /** Name of the file in messages. Default 'SVG'. */
  name?: string;
}

/** A part of a path, from the end of the one before it. */
export type PathPart =
  | { kind: 'line'; end: ParsedPoint }
  | { kind: 'cubic'; first: ParsedPoint; second: ParsedPoint; end: ParsedPoint }
  /** center + x u + y v for unit vectors (x, y) from `from` to `to`; `turn` is 1 where v follows u. */
  | {
      kind: 'arc';
      center: ParsedPoint;
      u: ParsedPoint;
      v: ParsedPoint;
      from: ParsedPoint;
      to: ParsedPoint;
      turn: 1 | -1;
      end: ParsedPoint;
    };

export interface Subpath {
  start: ParsedPoint;
  parts: PathPart[];
  isClosed: boolean;
}

/** What a shape is on the map: 'zone' for shapes whose name says that they are only marks. */
export type SvgRole = 'floor' | 'wall' | 'area' | 'zone' | 'ignored';

export interface SvgMark {
  role: SvgRole;
  /** Whether an option named it. */
  isListed: boolean;
}

/** Properties of CSS that decide what is drawn. All but `display` are inherited. */
export interface SvgStyle {
  isFilled: boolean;
  isEvenOdd: boolean;
  isStroked: boolean;
  /** In units of the shape's own coordinates. */
  strokeWidth: string;
  lineCap: string;
  lineJoin: string;
  miterLimit: number;
  isVisible: boolean;
}

/** A shape of the picture that may become a part of the map. */
export interface SvgShape {
  subpaths: Subpath[];
  style: SvgStyle;
  /** Width of its stroke, in its own coordinates. */
  strokeWidth: number;
  /** Its coordinates -> those of the picture. */
  matrix: Affine;
  mark: SvgMark | undefined;
  /** The nearest name around it, for messages. */
  layer: string;
  /** Name of the layer of the map that it belongs to; '': the map itself. */
  switched: string;
  /** Of areas. */
  name: string;
  cost: number;
}

export interface SvgReader {
  source: JsonSource;
  walkable: ReadonlySet<string>;
  walls: ReadonlySet<string>;
  ignore: ReadonlySet<string>;
  /** All names of the picture. */
  names: Set<string>;
  shapes: SvgShape[];
  /** Layers of the map, by name: whether they are on. */
  layers: Map<string, boolean>;
  /** What was left out, by kind. */
  ignored: Map<string, number>;
  /** Shapes that are not drawn, by layer. */
  hidden: Map<string, number>;
  /** Paths that end with a fault. */
  damaged: number;
  /** Most digits after the point of path data. */
  digits: number;
}

/** Shapes on a layer of the map, or on the map itself. */
export interface SvgLists {
  polygons: ParsedPolygon[];
  obstacles: ParsedRing[];
  areas: ParsedArea[];
}
