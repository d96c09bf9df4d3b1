/** The definition of a query tool: the points and fields that it takes, and the function that answers. */
import type { NavMesh, QueryFilter } from 'navkiln';
import type { StudioState, Vec3 } from '../../state/state.ts';
import type { Marks } from '../../view/marks.ts';
import type { Tool } from '../tool.ts';
import type { Field, Value, Values } from './fields.ts';

export interface PointKind {
  /** Used in links. */
  id: string;
  title: string;
  /** The shape of its marker. */
  form: 'ring' | 'disc';
  /** The end of the scene's path where it starts, or none. */
  initial: 'from' | 'to' | 'none';
}

export type Points = Readonly<Record<string, Vec3 | undefined>>;

export interface QueryInput {
  mesh: NavMesh;
  state: StudioState;
  points: Points;
  values: Values;
  filter: QueryFilter | undefined;
  /** The code that creates the filter; empty without a filter. */
  filterCode: string;
}

export interface QueryResult {
  rows: readonly HTMLElement[];
  /** One or two sentences below the rows. */
  message?: string;
  legend?: HTMLElement;
  draw: (marks: Marks) => void;
  /** The query as code: imported names and lines. */
  code: {
    names: readonly string[];
    /** Names from navkiln/polygon. */ mapNames?: readonly string[];
    lines: readonly string[];
  };
  /** The calls to measure, by the ids passed to `timeOf`. */
  runs: ReadonlyMap<string, () => void>;
}

export interface QueryKind {
  points: readonly PointKind[];
  fields: readonly Field[];
  /** Fields that the tool displays itself. */
  hidden?: readonly Field[];
  /** Answers. Needed points are set. `timeOf` returns the element that shows the time of a call. */
  query: (input: QueryInput, timeOf: (id: string) => HTMLElement) => QueryResult;
  /** Ids of the points that the query needs. Default: all. */
  needed?: readonly string[];
  /** Points of a 2D map are shown as [x, y] of the map. Default: as positions on the mesh. */
  inMap?: boolean;
  /** Default true. */
  hasFilter?: boolean;
  /** An element above the rows. */
  top?: HTMLElement;
  /** Elements below the rows. */
  more?: readonly HTMLElement[];
  buttons?: readonly HTMLElement[];
  /** Draws on top of the result. */
  drawMore?: (marks: Marks) => void;
  leave?: () => void;
  key?: (event: KeyboardEvent) => boolean;
  /** Called instead of `query` without a mesh or without a needed point. */
  onNothing?: () => void;
}

export interface QueryTool extends Tool {
  values: () => Values;
  setValue: (id: string, value: Value) => void;
  points: () => Points;
  setPoints: (next: Points) => void;
  /** Answers again and shows the result. */
  update: () => void;
}
