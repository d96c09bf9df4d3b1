/**
 * The area tool: draws area volumes corner by corner, moves and deletes them, and changes their area, height
 * and depth.
 */
import { AREA_GROUND } from 'navkiln';
import type { AreaVolume } from 'navkiln/build';
import { h } from '../../dom/dom.ts';
import { switchField, textField } from '../../dom/fields.ts';
import type { SwitchField, TextField } from '../../dom/fields.ts';
import { plural } from '../../state/format.ts';
import type { Vec3 } from '../../state/state.ts';
import type { Drawing } from '../../view/drawing.ts';
import { areaColor } from '../../view/palette.ts';
import type { Tool, ToolContext, ToolPointer } from '../tool.ts';
import { button, chain, changeEdits, handles, isDelete, numberField, replaced, summaryOf, without } from './shared.ts';
import type { EditNumber } from './shared.ts';
import { baseOf, centerOf, convexHull, shifted, topOf, withCorner } from './volume-shape.ts';

/** The state that the functions of this file share. */
interface VolumeEditor {
  context: ToolContext;
  area: number;
  /** Height above the clicked corners and depth below them, world units. */
  height: number;
  depth: number;
  /** Corners of a volume that is not closed yet. */
  draft: Vec3[];
  /** Index of the selected volume, or -1. */
  selected: number;
  /** The drag of a volume (corner -1) or of one of its corners, and where it began. */
  grab: { volume: number; corner: number; from: Vec3 } | undefined;
  /** The dragged volume before the release. */
  moved: AreaVolume | undefined;
  /** The height at which an outline was clicked. */
  floors: WeakMap<object, number>;
  card: VolumeCard;
}

interface VolumeCard {
  panel: HTMLElement;
  area: EditNumber;
  height: EditNumber;
  depth: EditNumber;
  name: TextField;
  open: SwitchField;
  note: HTMLElement;
  close: HTMLButtonElement;
  remove: HTMLButtonElement;
}

export function createVolumeTool(context: ToolContext): Tool {
  const editor: VolumeEditor = {
    context,
    area: 2,
    height: 2,
    depth: 0.5,
    draft: [],
    selected: -1,
    grab: undefined,
    moved: undefined,
    floors: new WeakMap(),
    card: createCard(() => editor),
  };
  const volumes = (): readonly AreaVolume[] => volumesOf(editor);
  const centers = (): Vec3[] => shownVolumes(editor).map(centerOf);
  return {
    panel: editor.card.panel,
    enter: () => show(editor),
    changed(_state, keys) {
      if (keys.has('source')) editor.draft = [];
      if (editor.selected >= volumes().length) editor.selected = -1;
      show(editor);
    },
    down: (pointer) => startDrag(editor, pointer),
    drag: (pointer) => drag(editor, pointer),
    up() {
      const { moved, grab } = editor;
      if (moved !== undefined && grab !== undefined) {
        change(editor, 'move volume', replaced(volumes(), grab.volume, moved));
      }
      editor.grab = editor.moved = undefined;
      show(editor);
    },
    click(pointer) {
      const { draft } = editor;
      const point = pointer.hit()?.point;
      if (point === undefined) return;
      if (draft.length >= 3 && pointer.nearest([draft[0]]) === 0) return finish(editor);
      if (editor.selected >= 0) select(editor, -1);
      draft.push(point);
      show(editor);
    },
    key(event) {
      if (event.key === 'Enter' && editor.draft.length >= 3) finish(editor);
      else if (isDelete(event) && editor.selected >= 0) editor.card.remove.click();
      else if (event.key === 'Escape' && editor.draft.length > 0) {
        editor.draft = [];
        show(editor);
      } else return false;
      return true;
    },
    hover: (pointer) =>
      editor.draft.length === 0 && pointer.nearest([...handlesOf(editor, editor.selected), ...centers()]) >= 0
        ? 'grab'
        : 'crosshair',
    draw: () => draw(editor),
    inspect: () => ({
      volumes: volumes().length,
      selected: editor.selected,
      draft: editor.draft.length,
      handles: handlesOf(editor, editor.selected),
      middles: centers(),
    }),
  };
}

