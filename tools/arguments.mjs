/**
 * Command lines of tools: `--help` prints the comment at the top of a tool, and a wrong argument is an error of one line, status 2.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Prints the comment at the top of a file and ends the process if the arguments have `--help`. */
export function printHelp(file, args = process.argv.slice(2)) {
  if (!args.includes('--help') && !args.includes('-h')) return;
  const [, comment] = /\/\*\*\n([^]*?)\n? *\*\//.exec(readFileSync(file, 'utf8'));
  console.log(comment.replaceAll(/^ \* ?/gm, ''));
  process.exit(0);
}

/**
 * Returns what `parseArgs` of Node returns. Prints the help of the tool in `file`, or the fault in the arguments, and
 * ends the process.
 */
export function readArguments(file, config) {
  printHelp(file);
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`error: ${error.message.split('. To specify')[0]}; --help lists the options`);
    return process.exit(2);
  }
}
