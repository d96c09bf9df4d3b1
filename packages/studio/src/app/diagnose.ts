/** Adds the causes of islands to the report of a mesh when nothing is edited for a moment. Loaded with the first mesh that has islands. */
import type { BakeClient } from '../bake/client.ts';
import type { Subject } from '../bake/protocol.ts';
import type { Store } from '../state/store.ts';
import { count, createDelay } from '../tools/pending.ts';
import type { Activity } from './activity.ts';

/** A change within this time replaces the diagnosis, which bakes parts of the level several times. */
const QUIET_MS = 300;

interface Parts {
  store: Store;
  client: BakeClient;
  activity: Activity;
}

const delay = createDelay();

/** Diagnoses the mesh of an id, unless another one replaces it. Questions of tools come first. */
export function diagnoseLater(parts: Parts, subject: Extract<Subject, { kind: 'level' }>, id: number): void {
  delay.start(() => count(diagnose(parts, subject, id)), QUIET_MS);
}

async function diagnose(
  { store, client, activity }: Parts,
  { level, options, edits }: Extract<Subject, { kind: 'level' }>,
  id: number,
): Promise<void> {
  while (!activity.isFree()) await activity.questionTurn();
  if (store.get().mesh?.id !== id) return activity.settle();
  activity.begin();
  try {
    const outcome = await client.run({ type: 'diagnose', level, options, edits }, () => undefined);
    const { mesh } = store.get();
    if (outcome.kind !== 'diagnosed' || outcome.warnings.length === 0 || mesh?.id !== id) return;
    const report = mesh.report as { warnings: unknown[] };
    const warnings = [...report.warnings, ...outcome.warnings];
    store.update({ mesh: { ...mesh, report: { ...report, warnings } as typeof mesh.report } });
  } catch {
    // A bake has replaced it.
  } finally {
    activity.end();
  }
}
