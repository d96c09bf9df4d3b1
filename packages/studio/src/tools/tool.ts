/**
 * The interface of tools. One tool is active at a time. It draws on top of the layers, has a card beside the
 * toolbar, and receives pointer events before the camera. README.md says how to add one.
 */
import type { Ask } from '../bake/protocol.ts';
import type { FileBytes } from '../files/kinds.ts';
import type { History } from '../state/history.ts';
import type { Say } from '../state/message.ts';
import type { StateKey, StudioState, ToolState, Vec3 } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { Drawing } from '../view/drawing.ts';
import type { Palette } from '../view/palette.ts';
import type { Hit, Picking } from '../view/picking.ts';
import type { Ray, View } from '../view/view.ts';

/** Said after a click on nothing. */
export const NOTHING_HERE = 'There is nothing at this position.';

export interface ToolPointer {
  /** Position on the page, CSS pixels. */
  x: number;
  y: number;
  shift: boolean;
  /** Ctrl, or Cmd on a Mac. */
  ctrl: boolean;
  isTouch: boolean;
  ray: () => Ray;
  /** Returns what lies under the pointer: mesh or level. */
  hit: () => Hit | undefined;
  /** Returns the index of the point nearest to the pointer within reach of a mouse or a finger, or -1. */
  nearest: (points: readonly (Vec3 | undefined)[]) => number;
}

/** Functions and data that the studio provides to a tool. */
export interface ToolContext {
  store: Store;
  history: History;
  view: View;
  picking: Picking;
  palette: () => Palette;
  /** Returns the state that the tool saved, or that a link restored. */
  saved: () => ToolState;
  save: (state: ToolState) => void;
  /** Calls `draw` before the next frame. */
  redraw: () => void;
  /**
   * Asks the worker when no bake runs. Resolves to undefined for an outdated question, and after a failure,
   * which is reported.
   */
  ask: Ask;
  /** Shows a message to the user. */
  say: Say;
  /** Keeps files for the levels of a scene. */
  addFiles: (files: readonly FileBytes[]) => void;
}

export interface Tool {
  /** Resolves when the code of the tool is there, or cannot be loaded; undefined: it is there. The user's gestures wait for it. */
  loading?: () => Promise<unknown> | undefined;
  /** Drags always move the camera. */
  isViewer?: boolean;
  /** The tool becomes active, or its saved state was restored. */
  enter?: () => void;
  leave?: () => void;
  /** A press. Return true to receive the drag until the release, while the camera stays. */
  down?: (pointer: ToolPointer) => boolean;
  /** A movement during a drag that `down` has taken. */
  drag?: (pointer: ToolPointer) => void;
  up?: (pointer: ToolPointer) => void;
  /** A press and release at one position that `down` has not taken. */
  click?: (pointer: ToolPointer) => void;
  /** A movement without a press. Returns the cursor: 'grab', 'crosshair'. */
  hover?: (pointer: ToolPointer) => string | undefined;
  /** The pointer has left the view. */
  out?: () => void;
  /** The keys [ and ]: one step back (-1) or forward (1). */
  step?: (by: -1 | 1) => void;
  /** A key with focus on the view. Return true when the tool has handled it. */
  key?: (event: KeyboardEvent) => boolean;
  /** The state has changed in these keys while the tool is active. */
  changed?: (state: StudioState, keys: ReadonlySet<StateKey>) => void;
  /** Returns drawings in coordinates relative to `originOf(state)`. */
  draw?: () => Drawing[];
  /** Returns data for tests and the browser's console: `window.studio.tool()`. */
  inspect?: () => unknown;
  /** Is called before a link is shared: saves what it should carry beyond the state. */
  share?: () => void;
  /** The content of the card. */
  panel: HTMLElement;
}

/** Returns whether a tool works with what is open: triangles or a 2D map. */
export function isOffered({ needs }: ToolKind, { level, map, world }: StudioState): boolean {
  if (needs === 'world') return world !== undefined;
  if (needs === 'triangles') return map === undefined;
  // A building has several planes, and these tools work on one.
  return needs !== 'map' || (map !== undefined && level === undefined && map.levels === undefined);
}

export interface ToolKind {
  /** Used in links. */
  id: string;
  title: string;
  /** SVG path data of an icon, 24 x 24, drawn as a line. */
  icon: string;
  /** The key that activates it. */
  shortcut: string;
  /** Instructions for the user, on the card. */
  hint: string;
  /** Content that must be open before the tool can work. */
  needs: 'nothing' | 'level' | 'triangles' | 'map' | 'mesh' | 'world';
  create: (context: ToolContext) => Tool;
}
