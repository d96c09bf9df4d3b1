/** Shapes put onto the level: a box, a ramp, stairs, moved, turned and scaled by the gizmo of three. */
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
  ['rotate', 'Turn'],
  ['scale', 'Scale'],
] as const;

export function createPartsTool(context: ToolContext): Tool {
  const { store, view, redraw, palette } = context;
  let armed: (typeof SHAPES)[number] | undefined;
  let selected = 0;
  let moved: LevelPart | undefined;
  const anchor = new Object3D();
  const gizmo = new TransformControls(view.camera, view.canvas);
  const helper = gizmo.getHelper();
  gizmo.setSpace('local');
  gizmo.addEventListener('change', () => view.invalidate());
  gizmo.addEventListener('objectChange', () => {
    const part = partOf(selected);
    if (part === undefined) return;
    moved = fromAnchor(part, anchor, originOf(store.get()));
    redraw();
  });
  gizmo.addEventListener('dragging-changed', ({ value }) => {
    view.setControls(value !== true);
    if (value === true || moved === undefined) return;
    const { id } = moved;
    const next = parts().map((part) => (part.id === id ? moved! : part));
    moved = undefined;
    changeEdits(context, 'move part', { parts: next });
  });

  const parts = (): readonly LevelPart[] => store.get().edits.parts ?? [];
  const partOf = (id: number): LevelPart | undefined => parts().find((part) => part.id === id);
  const shapes = SHAPES.map((shape) =>
    button(
      shape.title,
      () => {
        armed = armed === shape ? undefined : shape;
        show();
      },
      'The next click puts one',
    ),
  );
  const modes = MODES.map(([mode, title]) =>
    button(title, () => {
      gizmo.setMode(mode);
      show();
    }),
  );
  const note = h('p', { class: 'hint' });
  const remove = button('Delete', () => {
    changeEdits(context, 'delete part', { parts: parts().filter(({ id }) => id !== selected) });
    select(0);
  });
  const panel = h(
    'div',
    { class: 'edit-panel' },
    h('div', { class: 'buttons' }, ...shapes),
    h('div', { class: 'buttons' }, ...modes),
    note,
    h('div', { class: 'buttons' }, remove),
  );

  const select = (id: number): void => {
    selected = id;
    const part = partOf(id);
    if (part === undefined) gizmo.detach();
    else {
      toAnchor(part, anchor, originOf(store.get()));
      gizmo.attach(anchor);
    }
    show();
  };
  const show = (): void => {
    shapes.forEach((one, i) => one.setAttribute('aria-pressed', String(SHAPES[i] === armed)));
    modes.forEach((one, i) => {
      one.setAttribute('aria-pressed', String(MODES[i][0] === gizmo.mode));
      one.disabled = partOf(selected) === undefined;
    });
    remove.disabled = partOf(selected) === undefined;
    note.textContent =
      armed !== undefined
        ? `Click where the ${armed.title.toLowerCase()} goes.`
        : parts().length === 0
          ? 'Choose a shape, then click where to put it.'
          : `${plural(parts().length, 'part')}; click one to change it.`;
    redraw();
  };
  const hitPart = (pointer: ToolPointer): { id: number; distance: number } | undefined => {
    let best: { id: number; distance: number } | undefined;
    const { origin, direction } = pointer.ray();
    for (const part of parts()) {
      const distance = rayDistance(partTriangles(part), origin, direction);
      if (distance < (best?.distance ?? Infinity)) best = { id: part.id, distance };
    }
    return best;
  };
  return {
    panel,
    enter() {
      view.root.add(anchor, helper);
      select(selected);
    },
    leave() {
      gizmo.detach();
      view.root.remove(anchor, helper);
      armed = undefined;
      view.setControls(true);
    },
    changed(_state, keys) {
      if (keys.has('source')) armed = undefined;
      if (keys.has('edits') || keys.has('source')) select(partOf(selected) === undefined ? 0 : selected);
    },
    down: () => gizmo.axis !== null && partOf(selected) !== undefined,
    click(pointer) {
      const hit = pointer.hit();
      const part = hitPart(pointer);
      if (armed === undefined) {
        return select(part === undefined || part.distance > (hit?.distance ?? Infinity) + 0.5 ? 0 : part.id);
      }
      if (hit === undefined) return;
      const id = 1 + Math.max(0, ...parts().map((one) => one.id));
      const added: LevelPart = { id, shape: armed.id, position: hit.point, rotation: [0, 0, 0], scale: armed.scale };
      armed = undefined;
      changeEdits(context, 'put part', { parts: [...parts(), added] });
      select(id);
    },
    key(event) {
      if (!isDelete(event) || partOf(selected) === undefined) return false;
      remove.click();
      return true;
    },
    hover: () => (armed !== undefined ? 'crosshair' : gizmo.axis !== null ? 'grab' : undefined),
    draw() {
      const part = moved ?? partOf(selected);
      if (part === undefined) return [];
      const positions = partPositions(part, originOf(store.get()));
      return [{ kind: 'triangles', positions, color: palette().path, opacity: 0.45, lift: 2 }];
    },
    inspect: () => ({ parts: parts(), selected, mode: gizmo.mode, axis: gizmo.axis }),
  };
}

const DEGREES = 180 / Math.PI;

function toAnchor({ position, rotation, scale }: LevelPart, anchor: Object3D, origin: Vec3): void {
  anchor.position.set(position[0] - origin[0], position[1] - origin[1], position[2] - origin[2]);
  // Turned about x, then y, then z, all of them the world's.
  anchor.rotation.set(rotation[0] / DEGREES, rotation[1] / DEGREES, rotation[2] / DEGREES, 'ZYX');
  anchor.scale.set(...scale);
  anchor.updateMatrixWorld();
}

function fromAnchor(part: LevelPart, { position: p, rotation: r, scale: s }: Object3D, origin: Vec3): LevelPart {
  const round = (value: number): number => Number(value.toFixed(4));
  const least = (value: number): number => Math.max(0.05, round(Math.abs(value)));
  return {
    ...part,
    position: [round(p.x + origin[0]), round(p.y + origin[1]), round(p.z + origin[2])],
    rotation: [round(r.x * DEGREES), round(r.y * DEGREES), round(r.z * DEGREES)],
    scale: [least(s.x), least(s.y), least(s.z)],
  };
}

/** Infinity: the ray passes all triangles. Based on: Möller and Trumbore, 1997. */
function rayDistance(points: Float64Array, origin: Vec3, direction: Vec3): number {
  let best = Infinity;
  const cross = (a: readonly number[], b: readonly number[]): number[] => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (let i = 0; i < points.length; i += 9) {
    const at = (k: number): number[] => [points[i + k], points[i + k + 1], points[i + k + 2]];
    const [a, b, c] = [at(0), at(3), at(6)];
    const u = b.map((value, k) => value - a[k]),
      v = c.map((value, k) => value - a[k]);
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
