/**
 * The card of the crowd tool: the scene, the timeline, the action of a click, the selected agent, and overlays.
 */
import { forPointer, h, icon } from '../dom/dom.ts';
import { choiceField } from '../dom/fields.ts';
import { createNumberInput } from '../dom/number-input.ts';
import { ALL_CROWDS, MAX_AGENTS, crowdSceneHash } from '../scenes/crowd-scenes.ts';
import { plural, visible } from '../state/format.ts';
import type { StudioState } from '../state/state.ts';
import { OVERLAYS } from './drawing/overlays.ts';
import { numberField } from '../tools/edit/shared.ts';
import { MAX_SPEED, MIN_SPEED } from './options.ts';
import type { CrowdOptions } from './options.ts';
import { createDoorSection, createParameterSection } from './parameters.ts';
import type { Section } from './parameters.ts';
import type { CrowdRunner } from './runner.ts';

const ICONS = {
  restart: 'M6 5v14M19 5l-9 7 9 7z',
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  step: 'M5 5l9 7-9 7zM18 5v14',
} as const;

const MAX_GROUP = 500;

export function createCrowdPanel(
  runner: CrowdRunner,
  state: () => StudioState,
): { element: HTMLElement; refresh: () => void } {
  const sections = [
    createSceneSection(runner, state),
    createTimeSection(runner),
    createDoorSection(runner),
    createClickSection(runner),
    createSelectedSection(runner),
    createParameterSection(runner),
    createDrawingSection(runner),
  ];
  return {
    element: h('div', { class: 'crowd-panel' }, ...sections.flatMap(({ elements }) => elements)),
    refresh() {
      const status = runner.status();
      if (status !== undefined) for (const section of sections) section.refresh(status);
    },
  };
}

function line(...children: HTMLElement[]): HTMLElement {
  return h('div', { class: 'crowd-line' }, ...children);
}

/** Creates the section with the crowd scene and its number of agents. */
function createSceneSection(runner: CrowdRunner, state: () => StudioState): Section {
  const openScene = (): void => {
    const entry = ALL_CROWDS.find(({ name }) => name === scenes.value);
    if (entry === undefined) return runner.clear();
    const { source } = state();
    const isSame = source?.kind === 'scene' && source.name === entry.name;
    const wanted = isSame ? Number(count.element.value) : entry.agents;
    const agents = Number.isInteger(wanted) && wanted >= 2 ? Math.min(MAX_AGENTS, wanted) : entry.agents;
    location.hash = crowdSceneHash(entry, agents, isSame ? source.seed : undefined);
  };
  const own = h('option', { value: '' });
  const entries = ALL_CROWDS.map(({ name, title }) => h('option', { value: name, title }, title.split(':')[0]));
  const scenes = h(
    'select',
    { 'aria-label': 'Crowd scene', 'data-crowd': 'scene', onchange: openScene },
    own,
    h('optgroup', { label: 'Scenes' }, ...entries),
  );
  const count = createNumberInput({
    label: 'agents',
    min: 2,
    max: MAX_AGENTS,
    whole: true,
    step: 10,
    props: { title: 'Number of agents in the scene', 'data-crowd': 'agents' },
    onValue: () => openScene(),
  });
  return {
    elements: [line(scenes, count.element)],
    refresh({ scene, file, numbers }) {
      own.textContent = visible(file ?? 'Your own, on this level');
      scenes.value = scene ?? '';
      count.element.hidden = scene === undefined;
      if (document.activeElement !== count.element) count.show(numbers.agents);
    },
  };
}

