/** The tiles tool: a click bakes a tile, Shift-click removes it, and buttons do so for all tiles. */
import { h, row } from '../../dom/dom.ts';
import { formatMs, plural } from '../../state/format.ts';
import { hasTile, originOf } from '../../state/state.ts';
import type { StudioState, TileChoice, Vec3 } from '../../state/state.ts';
import type { Drawing, Lines } from '../../view/drawing.ts';
import type { Tool, ToolContext, ToolPointer } from '../tool.ts';
import { button, changeEdits } from './shared.ts';

/** Cells along a tile side that the card proposes. */
const PROPOSED_CELLS = 48;

/** The tile grid: its minimum corner, the side of a tile in world units, and the number of tiles. */
interface TileGrid {
  x: number;
  y: number;
  z: number;
  size: number;
  countX: number;
  countZ: number;
}

type TilePosition = [x: number, z: number];

export function createTilesTool(context: ToolContext): Tool {
  const { store, redraw } = context;
  const card = createCard(context);
  let hovered: TilePosition | undefined;
  const show = (): void => {
    card.show(store.get());
    redraw();
  };
  return {
    panel: card.panel,
    enter: show,
    changed: show,
    click(pointer) {
      const tile = tileAt(gridOf(store.get()), pointer);
      if (tile !== undefined) setTile(context, tile, !pointer.shift);
    },
    hover(pointer) {
      const before = hovered;
      hovered = tileAt(gridOf(store.get()), pointer);
      if (`${before}` !== `${hovered}`) redraw();
      return hovered === undefined ? undefined : 'cell';
    },
    draw: () => drawGrid(context, hovered),
    inspect: () => ({
      grid: gridOf(store.get()),
      tiles: store.get().edits.tiles,
      rebuilt: store.get().mesh?.rebuilt,
    }),
  };
}

function createCard(context: ToolContext): { panel: HTMLElement; show: (state: StudioState) => void } {
  const { store, history } = context;
  const rows = h('div', { class: 'rows' });
  const all = button('Bake all', () => changeEdits(context, 'bake all tiles', { tiles: undefined }));
  const none = button('Remove all', () =>
    changeEdits(context, 'remove all tiles', { tiles: { all: false, except: [] } }),
  );
  const divide = button('Divide into tiles', () => {
    const { mesh, settings } = store.get();
    const cell = mesh?.navMesh.cellSize ?? settings.cellSize ?? 0.2;
    history.edit('tile size', { settings: { ...settings, tileSize: Number((PROPOSED_CELLS * cell).toFixed(3)) } });
  });
  return {
    panel: h('div', { class: 'edit-panel' }, rows, h('div', { class: 'buttons' }, all, none, divide)),
    show(state) {
      const grid = gridOf(state);
      divide.hidden = grid !== undefined;
      all.hidden = none.hidden = grid === undefined;
      rows.replaceChildren(...(grid === undefined ? [row('Tiles', 'the mesh is one tile')] : rowsOf(grid, state)));
    },
  };
}

function rowsOf(grid: TileGrid, { mesh }: StudioState): HTMLElement[] {
  const { navMesh, rebuilt, report } = mesh!;
  let count = 0;
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) if (navMesh.tileState[slot] === 1) count++;
  const rows = [
    row('Tiles with polygons', `${count} of ${grid.countX} x ${grid.countZ}`),
    row('Tile size', `${grid.size.toFixed(2)} m`),
  ];
  if (rebuilt !== undefined) {
    rows.push(row('Last edit', `${plural(rebuilt.length, 'tile')} in ${formatMs(report!.totalMs)}`));
  }
  return rows;
}

