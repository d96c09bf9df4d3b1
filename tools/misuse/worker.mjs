/**
 * Runs trials in a worker thread, so that soak/misuse.mjs can end one that hangs. `progress` is shared: the number of the call,
 * the number of the trial in it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createFixtures } from './fixtures.mjs';
import { listCalls } from './calls.mjs';
import { loadModules } from './load.mjs';
import { createRunner, functionsOf } from './run.mjs';
import { seeded } from '../seeded.mjs';

const { progress, firstCall, firstTrial, only, pairs, seed } = workerData;
const modules = await loadModules();
const fixtures = createFixtures(modules);
const calls = listCalls(modules, functionsOf);
const runner = createRunner(modules, fixtures);

for (let c = firstCall; c < calls.length; c++) {
  const call = calls[c];
  progress[0] = c;
  progress[1] = 0;
  if (only.length > 0 && !only.includes(call.name) && !only.includes(call.subpath)) continue;
  const problem = await runner.runValid(call);
  if (problem !== '') {
    parentPort.postMessage({ outcome: 'FAIL valid call', text: problem });
    continue;
  }
  const faults = runner.faultsOf(call);
  if (faults.length === 0) continue;
  const next = seeded(seed + c);
  const pick = () => faults[Math.floor(next() * faults.length)];
  const counts = {};
  const start = c === firstCall ? firstTrial : 0;
  for (let t = 0; t < faults.length + pairs; t++) {
    const chosen = t < faults.length ? [faults[t]] : [pick(), pick()];
    if (t < start) continue;
    progress[1] = t;
    parentPort.postMessage({ trial: runner.describe(call, chosen) });
    Atomics.add(progress, 2, 1);
    const { outcome, text } = await runner.run(call, chosen);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (outcome.startsWith('FAIL')) parentPort.postMessage({ outcome, text });
  }
  parentPort.postMessage({ counts });
}
parentPort.postMessage({ isDone: true });
