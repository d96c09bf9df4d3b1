/**
 * The base of all query tools: points that the user drags, snaps, types or moves by keys; fields; the filter;
 * a result that follows every movement; its time; and the query as code.
 */
import type { NavMesh } from 'navkiln';
import { forPointer, h, row } from '../../dom/dom.ts';
import { inPanelWords } from '../../state/settings.ts';
import { isPoint, originOf } from '../../state/state.ts';
import type { Vec3 } from '../../state/state.ts';
import { createMarks } from '../../view/marks.ts';
import type { Marks } from '../../view/marks.ts';
import { count } from '../pending.ts';
import { NOTHING_HERE } from '../tool.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { createQueryCard } from './card.ts';
import type { QueryCard } from './card.ts';
import { codeOf } from './code.ts';
import { createFieldRows, readValue } from './fields.ts';
import type { FieldRows, Value, Values } from './fields.ts';
import { createFilterPanel } from './filter.ts';
import type { Filter } from './filter.ts';
import { isMapMesh } from './map-path.ts';
import type { PointKind, Points, QueryKind, QueryResult, QueryTool } from './kind.ts';
import { nudged, readPoint, rounded, sampleOn, sceneEnds, snapped, writePoint } from './points.ts';
import type { Snap } from './points.ts';
import { createStopwatch, formatUs } from './timing.ts';
import type { Stopwatch } from './timing.ts';

/** The state that the functions of this file share. */
interface Query {
  context: ToolContext;
  kind: QueryKind;
  points: Points;
  /** The points that are still ends of the scene's example path, as the scene has them. */
  samples: Record<string, Vec3>;
  values: Values;
  result: QueryResult | undefined;
  snap: Snap;
  /** Id of the point that is dragged. */
  grabbed: string | undefined;
  /** Id of the point that was touched last, which keys move. */
  last: string;
  card: QueryCard;
  fields: FieldRows;
  filter: Filter;
  stopwatch: Stopwatch;
  /** Returns the element that shows the time of a call. */
  timeOf: (id: string) => HTMLElement;
}

export function createQueryTool(context: ToolContext, kind: QueryKind): QueryTool {
  const query = createQuery(context, kind);
  return {
    panel: query.card.panel,
    values: () => query.values,
    points: () => query.points,
    setPoints: (next) => setPoints(query, next),
    setValue: (id, value) => setValue(query, id, value, true),
    update: () => update(query),
    enter: () => restore(query),
    leave() {
      query.stopwatch.stop();
      kind.leave?.();
    },
    changed(_state, keys) {
      if (keys.has('source')) restore(query);
      else if (keys.has('mesh') || keys.has('theme')) {
        query.filter.refresh();
        updateInTurn(query);
      }
    },
    ...pointerHandlers(query),
    key: (event) => handleKey(query, event),
    draw() {
      const { store, palette } = context;
      const marks = createMarks(originOf(store.get()), palette());
      query.result?.draw(marks);
      if (query.result !== undefined) kind.drawMore?.(marks);
      for (const point of kind.points) drawPoint(query, marks, point);
      return marks.list;
    },
  };
}

function createQuery(context: ToolContext, kind: QueryKind): Query {
  const times = new Map<string, HTMLElement>();
  const timeOf = (id: string): HTMLElement => {
    const known = times.get(id) ?? h('span', { 'data-time': id }, '…');
    times.set(id, known);
    return known;
  };
  const filter = createFilterPanel(context, () => update(query));
  const fields = createFieldRows(kind.fields, (id, value, isDone) => setValue(query, id, value, isDone));
  const card = createQueryCard(kind, fields.element, kind.hasFilter === false ? undefined : filter, {
    onPoint: (id, text) => setPoints(query, { [id]: readPoint(text, mapOf(query)) ?? query.points[id] }),
    onSnap: (snap) => void (query.snap = snap),
    say: context.say,
  });
  const query: Query = {
    context,
    kind,
    points: {},
    samples: {},
    values: {},
    result: undefined,
    snap: 'free',
    grabbed: undefined,
    last: kind.points[kind.points.length - 1].id,
    card,
    fields,
    filter,
    stopwatch: createStopwatch((id, us) => void (timeOf(id).textContent = formatUs(us))),
    timeOf,
  };
  return query;
}

