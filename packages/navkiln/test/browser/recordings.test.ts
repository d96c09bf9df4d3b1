/** A recording replays to the same hashes in Node and in Chromium. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runInChromium } from './chromium-page.ts';
import { recordTown, replayTown } from './recordings.ts';

/** `npm run soak -- record` records ten minutes of 500 agents. */
const TICKS = Number(process.env.NAVKILN_RECORD_TICKS ?? 120);
const AGENTS = Number(process.env.NAVKILN_RECORD_AGENTS ?? 50);
const SCALE = Number(process.env.NAVKILN_RECORD_SCALE ?? 1);
/** Bytes for ten minutes of 500 agents, and as much a tick and agent for shorter recordings, without details and start. */
const MOST_BYTES = 2 * 1024 * 1024;
const BASE_BYTES = 200_000;

it(
  `${TICKS} ticks of ${AGENTS} agents replay to the same hashes in Chromium and in Node`,
  { timeout: 3_600_000 },
  async () => {
    const { file, hash } = recordTown(TICKS, AGENTS, SCALE);
    const base64 = Buffer.from(file).toString('base64');
    const here = replayTown(base64, SCALE);
    const module = fileURLToPath(new URL('recordings.ts', import.meta.url));
    const there = await runInChromium(module, 'replayTown', base64, SCALE);
    console.info(`recording: ${file.length} bytes, ${TICKS} ticks, ${AGENTS} agents, hash ${hash}`);
    expect(here).toEqual({ tick: TICKS, agents: AGENTS, agreedChecks: TICKS, divergence: '', hash });
    expect(there).toEqual(here);
    expect(file.length).toBeLessThan(Math.max(BASE_BYTES, (MOST_BYTES * TICKS * AGENTS) / 36_000 / 500));
  },
);
