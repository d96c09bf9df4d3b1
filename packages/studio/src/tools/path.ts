/**
 * The path tool: a path between two points by three methods side by side, the search node by node, and the
 * reason when no path exists.
 */
import { findDetailedPath, findPath, getGroundLine } from 'navkiln';
import type { DetailedPathOptions, NavMesh, Path } from 'navkiln';
import { h, row } from '../dom/dom.ts';
import { createLazyPlayer } from './query/lazy-player.ts';
import type { LazyPlayer } from './query/lazy-player.ts';
import { plural } from '../state/format.ts';
import type { Vec3 } from '../state/state.ts';
import type { Marks } from '../view/marks.ts';
import { codeCall, codeOptions, codePoint } from './query/code.ts';
import { createExplainer } from './query/explainer.ts';
import type { Explainer } from './query/explainer.ts';
import type { Field, Values } from './query/fields.ts';
import type { QueryInput, QueryResult, QueryTool } from './query/kind.ts';
import { closedPassages, codeOfMapPaths, isMapMesh, movedRows } from './query/map-path.ts';
import { METHODS, hasCorridorLines, loadCorridorLines, methodsOf } from './query/path-methods.ts';
import type { MethodId } from './query/path-methods.ts';
import { rounded } from './query/points.ts';
import { createQueryTool } from './query/query-tool.ts';
import { loadPart } from './lazy.ts';
import { count } from './pending.ts';
import type { ToolContext } from './tool.ts';

/** CSS classes of the line samples. */
const LINE_CLASSES: Readonly<Record<MethodId, string>> = {
  funnel: '',
  smooth: ' dots',
  optimal: ' wide',
  midpoints: ' dots',
  centers: ' dots',
};

const FIELDS: readonly Field[] = [
  {
    kind: 'number',
    id: 'step',
    title: 'Smooth step',
    unit: 'm',
    min: 0.1,
    max: 5,
    step: 0.1,
    initial: 0.5,
    when: ['smooth', true],
    help: 'Longest distance between two points of the smooth path, seen from above',
  },
  {
    kind: 'choice',
    id: 'corners',
    title: 'Corners',
    choices: [
      ['none', 'where it turns'],
      ['area', 'and at other areas'],
      ['all', 'and at every polygon'],
    ],
    initial: 'none',
    when: ['funnel', true],
    help: 'Where the funnel path has corners (crossings of findDetailedPath; in Detour: straight path options)',
  },
];
/** The checkboxes of the method table. */
const HIDDEN_FIELDS: readonly Field[] = [
  { kind: 'switch', id: 'funnel', title: 'Funnel', initial: true },
  { kind: 'switch', id: 'smooth', title: 'Smooth', initial: false },
  { kind: 'switch', id: 'optimal', title: 'Optimal', initial: true },
  { kind: 'switch', id: 'midpoints', title: 'Midpoints', initial: false },
  { kind: 'switch', id: 'centers', title: 'Centers', initial: false },
];

export function createPathTool(context: ToolContext): QueryTool {
  const { view, redraw, store } = context;
  const table = createMethodTable((id, isOn) => tool.setValue(id, isOn));
  const player = createLazyPlayer(view, redraw, context.say);
  const explainer = createExplainer(context, () => tool.update());
  const swap = (): void => tool.setPoints({ from: tool.points()['to'], to: tool.points()['from'] });
  const random = createRandomEnds(context, () => tool);
  const tool: QueryTool = createQueryTool(context, {
    points: [
      { id: 'from', title: 'Start', form: 'ring', initial: 'from' },
      { id: 'to', title: 'End', form: 'disc', initial: 'to' },
    ],
    inMap: true,
    fields: FIELDS,
    hidden: HIDDEN_FIELDS,
    query(input, timeOf) {
      const { values, mesh } = input;
      // findPath2d has corners where the path turns.
      tool.panel.querySelector<HTMLElement>('[data-field=corners]')!.hidden ||= isMapMesh(mesh);
      const needsLines = isMapMesh(mesh) && (values['midpoints'] === true || values['centers'] === true);
      if (needsLines && !hasCorridorLines()) {
        void loadCorridorLines(context.say).then((isLoaded) => isLoaded && tool.update());
      }
      return queryPaths(input, timeOf, { table, player, explainer, meshId: store.get().mesh?.id });
    },
    top: table.element,
    more: [explainer.element, player.element],
    buttons: [
      h('button', { class: 'button', onclick: swap }, 'Swap'),
      h(
        'button',
        { class: 'button', title: 'Choose two random points that are connected', onclick: () => void random() },
        'Random',
      ),
    ],
    drawMore: (marks) => {
      table.color(marks);
      player.draw(marks);
    },
    key: player.key,
    leave: () => {
      explainer.stop();
      player.stop();
    },
    onNothing: () => {
      explainer.stop();
      player.show(undefined);
      table.clear(tool.values());
      const { mesh } = store.get();
      if (mesh !== undefined) table.offer(isMapMesh(mesh.navMesh));
    },
  });
  return tool;
}

