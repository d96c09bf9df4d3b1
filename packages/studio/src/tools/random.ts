/**
 * The random tool: random points on the walkable surface, repeatable by seed: anywhere, reachable, or in a
 * circle.
 */
import { createRandom, findNearest, findRandomPoint, findRandomPointInCircle } from 'navkiln';
import type { Random, RandomPoint } from 'navkiln';
import { h, row } from '../dom/dom.ts';
import { formatCount, formatPoint } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import { codeCall, codeOptions, codePoint } from './query/code.ts';
import type { QueryTool } from './query/kind.ts';
import { createQueryTool } from './query/query-tool.ts';
import type { ToolContext } from './tool.ts';

export function createRandomTool(context: ToolContext): QueryTool {
  const tool: QueryTool = createQueryTool(context, {
    points: [{ id: 'at', title: 'Around', form: 'disc', initial: 'from' }],
    fields: [
      {
        kind: 'choice',
        id: 'where',
        title: 'Points',
        initial: 'circle',
        choices: [
          ['anywhere', 'anywhere'],
          ['reachable', 'reachable'],
          ['walk', 'within a distance of'],
          ['circle', 'within a circle of'],
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
        initial: 15,
        when: ['where', 'walk', 'circle'],
      },
      { kind: 'number', id: 'count', title: 'Count', min: 1, max: 5000, step: 1, initial: 200 },
      { kind: 'number', id: 'seed', title: 'Seed', min: 0, max: 4294967295, step: 1, initial: 1 },
    ],
    buttons: [
      h(
        'button',
        {
          class: 'button',
          onclick: () => tool.setValue('seed', ((tool.values()['seed'] as number) + 1) % 4294967296),
        },
        'Next seed',
      ),
    ],
    query({ mesh, points, values, filter, filterCode }, timeOf) {
      const at = points['at']!;
      const { where } = values;
      const size = values['size'] as number;
      const count = Math.round(values['count'] as number);
      const seed = Math.round(values['seed'] as number);
      const isCircle = where === 'circle';
      const from = where === 'anywhere' ? undefined : at;
      const maxDistance = where === 'walk' ? size : undefined;
      const findOne = (random: Random): RandomPoint =>
        isCircle
          ? findRandomPointInCircle(mesh, random, at, size, { filter })
          : findRandomPoint(mesh, random, { filter, from, maxDistance });
      const random = createRandom(seed);
      const found: Vec3[] = [];
      for (let i = 0; i < count; i++) {
        const result = findOne(random);
        if (result.found) found.push(result.point);
      }
      const ground = findNearest(mesh, at, { filter });
      const filterEntry = filterCode === '' ? undefined : (['filter', undefined] as const);
      const call = isCircle
        ? codeCall('findRandomPointInCircle', 'random', codePoint(at), String(size), codeOptions([filterEntry]))
        : codeCall(
            'findRandomPoint',
            'random',
            codeOptions([
              filterEntry,
              from === undefined ? undefined : ['from', codePoint(from)],
              maxDistance === undefined ? undefined : ['maxDistance', String(maxDistance)],
            ]),
          );
      return {
        rows: [
          row(
            'Found',
            found.length === count ? formatCount(count) : `${formatCount(found.length)} of ${formatCount(count)}`,
          ),
          ...(found.length > 0 ? [row('First', formatPoint(found[0]))] : []),
          row('Time per point', timeOf('random')),
        ],
        draw(marks) {
          if (isCircle && ground.found) marks.circle(ground.point, size, marks.colors.faint);
          marks.dots(found, marks.colors.main, 3);
        },
        code: {
          names: ['createRandom', isCircle ? 'findRandomPointInCircle' : 'findRandomPoint'],
          lines: [
            `const random = createRandom(${seed});`,
            `const points = Array.from({ length: ${count} }, () => ${call}.point);`,
          ],
        },
        runs: new Map([['random', () => findOne(random)]]),
      };
    },
  });
  return tool;
}
