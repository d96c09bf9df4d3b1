/**
 * Settings for reading the file of a 2D map: levels of a building, and what the layers of a Tiled map are taken for. Loaded with the
 * first map that has something to choose.
 */
import type { MapSettings } from 'navkiln-cli/config';
import type { LevelConnectionKind, MapLayerReport } from 'navkiln/polygon';
import { choiceField } from '../dom/fields.ts';
import type { Choice } from '../dom/fields.ts';
import { h } from '../dom/dom.ts';
import type { Say } from '../state/message.ts';
import { plural } from '../state/format.ts';
import type { History } from '../state/history.ts';
import { nameOfSource } from '../state/state.ts';
import type { MapData, MapLevels, Shell, StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { numberField } from '../tools/edit/shared.ts';
import './import-panel.css';

/** Levels and layers that the panel lists. */
const MAX_LISTED = 200;
/** Height of a level when the data have none, as in the command line. */
const LEVEL_HEIGHT = 3;

const ONE_FLOOR = 'one';
const STOREYS = 'storeys';

/** The ways to take a layer, and the setting that lists it. */
const TAKEN: readonly (readonly [list: 'walls' | 'walkable' | 'ignore' | '', title: string])[] = [
  ['', 'As marked'],
  ['walls', 'Walls'],
  ['walkable', 'Floor'],
  ['ignore', 'Left out'],
];

export function fillMapImport(element: HTMLDetailsElement, store: Store, history: History, say: Say): void {
  const change: Change = (name, map, mapLevels = store.get().edits.mapLevels) => {
    const { settings, edits } = store.get();
    if (edits.map !== undefined) say('info', 'The file is read again, without what was drawn. Undo brings that back.');
    const { map: _drawn, draft: _draft, mapLevels: _before, ...rest } = edits;
    history.edit(name, {
      settings: { ...settings, map },
      edits: { ...rest, ...(mapLevels === undefined || mapLevels === null ? {} : { mapLevels }) },
    });
  };
  const levels = createLevels(store, change);
  const layers = createLayers(store, change);
  const root = h('div', { class: 'settings-rows import' }, levels.element, layers.element);
  element.append(root);
  let opened: StudioState['source'];
  const refresh = (): void => {
    const { map, source } = store.get();
    root.hidden = map === undefined || source?.kind !== 'files';
    const { levels: found, layers: reports } = map?.choices ?? {};
    if (!root.hidden) element.hidden = found === undefined && reports === undefined && map!.levels === undefined;
    if (source !== opened && !root.hidden && !element.hidden) {
      element.open = true;
      if (found !== undefined) {
        const storeys = found.hasFloors ? 'builds them as storeys, or ' : '';
        const what = `${nameOfSource(source!)} has ${found.values.length} levels`;
        say('info', `${what}. Import in the panel (Q) ${storeys}reads one of them.`);
      }
    }
    opened = source;
    levels.refresh();
    layers.refresh();
  };
  store.listen(['source', 'map', 'settings', 'edits', 'mesh', 'shell'], refresh);
  refresh();
}

/** Changes how the file is read. `levels` null: as one floor; undefined: as before. */
type Change = (name: string, map: MapSettings, levels?: StudioState['edits']['mapLevels'] | null) => void;

interface Part {
  element: HTMLElement;
  refresh: () => void;
}

/** Creates the choice of levels, of their height, and of the one that is shown. */
function createLevels(store: Store, change: Change): Part {
  const choices = (): NonNullable<MapData['choices']>['levels'] => store.get().map?.choices?.levels;
  /** The settings without a condition on levels. */
  const plain = (): MapSettings => {
    const { where = [], ...rest } = store.get().settings.map ?? {};
    const others = where.filter((one) => !one.startsWith(`${choices()?.property}=`));
    return others.length === 0 ? rest : { ...rest, where: others };
  };
  const read = choiceField('Levels', (value) => {
    const { property, values } = choices()!;
    if (value === STOREYS) return change('levels', plain(), { property });
    const one = values[Number(value)];
    const where = [...(plain().where ?? []), `${property}=${one}`];
    change('levels', value === ONE_FLOOR ? plain() : { ...plain(), where }, null);
  });
  const height = numberField('Level height', 'm', LEVEL_HEIGHT, { min: 0.01, step: 0.5 }, (levelHeight) => {
    const { property } = store.get().edits.mapLevels ?? {};
    change('level height', plain(), { ...(property === undefined ? {} : { property }), levelHeight });
  });
  /** The index of the level that is shown; -1: all. */
  let floor = -1;
  const show = choiceField('Show', (value) => {
    floor = Number(value);
    store.update({ shell: shellOf(store.get(), floor) });
  });
  const note = h('p', { class: 'hint', 'data-part': 'levels-note' });
  const element = h('div', {}, read.element, height.element, show.element, note);
  let shown: MapLevels | undefined;
  return {
    element,
    refresh() {
      const { map, settings, edits, mesh, shell } = store.get();
      const found = choices();
      element.hidden = found === undefined && map?.levels === undefined;
      if (element.hidden || map === undefined) return;
      const { property, values, hasFloors } = found ?? { property: '', values: [], hasFloors: true };
      const options: Choice[] = [[ONE_FLOOR, 'As one floor']];
      if (hasFloors) options.push([STOREYS, 'As storeys']);
      values.slice(0, MAX_LISTED).forEach((value, i) => options.push([String(i), `Only ${property} ${value}`]));
      const one = values.findIndex((value) => settings.map?.where?.includes(`${property}=${value}`) === true);
      read.set(options, edits.mapLevels !== undefined ? STOREYS : one < 0 ? ONE_FLOOR : String(one));
      const { levels } = map;
      height.element.hidden = show.element.hidden = levels === undefined;
      note.textContent = levels === undefined ? '' : noteOf(levels);
      if (levels !== shown) floor = -1;
      shown = levels;
      if (levels === undefined) return;
      height.set(edits.mapLevels?.levelHeight ?? heightOf(levels));
      const names = map.map.layers!.map(({ name }, i): Choice => [String(i), `Level ${name}`]);
      show.set([['-1', 'All, stacked'], ...names.reverse()], String(floor));
      // A new mesh has the same levels.
      if (mesh !== undefined && floor >= 0 && shell?.mesh !== mesh.id)
        store.update({ shell: shellOf(store.get(), floor) });
    },
  };
}

/** Returns the least distance between levels. */
function heightOf({ heights }: MapLevels): number {
  const sorted = [...heights].sort((a, b) => a - b);
  const least = sorted.reduce(
    (step, value, i) => (value > sorted[i - 1] ? Math.min(step, value - sorted[i - 1]) : step),
    Infinity,
  );
  return least === Infinity ? LEVEL_HEIGHT : least;
}

const MANY: Readonly<Record<LevelConnectionKind, readonly [one: string, many: string]>> = {
  stairs: ['flight of stairs', 'flights of stairs'],
  escalator: ['escalator', 'escalators'],
  lift: ['lift', 'lifts'],
  ramp: ['ramp', 'ramps'],
};

function noteOf({ heights, connections }: MapLevels): string {
  const parts = Object.entries(MANY).flatMap(([kind, [one, many]]) => {
    const count = connections.filter((connection) => connection.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const joined = parts.length === 0 ? 'nothing joins them' : `joined by ${parts.join(', ')}`;
  return `${plural(heights.length, 'level')}, ${joined}. The tool Path crosses them.`;
}

/** Returns the shell that leaves one level: the polygons of the others are drawn faintly, and are not picked. */
function shellOf({ mesh }: StudioState, floor: number): Shell | undefined {
  if (mesh === undefined || floor < 0) return undefined;
  const { polyTile, tileLayer, polyCount } = mesh.navMesh;
  const polys = Uint8Array.from({ length: polyCount }, (_, poly) => (tileLayer[polyTile[poly]] === floor ? 0 : 1));
  const none = new Uint32Array();
  return { level: -1, mesh: mesh.id, triangles: new Uint8Array(), polys, floor, solid: none, outer: none };
}

/** Creates the list of layers of a Tiled map, each with what it was taken for and a choice. */
function createLayers(store: Store, change: Change): Part {
  const list = h('ul', { class: 'import-objects' });
  const title = h('h3', {});
  const element = h('div', {}, title, list);
  const take = (layer: string, into: (typeof TAKEN)[number][0]): void => {
    const map: MapSettings = { ...store.get().settings.map };
    for (const [name] of TAKEN) {
      if (name === '') continue;
      const others = (map[name] ?? []).filter((one) => one !== layer);
      const next = name === into ? [...others, layer] : others;
      if (next.length === 0) delete map[name];
      else map[name] = next;
    }
    change(`layer ${layer}`, map);
  };
  const rowOf = (report: MapLayerReport): HTMLElement => {
    const { layer } = report;
    const { map = {} } = store.get().settings;
    const now = TAKEN.find(([name]) => name !== '' && map[name]?.includes(layer) === true)?.[0] ?? '';
    const options = TAKEN.map(([name, text]) => h('option', { value: name, selected: name === now }, text));
    const select = h(
      'select',
      { 'aria-label': `What ${layer} is`, onchange: () => take(layer, select.value as typeof now) },
      ...options,
    );
    const text = now === 'ignore' ? 'left out' : aboutLayer(report, now === '');
    return h('li', {}, h('span', { class: 'import-name', title: text }, layer, h('small', {}, text)), select);
  };
  let shown = '';
  return {
    element,
    refresh() {
      const { map, settings } = store.get();
      const reports = map?.choices?.layers ?? [];
      element.hidden = reports.length === 0;
      const { walls, ignore, walkable } = settings.map ?? {};
      const key = JSON.stringify([reports, walls, ignore, walkable]);
      if (element.hidden || key === shown) return;
      shown = key;
      const focused = list.contains(document.activeElement) ? document.activeElement!.getAttribute('aria-label') : null;
      title.textContent = plural(reports.length, 'layer');
      // Layers of one name are taken alike.
      const byName = new Map(reports.map((report) => [report.layer, report]));
      list.replaceChildren(...[...byName.values()].slice(0, MAX_LISTED).map(rowOf));
      if (focused !== null)
        [...list.querySelectorAll('select')].find((one) => one.getAttribute('aria-label') === focused)?.focus();
    },
  };
}

/** Describes what a layer was taken for: 'marked as walls: 12 tiles block, 4 % of the map'. */
function aboutLayer({ kind, mark, blocking, blockingShare, free }: MapLayerReport, isByFile: boolean): string {
  const what = kind === 'tiles' ? 'tile' : 'shape';
  const percent = Number((100 * blockingShare).toFixed(1));
  const blocks = `${plural(blocking, what)} ${blocking === 1 ? 'blocks' : 'block'}, ${percent} % of the map`;
  const text = blocking === 0 ? `${plural(free, what)}, nothing blocks` : blocks;
  return mark === '' || !isByFile ? text : `marked as ${mark}: ${text}`;
}
