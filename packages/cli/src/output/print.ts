/**
 * Writes answers to standard output, and fails when they do not arrive: the reader closed the pipe, or the device is
 * full. A script that saves the answer must not mistake a part of it for the whole.
 */
import { OutputError, codeOf, explainSystemError } from '../errors.ts';
import { visible } from './text.ts';

/**
 * Writes text to standard output, with control characters made visible. Rejects with an `OutputError` when it cannot be
 * written.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(visible(text), (error) => {
      if (error === null || error === undefined) resolve();
      else reject(new OutputError(`cannot write to standard output: ${explainPrint(error)}`));
    });
  });
}

/** Writes text to standard error, with control characters made visible. */
export function warn(text: string): void {
  process.stderr.write(visible(text));
}

/**
 * Keeps failed writes from ending the process. `print` reports those of standard output. Nothing can be reported
 * when standard error fails, and the answer does not depend on it.
 */
export function ignoreStreamErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  }
}

function ignore(): void {}

function explainPrint(error: Error): string {
  return codeOf(error) === 'EPIPE' ? 'its reader closed it before the end' : explainSystemError(error);
}