/** Answers the query and shows the result. */
function update(query: Query): void {
  const { context, kind, card } = query;
  const mesh = context.store.get().mesh?.navMesh;
  if (mesh !== undefined) {
    const onMesh = Object.entries(query.samples).map(([id, sample]) => [id, sampleOn(mesh, sample)]);
    query.points = { ...query.points, ...Object.fromEntries(onMesh) };
  }
  const { points } = query;
  const { needed = kind.points.map(({ id }) => id) } = kind;
  const isReady = mesh !== undefined && needed.every((id) => points[id] !== undefined);
  if (isReady) showResult(query);
  else showMissing(query, needed);
  for (const [id, input] of card.inputs) {
    card.setPlane(id, mapOf(query) !== undefined);
    if (document.activeElement !== input) input.value = writePoint(points[id], mapOf(query));
  }
  context.redraw();
}

/** Meshes of more polygons are answered in a task of their own after a bake, which also draws them. */
const MANY_POLYS = 5000;

function updateInTurn(query: Query): void {
  const { mesh } = query.context.store.get();
  if ((mesh?.navMesh.polyCount ?? 0) <= MANY_POLYS) return update(query);
  count(
    new Promise<void>((resolve) => {
      setTimeout(() => {
        if (query.context.store.get().mesh === mesh) update(query);
        resolve();
      });
    }),
  );
}

/** Returns the mesh of a 2D map when the tool shows points of the map. */
function mapOf({ context, kind }: Query): NavMesh | undefined {
  const mesh = context.store.get().mesh?.navMesh;
  return kind.inMap === true && mesh !== undefined && isMapMesh(mesh) ? mesh : undefined;
}

function showMissing(query: Query, needed: readonly string[]): void {
  const { context, kind, points, card } = query;
  query.result = undefined;
  const missing = needed.find((id) => points[id] === undefined);
  const title = kind.points.find(({ id }) => id === missing)?.title.toLowerCase();
  const hasMesh = context.store.get().mesh !== undefined;
  card.rows.replaceChildren(
    row('Result', hasMesh ? forPointer(`click the mesh to set the ${title}`) : 'there is no mesh yet'),
  );
  card.legend.replaceChildren();
  card.message.textContent = '';
  card.setCode('');
  query.stopwatch.stop();
  kind.onNothing?.();
}

function showResult(query: Query): void {
  const { context, kind, points, values, filter, card } = query;
  const state = context.store.get();
  const filterCode = filter.code();
  const result = kind.query(
    { mesh: state.mesh!.navMesh, state, points, values, filter: filter.get(), filterCode },
    query.timeOf,
  );
  query.result = result;
  card.rows.replaceChildren(...result.rows);
  card.legend.replaceChildren(...(result.legend === undefined ? [] : [result.legend]));
  card.message.textContent = inPanelWords(result.message ?? '');
  card.setCode(codeOf(result.code, filterCode));
  query.stopwatch.measure(result.runs);
}

function setPoints(query: Query, next: Points, isDone: boolean = true): void {
  query.points = { ...query.points, ...next };
  query.samples = Object.fromEntries(Object.entries(query.samples).filter(([id]) => !(id in next)));
  update(query);
  if (isDone) keep(query);
}

function setValue(query: Query, id: string, value: Value, isDone: boolean): void {
  query.values = { ...query.values, [id]: value };
  query.fields.show(query.values);
  update(query);
  if (isDone) keep(query);
}

/** Saves points and changed values for links. */
function keep({ context, kind, points, values }: Query): void {
  const kept: Record<string, unknown> = {};
  for (const { id } of kind.points) if (points[id] !== undefined) kept[id] = points[id];
  for (const { id, initial } of allFields(kind)) if (values[id] !== initial) kept[id] = values[id];
  context.save(kept);
}

function allFields({ fields, hidden = [] }: QueryKind): QueryKind['fields'] {
  return [...fields, ...hidden];
}

