/** `navkiln validate FILE`: checks a navigation mesh. */
import type { Command } from 'commander';
import { validateNavMesh } from 'navkiln/debug';
import { messageOf } from '../errors.ts';
import { print } from '../output/print.ts';
import { jsonLine, plural } from '../output/text.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { parseNavMesh, readBytes } from './navmesh-file.ts';

export function addValidateCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('validate')
    .description(
      'Check a navigation mesh: indices, links, convexity, winding, the bounding-volume tree. The exit status is 1 when it is not valid.',
    )
    .argument('<file>', 'a .navmesh file, or a Detour .bin file')
    .option('--json', 'print one JSON object on standard output')
    .action(async (file: string, flags: { json?: boolean }) => finish(await validate(file, flags.json === true)));
}

async function validate(file: string, json: boolean): Promise<number> {
  const bytes = readBytes(file);
  let violations: { code: string; message: string }[];
  try {
    violations = validateNavMesh((await parseNavMesh(bytes)).navMesh).map(({ code, message }) => ({ code, message }));
  } catch (error) {
    violations = [{ code: 'file', message: messageOf(error) }];
  }
  const valid = violations.length === 0;
  if (json) {
    await print(jsonLine({ file, valid, violations }));
  } else if (valid) {
    await print(`${file}: valid\n`);
  } else {
    const lines = violations.map(({ code, message }) => `  ${code}: ${message}`);
    await print(`${file}: ${plural(violations.length, 'violation')}\n${lines.join('\n')}\n`);
  }
  return valid ? EXIT_OK : EXIT_NO;
}
