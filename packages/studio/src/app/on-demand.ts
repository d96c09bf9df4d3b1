/** Loads parts of the page when the open content needs them: the legend of areas, the import panel, and the flash of rebuilt tiles. */
import { h } from '../dom/dom.ts';
import { hasAreas } from '../state/areas.ts';
import { nameOfSource } from '../state/state.ts';
import { loadPart } from '../tools/lazy.ts';
import type { Core } from './core.ts';

/** Fills the two elements when there is something to show in them. */
export function loadOnDemand(core: Core, legend: HTMLElement, importing: HTMLDetailsElement): void {
  const { store, history, view, theme, messages } = core;
  const { say } = messages;
  let hasLegend = false;
  store.listen(['mesh'], (state) => {
    if (hasLegend || !hasAreas(state)) return;
    hasLegend = true;
    void loadPart(() => import('../panels/legend.ts'), say).then((code) => {
      const refresh = code?.createLegend(legend, store, history, theme.palette);
      if (refresh !== undefined) theme.onChange(refresh);
    });
  });

  let hasImport = false;
  store.listen(['source', 'level'], ({ source, level }, changed) => {
    importing.hidden = source?.kind !== 'files' || level === undefined;
    if (importing.hidden) return;
    const count = level?.objects?.length ?? 0;
    if (changed.has('source')) {
      importing.open = count > 1;
      // In narrow windows the panel is closed at first.
      if (count > 1 && document.documentElement.classList.contains('is-panel-hidden'))
        say('info', `${nameOfSource(source!)} has ${count} objects. The panel (Q) lists them under Import.`);
    }
    if (hasImport) return;
    hasImport = true;
    void loadPart(() => import('../panels/import-panel.ts'), say).then((code) =>
      code?.fillImportPanel(importing, store, history),
    );
  });

  let flashed = store.get().mesh?.rebuilt;
  store.listen(['mesh'], ({ mesh }) => {
    if (mesh?.rebuilt === flashed) return;
    flashed = mesh?.rebuilt;
    if ((flashed ?? []).length === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    void loadPart(() => import('../view/tile-flash.ts'), say).then((code) =>
      code?.flashTiles(view, store.get(), theme.palette()),
    );
  });
}

/** The elements that `loadOnDemand` fills. */
export function createOnDemandElements(): { legend: HTMLElement; importing: HTMLDetailsElement } {
  return {
    legend: h('section', { class: 'legend', 'aria-label': 'Areas', hidden: true }),
    importing: h('details', { class: 'settings-group', hidden: true }, h('summary', {}, 'Import')),
  };
}
