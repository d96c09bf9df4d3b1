/**
 * The filter of all questions: which areas and flags may be walked on, and what each area costs. One for all
 * tools, kept in links.
 */
import { AREA_COUNT, createFilter } from 'navkiln';
import type { NavMesh, QueryFilter } from 'navkiln';
import { h } from '../../dom/dom.ts';
import { formatCount } from '../../state/format.ts';
import { forEachPoly } from '../../view/mesh-arrays.ts';
import { areaColor } from '../../view/palette.ts';
import type { ToolContext } from '../tool.ts';

interface Choice {
  /** By area id; the others cost 1. */
  costs: Record<string, number>;
  /** Areas not to be walked on. */
  closed: number[];
  /** Bits of flags that do not let pass, and that keep out. */
  left: number;
  out: number;
}

export interface Filter {
  panel: HTMLElement;
  /** undefined: everything, at cost 1. */
  get: () => QueryFilter | undefined;
  /** `const filter = …;`, or nothing. */
  code: () => string;
  /** The mesh or the link has changed. */
  refresh: () => void;
}

const STATE_ID = 'filter';
/** Costs that may be set. */
const LEAST = 0.01;
const MOST = 1000;

export function createFilterPanel({ store, palette }: ToolContext, onChange: () => void): Filter {
  const body = h('div', {});
  const note = h('span', { class: 'note' });
  const panel = h('details', { class: 'ask-more', 'data-part': 'filter' }, h('summary', {}, 'Filter ', note), body);
  let shownFor: unknown;

  const read = (): Choice => {
    const { costs, closed, left, out } = store.get().toolStates[STATE_ID] ?? {};
    const choice: Choice = { costs: {}, closed: [], left: bits(left), out: bits(out) };
    for (const [area, cost] of Object.entries(typeof costs === 'object' && costs !== null ? costs : {})) {
      if (isArea(Number(area)) && typeof cost === 'number' && cost >= LEAST && cost <= MOST) choice.costs[area] = cost;
    }
    if (Array.isArray(closed)) choice.closed = closed.filter(isArea);
    return choice;
  };
  const write = (choice: Choice): void => {
    const kept: Record<string, unknown> = {};
    if (Object.keys(choice.costs).length > 0) kept['costs'] = choice.costs;
    if (choice.closed.length > 0) kept['closed'] = choice.closed;
    if (choice.left !== 0) kept['left'] = choice.left;
    if (choice.out !== 0) kept['out'] = choice.out;
    store.update({ toolStates: { ...store.get().toolStates, [STATE_ID]: kept } });
    sayWhat();
    onChange();
  };
  const sayWhat = (): void => {
    const { costs, closed, left, out } = read();
    const parts = [
      closed.length > 0 ? `without area ${closed.join(', ')}` : '',
      Object.entries(costs)
        .map(([area, cost]) => `area ${area} × ${cost}`)
        .join(', '),
      left === 0 ? '' : `not for ${hex(left)}`,
      out === 0 ? '' : `without ${hex(out)}`,
    ].filter((part) => part !== '');
    note.textContent = parts.length === 0 ? 'all ground, at cost 1' : parts.join('; ');
  };

  const areaRow = (area: number, count: number): HTMLElement => {
    const choice = read();
    const box = h('input', {
      type: 'checkbox',
      checked: !choice.closed.includes(area),
      'aria-label': `Area ${area} may be walked on`,
      onchange: () => {
        const now = read();
        const { closed } = now;
        write({
          ...now,
          closed: box.checked ? closed.filter((one) => one !== area) : [...closed, area].sort((a, b) => a - b),
        });
      },
    });
    const cost = h('input', {
      type: 'number',
      min: LEAST,
      max: MOST,
      step: 0.5,
      value: choice.costs[area] ?? 1,
      'aria-label': `Cost of area ${area}`,
      onchange: () => {
        const value = Math.min(MOST, Math.max(LEAST, Number(cost.value) || 1));
        cost.value = String(value);
        const costs = { ...read().costs };
        if (value === 1) delete costs[area];
        else costs[area] = value;
        write({ ...read(), costs });
      },
    });
    const swatch = h('span', { class: 'ask-swatch', style: `background: ${areaColor(palette(), area)}` });
    return h(
      'div',
      { class: 'ask-area', 'data-area': area },
      h('label', {}, box, swatch, h('span', {}, `Area ${area}`)),
      h('span', { class: 'note' }, formatCount(count)),
      h('label', { class: 'ask-cost' }, h('span', {}, 'cost'), cost),
    );
  };
  const flagRow = (bit: number): HTMLElement => {
    const { left, out } = read();
    const select = h('select', {
      'aria-label': `Flag ${hex(bit)}`,
      onchange: () => {
        const now = read();
        write({
          ...now,
          left: select.value === 'left' ? now.left | bit : now.left & ~bit,
          out: select.value === 'out' ? now.out | bit : now.out & ~bit,
        });
      },
    });
    for (const [value, title] of [
      ['in', 'lets pass'],
      ['left', 'does not count'],
      ['out', 'keeps out'],
    ] as const) {
      const isChosen =
        value === 'out' ? (out & bit) !== 0 : value === 'left' ? (left & bit) !== 0 : ((left | out) & bit) === 0;
      select.append(h('option', { value, selected: isChosen }, title));
    }
    return h('div', { class: 'ask-area' }, h('span', {}, `Flag ${hex(bit)}`), select);
  };

  return {
    panel,
    get() {
      const { costs, closed, left, out } = read();
      if (Object.keys(costs).length === 0 && closed.length === 0 && left === 0 && out === 0) return undefined;
      const [includeFlags, excludeFlags] = [0xffff & ~left, out];
      const passes = (mesh: NavMesh, poly: number): boolean => {
        const flags = mesh.polyFlags[poly];
        return (flags & includeFlags) !== 0 && (flags & excludeFlags) === 0 && !closed.includes(mesh.polyArea[poly]);
      };
      return createFilter({ areaCosts: costs, includeFlags, excludeFlags, ...(closed.length > 0 ? { passes } : {}) });
    },
    code() {
      const { costs, closed, left, out } = read();
      const entries: string[] = [];
      const listed = Object.entries(costs).map(([area, cost]) => `${area}: ${cost}`);
      if (listed.length > 0) entries.push(`areaCosts: { ${listed.join(', ')} }`);
      if (left !== 0) entries.push(`includeFlags: ${hex(0xffff & ~left)}`);
      if (out !== 0) entries.push(`excludeFlags: ${hex(out)}`);
      if (closed.length > 0) {
        const tests = [`![${closed.join(', ')}].includes(mesh.polyArea[poly])`];
        if (left !== 0) tests.push(`(mesh.polyFlags[poly] & ${hex(0xffff & ~left)}) !== 0`);
        if (out !== 0) tests.push(`(mesh.polyFlags[poly] & ${hex(out)}) === 0`);
        entries.push(`passes: (mesh, poly) => ${tests.join(' && ')}`);
      }
      return entries.length === 0 ? '' : `const filter = createFilter({ ${entries.join(', ')} });`;
    },
    refresh() {
      const { mesh, toolStates, theme } = store.get();
      const key = JSON.stringify([mesh?.id, toolStates[STATE_ID], theme]);
      sayWhat();
      if (key === shownFor || mesh === undefined) return;
      shownFor = key;
      const areas = new Map<number, number>();
      let flags = 0;
      forEachPoly(mesh.navMesh, (poly) => {
        const area = mesh.navMesh.polyArea[poly];
        areas.set(area, (areas.get(area) ?? 0) + 1);
        flags |= mesh.navMesh.polyFlags[poly];
      });
      for (let link = 0; link < mesh.navMesh.linkCount; link++) flags |= mesh.navMesh.linkFlags[link];
      const used = Array.from({ length: 16 }, (_, i) => 1 << i).filter((bit) => (flags & bit) !== 0);
      body.replaceChildren(
        ...[...areas].sort(([a], [b]) => a - b).map(([area, count]) => areaRow(area, count)),
        ...used.map(flagRow),
      );
    },
  };
}

function bits(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff ? value : 0;
}

function isArea(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < AREA_COUNT;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
