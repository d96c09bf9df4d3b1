/**
 * The inspect tool: the polygon under the pointer with its neighbors and an agent standing there, and on the card what
 * was clicked.
 */
import type { NavMesh } from 'navkiln';
import { h, row } from '../../dom/dom.ts';
import { flagsText, nameOfArea } from '../../state/areas.ts';
import { formatNumber, formatPoint, plural } from '../../state/format.ts';
import { originOf } from '../../state/state.ts';
import type { StudioState, Vec3 } from '../../state/state.ts';
import { createMarks } from '../../view/marks.ts';
import type { Marks } from '../../view/marks.ts';
import type { Hit } from '../../view/picking.ts';
import type { Tool, ToolContext, ToolPointer } from '../tool.ts';
import { polyCenter, polyFacts } from './facts.ts';
import type { Neighbor } from './facts.ts';

/** Neighbors that the card lists. */
const MAX_LISTED = 12;

export function createInspectTool({ store, view, redraw, palette }: ToolContext): Tool {
  const panel = h('div', { class: 'rows' });
  const label = h('div', { class: 'hover-label', 'aria-hidden': 'true', hidden: true });
  /** The position that was clicked, and the one under the pointer. */
  let hit: Hit | undefined;
  let over: Hit | undefined;
  const show = (): void => {
    panel.replaceChildren(...(hit === undefined ? [] : describe(store.get(), hit)));
    redraw();
  };
  const setOver = (next: Hit | undefined, pointer?: ToolPointer): void => {
    over = next;
    label.hidden = next === undefined || pointer === undefined;
    if (next !== undefined && pointer !== undefined) {
      label.textContent = shortText(store.get(), next);
      const stage = view.canvas.getBoundingClientRect();
      // Beside the pointer, on the side where there is more space.
      const [x, y] = [pointer.x - stage.left, pointer.y - stage.top];
      label.style.left = x < stage.width / 2 ? `${x + 18}px` : '';
      label.style.right = x < stage.width / 2 ? '' : `${stage.width - x + 18}px`;
      label.style.top = `${Math.min(stage.height - 34, y + 14)}px`;
    }
    redraw();
  };
  return {
    panel,
    enter: () => view.canvas.parentElement?.append(label),
    leave() {
      label.remove();
      over = undefined;
    },
    click(pointer) {
      hit = pointer.hit();
      if (pointer.isTouch) setOver(undefined);
      show();
    },
    hover(pointer) {
      if (pointer.isTouch) return undefined;
      const next = pointer.hit();
      if (next !== undefined || over !== undefined) setOver(next, pointer);
      return undefined;
    },
    out: () => over !== undefined && setOver(undefined),
    changed(_state, keys) {
      if (!keys.has('mesh') && !keys.has('level')) return;
      hit = over = undefined;
      label.hidden = true;
      show();
    },
    draw() {
      const { mesh } = store.get();
      const marks = createMarks(originOf(store.get()), palette());
      const shown = over ?? hit;
      if (shown?.on === 'ground' && mesh !== undefined) drawPoly(marks, mesh.navMesh, shown.poly);
      if (over?.on === 'ground' && mesh !== undefined) drawAgent(marks, mesh.navMesh, over.point);
      if (hit !== undefined) marks.dots([hit.point], palette().path, 6);
      return marks.list;
    },
    inspect: () => ({ hit, over }),
  };
}

function shortText(state: StudioState, { on, poly, triangle }: Hit): string {
  const { mesh } = state;
  if (on !== 'ground' || mesh === undefined)
    return on === 'level' ? `Triangle ${triangle}, not walkable` : 'Not walkable';
  const { navMesh } = mesh;
  const { area, neighbors } = polyFacts(navMesh, poly);
  const others = new Set(neighbors.filter((one) => one.poly >= 0).map((one) => one.poly)).size;
  return `Polygon ${poly} · ${nameOfArea(state, navMesh.polyArea[poly])} · ${formatNumber(area)} m² · ${plural(others, 'neighbor')}`;
}

