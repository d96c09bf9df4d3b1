/** Pruning: places where walkers start; what none of them can reach is shown, then closed. */
import { pruneUnreachable, restoreFlags } from 'navkiln';
import { navMeshTriangles } from 'navkiln/debug';
import { h, row } from '../../dom/dom.ts';
import { formatCount } from '../../state/format.ts';
import { originOf } from '../../state/state.ts';
import type { Vec3 } from '../../state/state.ts';
import { drawingOf } from '../../view/debug-geometry.ts';
import type { Drawing } from '../../view/drawing.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { button, changeEdits, handles } from './shared.ts';

export function createPruneTool(context: ToolContext): Tool {
  const { store, redraw, palette } = context;
  /** Not pruned yet. */
  let seeds: Vec3[] = [];
  let lost: Set<number> = new Set();
  let kept = 0;
  let grabbed = -1;
  const rows = h('div', { class: 'rows' });
  const prune = button('Prune', () => changeEdits(context, 'prune', { seeds }), 'Close what cannot be reached');
  const clear = button('Clear', () => {
    seeds = [];
    changeEdits(context, 'no pruning', { seeds });
    look();
  });
  const panel = h('div', { class: 'edit-panel' }, rows, h('div', { class: 'buttons' }, prune, clear));

  /** What pruning would do: done to the mesh of the page, and undone. */
  const look = (): void => {
    const { mesh, edits } = store.get();
    lost = new Set();
    kept = 0;
    let missed = 0;
    if (mesh !== undefined && seeds.length > 0) {
      const { navMesh } = mesh;
      const before = navMesh.polyFlags.slice();
      const result = pruneUnreachable(navMesh, seeds);
      for (let poly = 0; poly < navMesh.polyCount; poly++) {
        if (navMesh.polyFlags[poly] === 0 && before[poly] !== 0) lost.add(poly);
      }
      restoreFlags(navMesh, result.backup);
      kept = result.keptCount;
      missed = result.missedSeeds.length;
    }
    const isDone = JSON.stringify(edits.seeds) === JSON.stringify(seeds);
    prune.disabled = seeds.length === 0 || isDone || missed === seeds.length;
    clear.disabled = seeds.length === 0 && edits.seeds.length === 0;
    rows.replaceChildren(
      row('starts', formatCount(seeds.length)),
      ...(missed > 0 ? [row('without ground', formatCount(missed))] : []),
      ...(seeds.length > 0
        ? [row('polygons reached', formatCount(kept)), row('not reached', formatCount(lost.size))]
        : []),
      ...(isDone && seeds.length > 0 ? [row('', 'pruned')] : []),
    );
    redraw();
  };
  const fromEdits = (): void => {
    seeds = store.get().edits.seeds.slice();
    look();
  };
  return {
    panel,
    enter: fromEdits,
    changed(_state, keys) {
      if (keys.has('source') || keys.has('edits')) fromEdits();
      else if (keys.has('mesh')) look();
    },
    down(pointer) {
      grabbed = pointer.nearest(seeds);
      if (grabbed < 0) return false;
      if (pointer.shift) {
        seeds = seeds.filter((_, i) => i !== grabbed);
        grabbed = -1;
        look();
      }
      return true;
    },
    drag(pointer) {
      const to = pointer.hit()?.point;
      if (to === undefined || grabbed < 0) return;
      seeds = seeds.map((seed, i) => (i === grabbed ? to : seed));
      look();
    },
    up: () => void (grabbed = -1),
    click(pointer) {
      const point = pointer.hit()?.point;
      if (point === undefined) return;
      seeds = [...seeds, point];
      look();
    },
    hover: (pointer) => (pointer.nearest(seeds) >= 0 ? 'grab' : 'crosshair'),
    draw() {
      const { mesh } = store.get();
      const { start, end } = palette();
      const drawings: Drawing[] = [];
      if (mesh !== undefined && lost.size > 0) {
        const list = navMeshTriangles(mesh.navMesh, { filter: (poly) => lost.has(poly), color: () => 0xc44600b0 });
        const wanted: Partial<Drawing> = { color: end, colors: undefined, opacity: 0.62, order: 2 };
        drawings.push(drawingOf(list, originOf(store.get()), { ...wanted, lift: 2 } as Partial<Drawing>));
      }
      return [...drawings, ...handles(context, seeds, start, 7)];
    },
    inspect: () => ({ seeds: seeds.length, kept, lost: lost.size }),
  };
}
