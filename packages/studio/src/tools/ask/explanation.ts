/**
 * Why a path is not complete, drawn: the gap, the ground or link that the filter closes, the way from an end
 * to the ground.
 */
import type { NavMesh, PathExplanation } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import type { Marks } from '../../view/marks.ts';
import type { Places } from './ask-tool.ts';

const CROSS = 0.4;

export function drawExplanation(marks: Marks, mesh: NavMesh, why: PathExplanation, places: Places): void {
  const { trouble } = marks.colors;
  const { gap, block } = why;
  if (gap !== null) {
    marks.line([gap.from, gap.to], trouble, { width: 5, order: 6 });
    marks.dots([gap.from, gap.to], trouble, 6);
    const middle = [0, 1, 2].map((axis) => (gap.from[axis as 0] + gap.to[axis as 0]) / 2) as [number, number, number];
    marks.cross(middle, CROSS);
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
    const place = places[id];
    if (end.isOnMesh || place === undefined) continue;
    marks.cross(place, CROSS);
    if (end.nearest === null) continue;
    marks.line([place, end.nearest], trouble, { width: 3, isDashed: true, order: 6 });
    marks.dots([end.nearest], trouble, 5);
  }
}
