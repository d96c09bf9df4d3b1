/** Crowds that another thread continues: with their orders by `restoreCrowd`; copies without it are refused. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { setLinkTraffic } from '../../../../src/agents/crowd/links/link-traffic.ts';
import { addAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveGroupTo } from '../../../../src/agents/crowd/orders/group.ts';
import { followAgent, moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { patrolAgent } from '../../../../src/agents/crowd/orders/patrol.ts';
import { hashCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { hall } from './traffic-run.ts';

const ENTRY = pathToFileURL(join(import.meta.dirname, '../../../../dist/crowd.js')).href;
const SECONDS = 3;

/** Steps a copy of a crowd in a thread of its own, and one that it restores. Returns the copy's error and the hash of the other. */
async function stepElsewhere(crowd: Crowd): Promise<{ error: string; hash: number }> {
  const code = `
    const { parentPort, workerData: { crowd, mesh, bytes, ticks } } = require('node:worker_threads');
    import(${JSON.stringify(ENTRY)}).then(({ createCrowd, hashCrowd, restoreCrowd, stepCrowd }) => {
      const copy = { ...crowd, mesh };
      let error = '';
      try {
        for (let tick = 0; tick < ticks; tick++) stepCrowd(copy);
      } catch (problem) {
        error = problem.message;
      }
      const restored = createCrowd(mesh, { maxAgents: crowd.maxAgents });
      restoreCrowd(restored, bytes);
      for (let tick = 0; tick < ticks; tick++) stepCrowd(restored);
      parentPort.postMessage({ error, hash: hashCrowd(restored) });
    });`;
  const workerData = { crowd, mesh: crowd.mesh, bytes: saveCrowd(crowd), ticks: 60 * SECONDS };
  const worker = new Worker(code, { eval: true, workerData });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}

const ORDERS: [string, (crowd: Crowd, a: AgentId, b: AgentId) => void][] = [
  [
    'a patrol',
    (crowd, a) =>
      patrolAgent(crowd, a, [
        [2, 0, 2],
        [8, 0, 8],
      ]),
  ],
  ['a group', (crowd, a, b) => moveGroupTo(crowd, [a, b], [8, 0, 8])],
  ['an agent that follows another', (crowd, a, b) => followAgent(crowd, a, b)],
  [
    'a link with limited capacity',
    (crowd, a, b) => {
      setLinkTraffic(crowd, addLink(crowd.mesh, { start: [9.5, 0, 5], end: [12.5, 0, 5] }), { capacity: 1 });
      for (const id of [a, b]) moveAgentTo(crowd, id, [18, 0, 5]);
    },
  ],
];

it.each(ORDERS)('continues %s in another thread', async (_, order) => {
  const crowd = createCrowd(
    hall(22, 10, (x) => x < 10 || x > 11),
    { maxAgents: 4 },
  );
  const [a, b] = [addAgent(crowd, [2, 0, 5]), addAgent(crowd, [5, 0, 4])];
  moveAgentTo(crowd, b, [5, 0, 8]);
  order(crowd, a, b);
  const { error, hash } = await stepElsewhere(crowd);
  expect(error).toMatch(/^stepCrowd: the orders of the crowd were given in another thread; .*restoreCrowd$/);
  for (let tick = 0; tick < 60 * SECONDS; tick++) stepCrowd(crowd);
  expect(hash).toBe(hashCrowd(crowd));
});
