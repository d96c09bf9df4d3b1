/**
 * `window.studio`: the page as data, for tests and for the browser's console. No other part of the page uses
 * it. docs/studio.md describes its methods.
 */
import type { StudioState, Vec3 } from '../state/state.ts';
import { whenToolsReady } from '../tools/pending.ts';
import type { DrawingCounts } from '../view/drawing.ts';
import type { LayerInfo } from '../view/layers.ts';
import type { Hit } from '../view/picking.ts';
import type { Core } from './core.ts';

export interface StudioHook {
  /** Returns the current state. Do not modify it. */
  state: () => StudioState;
  /** Lists the layers with the number of triangles, lines and points of each. */
  layers: () => LayerInfo[];
  /** Counts what the active tool draws. */
  toolCounts: () => DrawingCounts;
  /** Returns the data of the active tool, if it provides any. */
  tool: () => unknown;
  /** Returns the text of a panel: 'settings', 'layers', 'report', 'tool' or 'status'. */
  text: (panel: string) => string;
  messages: () => { kind: string; text: string }[];
  /** Returns the position of a world point on the page, CSS pixels. */
  project: (point: Vec3) => [number, number] | undefined;
  /** Returns what lies under a position on the page. */
  pick: (clientX: number, clientY: number) => Hit | undefined;
  /** Returns where tasks run: 'worker', or 'page' where a policy forbids workers. */
  place: () => 'worker' | 'page';
  /** Returns the number of frames drawn, and how long the last ones took to draw, ms. */
  frames: () => { count: number; ms: readonly number[] };
  /** Returns the time from the last movement of a drag until its drawings were in the scene, ms. */
  lastDragMs: () => number;
  /** Resolves when no bake and no answer of a tool runs or is due, and a frame has been drawn since. */
  idle: () => Promise<void>;
}

const PANELS: Readonly<Record<string, string>> = { tool: '.card', status: '.status' };

/** Creates the hook. `isRestored` resolves when the content of the link is open. */
export function createHook(core: Core, root: HTMLElement, isRestored: Promise<void>): StudioHook {
  const { store, layers, host, view, picking, work, messages } = core;
  return {
    state: store.get,
    layers: layers.list,
    toolCounts: host.counts,
    tool: () => host.active().tool.inspect?.(),
    text(panel) {
      const element = root.querySelector<HTMLElement>(PANELS[panel] ?? `[data-panel="${panel}"]`);
      // textContent, because it includes hidden tabs.
      const leaves = [...(element?.querySelectorAll('*') ?? [])].filter((node) => node.children.length === 0);
      return leaves.map((leaf) => leaf.textContent).join('\n');
    },
    messages: messages.list,
    project: view.project,
    pick: (x, y) => picking.pick(store.get(), view.rayAt(x, y)),
    place: work.place,
    frames: view.frames,
    lastDragMs: host.lastDragMs,
    async idle() {
      await isRestored;
      // A tool that has just been loaded may ask the worker.
      await whenToolsReady();
      await work.whenIdle();
      await whenToolsReady();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    },
  };
}
