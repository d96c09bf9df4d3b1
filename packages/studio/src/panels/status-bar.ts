/**
 * The status bar: the open content, the mesh, the time of the last bake, and the progress of a task with a
 * cancel button.
 */
import { h } from '../dom/dom.ts';
import { formatMs, plural, visible } from '../state/format.ts';
import { mapOf, nameOfSource } from '../state/state.ts';
import type { StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';

export function createStatusBar(store: Store, cancel: () => void): HTMLElement {
  const title = h('span', { class: 'status-title' });
  const mesh = h('span', { class: 'status-mesh' });
  const stages = h('span', { class: 'status-stages', 'aria-hidden': 'true' });
  const bar = h('span', { class: 'progress-fill' });
  const text = h('span', { class: 'status-job' });
  const progress = h('span', { class: 'progress', role: 'progressbar', 'aria-label': 'Progress' }, bar);
  const stop = h(
    'button',
    { class: 'button small', title: 'Cancel the bake (Escape)', onclick: cancel },
    'Cancel bake',
  );
  const job = h('span', { class: 'status-progress' }, text, progress, stop);
  const element = h('footer', { class: 'status' }, title, mesh, stages, h('span', { class: 'spring' }), job);
  const refresh = (): void => {
    const state = store.get();
    title.textContent = visible(titleOf(state));
    mesh.textContent = meshOf(state);
    showStages(stages, state);
    const { status, title: name, stage, done, total } = state.job;
    const isRunning = status === 'running';
    job.classList.toggle('is-running', isRunning);
    const word = isRunning ? stage : status === 'idle' ? '' : status;
    text.textContent = visible(word === '' ? name : `${name}: ${word}`);
    const share = total > 0 ? done / total : 0;
    bar.style.width = `${100 * share}%`;
    progress.classList.toggle('is-unknown', isRunning && total === 0);
    progress.setAttribute('aria-valuenow', String(Math.round(100 * share)));
  };
  store.listen(['source', 'level', 'map', 'edits', 'mesh', 'job'], refresh);
  refresh();
  return element;
}

function titleOf(state: StudioState): string {
  const { level, source } = state;
  const map = mapOf(state);
  const name = source === undefined ? '' : nameOfSource(source);
  if (level !== undefined) return `${name} · ${plural(level.indices.length / 3, 'triangle')}`;
  if (map === undefined) return name;
  const { layers = [] } = map;
  if (state.map?.levels !== undefined) return `${name} · ${plural(layers.length, 'level')}`;
  const outlines = [map, ...layers].reduce((sum, { polygons = [] }) => sum + polygons.length, 0);
  return `${name} · ${plural(outlines, 'outline')}`;
}

function meshOf({ mesh }: StudioState): string {
  if (mesh === undefined) return '';
  const { navMesh, report, rebuilt } = mesh;
  let polygons = 0;
  let tiles = 0;
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
    if (navMesh.tileState[slot] !== 1) continue;
    tiles++;
    polygons += navMesh.tilePolyCount[slot];
  }
  const parts = [plural(polygons, 'polygon')];
  if (tiles > 1) parts.push(plural(tiles, 'tile'));
  if (report !== undefined) {
    const action = rebuilt === undefined ? 'baked' : `${plural(rebuilt.length, 'tile')} rebuilt`;
    parts.push(`${action} in ${formatMs(report.totalMs)}`);
  }
  return parts.join(' · ');
}

/** Shows a thin bar in which the width of each stage is its share of the time. */
function showStages(element: HTMLElement, { mesh }: StudioState): void {
  const stages = mesh?.report?.stages ?? [];
  const total = stages.reduce((sum, { ms }) => sum + ms, 0);
  element.hidden = total <= 0;
  element.title = stages.map(({ name, ms }) => `${name}: ${formatMs(ms)}`).join('\n');
  element.replaceChildren(...stages.map(({ ms }) => h('span', { style: `flex-grow:${Math.max(0.001, ms / total)}` })));
}
