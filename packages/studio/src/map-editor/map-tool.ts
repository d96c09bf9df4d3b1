/**
 * The draw tool: outlines, holes, obstacles and areas of a 2D map, drawn and edited corner by corner with mouse, finger or
 * keyboard, with the stages of the build drawn while a corner moves.
 */
import { meshToMap } from 'navkiln/polygon';
import type { PolygonMap } from 'navkiln/polygon';
import { boundsOf, mapOf, planeOf } from '../state/state.ts';
import { changeEdits, isDelete } from '../tools/edit/shared.ts';
import type { Tool, ToolContext, ToolPointer } from '../tools/tool.ts';
import type { Drawing } from '../view/drawing.ts';
import { draftOf, middleAfter, shownMap } from './editor.ts';
import type { DrawMode, MapActions, MapEditor } from './editor.ts';
import { createLiveStages } from './live.ts';
import { createMapCard } from './map-card.ts';
import { drawEditor } from './map-drawing.ts';
import { createPicture } from './picture.ts';
import { niceGrid, nudged, onGrid, pointUnder, rounded, worldOf } from './plane.ts';
import {
  cornersOf,
  isInside,
  isSameRing,
  mayStart,
  ringAt,
  ringsOf,
  withCorner,
  withCornerAfter,
  withNewRing,
  withRing,
  withoutCorner,
  withoutRing,
} from '../state/map-shapes.ts';
import type { RingInfo, RingKind } from '../state/map-shapes.ts';
import type { Point2 } from '../state/map-point.ts';

/** Corners of maps with more of them are grabbed only on the selected ring. */
const MANY_CORNERS = 5000;

export function createMapTool(context: ToolContext): Tool {
  const { store } = context;
  const bounds = boundsOf(store.get());
  const editor: MapEditor = {
    context,
    card: createMapCard(
      () => editor,
      actions(() => editor),
    ),
    live: createLiveStages(),
    picture: createPicture(context, () => boundsOf(store.get())!),
    mode: 'move',
    layer: -1,
    cursor: undefined,
    selected: undefined,
    grab: undefined,
    moved: undefined,
    isSnapping: true,
    grid: bounds === undefined ? 1 : niceGrid(bounds.max[0] - bounds.min[0]),
    stage: '',
  };
  let { source } = store.get();
  let { draft } = store.get().edits;
  return {
    panel: editor.card.panel,
    enter() {
      if (source !== store.get().source) reset(editor);
      source = store.get().source;
      editor.mode = store.get().edits.draft?.kind ?? (isEmpty(editor) ? 'outline' : editor.mode);
      draft = store.get().edits.draft;
      setStage(editor, editor.stage);
    },
    leave: () => store.update({ solo: undefined }),
    changed(state, keys) {
      if (keys.has('source')) reset(editor);
      source = state.source;
      // Undo, redo or a link has changed the draft: drawing continues with it.
      if (state.edits.draft !== draft) followDraft(editor);
      draft = state.edits.draft;
      if (shownMap(editor).layers?.[editor.layer] === undefined) editor.layer = -1;
      const { selected } = editor;
      if (selected !== undefined) {
        const ring = ringAt(shownMap(editor), selected.at);
        if (ring === undefined) editor.selected = undefined;
        else if (selected.corner >= ring.length) selected.corner = -1;
      }
      show(editor);
    },
    down: (pointer) => startDrag(editor, pointer),
    drag: (pointer) => drag(editor, pointer),
    up() {
      const { moved, grab } = editor;
      editor.grab = editor.moved = undefined;
      if (moved !== undefined) change(editor, grab!.corner < 0 ? 'move shape' : 'move corner', moved);
      show(editor);
    },
    click: (pointer) => click(editor, pointer),
    key: (event) => handleKey(editor, event),
    step: (by) => step(editor, by),
    hover: (pointer) =>
      editor.mode !== 'move' ? 'crosshair' : hitOf(editor, pointer) === undefined ? undefined : 'grab',
    draw: (): Drawing[] => drawEditor(editor),
    inspect: () => ({
      map: shownMap(editor),
      mode: editor.mode,
      draft: draftOf(editor),
      selected: editor.selected,
      stage: editor.stage,
      text: editor.card.text(),
      grid: editor.grid,
    }),
  };
}

function reset(editor: MapEditor): void {
  const bounds = boundsOf(editor.context.store.get());
  editor.cursor = editor.selected = editor.grab = editor.moved = undefined;
  editor.layer = -1;
  editor.mode = editor.context.store.get().edits.draft?.kind ?? (isEmpty(editor) ? 'outline' : 'move');
  if (bounds !== undefined) editor.grid = niceGrid(bounds.max[0] - bounds.min[0]);
  editor.picture.remove();
}

