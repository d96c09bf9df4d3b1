/** The world tool: how much of a published world is loaded, and the state of each tile. */
import { h, row } from '../dom/dom.ts';
import { formatCount } from '../state/format.ts';
import { originOf } from '../state/state.ts';
import { numberField } from '../tools/edit/shared.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { Drawing } from '../view/drawing.ts';
import { createMarks } from '../view/marks.ts';
import { streamOptions } from './options.ts';

/** Failures that are listed. */
const MOST_FAILURES = 4;

export function createWorldTool(context: ToolContext): Tool {
  const { store, save, saved, redraw } = context;
  const change = (patch: object): void => {
    save({ ...saved(), ...patch });
    show();
  };
  const radius = numberField('Radius', 'm', 1, { min: 0.1, step: 10 }, (value) => change({ radius: value }));
  const budget = numberField('At most', 'MB', 64, { min: 0.01, step: 16 }, (value) => change({ megabytes: value }));
  const rows = h('div', { class: 'rows' });
  const show = (): void => {
    const state = store.get();
    const { world } = state;
    if (world === undefined) return;
    const options = streamOptions(state);
    radius.set(options.radius);
    budget.set(options.maxBytes / 2 ** 20);
    const { streamed, result } = world;
    const { tiles, countX, countZ, sequence } = streamed.manifest;
    const failures = result?.failures ?? [];
    rows.replaceChildren(
      row('Publication', String(sequence)),
      row('Grid', `${countX} x ${countZ} tiles`),
      row(
        'Loaded',
        `${formatCount(result?.loadedTiles ?? 0)} of ${formatCount(tiles.polys.filter((count) => count > 0).length)}`,
      ),
      row('On their way', formatCount(result?.missingTiles ?? 0)),
      row('Without room', formatCount(result?.leftOutTiles ?? 0)),
      row('Files', `${((result?.bytes ?? 0) / 2 ** 20).toFixed(2)} MB`),
      ...failures
        .slice(0, MOST_FAILURES)
        .map(({ x, z, reason }) => h('p', { class: 'warning-line' }, `Tile ${x}, ${z}: ${reason}`)),
    );
    redraw();
  };
  return {
    panel: h('div', { class: 'edit-panel' }, radius.element, budget.element, rows),
    enter: show,
    changed: show,
    draw: () => drawTiles(context),
    inspect: () => store.get().world?.result,
  };
}

/** Outlines each tile: loaded ones with full lines, others with dashes, failed ones in the color of troubles. */
function drawTiles({ store, palette }: ToolContext): Drawing[] {
  const state = store.get();
  const { world } = state;
  if (world === undefined) return [];
  const { manifest, navMesh } = world.streamed;
  const marks = createMarks(originOf(state), palette());
  const { tileSize, origin } = manifest.settings;
  const loaded = new Set<string>();
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
    if (navMesh.tileState[slot] === 1) loaded.add(`${navMesh.tileX[slot]},${navMesh.tileZ[slot]}`);
  }
  const failed = new Set((world.result?.failures ?? []).map(({ x, z }) => `${x},${z}`));
  manifest.tiles.number.forEach((number, i) => {
    if (manifest.tiles.polys[i] === 0) return;
    const [x, z] = [number % manifest.countX, Math.floor(number / manifest.countX)];
    const y = manifest.tiles.minY[i];
    const at = (dx: number, dz: number): [number, number, number] => [
      origin[0] + (x + dx) * tileSize,
      y,
      origin[2] + (z + dz) * tileSize,
    ];
    const key = `${x},${z}`;
    const [near, far] = [0.02, 0.98];
    const ring = [at(near, near), at(far, near), at(far, far), at(near, far), at(near, near)];
    const isFailed = failed.has(key);
    const color = isFailed ? marks.colors.trouble : loaded.has(key) ? palette().portal : marks.colors.faint;
    marks.line(ring, color, { width: loaded.has(key) ? 2 : 1.5, isDashed: !loaded.has(key), hasHalo: false });
  });
  return marks.list;
}
