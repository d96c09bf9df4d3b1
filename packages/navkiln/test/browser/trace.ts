/**
 * The longest tasks of a page by the browser's trace: the time on the page's thread, without the time that other processes took it from
 * the processor. So limits also hold on a busy machine.
 */
import type { Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Time on the thread, microseconds. */
  tdur?: number;
}

/** Returns the phases with their longest task, ms. A phase begins at a mark of the page. */
function longestTasks(trace: Buffer): Record<string, number> {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const marks = traceEvents.filter(({ name }) => name.startsWith('phase: ')).toSorted((a, b) => a.ts - b.ts);
  const longest: Record<string, number> = {};
  for (const { name, ph, pid, tid, ts, tdur } of traceEvents) {
    const isTask = name.endsWith('RunTask') && ph === 'X' && pid === marks[0]!.pid && tid === marks[0]!.tid;
    const phase = isTask ? marks.findLast((mark) => mark.ts <= ts)?.name : undefined;
    // The last task is cut off by the end of the trace.
    if (phase !== undefined && tdur !== undefined) longest[phase] = Math.max(longest[phase] ?? 0, tdur / 1000);
  }
  return longest;
}

/** Traces phases of the page. Prints and returns the longest task of each, ms. */
export async function traced(
  page: Page,
  walk: (begin: (phase: string) => Promise<unknown>) => Promise<void>,
): Promise<number[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await walk((phase) => page.evaluate((next) => void performance.mark(`phase: ${next}`), phase));
  const tasks = Object.entries(longestTasks(await browser.stopTracing()));
  console.log(tasks.map(([phase, ms]) => `${phase} ${ms.toFixed(1)} ms`).join(', '));
  return tasks.map(([, ms]) => ms);
}
