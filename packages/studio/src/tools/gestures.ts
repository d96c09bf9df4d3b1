/**
 * Keeps the gestures and keys of the user while the code of a tool is loaded, and passes them on in their order when it is there.
 *
 * In: a press, its movements and its release, with positions on the page. Out: calls of the tool, as if its code had been there.
 * Cost: one entry for each event.
 * Based on: own.
 */
import type { Tool, ToolPointer } from './tool.ts';

/** How far a press may move and still be a click, pixels. */
const CLICK_SLACK = 5;
/** Keys that no shortcut has: only these wait. */
const TOOL_KEYS = /^(?:Arrow\w+|Enter|Insert|Delete|Backspace|Page\w+| |\.)$/;

/** A press, which is passed on at once, or when the code of the tool is there. */
export interface Gesture {
  down: ToolPointer;
  /** Whether the tool has taken it; undefined: the tool does not have it yet. */
  isTaken: boolean | undefined;
  /** Events that wait. */
  drags: ToolPointer[];
  up: ToolPointer | undefined;
}

export interface GestureQueue {
  /** Passes a press on, or keeps it. */
  press: (tool: Tool, pointer: ToolPointer) => Gesture;
  /** Passes a key on, or keeps it. Returns whether it is handled. */
  key: (tool: Tool, event: KeyboardEvent) => boolean;
}

/** `activeTool` returns the tool that is active when the code is there: events for another one are dropped. */
export function createGestureQueue(activeTool: () => Tool): GestureQueue {
  let waiting: ((tool: Tool) => void)[] | undefined;
  /** Returns whether events for a tool wait. The first one starts the wait. */
  const isWaiting = (tool: Tool): boolean => {
    const loading = waiting === undefined ? tool.loading?.() : undefined;
    if (loading !== undefined) {
      const events: typeof waiting = [];
      waiting = events;
      void loading.then(() => {
        waiting = undefined;
        if (activeTool() === tool) for (const event of events) event(tool);
      });
    }
    return waiting !== undefined;
  };
  return {
    press(tool, pointer) {
      const gesture: Gesture = { down: pointer, isTaken: undefined, drags: [], up: undefined };
      if (isWaiting(tool)) waiting!.push((ready) => passOn(ready, gesture));
      else passOn(tool, gesture);
      return gesture;
    },
    key(tool, event) {
      if (!isWaiting(tool)) return tool.key?.(event) === true;
      const isKept = TOOL_KEYS.test(event.key);
      if (isKept) waiting!.push((ready) => void ready.key?.(event));
      return isKept;
    },
  };
}

export function moveGesture(tool: Tool, gesture: Gesture, pointer: ToolPointer): void {
  if (gesture.isTaken === undefined) gesture.drags.push(pointer);
  else if (gesture.isTaken) tool.drag?.(pointer);
}

export function endGesture(tool: Tool, gesture: Gesture, pointer: ToolPointer): void {
  const { down, isTaken } = gesture;
  if (isTaken === undefined) gesture.up = pointer;
  else if (isTaken) tool.up?.(pointer);
  else if (Math.hypot(pointer.x - down.x, pointer.y - down.y) <= CLICK_SLACK) tool.click?.(pointer);
}

function passOn(tool: Tool, gesture: Gesture): void {
  gesture.isTaken = tool.down?.(gesture.down) === true;
  for (const pointer of gesture.drags) moveGesture(tool, gesture, pointer);
  if (gesture.up !== undefined) endGesture(tool, gesture, gesture.up);
}
