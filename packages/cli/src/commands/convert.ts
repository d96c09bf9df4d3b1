/**
 * `navkiln convert IN OUT`: writes a navigation mesh in another format. The output's extension selects it.
 */
import { extname } from 'node:path';
import type { Command } from 'commander';
import { saveNavMesh } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { InputError, didYouMean, messageOf } from '../errors.ts';
import { print, warn } from '../output/print.ts';
import { formatBytes, jsonLine, plural, withCount } from '../output/text.ts';
import { checkOutput, realPath, writeFiles } from '../output/write-file.ts';
import { EXIT_OK } from './exit.ts';
import { readNavMesh } from './navmesh-file.ts';
import type { NavMeshFile } from './navmesh-file.ts';

interface ConvertFlags {
  areaOfZero?: string;
  offset?: string;
  detail?: boolean;
  lines: boolean;
  json?: boolean;
}

interface Converted {
  bytes: Uint8Array | string;
  warnings: { code: string; count: number; message: string }[];
}

type Write = (file: NavMeshFile, input: string, flags: ConvertFlags) => Converted | Promise<Converted>;

const plain = (bytes: Uint8Array | string): Converted => ({ bytes, warnings: [] });

const io = () => import('navkiln/io');

const WRITERS: Readonly<Record<string, Write>> = {
  '.navmesh': ({ navMesh }) => plain(saveNavMesh(navMesh)),
  '.bin': writeBin,
  '.glb': async ({ navMesh }, _, flags) => plain((await io()).writeGlb(navMesh, { lines: flags.lines })),
  '.obj': async ({ navMesh }, _, flags) => plain((await io()).writeObj(navMesh, { detail: flags.detail === true })),
  '.svg': async ({ navMesh }, input) => plain((await import('navkiln/debug')).sceneSvg({ navMesh, title: input })),
};

/** Flags that only apply to some outputs. */
type FlagOutputs = [flag: string, isGiven: (flags: ConvertFlags) => boolean, outputs: readonly string[]];

const FLAG_OUTPUTS: readonly FlagOutputs[] = [
  ['--offset', (flags) => flags.offset !== undefined, ['.bin']],
  ['--detail', (flags) => flags.detail === true, ['.obj']],
  ['--no-lines', (flags) => !flags.lines, ['.glb']],
];

export function addConvertCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('convert')
    .description(
      'Write a navigation mesh in another format. Reads .navmesh files and Detour .bin files (RecastDemo, ' +
        `recast-navigation). Writes ${Object.keys(WRITERS).join(', ')}, chosen by the output's extension.`,
    )
    .argument('<input>', 'a .navmesh file, or a Detour .bin file')
    .argument('<output>', 'the file to write')
    .option('--area-of-zero <area>', 'area id, 1 to 63, that stands for 0 in Detour files (default: 63 or a free one)')
    .option('--offset <x,y,z>', '.bin: subtract this from all positions; Detour is precise only near the origin')
    .option('--detail', '.obj: write detail triangles instead of polygons')
    .option('--no-lines', '.glb: write the surface alone, without edges, walls, portals and links')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExample:  navkiln convert level.navmesh level.glb')
    .action(async (input: string, output: string, flags: ConvertFlags) => finish(await convert(input, output, flags)));
}

async function convert(input: string, output: string, flags: ConvertFlags): Promise<number> {
  await checkOutput(output, 'output');
  const extension = extname(output).toLowerCase();
  const write = WRITERS[extension];
  if (write === undefined) throw new InputError(`${output}: ${unknownExtension(extension)}`);
  for (const [flag, isGiven, outputs] of FLAG_OUTPUTS) {
    if (isGiven(flags) && !outputs.includes(extension)) {
      throw new InputError(`${flag}: only applies to ${outputs.join(', ')} files; remove it for ${output}`);
    }
  }
  const areaOfZero = readArea(flags.areaOfZero);
  if (realPath(input) === realPath(output))
    throw new InputError(`${output}: would overwrite the input; choose another file`);
  const file = await readNavMesh(input, areaOfZero);
  const { bytes, warnings } = await write(file, input, flags);
  await writeFiles([{ path: output, bytes }]);
  for (const warning of warnings) warn(`warning: ${withCount(warning)}\n`);
  const size = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
  const summary = { input, output, format: extension.slice(1), ...countAll(file.navMesh), bytes: size, warnings };
  await print(flags.json === true ? jsonLine(summary) : describe(summary));
  return EXIT_OK;
}

function unknownExtension(extension: string): string {
  const known = Object.keys(WRITERS);
  const meant = didYouMean(extension, known);
  const what = extension === '' ? 'a file without an extension' : `"${extension}"`;
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `${what} is not a mesh format that navkiln writes; use ${known.join(', ')}${hint}`;
}

/**
 * Returns the area that stands for 0: that of the file that was read, else the flag, else the library's
 * default.
 */
async function writeBin({ navMesh, detour }: NavMeshFile, _: string, flags: ConvertFlags): Promise<Converted> {
  const { writeDetourBin } = await io();
  const area = readArea(flags.areaOfZero);
  const options = {
    ...detour,
    ...(area === undefined ? {} : { areaOfZero: area }),
    ...(flags.offset === undefined ? {} : { offset: readOffset(flags.offset) }),
  };
  try {
    const { bytes, warnings } = writeDetourBin(navMesh, options);
    const inFlags = (message: string): string => message.replace('give `offset`', 'give --offset');
    return { bytes, warnings: warnings.map((one) => ({ ...one, message: inFlags(one.message) })) };
  } catch (error) {
    if (error instanceof RangeError) throw new InputError(messageOf(error).replace(/^writeDetourBin: /, ''));
    throw error;
  }
}

function readArea(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const area = text.trim() === '' ? NaN : Number(text);
  if (!(Number.isInteger(area) && area >= 1 && area <= 63)) {
    throw new InputError(`--area-of-zero: must be a whole number from 1 to 63 (got "${text}")`);
  }
  return area;
}

function readOffset(text: string): number[] {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
  if (numbers.length !== 3 || !numbers.every((value) => Number.isFinite(value))) {
    throw new InputError(`--offset: must be three numbers "x,y,z" (got "${text}")`);
  }
  return numbers;
}

interface Counts {
  tiles: number;
  polygons: number;
  vertices: number;
  detailTriangles: number;
  links: number;
}

function countAll(navMesh: NavMesh): Counts {
  const counts: Counts = { tiles: 0, polygons: 0, vertices: 0, detailTriangles: 0, links: 0 };
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
    counts.tiles += navMesh.tileState[slot];
    counts.polygons += navMesh.tilePolyCount[slot];
    counts.vertices += navMesh.tileVertexCount[slot];
    counts.detailTriangles += navMesh.tileDetailTriCount[slot];
  }
  for (let link = 0; link < navMesh.linkCount; link++) if (navMesh.linkState[link] !== 0) counts.links++;
  return counts;
}

function describe(summary: Counts & { output: string; bytes: number }): string {
  const { output, tiles, polygons, links, bytes } = summary;
  const parts = [plural(tiles, 'tile'), plural(polygons, 'polygon'), ...(links > 0 ? [plural(links, 'link')] : [])];
  return `${output}: ${parts.join(', ')}, ${formatBytes(bytes)}\n`;
}
