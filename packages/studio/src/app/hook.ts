/**
 * `window.studio`: what is in the page, as data, for tests and for the browser's console. Nothing in the page
 * depends on it; its methods are described in docs/studio.md.
 */
import type { Messages } from '../panels/messages.ts';
import type { StudioState, Vec3 } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { ToolHost } from '../tools/host.ts';
import { whenToolsLoaded } from '../tools/lazy.ts';
import type { DrawingCounts } from '../view/drawing.ts';
import type { LayerInfo, Layers } from '../view/layers.ts';
import type { Hit, Picking } from '../view/picking.ts';
import type { View } from '../view/view.ts';
import type { Work } from './work.ts';

export interface StudioHook {
  /** The state as it is now: do not change it. */
  state: () => StudioState;
  /** Each layer with what it has put into the scene. */
  layers: () => LayerInfo[];
  /** What the active tool has put into the scene. */
  toolCounts: () => DrawingCounts;
  /** What the active tool holds, when it tells. */
  tool: () => unknown;
  /** Text of the panel, as people read it: 'settings', 'layers', 'report', 'tool', 'status'. */
  text: (panel: string) => string;
  messages: () => { kind: string; text: string }[];
  /** Where a place of the world is on the page, CSS pixels. */
  project: (point: Vec3) => [number, number] | undefined;
  /** What lies under a place of the page. */
  pick: (clientX: number, clientY: number) => Hit | undefined;
  /** Where tasks run: 'worker', or 'page' where a policy forbids workers. */
  place: () => 'worker' | 'page';
  /** Frames drawn, and how long the last ones took to draw, ms. */
  frames: () => { count: number; ms: readonly number[] };
  /** From the last movement of a drag to its drawings being in the scene, ms. */
  lastDragMs: () => number;
  /** Resolves when no bake is running or due, and a frame has been drawn since. */
  idle: () => Promise<void>;
}

export interface HookParts {
  store: Store;
  layers: Layers;
  host: ToolHost;
  view: View;
  picking: Picking;
  work: Work;
  messages: Messages;
  root: HTMLElement;
  isRestored: Promise<void>;
}

const PANELS: Readonly<Record<string, string>> = { tool: '.card', status: '.status' };

export function createHook(parts: HookParts): StudioHook {
  const { store, layers, host, view, picking, work, messages, root, isRestored } = parts;
  return {
    state: store.get,
    layers: layers.list,
    toolCounts: host.counts,
    tool: () => host.active().tool.inspect?.(),
    text(panel) {
      const element = root.querySelector<HTMLElement>(PANELS[panel] ?? `[data-panel="${panel}"]`);
      // textContent: hidden tabs have text, too.
      const leaves = [...(element?.querySelectorAll('*') ?? [])].filter((one) => one.children.length === 0);
      return leaves.map((one) => one.textContent).join('\n');
    },
    messages: messages.list,
    project: view.project,
    pick: (x, y) => picking.pick(store.get(), view.rayAt(x, y)),
    place: work.place,
    frames: view.frames,
    lastDragMs: host.lastDragMs,
    async idle() {
      await isRestored;
      // A tool that has just come may ask the worker.
      await whenToolsLoaded();
      await work.whenIdle();
      await whenToolsLoaded();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    },
  };
}
