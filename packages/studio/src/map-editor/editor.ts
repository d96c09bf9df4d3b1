/** Shared by the files of the draw tool. */
import type { PolygonMap } from 'navkiln/polygon';
import { mapOf } from '../state/state.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { LiveStages } from './live.ts';
import type { BackPicture } from './picture.ts';
import type { RingAt, RingKind } from '../state/map-shapes.ts';
import type { Point2 } from '../state/map-point.ts';

/** The action of a click: select and move, or add a corner of a new ring. */
export type DrawMode = 'move' | RingKind;

/** The state that the functions of this tool share. */
export interface MapEditor {
  context: ToolContext;
  card: MapCard;
  live: LiveStages;
  picture: BackPicture;
  mode: DrawMode;
  /** Index of the layer that new shapes belong to, or -1 for none. */
  layer: number;
  /** Position at which the keyboard sets the next corner; undefined until an arrow key is pressed. */
  cursor: Point2 | undefined;
  /** The selected ring and its corner, or -1. */
  selected: { at: RingAt; corner: number } | undefined;
  /** The drag of a corner, or (-1) of a whole ring, and where it began. */
  grab: { at: RingAt; corner: number; from: Point2; ring: readonly Point2[] } | undefined;
  /** The map during a drag. */
  moved: PolygonMap | undefined;
  isSnapping: boolean;
  /** Size of the grid, map units. */
  grid: number;
  /** The stage that is drawn, or ''. */
  stage: string;
}

/** The card of the draw tool. */
export interface MapCard {
  panel: HTMLElement;
  refresh: () => void;
  /** Sets the sentence about the drawn stage. */
  setStageText: (text: string) => void;
  /** Returns the sentence about the drawn stage. */
  text: () => string;
}

/** Functions of the tool that the card calls. */
export interface MapActions {
  setMode: (mode: DrawMode) => void;
  setStage: (stage: string) => void;
  close: () => void;
  dropCorner: () => void;
  insert: () => void;
  removeCorner: () => void;
  removeRing: () => void;
  /** Changes the map as one step of the history. */
  change: (name: string, map: PolygonMap) => void;
  setLayer: (layer: number) => void;
  show: () => void;
}

/** Returns the map as it is drawn: with the dragged corner where it is now. */
export function shownMap({ moved, context }: MapEditor): PolygonMap {
  return moved ?? mapOf(context.store.get()) ?? { polygons: [] };
}

/** Returns the corners of the ring that is not closed yet. They are part of the document, so that undo and links have them. */
export function draftOf({ context }: MapEditor): readonly Point2[] {
  return context.store.get().edits.draft?.points ?? [];
}

/** Returns the middle of the edge after a corner. */
export function middleAfter(ring: readonly Point2[], corner: number): Point2 {
  const [a, b] = [ring[corner], ring[(corner + 1) % ring.length]];
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}
