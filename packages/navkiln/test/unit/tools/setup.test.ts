import { expect, it } from 'vitest';
import { isInstalled } from '../../../../../tools/setup.mjs';
import { summarize } from '../../../../../tools/test.mjs';

const none = { held: 0, broken: 0 };

function results(...files: { status: string; tests: string[] }[]): object {
  return {
    testResults: files.map(({ status, tests }) => ({
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    })),
  };
}

it('adds up tests and rules', () => {
  const all = results({ status: 'passed', tests: ['passed', 'passed', 'pending'] });
  expect(summarize(all, 0, { held: 3, broken: 0 })).toEqual({ line: '5 passed, 0 failed, 1 skipped', ok: true });
  expect(summarize(all, 0, { held: 2, broken: 1 })).toEqual({ line: '4 passed, 1 failed, 1 skipped', ok: false });
  expect(summarize(results({ status: 'passed', tests: ['passed'] }), 0, none)).toEqual({
    line: '1 passed, 0 failed',
    ok: true,
  });
});

it('fails on a failed test, an unreadable file, a crash of vitest, or no tests', () => {
  expect(summarize(results({ status: 'failed', tests: ['passed', 'failed'] }), 1, none).line).toBe(
    '1 passed, 1 failed',
  );
  expect(summarize(results({ status: 'failed', tests: [] }), 1, none).line).toBe('0 passed, 1 failed');
  expect(summarize(results({ status: 'passed', tests: ['passed'] }), 1, none).line).toBe('1 passed, 1 failed');
  expect(summarize(undefined, 1, { held: 11, broken: 0 })).toEqual({ line: '11 passed, 1 failed', ok: false });
  expect(summarize(results(), 0, none).ok).toBe(false);
  expect(summarize(results({ status: 'passed', tests: ['skipped'] }), 0, none).ok).toBe(false);
});

it('detects packages that are missing or of another version', () => {
  const lock = {
    packages: {
      '': { version: '0' },
      'packages/a': { version: '0' },
      'node_modules/a': { link: true },
      'node_modules/b': { version: '1.2.3' },
      'node_modules/c': { version: '1.0.0', optional: true },
    },
  };
  expect(isInstalled(lock, { packages: { 'node_modules/b': { version: '1.2.3' } } })).toBe(true);
  expect(isInstalled(lock, { packages: { 'node_modules/b': { version: '1.2.4' } } })).toBe(false);
  expect(isInstalled(lock, { packages: {} })).toBe(false);
  const nested = { packages: { 'packages/a/node_modules/b': { version: '1.2.3' } } };
  expect(isInstalled(nested, { packages: {} })).toBe(false);
  expect(isInstalled(nested, nested)).toBe(true);
});
