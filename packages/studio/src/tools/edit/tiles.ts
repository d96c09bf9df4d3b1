/** Tiles one by one: a click bakes one (again), Shift-click takes it away; all at once by buttons. */
import { h, row } from '../../dom/dom.ts';
import { plural } from '../../state/format.ts';
import { hasTile, originOf } from '../../state/state.ts';
import type { TileChoice, Vec3 } from '../../state/state.ts';
import type { Drawing } from '../../view/drawing.ts';
import type { Tool, ToolContext, ToolPointer } from '../tool.ts';
import { button, changeEdits } from './shared.ts';

/** Cells a side of tiles that the card proposes. */
const USUAL_CELLS = 48;

export function createTilesTool(context: ToolContext): Tool {
  const { store, history, redraw, palette } = context;
  const rows = h('div', { class: 'rows' });
  const all = button('Bake all', () => changeEdits(context, 'bake all tiles', { tiles: undefined }));
  const none = button('Remove all', () =>
    changeEdits(context, 'remove all tiles', { tiles: { all: false, except: [] } }),
  );
  const divide = button('Divide into tiles', () => {
    const { mesh, settings } = store.get();
    const cell = mesh?.navMesh.cellSize ?? settings.cellSize ?? 0.2;
    history.edit('tile size', { settings: { ...settings, tileSize: Number((USUAL_CELLS * cell).toFixed(3)) } });
  });
  const panel = h('div', { class: 'edit-panel' }, rows, h('div', { class: 'buttons' }, all, none, divide));
  let hovered: [number, number] | undefined;

  /** Where the grid begins, a tile's side, how many there are; undefined: the mesh is one tile. */
  const grid = (): { x: number; y: number; z: number; size: number; countX: number; countZ: number } | undefined => {
    const { mesh } = store.get();
    const config = mesh?.report !== undefined && 'tileCells' in mesh.report.config ? mesh.report.config : undefined;
    if (mesh === undefined || config === undefined || config.tileCells === 0) return undefined;
    const [x, y, z] = mesh.navMesh.origin;
    const { tileCells, cellSize, tileCountX, tileCountZ } = config;
    return { x: x!, y: y!, z: z!, size: tileCells * cellSize, countX: tileCountX, countZ: tileCountZ };
  };
  const tileAt = (pointer: ToolPointer): [number, number] | undefined => {
    const own = grid();
    const point = own === undefined ? undefined : (pointer.hit()?.point ?? onPlane(pointer, own.y));
    if (own === undefined || point === undefined) return undefined;
    const x = Math.floor((point[0] - own.x) / own.size),
      z = Math.floor((point[2] - own.z) / own.size);
    return x >= 0 && x < own.countX && z >= 0 && z < own.countZ ? [x, z] : undefined;
  };
  const show = (): void => {
    const own = grid();
    const { mesh } = store.get();
    divide.hidden = own !== undefined;
    all.hidden = none.hidden = own === undefined;
    if (own === undefined) rows.replaceChildren(row('tiles', 'the mesh is one tile'));
    else {
      let count = 0;
      const { navMesh, rebuilt, report } = mesh!;
      for (let slot = 0; slot < navMesh.tileSlotCount; slot++) if (navMesh.tileState[slot] === 1) count++;
      rows.replaceChildren(
        row('tiles with ground', `${count} of ${own.countX} x ${own.countZ}`),
        row('side', `${own.size.toFixed(2)} m`),
        ...(rebuilt === undefined
          ? []
          : [row('last edit', `${plural(rebuilt.length, 'tile')} in ${report!.totalMs.toFixed(0)} ms`)]),
      );
    }
    redraw();
  };
  const click = ([x, z]: [number, number], isRemoving: boolean): void => {
    const tiles = store.get().edits.tiles ?? { all: true, except: [] };
    if (hasTile(tiles, x, z) === !isRemoving) return;
    changeEdits(context, isRemoving ? `remove tile ${x}, ${z}` : `bake tile ${x}, ${z}`, {
      tiles: toggled(tiles, x, z),
    });
  };
  return {
    panel,
    enter: show,
    changed: show,
    click(pointer) {
      const tile = tileAt(pointer);
      if (tile !== undefined) click(tile, pointer.shift);
    },
    hover(pointer) {
      const before = hovered;
      hovered = tileAt(pointer);
      if (`${before}` !== `${hovered}`) redraw();
      return hovered === undefined ? undefined : 'cell';
    },
    draw() {
      const own = grid();
      if (own === undefined) return [];
      const origin = originOf(store.get());
      const { portal, path } = palette();
      const square = (x: number, z: number): number[] => {
        const corner = (dx: number, dz: number): number[] => [
          own.x + (x + dx) * own.size - origin[0],
          own.y - origin[1],
          own.z + (z + dz) * own.size - origin[2],
        ];
        const ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        return ring.flatMap((point, i) => [...point, ...ring[(i + 1) % 4]]);
      };
      const lines: number[] = [];
      for (let x = 0; x <= own.countX; x++) {
        lines.push(own.x + x * own.size - origin[0], own.y - origin[1], own.z - origin[2]);
        lines.push(own.x + x * own.size - origin[0], own.y - origin[1], own.z + own.countZ * own.size - origin[2]);
      }
      for (let z = 0; z <= own.countZ; z++) {
        lines.push(own.x - origin[0], own.y - origin[1], own.z + z * own.size - origin[2]);
        lines.push(own.x + own.countX * own.size - origin[0], own.y - origin[1], own.z + z * own.size - origin[2]);
      }
      const drawings: Drawing[] = [
        { kind: 'lines', positions: Float32Array.from(lines), color: portal, opacity: 0.8, width: 1.5, isOnTop: true },
      ];
      const { rebuilt = [] } = store.get().mesh ?? {};
      const again = rebuilt.flatMap(([x, z]) => square(x, z));
      if (again.length > 0) {
        drawings.push({
          kind: 'lines',
          positions: Float32Array.from(again),
          color: portal,
          width: 4,
          isOnTop: true,
          order: 1,
        });
      }
      if (hovered !== undefined) {
        drawings.push({
          kind: 'lines',
          positions: Float32Array.from(square(...hovered)),
          color: path,
          width: 4,
          isOnTop: true,
          order: 2,
        });
      }
      return drawings;
    },
    inspect: () => ({ grid: grid(), tiles: store.get().edits.tiles, rebuilt: store.get().mesh?.rebuilt }),
  };
}

function toggled({ all, except }: TileChoice, x: number, z: number): TileChoice | undefined {
  const rest = except.filter((one) => one[0] !== x || one[1] !== z);
  const next: TileChoice = { all, except: rest.length < except.length ? rest : [...except, [x, z]] };
  return next.all && next.except.length === 0 ? undefined : next;
}

function onPlane(pointer: ToolPointer, y: number): Vec3 | undefined {
  const { origin, direction } = pointer.ray();
  const distance = (y - origin[1]) / direction[1];
  if (!(distance > 0 && Number.isFinite(distance))) return undefined;
  return [origin[0] + distance * direction[0], y, origin[2] + distance * direction[2]];
}
