/** navkiln path FILE.navmesh --from x,y,z --to x,y,z */
import type { Command } from 'commander';
import { InputError } from '../errors.ts';
import { explainPath, findPath, sceneSvg } from '../library.ts';
import { formatNumber, formatPoint, plural } from '../output/text.ts';
import { checkOutput, writeFiles } from '../output/write-file.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { readNavMesh } from './navmesh-file.ts';

interface PathFlags {
  from: string;
  to: string;
  svg?: string;
  json?: boolean;
}

export function addPathCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('path')
    .summary('find a path on a navigation mesh')
    .description('Find a path on a navigation mesh. When there is none all the way, say why; the exit status is 1 then.')
    .argument('<file>', 'a .navmesh file, or a .bin of Detour')
    .requiredOption('--from <x,y,z>', 'where the path starts')
    .requiredOption('--to <x,y,z>', 'where the path should end')
    .option('--svg <file>', 'draw the mesh and the path seen from above')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nFor example  navkiln path level.navmesh --from 0,0,0 --to 12.5,0,-3')
    .action(async (file: string, flags: PathFlags) => finish(await path(file, flags)));
}

async function path(file: string, flags: PathFlags): Promise<number> {
  const from = readPoint(flags.from, '--from');
  const to = readPoint(flags.to, '--to');
  if (flags.svg !== undefined) await checkOutput(flags.svg, '--svg');
  const { navMesh } = readNavMesh(file);
  const found = findPath(navMesh, from, to);
  const explanation = found.status === 'complete' ? null : explainPath(navMesh, from, to);
  const { status, reason, length } = found;
  const points = found.points.map((point) => [point[0]!, point[1]!, point[2]!]);
  const polygons = found.polys.length;
  if (flags.svg !== undefined) {
    const drawing = sceneSvg({ navMesh, title: file, ...(points.length > 0 ? { path: found } : {}) });
    await writeFiles([{ path: flags.svg, bytes: drawing }]);
  }
  if (flags.json === true) {
    // Distances that are infinite (no ground at all) become null.
    const { cause, message, start, end, gap, block } = explanation ?? {};
    const explained = explanation === null ? {} : { explanation: { cause, message, start, end, gap, block } };
    process.stdout.write(`${JSON.stringify({ status, reason, length, points, polygons, ...explained })}\n`);
  } else {
    const how = reason === '' ? status : `${status} (${reason})`;
    const lines = [`${how}: ${plural(points.length, 'point')}, length ${formatNumber(length)}, ${plural(polygons, 'polygon')}`];
    process.stdout.write(`${[...lines, ...points.map(formatPoint)].join('\n')}\n`);
  }
  if (explanation !== null && flags.json !== true) process.stderr.write(`why: ${explanation.message}\n`);
  return status === 'complete' ? EXIT_OK : EXIT_NO;
}

function readPoint(text: string, flag: string): [number, number, number] {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
  if (numbers.length !== 3 || !numbers.every((value) => Number.isFinite(value))) {
    throw new InputError(`${flag}: must be three numbers "x,y,z" (got "${text}")`);
  }
  return numbers as [number, number, number];
}
