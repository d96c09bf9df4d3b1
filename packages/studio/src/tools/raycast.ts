/** How far one can walk straight. */
import { raycast } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { row } from '../dom/dom.ts';
import { formatPoint, plural } from '../state/format.ts';
import { createAskTool } from './ask/ask-tool.ts';
import type { AskTool } from './ask/ask-tool.ts';
import { codeCall, codeOptions, codePoint } from './ask/code.ts';
import type { ToolContext } from './tool.ts';

const STATUS = {
  reached: 'reached: nothing is in between',
  wall: 'a wall is in between',
  'off-mesh': 'the start is off the mesh',
  'stale-ref': 'the start polygon no longer exists',
} as const;
/** The normal is drawn so long, world units. */
const NORMAL = 1.5;

export function createRaycastTool(context: ToolContext): AskTool {
  return createAskTool(context, {
    places: [
      { id: 'from', title: 'Start', form: 'ring', initial: 'from' },
      { id: 'to', title: 'End', form: 'disc', initial: 'to' },
    ],
    fields: [],
    ask({ mesh, places, filter, filterCode }, timeOf) {
      const [from, to] = [places['from']!, places['to']!];
      const hit = raycast(mesh, from, to, { filter, withCost: true, withPolys: true });
      const polys = hit.polys.map((ref) => polyIndexOf(mesh, ref));
      const rows = [row('Answer', STATUS[hit.status])];
      if (hit.status !== 'off-mesh') {
        const length = hit.t * Math.hypot(to[0] - from[0], to[2] - from[2]);
        rows.push(
          row('Free', `${length.toFixed(2)} m, ${(100 * hit.t).toFixed(1)} % of the way`),
          row('Ends at', formatPoint(hit.point)),
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
        rows: [...rows, row('Found in', timeOf('raycast'))],
        draw(marks) {
          const { main, trouble, faint, third } = marks.colors;
          if (hit.status === 'off-mesh') return marks.cross(from, 0.4);
          marks.polys(mesh, polys, third, 110);
          marks.line([from, hit.point], main);
          if (hit.status === 'reached') return;
          marks.line([hit.point, to], faint, { width: 2, isDashed: true });
          marks.dots([hit.point], trouble, 6);
          const [x, y, z] = hit.point;
          if (hit.edge >= 0)
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
