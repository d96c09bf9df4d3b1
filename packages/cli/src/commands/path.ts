/** navkiln path FILE.navmesh --from x,y,z --to x,y,z */
import type { Command } from 'commander';
import { InputError } from '../errors.ts';
import { findNearest, findPath, sceneSvg } from '../library.ts';
import type { NavMesh } from '../library.ts';
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
    .description('Find a path on a navigation mesh. The exit status is 1 when there is none all the way.')
    .argument('<file>', 'a .navmesh file')
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
  const { status, reason, length } = found;
  const points = found.points.map((point) => [point[0]!, point[1]!, point[2]!]);
  const polygons = found.polys.length;
  if (flags.svg !== undefined) {
    const drawing = sceneSvg({ navMesh, title: file, ...(points.length > 0 ? { path: found } : {}) });
    await writeFiles([{ path: flags.svg, bytes: drawing }]);
  }
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ status, reason, length, points, polygons })}\n`);
  } else {
    const how = reason === '' ? status : `${status} (${reason})`;
    const lines = [`${how}: ${plural(points.length, 'point')}, length ${formatNumber(length)}, ${plural(polygons, 'polygon')}`];
    process.stdout.write(`${[...lines, ...points.map(formatPoint)].join('\n')}\n`);
  }
  if (reason === 'start-off-mesh') process.stderr.write(offMeshHint(navMesh, from, '--from'));
  if (reason === 'end-off-mesh') process.stderr.write(offMeshHint(navMesh, to, '--to'));
  return status === 'complete' ? EXIT_OK : EXIT_NO;
}

/** Where there is ground instead. Looked for around the point of the mesh's bounds that is nearest: good enough for a hint. */
function offMeshHint(navMesh: NavMesh, point: readonly number[], flag: string): string {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
    if (navMesh.tileState[slot] !== 1) continue;
    for (let axis = 0; axis < 3; axis++) {
      min[axis] = Math.min(min[axis]!, navMesh.tileBounds[6 * slot + axis]!);
      max[axis] = Math.max(max[axis]!, navMesh.tileBounds[6 * slot + 3 + axis]!);
    }
  }
  if (min[0]! > max[0]!) return 'hint: the mesh is empty\n';
  const inside = point.map((value, axis) => Math.min(Math.max(value, min[axis]!), max[axis]!));
  const halfExtents = inside.map((_, axis) => max[axis]! - min[axis]! + 1);
  const nearest = findNearest(navMesh, inside, { halfExtents });
  if (!nearest.found) return '';
  const distance = Math.sqrt(
    nearest.point.reduce((sum, value, axis) => sum + (value - point[axis]!) * (value - point[axis]!), 0),
  );
  const place = nearest.point.map(formatNumber).join(',');
  return `hint: ${flag} is off the mesh; there is ground at ${place}, ${formatNumber(distance)} away\n`;
}

function readPoint(text: string, flag: string): [number, number, number] {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
  if (numbers.length !== 3 || !numbers.every((value) => Number.isFinite(value))) {
    throw new InputError(`${flag}: must be three numbers "x,y,z" (got "${text}")`);
  }
  return numbers as [number, number, number];
}
