/**
 * The filter of all query tools: which areas and flags agents may cross, and the cost of each area. Kept in
 * links.
 */
import { AREA_COUNT, createFilter } from 'navkiln';
import type { AgentType, NavMesh, QueryFilter } from 'navkiln';
import { h } from '../../dom/dom.ts';
import { createNumberInput } from '../../dom/number-input.ts';
import { createTypeChoice } from '../../dom/type-choice.ts';
import { chosenType } from '../../state/agent-types.ts';
import { flagsText, areasInUse, nameOfArea, ownCostOf } from '../../state/areas.ts';
import { formatCount } from '../../state/format.ts';
import type { Store } from '../../state/store.ts';
import { forEachPoly } from '../../view/mesh-arrays.ts';
import { areaColor } from '../../view/palette.ts';
import type { ToolContext } from '../tool.ts';

export interface Choice {
  /** Cost factors by area id. All other areas have the cost of the 2D map, or 1. */
  costs: Record<string, number>;
  /** Areas that agents may not cross. */
  closed: number[];
  /** Flag bits that are not included. */
  left: number;
  /** Flag bits that are excluded. */
  out: number;
}

export interface Filter {
  panel: HTMLElement;
  /** Returns the filter, or undefined for the default one. */
  get: () => QueryFilter | undefined;
  /** Returns `const filter = …;`, or '' for the default filter. */
  code: () => string;
  /** Updates the panel after a change of the mesh, the link or the theme. */
  refresh: () => void;
}

/** The functions that the rows of the panel use. */
interface Access {
  read: () => Choice;
  write: (choice: Choice) => void;
  cost: (area: number) => number;
  setCost: (area: number, cost: number) => void;
}

const STATE_ID = 'filter';
export const MIN_COST = 0.01;
export const MAX_COST = 1000;
const ALL_FLAGS = 0xffff;

export function createFilterPanel({ store, palette }: ToolContext, onChange: () => void): Filter {
  const body = h('div', {});
  const note = h('span', { class: 'note' });
  const details = h('details', { class: 'query-more', 'data-part': 'filter' }, h('summary', {}, 'Filter ', note), body);
  const panel = h('div', {}, createTypeChoice(store, 'Agent type'), details);
  store.listen(['agentType'], onChange);
  let shownFor: unknown;
  const read = (): Choice => readChoice(store);
  const showSummary = (): void => void (note.textContent = summaryOf(withOwnCosts(store)));
  const write = (choice: Choice): void => {
    writeChoice(store, choice);
    showSummary();
    onChange();
  };
  const access: Access = {
    read,
    write,
    cost: (area) => costOf(store, area),
    setCost(area, cost) {
      setCost(store, area, cost);
      showSummary();
      onChange();
    },
  };
  return {
    panel,
    get: () => currentFilter(store),
    code: () => codeOfFilter(withOwnCosts(store), chosenType(store.get())),
    refresh() {
      const { mesh, toolStates, theme, edits } = store.get();
      const key = JSON.stringify([mesh?.id, toolStates[STATE_ID], theme, edits.areaNames]);
      showSummary();
      if (key === shownFor || mesh === undefined) return;
      shownFor = key;
      const { areas, flags } = contentsOf(mesh.navMesh);
      body.replaceChildren(
        ...areas.map(([area, count]) => {
          const name = nameOfArea(store.get(), area);
          return areaRow(access, { area, name, count, color: areaColor(palette(), area) });
        }),
        ...(flags.length === 0
          ? []
          : [h('p', { class: 'query-name', title: 'In Detour: includeFlags and excludeFlags' }, 'Required flags')]),
        ...flags.map((bit) => flagRow(access, bit)),
      );
    },
  };
}

/** Returns the filter of the state, or undefined for the default one. */
export function currentFilter(store: Store): QueryFilter | undefined {
  return filterOf(withOwnCosts(store), chosenType(store.get()));
}

/** Returns the choice with the costs of the open 2D map. */
function withOwnCosts(store: Store): Choice {
  const choice = readChoice(store);
  const own = (store.get().mesh?.areas ?? []).filter(({ cost }) => cost !== 1).map(({ id, cost }) => [id, cost]);
  return { ...choice, costs: { ...Object.fromEntries(own), ...choice.costs } };
}

/** Returns the cost of an area. */
export function costOf(store: Store, area: number): number {
  return readChoice(store).costs[area] ?? ownCostOf(store.get(), area);
}

/** Changes the cost of an area for all queries. */
export function setCost(store: Store, area: number, cost: number): void {
  const choice = readChoice(store);
  const { [area]: _old, ...costs } = choice.costs;
  writeChoice(store, { ...choice, costs: cost === ownCostOf(store.get(), area) ? costs : { ...costs, [area]: cost } });
}

/** Reads the choice from the state. Invalid parts, which a link may contain, are ignored. */
function readChoice(store: Store): Choice {
  const { costs, closed, left, out } = store.get().toolStates[STATE_ID] ?? {};
  const choice: Choice = { costs: {}, closed: [], left: bits(left), out: bits(out) };
  for (const [area, cost] of Object.entries(typeof costs === 'object' && costs !== null ? costs : {})) {
    if (isArea(Number(area)) && typeof cost === 'number' && cost >= MIN_COST && cost <= MAX_COST) {
      choice.costs[area] = cost;
    }
  }
  if (Array.isArray(closed)) choice.closed = closed.filter(isArea);
  return choice;
}

