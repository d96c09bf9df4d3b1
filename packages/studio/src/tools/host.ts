/**
 * Runs the active tool: passes pointer and key events to it before the camera receives them, and draws its
 * drawings.
 */
import { Group } from 'three';
import type { Vec3 } from '../state/state.ts';
import { countDrawings, disposeObject, drawn } from '../view/drawing.ts';
import type { Drawing, DrawingCounts } from '../view/drawing.ts';
import type { View } from '../view/view.ts';
import { createGestureQueue, endGesture, moveGesture } from './gestures.ts';
import type { Gesture, GestureQueue } from './gestures.ts';
import type { Tool, ToolContext, ToolKind, ToolPointer } from './tool.ts';

/** Distance to a handle at which it is grabbed, pixels. */
const MOUSE_REACH = 14;
const FINGER_REACH = 30;
/** Added to the order of tool drawings, so that they cover the layers. */
const TOOL_ORDER = 50;

export interface ToolHost {
  active: () => { kind: ToolKind; tool: Tool };
  /** Counts what the active tool draws. */
  counts: () => DrawingCounts;
  /** Returns the time from the last pointer event of a drag until its drawings were in the scene, ms. */
  lastDragMs: () => number;
  onChange: (listener: () => void) => void;
  /** Draws with other colors: those of the system have changed. */
  repaint: () => void;
}

type BaseContext = Omit<ToolContext, 'saved' | 'save' | 'redraw'>;

/** Creates the host. The host completes the context of each tool with its own saved state and redraw. */
export function createToolHost(kinds: readonly ToolKind[], base: BaseContext): ToolHost {
  const { store, view } = base;
  const listeners: (() => void)[] = [];
  const drawer = createDrawer(view, () => active().tool.draw?.() ?? []);
  const toolOf = createToolCache(base, drawer.redraw);
  const kindOf = (id: string): ToolKind => kinds.find((kind) => kind.id === id) ?? kinds[0];
  const active = (): { kind: ToolKind; tool: Tool } => {
    const kind = kindOf(store.get().tool);
    return { kind, tool: toolOf(kind) };
  };
  const queue = createGestureQueue(() => active().tool);
  listenToPointer(base, () => active().tool, queue, drawer.startDrag);
  view.canvas.addEventListener('keydown', (event) => {
    if (queue.key(active().tool, event)) event.preventDefault();
  });
  // Arrows are for the view also after a tool was chosen by its button or its letter.
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    const isHere = target === document.body || (target instanceof Element && target.closest('.tools') !== null);
    if (isHere && key.startsWith('Arrow') && queue.key(active().tool, event)) event.preventDefault();
  });

  // Entered when the link of the page is known: it may choose another tool.
  let current = store.get().tool;
  store.listen(['tool'], (state) => {
    toolOf(kindOf(current)).leave?.();
    current = state.tool;
    active().tool.enter?.();
    drawer.redraw();
    listeners.forEach((listener) => listener());
  });
  store.listen(
    ['level', 'map', 'mesh', 'selection', 'edits', 'source', 'job', 'settings', 'theme', 'world'],
    (state, changed) => {
      active().tool.changed?.(state, changed);
      if (changed.size > 1 || !changed.has('job')) drawer.redraw();
    },
  );
  return {
    active,
    counts: drawer.counts,
    lastDragMs: drawer.lastDragMs,
    onChange: (listener) => void listeners.push(listener),
    repaint() {
      active().tool.changed?.(store.get(), new Set(['theme']));
      drawer.redraw();
    },
  };
}

/** Returns a function that creates each tool on first use. */
function createToolCache(base: BaseContext, redraw: () => void): (kind: ToolKind) => Tool {
  const { store } = base;
  const tools = new Map<string, Tool>();
  return (kind) => {
    const known = tools.get(kind.id);
    if (known !== undefined) return known;
    const tool = kind.create({
      ...base,
      saved: () => store.get().toolStates[kind.id] ?? {},
      save: (state) => store.update({ toolStates: { ...store.get().toolStates, [kind.id]: state } }),
      redraw,
    });
    tools.set(kind.id, tool);
    return tool;
  };
}

interface Drawer extends Pick<ToolHost, 'counts' | 'lastDragMs'> {
  /** Draws with the next frame, and requests one. */
  redraw: () => void;
  /** Starts the measurement of a drag. */
  startDrag: () => void;
}