function createCard(editorOf: () => VolumeEditor): VolumeCard {
  const area = numberField('Area', '0 is not walkable', 2, { min: 0, max: 63, step: 1 }, (value) => {
    const editor = editorOf();
    editor.area = Math.round(value);
    const volume = volumesOf(editor)[editor.selected];
    if (volume === undefined) return;
    change(editor, 'area of volume', replaced(volumesOf(editor), editor.selected, { ...volume, area: editor.area }));
  });
  const height = numberField('Height', 'm', 2, { min: 0.01, step: 0.1 }, (value) => {
    editorOf().height = value;
    stretch(editorOf());
  });
  const depth = numberField('Depth below', 'm', 0.5, { min: 0, step: 0.1 }, (value) => {
    editorOf().depth = value;
    stretch(editorOf());
  });
  const changeSelected = (what: string, patch: Partial<AreaVolume>): void => {
    const editor = editorOf();
    const volume = volumesOf(editor)[editor.selected];
    if (volume === undefined) return;
    const next = Object.entries({ ...volume, ...patch }).filter(([, value]) => value !== undefined);
    change(
      editor,
      what,
      replaced(volumesOf(editor), editor.selected, Object.fromEntries(next) as unknown as AreaVolume),
    );
  };
  const name = textField('Door', (value) => changeSelected('name of door', { name: value, area: undefined }));
  name.element.title = 'A name makes it a door: it keeps its area, and opens and closes while agents move (Crowd)';
  const open = switchField('Open', (isOn) => changeSelected('door', { enabled: isOn ? undefined : false }));
  const note = h('p', { class: 'hint' });
  const close = button('Close', () => finish(editorOf()), 'Create the volume from the clicked corners (Enter)');
  const remove = button('Delete', () => {
    const editor = editorOf();
    change(editor, 'delete volume', without(volumesOf(editor), editor.selected));
    select(editor, -1);
  });
  const buttons = h('div', { class: 'buttons' }, close, remove);
  const fields = [area, height, depth, name, open].map(({ element }) => element);
  const panel = h('div', { class: 'edit-panel' }, ...fields, note, buttons);
  return { panel, area, height, depth, name, open, note, close, remove };
}

function volumesOf({ context }: VolumeEditor): readonly AreaVolume[] {
  return context.store.get().edits.volumes;
}

/** Returns the volumes with the dragged one where it is now. */
function shownVolumes(editor: VolumeEditor): readonly AreaVolume[] {
  const { moved, grab } = editor;
  return moved === undefined || grab === undefined
    ? volumesOf(editor)
    : replaced(volumesOf(editor), grab.volume, moved);
}

function handlesOf(editor: VolumeEditor, index: number): Vec3[] {
  const volume = shownVolumes(editor)[index];
  return volume === undefined ? [] : topOf(volume);
}

function change({ context }: VolumeEditor, name: string, volumes: readonly AreaVolume[]): void {
  changeEdits(context, name, { volumes });
}

/**
 * Gives the selected volume the height and depth of the card, measured from where its corners were clicked.
 */
function stretch(editor: VolumeEditor): void {
  const { depth, height, selected, floors } = editor;
  const volume = volumesOf(editor)[selected];
  if (volume?.type !== 'prism') return;
  const floor = floors.get(volume.outline) ?? volume.minY + depth;
  const next = { ...volume, minY: floor - depth, maxY: floor + height };
  change(editor, 'height of volume', replaced(volumesOf(editor), selected, next));
}

function select(editor: VolumeEditor, index: number): void {
  const { card, floors } = editor;
  editor.selected = index;
  const volume = volumesOf(editor)[index];
  if (volume !== undefined) card.area.set((editor.area = volume.area ?? AREA_GROUND));
  if (volume?.type === 'prism') {
    const floor = floors.get(volume.outline) ?? volume.minY + editor.depth;
    card.depth.set((editor.depth = floor - volume.minY));
    card.height.set((editor.height = volume.maxY - floor));
  }
  show(editor);
}

