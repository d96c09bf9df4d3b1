/** The wall tool: the nearest wall of a point. */
import { findDistanceToWall, findNearest, getWallSegments } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { row } from '../dom/dom.ts';
import { formatPoint } from '../state/format.ts';
import { codeCall, codeOptions, codePoint } from './query/code.ts';
import type { QueryTool } from './query/kind.ts';
import { createQueryTool } from './query/query-tool.ts';
import type { ToolContext } from './tool.ts';

/** Length of the drawn normal, world units. */
const NORMAL = 1.2;

export function createWallTool(context: ToolContext): QueryTool {
  return createQueryTool(context, {
    points: [{ id: 'at', title: 'Point', form: 'disc', initial: 'from' }],
    fields: [
      {
        kind: 'number',
        id: 'max',
        title: 'Within',
        unit: 'm',
        min: 0.5,
        max: 100,
        step: 0.5,
        initial: 20,
        help: 'Walls farther away than this, seen from above, are ignored',
      },
    ],
    query({ mesh, points, values, filter, filterCode }, timeOf) {
      const at = points['at']!;
      const max = values['max'] as number;
      const run = (): ReturnType<typeof findDistanceToWall> => findDistanceToWall(mesh, at, max, { filter });
      const wall = run();
      const ground = findNearest(mesh, at, { filter });
      const options = codeOptions([filterCode === '' ? undefined : ['filter', undefined]]);
      return {
        rows: [
          ...(wall.status === 'found'
            ? [
                row('Distance', `${wall.distance.toFixed(3)} m`),
                row('Nearest point', formatPoint(wall.point)),
                row('Normal', formatPoint(wall.normal)),
                row('Wall of', `polygon ${polyIndexOf(mesh, wall.ref)}`),
              ]
            : [row('Wall', wall.status === 'none' ? `none within ${max} m` : 'the point is off the mesh')]),
          row('Time', timeOf('wall')),
        ],
        draw(marks) {
          const { main, trouble, third, faint } = marks.colors;
          if (wall.status === 'off-mesh') return marks.cross(at, 0.4);
          const center = ground.point;
          if (wall.status === 'none') return marks.circle(center, max, faint);
          marks.circle(center, wall.distance, third);
          const segments = getWallSegments(mesh, wall.ref, { filter }) ?? [];
          marks.segments(
            segments.flatMap(({ start, end }) => [start, end]),
            faint,
            { width: 4 },
          );
          marks.line([center, wall.point], main);
          marks.dots([wall.point], trouble, 6);
          const [x, y, z] = wall.point;
          marks.arrow([x, y, z], [x + NORMAL * wall.normal[0], y, z + NORMAL * wall.normal[2]], trouble);
        },
        code: {
          names: ['findDistanceToWall'],
          lines: [`const wall = ${codeCall('findDistanceToWall', codePoint(at), String(max), options)};`],
        },
        runs: new Map([['wall', run]]),
      };
    },
  });
}
