/** Finds the causes of the islands of the last mesh. Loaded when a mesh has islands and nothing else is to do. */
import { withParts } from '../state/parts.ts';
import { hold } from './context.ts';
import type { TaskContext } from './context.ts';
import { explainEmpty } from './explain-empty.ts';
import type { Diagnosed, Task } from './protocol.ts';

export function diagnose(
  { level, options, edits }: Extract<Task, { type: 'diagnose' }>,
  context: TaskContext,
): Diagnosed {
  const held = hold(level, context);
  const report: { warnings: Diagnosed['warnings'] } = { warnings: [] };
  if (context.islands !== undefined)
    explainEmpty(report as never, withParts(held, edits.parts), options, context.islands);
  return { kind: 'diagnosed', warnings: report.warnings };
}
