/** The nearest tool: the nearest point of the walkable surface, within a box. */
import { findNearest, getArea, getFlags } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { defaultHalfExtents } from 'navkiln/kernel';
import { flagsText } from '../state/areas.ts';
import { row } from '../dom/dom.ts';
import { formatPoint } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import { codeCall, codeOptions, codePoint } from './query/code.ts';
import type { QueryTool } from './query/kind.ts';
import { rounded } from './query/points.ts';
import { createQueryTool } from './query/query-tool.ts';
import type { ToolContext } from './tool.ts';

/** Returns rows about a polygon (dense index). */
export function polyRows(mesh: NavMesh, poly: number, ref: number): HTMLElement[] {
  const area = getArea(mesh, ref as never);
  const flags = getFlags(mesh, ref as never);
  const rows = [row('Polygon', `${poly}, area ${area}, flags ${flagsText(flags ?? 0)}`)];
  if (mesh.tileSize > 0) {
    const slot = mesh.polyTile[poly];
    rows.push(row('Tile', `${mesh.tileX[slot]}, ${mesh.tileZ[slot]}`));
  }
  return rows;
}

export function createNearestTool(context: ToolContext): QueryTool {
  return createQueryTool(context, {
    points: [{ id: 'at', title: 'Point', form: 'disc', initial: 'from' }],
    fields: [
      {
        kind: 'number',
        id: 'above',
        title: 'Raised by',
        unit: 'm',
        min: -5,
        max: 5,
        step: 0.1,
        initial: 0,
        help: 'Height of the query point above the point that you drag',
      },
      {
        kind: 'choice',
        id: 'reach',
        title: 'Search in',
        initial: 'default',
        choices: [
          ['default', 'the default box'],
          ['box', 'a box of this half size'],
          ['everywhere', 'the whole mesh'],
        ],
      },
      {
        kind: 'number',
        id: 'size',
        title: 'Half size',
        unit: 'm',
        min: 0.1,
        max: 50,
        step: 0.1,
        initial: 2,
        when: ['reach', 'box'],
      },
    ],
    query({ mesh, points, values, filter, filterCode }, timeOf) {
      const [x, y, z] = points['at']!;
      const from: Vec3 = rounded([x, y + (values['above'] as number), z]);
      const half = new Float64Array(3);
      defaultHalfExtents(half, mesh);
      if (values['reach'] === 'box') half.fill(values['size'] as number);
      const isEverywhere = values['reach'] === 'everywhere';
      const halfExtents = isEverywhere ? Infinity : values['reach'] === 'box' ? (values['size'] as number) : undefined;
      const run = (): ReturnType<typeof findNearest> => findNearest(mesh, from, { filter, halfExtents });
      const found = run();
      const options = codeOptions([
        filterCode === '' ? undefined : ['filter', undefined],
        halfExtents === undefined ? undefined : ['halfExtents', String(halfExtents)],
      ]);
      return {
        rows: found.found
          ? [
              row('Nearest', formatPoint(found.point)),
              row('Distance', `${found.distance.toFixed(3)} m`),
              row('Point is', found.isOver ? 'above or below the polygon' : 'beside the polygon'),
              ...polyRows(mesh, found.poly, found.ref),
              row('Time', timeOf('nearest')),
            ]
          : [row('Nearest', 'no surface in the box'), row('Time', timeOf('nearest'))],
        draw(marks) {
          if (!isEverywhere) marks.box(from, [half[0], half[1], half[2]], marks.colors.faint);
          marks.segments([[x, y, z], from], marks.colors.faint, { width: 2 });
          marks.dots([from], marks.colors.third, 5);
          if (!found.found) return marks.cross(from, 0.4);
          marks.polys(mesh, [found.poly], marks.colors.third, 150);
          marks.line([from, found.point], marks.colors.main);
          marks.dots([found.point], marks.colors.main, 6);
        },
        code: {
          names: ['findNearest'],
          lines: [`const nearest = ${codeCall('findNearest', codePoint(from), options)};`],
        },
        runs: new Map([['nearest', run]]),
      };
    },
  });
}
