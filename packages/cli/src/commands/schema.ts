/** navkiln schema [config|scene] */
import { Argument } from 'commander';
import type { Command } from 'commander';
import { configJsonSchema } from '../config/schema.ts';
import { sceneJsonSchema } from '../scene/schema.ts';
import { EXIT_OK } from './exit.ts';

export function addSchemaCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('schema')
    .summary('print the JSON Schema of configuration or scene files')
    .description('Print the JSON Schema of configurations or of scene files, for editors that complete and check them.')
    .addArgument(new Argument('[kind]', 'of which files').choices(['config', 'scene']).default('config'))
    .action((kind: string) => {
      process.stdout.write(`${JSON.stringify(kind === 'scene' ? sceneJsonSchema() : configJsonSchema(), null, 2)}\n`);
      finish(EXIT_OK);
    });
}