function show(editor: VolumeEditor): void {
  const { card, draft, selected, context } = editor;
  card.close.disabled = draft.length < 3;
  card.remove.disabled = selected < 0;
  const volume = volumesOf(editor)[selected];
  card.name.element.hidden = volume === undefined;
  card.name.set(volume?.name ?? '');
  card.open.element.hidden = volume?.name === undefined;
  card.open.set(volume?.enabled !== false);
  card.note.textContent =
    draft.length > 0
      ? `${plural(draft.length, 'corner')}; click the first one again to close the outline.`
      : summaryOf(volumesOf(editor).length, 'volume', selected);
  context.redraw();
}

/** Creates a volume from the draft. */
function finish(editor: VolumeEditor): void {
  const { draft, area, depth, height, floors } = editor;
  const outline = convexHull(draft.map(([x, , z]) => [x, z]));
  editor.draft = [];
  if (outline.length >= 3) {
    const low = Math.min(...draft.map(([, y]) => y));
    const high = Math.max(...draft.map(([, y]) => y));
    floors.set(outline, low);
    const volume: AreaVolume = { type: 'prism', area, outline, minY: low - depth, maxY: high + height };
    change(editor, 'add volume', [...volumesOf(editor), volume]);
    select(editor, volumesOf(editor).length - 1);
  }
  show(editor);
}

/** Grabs a corner of the selected volume or the center of any; with Shift it deletes the volume. */
function startDrag(editor: VolumeEditor, pointer: ToolPointer): boolean {
  const { draft, selected } = editor;
  if (draft.length > 0) return false;
  const corners = shownVolumes(editor)[selected]?.type === 'prism' ? handlesOf(editor, selected) : [];
  const corner = pointer.nearest(corners);
  const center = corner >= 0 ? -1 : pointer.nearest(shownVolumes(editor).map(centerOf));
  const from = pointer.hit()?.point;
  if (from === undefined || (corner < 0 && center < 0)) return false;
  if (center >= 0 && pointer.shift) {
    change(editor, 'delete volume', without(volumesOf(editor), center));
    select(editor, -1);
    return true;
  }
  if (center >= 0) select(editor, center);
  editor.grab = { volume: corner >= 0 ? selected : center, corner, from };
  return true;
}

function drag(editor: VolumeEditor, pointer: ToolPointer): void {
  const { grab, context } = editor;
  const to = pointer.hit()?.point;
  if (grab === undefined || to === undefined) return;
  const volume = volumesOf(editor)[grab.volume];
  const isCorner = grab.corner >= 0;
  const offset: Vec3 = [to[0] - grab.from[0], isCorner ? 0 : to[1] - grab.from[1], to[2] - grab.from[2]];
  editor.moved =
    isCorner && volume.type === 'prism' ? withCorner(volume, grab.corner, offset) : shifted(volume, offset);
  context.redraw();
}

function draw(editor: VolumeEditor): Drawing[] {
  const { context, selected, draft } = editor;
  const colors = context.palette();
  const drawings: Drawing[] = [];
  shownVolumes(editor).forEach((volume, i) => {
    const color = volume.area === 0 ? colors.end : areaColor(colors, volume.area ?? AREA_GROUND);
    const top = topOf(volume);
    const base = baseOf(volume);
    drawings.push(...chain(context, top, color, true), ...chain(context, base, color, true, 1.5));
    top.forEach((point, k) => drawings.push(...chain(context, [point, base[k]], color, false, 1.5)));
    drawings.push(...handles(context, [centerOf(volume)], color, i === selected ? 8 : 6));
    if (i === selected && volume.type === 'prism') drawings.push(...handles(context, top, color, 5));
  });
  return [...drawings, ...chain(context, draft, colors.path), ...handles(context, draft, colors.path)];
}
