/**
 * Checks a clearance: its triangles, their neighbors, the widths of their edges.
 *
 * Cost: linear.
 * Based on: own.
 */
import { checkRecord } from '../../base/data/refuse.ts';
import { distanceOf } from './tangent.ts';
import { nextOf } from './types.ts';
import type { Clearance } from './types.ts';

/** Tolerances for the lengths of edges whose ends are rounded positions on a wall: a share, and cells. */
const SLACK = 1e-9;
const SLACK_CELLS = 1e-7;

/** Returns the defects of a clearance, one sentence for each; an empty list if it is valid. */
export function validateClearance(clearance: Clearance): string[] {
  checkRecord('validateClearance', 'clearance', clearance, 'parentWidth', 'the result of createClearance');
  const { xs, vs, vertexCount, triangleCount, corner, twin, width, parent, parentWidth, parentEdge } = clearance;
  const wrong: string[] = [];
  for (let h = 0; h < 3 * triangleCount; h++) {
    const a = corner[h];
    const b = corner[nextOf(h)];
    const c = corner[nextOf(nextOf(h))];
    if (!(a >= 0 && a < vertexCount)) {
      wrong.push(`half-edge ${h} starts at vertex ${a}`);
      continue;
    }
    const area = (xs[b] - xs[a]) * (vs[c] - vs[a]) - (vs[b] - vs[a]) * (xs[c] - xs[a]);
    if (h % 3 === 0 && !(area > 0)) wrong.push(`triangle ${h / 3} has no area`);
    const other = twin[h];
    if (other < 0) {
      if (width[h] !== 0) wrong.push(`wall ${h} has the width ${width[h]}`);
      continue;
    }
    const isPaired = twin[other] === h && corner[other] === b && corner[nextOf(other)] === a;
    if (!isPaired) wrong.push(`half-edges ${h} and ${other} are not the same edge`);
    const length = distanceOf(xs[a], vs[a], xs[b], vs[b]);
    const isWide = width[h] === width[other] && width[h] > 0 && width[h] <= length * (1 + SLACK) + SLACK_CELLS;
    if (!isWide) wrong.push(`edge ${h} has the width ${width[h]} and the length ${length}`);
  }
  for (let t = 0; t < triangleCount; t++) {
    const above = parent[t];
    if (above < 0) continue;
    if (width[parentEdge[t]] !== parentWidth[t]) wrong.push(`triangle ${t} has another width than its edge`);
    if (parent[above] >= 0 && parentWidth[above] > parentWidth[t]) wrong.push(`widths grow above triangle ${t}`);
  }
  return wrong;
}
