/**
 * Progress of a bake on standard error: one line that is redrawn on a terminal, one line per stage elsewhere.
 */
import { visible } from './text.ts';

export interface Progress {
  /** Reports that stage `done` (from 0) of `total` starts. A total of 0 is not known yet. */
  stage(name: string, done: number, total: number): void;
  /** Prints a line that stays. */
  note(line: string): void;
  /** Clears the progress line. */
  end(): void;
}

const BAR_CELLS = 24;

/** Creates the progress of a command. `label`, the command's name, starts each line. */
export function createProgress(label: string, stream: NodeJS.WriteStream): Progress {
  const terminal = stream.isTTY === true;
  let drawn = false;
  const clear = (): void => {
    if (drawn) stream.write('\r\u001b[2K');
    drawn = false;
  };
  return {
    stage(given, done, total) {
      const name = visible(given);
      if (!terminal) {
        const count = total > 0 ? `${Math.min(done + 1, total)}/${total} ` : '';
        if (name !== '') stream.write(`${label}: ${count}${name}\n`);
        return;
      }
      clear();
      const filled = total > 0 ? Math.round((BAR_CELLS * done) / total) : 0;
      const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}`;
      const line = `${label} ${bar} ${total > 0 ? `${done}/${total} ` : ''}${name}`;
      stream.write(line.slice(0, Math.max(20, (stream.columns > 0 ? stream.columns : 80) - 1)));
      drawn = true;
    },
    note(line) {
      clear();
      stream.write(`${visible(line)}\n`);
    },
    end: clear,
  };
}
