/**
 * The prune tool: the user marks start positions of agents; the tool shows polygons that no start reaches,
 * and removes them.
 */
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
  /** Start positions, also those that are not applied yet. */
  let seeds: Vec3[] = [];
  let lost: Set<number> = new Set();
  let kept = 0;
  let grabbed = -1;
  const rows = h('div', { class: 'rows' });
  const prune = button(
    'Prune',
    () => changeEdits(context, 'prune', { seeds }),
    'Remove polygons that no start can reach',
  );
  const clear = button('Clear', () => {
    seeds = [];
    changeEdits(context, 'clear pruning', { seeds });
    preview();
  });
  const panel = h('div', { class: 'edit-panel' }, rows, h('div', { class: 'buttons' }, prune, clear));

  /** Previews the result: prunes the mesh of the page, counts, and restores it. */
  const preview = (): void => {
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
      row('Starts', formatCount(seeds.length)),
      ...(missed > 0 ? [row('Off the mesh', formatCount(missed))] : []),
      ...(seeds.length > 0
        ? [row('Polygons reached', formatCount(kept)), row('Not reached', formatCount(lost.size))]
        : []),
      ...(isDone && seeds.length > 0 ? [row('', 'pruned')] : []),
    );
    redraw();
  };
  const fromEdits = (): void => {
    seeds = store.get().edits.seeds.slice();
    preview();
  };
  return {
    panel,
    enter: fromEdits,
    changed(_state, keys) {
      if (keys.has('source') || keys.has('edits')) fromEdits();
      else if (keys.has('mesh')) preview();
    },
    down(pointer) {
      grabbed = pointer.nearest(seeds);
      if (grabbed < 0) return false;
      if (pointer.shift) {
        seeds = seeds.filter((_, i) => i !== grabbed);
        grabbed = -1;
        preview();
      }
      return true;
    },
    drag(pointer) {
      const to = pointer.hit()?.point;
      if (to === undefined || grabbed < 0) return;
      seeds = seeds.map((seed, i) => (i === grabbed ? to : seed));
      preview();
    },
    up: () => void (grabbed = -1),
    click(pointer) {
      const point = pointer.hit()?.point;
      if (point === undefined) return;
      seeds = [...seeds, point];
      preview();
    },
    hover: (pointer) => (pointer.nearest(seeds) >= 0 ? 'grab' : 'crosshair'),
    draw() {
      const { mesh } = store.get();
      const { start, end } = palette();
      const drawings: Drawing[] = [];
      if (mesh !== undefined && lost.size > 0) {
        const geometry = navMeshTriangles(mesh.navMesh, { filter: (poly) => lost.has(poly), color: () => 0xc44600b0 });
        const style: Partial<Drawing> = { color: end, colors: undefined, opacity: 0.62, order: 2 };
        drawings.push(drawingOf(geometry, originOf(store.get()), { ...style, lift: 2 } as Partial<Drawing>));
      }
      return [...drawings, ...handles(context, seeds, start, 7)];
    },
    inspect: () => ({ seeds: seeds.length, kept, lost: lost.size }),
  };
}
