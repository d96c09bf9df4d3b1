/** Runs the active tool: gives it pointers and keys before the camera gets them, and draws what it draws. */
import { Group } from 'three';
import type { Vec3 } from '../state/state.ts';
import { countDrawings, disposeObject, drawn } from '../view/drawing.ts';
import type { Drawing, DrawingCounts } from '../view/drawing.ts';
import type { Tool, ToolContext, ToolKind, ToolPointer } from './tool.ts';

/** Pixels from a handle that still grab it. */
const MOUSE_REACH = 14;
const FINGER_REACH = 30;
/** Pixels a press may move and still be a click. */
const CLICK_SLACK = 5;

export interface ToolHost {
  active: () => { kind: ToolKind; tool: Tool };
  /** What the active tool has drawn. */
  counts: () => DrawingCounts;
  /** Milliseconds from the last pointer event of a drag to its drawings being in the scene. */
  lastDragMs: () => number;
  onChange: (listener: () => void) => void;
}

/** `contextOf` gives a tool's context, `redraw` left to the host. */
export function createToolHost(
  kinds: readonly ToolKind[],
  base: Omit<ToolContext, 'saved' | 'save' | 'redraw'>,
): ToolHost {
  const { store, view, picking } = base;
  const group = new Group();
  view.root.add(group);
  const made = new Map<string, Tool>();
  const listeners: (() => void)[] = [];
  let counts: DrawingCounts = { triangles: 0, lines: 0, points: 0 };
  let isStale = true;
  let lastDragMs = 0;
  let dragStart = -1;

  const kindOf = (id: string): ToolKind => kinds.find((kind) => kind.id === id) ?? kinds[0];
  const toolOf = (kind: ToolKind): Tool => {
    const known = made.get(kind.id);
    if (known !== undefined) return known;
    const tool = kind.create({
      ...base,
      saved: () => store.get().toolStates[kind.id] ?? {},
      save: (state) => store.update({ toolStates: { ...store.get().toolStates, [kind.id]: state } }),
      redraw: () => {
        isStale = true;
        view.invalidate();
      },
    });
    made.set(kind.id, tool);
    return tool;
  };
  const active = (): { kind: ToolKind; tool: Tool } => {
    const kind = kindOf(store.get().tool);
    return { kind, tool: toolOf(kind) };
  };

  const draw = (): void => {
    isStale = false;
    for (const child of group.children.slice()) {
      group.remove(child);
      disposeObject(child);
    }
    const drawings: Drawing[] = active().tool.draw?.() ?? [];
    for (const drawing of drawings) group.add(drawn({ ...drawing, order: (drawing.order ?? 0) + 50 }));
    counts = countDrawings(drawings);
    if (dragStart >= 0) lastDragMs = performance.now() - dragStart;
    dragStart = -1;
  };
  view.onFrame(() => {
    if (!isStale) return false;
    draw();
    return true;
  });

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
      nearest: (places) => nearestOf(places, event.clientX, event.clientY, isTouch ? FINGER_REACH : MOUSE_REACH),
    };
  };
  const nearestOf = (places: readonly (Vec3 | undefined)[], x: number, y: number, reach: number): number => {
    let best = -1;
    let bestDistance = reach;
    places.forEach((place, i) => {
      const at = place === undefined ? undefined : view.project(place);
      if (at === undefined) return;
      const distance = Math.hypot(at[0] - x, at[1] - y);
      if (distance < bestDistance) [best, bestDistance] = [i, distance];
    });
    return best;
  };

  let held = -1;
  let pressed: { x: number; y: number; id: number } | undefined;
  const fingers = new Set<number>();
  const { canvas } = view;
  // Before the camera's own listeners, which stand on the same element.
  canvas.parentElement!.addEventListener(
    'pointerdown',
    (event) => {
      if (event.target !== canvas) return;
      canvas.focus({ preventScroll: true });
      fingers.add(event.pointerId);
      pressed =
        fingers.size === 1 && event.button === 0
          ? { x: event.clientX, y: event.clientY, id: event.pointerId }
          : undefined;
      if (fingers.size > 1 || event.button !== 0) return;
      if (active().tool.down?.(pointerOf(event)) !== true) return;
      held = event.pointerId;
      pressed = undefined;
      view.setControls(false);
      canvas.setPointerCapture(event.pointerId);
    },
    { capture: true },
  );
  canvas.addEventListener('pointermove', (event) => {
    const { tool } = active();
    if (held === event.pointerId) {
      dragStart = performance.now();
      tool.drag?.(pointerOf(event));
    } else if (fingers.size === 0) canvas.style.cursor = tool.hover?.(pointerOf(event)) ?? '';
  });
  const release = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    const { tool } = active();
    if (held === event.pointerId) {
      held = -1;
      view.setControls(true);
      tool.up?.(pointerOf(event));
    } else if (pressed?.id === event.pointerId && event.type === 'pointerup') {
      const isClick = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) <= CLICK_SLACK;
      pressed = undefined;
      if (isClick) tool.click?.(pointerOf(event));
    }
  };
  globalThis.addEventListener('pointerup', release);
  globalThis.addEventListener('pointercancel', release);
  canvas.addEventListener('keydown', (event) => {
    if (active().tool.key?.(event) === true) event.preventDefault();
  });

  let current = store.get().tool;
  active().tool.enter?.();
  store.listen(['tool'], (state) => {
    toolOf(kindOf(current)).leave?.();
    current = state.tool;
    active().tool.enter?.();
    isStale = true;
    view.invalidate();
    listeners.forEach((listener) => listener());
  });
  store.listen(
    ['level', 'map', 'mesh', 'selection', 'edits', 'source', 'job', 'settings', 'theme'],
    (state, changed) => {
      active().tool.changed?.(state, changed);
      if (changed.size > 1 || !changed.has('job')) isStale = true;
    },
  );
  return {
    active,
    counts: () => counts,
    lastDragMs: () => lastDragMs,
    onChange: (listener) => void listeners.push(listener),
  };
}
