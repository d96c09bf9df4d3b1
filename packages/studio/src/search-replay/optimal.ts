/**
 * The search for a shortest path in the player: parts of edges that are visible from a corner, the sector in which the next one is seen,
 * and the corners before it.
 */
import { recordOptimalSearch } from 'navkiln/debug';
import type { OptimalSearchRecord } from 'navkiln/debug';
import { row } from '../dom/dom.ts';
import { formatCount } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import type { Marks } from '../view/marks.ts';
import { CLOSED, NEXT, OPEN } from './kind.ts';
import type { SearchKind } from './kind.ts';

export const showOptimal: SearchKind = {
  title: 'Shortest path',
  help: 'The search of findOptimalPath',
  nothing: 'no search: an end is off the mesh, or areas have different costs',
  legend: [
    [CLOSED, 'expanded: parts of edges that were seen from a corner'],
    [OPEN, 'found, and kept for later'],
    [NEXT, 'next: the sector in which it is seen, and the corners before it'],
  ],
  record({ mesh, from, to, options }) {
    const record = recordOptimalSearch(mesh, from, to, options);
    if (record === undefined) return undefined;
    let step = 0;
    return {
      steps: record.order.length,
      isCut: record.isCut,
      seek: (wanted) => void (step = wanted),
      rows: () => rowsOf(record, step),
      draw: (marks) => drawStep(marks, record, step),
    };
  },
};

/** Returns the nodes that are expanded and those that are kept for later after a number of steps. */
export function statesAt(
  { nodes, order, counts }: OptimalSearchRecord,
  step: number,
): [closed: number[], open: number[]] {
  const closed = order.slice(0, step);
  const isClosed = new Set(closed);
  const open: number[] = [];
  for (let node = 0; node < counts[step]; node++) if (nodes[node].isKept && !isClosed.has(node)) open.push(node);
  return [closed, open];
}

/** Returns the corners up to a node, the start first. */
export function cornersBefore({ nodes }: OptimalSearchRecord, node: number): Vec3[] {
  const corners: Vec3[] = [];
  for (let at = node; at >= 0; at = nodes[at].parent) {
    if (corners.at(-1) !== nodes[at].root) corners.push(nodes[at].root);
  }
  return corners.reverse();
}

function rowsOf(record: OptimalSearchRecord, step: number): HTMLElement[] {
  const { nodes, order, best, path } = record;
  const [, open] = statesAt(record, step);
  const next = order[step];
  const nextText =
    next === undefined
      ? `the path, ${path.planarLength.toFixed(2)} m seen from above`
      : `into polygon ${nodes[next].poly}, at least ${nodes[next].estimate.toFixed(2)} m`;
  return [
    row('Kept for later', formatCount(open.length)),
    row(next === undefined ? 'Found' : 'Next', path.status === 'none' ? 'no path' : nextText),
    row('Reaches the end', best[step] < 0 ? 'not yet' : 'yes'),
  ];
}

function drawStep(marks: Marks, record: OptimalSearchRecord, step: number): void {
  const { colors } = marks;
  const { nodes, order } = record;
  const [closed, open] = statesAt(record, step);
  const intervals = (chosen: readonly number[]): Vec3[] =>
    chosen.flatMap((node) => [nodes[node].right, nodes[node].left]);
  const sectors = (chosen: readonly number[]): Vec3[] =>
    chosen.flatMap((node) => {
      const { root, right, left } = nodes[node];
      return right === root ? [] : [root, right, root, left];
    });
  marks.segments(sectors(closed), colors.faint, { width: 1, hasHalo: false, opacity: 0.55, order: 0 });
  // Dark edges, so that white lines are seen on light surface.
  marks.segments(intervals([...closed, ...open]), colors.faint, { width: 7, hasHalo: false, order: 1 });
  marks.segments(intervals(closed), CLOSED, { width: 4, hasHalo: false, order: 2 });
  marks.segments(intervals(open), OPEN, { width: 4, hasHalo: false, order: 2 });
  const next = order[step];
  if (next === undefined) return;
  const { root, right, left } = nodes[next];
  marks.line(cornersBefore(record, next), colors.main, { width: 3, order: 3 });
  marks.line([root, right, left, root], colors.main, { width: 3, order: 3 });
  marks.dots([root], colors.main, 6);
}
