import { expect, it } from 'vitest';
import { randomLevel } from 'navkiln-scenes';
import type { RandomLevelKind } from 'navkiln-scenes';
import { SETTINGS, bakeLevel, findSetting } from '../src/truth/settings.ts';
import { findWalkFaults } from '../src/truth/walks.ts';

const FIRST = Number(process.env['NAVKILN_SEED'] ?? 1);

it('finds a lost walk, an invented one and a shortcut', () => {
  const level = randomLevel('rooms', 3);
  const { navMesh } = bakeLevel(level, findSetting('monotone-0-3'));
  const walk = level.walks.find(({ expect: answer }) => answer === 'complete')!;
  const agent = level.agent;
  const faultsOf = (change: Partial<typeof walk>): string[] =>
    findWalkFaults(navMesh, { agent, walks: [{ ...walk, ...change }] }).map(({ fault }) => fault);
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ expect: 'none' })).toEqual(['invented']);
  expect(faultsOf({ leastLength: 1e4 })).toEqual(['shortcut']);
  const [x, y, z] = walk.to;
  expect(faultsOf({ to: [x, y + 50, z] })).toEqual(['lost']);
});

it('refuses the name of a setting that does not exist', () => {
  expect(() => findSetting('watershed-1-1')).toThrow(/no setting 'watershed-1-1'.*watershed-0-2/);
  expect(new Set(SETTINGS.map(({ name }) => name)).size).toBe(SETTINGS.length);
});

const KINDS: RandomLevelKind[] = ['terraces', 'boxes', 'doors', 'terrain'];

it.each(KINDS)('answers the walks of random levels of kind %s as they were built', (kind) => {
  for (let i = 0; i < 3; i++) {
    const level = randomLevel(kind, FIRST + i);
    for (const name of ['watershed-0-2', 'monotone-0-3', 'layers-0-2', 'surface-0']) {
      const { navMesh } = bakeLevel(level, findSetting(name));
      expect(findWalkFaults(navMesh, level), `${kind} ${level.seed} ${name}`).toEqual([]);
    }
  }
});