/** Returns whether the map has no outline, also not in a layer. */
function isEmpty(editor: MapEditor): boolean {
  return !ringsOf(shownMap(editor)).some(({ at }) => at.kind === 'outline');
}

function followDraft(editor: MapEditor): void {
  const { draft } = editor.context.store.get().edits;
  if (draft === undefined) return;
  editor.mode = draft.kind;
  editor.selected = undefined;
  editor.cursor = draft.points.at(-1);
}

/** Replaces the corners of the ring that is not closed, as one step of the history. */
function changeDraft({ context }: MapEditor, name: string, kind: RingKind, points: readonly Point2[]): void {
  changeEdits(context, name, { draft: points.length === 0 ? undefined : { kind, points } });
}

function change({ context }: MapEditor, name: string, map: PolygonMap): void {
  changeEdits(context, name, { map });
}

function show(editor: MapEditor): void {
  editor.card.refresh();
  editor.context.redraw();
}

function setStage(editor: MapEditor, stage: string): void {
  editor.stage = stage;
  // The stage is drawn in place of the mesh.
  editor.context.store.update({ solo: stage === '' ? undefined : ['map-outline'] });
  show(editor);
}

function actions(editorOf: () => MapEditor): MapActions {
  return {
    setMode(mode: DrawMode): void {
      const editor = editorOf();
      const draft = draftOf(editor);
      if (mode !== 'move') {
        // The corners stay, and become those of the other kind.
        if (draft.length > 0 && !isStart(editor, mode, draft[0])) return show(editor);
        if (draft.length > 0) changeDraft(editor, `change to ${mode}`, mode, draft);
        editor.selected = undefined;
      }
      editor.mode = mode;
      show(editor);
    },
    setLayer(layer: number): void {
      editorOf().layer = layer;
      show(editorOf());
    },
    setStage: (stage: string): void => setStage(editorOf(), stage),
    close: (): void => closeDraft(editorOf()),
    dropCorner: (): void => dropCorner(editorOf()),
    insert: (): void => insertCorner(editorOf()),
    removeCorner: (): void => removeCorner(editorOf()),
    removeRing: (): void => removeRing(editorOf()),
    change: (name: string, map: PolygonMap): void => change(editorOf(), name, map),
    show: (): void => show(editorOf()),
  };
}

/** Returns the size of a pixel in map units, near the middle of the view. */
function pixelOf({ context: { view } }: MapEditor): number {
  const { position, target } = view.pose();
  const distance = Math.hypot(...position.map((value, axis) => value - target[axis as 0]));
  return (2 * distance * Math.tan((view.camera.fov * Math.PI) / 360)) / Math.max(1, view.canvas.clientHeight);
}

/** Returns the point of the map under the pointer: on a corner with Ctrl, else on the grid, else as it is. */
function placeOf(editor: MapEditor, pointer: ToolPointer): Point2 | undefined {
  const state = editor.context.store.get();
  const point = pointUnder(state, pointer.ray());
  if (point === undefined) return undefined;
  if (pointer.ctrl) {
    const grabbed = editor.grab?.at;
    const others = ringsOf(shownMap(editor)).filter(({ at }) => !isSameRing(at, grabbed));
    const corners = others.flatMap(({ points }) => points);
    const index = pointer.nearest(corners.map((corner) => worldOf(state, corner)));
    if (index >= 0) return corners[index];
  }
  return editor.isSnapping ? onGrid(point, editor.grid) : rounded(point, pixelOf(editor));
}

interface EditorHit {
  ring: RingInfo;
  corner: number;
  /** The middle of the edge after `corner`. */
  isMiddle: boolean;
}

/** Returns what lies under the pointer: a corner, or the middle of an edge of the selected ring. */
function hitOf(editor: MapEditor, pointer: ToolPointer): EditorHit | undefined {
  const state = editor.context.store.get();
  const rings = ringsOf(shownMap(editor));
  const isLarge = cornersOf(shownMap(editor)) > MANY_CORNERS;
  const hits: EditorHit[] = [];
  const points: Point2[] = [];
  for (const ring of rings) {
    const isSelected = isSameRing(ring.at, editor.selected?.at);
    if (isLarge && !isSelected) continue;
    ring.points.forEach((point, corner) => {
      hits.push({ ring, corner, isMiddle: false });
      points.push(point);
    });
    if (isSelected) {
      ring.points.forEach((_, corner) => {
        hits.push({ ring, corner, isMiddle: true });
        points.push(middleAfter(ring.points, corner));
      });
    }
  }
  return hits[pointer.nearest(points.map((point) => worldOf(state, point)))];
}

