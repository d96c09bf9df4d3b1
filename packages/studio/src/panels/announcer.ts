/** Announces results of bakes to screen readers, in a live region that is not seen. The result card announces its own. */
import { h } from '../dom/dom.ts';
import { plural, visible } from '../state/format.ts';
import { needsAdvice } from '../state/needs-advice.ts';
import type { StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';

export function createAnnouncer(store: Store): HTMLElement {
  const element = h('p', { class: 'unseen', role: 'status', 'data-part': 'announcer' });
  store.listen(['mesh', 'job'], (state, changed) => {
    const text = announcement(state, changed.has('mesh'));
    if (text !== undefined) element.textContent = visible(text);
  });
  return element;
}

function announcement(state: StudioState, isNewMesh: boolean): string | undefined {
  const { mesh, job } = state;
  if (job.status === 'canceled') return `${job.title} canceled.`;
  // The card in the view says what is wrong.
  if (job.status === 'running' || needsAdvice(state)) return undefined;
  if (!isNewMesh || mesh === undefined) return undefined;
  const { report, navMesh } = mesh;
  if (report === undefined) return `Opened a mesh with ${plural(navMesh.polyCount, 'polygon')}.`;
  const warnings = report.warnings.length;
  return `Baked ${plural(report.counts.polygons, 'polygon')}${warnings > 0 ? `, ${plural(warnings, 'warning')}` : ''}.`;
}