function writeChoice(store: Store, { costs, closed, left, out }: Choice): void {
  const kept: Record<string, unknown> = {};
  if (Object.keys(costs).length > 0) kept['costs'] = costs;
  if (closed.length > 0) kept['closed'] = closed;
  if (left !== 0) kept['left'] = left;
  if (out !== 0) kept['out'] = out;
  store.update({ toolStates: { ...store.get().toolStates, [STATE_ID]: kept } });
}

/** Describes the choice in a few words. */
function summaryOf({ costs, closed, left, out }: Choice): string {
  const parts = [
    closed.length > 0 ? `without area ${closed.join(', ')}` : '',
    Object.entries(costs)
      .map(([area, cost]) => `area ${area} × ${cost}`)
      .join(', '),
    left === 0 ? '' : `not including flags ${flagsText(left)}`,
    out === 0 ? '' : `excluding flags ${flagsText(out)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'all areas, cost 1' : parts.join('; ');
}

/** Lists the areas with their number of polygons, and the flag bits in use. */
function contentsOf(mesh: NavMesh): { areas: [area: number, count: number][]; flags: number[] } {
  let flags = 0;
  forEachPoly(mesh, (poly) => void (flags |= mesh.polyFlags[poly]));
  for (let link = 0; link < mesh.linkCount; link++) flags |= mesh.linkFlags[link];
  return {
    areas: [...areasInUse(mesh)],
    flags: Array.from({ length: 16 }, (_, i) => 1 << i).filter((bit) => (flags & bit) !== 0),
  };
}

interface AreaOfRow {
  area: number;
  name: string;
  count: number;
  color: string;
}

function areaRow({ read, write, cost: costOfArea, setCost: change }: Access, row: AreaOfRow): HTMLElement {
  const { area, name, count, color } = row;
  const choice = read();
  const box = h('input', {
    type: 'checkbox',
    checked: !choice.closed.includes(area),
    'aria-label': `${name} is allowed`,
    onchange: () => {
      const now = read();
      const others = now.closed.filter((closed) => closed !== area);
      write({ ...now, closed: box.checked ? others : [...others, area].sort((a, b) => a - b) });
    },
  });
  const cost = createNumberInput({
    label: `cost of area ${area}`,
    min: MIN_COST,
    max: MAX_COST,
    step: 0.5,
    value: costOfArea(area),
    onValue: (value) => change(area, value),
  });
  return h(
    'div',
    { class: 'query-area', 'data-area': area },
    h('label', {}, box, h('span', { class: 'query-swatch', style: `background: ${color}` }), h('span', {}, name)),
    h('span', { class: 'note' }, formatCount(count)),
    h('label', { class: 'query-cost' }, h('span', {}, 'cost'), cost.element),
  );
}

const FLAG_CHOICES = [
  ['in', 'included'],
  ['left', 'not included'],
  ['out', 'excluded'],
] as const;

function flagRow({ read, write }: Access, bit: number): HTMLElement {
  const { left, out } = read();
  const current = (out & bit) !== 0 ? 'out' : (left & bit) !== 0 ? 'left' : 'in';
  const select = h('select', {
    'aria-label': flagName(bit),
    onchange: () => {
      const now = read();
      write({
        ...now,
        left: select.value === 'left' ? now.left | bit : now.left & ~bit,
        out: select.value === 'out' ? now.out | bit : now.out & ~bit,
      });
    },
  });
  for (const [value, title] of FLAG_CHOICES) select.append(h('option', { value, selected: value === current }, title));
  return h(
    'div',
    { class: 'query-area' },
    h('span', { title: `The bit ${hex(bit)} of polygons and links` }, flagName(bit)),
    select,
  );
}

function isDefault({ costs, closed, left, out }: Choice): boolean {
  return Object.keys(costs).length === 0 && closed.length === 0 && left === 0 && out === 0;
}

function filterOf(choice: Choice, type: AgentType | undefined): QueryFilter | undefined {
  if (isDefault(choice)) return type?.filter;
  const { costs, closed, left, out } = choice;
  const { areaCosts = {}, includeFlags = ALL_FLAGS, excludeFlags = 0, size = 0 } = type?.filter ?? {};
  return createFilter({
    areaCosts: { ...areaCosts, ...costs, ...Object.fromEntries(closed.map((area) => [area, Infinity])) },
    includeFlags: includeFlags & ~left,
    excludeFlags: excludeFlags | out,
    size,
  });
}

function codeOfFilter(choice: Choice, type: AgentType | undefined): string {
  const base = type === undefined ? '' : `typeFilter(createAgentTypes(navMesh), ${JSON.stringify(type.name)})`;
  if (isDefault(choice)) return base === '' ? '' : `const filter = ${base};`;
  const { costs, closed, left, out } = choice;
  const entries: string[] = [];
  const factors = [
    ...(base === '' ? [] : ['...type.areaCosts']),
    ...Object.entries(costs).map(([area, cost]) => `${area}: ${cost}`),
    ...closed.map((area) => `${area}: Infinity`),
  ];
  if (factors.length > 0) entries.push(`areaCosts: { ${factors.join(', ')} }`);
  if (left !== 0) entries.push(`includeFlags: ${hex((type?.filter.includeFlags ?? ALL_FLAGS) & ~left)}`);
  if (out !== 0) entries.push(`excludeFlags: ${hex((type?.filter.excludeFlags ?? 0) | out)}`);
  const start = base === '' ? '' : `const type = ${base};\n`;
  const own = base === '' ? '' : '...type, ';
  return `${start}const filter = createFilter({ ${own}${entries.join(', ')} });`;
}

function bits(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= ALL_FLAGS ? value : 0;
}

function isArea(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < AREA_COUNT;
}

/** Returns the name of a bit: 'Flag 1' for the first one. */
function flagName(bit: number): string {
  return `Flag ${flagsText(bit)}`;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