/** Grabs a corner, the middle of an edge (which becomes a corner), or a selected ring from inside. Shift deletes a corner. */
function startDrag(editor: MapEditor, pointer: ToolPointer): boolean {
  if (editor.mode !== 'move') return false;
  const from = pointUnder(editor.context.store.get(), pointer.ray());
  if (from === undefined) return false;
  const found = hitOf(editor, pointer);
  if (found !== undefined) {
    const { at, points } = found.ring;
    if (pointer.shift && !found.isMiddle) {
      editor.selected = { at, corner: found.corner };
      removeCorner(editor);
      return true;
    }
    const ring = found.isMiddle ? withCornerAfter(points, found.corner, middleAfter(points, found.corner)) : points;
    const corner = found.isMiddle ? found.corner + 1 : found.corner;
    editor.selected = { at, corner };
    editor.grab = { at, corner, from, ring };
    if (found.isMiddle) editor.moved = withRing(shownMap(editor), at, ring);
    show(editor);
    return true;
  }
  const { selected } = editor;
  const ring = selected === undefined ? undefined : ringAt(shownMap(editor), selected.at);
  if (selected === undefined || ring === undefined || !isInside(ring, from)) return false;
  editor.grab = { at: selected.at, corner: -1, from, ring };
  return true;
}

function drag(editor: MapEditor, pointer: ToolPointer): void {
  const { grab, context } = editor;
  const map = mapOf(context.store.get());
  if (grab === undefined || map === undefined) return;
  const { at, corner, from, ring } = grab;
  if (corner >= 0) {
    const to = placeOf(editor, pointer);
    if (to !== undefined) editor.moved = withRing(map, at, withCorner(ring, corner, to));
  } else {
    const to = pointUnder(context.store.get(), pointer.ray());
    if (to === undefined) return;
    const offset: Point2 = [to[0] - from[0], to[1] - from[1]];
    const [dx, dy] = editor.isSnapping ? onGrid(offset, editor.grid) : rounded(offset, pixelOf(editor));
    editor.moved = withRing(
      map,
      at,
      ring.map(([x, y]): Point2 => [x + dx, y + dy]),
    );
  }
  show(editor);
}

/** Adds a corner, or selects the ring under the pointer: the smallest one. */
function click(editor: MapEditor, pointer: ToolPointer): void {
  const state = editor.context.store.get();
  const { mode } = editor;
  if (mode !== 'move') {
    const draft = draftOf(editor);
    const point = placeOf(editor, pointer);
    if (point === undefined) return;
    const isFirst =
      draft.length > 1 && (isSamePoint(draft[0], point) || pointer.nearest([worldOf(state, draft[0])]) === 0);
    if (isFirst) closeDraft(editor);
    else addCorner(editor, point);
    return;
  }
  const point = pointUnder(state, pointer.ray());
  if (point === undefined) return;
  const around = ringsOf(shownMap(editor)).filter(({ points }) => isInside(points, point));
  const sizeOf = ({ points }: RingInfo): number =>
    points.reduce((most, [x]) => Math.max(most, x), -Infinity) -
    points.reduce((least, [x]) => Math.min(least, x), Infinity);
  const found = around.sort((a, b) => sizeOf(a) - sizeOf(b))[0];
  editor.selected = found === undefined ? undefined : { at: found.at, corner: -1 };
  show(editor);
}

function addCorner(editor: MapEditor, point: Point2): void {
  const { mode } = editor;
  const draft = draftOf(editor);
  const last = draft.at(-1);
  // A second click at the same point is a double click.
  if (mode === 'move' || (last !== undefined && isSamePoint(last, point))) return;
  if (draft.length === 0 && !isStart(editor, mode, point)) return;
  editor.cursor = point;
  changeDraft(editor, `corner ${draft.length + 1} of the ${mode}`, mode, [...draft, point]);
  show(editor);
}

/** Returns whether a point may be the first corner of a ring, and says why it may not. */
function isStart(editor: MapEditor, kind: RingKind, point: Point2): boolean {
  const may = mayStart(shownMap(editor), kind, point);
  if (!may)
    editor.context.say('warning', 'A hole must start inside an outline. Draw an obstacle instead, or start inside.');
  return may;
}

function dropCorner(editor: MapEditor): void {
  const { draft } = editor.context.store.get().edits;
  if (draft === undefined) return;
  changeDraft(editor, `remove corner ${draft.points.length}`, draft.kind, draft.points.slice(0, -1));
  editor.cursor = draftOf(editor).at(-1) ?? editor.cursor;
  show(editor);
}

function closeDraft(editor: MapEditor): void {
  const { mode, context, layer } = editor;
  const draft = draftOf(editor);
  if (mode === 'move') return;
  if (draft.length < 3) return context.say('info', 'A shape has at least three corners.');
  // The outline around a hole may have been removed since.
  if (!isStart(editor, mode, draft[0])) return;
  const added = withNewRing(shownMap(editor), mode, draft, layer)!;
  changeEdits(context, `draw ${mode}`, { map: added.map, draft: undefined });
  editor.selected = { at: added.at, corner: -1 };
  editor.mode = 'move';
  show(editor);
}

