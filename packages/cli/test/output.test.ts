import { describe, expect, it } from 'vitest';
import { createProgress } from '../src/output/progress.ts';
import { formatBytes, formatMs, formatNumber, formatTable, plural, visible } from '../src/output/text.ts';

/**
 * Returns the text that a terminal of the given width shows at the end, and the most characters that it had on one
 * line.
 */
function record(isTTY: boolean, columns: number): { stream: NodeJS.WriteStream; text: () => string } {
  let text = '';
  const stream = { isTTY, columns, write: (part: string) => ((text += part), true) };
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

function work(stream: NodeJS.WriteStream): void {
  const progress = createProgress('bake', stream);
  progress.note('bake: read a.obj');
  progress.stage('rasterize', 0, 2);
  progress.stage('detail', 1, 2);
  progress.note('warning: odd');
  progress.stage('', 2, 2);
  progress.end();
}

describe('progress', () => {
  it('prints lines without a terminal', () => {
    const { stream, text } = record(false, 80);
    work(stream);
    expect(text()).toBe('bake: read a.obj\nbake: 1/2 rasterize\nbake: 2/2 detail\nwarning: odd\n');
  });

  it('never counts beyond the total, and leaves out a total that is not known', () => {
    const { stream, text } = record(false, 80);
    const progress = createProgress('crowd', stream);
    progress.stage('input', 0, 0);
    progress.stage('seconds', 19, 20);
    progress.stage('seconds', 20, 20);
    expect(text()).toBe('crowd: input\ncrowd: 20/20 seconds\ncrowd: 20/20 seconds\n');
  });

  it('redraws one line on a terminal, and clears it at the end', () => {
    const { stream, text } = record(true, 80);
    work(stream);
    const clear = '\r\u001b[2K';
    expect(text().split(clear)).toEqual([
      `bake: read a.obj\nbake ${'░'.repeat(24)} 0/2 rasterize`,
      `bake ${'█'.repeat(12)}${'░'.repeat(12)} 1/2 detail`,
      `warning: odd\nbake ${'█'.repeat(24)} 2/2 `,
      '',
    ]);
  });

  it('never wraps on a narrow terminal', () => {
    const { stream, text } = record(true, 30);
    work(stream);
    for (const part of text().split('\r\u001b[2K')) expect(part.split('\n').at(-1)!.length).toBeLessThan(30);
  });
});

it('shows control characters of names by their codes', () => {
  expect(visible('a\u001b[31mb\u0007\u009b2J\u202ejbo.x\r\n\tü 道 👩\u200d🚀')).toBe(
    'a\\u{1b}[31mb\\u{7}\\u{9b}2J\\u{202e}jbo.x\\u{d}\n\tü 道 👩\u200d🚀',
  );
  const { stream, text } = record(false, 80);
  createProgress('bake', stream).note('warning: "\u001b]0;owned\u0007" is skinned');
  expect(text()).toBe('warning: "\\u{1b}]0;owned\\u{7}" is skinned\n');
});

it('formats numbers', () => {
  expect([0, 1023, 1024, 15_000, 5e6, 3e9].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1.00 KB',
    '14.6 KB',
    '4.77 MB',
    '2.79 GB',
  ]);
  expect([0, 12.34, 1500].map(formatMs)).toEqual(['0.0 ms', '12.3 ms', '1.50 s']);
  expect([1, -0, 0.1 + 0.2, 1e-9, -2.5].map(formatNumber)).toEqual(['1', '0', '0.3', '0', '-2.5']);
  expect([plural(1, 'vertex', 'vertices'), plural(2, 'vertex', 'vertices'), plural(0, 'tile')]).toEqual([
    '1 vertex',
    '2 vertices',
    '0 tiles',
  ]);
  expect(
    formatTable(
      [
        ['a', '1'],
        ['bcd', '22'],
      ],
      ' ',
    ),
  ).toBe(' a     1\n bcd  22');
});
