/** The ground nearest to a place, within a box. */
import { findNearest, getArea, getFlags } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { defaultHalfExtents } from 'navkiln/kernel';
import { row } from '../dom/dom.ts';
import { formatPoint } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import { createAskTool } from './ask/ask-tool.ts';
import type { AskTool } from './ask/ask-tool.ts';
import { codeCall, codeOptions, codePoint } from './ask/code.ts';
import { rounded } from './ask/places.ts';
import type { ToolContext } from './tool.ts';

/** Rows about a polygon, by dense index. */
export function polyRows(mesh: NavMesh, poly: number, ref: number): HTMLElement[] {
  const area = getArea(mesh, ref as never);
  const flags = getFlags(mesh, ref as never);
  const rows = [row('Polygon', `${poly}, area ${area}, flags 0x${(flags ?? 0).toString(16)}`)];
  if (mesh.tileSize > 0) {
    const slot = mesh.polyTile[poly];
    rows.push(row('Tile', `${mesh.tileX[slot]}, ${mesh.tileZ[slot]}`));
  }
  return rows;
}

export function createNearestTool(context: ToolContext): AskTool {
  return createAskTool(context, {
    places: [{ id: 'at', title: 'Place', form: 'disc', initial: 'from' }],
    fields: [
      {
        kind: 'number',
        id: 'above',
        title: 'Above it',
        unit: 'm',
        min: -5,
        max: 5,
        step: 0.1,
        initial: 0,
        help: 'The question is asked so far above the place that is dragged',
      },
      {
        kind: 'choice',
        id: 'reach',
        title: 'Look in',
        initial: 'default',
        choices: [
          ['default', 'the usual box'],
          ['box', 'a box of a size'],
          ['everywhere', 'all the mesh'],
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
    ask({ mesh, places, values, filter, filterCode }, timeOf) {
      const [x, y, z] = places['at']!;
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
              row('Place is', found.isOver ? 'over the polygon' : 'beside it'),
              ...polyRows(mesh, found.poly, found.ref),
              row('Found in', timeOf('nearest')),
            ]
          : [row('Nearest', 'no ground in the box'), row('Found in', timeOf('nearest'))],
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
