/** `navkiln verify LEVEL... MESH`: compares a navigation mesh with its level. */
import { optionsFromSettings } from 'navkiln/build';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { NavMesh } from 'navkiln';
import {
  explainFaults,
  explainMapFaults,
  explainSurfaceFaults,
  lineDrawings,
  sceneSvg,
  verifyNavMesh,
} from 'navkiln/debug';
import type { LevelTriangles, VerifyResult } from 'navkiln/debug';
import type { PolygonMap } from 'navkiln/polygon';
import { addConfigFlags, readConfigFlags } from '../config/flags.ts';
import type { BakeSettings } from '../config/settings.ts';
import { InputError, blameInput } from '../errors.ts';
import { loadLevels } from '../loaders/level.ts';
import { PLACEMENT_HELP, parseLevelSpec } from '../loaders/placement.ts';
import { print } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';
import type { Progress } from '../output/progress.ts';
import { checkOutput, writeFiles } from '../output/write-file.ts';
import { areMaps, mapOptions } from './bake-map.ts';
import { surfaceOptions } from './bake-surface.ts';
import { mapFor } from './verify-baked.ts';
import type { VerifyLevel } from './verify-baked.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { checkLevelFiles, noteAll, readLimit } from './level-input.ts';
import { readNavMesh } from './navmesh-file.ts';
import { THRESHOLDS, failuresOf, readLimits, textOf, verdictOf } from './verdict.ts';

/** Fault places that are listed as text. JSON has all of them. */
const LISTED = 20;

interface VerifyFlags extends Record<string, unknown> {
  config?: string;
  twoSided?: boolean;
  allowOutside?: boolean;
  seed?: string;
  pairs?: string;
  spacing?: string;
  causes?: boolean;
  svg?: string;
  json?: boolean;
}

export function addVerifyCommand(program: Command, finish: (status: number) => void): void {
  const command = program
    .command('verify')
    .description(
      'Compare a navigation mesh with the level or 2D map that it was baked from: whether there is mesh where an agent ' +
        'can stand and walk, and only there. The exit status is 1 when a figure is beyond its threshold.',
    )
    .argument('<files...>', 'level files, each with an optional placement (see below), or 2D maps; then the mesh')
    .option('--config <file>', 'the YAML or JSON file of the bake; its levels count when only the mesh is given')
    .option('--seed <number>', 'offset of the lines, pairs and walks (default: 1)')
    .option('--pairs <count>', 'random pairs of places, and straight walks (default: 300)')
    .option('--spacing <length>', "distance between the lines (default: the mesh's cell size)");
  for (const { flag, limit } of THRESHOLDS)
    command.option(`${flag} <number>`, `threshold (default: ${limit === Infinity ? 'none' : limit})`);
  command
    .option('--two-sided', 'as in the bake')
    .option('--no-two-sided', 'as in the bake')
    .option('--allow-outside', 'level and map files may name files outside of their folder')
    .option('--no-causes', 'do not bake again around faults to find their causes and remedies')
    .option('--svg <file>', 'draw level, mesh and faults from above')
    .option('--json', 'print one JSON object on standard output');
  addConfigFlags(command);
  command
    .addHelpText('after', `\n${PLACEMENT_HELP}\n\nExample:  navkiln verify level.glb level.navmesh --svg faults.svg`)
    .action(async (files: string[], flags: VerifyFlags) => finish(await verify(files, flags)));
}

async function verify(files: readonly string[], flags: VerifyFlags): Promise<number> {
  const limits = readLimits(flags);
  const options = { seed: count(flags, 'seed'), pairs: count(flags, 'pairs'), spacing: length(flags.spacing) };
  if (flags.svg !== undefined) await checkOutput(flags.svg, '--svg');
  const settings = await readSettings(files, flags);
  const progress = createProgress('verify', process.stderr);
  try {
    const mesh = files[files.length - 1];
    const { navMesh } = await readNavMesh(mesh);
    const level = await readLevels(settings, progress);
    const { agent, volumes, bounds } = optionsFromSettings(settings.options);
    const { keepReachable } = settings;
    let result: VerifyResult;
    try {
      result = verifyNavMesh(level, navMesh, { ...options, agent, volumes, bounds, keepReachable });
    } catch (error) {
      throw blameInput(error, 'verifyNavMesh');
    }
    for (const { message } of result.warnings) progress.note(`warning: ${message}`);
    const failures = failuresOf(result, limits);
    if (failures.length > 0 && flags.causes !== false) {
      progress.stage('causes', 0, 1);
      result = explain(level, navMesh, result, settings);
    }
    if (flags.svg !== undefined)
      await writeFiles([{ path: flags.svg, bytes: draw(level, navMesh, result, basename(mesh)) }]);
    if (flags.json === true) await print(`${JSON.stringify({ file: mesh, ...verdictOf(result, failures) })}\n`);
    else await print(textOf(result, failures, mesh, LISTED));
    return failures.length === 0 ? EXIT_OK : EXIT_NO;
  } finally {
    progress.end();
  }
}

