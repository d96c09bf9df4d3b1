/**
 * What can be reached from a place: all, within a walk or a cost, within a circle or square, with costs as
 * colours; and the way.
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
import { createAskTool } from './ask/ask-tool.ts';
import type { AskTool, Question } from './ask/ask-tool.ts';
import { codeCall, codeOptions, codePoint } from './ask/code.ts';
import { rounded } from './ask/places.ts';
import { RAMP, rampColor } from './ask/ramp.ts';
import type { ToolContext } from './tool.ts';

interface Found {
  polys: readonly PolyRef[];
  reached: Reached | undefined;
  code: { name: string; args: string[] };
  run: () => unknown;
}

function find({ mesh, places, values, filter, filterCode }: Question): Found {
  const at = places['at']!;
  const size = values['size'] as number;
  const filterEntry = filterCode === '' ? undefined : (['filter', undefined] as const);
  const of = (name: string, args: string[], run: () => Reached): Found => {
    const reached = run();
    return { polys: reached.polys, reached, code: { name, args }, run };
  };
  const plain = codeOptions([filterEntry]);
  switch (values['how']) {
    case 'distance':
      return of('findReachable', [codePoint(at), codeOptions([filterEntry, ['maxDistance', String(size)]])], () =>
        findReachable(mesh, at, { filter, maxDistance: size }),
      );
    case 'cost':
      return of('findReachable', [codePoint(at), codeOptions([filterEntry, ['maxCost', String(size)]])], () =>
        findReachable(mesh, at, { filter, maxCost: size }),
      );
    case 'circle':
      return of('findPolysInCircle', [codePoint(at), String(size), plain], () =>
        findPolysInCircle(mesh, at, size, { filter }),
      );
    case 'square': {
      const corners = squareAround(at, size);
      return of('findPolysInShape', [`[${corners.map(codePoint).join(', ')}]`, plain], () =>
        findPolysInShape(mesh, corners, { filter }),
      );
    }
    case 'near': {
      const run = (): ReturnType<typeof findLocalNeighborhood> => findLocalNeighborhood(mesh, at, size, { filter });
      const code = { name: 'findLocalNeighborhood', args: [codePoint(at), String(size), plain] };
      return { polys: run().polys, reached: undefined, code, run };
    }
    default:
      return of('findReachable', [codePoint(at), plain], () => findReachable(mesh, at, { filter }));
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

export function createReachTool(context: ToolContext): AskTool {
  return createAskTool(context, {
    places: [
      { id: 'at', title: 'From', form: 'ring', initial: 'from' },
      { id: 'to', title: 'Way to', form: 'disc', initial: 'none' },
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
          ['distance', 'within a walk of'],
          ['cost', 'within a cost of'],
          ['circle', 'within a circle of'],
          ['square', 'within a square of half'],
          ['near', 'neighbours within'],
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
    ask(question, timeOf) {
      const { mesh, places, values, filter } = question;
      const at = places['at']!;
      const size = values['size'] as number;
      const { polys, reached, code, run } = find(question);
      const dense = polys.map((ref) => polyIndexOf(mesh, ref));
      const costs = reached?.costs ?? new Float64Array(polys.length);
      const most = reached === undefined ? 0 : costs.length === 0 ? 0 : costs[costs.length - 1];
      const share = new Map(dense.map((poly, i) => [poly, most > 0 ? costs[i] / most : 0]));
      const unit = values['how'] === 'distance' ? ' m' : '';
      const rows = [row('Reached', `${formatCount(polys.length)} of ${formatCount(mesh.polyCount)} polygons`)];
      if (reached !== undefined && polys.length > 0) rows.push(row('Furthest', `${most.toFixed(2)}${unit}`));
      const start = findNearest(mesh, at, { filter });
      const lines = [`const reached = ${codeCall(code.name, ...code.args)};`];
      const names = [code.name];
      let way: readonly Vec3[] = [];
      let target: Vec3 | undefined;
      if (places['to'] !== undefined && reached !== undefined) {
        const to = findNearest(mesh, places['to'], { filter });
        target = to.found ? to.point : places['to'];
        const path = to.found ? pathTo(mesh, reached, to.ref, to.point) : undefined;
        way = path?.points ?? [];
        rows.push(
          row('Way there', path?.status === 'complete' ? `cost ${path.cost.toFixed(2)} to its polygon` : 'not reached'),
        );
        names.push('pathTo', 'findNearest');
        lines.push(
          `const to = findNearest(navMesh, ${codePoint(places['to'])});`,
          'const way = pathTo(navMesh, reached, to.ref, to.point);',
        );
      }
      const legend =
        reached === undefined || most === 0
          ? undefined
          : h(
              'div',
              { class: 'ask-legend', 'data-part': 'legend' },
              h('div', { class: 'ask-ramp', style: `background: linear-gradient(to right, ${RAMP.join(', ')})` }),
              h(
                'div',
                { class: 'ask-ends' },
                ...[0, 0.25, 0.5, 0.75, 1].map((part) => h('span', {}, (part * most).toFixed(most < 10 ? 1 : 0))),
              ),
              h(
                'span',
                {},
                unit === '' ? 'Cost to where a polygon is entered' : 'Metres to where a polygon is entered',
              ),
            );
      return {
        rows: [...rows, row('Found in', timeOf('reach'))],
        legend,
        draw(marks) {
          const { faint, main, third } = marks.colors;
          if (!start.found) return marks.cross(at, 0.4);
          if (reached === undefined) marks.polys(mesh, dense, third, 170);
          else marks.polys(mesh, dense, (poly) => rampColor(share.get(poly)!), 225);
          if (values['how'] === 'circle' || values['how'] === 'near') marks.circle(start.point, size, faint);
          if (values['how'] === 'square') {
            const corners = squareAround(start.point, size);
            marks.line([...corners, corners[0]], faint, { width: 2 });
          }
          marks.line(way, main);
          if (target !== undefined && way.length === 0) marks.cross(target, 0.4);
        },
        code: { names, lines },
        runs: new Map([['reach', run]]),
      };
    },
  });
}
