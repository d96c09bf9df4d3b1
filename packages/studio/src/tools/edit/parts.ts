/**
 * The shapes tool: adds boxes, ramps and stairs to the level, and moves, rotates and scales them with a gizmo
 * of three.js.
 */
import { Object3D } from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import { h } from '../../dom/dom.ts';
import { plural } from '../../state/format.ts';
import { partTriangles } from '../../state/parts.ts';
import { originOf } from '../../state/state.ts';
import type { LevelPart, Vec3 } from '../../state/state.ts';
import { partPositions } from '../../view/edit-layers.ts';
import type { Tool, ToolContext, ToolPointer } from '../tool.ts';
import { button, changeEdits, isDelete } from './shared.ts';

const SHAPES: readonly { id: LevelPart['shape']; title: string; scale: Vec3 }[] = [
  { id: 'box', title: 'Box', scale: [2, 1, 2] },
  { id: 'ramp', title: 'Ramp', scale: [2, 1.2, 3] },
  { id: 'stairs', title: 'Stairs', scale: [2, 1.5, 3] },
];
const MODES = [
  ['translate', 'Move'],
  ['rotate', 'Rotate'],
  ['scale', 'Scale'],
] as const;

/** The state that the functions of this file share. */
interface PartsEditor {
  context: ToolContext;
  /** The shape that the next click adds. */
  armed: (typeof SHAPES)[number] | undefined;
  /** Id of the selected part, or 0. */
  selected: number;
  /** The part that the gizmo drags, before the release. */
  moved: LevelPart | undefined;
  /** The object that the gizmo moves. */
  anchor: Object3D;
  gizmo: TransformControls;
  card: PartsCard;
}

interface PartsCard {
  panel: HTMLElement;
  shapes: HTMLButtonElement[];
  modes: HTMLButtonElement[];
  note: HTMLElement;
  remove: HTMLButtonElement;
}

export function createPartsTool(context: ToolContext): Tool {
  const { store, view, palette } = context;
  const gizmo = new TransformControls(view.camera, view.canvas);
  const editor: PartsEditor = {
    context,
    armed: undefined,
    selected: 0,
    moved: undefined,
    anchor: new Object3D(),
    gizmo,
    card: createCard(() => editor),
  };
  const helper = gizmo.getHelper();
  gizmo.setSpace('local');
  listenToGizmo(editor);
  return {
    panel: editor.card.panel,
    enter() {
      view.root.add(editor.anchor, helper);
      select(editor, editor.selected);
    },
    leave() {
      gizmo.detach();
      view.root.remove(editor.anchor, helper);
      editor.armed = undefined;
      view.setControls(true);
    },
    changed(_state, keys) {
      if (keys.has('source')) editor.armed = undefined;
      if (keys.has('edits') || keys.has('source')) {
        select(editor, selectedPart(editor) === undefined ? 0 : editor.selected);
      }
    },
    down: () => gizmo.axis !== null && selectedPart(editor) !== undefined,
    click: (pointer) => click(editor, pointer),
    key(event) {
      if (!isDelete(event) || selectedPart(editor) === undefined) return false;
      editor.card.remove.click();
      return true;
    },
    hover: () => (editor.armed !== undefined ? 'crosshair' : gizmo.axis !== null ? 'grab' : undefined),
    draw() {
      const part = editor.moved ?? selectedPart(editor);
      if (part === undefined) return [];
      const positions = partPositions(part, originOf(store.get()));
      return [{ kind: 'triangles', positions, color: palette().path, opacity: 0.45, lift: 2 }];
    },
    inspect: () => ({ parts: partsOf(editor), selected: editor.selected, mode: gizmo.mode, axis: gizmo.axis }),
  };
}

function createCard(editorOf: () => PartsEditor): PartsCard {
  const shapes = SHAPES.map((shape) => {
    const arm = (): void => {
      const editor = editorOf();
      editor.armed = editor.armed === shape ? undefined : shape;
      show(editor);
    };
    return button(shape.title, arm, 'The next click adds it');
  });
  const modes = MODES.map(([mode, title]) =>
    button(title, () => {
      editorOf().gizmo.setMode(mode);
      show(editorOf());
    }),
  );
  const note = h('p', { class: 'hint' });
  const remove = button('Delete', () => {
    const editor = editorOf();
    const rest = partsOf(editor).filter(({ id }) => id !== editor.selected);
    changeEdits(editor.context, 'delete shape', { parts: rest });
    select(editor, 0);
  });
  const panel = h(
    'div',
    { class: 'edit-panel' },
    h('div', { class: 'buttons' }, ...shapes),
    h('div', { class: 'buttons' }, ...modes),
    note,
    h('div', { class: 'buttons' }, remove),
  );
  return { panel, shapes, modes, note, remove };
}

/** Follows the gizmo: previews the part while it is dragged, and changes it after the release. */
function listenToGizmo(editor: PartsEditor): void {
  const { gizmo, anchor, context } = editor;
  const { view, store } = context;
  gizmo.addEventListener('change', () => view.invalidate());
  gizmo.addEventListener('objectChange', () => {
    const part = selectedPart(editor);
    if (part === undefined) return;
    editor.moved = fromAnchor(part, anchor, originOf(store.get()));
    context.redraw();
  });
  gizmo.addEventListener('dragging-changed', ({ value }) => {
    view.setControls(value !== true);
    const { moved } = editor;
    if (value === true || moved === undefined) return;
    editor.moved = undefined;
    const parts = partsOf(editor).map((part) => (part.id === moved.id ? moved : part));
    changeEdits(context, 'move shape', { parts });
  });
}

