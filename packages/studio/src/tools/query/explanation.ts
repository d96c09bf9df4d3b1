/**
 * Finds and draws why a path is not complete: the gap, the polygon or link that the filter blocks, or an end that is
 * off the mesh.
 */
import { explainPath } from 'navkiln';
import type { NavMesh, PathExplanation, QueryFilter } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { inPanelWords } from '../../state/settings.ts';
import type { Vec3 } from '../../state/state.ts';
import type { Marks } from '../../view/marks.ts';
import { h } from '../../dom/dom.ts';
import type { Answer } from '../../bake/protocol.ts';
import type { ToolContext } from '../tool.ts';
import type { Points } from './kind.ts';
import { isMapMesh } from './map-path.ts';

/** Half size of crosses, world units. */
const CROSS = 0.4;

/** Explains a path as `findPath` finds it on a level, or `findPath2d` on a 2D map. */
export function explain(mesh: NavMesh, from: Vec3, to: Vec3, filter: QueryFilter | undefined): PathExplanation {
  return explainPath(mesh, from, to, { filter, ...(isMapMesh(mesh) ? { halfExtents: Infinity } : {}) });
}

export function drawExplanation(marks: Marks, mesh: NavMesh, why: PathExplanation, points: Points): void {
  const { trouble } = marks.colors;
  const { gap, block } = why;
  if (gap !== null) {
    marks.line([gap.from, gap.to], trouble, { width: 5, order: 6 });
    marks.dots([gap.from, gap.to], trouble, 6);
    const center = [0, 1, 2].map((axis) => (gap.from[axis as 0] + gap.to[axis as 0]) / 2) as [number, number, number];
    marks.cross(center, CROSS);
  }
  if (block !== null) {
    const poly = polyIndexOf(mesh, block.ref);
    if (poly >= 0) marks.polys(mesh, [poly], trouble, 190);
    marks.cross(block.point, CROSS);
  }
  for (const [id, end] of [
    ['from', why.start],
    ['to', why.end],
  ] as const) {
    const point = points[id];
    if (end.isOnMesh || point === undefined) continue;
    marks.cross(point, CROSS);
    if (end.nearest === null) continue;
    marks.line([point, end.nearest], trouble, { width: 3, isDashed: true, order: 6 });
    marks.dots([end.nearest], trouble, 5);
  }
}

type Limits = Extract<Answer, { kind: 'limits' }>['explanation'];

/** Fills `element` with a button that asks which limit of the agent closes the route, and with the answer. */
export function createLimits(
  { ask, redraw, store }: ToolContext,
  element: HTMLElement,
): { show: (mesh: NavMesh, why: PathExplanation, key: string) => void; draw: (marks: Marks) => void } {
  const text = h('p', { class: 'query-limits', 'aria-live': 'polite' });
  const title = 'Bakes the level with other radii, heights, climbs and slopes, to find which of them closes the route';
  const button = h('button', { class: 'button', title, onclick: () => void find() }, 'Find the limit');
  element.replaceChildren(button, text);
  let shown = '';
  let gap: PathExplanation['gap'] = null;
  let mesh: NavMesh | undefined;
  let found: Limits | undefined;
  const find = async (): Promise<void> => {
    if (gap === null || mesh === undefined) return;
    const asked = shown;
    const { size, from, to } = gap;
    const { radius, height, maxClimb, maxSlopeDegrees } = mesh.sizes.find(({ name }) => name === size) ?? mesh.agent;
    text.textContent = 'Trying other limits …';
    button.disabled = true;
    const agent = { radius, height, maxClimb, maxSlopeDegrees };
    const answer = await ask({ type: 'limits', at: [...from], to: [...to], agent }, 'limits');
    button.disabled = false;
    if (asked !== shown) return;
    found = answer?.explanation;
    text.textContent = inPanelWords(found?.message ?? '');
    redraw();
  };
  return {
    show(shownMesh, why, key) {
      mesh = shownMesh;
      gap = why.gap;
      element.hidden = gap === null || why.cause !== 'gap' || mesh.cellSize === 0 || store.get().level === undefined;
      if (key === shown) return;
      shown = key;
      found = undefined;
      text.textContent = '';
    },
    draw(marks) {
      if (element.hidden) return;
      for (const { at } of found?.limits ?? []) marks.cross(at, 2 * CROSS);
    },
  };
}
