/** The nearest wall. */
import { findDistanceToWall, findNearest, getWallSegments } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { row } from '../dom/dom.ts';
import { formatPoint } from '../state/format.ts';
import { createAskTool } from './ask/ask-tool.ts';
import type { AskTool } from './ask/ask-tool.ts';
import { codeCall, codeOptions, codePoint } from './ask/code.ts';
import type { ToolContext } from './tool.ts';

const NORMAL = 1.2;

export function createWallTool(context: ToolContext): AskTool {
  return createAskTool(context, {
    places: [{ id: 'at', title: 'Place', form: 'disc', initial: 'from' }],
    fields: [
      {
        kind: 'number',
        id: 'max',
        title: 'At most',
        unit: 'm',
        min: 0.5,
        max: 100,
        step: 0.5,
        initial: 20,
        help: 'Walls that are further away, seen from above, are not looked for',
      },
    ],
    ask({ mesh, places, values, filter, filterCode }, timeOf) {
      const at = places['at']!;
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
                row('At', formatPoint(wall.point)),
                row('Normal', formatPoint(wall.normal)),
                row('Wall of', `polygon ${polyIndexOf(mesh, wall.ref)}`),
              ]
            : [row('Wall', wall.status === 'none' ? `none within ${max} m` : 'there is no ground at the place')]),
          row('Found in', timeOf('wall')),
        ],
        draw(marks) {
          const { main, trouble, third, faint } = marks.colors;
          if (wall.status === 'off-mesh') return marks.cross(at, 0.4);
          const center = ground.point;
          if (wall.status === 'none') return marks.circle(center, max, faint);
          marks.circle(center, wall.distance, third);
          const segments = getWallSegments(mesh, wall.ref, { filter });
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
