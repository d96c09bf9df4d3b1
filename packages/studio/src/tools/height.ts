/** How high the ground is here: on each storey, and how far it is from the level's own floor. */
import { findPolysInBox, getHeight } from 'navkiln';
import type { PolyRef } from 'navkiln';
import { polyIndexOf } from 'navkiln/kernel';
import { row } from '../dom/dom.ts';
import { formatPoint } from '../state/format.ts';
import { boundsOf } from '../state/state.ts';
import type { Vec3 } from '../state/state.ts';
import { createAskTool } from './ask/ask-tool.ts';
import type { AskTool } from './ask/ask-tool.ts';
import { codePoint } from './ask/code.ts';
import { polyRows } from './nearest.ts';
import type { ToolContext } from './tool.ts';

interface Storey {
  ref: PolyRef;
  height: number;
}

export function createHeightTool(context: ToolContext): AskTool {
  const { picking } = context;
  return createAskTool(context, {
    places: [{ id: 'at', title: 'Place', form: 'disc', initial: 'from' }],
    fields: [],
    hasFilter: false,
    ask({ mesh, state, places }, timeOf) {
      const at = places['at']!;
      const [x, y, z] = at;
      const box = boundsOf(state) ?? { min: at, max: at };
      const middle: Vec3 = [x, (box.min[1] + box.max[1]) / 2, z];
      const half: Vec3 = [1e-3, (box.max[1] - box.min[1]) / 2 + mesh.agent.height, 1e-3];
      const storeys = findPolysInBox(mesh, middle, half)
        .flatMap((ref): Storey[] => {
          const height = getHeight(mesh, ref, x, z);
          return height === null ? [] : [{ ref, height }];
        })
        .sort((a, b) => a.height - b.height);
      // Of two polygons that meet here one is enough.
      const apart = storeys.filter(({ height }, i) => i === 0 || height - storeys[i - 1].height > 1e-6);
      const nearest = [...apart].sort((a, b) => Math.abs(a.height - y) - Math.abs(b.height - y))[0];
      const floor = picking.pickLevel(
        { ...state, cut: undefined },
        {
          origin: [x, (nearest?.height ?? y) + mesh.agent.maxClimb + 0.3, z],
          direction: [0, -1, 0],
        },
      )?.point[1];
      const rows =
        nearest === undefined
          ? [row('Ground', 'none above or below')]
          : [
              row('Height', `${nearest.height.toFixed(3)} m`),
              ...polyRows(mesh, polyIndexOf(mesh, nearest.ref), nearest.ref),
            ];
      if (nearest !== undefined && floor !== undefined) {
        const difference = nearest.height - floor;
        rows.push(
          row('The level’s floor', `${floor.toFixed(3)} m`),
          row('Ground lies', `${Math.abs(difference).toFixed(3)} m ${difference < 0 ? 'lower' : 'higher'}`),
        );
      }
      if (apart.length > 1) rows.push(row('All storeys', apart.map(({ height }) => height.toFixed(2)).join(', ')));
      return {
        rows: nearest === undefined ? rows : [...rows, row('Found in', timeOf('height'))],
        draw(marks) {
          const { main, third, faint } = marks.colors;
          if (nearest === undefined) return marks.cross(at, 0.4);
          const place = (height: number): Vec3 => [x, height, z];
          marks.polys(
            mesh,
            apart.map(({ ref }) => polyIndexOf(mesh, ref)),
            third,
            140,
          );
          marks.line([place(apart[0].height), place(apart[apart.length - 1].height)], faint, {
            width: 2,
            isDashed: true,
            hasHalo: false,
          });
          marks.dots(
            apart.map(({ height }) => place(height)),
            third,
            5,
          );
          marks.dots([place(nearest.height)], main, 6);
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
            ? `There are ${apart.length} storeys here; the one nearest to ${formatPoint(at)} is asked about.`
            : '',
      };
    },
  });
}