/** Creates the section with play, step, the timeline and the speed. */
function createTimeSection(runner: CrowdRunner): Section {
  const button = (name: keyof typeof ICONS, title: string, run: () => void): HTMLButtonElement =>
    h(
      'button',
      { class: 'icon-button', title, 'aria-label': title, 'data-crowd': name, onclick: run },
      icon(ICONS[name]),
    );
  const restart = button('restart', 'Back to the start', () => runner.restart());
  const play = button('play', 'Run or pause (Space)', () => runner.play(runner.status()?.options.isPlaying !== true));
  const step = button('step', 'Run one tick (.)', () => runner.step());
  const clock = h('output', { class: 'note crowd-clock' });
  const timeline = h('input', {
    type: 'range',
    class: 'crowd-wide',
    'aria-label': 'Time',
    title: 'Drag to go back in time',
    'data-crowd': 'time',
    oninput: () => runner.seek(Number(timeline.value), false),
    onchange: () => runner.seek(Number(timeline.value), true),
  });
  const speed = h('input', {
    type: 'range',
    class: 'crowd-wide',
    min: Math.log2(MIN_SPEED),
    max: Math.log2(MAX_SPEED),
    step: 'any',
    'aria-label': 'Speed',
    'data-crowd': 'speed',
    oninput: () => runner.setOptions({ speed: roundSpeed(2 ** Number(speed.value)) }),
  });
  const speedText = h('output', { class: 'note' });
  let isPlayIcon: boolean | undefined;
  return {
    elements: [
      line(restart, play, step, clock),
      timeline,
      line(h('span', { class: 'note' }, 'Speed'), speed, speedText),
    ],
    refresh({ options, seconds, tick, first, last, scene, numbers }) {
      if (isPlayIcon !== options.isPlaying) play.replaceChildren(icon(options.isPlaying ? ICONS.pause : ICONS.play));
      isPlayIcon = options.isPlaying;
      clock.textContent = `${seconds.toFixed(1)} s${scene === undefined ? ` · ${plural(numbers.agents, 'agent')}` : ''}`;
      clock.title = plural(numbers.agents, 'agent');
      timeline.min = String(first);
      timeline.max = String(Math.max(last, first + 1));
      timeline.value = String(tick);
      if (document.activeElement !== speed) speed.value = String(Math.log2(options.speed));
      speedText.textContent = `${options.speed}×`;
    },
  };
}

/** Rounds a speed to two digits; values near 1 become 1. */
function roundSpeed(value: number): number {
  const rounded = Math.abs(Math.log2(value)) < 0.12 ? 1 : value;
  return Math.max(MIN_SPEED, Math.min(MAX_SPEED, Number(rounded.toPrecision(2))));
}

const MODES = [
  { mode: 'send', label: 'Send', title: 'A click selects an agent or sends the selected one; with Shift it sends all' },
  { mode: 'add', label: 'Add', title: 'A click adds agents' },
  { mode: 'obstacle', label: 'Block', title: 'A click adds an obstacle; drag it through the crowd' },
] as const;

const SHAPES = [
  ['box', 'box'],
  ['cylinder', 'cylinder'],
] as const;

/** Creates the section with the action of a click. */
function createClickSection(runner: CrowdRunner): Section {
  const modes = MODES.map(({ mode, label, title }) => {
    const onclick = (): void => runner.setOptions({ mode });
    return h('button', { class: 'button small', 'data-crowd': mode, 'aria-pressed': 'false', title, onclick }, label);
  });
  const group = createNumberInput({
    label: 'agents per click',
    min: 1,
    max: MAX_GROUP,
    whole: true,
    value: 10,
    props: { 'data-crowd': 'group' },
    onValue: (count) => runner.setOptions({ mode: 'add', group: count }),
  });
  const shape = choiceField('Obstacle', (value) => set({ shape: value as 'box' | 'cylinder' }));
  const set = (patch: Partial<CrowdOptions['obstacle']>): void =>
    runner.setOptions({ obstacle: { ...runner.status()!.options.obstacle, ...patch } });
  const width = numberField('Width', 'm', 1.5, { min: 0.1, step: 0.5 }, (value) => set({ width: value }));
  const height = numberField('Height', 'm', 1.5, { min: 0.1, step: 0.5 }, (value) => set({ height: value }));
  const note = h('p', { class: 'hint' });
  const adding = h('p', { class: 'hint' });
  const fields = [shape, width, height].map(({ element }) => element);
  const obstacle = h('div', {}, ...fields, note);
  return {
    elements: [line(...modes, group.element), adding, obstacle],
    refresh({ options, live }) {
      group.element.hidden = options.mode === 'obstacle';
      adding.textContent = forPointer(`Click the surface to add ${plural(options.group, 'agent')}.`);
      adding.hidden = options.mode !== 'add';
      obstacle.hidden = options.mode !== 'obstacle';
      shape.set(SHAPES, options.obstacle.shape);
      width.set(options.obstacle.width);
      height.set(options.obstacle.height);
      note.textContent = forPointer(
        live === undefined
          ? 'The first obstacle divides the level into tiles.'
          : `${plural(live.obstacles, 'obstacle')}${live.pending > 0 ? `, ${plural(live.pending, 'tile')} to rebuild` : ''}. Drag one; Shift-click removes it.`,
      );
      MODES.forEach(({ mode }, i) => modes[i].setAttribute('aria-pressed', String(options.mode === mode)));
    },
  };
}

