/**
 * What a tool is. One is active at a time; it draws over the layers, has a card beside the toolbar, and gets
 * the pointer before the camera does. Adding one: see README.md.
 */
import type { Ask } from '../bake/protocol.ts';
import type { History } from '../state/history.ts';
import type { Say } from '../state/message.ts';
import type { StateKey, StudioState, ToolState, Vec3 } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { Drawing } from '../view/drawing.ts';
import type { Palette } from '../view/palette.ts';
import type { Hit, Picking } from '../view/picking.ts';
import type { Ray, View } from '../view/view.ts';

export interface ToolPointer {
  /** Place on the page, CSS pixels. */
  x: number;
  y: number;
  shift: boolean;
  /** Ctrl, or Cmd on a Mac. */
  ctrl: boolean;
  isTouch: boolean;
  ray: () => Ray;
  /** Ground or level under the pointer. */
  hit: () => Hit | undefined;
  /**
   * Of the places given the one that is nearest to the pointer, within reach of a finger or a mouse; -1:
   * none.
   */
  nearest: (places: readonly (Vec3 | undefined)[]) => number;
}

/** What a tool may use. */
export interface ToolContext {
  store: Store;
  history: History;
  view: View;
  picking: Picking;
  palette: () => Palette;
  /** What the tool has said it wants to keep: restored by links. */
  saved: () => ToolState;
  save: (state: ToolState) => void;
  /** The drawings have changed: `draw` is called before the next frame. */
  redraw: () => void;
  /**
   * What the worker is asked beside bakes: waits until none is running. undefined: something newer came, or
   * it failed (said).
   */
  ask: Ask;
  /** Says a sentence to the user. */
  say: Say;
}

export interface Tool {
  /** The tool becomes active, or the page has put its saved state back. */
  enter?: () => void;
  leave?: () => void;
  /** A press. True: what follows until the release is the tool's, and the camera stays. */
  down?: (pointer: ToolPointer) => boolean;
  /** While it has the pointer. */
  drag?: (pointer: ToolPointer) => void;
  up?: (pointer: ToolPointer) => void;
  /** A press and release on one place that no `down` has taken. */
  click?: (pointer: ToolPointer) => void;
  /** The pointer moves over the view. Returns the cursor: 'grab', 'crosshair'. */
  hover?: (pointer: ToolPointer) => string | undefined;
  /** The keys [ and ]: one back (-1) or on (1). */
  step?: (by: -1 | 1) => void;
  /** True: the key is used up. */
  key?: (event: KeyboardEvent) => boolean;
  /** Keys of the state that have changed while it is active. */
  changed?: (state: StudioState, keys: ReadonlySet<StateKey>) => void;
  /** Coordinates relative to `originOf(state)`. */
  draw?: () => Drawing[];
  /** What it holds, for tests and the browser's console: `window.studio.tool()`. */
  inspect?: () => unknown;
  /** The card's contents; made once, changed by the tool. */
  panel: HTMLElement;
}

export interface ToolKind {
  /** Goes into links. */
  id: string;
  title: string;
  /** Path data of an icon of 24 x 24, drawn with a line. */
  icon: string;
  /** One key. */
  shortcut: string;
  /** Keys of its own and what they do, for the list behind `?`. */
  keys?: readonly (readonly [key: string, title: string])[];
  /** One sentence on the card: what to do. */
  hint: string;
  /** Without it the tool says that there is nothing to work on yet. */
  needs: 'nothing' | 'level' | 'mesh';
  create: (context: ToolContext) => Tool;
}