function partsOf({ context }: PartsEditor): readonly LevelPart[] {
  return context.store.get().edits.parts ?? [];
}

function selectedPart(editor: PartsEditor): LevelPart | undefined {
  return partsOf(editor).find(({ id }) => id === editor.selected);
}

function select(editor: PartsEditor, id: number): void {
  const { gizmo, anchor, context } = editor;
  editor.selected = id;
  const part = selectedPart(editor);
  if (part === undefined) gizmo.detach();
  else {
    toAnchor(part, anchor, originOf(context.store.get()));
    gizmo.attach(anchor);
  }
  show(editor);
}

function show(editor: PartsEditor): void {
  const { card, armed, gizmo, context } = editor;
  const hasSelection = selectedPart(editor) !== undefined;
  card.shapes.forEach((shape, i) => shape.setAttribute('aria-pressed', String(SHAPES[i] === armed)));
  card.modes.forEach((mode, i) => {
    mode.setAttribute('aria-pressed', String(MODES[i][0] === gizmo.mode));
    mode.disabled = !hasSelection;
  });
  card.remove.disabled = !hasSelection;
  const count = partsOf(editor).length;
  if (armed !== undefined) card.note.textContent = `Click where to add the ${armed.title.toLowerCase()}.`;
  else if (count === 0) card.note.textContent = 'Choose a shape, then click where to add it.';
  else card.note.textContent = `${plural(count, 'shape')}; click one to change it.`;
  context.redraw();
}

/** Adds the armed shape, or selects the part under the pointer unless the level hides it. */
function click(editor: PartsEditor, pointer: ToolPointer): void {
  const { armed } = editor;
  const hit = pointer.hit();
  if (armed === undefined) {
    const part = partAt(editor, pointer);
    const isHidden = part !== undefined && part.distance > (hit?.distance ?? Infinity) + HIDDEN_SLACK;
    return select(editor, part === undefined || isHidden ? 0 : part.id);
  }
  if (hit === undefined) return;
  const parts = partsOf(editor);
  const id = 1 + Math.max(0, ...parts.map((part) => part.id));
  const added: LevelPart = { id, shape: armed.id, position: hit.point, rotation: [0, 0, 0], scale: armed.scale };
  editor.armed = undefined;
  changeEdits(editor.context, 'add shape', { parts: [...parts, added] });
  select(editor, id);
}

/** How far behind the level a part may lie and still be selected, world units. */
const HIDDEN_SLACK = 0.5;

function partAt(editor: PartsEditor, pointer: ToolPointer): { id: number; distance: number } | undefined {
  let best: { id: number; distance: number } | undefined;
  const { origin, direction } = pointer.ray();
  for (const part of partsOf(editor)) {
    const distance = rayDistance(partTriangles(part), origin, direction);
    if (distance < (best?.distance ?? Infinity)) best = { id: part.id, distance };
  }
  return best;
}

const DEGREES = 180 / Math.PI;
const MIN_SCALE = 0.05;

/** Gives the anchor of the gizmo the transform of a part. */
function toAnchor({ position, rotation, scale }: LevelPart, anchor: Object3D, origin: Vec3): void {
  anchor.position.set(position[0] - origin[0], position[1] - origin[1], position[2] - origin[2]);
  // Rotations about the world's x, then y, then z.
  anchor.rotation.set(rotation[0] / DEGREES, rotation[1] / DEGREES, rotation[2] / DEGREES, 'ZYX');
  anchor.scale.set(...scale);
  anchor.updateMatrixWorld();
}

/** Returns the part with the transform of the anchor. */
function fromAnchor(part: LevelPart, { position: p, rotation: r, scale: s }: Object3D, origin: Vec3): LevelPart {
  const round = (value: number): number => Number(value.toFixed(4));
  const clamped = (value: number): number => Math.max(MIN_SCALE, round(Math.abs(value)));
  return {
    ...part,
    position: [round(p.x + origin[0]), round(p.y + origin[1]), round(p.z + origin[2])],
    rotation: [round(r.x * DEGREES), round(r.y * DEGREES), round(r.z * DEGREES)],
    scale: [clamped(s.x), clamped(s.y), clamped(s.z)],
  };
}

/**
 * Returns the distance along a ray to the nearest triangle, or Infinity.
 *
 * Based on: T. Möller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
 */
function rayDistance(points: Float64Array, origin: Vec3, direction: Vec3): number {
  let best = Infinity;
  const cross = (a: readonly number[], b: readonly number[]): number[] => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (let i = 0; i < points.length; i += 9) {
    const corner = (k: number): number[] => [points[i + k], points[i + k + 1], points[i + k + 2]];
    const [a, b, c] = [corner(0), corner(3), corner(6)];
    const u = b.map((value, k) => value - a[k]);
    const v = c.map((value, k) => value - a[k]);
    const p = cross(direction, v);
    const area = dot(u, p);
    if (Math.abs(area) < 1e-12) continue;
    const w = origin.map((value, k) => value - a[k]);
    const s = dot(w, p) / area;
    const q = cross(w, u);
    const t = dot(direction, q) / area;
    const distance = dot(v, q) / area;
    if (s >= 0 && t >= 0 && s + t <= 1 && distance > 0) best = Math.min(best, distance);
  }
  return best;
}
