/** The report of the last bake: warnings, time of each stage, and counts. */
import { h, row } from '../dom/dom.ts';
import { formatCount, formatMs, wordsOf } from '../state/format.ts';
import { inPanelWords } from '../state/settings.ts';
import type { StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';

export function createReportPanel(store: Store): HTMLElement {
  const element = h('div', { class: 'report' });
  const refresh = (): void => element.replaceChildren(...contents(store.get()));
  store.listen(['mesh', 'level', 'map'], refresh);
  refresh();
  return element;
}

/** Returns the warnings about the open content and the last bake. */
export function warningsOf({ mesh, level, map }: StudioState): string[] {
  const own = mesh?.report?.warnings.map(({ message }) => message) ?? [];
  return [...(level?.warnings ?? map?.warnings ?? []), ...own].map(inPanelWords);
}

function contents(state: StudioState): HTMLElement[] {
  const { mesh } = state;
  const texts = warningsOf(state);
  const warnings = texts.map((text) => h('p', { class: 'warning-line' }, text));
  if (mesh === undefined) return [h('p', { class: 'hint' }, 'There is no mesh yet.'), ...warnings];
  const { report, navMesh } = mesh;
  if (report === undefined) {
    return [
      h('h3', {}, 'Mesh'),
      row('Agent', `radius ${navMesh.agent.radius} m, height ${navMesh.agent.height} m`),
      ...warnings,
    ];
  }
  const longest = Math.max(...report.stages.map(({ ms }) => ms), 1e-9);
  const stages = report.stages.map(({ name, ms }) =>
    h(
      'div',
      { class: 'stage-row' },
      h('span', { class: 'row-name' }, name),
      h('span', { class: 'bar' }, h('span', { style: `width:${(100 * ms) / longest}%` })),
      h('span', { class: 'row-value' }, formatMs(ms)),
    ),
  );
  const counts = Object.entries(report.counts).map(([name, value]) => row(wordsOf(name), formatCount(value as number)));
  return [
    h('h3', {}, 'Warnings'),
    ...(warnings.length > 0 ? warnings : [h('p', { class: 'hint' }, 'There are no warnings.')]),
    h('h3', {}, 'Stages'),
    ...stages,
    row('Total', formatMs(report.totalMs)),
    h('h3', {}, 'Counts'),
    ...counts,
  ];
}