/** Takes the points from the link, else from the path tool, else from the scene. */
function restore(query: Query): void {
  const { context, kind } = query;
  const { store } = context;
  const own = context.saved();
  const path = store.get().toolStates['path'] ?? {};
  const ends = sceneEnds(store.get());
  query.samples = {};
  const initialPoint = ({ id, initial }: PointKind): Vec3 | undefined => {
    if (initial === 'none') return undefined;
    const end = path[initial];
    if (isPoint(end)) return rounded(end);
    const sample = ends[initial];
    return sample === undefined ? undefined : (query.samples[id] = rounded(sample));
  };
  query.points = Object.fromEntries(
    kind.points.map((point) => {
      const kept = own[point.id];
      return [point.id, isPoint(kept) ? kept : initialPoint(point)];
    }),
  );
  query.values = Object.fromEntries(allFields(kind).map((field) => [field.id, readValue(field, own[field.id])]));
  query.fields.show(query.values);
  query.filter.refresh();
  update(query);
}

function pointerHandlers(query: Query): Pick<Tool, 'down' | 'drag' | 'up' | 'click' | 'hover'> {
  const { context, kind } = query;
  const meshOf = (): NavMesh | undefined => context.store.get().mesh?.navMesh;
  // Reversed, because the last point is drawn on top.
  const shownPoints = (): (Vec3 | undefined)[] => kind.points.map(({ id }) => query.points[id]).reverse();
  const idOfShown = (index: number): string => kind.points[kind.points.length - 1 - index].id;
  return {
    down(pointer) {
      const index = pointer.nearest(shownPoints());
      query.grabbed = index < 0 ? undefined : idOfShown(index);
      if (query.grabbed !== undefined) query.last = query.grabbed;
      return query.grabbed !== undefined;
    },
    drag(pointer) {
      const hit = pointer.hit();
      if (hit === undefined || query.grabbed === undefined) return;
      setPoints(query, { [query.grabbed]: snapped(meshOf(), hit, pointer, query.snap) }, false);
    },
    up() {
      query.grabbed = undefined;
      keep(query);
    },
    click(pointer) {
      const hit = pointer.hit();
      if (hit === undefined) return context.say('info', NOTHING_HERE, NOTHING_HERE);
      const unset = kind.points.find(({ id }) => query.points[id] === undefined);
      const end = kind.points[kind.points.length - 1];
      query.last = pointer.shift ? kind.points[0].id : (unset ?? end).id;
      setPoints(query, { [query.last]: snapped(meshOf(), hit, pointer, query.snap) });
    },
    hover: (pointer) => (pointer.nearest(shownPoints()) >= 0 ? 'grab' : undefined),
  };
}

function handleKey(query: Query, event: KeyboardEvent): boolean {
  const { context, kind } = query;
  if (kind.key?.(event) === true) return true;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === 'Enter') {
    const index = kind.points.findIndex(({ id }) => id === query.last);
    query.last = kind.points[(index + 1) % kind.points.length].id;
    context.redraw();
    return true;
  }
  const point = query.points[query.last];
  const mesh = context.store.get().mesh?.navMesh;
  const next = point === undefined ? undefined : nudged(mesh, point, event, context.view);
  if (next === undefined) return false;
  setPoints(query, { [query.last]: next });
  return true;
}

/** Drawing order of point markers, above all results. */
const MARKER_ORDER = 60;
const MARKER_LIFT = 0.06;

function drawPoint({ context, kind, points, last }: Query, { list, colors }: Marks, { id, form }: PointKind): void {
  const point = points[id];
  if (point === undefined) return;
  const { start, end } = context.palette();
  const origin = originOf(context.store.get());
  const positions = Float32Array.from(
    point,
    (value, axis) => value - origin[axis as 0] + (axis === 1 ? MARKER_LIFT : 0),
  );
  const dot = (color: string, size: number, above: number): void =>
    void list.push({ kind: 'points', positions, color, size, isOnTop: true, order: MARKER_ORDER + above });
  // The point that keys move has a rim.
  if (id === last && kind.points.length > 1) dot(colors.faint, 13, 0);
  dot(colors.halo, 11, 1);
  dot(form === 'ring' ? start : end, 8, 2);
  if (form === 'ring') dot(colors.halo, 3.5, 3);
}
