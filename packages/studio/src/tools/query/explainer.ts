/**
 * Explains why a path is not complete. The code that does it is loaded with the first such path, and slow explanations
 * wait until the points rest.
 */
import type { Path, PathExplanation } from 'navkiln';
import { h } from '../../dom/dom.ts';
import type { Marks } from '../../view/marks.ts';
import { loadPart } from '../lazy.ts';
import { createDelay } from '../pending.ts';
import type { ToolContext } from '../tool.ts';
import type * as explanationCode from './explanation.ts';
import type { QueryInput } from './kind.ts';

/** An explanation that took longer than this, in ms, is not repeated with every movement. */
const LONG_MS = 6;
const REST_MS = 250;

export interface Explainer {
  /**
   * Explains a path that is not complete. Returns undefined for a complete path, and while the explanation waits for a
   * rest or for its code.
   */
  explain: (input: QueryInput, path: Path, meshId: number | undefined) => PathExplanation | undefined;
  draw: (marks: Marks, input: QueryInput, why: PathExplanation) => void;
  /** Offers to find the limit that closes the route. */
  element: HTMLElement;
  stop: () => void;
}

/**
 * Creates the explainer. `onReady` is called when the query should be answered again, because an explanation has
 * become available.
 */
export function createExplainer(context: ToolContext, onReady: () => void): Explainer {
  const { say } = context;
  const element = h('div', { hidden: true });
  let limits: ReturnType<typeof explanationCode.createLimits> | undefined;
  let code: typeof explanationCode | undefined;
  let isWanted = false;
  let lastMs = 0;
  let lastKey = '';
  const delay = createDelay();
  const load = async (): Promise<void> => {
    code = await loadPart(() => import('./explanation.ts'), say);
    limits = code?.createLimits(context, element);
    if (code !== undefined && isWanted) onReady();
  };
  return {
    explain({ mesh, points, values, filter, filterCode }, { status }, meshId) {
      delay.stop();
      const key = JSON.stringify([points, values, filterCode, meshId]);
      const isRepeated = key === lastKey;
      lastKey = key;
      isWanted = status !== 'complete';
      element.hidden = true;
      if (!isWanted) return undefined;
      if (code === undefined) {
        void load();
        return undefined;
      }
      if (!isRepeated && lastMs > LONG_MS) {
        delay.start(onReady, REST_MS);
        return undefined;
      }
      const start = performance.now();
      const explanation = code.explain(mesh, points['from']!, points['to']!, filter);
      lastMs = performance.now() - start;
      limits?.show(mesh, explanation, key);
      return explanation;
    },
    draw(marks, { mesh, points }, why) {
      code?.drawExplanation(marks, mesh, why, points);
      limits?.draw(marks);
    },
    element,
    stop() {
      isWanted = false;
      element.hidden = true;
      delay.stop();
    },
  };
}