function describe(state: StudioState, hit: Hit): HTMLElement[] {
  const { mesh } = state;
  const rows = [row('Position', formatPoint(hit.point))];
  if (hit.on === 'ground' && mesh !== undefined) {
    const { navMesh } = mesh;
    const { poly } = hit;
    const slot = navMesh.polyTile[poly];
    const { area, neighbors } = polyFacts(navMesh, poly);
    rows.push(row('Polygon', `${poly}, ${navMesh.polyVertexCount[poly]} vertices`));
    rows.push(row('Size', `${formatNumber(area)} m²`));
    const id = navMesh.polyArea[poly];
    rows.push(row('Area', `${nameOfArea(state, id)} (${id})`));
    rows.push(row('Flags', flagsText(navMesh.polyFlags[poly])));
    if (navMesh.tileSize > 0) rows.push(row('Tile', `${navMesh.tileX[slot]}, ${navMesh.tileZ[slot]}`));
    rows.push(h('h3', {}, 'Neighbors'), ...neighbors.slice(0, MAX_LISTED).map(neighborRow));
    if (neighbors.length > MAX_LISTED) rows.push(row('', `and ${neighbors.length - MAX_LISTED} more`));
  } else if (hit.on === 'level') rows.push(row('Triangle', String(hit.triangle)), row('Walkable', 'no'));
  else rows.push(row('Walkable', 'no'));
  return rows;
}

function neighborRow({ kind, edge, poly }: Neighbor): HTMLElement {
  const through: Readonly<Record<Neighbor['kind'], string>> = {
    wall: 'wall',
    edge: `polygon ${poly}`,
    portal: `polygon ${poly} of the next tile`,
    link: poly < 0 ? 'nothing: its other end is off the mesh' : `polygon ${poly}`,
  };
  return row(kind === 'link' ? 'Link' : `Edge ${edge}`, through[kind]);
}

/** Draws a polygon, its neighbors, and lines to them through the edges that they share. */
function drawPoly(marks: Marks, mesh: NavMesh, poly: number): void {
  const { center, corners, neighbors } = polyFacts(mesh, poly);
  const { main, second, third } = marks.colors;
  const others = neighbors.filter((one) => one.poly >= 0 && one.poly !== poly);
  marks.polys(
    mesh,
    others.map((one) => one.poly),
    second,
    70,
  );
  marks.polys(mesh, [poly], main, 130);
  marks.line([...corners, corners[0]], main, { width: 3, hasHalo: false });
  for (const { poly: other, at, kind } of others) {
    const style = { width: 2, hasHalo: false, isDashed: kind === 'link' };
    marks.line([center, at, polyCenter(mesh, other)], third, style);
  }
  marks.dots(
    others.map((one) => polyCenter(mesh, one.poly)),
    third,
    3,
    false,
  );
}

/** Draws the agent of the mesh as a capsule at a position. */
function drawAgent(marks: Marks, { agent: { radius, height } }: NavMesh, [x, y, z]: Vec3): void {
  if (!(radius > 0 && height > 0)) return;
  const style = { width: 1.5, hasHalo: false, opacity: 0.9 };
  const color = marks.colors.faint;
  const bend = Math.min(radius, height / 2);
  for (const level of [bend, height - bend]) marks.circle([x, y + level, z], radius, color, style);
  marks.circle([x, y, z], radius, color, { ...style, isDashed: true });
  for (const [dx, dz] of [
    [1, 0],
    [0, 1],
  ] as const)
    marks.line(outline(dx, dz), color, style);

  /** Returns the outline of the capsule in a vertical plane. */
  function outline(dx: number, dz: number): Vec3[] {
    const points: Vec3[] = [];
    for (let i = 0; i <= 32; i++) {
      const angle = (2 * Math.PI * i) / 32;
      const [across, up] = [radius * Math.cos(angle), bend * Math.sin(angle)];
      points.push([x + dx * across, y + (up >= 0 ? height - bend : bend) + up, z + dz * across]);
    }
    return [...points, points[0]];
  }
}
