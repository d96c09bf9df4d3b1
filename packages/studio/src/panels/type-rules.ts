/** The rules of one agent type, in the settings panel: costs of areas, closed areas, closed kinds of links, and flags. */
import { LINK_KINDS } from 'navkiln';
import type { LinkKind } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
import { h } from '../dom/dom.ts';
import { createNumberInput } from '../dom/number-input.ts';
import { areasOfType, readFlags, summaryOfRules } from '../state/type-edits.ts';
import { nameOfArea } from '../state/areas.ts';
import type { StudioState } from '../state/state.ts';
import { MAX_COST, MIN_COST } from '../tools/query/filter.ts';

/** Data and actions that the rows of a type use. */
export interface RulesContext {
  state: StudioState;
  /** Areas that were added to the list, without rules yet. */
  added: ReadonlySet<number>;
  change: (what: string, patch: Partial<AgentSize>) => void;
  /** Shows a message about invalid input. */
  say: (text: string) => void;
  /** Adds an area to the list. */
  add: (area: number) => void;
  explain: (help: string) => void;
}

/** Returns the rules of a type as a collapsible section. */
export function createTypeRules(type: AgentSize, isOpen: boolean, context: RulesContext): HTMLDetailsElement {
  const areas = areasOfType(context.state, type, context.added);
  return h(
    'details',
    { class: 'type-rules', open: isOpen },
    h('summary', {}, 'Areas, links, flags ', h('span', { class: 'note' }, summaryOfRules(context.state, type))),
    ...areas.map((area) => areaRow(type, area, context)),
    addRow(type, context),
    linksRow(type, context),
    flagsRow(type, 'includeFlags', context),
    flagsRow(type, 'excludeFlags', context),
  );
}

function areaRow(type: AgentSize, area: number, { state, change, explain }: RulesContext): HTMLElement {
  const name = nameOfArea(state, area);
  const { closedAreas = [], areaCosts = {} } = type;
  const box = h('input', {
    type: 'checkbox',
    checked: !closedAreas.includes(area),
    'aria-label': `${name} is open to ${type.name}`,
    onfocus: () => explain('Closed areas are walls to this type.'),
    onchange: () => {
      const others = closedAreas.filter((one) => one !== area);
      const closed = box.checked ? others : [...others, area].sort((a, b) => a - b);
      change(`${box.checked ? 'open' : 'close'} ${name}`, { closedAreas: closed.length === 0 ? undefined : closed });
    },
  });
  const cost = createNumberInput({
    label: `cost of ${name} for ${type.name}`,
    min: MIN_COST,
    max: MAX_COST,
    step: 0.5,
    value: areaCosts[area] ?? 1,
    onValue: (value) => {
      const { [area]: _, ...others } = areaCosts;
      const costs: Record<number, number> = value === 1 ? others : { ...others, [area]: value };
      change(`cost of ${name}`, { areaCosts: Object.keys(costs).length === 0 ? undefined : costs });
    },
  });
  cost.element.addEventListener('focus', () => explain('Cost of each unit of length in this area; 1 is usual.'));
  cost.element.disabled = closedAreas.includes(area);
  return h(
    'div',
    { class: 'type-area', 'data-area': area },
    h('label', {}, box, h('span', {}, name)),
    h('label', { class: 'type-cost' }, h('span', {}, 'cost'), cost.element),
  );
}

/** Returns the row that adds another area to the list, such as an area that no polygon has yet. */
function addRow(type: AgentSize, { add, explain }: RulesContext): HTMLElement {
  const area = createNumberInput({
    label: `further area of ${type.name}`,
    min: 1,
    max: 63,
    whole: true,
    value: 1,
    step: 1,
    onValue: () => undefined,
  });
  area.element.addEventListener('focus', () => explain('The id of an area, 1 to 63, that the list does not have.'));
  const button = h(
    'button',
    {
      class: 'button small',
      'aria-label': `Add area to ${type.name}`,
      onclick: () => {
        const id = Number(area.element.value);
        if (Number.isInteger(id) && id >= 1 && id <= 63) add(id);
      },
    },
    'Add area',
  );
  return h(
    'div',
    { class: 'type-area' },
    h('label', { class: 'type-cost' }, h('span', {}, 'area'), area.element),
    button,
  );
}

const KIND_TITLES: Record<LinkKind, string> = {
  other: 'other links',
  drop: 'drops',
  climb: 'climbs',
  vault: 'vaults',
  jump: 'jumps',
};

function linksRow(type: AgentSize, { change, explain }: RulesContext): HTMLElement {
  const { closedLinks = [] } = type;
  const boxes = [...LINK_KINDS.slice(1), LINK_KINDS[0]].map((kind) => {
    const box = h('input', {
      type: 'checkbox',
      checked: !closedLinks.includes(kind),
      'aria-label': `${KIND_TITLES[kind]} are open to ${type.name}`,
      onfocus: () => explain('Kinds of links that this type uses. Other links are those without a kind.'),
      onchange: () => {
        const closed = LINK_KINDS.filter((one) => (one === kind ? !box.checked : closedLinks.includes(one)));
        change(`${box.checked ? 'open' : 'close'} ${KIND_TITLES[kind]}`, {
          closedLinks: closed.length === 0 ? undefined : closed,
        });
      },
    });
    return h('label', {}, box, KIND_TITLES[kind]);
  });
  return h(
    'div',
    { class: 'type-links', role: 'group', 'aria-label': `Links that ${type.name} uses` },
    h('span', {}, 'Links'),
    ...boxes,
  );
}

const FLAG_TEXTS = {
  includeFlags: [
    'required flags',
    'Polygons and links need one of these flags, a number of 16 bits such as 0xffff.',
    0xffff,
  ],
  excludeFlags: ['excluded flags', 'Polygons and links must have none of these flags, such as 0x2.', 0],
} as const;

function flagsRow(
  type: AgentSize,
  key: 'includeFlags' | 'excludeFlags',
  { change, say, explain }: RulesContext,
): HTMLElement {
  const [title, help, usual] = FLAG_TEXTS[key];
  const input = h('input', {
    type: 'text',
    class: 'edit-text',
    'aria-label': `${title} of ${type.name}`,
    value: `0x${(type[key] ?? usual).toString(16)}`,
    onfocus: () => explain(help),
    onchange: () => {
      const flags = readFlags(input.value);
      if (flags === undefined) return say('Flags are 16 bits: a number from 0 to 65535, or 0x0 to 0xffff.');
      change(title, { [key]: flags === usual ? undefined : flags });
    },
  });
  const text = title.charAt(0).toUpperCase() + title.slice(1);
  return h('label', { class: 'setting', title: help }, h('span', { class: 'setting-name' }, text), input);
}
