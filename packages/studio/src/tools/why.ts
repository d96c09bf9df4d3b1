/**
 * The "why not?" tool: a click asks the worker why a position is not walkable. The answer names the stage of
 * the bake and the value that decided.
 */
import type { Answer } from '../bake/protocol.ts';
import { h, row } from '../dom/dom.ts';
import { formatPoint, wordsOf } from '../state/format.ts';
import { inPanelWords } from '../state/settings.ts';
import { isPoint } from '../state/state.ts';
import type { Vec3 } from '../state/state.ts';
import type { Drawing } from '../view/drawing.ts';
import { localOf } from './edit/shared.ts';
import { NOTHING_HERE } from './tool.ts';
import type { Tool, ToolContext } from './tool.ts';

type Explanation = Extract<Answer, { kind: 'why' }>['explanation'];

/** Names of numbers that are not clear from their names in code. */
const TITLES: Readonly<Record<string, string>> = { radiusInCells: 'radius in whole cells, m' };

export function createWhyTool(context: ToolContext): Tool {
  const { saved, save, redraw, palette, ask } = context;
  const sentence = h('p', { class: 'why-text' });
  const rows = h('div', { class: 'rows' });
  const panel = h('div', {}, sentence, rows);
  let at: Vec3 | undefined;
  let explanation: Explanation | undefined;
  let isOn = false;

  const load = async (): Promise<void> => {
    if (at === undefined) return;
    const answer = await ask({ type: 'why', at }, 'why');
    if (!isOn || at === undefined || answer === undefined) return;
    explanation = answer.explanation;
    panel.classList.toggle('is-walkable', explanation.code === 'walkable');
    sentence.textContent = inPanelWords(explanation.message);
    const numbers = Object.entries(explanation.numbers).filter(([, value]) => Number.isFinite(value));
    rows.replaceChildren(
      row('Stage', explanation.stage),
      row('Position', formatPoint(at)),
      ...(explanation.triangle < 0 ? [] : [row('Triangle', String(explanation.triangle))]),
      ...numbers.map(([name, value]) =>
        row(TITLES[name] ?? wordsOf(inPanelWords(name)), String(Number(value.toFixed(3)))),
      ),
    );
    save({ at: at.map((value) => Number(value.toFixed(3))) });
    redraw();
  };
  const forget = (): void => {
    at = explanation = undefined;
    sentence.textContent = '';
    rows.replaceChildren();
    redraw();
  };
  return {
    panel,
    enter() {
      isOn = true;
      const kept = saved()['at'];
      if (at === undefined && isPoint(kept)) at = kept;
      void load();
    },
    leave: () => void (isOn = false),
    click(pointer) {
      at = pointer.hit()?.point;
      explanation = undefined;
      if (at === undefined) {
        context.say('info', NOTHING_HERE, NOTHING_HERE);
        forget();
      } else {
        redraw();
        void load();
      }
    },
    changed(_state, keys) {
      if (keys.has('source')) forget();
      else if (keys.has('mesh')) void load();
    },
    hover: () => 'crosshair',
    draw() {
      if (at === undefined) return [];
      const local = (...points: Vec3[]): Float32Array => localOf(context, points);
      const { halo, start, end } = palette();
      const color = explanation?.code === 'walkable' ? start : end;
      const drawings: Drawing[] = [
        { kind: 'points', positions: local(at), color: halo, size: 10, isOnTop: true },
        { kind: 'points', positions: local(at), color, size: 7, isOnTop: true, order: 1 },
      ];
      const where = explanation?.where;
      if (where !== undefined) {
        drawings.push(
          { kind: 'lines', positions: local(at, where), color: halo, width: 6, isOnTop: true },
          { kind: 'lines', positions: local(at, where), color, width: 3, isOnTop: true, order: 1 },
          { kind: 'points', positions: local(where), color, size: 4, isOnTop: true, order: 2 },
        );
      }
      return drawings;
    },
    inspect: () => explanation,
  };
}
