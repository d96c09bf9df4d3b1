/** navkiln schema */
import type { Command } from 'commander';
import { configJsonSchema } from '../config/schema.ts';
import { EXIT_OK } from './exit.ts';

export function addSchemaCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('schema')
    .summary('print the JSON Schema of configuration files')
    .description('Print the JSON Schema of configuration files, for editors that complete and check them.')
    .action(() => {
      process.stdout.write(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
      finish(EXIT_OK);
    });
}