/** Draws the drawings of a tool before a frame when they are stale. */
function createDrawer(view: View, drawingsOf: () => Drawing[]): Drawer {
  const group = new Group();
  view.root.add(group);
  let counts: DrawingCounts = { triangles: 0, lines: 0, points: 0 };
  let isStale = true;
  let lastDragMs = 0;
  let dragStart = -1;
  const draw = (): void => {
    isStale = false;
    for (const child of group.children.slice()) {
      group.remove(child);
      disposeObject(child);
    }
    const drawings = drawingsOf();
    for (const drawing of drawings) group.add(drawn({ ...drawing, order: (drawing.order ?? 0) + TOOL_ORDER }));
    counts = countDrawings(drawings);
    if (dragStart >= 0) lastDragMs = performance.now() - dragStart;
    dragStart = -1;
  };
  view.onFrame(() => {
    if (!isStale) return false;
    draw();
    return true;
  });
  return {
    counts: () => counts,
    lastDragMs: () => lastDragMs,
    redraw() {
      isStale = true;
      view.invalidate();
    },
    startDrag: () => void (dragStart = performance.now()),
  };
}

/** Passes pointer events to the tool. A drag that the tool takes does not reach the camera. */
function listenToPointer(
  { store, view, picking }: BaseContext,
  toolOf: () => Tool,
  queue: GestureQueue,
  onDrag: () => void,
): void {
  const { canvas } = view;
  /** The pointer that the camera does not have. */
  let held = -1;
  let pressed: { gesture: Gesture; id: number } | undefined;
  const fingers = new Set<number>();
  const pointerOf = (event: PointerEvent | MouseEvent): ToolPointer => {
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    const ray: ToolPointer['ray'] = () => view.rayAt(event.clientX, event.clientY);
    return {
      x: event.clientX,
      y: event.clientY,
      shift: event.shiftKey,
      ctrl: event.ctrlKey || event.metaKey,
      isTouch,
      ray,
      hit: () => picking.pick(store.get(), ray()),
      nearest: (points) => nearestOf(view, points, event, isTouch ? FINGER_REACH : MOUSE_REACH),
    };
  };
  const press = (event: PointerEvent): void => {
    if (event.target !== canvas) return;
    canvas.focus({ preventScroll: true });
    fingers.add(event.pointerId);
    const isSingle = fingers.size === 1 && event.button === 0;
    const gesture = isSingle ? queue.press(toolOf(), pointerOf(event)) : undefined;
    // A second finger ends a click, but not a drag that the tool has taken.
    if (held < 0) pressed = gesture === undefined ? undefined : { gesture, id: event.pointerId };
    if (gesture === undefined || gesture.isTaken === false || toolOf().isViewer === true) return;
    held = event.pointerId;
    view.setControls(false);
    canvas.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (held === event.pointerId) {
      onDrag();
      if (pressed !== undefined) moveGesture(toolOf(), pressed.gesture, pointerOf(event));
    } else if (fingers.size === 0) canvas.style.cursor = toolOf().hover?.(pointerOf(event)) ?? '';
  };
  const release = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    const isHeld = held === event.pointerId;
    if (isHeld) {
      held = -1;
      view.setControls(true);
    }
    if (pressed?.id !== event.pointerId) return;
    const { gesture } = pressed;
    pressed = undefined;
    // The system has taken the pointer: a drag ends, a click is none.
    if (event.type === 'pointerup' || gesture.isTaken === true) endGesture(toolOf(), gesture, pointerOf(event));
  };
  // In the capture phase on the parent, because the camera listens on the canvas itself.
  canvas.parentElement!.addEventListener('pointerdown', press, { capture: true });
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerleave', () => toolOf().out?.());
  globalThis.addEventListener('pointerup', release);
  globalThis.addEventListener('pointercancel', release);
}

function nearestOf(
  view: View,
  points: readonly (Vec3 | undefined)[],
  { clientX, clientY }: MouseEvent,
  reach: number,
): number {
  let best = -1;
  let bestDistance = reach;
  points.forEach((point, i) => {
    const projected = point === undefined ? undefined : view.project(point);
    if (projected === undefined) return;
    const distance = Math.hypot(projected[0] - clientX, projected[1] - clientY);
    if (distance < bestDistance) [best, bestDistance] = [i, distance];
  });
  return best;
}
