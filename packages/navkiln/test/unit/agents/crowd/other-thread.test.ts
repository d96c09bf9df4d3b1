/** Crowds that another thread continues: by `restoreCrowd`. The record of a crowd cannot be sent, because it has behaviors. */
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

/** Restores a crowd in another thread, steps it there, and returns its hash. */
async function stepElsewhere(crowd: Crowd): Promise<number> {
  const code = `
    const { parentPort, workerData: { mesh, maxAgents, bytes, ticks } } = require('node:worker_threads');
    import(${JSON.stringify(ENTRY)}).then(({ createCrowd, hashCrowd, restoreCrowd, stepCrowd }) => {
      const restored = createCrowd(mesh, { maxAgents });
      restoreCrowd(restored, bytes);
      for (let tick = 0; tick < ticks; tick++) stepCrowd(restored);
      parentPort.postMessage(hashCrowd(restored));
    });`;
  const { mesh, maxAgents } = crowd;
  const worker = new Worker(code, {
    eval: true,
    workerData: { mesh, maxAgents, bytes: saveCrowd(crowd), ticks: 60 * SECONDS },
  });
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
  expect(() => structuredClone(crowd)).toThrow(/could not be cloned/);
  const hash = await stepElsewhere(crowd);
  for (let tick = 0; tick < 60 * SECONDS; tick++) stepCrowd(crowd);
  expect(hash).toBe(hashCrowd(crowd));
});
