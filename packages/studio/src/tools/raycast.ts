/** The raycast tool: how far an agent can walk in a straight line. */
import { raycast } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { row } from '../dom/dom.ts';
import { formatPoint, plural } from '../state/format.ts';
import { codeCall, codeOptions, codePoint } from './query/code.ts';
import type { QueryTool } from './query/kind.ts';
import { createQueryTool } from './query/query-tool.ts';
import type { ToolContext } from './tool.ts';

const STATUS = {
  reached: 'reached: there is no wall in between',
  wall: 'stopped by a wall',
  'off-mesh': 'the start is off the mesh',
  'stale-ref': 'the start polygon no longer exists',
} as const;
/** Length of the drawn normal, world units. */
const NORMAL = 1.5;

export function createRaycastTool(context: ToolContext): QueryTool {
  return createQueryTool(context, {
    points: [
      { id: 'from', title: 'Start', form: 'ring', initial: 'from' },
      { id: 'to', title: 'End', form: 'disc', initial: 'to' },
    ],
    fields: [],
    query({ mesh, points, filter, filterCode }, timeOf) {
      const [from, to] = [points['from']!, points['to']!];
      const hit = raycast(mesh, from, to, { filter, withCost: true, withPolys: true });
      const polys = hit.polys.map((ref) => polyIndexOf(mesh, ref));
      const rows = [row('Result', STATUS[hit.status])];
      if (hit.status !== 'off-mesh') {
        const length = hit.t * Math.hypot(to[0] - from[0], to[2] - from[2]);
        rows.push(
          row('Free distance', `${length.toFixed(2)} m, ${(100 * hit.t).toFixed(1)} %`),
          row('End point', formatPoint(hit.point)),
          row('Crossed', plural(polys.length, 'polygon')),
          row('Cost', hit.cost.toFixed(2)),
        );
      }
      if (hit.status === 'wall') {
        rows.push(
          row('Wall', `edge ${hit.edge} of polygon ${polyIndexOf(mesh, hit.ref)}`),
          row('Normal', formatPoint(hit.normal)),
        );
      }
      const options = codeOptions([
        filterCode === '' ? undefined : ['filter', undefined],
        ['withCost', 'true'],
        ['withPolys', 'true'],
      ]);
      return {
        rows: [...rows, row('Time', timeOf('raycast'))],
        draw(marks) {
          const { main, trouble, faint, third } = marks.colors;
          if (hit.status === 'off-mesh') return marks.cross(from, 0.4);
          marks.polys(mesh, polys, third, 110);
          marks.line([from, hit.point], main);
          if (hit.status === 'reached') return;
          marks.line([hit.point, to], faint, { width: 2, isDashed: true });
          marks.dots([hit.point], trouble, 6);
          const [x, y, z] = hit.point;
          if (hit.edge < 0) return;
          marks.arrow([x, y, z], [x + NORMAL * hit.normal[0], y, z + NORMAL * hit.normal[2]], trouble);
        },
        code: {
          names: ['raycast'],
          lines: [`const hit = ${codeCall('raycast', codePoint(from), codePoint(to), options)};`],
        },
        runs: new Map([['raycast', () => raycast(mesh, from, to, { filter })]]),
      };
    },
  });
}
