/** The card of the crowd tool: which crowd, its time, what a click does, who is selected, what is drawn. */
import { h, icon } from '../dom/dom.ts';
import { CROWD_SCENES, MAX_AGENTS, crowdSceneHash } from '../scenes/crowd-scenes.ts';
import { formatCount, plural } from '../state/format.ts';
import type { StudioState } from '../state/state.ts';
import { OVERLAYS } from './overlays.ts';
import { MAX_SPEED, MIN_SPEED } from './stage.ts';
import type { CrowdStage } from './stage.ts';

const ICONS = {
  restart: 'M6 5v14M19 5l-9 7 9 7z',
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  step: 'M5 5l9 7-9 7zM18 5v14',
} as const;

export function createCrowdPanel(
  stage: CrowdStage,
  state: () => StudioState,
): { element: HTMLElement; refresh: () => void } {
  const own = h('option', { value: '' });
  const scenes = h(
    'select',
    { 'aria-label': 'Crowd scene', 'data-crowd': 'scene', onchange: () => openScene() },
    own,
    h(
      'optgroup',
      { label: 'Scenes' },
      ...CROWD_SCENES.map(({ name, title }) => h('option', { value: name, title }, title.split(':')[0])),
    ),
  );
  const count = h('input', {
    type: 'number',
    min: 2,
    max: MAX_AGENTS,
    'aria-label': 'Agents',
    title: 'How many agents the scene has',
    'data-crowd': 'agents',
    onchange: () => openScene(),
  });
  const openScene = (): void => {
    const entry = CROWD_SCENES.find(({ name }) => name === scenes.value);
    if (entry === undefined) return stage.clear();
    const { source } = state();
    const isSame = source?.kind === 'scene' && source.name === entry.name;
    const wanted = isSame ? Math.round(Number(count.value)) : entry.agents;
    const agents = Number.isFinite(wanted) && wanted >= 2 ? Math.min(MAX_AGENTS, wanted) : entry.agents;
    location.hash = crowdSceneHash(entry, agents, isSame ? source.seed : undefined);
  };
  const button = (name: keyof typeof ICONS, title: string, run: () => void): HTMLButtonElement =>
    h(
      'button',
      { class: 'icon-button', title, 'aria-label': title, 'data-crowd': name, onclick: run },
      icon(ICONS[name]),
    );
  const play = button('play', 'Run or pause (Space)', () => stage.play(stage.view()?.options.isPlaying !== true));
  const clock = h('output', { class: 'note crowd-clock' });
  const timeline = h('input', {
    type: 'range',
    class: 'crowd-wide',
    'aria-label': 'Time',
    title: 'Drag back through what has been',
    'data-crowd': 'time',
    oninput: () => stage.seek(Number(timeline.value), false),
    onchange: () => stage.seek(Number(timeline.value), true),
  });
  const speed = h('input', {
    type: 'range',
    class: 'crowd-wide',
    min: Math.log2(MIN_SPEED),
    max: Math.log2(MAX_SPEED),
    step: 'any',
    'aria-label': 'Speed',
    'data-crowd': 'speed',
    oninput: () => stage.setOptions({ speed: roundSpeed(2 ** Number(speed.value)) }),
  });
  const speedText = h('output', { class: 'note' });
  const modes = (['send', 'add'] as const).map((mode) =>
    h(
      'button',
      {
        class: 'button small',
        'data-crowd': mode,
        'aria-pressed': 'false',
        onclick: () => stage.setOptions({ mode }),
        title:
          mode === 'add'
            ? 'A click adds agents'
            : 'A click selects an agent, or sends the selected one (all, when none is, or with Shift)',
      },
      mode === 'send' ? 'Send' : 'Add',
    ),
  );
  const group = h('input', {
    type: 'number',
    min: 1,
    max: 500,
    value: 10,
    'aria-label': 'Agents a click adds',
    'data-crowd': 'group',
    onchange: () =>
      stage.setOptions({ mode: 'add', group: Math.max(1, Math.min(500, Math.round(Number(group.value)) || 1)) }),
  });
  const sentence = h('p', { class: 'crowd-sentence', 'aria-live': 'off' });
  const follow = h(
    'button',
    {
      class: 'button small',
      'data-crowd': 'follow',
      'aria-pressed': 'false',
      onclick: () => stage.follow(stage.view()?.isFollowing !== true),
    },
    'Follow',
  );
  const selected = h(
    'div',
    { class: 'crowd-selected', hidden: true },
    sentence,
    h(
      'div',
      { class: 'buttons' },
      follow,
      h('button', { class: 'button small', onclick: () => stage.stopSelected() }, 'Stop'),
      h('button', { class: 'button small', 'data-crowd': 'remove', onclick: () => stage.removeSelected() }, 'Remove'),
    ),
  );
  const boxes = OVERLAYS.map(({ id, title, help }) => ({
    id,
    box: h('input', {
      type: 'checkbox',
      'data-overlay': id,
      onchange: () => {
        const overlays = new Set(stage.view()?.options.overlays);
        if (!overlays.delete(id)) overlays.add(id);
        stage.setOptions({ overlays });
      },
    }),
    title,
    help,
  }));
  const forAll = h('input', { type: 'checkbox', onchange: () => stage.setOptions({ isForAll: forAll.checked }) });
  const signs = h('input', { type: 'checkbox', onchange: () => stage.setOptions({ hasSigns: signs.checked }) });
  const label = (box: HTMLElement, title: string, help: string): HTMLElement => h('label', { title: help }, box, title);
  const drawn = h(
    'details',
    { class: 'crowd-drawn' },
    h('summary', {}, 'What is drawn'),
    h(
      'div',
      { class: 'crowd-boxes' },
      ...boxes.map(({ box, title, help }) => label(box, title, help)),
      label(forAll, 'For all', 'Of all agents (at most 400), not only of the selected one.'),
      label(signs, 'Signs', 'How each agent fares.'),
    ),
  );
  const element = h(
    'div',
    { class: 'crowd-panel' },
    h('div', { class: 'crowd-line' }, scenes, count),
    h(
      'div',
      { class: 'crowd-line' },
      button('restart', 'Back to the beginning', () => stage.restart()),
      play,
      button('step', 'One tick (.)', () => stage.step()),
      clock,
    ),
    timeline,
    h('div', { class: 'crowd-line' }, h('span', { class: 'note' }, 'Speed'), speed, speedText),
    h('div', { class: 'crowd-line' }, ...modes, group),
    selected,
    drawn,
  );
  let isPlayIcon: boolean | undefined;
  const refresh = (): void => {
    const view = stage.view();
    if (view === undefined) return;
    const { options, seconds, tick, first, last, scene, numbers, selected: one, isFollowing } = view;
    own.textContent = view.file ?? 'Your own, on this level';
    scenes.value = scene ?? '';
    count.hidden = scene === undefined;
    if (document.activeElement !== count) count.value = String(numbers.agents);
    if (isPlayIcon !== options.isPlaying) play.replaceChildren(icon(options.isPlaying ? ICONS.pause : ICONS.play));
    isPlayIcon = options.isPlaying;
    clock.textContent = `${seconds.toFixed(1)} s${scene === undefined ? ` · ${formatCount(numbers.agents)}` : ''}`;
    clock.title = plural(numbers.agents, 'agent');
    timeline.min = String(first);
    timeline.max = String(Math.max(last, first + 1));
    timeline.value = String(tick);
    if (document.activeElement !== speed) speed.value = String(Math.log2(options.speed));
    speedText.textContent = `${options.speed}×`;
    modes.forEach((mode, i) => mode.setAttribute('aria-pressed', String((options.mode === 'send') === (i === 0))));
    selected.hidden = one === undefined;
    if (one !== undefined) {
      const { text, path } = one.explanation;
      sentence.replaceChildren(
        h('strong', {}, `Agent ${one.slot}`),
        ` ${text}${path === null ? '' : ` ${path.message}`}`,
      );
      follow.setAttribute('aria-pressed', String(isFollowing));
    }
    for (const { id, box } of boxes) box.checked = options.overlays.has(id);
    forAll.checked = options.isForAll;
    signs.checked = options.hasSigns;
  };
  return { element, refresh };
}

function roundSpeed(value: number): number {
  // 1 is easy to meet.
  const near = Math.abs(Math.log2(value)) < 0.12 ? 1 : value;
  return Math.max(MIN_SPEED, Math.min(MAX_SPEED, Number(near.toPrecision(2))));
}
