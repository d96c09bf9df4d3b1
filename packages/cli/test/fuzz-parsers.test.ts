/**
 * Random inputs for every reader of files, a few seconds of them; `npm run soak -- parsers` runs any number (tools/soak/parsers.mjs).
 * NAVKILN_SEED repeats a run.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { listParsers, tryInput } from '../../../tools/soak/parsers.mjs';
import type { Parser } from '../../../tools/soak/parsers.mjs';
import { ensureBuilt } from './cli.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261122) >>> 0;
/** Inputs of each parser. `npm run soak` raises it. */
const INPUTS = Number(process.env['NAVKILN_FUZZ'] ?? 1000) / 4;
const NAMES = ['glTF', 'OBJ', 'GeoJSON', 'Tiled', 'map JSON', 'scene', 'config', '.navmesh', 'Detour .bin'];

let parsers: Parser[] = [];
beforeAll(async () => {
  await ensureBuilt();
  parsers = await listParsers();
});

describe(`readers under fuzzing, seed ${SEED}`, () => {
  it('are all there', () => expect(parsers.map(({ name }) => name)).toEqual(NAMES));

  it.each(NAMES)('%s: a valid result, or an error of its own', async (name) => {
    const parser = parsers.find((one) => one.name === name)!;
    const outcomes = new Map<string, number>();
    for (let seed = SEED; seed < SEED + INPUTS; seed++) {
      const { outcome, failure } = await tryInput(parser, seed);
      expect(failure, `${name}, seed ${seed}`).toBeUndefined();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // The inputs reach many places of the reader, and some are valid.
    expect(outcomes.size, JSON.stringify([...outcomes])).toBeGreaterThan(4);
    expect(outcomes.get('read') ?? 0).toBeGreaterThan(0);
  });
});
