/**
 * The slide tool: where an agent that moves towards a point ends when it slides along walls, in one step and
 * in many.
 */
import { moveAlongSurface } from 'navkiln';
import type { NavMesh, QueryFilter } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { row } from '../dom/dom.ts';
import { formatCount, formatPoint, plural } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import { codeCall, codeOptions, codePoint } from './query/code.ts';
import type { QueryTool } from './query/kind.ts';
import { createQueryTool } from './query/query-tool.ts';
import type { ToolContext } from './tool.ts';

const STATUS = {
  reached: 'reached',
  blocked: 'blocked by walls',
  'off-mesh': 'the start is off the mesh',
  'stale-ref': 'the start polygon no longer exists',
} as const;
const MAX_STEPS = 4000;

export function createSlideTool(context: ToolContext): QueryTool {
  return createQueryTool(context, {
    points: [
      { id: 'from', title: 'Start', form: 'ring', initial: 'from' },
      { id: 'to', title: 'Towards', form: 'disc', initial: 'to' },
    ],
    fields: [
      { kind: 'switch', id: 'walk', title: 'Also in steps, like an agent', initial: true },
      {
        kind: 'number',
        id: 'step',
        title: 'Step',
        unit: 'm',
        min: 0.05,
        max: 5,
        step: 0.05,
        initial: 0.25,
        when: ['walk', true],
      },
    ],
    query({ mesh, points, values, filter, filterCode }, timeOf) {
      const [from, to] = [points['from']!, points['to']!];
      const slide = moveAlongSurface(mesh, from, to, { filter });
      const polys = slide.polys.map((ref) => polyIndexOf(mesh, ref));
      const isWalked = values['walk'] === true && slide.status !== 'off-mesh';
      const trail = isWalked ? walk(mesh, from, to, values['step'] as number, filter) : [];
      const rows = [row('Result', STATUS[slide.status])];
      if (slide.status !== 'off-mesh') {
        rows.push(
          row('End point', formatPoint(slide.point)),
          row('Remaining', `${across(slide.point, to).toFixed(2)} m`),
          row('Crossed', plural(polys.length, 'polygon')),
        );
      }
      if (trail.length > 0) {
        const last = trail[trail.length - 1];
        rows.push(
          row('Steps', formatCount(trail.length - 1)),
          row('Remaining after them', `${across(last, to).toFixed(2)} m`),
        );
      }
      const options = codeOptions([filterCode === '' ? undefined : ['filter', undefined]]);
      return {
        rows: [...rows, row('Time', timeOf('slide'))],
        draw(marks) {
          const { main, second, faint, third, halo } = marks.colors;
          if (slide.status === 'off-mesh') return marks.cross(from, 0.4);
          marks.polys(mesh, polys, third, 110);
          marks.line([from, to], faint, { width: 2, isDashed: true });
          marks.line(trail, second, { width: 4, order: 3 });
          marks.dots([slide.point], main, 7);
          marks.dots([slide.point], halo, 3, false);
        },
        code: {
          names: ['moveAlongSurface'],
          lines: [`const slide = ${codeCall('moveAlongSurface', codePoint(from), codePoint(to), options)};`],
        },
        runs: new Map([['slide', () => moveAlongSurface(mesh, from, to, { filter })]]),
      };
    },
  });
}

/** Returns the distance seen from above. */
function across(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[2] - b[2]);
}

/** Moves towards the end in steps until a step makes no progress. */
function walk(mesh: NavMesh, from: Vec3, to: Vec3, step: number, filter: QueryFilter | undefined): Vec3[] {
  const trail: Vec3[] = [];
  let at: Vec3 = from;
  for (let i = 0; i < MAX_STEPS; i++) {
    const rest = across(at, to);
    const share = rest <= step ? 1 : step / rest;
    const aim: Vec3 = [at[0] + share * (to[0] - at[0]), at[1], at[2] + share * (to[2] - at[2])];
    const next = moveAlongSurface(mesh, at, aim, { filter });
    trail.push(at);
    if (next.status === 'off-mesh' || across(next.point, at) < 1e-4) break;
    at = next.point;
    if (across(at, to) >= rest - 1e-6) break;
  }
  return trail;
}