function insertCorner(editor: MapEditor): void {
  const { selected } = editor;
  const ring = selected === undefined ? undefined : ringAt(shownMap(editor), selected.at);
  if (selected === undefined || ring === undefined) return;
  const corner = Math.max(0, selected.corner);
  change(
    editor,
    'insert corner',
    withRing(shownMap(editor), selected.at, withCornerAfter(ring, corner, middleAfter(ring, corner))),
  );
  editor.selected = { at: selected.at, corner: corner + 1 };
  show(editor);
}

function removeCorner(editor: MapEditor): void {
  const { selected, context } = editor;
  const ring = selected === undefined ? undefined : ringAt(shownMap(editor), selected.at);
  if (selected === undefined || ring === undefined || selected.corner < 0) return;
  const rest = withoutCorner(ring, selected.corner);
  if (rest === undefined) context.say('info', 'A shape has at least three corners. Delete the shape instead.');
  else {
    change(editor, 'delete corner', withRing(shownMap(editor), selected.at, rest));
    editor.selected = { at: selected.at, corner: Math.min(selected.corner, rest.length - 1) };
  }
  show(editor);
}

function removeRing(editor: MapEditor): void {
  const { selected } = editor;
  if (selected === undefined) return;
  editor.selected = undefined;
  change(editor, 'delete shape', withoutRing(shownMap(editor), selected.at));
  show(editor);
}

/** Selects the corner before or after the selected one, over all rings. */
function step(editor: MapEditor, by: -1 | 1): void {
  const rings = ringsOf(shownMap(editor));
  const corners = rings.flatMap(({ at, points }) => points.map((_, corner) => ({ at, corner })));
  if (corners.length === 0 || editor.mode !== 'move') return;
  const { selected } = editor;
  const index = corners.findIndex(
    ({ at, corner }) => isSameRing(at, selected?.at) && corner === Math.max(0, selected!.corner),
  );
  const isWhole = index >= 0 && selected!.corner < 0;
  const next = isWhole ? index : index < 0 ? 0 : (index + by + corners.length) % corners.length;
  editor.selected = corners[next];
  show(editor);
}

function handleKey(editor: MapEditor, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return editor.mode === 'move' ? handleMoveKey(editor, event) : handleDrawKey(editor, event);
}

function handleMoveKey(editor: MapEditor, event: KeyboardEvent): boolean {
  const { selected, context } = editor;
  if (event.key === '[' || event.key === ']') step(editor, event.key === '[' ? -1 : 1);
  else if (event.key === 'Escape' && selected !== undefined) editor.selected = undefined;
  else if (event.key === 'Insert' && selected !== undefined) insertCorner(editor);
  else if (isDelete(event) && selected !== undefined) (selected.corner < 0 ? removeRing : removeCorner)(editor);
  else {
    const ring = selected === undefined ? undefined : ringAt(shownMap(editor), selected.at);
    if (selected === undefined || ring === undefined) return false;
    const first = ring[Math.max(0, selected.corner)];
    const to = nudged(context.store.get(), first, event, editor.grid);
    if (to === undefined) return false;
    const moved =
      selected.corner >= 0
        ? withCorner(ring, selected.corner, to)
        : ring.map(([x, y]): Point2 => [x + to[0] - first[0], y + to[1] - first[1]]);
    change(editor, selected.corner >= 0 ? 'move corner' : 'move shape', withRing(shownMap(editor), selected.at, moved));
  }
  show(editor);
  return true;
}

function handleDrawKey(editor: MapEditor, event: KeyboardEvent): boolean {
  const { context, cursor, grid, mode } = editor;
  const draft = draftOf(editor);
  const state = context.store.get();
  if (event.key === 'Escape') {
    if (draft.length === 0) editor.mode = 'move';
    else changeDraft(editor, `drop the ${mode}`, mode as RingKind, []);
  } else if (event.key === 'Backspace') dropCorner(editor);
  else if (event.key === 'Enter') {
    if (cursor === undefined) return false;
    const isFirst = draft.length >= 3 && draft[0][0] === cursor[0] && draft[0][1] === cursor[1];
    if (isFirst || (draft.length >= 3 && isSamePoint(draft.at(-1)!, cursor))) closeDraft(editor);
    else addCorner(editor, cursor);
  } else {
    const { min, max } = boundsOf(state)!;
    const middle = meshToMap(planeOf(state), [(min[0] + max[0]) / 2, 0, (min[2] + max[2]) / 2]);
    const to = nudged(state, cursor ?? onGrid(middle, grid), event, grid);
    if (to === undefined) return false;
    editor.cursor = cursor === undefined ? onGrid(middle, grid) : to;
  }
  show(editor);
  return true;
}

const isSamePoint = (a: Point2, b: Point2): boolean => a[0] === b[0] && a[1] === b[1];
