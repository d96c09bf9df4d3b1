/** `navkiln path FILE --from x,y,z --to x,y,z`: finds a path. On the mesh of a 2D map, positions are x,y. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../errors.ts';
import { explainPath, findMidpointPath, findOptimalPath, findPath, findSmoothPath, sceneSvg } from '../library.ts';
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
    .description(
      'Find a path on a navigation mesh. When no complete path exists, explain why; the exit status is then 1.',
    )
    .argument('<file>', 'a .navmesh file, or a Detour .bin file')
    .requiredOption('--from <x,y,z>', 'where the path starts; x,y on the mesh of a 2D map')
    .requiredOption('--to <x,y,z>', 'where the path should end')
    .option(
      '--mode <mode>',
      'funnel: corners; smooth: a point on the surface at every step; midpoints: usually shorter; optimal: the shortest path',
      'funnel',
    )
    .option('--step <length>', "with --mode smooth: longest step, seen from above (default: the agent's radius)")
    .option('--svg <file>', 'draw the mesh and the path from above')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText(
      'after',
      [
        '\nExample:  navkiln path level.navmesh --from 0,0,0 --to 12.5,0,-3',
        '           navkiln path map.navmesh --from 10,20 --to 300,40 --mode optimal',
      ].join('\n'),
    )
    .action(async (file: string, flags: PathFlags) => finish(await path(file, flags)));
}

async function path(file: string, flags: PathFlags): Promise<number> {
  const from = readPoint(flags.from, '--from');
  const to = readPoint(flags.to, '--to');
  const step = readStep(flags);
  if (flags.svg !== undefined) await checkOutput(flags.svg, '--svg');
  const { navMesh } = readNavMesh(file);
  const isMap = from.isMap || to.isMap;
  if (isMap) checkMap(navMesh, from, to, flags);
  const found = findAny(navMesh, from.point, to.point, flags.mode, step);
  const explanation = found.status === 'complete' ? null : explainPath(navMesh, from.point, to.point);
  const { status, reason, length } = found;
  const points = found.points.map(([x, y, z]) => (isMap ? [x!, z!] : [x!, y!, z!]));
  const polygons = found.polys.length;
  if (flags.svg !== undefined) {
    const drawing = sceneSvg({ navMesh, title: basename(file), ...(points.length > 0 ? { path: found } : {}) });
    await writeFiles([{ path: flags.svg, bytes: drawing }]);
  }
  if (flags.json === true) {
    // Infinite distances (the mesh is empty) become null.
    const { cause, message, start, end, gap, block } = explanation ?? {};
    const explained = explanation === null ? {} : { explanation: { cause, message, start, end, gap, block } };
    process.stdout.write(`${JSON.stringify({ status, reason, length, points, polygons, ...explained })}\n`);
  } else {
    const how = reason === '' ? status : `${status} (${reason})`;
    const lines = [
      `${how}: ${plural(points.length, 'point')}, length ${formatNumber(length)}, ${plural(polygons, 'polygon')}`,
    ];
    process.stdout.write(`${[...lines, ...points.map(formatPoint)].join('\n')}\n`);
  }
  if (explanation !== null && flags.json !== true) process.stderr.write(`why: ${explanation.message}\n`);
  return status === 'complete' ? EXIT_OK : EXIT_NO;
}

type Point = [number, number, number];

interface End {
  point: Point;
  /** True when the position was given as x,y. */
  isMap: boolean;
}

/** Requires both ends to be given as x,y, and the mesh to be flat as those of 2D maps are. */
function checkMap({ vertices, vertexCount }: NavMesh, from: End, to: End, flags: PathFlags): void {
  let isFlat = true;
  for (let v = 0; v < vertexCount; v++) isFlat &&= vertices[3 * v + 1] === 0;
  for (const [flag, end, text] of [
    ['--from', from, flags.from],
    ['--to', to, flags.to],
  ] as const) {
    if (end.isMap && !isFlat) {
      throw new InputError(
        `${flag}: must be three numbers "x,y,z" (got "${text}"); two numbers are only for meshes of 2D maps`,
      );
    }
    if (!end.isMap) throw new InputError(`${flag}: must be two numbers "x,y", like the other end (got "${text}")`);
  }
}

function findAny(
  navMesh: NavMesh,
  from: Point,
  to: Point,
  mode: string,
  step: number | undefined,
): ReturnType<typeof findPath> {
  if (mode === 'smooth') return findWalk(navMesh, from, to, step);
  if (mode === 'midpoints') return findMidpointPath(navMesh, from, to);
  return mode === 'optimal' ? findOptimalPath(navMesh, from, to) : findPath(navMesh, from, to);
}

function findWalk(
  navMesh: NavMesh,
  from: Point,
  to: Point,
  step: number | undefined,
): ReturnType<typeof findSmoothPath> {
  try {
    return findSmoothPath(navMesh, from, to, { step });
  } catch (error) {
    // All other arguments are checked, so the step is at fault: it makes too many points.
    throw error instanceof RangeError ? new InputError(`--step: ${error.message}`) : error;
  }
}

/** Reads `--step`, if it is given. */
function readStep({ mode, step }: PathFlags): number | undefined {
  if (!['funnel', 'smooth', 'midpoints', 'optimal'].includes(mode)) {
    throw new InputError(`--mode: must be funnel, smooth, midpoints or optimal (got "${mode}")`);
  }
  if (step === undefined) return undefined;
  if (mode !== 'smooth') throw new InputError('--step: only applies with --mode smooth');
  const length = step.trim() === '' ? NaN : Number(step);
  if (!(length > 0 && length < Infinity)) throw new InputError(`--step: must be a number above 0 (got "${step}")`);
  return length;
}

function readPoint(text: string, flag: string): End {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
  if (!(numbers.length === 2 || numbers.length === 3) || !numbers.every((value) => Number.isFinite(value))) {
    throw new InputError(`${flag}: must be three numbers "x,y,z" (got "${text}")`);
  }
  const [x, y, z] = numbers as Point;
  return numbers.length === 2 ? { point: [x, 0, y], isMap: true } : { point: [x, y, z], isMap: false };
}
