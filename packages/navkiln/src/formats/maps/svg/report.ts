/**
 * Reports what a picture has that did not become a part of the map: shapes without a mark, hidden shapes, lines, scripts, images
 * and other files; and guesses about what is floor.
 *
 * Cost: linear in the shapes.
 * Based on: own.
 */
import { plural } from '../../../base/data/plural.ts';
import { fail, show, warn } from '../json-source.ts';
import { areaOf } from '../rings.ts';
import { boundsOf } from './fill.ts';
import type { SvgLists, SvgReader, SvgRole, SvgShape } from './types.ts';

/** Layers that a message lists at most. */
const MAX_LISTED = 8;
/** Share of the box around the walls below which floor that nothing marks is reported. */
const SMALL_FLOOR = 0.25;

/** Fails when the options list a name that the picture does not have. */
export function checkNames({ source, walls, ignore, walkable, names }: SvgReader): void {
  for (const [option, listed] of Object.entries({ walls, ignore, walkable })) {
    for (const name of listed) {
      if (names.has(name)) continue;
      const known = [...names].slice(0, MAX_LISTED).map((one) => show(one));
      const list = known.length === 0 ? 'it has no labels, ids and classes' : `its names are ${known.join(', ')}`;
      fail(source, '', `has nothing with the name ${show(name)}, which the option ${option} lists; ${list}`);
    }
  }
}

/** Warns of shapes that are neither floor nor walls, of lines without an area, and of pictures without any mark. */
export function reportRoles(
  { source, shapes }: SvgReader,
  roles: readonly (SvgRole | 'left')[],
  lines: readonly SvgShape[],
): void {
  const zones = shapes.filter((_, k) => roles[k] === 'zone');
  const left = shapes.filter((_, k) => roles[k] === 'left');
  if (zones.length > 0) {
    const message = `${zones.length} shapes are marks by their names and neither floor nor walls: ${listLayers(zones)}; ${remedyFor(zones)}`;
    warn(source, 'objects-not-walls', '', message);
  }
  if (left.length > 0) {
    const message = `${left.length} shapes have no mark, and others are marked as floor, so they are left out: ${listLayers(left)}; ${remedyFor(left)}`;
    warn(source, 'not-selected', '', message);
  }
  if (lines.length > 0) {
    const remedy =
      'close them, or name them in the option walls (--map-walls NAME), which makes walls as wide as their stroke';
    warn(
      source,
      'not-an-area',
      '',
      `${lines.length} open lines have no area and are left out: ${listLayers(lines)}; ${remedy}`,
    );
  }
  const others = shapes.filter((shape) => !lines.includes(shape));
  if (others.length > 1 && shapes.every(({ mark }) => mark === undefined)) {
    const remedy = 'name groups of walls in the option walls (--map-walls NAME), or call them "walls"';
    const message = `nothing is marked, so all ${others.length} closed shapes are floor and nothing blocks: ${listLayers(others)}; ${remedy}`;
    warn(source, 'floor-guessed', '', message);
  }
  const merged = source.warnings;
  for (const [code, list] of [
    ['objects-not-walls', zones],
    ['not-selected', left],
    ['not-an-area', lines],
  ] as const) {
    const one = merged.get(code);
    if (one !== undefined) one.count = list.length;
  }
}

/** Warns of hidden shapes, damaged paths, and content that is no shape. */
export function reportLeftOut({ source, hidden, ignored, damaged }: SvgReader): void {
  if (hidden.size > 0) {
    const total = sumOf(hidden);
    const [first] = [...hidden.keys()].filter((name) => name !== '');
    const remedy =
      first === undefined
        ? 'show them, or give them names and list these in the option walls or walkable'
        : `walls: [${show(first)}] (--map-walls ${quoted(first)}) or walkable (--map-floor) reads them`;
    warn(
      source,
      'hidden-shapes',
      '',
      `${plural(total, 'hidden shape')} ${total === 1 ? 'is' : 'are'} left out: ${listCounts(hidden, 'layer ')}; ${remedy}`,
    );
    source.warnings.get('hidden-shapes')!.count = total;
  }
  if (damaged > 0) {
    warn(
      source,
      'path-damaged',
      '',
      `${plural(damaged, 'path')} ${damaged === 1 ? 'ends' : 'end'} with data that cannot be read; what precedes it is drawn, as in browsers`,
    );
    source.warnings.get('path-damaged')!.count = damaged;
  }
  if (ignored.size > 0) {
    const total = sumOf(ignored);
    const remedy = ignored.has('texts') || ignored.has('images') ? '; convert to paths what belongs to the map' : '';
    warn(
      source,
      'content-ignored',
      '',
      `${plural(total, 'part')} of the picture ${total === 1 ? 'is' : 'are'} left out: ${listOf(ignored)}${remedy}`,
    );
    source.warnings.get('content-ignored')!.count = total;
  }
}

/** Returns kinds with their counts. */
export function listOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([kind, count]) => `${kind} (${count})`).join(', ');
}

/** Warns of closed shapes that are floor without a mark, where walls are marked and enclose much more. */
export function reportSmallFloor(
  { source, shapes }: SvgReader,
  roles: readonly (SvgRole | 'left')[],
  { polygons, obstacles }: SvgLists,
): void {
  const floors = shapes.filter(({ mark }, k) => mark === undefined && roles[k] === 'floor');
  if (floors.length === 0 || !roles.includes('wall') || obstacles.length === 0) return;
  const [minX, minY, maxX, maxY] = boundsOf(obstacles);
  const box = (maxX - minX) * (maxY - minY);
  const area = polygons.reduce((sum, { outline }) => sum + areaOf(outline), 0);
  if (!(area < SMALL_FLOOR * box)) return;
  const share = Math.round((1000 * area) / box) / 10;
  const what = `only ${plural(floors.length, 'closed shape')} without a mark ${floors.length === 1 ? 'is' : 'are'} floor, ${share} % of the box around the walls`;
  const remedy =
    'draw the floor as a closed shape and name it floor, or name it in the option walkable (--map-floor NAME)';
  warn(source, 'floor-guessed', '', `${what}: ${listLayers(floors)}; ${remedy}`);
}

function listLayers(shapes: readonly SvgShape[]): string {
  const counts = new Map<string, number>();
  for (const { layer } of shapes) counts.set(layer, (counts.get(layer) ?? 0) + 1);
  return listCounts(counts, 'layer ');
}

function listCounts(counts: ReadonlyMap<string, number>, before: string): string {
  const all = [...counts].sort((a, b) => b[1] - a[1]);
  const listed = all
    .slice(0, MAX_LISTED)
    .map(([name, count]) => `${name === '' ? 'without a name' : before + show(name)} (${count})`);
  return listed.join(', ') + (all.length > MAX_LISTED ? `, and ${all.length - MAX_LISTED} more` : '');
}

function remedyFor(shapes: readonly SvgShape[]): string {
  const named = shapes.find(({ layer }) => layer !== '');
  if (named === undefined)
    return 'give them names, and list these in the option walls (--map-walls) or walkable (--map-floor)';
  return `walls: [${show(named.layer)}] (--map-walls ${quoted(named.layer)}) makes them walls, walkable (--map-floor) makes them floor`;
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns a name as the command line takes it. */
function quoted(name: string): string {
  return /^[\w-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
