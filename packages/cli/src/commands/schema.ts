/** `navkiln schema [config|scene]`: prints a JSON Schema. */
import { Argument } from 'commander';
import type { Command } from 'commander';
import { configJsonSchema } from '../config/fields.ts';
import { print } from '../output/print.ts';
import { jsonLine } from '../output/text.ts';
import { sceneJsonSchema } from '../scene/schema.ts';
import { EXIT_OK } from './exit.ts';

export function addSchemaCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('schema')
    .description('Print the JSON Schema of configuration or scene files. Editors use it to complete and check them.')
    .addArgument(new Argument('[kind]', 'kind of file').choices(['config', 'scene']).default('config'))
    .action(async (kind: string) => {
      await print(jsonLine(kind === 'scene' ? sceneJsonSchema() : configJsonSchema(), 2));
      finish(EXIT_OK);
    });
}