/** Moves both ends to random points that are connected. */
function createRandomEnds({ store, say }: ToolContext, tool: () => QueryTool): () => Promise<void> {
  let seed = 1;
  return async () => {
    const mesh = store.get().mesh?.navMesh;
    if (mesh === undefined) return;
    const code = await loadPart(() => import('./query/random-ends.ts'), say);
    if (code === undefined || store.get().mesh?.navMesh !== mesh) return;
    const choice = code.findRandomEnds(mesh, seed++);
    count(choice.then(() => undefined));
    const ends = await choice;
    if (store.get().mesh?.navMesh !== mesh) return;
    if (ends !== undefined) tool().setPoints({ from: rounded(ends.from), to: rounded(ends.to) });
    else say('info', 'The mesh has no walkable surface to choose points on.');
  };
}

interface MethodTable {
  element: HTMLElement;
  /** Shows the length of a path, or (undefined) that the method is off. */
  show: (id: MethodId, path: Path | undefined, time: HTMLElement | undefined) => void;
  /** Shows no lengths, and which methods are on. */
  clear: (values: Readonly<Record<string, unknown>>) => void;
  /** Shows the methods for levels or for 2D maps. */
  offer: (isMap: boolean) => void;
  /** Gives the line samples the colors of the palette. */
  color: (marks: Marks) => void;
}

function createMethodTable(onToggle: (id: MethodId, isOn: boolean) => void): MethodTable {
  const cells = new Map(
    METHODS.map(({ id, title, help }) => {
      const box = h('input', { type: 'checkbox', onchange: () => onToggle(id, box.checked) });
      const [length, time] = [h('td', { 'data-length': id }), h('td', {})];
      const line = h('span', { class: `query-line${LINE_CLASSES[id]}` });
      const label = h('label', {}, box, line, h('span', {}, title));
      const element = h('tr', { title: help, 'data-method': id }, h('td', {}, label), length, time);
      return [id, { box, length, time, line, element }];
    }),
  );
  return {
    element: h(
      'table',
      { class: 'query-methods' },
      h('thead', {}, h('tr', {}, h('th', {}, 'Method'), h('th', {}, 'Length'), h('th', {}, 'Time'))),
      h('tbody', {}, ...[...cells.values()].map(({ element }) => element)),
    ),
    show(id, path, timeElement) {
      const { box, length, time } = cells.get(id)!;
      box.checked = path !== undefined;
      if (path === undefined) length.textContent = '–';
      else length.textContent = path.points.length === 0 ? 'none' : `${path.length.toFixed(2)} m`;
      time.replaceChildren(...(timeElement === undefined ? [] : [timeElement]));
    },
    clear(values) {
      for (const [id, { box, length, time }] of cells) {
        box.checked = values[id] === true;
        length.textContent = '–';
        time.replaceChildren();
      }
    },
    offer(isMap) {
      const offered = methodsOf(isMap);
      for (const method of METHODS) cells.get(method.id)!.element.hidden = !offered.includes(method);
    },
    color(marks) {
      for (const { id } of METHODS) cells.get(id)!.line.style.borderTopColor = colorOf(marks, id);
    },
  };
}

interface PathParts {
  table: MethodTable;
  player: LazyPlayer;
  explainer: Explainer;
  meshId: number | undefined;
}

function queryPaths(
  input: QueryInput,
  timeOf: (id: string) => HTMLElement,
  { table, player, explainer, meshId }: PathParts,
): QueryResult {
  const { mesh, points, values, filter, filterCode } = input;
  const { from, to } = { from: points['from']!, to: points['to']! };
  const isMap = isMapMesh(mesh);
  // On a map, an end outside the walkable area means the nearest walkable point, as in findPath2d.
  const base = isMap ? { filter, halfExtents: Infinity } : { filter };
  const found = new Map<MethodId, Path>();
  const runs = new Map<string, () => void>();
  table.offer(isMap);
  const crossings = isMap ? 'none' : crossingsOf(values);
  for (const { id, find: plain } of methodsOf(isMap)) {
    const hasCrossings = id === 'funnel' && crossings !== 'none';
    const find = hasCrossings ? findDetailedPath : plain;
    const own = id === 'smooth' ? { step: values['step'] as number } : hasCrossings ? { crossings } : {};
    const options = { ...base, ...own };
    const path = values[id] === true ? find(mesh, from, to, options) : undefined;
    table.show(id, path, path === undefined ? undefined : timeOf(id));
    if (path === undefined) continue;
    found.set(id, path);
    runs.set(id, () => find(mesh, from, to, options));
  }
  const main = found.get('funnel') ?? [...found.values()][0] ?? findPath(mesh, from, to, base);
  const why = explainer.explain(input, main, meshId);
  player.show({ mesh, from, to, options: base });
  const isWhole = main.status === 'complete';
  const passages = isMap && !isWhole ? closedPassages(input.state) : undefined;
  const reason = isWhole ? '' : (why?.message ?? 'Looking for the reason …');
  return {
    rows: [...rowsOf(main, found), ...(isMap ? movedRows(main) : [])],
    message: passages === undefined || why === undefined ? reason : `${reason} ${passages.text}`.trim(),
    runs,
    draw(marks) {
      drawPaths(marks, input, found, player.hidesPath());
      if (why !== undefined) explainer.draw(marks, input, why);
      passages?.draw(marks);
    },
    code: codeOfPaths(mesh, [from, to], values, filterCode),
  };
}

