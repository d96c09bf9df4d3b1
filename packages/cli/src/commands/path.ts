/** navkiln path FILE.navmesh --from x,y,z --to x,y,z [--mode funnel|smooth] */
import type { Command } from 'commander';
import { InputError } from '../errors.ts';
import { explainPath, findPath, findSmoothPath, sceneSvg } from '../library.ts';
import type { NavMesh } from '../library.ts';
import { formatNumber, formatPoint, plural } from '../output/text.ts';
import { checkOutput, writeFiles } from '../output/write-file.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { readNavMesh } from './navmesh-file.ts';

interface PathFlags {
  from: string;
  to: string;
  mode: string;
  step?: string;
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
    .option('--mode <mode>', 'funnel: the corners; smooth: points on the ground, one a step', 'funnel')
    .option('--step <length>', 'longest step of the mode smooth, seen from above (default: the agent\'s radius)')
    .option('--svg <file>', 'draw the mesh and the path seen from above')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nFor example  navkiln path level.navmesh --from 0,0,0 --to 12.5,0,-3')
    .action(async (file: string, flags: PathFlags) => finish(await path(file, flags)));
}

async function path(file: string, flags: PathFlags): Promise<number> {
  const from = readPoint(flags.from, '--from');
  const to = readPoint(flags.to, '--to');
  const step = readStep(flags);
  if (flags.svg !== undefined) await checkOutput(flags.svg, '--svg');
  const { navMesh } = readNavMesh(file);
  const found = flags.mode === 'smooth' ? findWalk(navMesh, from, to, step) : findPath(navMesh, from, to);
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

type Point = [number, number, number];

function findWalk(navMesh: NavMesh, from: Point, to: Point, step: number | undefined): ReturnType<typeof findSmoothPath> {
  try {
    return findSmoothPath(navMesh, from, to, { step });
  } catch (error) {
    // All but the step is known to be right: it makes too many points.
    throw error instanceof RangeError ? new InputError(`--step: ${error.message}`) : error;
  }
}

/** The step, if one is given. */
function readStep({ mode, step }: PathFlags): number | undefined {
  if (mode !== 'funnel' && mode !== 'smooth') throw new InputError(`--mode: must be funnel or smooth (got "${mode}")`);
  if (step === undefined) return undefined;
  if (mode !== 'smooth') throw new InputError('--step: only goes with --mode smooth');
  const length = step.trim() === '' ? NaN : Number(step);
  if (!(length > 0 && length < Infinity)) throw new InputError(`--step: must be a number above 0 (got "${step}")`);
  return length;
}

function readPoint(text: string, flag: string): Point {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
  if (numbers.length !== 3 || !numbers.every((value) => Number.isFinite(value))) {
    throw new InputError(`${flag}: must be three numbers "x,y,z" (got "${text}")`);
  }
  return numbers as Point;
}
