/** The inspect tool: a click shows what is at a position. */
import { h, row } from '../dom/dom.ts';
import { formatPoint } from '../state/format.ts';
import { originOf } from '../state/state.ts';
import type { StudioState } from '../state/state.ts';
import type { Hit } from '../view/picking.ts';
import type { ToolKind } from './tool.ts';

export const lookTool: ToolKind = {
  id: 'look',
  title: 'Inspect',
  shortcut: 'v',
  needs: 'nothing',
  icon: 'M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  hint: 'Drag to rotate, right-drag to pan, wheel or pinch to zoom. Click a position to see what is there.',
  create({ store, redraw, palette }) {
    const panel = h('div', { class: 'rows' });
    let hit: Hit | undefined;
    const show = (): void => {
      panel.replaceChildren(...(hit === undefined ? [] : describe(store.get(), hit)));
      redraw();
    };
    return {
      panel,
      click(pointer) {
        hit = pointer.hit();
        show();
      },
      changed(_state, keys) {
        if (!keys.has('mesh') && !keys.has('level')) return;
        hit = undefined;
        show();
      },
      draw() {
        if (hit === undefined) return [];
        const origin = originOf(store.get());
        const positions = Float32Array.from(hit.point, (value, axis) => value - origin[axis as 0]);
        return [
          { kind: 'points', positions, color: palette().halo, size: 9, isOnTop: true },
          { kind: 'points', positions, color: palette().path, size: 6, isOnTop: true, order: 1 },
        ];
      },
    };
  },
};

function describe({ mesh }: StudioState, hit: Hit): HTMLElement[] {
  const rows = [row('Position', formatPoint(hit.point))];
  if (hit.on === 'ground' && mesh !== undefined) {
    const { navMesh } = mesh;
    const slot = navMesh.polyTile[hit.poly];
    rows.push(row('Polygon', `${hit.poly}, ${navMesh.polyVertexCount[hit.poly]} vertices`));
    rows.push(row('Area', String(navMesh.polyArea[hit.poly])));
    if (navMesh.tileSize > 0) rows.push(row('Tile', `${navMesh.tileX[slot]}, ${navMesh.tileZ[slot]}`));
  } else if (hit.on === 'level') rows.push(row('Triangle', String(hit.triangle)), row('Walkable', 'no'));
  else rows.push(row('Walkable', 'no'));
  return rows;
}
