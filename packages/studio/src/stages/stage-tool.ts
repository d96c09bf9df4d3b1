/**
 * The scrubber through the stages of the bake: a slider, the keys [ and ], a picture of each stage with its
 * counts and its time. The worker bakes the tile that is looked at, keeps what every stage made of it, and
 * draws one stage at a time.
 */
import type { Answer } from '../bake/protocol.ts';
import { h, row } from '../dom/dom.ts';
import { formatCount, formatMs } from '../state/format.ts';
import { boundsOf, isPoint, originOf } from '../state/state.ts';
import type { Bounds, Vec3 } from '../state/state.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { drawingOf } from '../view/debug-geometry.ts';
import type { Drawing } from '../view/drawing.ts';

type StageAnswer = Extract<Answer, { kind: 'stage' }>;

/** Layers that stay beside a stage. */
const BESIDE = ['level-edges'];
/** Stages that are lines alone: the level is needed to see where they lie. */
const WITH_LEVEL = ['raw-contours', 'contours', 'polygons', 'detail', 'portals', 'tree', 'links'];

export function createStageTool({ store, saved, save, redraw, ask }: ToolContext): Tool {
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: 12,
    step: 1,
    class: 'stage-slider',
    'aria-label': 'Stage',
    oninput: () => show(Number(slider.value)),
  });
  const back = h(
    'button',
    {
      class: 'icon-button',
      title: 'A stage back ([)',
      'aria-label': 'A stage back',
      onclick: () => step(-1),
    },
    '‹',
  );
  const on = h(
    'button',
    {
      class: 'icon-button',
      title: 'A stage on (])',
      'aria-label': 'A stage on',
      onclick: () => step(1),
    },
    '›',
  );
  const title = h('h3', { class: 'stage-title' });
  const text = h('p', { class: 'hint' });
  const rows = h('div', { class: 'rows' });
  const note = h('p', { class: 'stage-note' });
  const panel = h(
    'div',
    { class: 'stage-panel' },
    h('div', { class: 'stage-scrub' }, back, slider, on),
    title,
    text,
    rows,
    note,
  );
  let answer: StageAnswer | undefined;
  let stage = '';
  let at: Vec3 | undefined;
  let isOn = false;

  const load = async (): Promise<void> => {
    const found = await ask({ type: 'stage', stage, at }, 'stage');
    if (found === undefined || !isOn) return;
    answer = found;
    const { stages, view, tile } = found;
    const number = stages.findIndex(({ id }) => id === view.id);
    stage = view.id;
    slider.max = String(stages.length - 1);
    slider.value = String(number);
    slider.setAttribute('aria-valuetext', view.title);
    title.textContent = `${number + 1} of ${stages.length}: ${view.title}`;
    text.textContent = view.text;
    const counts = Object.entries(view.counts).map(([name, value]) => row(name, formatCount(value)));
    rows.replaceChildren(
      ...counts,
      ...(view.ms >= 0 ? [row('took', formatMs(view.ms))] : []),
      ...(tile === undefined ? [] : [row('tile', `${tile[0]}, ${tile[1]}`)]),
    );
    note.textContent = view.note;
    save({ stage, ...(at === undefined ? {} : { at: at.map((value) => Number(value.toFixed(2))) }) });
    // Of one tile alone it would not be seen where it lies.
    store.update({ solo: WITH_LEVEL.includes(stage) || tile !== undefined ? ['level', 'parts', ...BESIDE] : BESIDE });
    redraw();
  };
  const show = (number: number): void => {
    const next = answer?.stages[number];
    if (next === undefined) return;
    stage = next.id;
    void load();
  };
  const step = (by: number): void => {
    const number = answer?.stages.findIndex(({ id }) => id === stage) ?? -1;
    show(Math.min((answer?.stages.length ?? 1) - 1, Math.max(0, number + by)));
  };
  return {
    panel,
    step,
    enter() {
      isOn = true;
      const kept = saved();
      if (typeof kept['stage'] === 'string') stage = kept['stage'];
      if (isPoint(kept['at'])) at = kept['at'];
      void load();
    },
    leave() {
      isOn = false;
      store.update({ solo: undefined });
    },
    click(pointer) {
      at = pointer.hit()?.point ?? at;
      void load();
    },
    changed(_state, keys) {
      if (keys.has('source')) {
        at = undefined;
        answer = undefined;
        redraw();
      }
      if (keys.has('mesh') || (keys.has('source') && boundsOf(store.get()) !== undefined)) void load();
    },
    draw() {
      if (answer === undefined) return [];
      const origin = originOf(store.get());
      const drawings: Drawing[] = answer.view.lists
        .filter(({ positions }) => positions.length > 0)
        .map((list) =>
          drawingOf(
            list,
            origin,
            list.kind === 'lines'
              ? ({ width: 2, order: 2 } as Partial<Drawing>)
              : ({ lift: WITH_LEVEL.includes(stage) ? 1 : 0 } as Partial<Drawing>),
          ),
        );
      return answer.box === undefined ? drawings : [...drawings, tileFrame(answer.box, origin)];
    },
    inspect: () =>
      answer === undefined
        ? undefined
        : {
            stage: answer.view.id,
            counts: answer.view.counts,
            note: answer.view.note,
            ms: answer.view.ms,
            tile: answer.tile,
            stages: answer.stages.map(({ id }) => id),
          },
  };
}

/** The square of the tile that is looked at, at its foot. */
function tileFrame({ min, max }: Bounds, origin: Vec3, color = '#8a5a00'): Drawing {
  const corners: [number, number][] = [
    [min[0], min[2]],
    [max[0], min[2]],
    [max[0], max[2]],
    [min[0], max[2]],
  ];
  const positions = corners.flatMap(([x, z], i) => {
    const [u, w] = corners[(i + 1) % 4];
    return [x - origin[0], min[1] - origin[1], z - origin[2], u - origin[0], min[1] - origin[1], w - origin[2]];
  });
  return { kind: 'lines', positions: Float32Array.from(positions), color, width: 2, isOnTop: true, isDashed: true };
}