/** Returns the tile grid, or undefined when the mesh is not tiled. */
function gridOf({ mesh }: StudioState): TileGrid | undefined {
  const config = mesh?.report !== undefined && 'tileCells' in mesh.report.config ? mesh.report.config : undefined;
  if (mesh === undefined || config === undefined || config.tileCells === 0) return undefined;
  const [x, y, z] = mesh.navMesh.origin;
  const { tileCells, cellSize, tileCountX, tileCountZ } = config;
  return { x: x!, y: y!, z: z!, size: tileCells * cellSize, countX: tileCountX, countZ: tileCountZ };
}

/** Returns the tile under the pointer: on the level, or on the base of the grid where there is no level. */
function tileAt(grid: TileGrid | undefined, pointer: ToolPointer): TilePosition | undefined {
  const point = grid === undefined ? undefined : (pointer.hit()?.point ?? onPlane(pointer, grid.y));
  if (grid === undefined || point === undefined) return undefined;
  const x = Math.floor((point[0] - grid.x) / grid.size);
  const z = Math.floor((point[2] - grid.z) / grid.size);
  return x >= 0 && x < grid.countX && z >= 0 && z < grid.countZ ? [x, z] : undefined;
}

/** Returns the point at which the ray of the pointer meets a horizontal plane. */
function onPlane(pointer: ToolPointer, y: number): Vec3 | undefined {
  const { origin, direction } = pointer.ray();
  const distance = (y - origin[1]) / direction[1];
  if (!(distance > 0 && Number.isFinite(distance))) return undefined;
  return [origin[0] + distance * direction[0], y, origin[2] + distance * direction[2]];
}

/** Adds or removes a tile. */
function setTile(context: ToolContext, [x, z]: TilePosition, isWanted: boolean): void {
  const tiles = context.store.get().edits.tiles ?? { all: true, except: [] };
  if (hasTile(tiles, x, z) === isWanted) return;
  const name = isWanted ? `bake tile ${x}, ${z}` : `remove tile ${x}, ${z}`;
  changeEdits(context, name, { tiles: toggled(tiles, x, z) });
}

function toggled({ all, except }: TileChoice, x: number, z: number): TileChoice | undefined {
  const rest = except.filter((tile) => tile[0] !== x || tile[1] !== z);
  const next: TileChoice = { all, except: rest.length < except.length ? rest : [...except, [x, z]] };
  return next.all && next.except.length === 0 ? undefined : next;
}

/** Draws the grid, the tiles that the last edit rebuilt, and the tile under the pointer. */
function drawGrid({ store, palette }: ToolContext, hovered: TilePosition | undefined): Drawing[] {
  const grid = gridOf(store.get());
  if (grid === undefined) return [];
  const origin = originOf(store.get());
  const { portal, path } = palette();
  const corner = (x: number, z: number): number[] => [
    grid.x + x * grid.size - origin[0],
    grid.y - origin[1],
    grid.z + z * grid.size - origin[2],
  ];
  const square = ([x, z]: readonly [number, number]): number[] => {
    const ring = [corner(x, z), corner(x + 1, z), corner(x + 1, z + 1), corner(x, z + 1)];
    return ring.flatMap((point, i) => [...point, ...ring[(i + 1) % 4]]);
  };
  const lines: number[] = [];
  for (let x = 0; x <= grid.countX; x++) lines.push(...corner(x, 0), ...corner(x, grid.countZ));
  for (let z = 0; z <= grid.countZ; z++) lines.push(...corner(0, z), ...corner(grid.countX, z));
  const drawing = (numbers: number[], style: Partial<Lines>): Drawing => ({
    kind: 'lines',
    positions: Float32Array.from(numbers),
    color: portal,
    width: 4,
    isOnTop: true,
    ...style,
  });
  const drawings = [drawing(lines, { opacity: 0.8, width: 1.5 })];
  const rebuilt = (store.get().mesh?.rebuilt ?? []).flatMap(square);
  if (rebuilt.length > 0) drawings.push(drawing(rebuilt, { order: 1 }));
  if (hovered !== undefined) drawings.push(drawing(square(hovered), { color: path, order: 2 }));
  return drawings;
}