function explain(level: VerifyLevel, navMesh: NavMesh, result: VerifyResult, settings: BakeSettings): VerifyResult {
  const isSurface = navMesh.cellSize === 0;
  try {
    if ('polygons' in level) return explainMapFaults(level, navMesh, result, mapOptions(settings));
    if (isSurface) return explainSurfaceFaults(level, navMesh, result, surfaceOptions(settings));
    return explainFaults(level, navMesh, result, { bake: optionsFromSettings(settings.options) });
  } catch (error) {
    throw blameInput(
      error,
      'polygons' in level ? 'buildFromPolygons' : isSurface ? 'buildFromSurface' : 'buildNavMesh',
    );
  }
}

function draw(level: VerifyLevel, navMesh: NavMesh, result: VerifyResult, title: string): string {
  const faults = lineDrawings.faultLines(result);
  if ('polygons' in level) return sceneSvg({ navMesh, title, lines: [...outlinesOf(level), ...faults] });
  return sceneSvg({ level: level as LevelTriangles, navMesh, title, lines: faults });
}

/** Returns the rings of a 2D map as lines on its mesh. */
function outlinesOf(map: PolygonMap): { name: string; points: [number, number, number][] }[] {
  const sign = map.yAxis === 'down' ? 1 : -1;
  return [map, ...(map.layers ?? [])].flatMap(({ polygons = [], obstacles = [] }) => {
    const rings = [...polygons.flatMap(({ outline, holes = [] }) => [outline, ...holes]), ...obstacles];
    return rings.map((ring) => {
      const points = ring.map((point): [number, number, number] =>
        'x' in point ? [point.x, 0, sign * point.y] : [point[0]!, 0, sign * point[1]],
      );
      return { name: 'map', points: [...points, ...points.slice(0, 1)] };
    });
  });
}

async function readSettings(files: readonly string[], flags: VerifyFlags): Promise<BakeSettings> {
  const base: BakeSettings =
    flags.config === undefined
      ? { levels: [], output: undefined, options: {} }
      : (await import('../config/read.ts')).readConfig(flags.config);
  const { map, surface: _, ...optionFlags } = await readConfigFlags(flags);
  const levels = files.length > 1 ? files.slice(0, -1).map(parseLevelSpec) : base.levels;
  if (levels.length === 0)
    throw new InputError(`no level given; pass the level before the mesh: navkiln verify LEVEL ${files[0]}`);
  checkLevelFiles(levels);
  const agent =
    base.options.agent === undefined && optionFlags.agent === undefined
      ? {}
      : { agent: { ...base.options.agent, ...optionFlags.agent } };
  return {
    ...base,
    levels,
    options: { ...base.options, ...optionFlags, ...agent },
    ...(map === undefined ? {} : { map: { ...base.map, ...map } }),
    ...(flags.twoSided === undefined ? {} : { twoSided: flags.twoSided }),
    ...(flags.allowOutside === true ? { allowOutside: true } : {}),
  };
}

async function readLevels(settings: BakeSettings, progress: Progress): Promise<VerifyLevel> {
  const onFile = (file: string): void => progress.note(`verify: read ${file}`);
  const { twoSided, allowOutside } = settings;
  const limits = { onFile, memoryLimitBytes: readLimit(settings), allowOutside };
  if (areMaps(settings)) {
    const { loadMaps } = await import('../loaders/map.ts');
    const files = settings.levels.map(({ file }) => file);
    const map = await loadMaps(files, settings.map ?? {}, limits);
    noteAll(map.warnings, progress);
    return mapFor(map, settings);
  }
  const { positions, indices, warnings } = await loadLevels(settings.levels, { ...limits, twoSided });
  noteAll(warnings, progress);
  return { positions, indices };
}

/** Returns a flag as a whole number. */
function count(flags: VerifyFlags, key: 'seed' | 'pairs'): number | undefined {
  const given = flags[key];
  if (given === undefined) return undefined;
  const value = given.trim() === '' ? NaN : Number(given);
  if (!Number.isSafeInteger(value) || value < 0) throw new InputError(`--${key} ${given}: must be a whole number >= 0`);
  return value;
}

function length(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = given.trim() === '' ? NaN : Number(given);
  if (!(value > 0 && value < Infinity)) throw new InputError(`--spacing ${given}: must be a number > 0`);
  return value;
}
