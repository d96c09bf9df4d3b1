/**
 * The stages tool: a slider through the stages of the bake, with a drawing, counts and the time of each. The
 * worker bakes the selected tile, records all its stages, and sends one stage at a time.
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

/** Layers that stay visible with every stage. */
const KEPT_LAYERS = ['level-edges'];
/** Stages that consist of lines only. The level stays visible with them, to show where the lines are. */
const WITH_LEVEL = ['raw-contours', 'contours', 'polygons', 'detail', 'portals', 'tree', 'links'];

/** The state that the functions of this file share. */
interface StageViewer {
  context: ToolContext;
  card: StageCard;
  answer: StageAnswer | undefined;
  /** Id of the stage; '' is the first one. */
  stage: string;
  /** A position in the tile to look at; undefined: the tile with the most triangles. */
  at: Vec3 | undefined;
  isActive: boolean;
}

export function createStageTool(context: ToolContext): Tool {
  const viewer: StageViewer = {
    context,
    card: createCard(
      (index) => showStage(viewer, index),
      (by) => step(viewer, by),
    ),
    answer: undefined,
    stage: '',
    at: undefined,
    isActive: false,
  };
  const { store, saved, redraw } = context;
  return {
    panel: viewer.card.panel,
    step: (by) => step(viewer, by),
    enter() {
      viewer.isActive = true;
      const kept = saved();
      if (typeof kept['stage'] === 'string') viewer.stage = kept['stage'];
      if (isPoint(kept['at'])) viewer.at = kept['at'];
      void load(viewer);
    },
    leave() {
      viewer.isActive = false;
      store.update({ solo: undefined });
    },
    click(pointer) {
      viewer.at = pointer.hit()?.point ?? viewer.at;
      void load(viewer);
    },
    changed(_state, keys) {
      if (keys.has('source')) {
        viewer.at = viewer.answer = undefined;
        redraw();
      }
      if (keys.has('mesh') || (keys.has('source') && boundsOf(store.get()) !== undefined)) void load(viewer);
    },
    draw: () => draw(viewer),
    inspect: () => inspect(viewer),
  };
}

/** Asks the worker for the stage and shows it. */
async function load(viewer: StageViewer): Promise<void> {
  const { store, save, redraw, ask } = viewer.context;
  const answer = await ask({ type: 'stage', stage: viewer.stage, at: viewer.at }, 'stage');
  if (answer === undefined || !viewer.isActive) return;
  viewer.answer = answer;
  viewer.stage = answer.view.id;
  viewer.card.show(answer);
  const { stage, at } = viewer;
  save({ stage, ...(at === undefined ? {} : { at: at.map((value) => Number(value.toFixed(2))) }) });
  // The drawing of a single tile also needs the level around it.
  const needsLevel = WITH_LEVEL.includes(stage) || answer.tile !== undefined;
  store.update({ solo: needsLevel ? ['level', 'parts', ...KEPT_LAYERS] : KEPT_LAYERS });
  redraw();
}

function showStage(viewer: StageViewer, index: number): void {
  const next = viewer.answer?.stages[index];
  if (next === undefined) return;
  viewer.stage = next.id;
  void load(viewer);
}

function step(viewer: StageViewer, by: number): void {
  const { answer, stage } = viewer;
  const index = answer?.stages.findIndex(({ id }) => id === stage) ?? -1;
  showStage(viewer, Math.min((answer?.stages.length ?? 1) - 1, Math.max(0, index + by)));
}

interface StageCard {
  panel: HTMLElement;
  show: (answer: StageAnswer) => void;
}

function createCard(onSlide: (index: number) => void, onStep: (by: number) => void): StageCard {
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: 12,
    step: 1,
    class: 'stage-slider',
    'aria-label': 'Stage',
    oninput: () => onSlide(Number(slider.value)),
  });
  const stepButton = (label: string, key: string, sign: string, by: number): HTMLElement =>
    h(
      'button',
      { class: 'icon-button', title: `${label} (${key})`, 'aria-label': label, onclick: () => onStep(by) },
      sign,
    );
  const title = h('h3', { class: 'stage-title' });
  const text = h('p', { class: 'hint' });
  const rows = h('div', { class: 'rows' });
  const note = h('p', { class: 'stage-note' });
  const back = stepButton('Previous stage', '[', '‹', -1);
  const forward = stepButton('Next stage', ']', '›', 1);
  const scrubber = h('div', { class: 'stage-scrub' }, back, slider, forward);
  return {
    panel: h('div', { class: 'stage-panel' }, scrubber, title, text, rows, note),
    show({ stages, view, tile }) {
      const index = stages.findIndex(({ id }) => id === view.id);
      slider.max = String(stages.length - 1);
      slider.value = String(index);
      slider.setAttribute('aria-valuetext', view.title);
      title.textContent = `${index + 1} of ${stages.length}: ${view.title}`;
      text.textContent = view.text;
      rows.replaceChildren(
        ...Object.entries(view.counts).map(([name, value]) => row(name, formatCount(value))),
        ...(view.ms >= 0 ? [row('time', formatMs(view.ms))] : []),
        ...(tile === undefined ? [] : [row('tile', `${tile[0]}, ${tile[1]}`)]),
      );
      note.textContent = view.note;
    },
  };
}

function draw({ context, answer, stage }: StageViewer): Drawing[] {
  if (answer === undefined) return [];
  const origin = originOf(context.store.get());
  const triangleStyle = { lift: WITH_LEVEL.includes(stage) ? 1 : 0 } as Partial<Drawing>;
  const lineStyle = { width: 2, order: 2 } as Partial<Drawing>;
  const drawings = answer.view.lists
    .filter(({ positions }) => positions.length > 0)
    .map((geometry) => drawingOf(geometry, origin, geometry.kind === 'lines' ? lineStyle : triangleStyle));
  return answer.box === undefined ? drawings : [...drawings, tileFrame(answer.box, origin)];
}

function inspect({ answer }: StageViewer): unknown {
  if (answer === undefined) return undefined;
  const { view, tile, stages } = answer;
  const { id, counts, note, ms } = view;
  return { stage: id, counts, note, ms, tile, stages: stages.map((stage) => stage.id) };
}

const FRAME_COLOR = '#8a5a00';

/** Draws the outline of the tile at its lowest height. */
function tileFrame({ min, max }: Bounds, origin: Vec3): Drawing {
  const corners: [number, number][] = [
    [min[0], min[2]],
    [max[0], min[2]],
    [max[0], max[2]],
    [min[0], max[2]],
  ];
  const positions = corners.flatMap(([x, z], i) => {
    const [nextX, nextZ] = corners[(i + 1) % 4];
    const y = min[1] - origin[1];
    return [x - origin[0], y, z - origin[2], nextX - origin[0], y, nextZ - origin[2]];
  });
  const style = { color: FRAME_COLOR, width: 2, isOnTop: true, isDashed: true };
  return { kind: 'lines', positions: Float32Array.from(positions), ...style };
}
