/**
 * The reach tool: what can be reached from a point, in total or within a distance, a cost or a shape, with
 * costs as colors, and the path to one of the polygons.
 */
import {
  findLocalNeighborhood,
  findPolysInCircle,
  findPolysInShape,
  findReachable,
  pathTo,
  findNearest,
} from 'navkiln';
import type { PolyRef, Reached } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { h, row } from '../dom/dom.ts';
import { formatCount } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import { codeCall, codeOptions, codePoint } from './query/code.ts';
import type { QueryInput, QueryTool } from './query/kind.ts';
import { rounded } from './query/points.ts';
import { createQueryTool } from './query/query-tool.ts';
import { RAMP, rampColor } from './query/ramp.ts';
import type { ToolContext } from './tool.ts';

interface Found {
  polys: readonly PolyRef[];
  reached: Reached | undefined;
  code: { name: string; args: string[] };
  run: () => unknown;
}

function find({ mesh, points, values, filter, filterCode }: QueryInput): Found {
  const at = points['at']!;
  const size = values['size'] as number;
  const filterEntry = filterCode === '' ? undefined : (['filter', undefined] as const);
  const answer = (name: string, args: string[], run: () => Reached): Found => {
    const reached = run();
    return { polys: reached.polys, reached, code: { name, args }, run };
  };
  const plain = codeOptions([filterEntry]);
  switch (values['how']) {
    case 'distance':
      return answer('findReachable', [codePoint(at), codeOptions([filterEntry, ['maxDistance', String(size)]])], () =>
        findReachable(mesh, at, { filter, maxDistance: size }),
      );
    case 'cost':
      return answer('findReachable', [codePoint(at), codeOptions([filterEntry, ['maxCost', String(size)]])], () =>
        findReachable(mesh, at, { filter, maxCost: size }),
      );
    case 'circle':
      return answer('findPolysInCircle', [codePoint(at), String(size), plain], () =>
        findPolysInCircle(mesh, at, size, { filter }),
      );
    case 'square': {
      const corners = squareAround(at, size);
      return answer('findPolysInShape', [`[${corners.map(codePoint).join(', ')}]`, plain], () =>
        findPolysInShape(mesh, corners, { filter }),
      );
    }
    case 'near': {
      const run = (): ReturnType<typeof findLocalNeighborhood> => findLocalNeighborhood(mesh, at, size, { filter });
      const code = { name: 'findLocalNeighborhood', args: [codePoint(at), String(size), plain] };
      return { polys: run().polys, reached: undefined, code, run };
    }
    default:
      return answer('findReachable', [codePoint(at), plain], () => findReachable(mesh, at, { filter }));
  }
}

function squareAround([x, y, z]: Vec3, size: number): Vec3[] {
  return (
    [
      [-1, -1],
      [-1, 1],
      [1, 1],
      [1, -1],
    ] as const
  ).map(([sx, sz]) => rounded([x + sx * size, y, z + sz * size]));
}

/** Shows which colors stand for which costs. */
function createLegend(maxCost: number, isDistance: boolean): HTMLElement {
  const labels = [0, 0.25, 0.5, 0.75, 1].map((part) => h('span', {}, (part * maxCost).toFixed(maxCost < 10 ? 1 : 0)));
  return h(
    'div',
    { class: 'query-legend', 'data-part': 'legend' },
    h('div', { class: 'query-ramp', style: `background: linear-gradient(to right, ${RAMP.join(', ')})` }),
    h('div', { class: 'query-ends' }, ...labels),
    h('span', {}, `${isDistance ? 'Distance in meters' : 'Cost'} to where a polygon is entered`),
  );
}

export function createReachTool(context: ToolContext): QueryTool {
  return createQueryTool(context, {
    points: [
      { id: 'at', title: 'From', form: 'ring', initial: 'from' },
      { id: 'to', title: 'Path to', form: 'disc', initial: 'none' },
    ],
    needed: ['at'],
    fields: [
      {
        kind: 'choice',
        id: 'how',
        title: 'Reach',
        initial: 'distance',
        choices: [
          ['all', 'everything'],
          ['distance', 'within a distance of'],
          ['cost', 'within a cost of'],
          ['circle', 'within a circle of'],
          ['square', 'within a square of half size'],
          ['near', 'neighborhood within'],
        ],
      },
      {
        kind: 'number',
        id: 'size',
        title: 'Size',
        unit: 'm',
        min: 0.5,
        max: 300,
        step: 0.5,
        initial: 25,
        when: ['how', 'distance', 'cost', 'circle', 'square', 'near'],
      },
    ],
    query(question, timeOf) {
      const { mesh, points, values, filter } = question;
      const at = points['at']!;
      const size = values['size'] as number;
      const { polys, reached, code, run } = find(question);
      const dense = polys.map((ref) => polyIndexOf(mesh, ref));
      const costs = reached?.costs ?? new Float64Array(polys.length);
      const maxCost = reached === undefined || costs.length === 0 ? 0 : costs[costs.length - 1];
      const share = new Map(dense.map((poly, i) => [poly, maxCost > 0 ? costs[i] / maxCost : 0]));
      const unit = values['how'] === 'distance' ? ' m' : '';
      const rows = [row('Reached', `${formatCount(polys.length)} of ${formatCount(mesh.polyCount)} polygons`)];
      if (reached !== undefined && polys.length > 0) rows.push(row('Farthest', `${maxCost.toFixed(2)}${unit}`));
      const start = findNearest(mesh, at, { filter });
      const lines = [`const reached = ${codeCall(code.name, ...code.args)};`];
      const names = [code.name];
      let corners: readonly Vec3[] = [];
      let target: Vec3 | undefined;
      if (points['to'] !== undefined && reached !== undefined) {
        const to = findNearest(mesh, points['to'], { filter });
        target = to.found ? to.point : points['to'];
        const path = to.found ? pathTo(mesh, reached, to.ref, to.point) : undefined;
        corners = path?.points ?? [];
        rows.push(
          row('Path', path?.status === 'complete' ? `cost ${path.cost.toFixed(2)} to its polygon` : 'not reached'),
        );
        names.push('pathTo', 'findNearest');
        lines.push(
          `const to = findNearest(navMesh, ${codePoint(points['to'])});`,
          'const path = pathTo(navMesh, reached, to.ref, to.point);',
        );
      }
      const legend = reached === undefined || maxCost === 0 ? undefined : createLegend(maxCost, unit !== '');
      return {
        rows: [...rows, row('Time', timeOf('reach'))],
        ...(legend === undefined ? {} : { legend }),
        draw(marks) {
          const { faint, main, third } = marks.colors;
          if (!start.found) return marks.cross(at, 0.4);
          if (reached === undefined) marks.polys(mesh, dense, third, 170);
          else marks.polys(mesh, dense, (poly) => rampColor(share.get(poly)!), 225);
          if (values['how'] === 'circle' || values['how'] === 'near') marks.circle(start.point, size, faint);
          if (values['how'] === 'square') {
            const square = squareAround(start.point, size);
            marks.line([...square, square[0]], faint, { width: 2 });
          }
          marks.line(corners, main);
          if (target !== undefined && corners.length === 0) marks.cross(target, 0.4);
        },
        code: { names, lines },
        runs: new Map([['reach', run]]),
      };
    },
  });
}
