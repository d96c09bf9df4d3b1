/**
 * The command line: registers the commands and runs one. Exit status: 0 success, 1 negative answer (no path,
 * no polygon, invalid file), 2 usage or input error, 70 a bug in navkiln,
 * 74 the output could not be written.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { EXIT_BUG, EXIT_INPUT, EXIT_OK, EXIT_OUTPUT } from './commands/exit.ts';
import { COMMANDS, wantedCommand } from './commands/list.ts';
import { InputError, OutputError, messageOf } from './errors.ts';
import { ignoreStreamErrors, print, warn } from './output/print.ts';
import { withMeantFlag } from './output/unknown-flag.ts';

/** Runs a command line, without interpreter and script. Returns the exit status. */
export async function main(args: readonly string[]): Promise<number> {
  ignoreStreamErrors();
  let status = EXIT_OK;
  const finish = (value: number): void => {
    status = value;
  };
  const printed: Promise<void>[] = [];
  // Commander prints help and version itself, and does not wait.
  const writeOut = (text: string): void => {
    const done = print(text);
    done.catch(() => undefined);
    printed.push(done);
  };
  const knownFlags = (): string[] =>
    [program, ...program.commands].flatMap(({ options }) => options.flatMap(({ long }) => long?.slice(2) ?? []));
  const program = new Command('navkiln')
    .configureOutput({
      writeOut,
      writeErr: warn,
      outputError: (text, write) => write(withMeantFlag(text, knownFlags())),
    })
    .description(
      'Bakes navigation meshes from level files and 2D maps, finds paths on them, inspects and converts them.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({ showGlobalOptions: false, subcommandTerm })
    .exitOverride()
    .showHelpAfterError('(see --help)');
  const wanted = wantedCommand(args);
  for (const { name, summary, load } of COMMANDS) {
    if (name === wanted) (await load())(program, finish);
    else program.command(name);
    program.commands.at(-1)!.summary(summary);
  }
  program.addHelpText(
    'after',
    '\nExit status: 0 success, 1 negative answer (no path, no polygon, invalid file), 2 usage or input error, ' +
      '70 a bug in navkiln, 74 the output could not be written.',
  );
  for (const command of program.commands)
    command.helpOption('-h, --help', 'print help').exitOverride().showHelpAfterError('(see --help)');
  if (args.length === 0) {
    program.outputHelp({ error: true });
    return EXIT_INPUT;
  }
  try {
    try {
      await program.parseAsync([...args], { from: 'user' });
    } catch (error) {
      // Commander has already printed its message.
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode !== 0) return EXIT_INPUT;
    }
    await Promise.all(printed);
    return status;
  } catch (error) {
    if (error instanceof InputError || error instanceof OutputError) {
      warn(
        `${error.message
          .split('\n')
          .map((line) => `error: ${line}`)
          .join('\n')}\n`,
      );
      return error instanceof InputError ? EXIT_INPUT : EXIT_OUTPUT;
    }
    warn(
      `error: this is a bug in navkiln: ${error instanceof Error ? error.stack : messageOf(error)}\n` +
        `Please report it to the maintainers of navkiln, with this message, the command and its files. (navkiln ${version()}, ` +
        `Node ${process.version}, ${process.platform})\n`,
    );
    return EXIT_BUG;
  }
}

/** Returns a command and its arguments for the list of commands, most of which are not loaded. */
function subcommandTerm(command: Command): string {
  const usage = COMMANDS.find(({ name }) => name === command.name())?.usage ?? command.usage();
  return `${command.name()} ${usage}`;
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