/** Creates the section that explains what the selected agent does and why, with buttons. */
function createSelectedSection(runner: CrowdRunner): Section {
  const button = (label: string, onclick: () => void, props: Record<string, string> = {}): HTMLButtonElement =>
    h('button', { class: 'button small', onclick, ...props }, label);
  const sentence = h('p', { class: 'crowd-sentence', 'aria-live': 'off' });
  const toggleFollow = (): void => runner.follow(runner.status()?.isFollowing !== true);
  const follow = button('Follow', toggleFollow, {
    'data-crowd': 'follow',
    'aria-pressed': 'false',
    title: 'The camera follows it',
  });
  const navigation = button('Navigation', () => runner.toggleNavigation(), {
    title: 'Off: it stands, and keeps its order and its path',
    'data-crowd': 'navigation',
    'aria-pressed': 'true',
  });
  const center = button('Center', () => runner.centerSelected(), { title: 'Move the camera to it' });
  const stop = button('Stop', () => runner.stopSelected());
  const remove = button('Remove', () => runner.removeSelected(), { 'data-crowd': 'remove' });
  const buttons = h('div', { class: 'buttons' }, navigation, center, follow, stop, remove);
  const element = h('div', { class: 'crowd-selected', hidden: true }, sentence, buttons);
  return {
    elements: [element],
    refresh({ selected, isFollowing }) {
      element.hidden = selected === undefined;
      if (selected === undefined) return;
      const { message: text, path } = selected.explanation;
      const reason = path === null ? '' : ` ${path.message}`;
      sentence.replaceChildren(h('strong', {}, `Agent ${selected.slot}`), ` ${text}${reason}`);
      follow.setAttribute('aria-pressed', String(isFollowing));
      navigation.setAttribute('aria-pressed', String(!selected.isPaused));
    },
  };
}

/** Creates the section that shows and hides overlays and signs. */
function createDrawingSection(runner: CrowdRunner): Section {
  const boxes = OVERLAYS.map(({ id, title, help }) => {
    const toggle = (): void => {
      const overlays = new Set(runner.status()?.options.overlays);
      if (!overlays.delete(id)) overlays.add(id);
      runner.setOptions({ overlays });
    };
    return { id, box: h('input', { type: 'checkbox', 'data-overlay': id, onchange: toggle }), title, help };
  });
  const forAll = h('input', { type: 'checkbox', onchange: () => runner.setOptions({ isForAll: forAll.checked }) });
  const signs = h('input', { type: 'checkbox', onchange: () => runner.setOptions({ hasSigns: signs.checked }) });
  const label = (box: HTMLElement, title: string, help: string): HTMLElement => h('label', { title: help }, box, title);
  const labels = [
    ...boxes.map(({ box, title, help }) => label(box, title, help)),
    label(forAll, 'For all', 'Draw overlays for all agents (at most 400), not only for the selected one.'),
    label(signs, 'Signs', 'Show the status of each agent above its head.'),
  ];
  return {
    elements: [
      h(
        'details',
        { class: 'crowd-drawn' },
        h('summary', {}, 'Drawing'),
        h('div', { class: 'crowd-boxes' }, ...labels),
      ),
    ],
    refresh({ options }) {
      for (const { id, box } of boxes) box.checked = options.overlays.has(id);
      forAll.checked = options.isForAll;
      signs.checked = options.hasSigns;
    },
  };
}
