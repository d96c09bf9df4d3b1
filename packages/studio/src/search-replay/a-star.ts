/** The search over polygons (A*) in the player: closed and open polygons, where they are entered, and the path to the next one. */
import { row } from '../dom/dom.ts';
import { formatCount } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import type { Marks } from '../view/marks.ts';
import { CLOSED, NEXT, OPEN } from './kind.ts';
import type { SearchKind } from './kind.ts';
import { recordSearch } from './record.ts';
import { chainOf, createReplay, seekReplay } from './replay.ts';
import type { Replay } from './replay.ts';

export const showAStar: SearchKind = {
  title: 'A* over polygons',
  help: 'The search of findPath',
  nothing: 'no search: an end is off the mesh',
  legend: [
    [CLOSED, 'closed: expanded'],
    [OPEN, 'open: found; the dot is where it is entered'],
    [NEXT, 'ring: next node, with the path to it'],
  ],
  record({ mesh, from, to, options }) {
    const record = recordSearch(mesh, from, to, options);
    if (record === undefined) return undefined;
    const replay = createReplay(record);
    return {
      steps: record.steps,
      isCut: record.isCut,
      seek: (step) => seekReplay(replay, step),
      rows: () => rowsOf(replay),
      draw: (marks) => drawReplay(marks, replay),
    };
  },
};

function rowsOf({ record, step, open, closed, cost }: Replay): HTMLElement[] {
  const next = record.best[step];
  const nextName = step === record.steps && next >= 0 ? 'Arrived at' : 'Next';
  const nextText =
    next < 0
      ? 'no node is left: there is no path'
      : `polygon ${record.nodePoly.get(next)!}, cost ${cost.get(next)!.toFixed(2)}`;
  return [row('Open', formatCount(open.size)), row('Closed', formatCount(closed.size)), row(nextName, nextText)];
}

function drawReplay(marks: Marks, replay: Replay): void {
  const { colors } = marks;
  const { record, open, closed, parent, step } = replay;
  const { mesh, nodeEntry, nodePoly } = record;
  const next = record.best[step];
  const closedPolys = new Set([...closed].map((node) => nodePoly.get(node)!));
  const openPolys = [...open].map((node) => nodePoly.get(node)!).filter((poly) => !closedPolys.has(poly));
  marks.polys(mesh, closedPolys, CLOSED, 230);
  marks.polys(mesh, openPolys, OPEN, 230);
  const tree: Vec3[] = [];
  for (const [node, from] of parent) if (from >= 0) tree.push(nodeEntry.get(from)!, nodeEntry.get(node)!);
  marks.segments(tree, colors.faint, { width: 1, hasHalo: false, opacity: 0.8, order: 0 });
  marks.dots(
    [...open].map((node) => nodeEntry.get(node)!),
    colors.third,
    3.5,
    false,
  );
  const chain = chainOf(replay).map((node) => nodeEntry.get(node)!);
  if (step < record.steps || record.path.status !== 'complete') marks.line(chain, colors.main, { width: 3, order: 2 });
  if (next >= 0 && step < record.steps) {
    marks.dots([nodeEntry.get(next)!], colors.main, 8);
    marks.dots([nodeEntry.get(next)!], colors.halo, 4, false);
  }
}
