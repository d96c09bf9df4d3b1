/** Draws the rings of the draw tool: lines by kind, corners as handles, the draft, the cursor and the grid. */
import type { PolygonMap } from 'navkiln/polygon';
import { boundsOf } from '../state/state.ts';
import type { Vec3 } from '../state/state.ts';
import { chain, handles, joined, localOf } from '../tools/edit/shared.ts';
import type { Drawing } from '../view/drawing.ts';
import { areaColor } from '../view/palette.ts';
import type { Palette } from '../view/palette.ts';
import { draftOf, middleAfter, shownMap } from './editor.ts';
import type { MapEditor } from './editor.ts';
import { worldOf } from './plane.ts';
import { areaAt, cornersOf, isSameRing, ringsOf } from '../state/map-shapes.ts';
import type { RingAt, RingKind } from '../state/map-shapes.ts';
import type { Point2 } from '../state/map-point.ts';

/** Grid lines that are drawn along each axis. */
const MAX_LINES = 400;
/** Corners that are drawn as handles. */
const MAX_HANDLES = 3000;
/**
 * For maps with more corners, the tool only draws the selected ring and areas; the layer of outlines has the others.
 */
const MAX_CORNERS = 100_000;

export function drawEditor(editor: MapEditor): Drawing[] {
  const { context, selected, mode, cursor, stage, live, card } = editor;
  const draft = draftOf(editor);
  const state = context.store.get();
  if (state.map === undefined) return [];
  const palette = context.palette();
  const map = shownMap(editor);
  const at = (point: Point2): Vec3 => worldOf(state, point);
  const drawings: Drawing[] = editor.isSnapping ? drawGrid(editor) : [];
  if (stage !== '') {
    const { drawings: drawn, text } = live.draw(state, map, stage, palette);
    drawings.push(...drawn);
    card.setStageText(text);
  }
  const rings: Drawing[] = [];
  let handleCount = 0;
  const isHuge = cornersOf(map) > MAX_CORNERS;
  for (const ring of ringsOf(map)) {
    if (isHuge && ring.at.kind !== 'area' && !isSameRing(ring.at, selected?.at)) continue;
    const color = ring.at.kind === 'area' ? areaColorOf(palette, map, ring.at) : colorOf(palette, ring.at.kind);
    const isSelected = isSameRing(ring.at, selected?.at);
    const points = ring.points.map(at);
    const isOff = map.layers?.[ring.at.layer]?.enabled === false;
    rings.push(...chain(context, points, color, true, isSelected ? 4 : isOff ? 1 : 2));
    if (isOff && !isSelected) continue;
    handleCount += points.length;
    if (mode === 'move' && (isSelected || handleCount <= MAX_HANDLES))
      rings.push(...handles(context, points, color, isSelected ? 6 : 4));
    if (mode === 'move' && isSelected) {
      rings.push(
        ...handles(
          context,
          ring.points.map((_, corner) => at(middleAfter(ring.points, corner))),
          color,
          3,
        ),
      );
      const corner = points[selected!.corner];
      if (corner !== undefined) rings.push(...handles(context, [corner], palette.path, 9));
    }
  }
  for (const drawing of joined(rings)) drawings.push(drawing);
  const kind = context.store.get().edits.draft?.kind ?? mode;
  if (kind === 'move') return drawings;
  const color = colorOf(palette, kind);
  drawings.push(...chain(context, draft.map(at), color, false, 3), ...handles(context, draft.map(at), color, 6));
  if (mode === 'move') return drawings;
  if (draft.length >= 3) drawings.push(...handles(context, [at(draft[0])], palette.start, 9));
  if (cursor !== undefined) drawings.push(...drawCursor(editor, cursor, palette.path));
  return drawings;
}

function colorOf(palette: Palette, kind: RingKind): string {
  return { outline: palette.wall, hole: palette.link, obstacle: palette.portal, area: areaColor(palette, 2) }[kind];
}

/** Returns the color of an area of the mesh: areas of one name have one id, in order of their first. */
function areaColorOf(palette: Palette, map: PolygonMap, at: RingAt): string {
  const all = [...(map.areas ?? []), ...(map.layers ?? []).flatMap(({ areas = [] }) => areas)];
  const names = [...new Set(all.map(({ name }) => name))];
  return areaColor(palette, 1 + names.indexOf(areaAt(map, at)?.name ?? ''));
}

/** Draws a cross where the keyboard sets the next corner. */
function drawCursor(editor: MapEditor, [x, y]: Point2, color: string): Drawing[] {
  const { context, grid } = editor;
  const state = context.store.get();
  const at = (dx: number, dy: number): Vec3 => worldOf(state, [x + dx * grid, y + dy * grid]);
  const last = draftOf(editor).at(-1);
  return [
    ...chain(context, [at(-1, 0), at(1, 0)], color, false, 3),
    ...chain(context, [at(0, -1), at(0, 1)], color, false, 3),
    ...(last === undefined ? [] : chain(context, [worldOf(state, last), at(0, 0)], color, false, 1.5)),
  ];
}

function drawGrid({ context, grid }: MapEditor): Drawing[] {
  const state = context.store.get();
  const bounds = boundsOf(state);
  if (bounds === undefined) return [];
  const points: Vec3[] = [];
  const range = (axis: 0 | 2): [number, number] => [
    Math.floor(bounds.min[axis] / grid) - 2,
    Math.ceil(bounds.max[axis] / grid) + 2,
  ];
  const [[x0, x1], [z0, z1]] = [range(0), range(2)];
  if (x1 - x0 > MAX_LINES || z1 - z0 > MAX_LINES) return [];
  for (let x = x0; x <= x1; x++) points.push([x * grid, 0, z0 * grid], [x * grid, 0, z1 * grid]);
  for (let z = z0; z <= z1; z++) points.push([x0 * grid, 0, z * grid], [x1 * grid, 0, z * grid]);
  return [
    {
      kind: 'lines',
      positions: localOf(context, points),
      color: context.palette().levelEdge,
      opacity: 0.22,
      order: -1,
    },
  ];
}