/** Returns the option for corners of the funnel path besides its turns. */
function crossingsOf(values: Values): NonNullable<DetailedPathOptions['crossings']> {
  return values['corners'] as 'none' | 'area' | 'all';
}

function rowsOf(main: Path, found: ReadonlyMap<MethodId, Path>): HTMLElement[] {
  const rows = [row('Path', main.status)];
  if (main.points.length > 0) {
    rows.push(row('Corners', `${main.points.length}, across ${plural(main.polys.length, 'polygon')}`));
  }
  const optimal = found.get('optimal');
  const funnel = found.get('funnel');
  if (optimal !== undefined && funnel !== undefined && optimal.status !== 'none' && funnel.length > 0) {
    const percent = 100 * (funnel.length / optimal.length - 1);
    rows.push(row('Funnel is longer by', Math.abs(percent) < 0.005 ? '0 %' : `${percent.toFixed(2)} %`));
  }
  return rows;
}

function codeOfPaths(
  mesh: NavMesh,
  [from, to]: readonly [Vec3, Vec3],
  values: Values,
  filterCode: string,
): QueryResult['code'] {
  const chosen = methodsOf(isMapMesh(mesh)).filter(({ id }) => values[id] === true);
  const methods = chosen.length === 0 ? METHODS.slice(0, 1) : chosen;
  if (isMapMesh(mesh)) {
    return codeOfMapPaths(mesh, [from, to], methods, { step: values['step'] as number, hasFilter: filterCode !== '' });
  }
  const callOf = ({ id, call }: (typeof methods)[number]): string =>
    id === 'funnel' && crossingsOf(values) !== 'none' ? 'findDetailedPath' : call;
  return {
    names: methods.map((method) => callOf(method)),
    lines: methods.map((method) => {
      const { id } = method;
      const call = callOf(method);
      const options = codeOptions([
        filterCode === '' ? undefined : ['filter', undefined],
        id === 'smooth' ? ['step', String(values['step'])] : undefined,
        call === 'findDetailedPath' ? ['crossings', `'${crossingsOf(values)}'`] : undefined,
      ]);
      return `const ${id} = ${codeCall(call, codePoint(from), codePoint(to), options)};`;
    }),
  };
}

function colorOf({ colors }: Marks, id: MethodId): string {
  return {
    funnel: colors.main,
    smooth: colors.second,
    optimal: colors.third,
    midpoints: colors.trouble,
    centers: colors.faint,
  }[id];
}

function drawPaths(
  marks: Marks,
  { points, mesh }: QueryInput,
  found: ReadonlyMap<MethodId, Path>,
  isSearching: boolean,
): void {
  if (!isSearching) {
    for (const id of ['optimal', 'centers', 'midpoints', 'funnel', 'smooth'] as const) {
      const path = found.get(id);
      const corners = path?.points ?? [];
      // Drawn from corner to corner, a path would run through hills. Lines over centers leave the polygons.
      const line = path === undefined || id === 'centers' || isMapMesh(mesh) ? null : getGroundLine(mesh, path);
      const drawn = line?.points ?? corners;
      const color = colorOf(marks, id);
      // The widest line is at the bottom and dots are on top, so that all three are visible where they
      // coincide.
      if (id === 'optimal') marks.line(drawn, color, { width: 8, order: 1 });
      else if (id === 'funnel') {
        marks.line(drawn, color, { width: 4, hasHalo: !found.has('optimal'), order: 3 });
        marks.dots(corners.slice(1, -1), color, 4, true);
      } else if (id === 'smooth') marks.dots(corners, color, 2, false);
      else {
        marks.line(corners, color, { width: 2.5, hasHalo: false, order: 2 });
        marks.dots(corners.slice(1, -1), color, 3, false);
      }
    }
    const main = found.get('funnel') ?? [...found.values()][0];
    const last = main?.points[main.points.length - 1];
    if (main?.status === 'partial' && last !== undefined) {
      marks.line([last, points['to']!], marks.colors.main, { width: 3, isDashed: true, hasHalo: false, order: 3 });
    }
  }
}
