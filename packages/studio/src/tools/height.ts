/** The height tool: the height of the surface at a point, on each floor, and its difference to the level. */
import { findPolysInBox, getHeight } from 'navkiln';
import type { PolyRef } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { row } from '../dom/dom.ts';
import { formatPoint } from '../state/format.ts';
import { boundsOf } from '../state/state.ts';
import type { Vec3 } from '../state/state.ts';
import { polyRows } from './nearest.ts';
import { codePoint } from './query/code.ts';
import type { QueryTool } from './query/kind.ts';
import { createQueryTool } from './query/query-tool.ts';
import type { ToolContext } from './tool.ts';

interface Floor {
  ref: PolyRef;
  height: number;
}

export function createHeightTool(context: ToolContext): QueryTool {
  const { picking } = context;
  return createQueryTool(context, {
    points: [{ id: 'at', title: 'Point', form: 'disc', initial: 'from' }],
    fields: [],
    hasFilter: false,
    query({ mesh, state, points }, timeOf) {
      const at = points['at']!;
      const [x, y, z] = at;
      const box = boundsOf(state) ?? { min: at, max: at };
      const middle: Vec3 = [x, (box.min[1] + box.max[1]) / 2, z];
      const half: Vec3 = [1e-3, (box.max[1] - box.min[1]) / 2 + mesh.agent.height, 1e-3];
      const floors = findPolysInBox(mesh, middle, half)
        .flatMap((ref): Floor[] => {
          const height = getHeight(mesh, ref, x, z);
          return height === null ? [] : [{ ref, height }];
        })
        .sort((a, b) => a.height - b.height);
      // Polygons that share an edge here count once.
      const apart = floors.filter(({ height }, i) => i === 0 || height - floors[i - 1].height > 1e-6);
      const nearest = [...apart].sort((a, b) => Math.abs(a.height - y) - Math.abs(b.height - y))[0];
      const levelHeight = picking.pickLevel(
        { ...state, cut: undefined },
        {
          origin: [x, (nearest?.height ?? y) + mesh.agent.maxClimb + 0.3, z],
          direction: [0, -1, 0],
        },
      )?.point[1];
      const rows =
        nearest === undefined
          ? [row('Height', 'no surface above or below')]
          : [
              row('Height', `${nearest.height.toFixed(3)} m`),
              ...polyRows(mesh, polyIndexOf(mesh, nearest.ref), nearest.ref),
            ];
      if (nearest !== undefined && levelHeight !== undefined) {
        const difference = nearest.height - levelHeight;
        rows.push(
          row('Level', `${levelHeight.toFixed(3)} m`),
          row('Difference', `${Math.abs(difference).toFixed(3)} m ${difference < 0 ? 'lower' : 'higher'}`),
        );
      }
      if (apart.length > 1)
        rows.push(row('All floors', `${apart.map(({ height }) => height.toFixed(2)).join(', ')} m`));
      return {
        rows: nearest === undefined ? rows : [...rows, row('Time', timeOf('height'))],
        draw(marks) {
          const { main, third, faint } = marks.colors;
          if (nearest === undefined) return marks.cross(at, 0.4);
          const pointAt = (height: number): Vec3 => [x, height, z];
          marks.polys(
            mesh,
            apart.map(({ ref }) => polyIndexOf(mesh, ref)),
            third,
            140,
          );
          marks.line([pointAt(apart[0].height), pointAt(apart[apart.length - 1].height)], faint, {
            width: 2,
            isDashed: true,
            hasHalo: false,
          });
          marks.dots(
            apart.map(({ height }) => pointAt(height)),
            third,
            5,
          );
          marks.dots([pointAt(nearest.height)], main, 6);
        },
        code: {
          names: ['findNearest', 'getHeight'],
          lines: [
            `const { ref } = findNearest(navMesh, ${codePoint([x, Number((nearest?.height ?? y).toFixed(3)), z])});`,
            `const height = getHeight(navMesh, ref, ${x}, ${z});`,
          ],
        },
        runs: new Map(nearest === undefined ? [] : [['height', () => void getHeight(mesh, nearest.ref, x, z)]]),
        message:
          apart.length > 1
            ? `There are ${apart.length} floors here. The values are for the one nearest to ${formatPoint(at)}.`
            : '',
      };
    },
  });
}
