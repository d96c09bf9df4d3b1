/** Recorded searches of any kind, as the player shows them. */
import type { NavMesh, PathOptions } from 'navkiln';
import type { Vec3 } from '../state/state.ts';
import type { Marks } from '../view/marks.ts';

/** Colors of what is expanded, found, and next. */
export const CLOSED = '#f4d35e';
export const OPEN = '#ffffff';
export const NEXT = '#c44600';

export interface SearchQuery {
  mesh: NavMesh;
  from: Vec3;
  to: Vec3;
  options: PathOptions;
}

/** A recorded search at one of its steps. */
export interface ShownSearch {
  steps: number;
  /** The search was longer than the record. */
  isCut: boolean;
  /** Goes to a step, 0 to `steps`. */
  seek: (step: number) => void;
  rows: () => HTMLElement[];
  draw: (marks: Marks) => void;
}

export interface SearchKind {
  title: string;
  help: string;
  legend: readonly (readonly [color: string, text: string])[];
  /** The reason to show when `record` returns undefined. */
  nothing: string;
  record: (query: SearchQuery) => ShownSearch | undefined;
}
