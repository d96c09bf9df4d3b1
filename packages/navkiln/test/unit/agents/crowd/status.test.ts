/** The table of changes of status: only one function changes a status, and runs make no changes that the table lacks. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crowdScenes, denseCrowdScenes, REDUCED_AGENTS } from 'navkiln-scenes';
import { expect, it } from 'vitest';
import { AGENT_STATUSES } from '../../../../src/agents/crowd/orders/agents.ts';
import * as statuses from '../../../../src/agents/crowd/state/status.ts';
import { createCrowdDriver } from '../../../../src/show/crowd/driver.ts';
import { createCrowdWorld, startCrowdRun, stepCrowdRun } from '../../../../src/show/crowd/run.ts';
import { statusPicture, statusRows } from './status-diagram.ts';

const CHANGES = statuses.listStatusChanges();
const FOLDER = join(import.meta.dirname, '../../../../src/agents');
const NAMED = Object.entries(statuses).flatMap(([name, value]): [string, number][] =>
  typeof value === 'number' ? [[name, value]] : [],
);

function listSources(): { file: string; text: string }[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }));
}

it('has one function that sets a status, and uses each change', () => {
  const sources = listSources();
  const writers = sources.filter(({ text }) => /\bstatus\[[^\]]*\] =[^=]/.test(text)).map(({ file }) => file);
  expect(writers).toEqual([join('crowd', 'state', 'status.ts')]);
  const others = sources.filter(({ file }) => !file.endsWith(join('state', 'status.ts')));
  for (const [name] of NAMED) {
    const uses = others.filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text.replace(/^import[^;]*;/gm, '')));
    expect([name, uses.length > 0]).toEqual([name, true]);
  }
});

it('lists each change once, with a status that exists', () => {
  expect(CHANGES.map(({ change }) => change)).toEqual(NAMED.map(([, change]) => change).sort((a, b) => a - b));
  expect(new Set(CHANGES.map(({ change }) => change >> 4)).size).toBe(CHANGES.length);
  for (const { change, from } of CHANGES) {
    expect(AGENT_STATUSES[change & 15]).toBeDefined();
    expect(from.length).toBeGreaterThan(0);
  }
});

it('is the table and the picture of docs/crowd.md (NAVKILN_WRITE=1 writes them)', () => {
  const docs = join(import.meta.dirname, '../../../../../../docs');
  const page = readFileSync(join(docs, 'crowd.md'), 'utf8');
  const [start, end] = ['<!-- written: status.test.ts -->\n', '<!-- end: statuses -->'];
  const [before, after] = [page.split(start)[0] + start, end + page.split(end)[1]];
  const head = ['', '| number | cause | before | after |', '| ---: | --- | --- | --- |'];
  const wanted = `${before}${[...head, ...statusRows(CHANGES), '', ''].join('\n')}${after}`;
  const picture = join(docs, 'pictures', 'crowd', 'statuses.svg');
  if (process.env['NAVKILN_WRITE'] === '1') {
    writeFileSync(join(docs, 'crowd.md'), wanted);
    writeFileSync(picture, statusPicture(CHANGES));
  }
  expect(readFileSync(join(docs, 'crowd.md'), 'utf8')).toBe(wanted);
  expect(readFileSync(picture, 'utf8')).toBe(statusPicture(CHANGES));
});

it('has all pairs of statuses that agents of crowd scenes have before and after a tick', () => {
  const count = AGENT_STATUSES.length;
  const direct = Array.from({ length: count }, (_, a) => Array.from({ length: count }, (__, b) => a === b));
  // Changes in every status are those of orders, which this run gives at known times.
  for (const { change, from } of CHANGES) {
    if (from.length < count) for (const status of from) direct[status][change & 15] = true;
  }
  const reached = direct.map((row, a) => row.map((is, b) => is || direct.some((_, k) => direct[a][k] && direct[k][b])));
  const unknown = new Set<string>();
  const seen = new Set<string>();
  for (const name of ['link-jam', 'junction', 'same-goal', 'idle-door']) {
    const scene = [...crowdScenes, ...denseCrowdScenes].find((one) => one.name === name)!;
    const setup = scene.create(1, REDUCED_AGENTS[name]);
    const world = createCrowdWorld(setup);
    const driver = createCrowdDriver(world, 1 / 60);
    const run = startCrowdRun(setup, { unmeasured: true, seconds: 15 }, world, driver);
    const { status, orderTick } = driver.crowd.agents;
    let before = status.slice();
    while (stepCrowdRun(run)) {
      for (let slot = 0; slot < driver.crowd.slotCount; slot++) {
        const isOrdered = orderTick[slot] >= driver.crowd.tick - 1;
        const pair = `${name}: ${AGENT_STATUSES[before[slot]]} -> ${AGENT_STATUSES[status[slot]]}`;
        if (before[slot] !== status[slot]) seen.add(pair.slice(name.length));
        if (!isOrdered && !reached[before[slot]][status[slot]]) unknown.add(pair);
      }
      before = status.slice();
    }
  }
  expect([...unknown]).toEqual([]);
  expect(seen.size).toBeGreaterThan(5);
});
