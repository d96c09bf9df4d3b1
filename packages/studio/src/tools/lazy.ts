/**
 * Loads the code of a tool when the tool is first used, so that the first load of the page stays small. Until
 * then the host keeps what the user does. Once loaded, the tool is entered if it is still active.
 */
import { h } from '../dom/dom.ts';
import type { Say } from '../state/message.ts';
import { count } from './pending.ts';
import type { Tool, ToolContext, ToolKind } from './tool.ts';

const NOT_LOADED = 'A part of the studio could not be loaded. Check the connection, then choose the tool again.';

/** Loads code that a tool needs now and then. Reports a failure, and resolves to undefined. */
export async function loadPart<T>(load: () => Promise<T>, say: Say): Promise<T | undefined> {
  const job = load();
  const isDone = job.then(
    () => undefined,
    () => say('error', NOT_LOADED),
  );
  count(isDone);
  await isDone;
  return job.catch(() => undefined);
}

/** Returns the `create` function of a tool that `load` imports. */
export function lazily(load: () => Promise<(context: ToolContext) => Tool>, isViewer = false): ToolKind['create'] {
  return (context) => {
    const panel = h('div', {});
    let tool: Tool | undefined;
    let isEntered = false;
    let loading: Promise<void> | undefined;
    const start = async (): Promise<void> => {
      try {
        tool = (await load())(context);
        panel.replaceChildren(tool.panel);
        if (isEntered) tool.enter?.();
        context.redraw();
      } catch {
        context.say('error', NOT_LOADED);
      }
      loading = undefined;
    };
    return {
      panel,
      isViewer,
      loading: () => loading ?? tool?.loading?.(),
      enter() {
        isEntered = true;
        if (tool !== undefined) tool.enter?.();
        else if (loading === undefined) count((loading = start()));
      },
      leave() {
        isEntered = false;
        tool?.leave?.();
      },
      down: (pointer) => tool?.down?.(pointer) ?? false,
      drag: (pointer) => tool?.drag?.(pointer),
      up: (pointer) => tool?.up?.(pointer),
      click: (pointer) => tool?.click?.(pointer),
      hover: (pointer) => tool?.hover?.(pointer),
      out: () => tool?.out?.(),
      inspect: () => tool?.inspect?.(),
      share: () => tool?.share?.(),
      step: (by) => tool?.step?.(by),
      key: (event) => tool?.key?.(event) ?? false,
      changed: (state, keys) => tool?.changed?.(state, keys),
      draw: () => tool?.draw?.() ?? [],
    };
  };
}
