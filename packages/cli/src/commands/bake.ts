/** navkiln bake LEVEL... -o OUT.navmesh */
import { basename } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { LevelGroup } from 'navkiln/io';
import { saveNavMesh } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { bakeNavMesh, buildNavMesh, createAgentSizes, optionsFromSettings } from 'navkiln/build';
import type { BuildOptions, BuildReport, EmptyReason, SurfaceReport } from 'navkiln/build';
import type { MapLayerReport, PolygonReport } from 'navkiln/polygon';
import { addConfigFlags, readConfigFlags } from '../config/flags.ts';
import type { BakeSettings } from '../config/settings.ts';
import { InputError, blameInput } from '../errors.ts';
import { loadLevels } from '../loaders/level.ts';
import { PLACEMENT_HELP, parseLevelSpec } from '../loaders/placement.ts';
import { print } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';
import type { Progress } from '../output/progress.ts';
import { formatBytes, formatMs, formatTable, jsonLine, plural } from '../output/text.ts';
import { checkOutput, realPath, writeFiles } from '../output/write-file.ts';
import type { OutputFile } from '../output/write-file.ts';
import { keepTypes, sharedAgent, whyBodiesDiffer } from '../config/shared-agent.ts';
import { addTypeFlag, linesOfTypes, readAgentTypes, refuseOwnBody, summarizeTypes } from './agent-types.ts';
import type { TypeSummary } from './agent-types.ts';
import { addGapLinksTo, addLinksTo, describeAutoLinks, readAutoLinks } from './auto-links.ts';
import type { AutoLinkFlags, AutoLinkSummary, LinkLine } from './auto-links.ts';
import { areMaps, bakeMap, linesOfMap, summarizeMap } from './bake-map.ts';
import type { MapSummary } from './bake-map.ts';
import type { LevelFlags, LevelSummary } from './map-levels.ts';
import { readPooling, withPool } from './bake-pool.ts';
import type { Pooling } from './bake-pool.ts';
import { bakeSurface, checkSurface } from './bake-surface.ts';
import { mapFor, verifyBaked } from './verify-baked.ts';
import type { VerifyLevel, VerifySummary } from './verify-baked.ts';
import { adviceOf } from './empty.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { explainEmptyIndex, indexFileOf } from './index-file.ts';
import { checkUnit, diagnose, keepReachable, readPoints } from './suspicion.ts';
import type { ReachSummary, SuspicionSummary } from './suspicion.ts';
import { checkLevelFiles, explainLackOfMemory, machineMemory, noteAll, readLimit } from './level-input.ts';

interface BakeFlags extends Record<string, unknown>, AutoLinkFlags, LevelFlags {
  output?: string;
  config?: string;
  surface?: boolean;
  twoSided?: boolean;
  dynamic?: boolean;
  svg?: string;
  index?: boolean;
  indexMaxBytes?: string;
  workers?: string;
  cache?: string;
  verify?: boolean;
  mapThreshold?: string;
  allowEmpty?: boolean;
  allowOpen?: boolean;
  allowOutside?: boolean;
  json?: boolean;
  agentType?: string[];
  keepReachable?: string[];
}

/** The object that `bake --json` prints. */
interface BakeSummary {
  /** Null when nothing was written because the mesh has no polygons. */
  output: string | null;
  tiles: number;
  polygons: number;
  vertices: number;
  detailTriangles: number;
  bytes: number;
  /** With --dynamic only: bytes of the layers that worlds are opened with. */
  layerBytes?: number;
  /** With --index only. */
  index?: { output: string; tier: string; reason: string; corners: number; bytes: number };
  /** With --auto-links only. */
  autoLinks?: AutoLinkSummary;
  /** 2D maps with areas or layers of Tiled only. */
  map?: MapSummary;
  /** With --keep-reachable only. */
  reachable?: ReachSummary;
  /** With --map-levels only. */
  mapLevels?: LevelSummary;
  /** With agent types only. */
  agentTypes?: TypeSummary[];
  /** With --verify only. */
  verify?: VerifySummary;
  totalMs: number;
  stages: { name: string; ms: number }[];
  warnings: {
    code: string;
    stage: string;
    count: number;
    reason?: EmptyReason;
    message?: string;
    advice?: string;
    layers?: MapLayerReport[];
  }[];
  /** With --cache only. */
  cache?: BuildReport['cache'];
}

export function addBakeCommand(program: Command, finish: (status: number) => void): void {
  const command = program
    .command('bake')
    .description(
      'Bake level files (.glb, .gltf, .obj) or 2D maps (.geojson, .tmx, .tmj, .svg, .png, .json) to a navigation mesh. ' +
        'Lengths are in the units of the level. 2D maps use the agent options (default radius: 0) ' +
        'and the options that begin with --map.',
    )
    .argument('[levels...]', 'level files, each with an optional placement (see below), or 2D maps')
    .option('-o, --output <file>', 'the .navmesh file to write')
    .option('--config <file>', 'read options from a YAML or JSON file; flags take precedence');
  addConfigFlags(command);
  addTypeFlag(command)
    .option('--surface', 'build from the upward-facing triangles themselves, without voxels')
    .option(
      '--two-sided',
      'triangles count from both sides (default: those of double-sided glTF materials, where they are sheets)',
    )
    .option('--no-two-sided', 'triangles count only from the front, also those of double-sided materials')
    .option('--dynamic', 'store the solid spans of each tile, so that obstacles can change the mesh; needs --tile-size')
    .option('--allow-outside', 'level and map files may name files outside of their folder')
    .option(
      '--map-levels [property]',
      'indoor GeoJSON: one mesh of all levels, joined by stairs and lifts; default property: the one that most features have',
    )
    .option('--map-threshold <share>', 'PNG: brightness from which on pixels are free, 0 to 1 of white (default: 0.5)')
    .option(
      '--map-level-height <height>',
      'with --map-levels: height of a level, world units (default: 3; 1 with baseHeight)',
    )
    .addOption(new Option('--svg <file>', 'draw the mesh from above; for a 2D map, every stage'))
    .option('--index', 'also write a path index for shortest paths, as .navindex next to the mesh')
    .option('--index-max-bytes <count>', 'limit for the bytes of the index (default: 67108864)')
    .option('--auto-links', 'add links for jumps, drops and climbs that are clear of the level')
    .option(
      '--auto-link-limits <kinds>',
      'their kinds, with the distance of jumps and the height of others, such as jump=2.5,drop=3,climb=1.2,vault=1.1',
    )
    .option('--workers <n>', 'bake tiles (see --tile-size) in this many threads, 1 to 256; default: in one')
    .option('--cache <folder>', 'keep baked tiles in a folder, and bake only those that have changed')
    .option(
      '--keep-reachable <x,y,z>',
      'leave out mesh that the position does not lead to; may be given several times',
      (point: string, before: string[] = []) => [...before, point],
    )
    .option('--verify', 'compare the mesh with the level, and warn where it does not fit (see navkiln verify)')
    .option('--allow-open', 'write the mesh of a Tiled map in which nothing blocks; default: status 1 and no file')
    .option('--allow-empty', 'write a mesh without polygons, with status 0; default: status 1 and no file')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', `\n${PLACEMENT_HELP}`)
    .action(async (levels: string[], flags: BakeFlags) => finish(await bake(levels, flags)));
}

async function bake(files: readonly string[], flags: BakeFlags): Promise<number> {
  const settings = await resolveSettings(files, flags);
  const { output } = settings;
  const maxBytes = readMaxBytes(flags);
  const points = readPoints(flags.keepReachable) ?? settings.keepReachable;
  if (points !== undefined && settings.options.dynamic === true)
    throw new InputError('--keep-reachable: not with --dynamic; pass keepReachable to openWorld');
  const autoLinks = readAutoLinks(flags) ?? settings.autoLinks;
  if (autoLinks !== undefined && settings.surface !== undefined)
    throw new InputError('automatic links: not with --surface; remove --auto-links or autoLinks');
  if ((flags.mapLevels !== undefined || flags.mapLevelHeight !== undefined) && !areMaps(settings))
    throw new InputError('--map-levels: only applies to GeoJSON; remove it for levels of triangles');
  const progress = createProgress('bake', process.stderr);
  if (settings.pooling !== undefined && !settings.options.tileSize) {
    progress.note('note: without --tile-size, the level is one tile, which one thread bakes');
  }
  try {
    const baked = await (areMaps(settings) ? bakeMaps(settings, progress, flags) : bakeLevels(settings, progress));
    const { source, navMesh, report, suspicions = [] } = baked;
    const remedy = suspicions.find(({ advice }) => advice !== undefined)?.advice;
    for (const warning of report.warnings) {
      // The remedy of a diagnosis covers most of the level; that of an empty result only gives a polygon.
      const isOutdone = remedy !== undefined && warning.code === 'empty-result';
      if (!isOutdone) progress.note(`warning: ${warning.message}${placeIn(source.groups, warning)}`);
    }
    let linkSummary: AutoLinkSummary | undefined;
    let linkLines: LinkLine[] = [];
    if (autoLinks !== undefined) {
      progress.stage('links', 0, 1);
      const added = await (baked.level === undefined
        ? addGapLinksTo(navMesh, autoLinks)
        : addLinksTo(navMesh, baked.level, autoLinks));
      linkSummary = added.summary;
      linkLines = added.lines;
    }
    if (settings.agentTypes !== undefined) keepTypes(navMesh, settings.agentTypes);
    const reached = points === undefined ? undefined : keepReachable(navMesh, points, progress);
    const isEmpty = navMesh.polyCount === 0 && flags.allowEmpty !== true;
    const isOpen = flags.allowOpen !== true && source.warnings.some(({ code }) => code === 'nothing-blocks');
    const isRefused = isEmpty || isOpen;
    const verified =
      flags.verify === true && !isRefused
        ? await verifyBaked(baked.verifyLevel, navMesh, settings, points, progress)
        : undefined;
    const bytes = saveNavMesh(navMesh);
    let index: BakeSummary['index'];
    if (!isRefused) {
      const written: OutputFile[] = [{ path: output, bytes }];
      if (flags.index === true) {
        progress.stage('index', 0, 1);
        const { buildPathIndex, savePathIndex } = await import('navkiln/index');
        const built = buildPathIndex(navMesh, maxBytes === undefined ? {} : { maxBytes });
        const indexBytes = savePathIndex(built);
        const indexFile = indexFileOf(output);
        written.push({ path: indexFile, bytes: indexBytes });
        const { tier, reason, cornerCount, others } = built;
        for (const part of [built, ...others])
          if (part.tier === 'none') progress.note(`warning: ${indexFile}: ${explainEmptyIndex(part.reason)}`);
        index = { output: indexFile, tier, reason, corners: cornerCount, bytes: indexBytes.length };
      }
      if (flags.svg !== undefined)
        written.push({ path: flags.svg, bytes: await baked.draw(basename(output), linkLines) });
      await writeFiles(written);
    }
    const warnings = [
      ...source.warnings.map(({ code, count, layers }) => ({
        code,
        stage: 'load',
        count,
        ...(layers === undefined ? {} : { layers }),
      })),
      ...report.warnings.map(({ message: _, where: __, ...rest }: Warning) => rest),
      ...suspicions,
      ...(verified?.summary.passed === false
        ? [{ code: 'not-verified', stage: 'verify', count: verified.summary.places.length }]
        : []),
    ];
    const baseSummary = summarize(isRefused ? null : output, navMesh, report, isRefused ? 0 : bytes.length, warnings);
    const summary: BakeSummary = {
      ...baseSummary,
      ...(index === undefined ? {} : { index }),
      ...(baked.map === undefined ? {} : { map: baked.map }),
      ...(baked.levels === undefined ? {} : { mapLevels: baked.levels }),
      ...(reached === undefined ? {} : { reachable: reached }),
      ...(linkSummary === undefined ? {} : { autoLinks: linkSummary }),
      ...(verified === undefined ? {} : { verify: verified.summary }),
      ...(navMesh.sizes.length === 0 ? {} : { agentTypes: summarizeTypes(navMesh) }),
    };
    if (flags.json === true) await print(jsonLine(summary));
    if (isOpen) {
      progress.note(`error: nothing blocks, so ${output} is not written (--allow-open writes it)`);
      return EXIT_NO;
    }
    if (isRefused) {
      progress.note(`error: the mesh has no polygons, so ${output} is not written (--allow-empty writes it)`);
      const reason = report.warnings.map((warning: Warning) => warning.reason).find((one) => one !== undefined);
      const advice = remedy ?? (reason === undefined ? undefined : adviceOf(reason));
      if (advice !== undefined) progress.note(`try: ${advice}`);
      return EXIT_NO;
    }
    if (flags.json !== true) await print(describe({ ...summary, output }, flags.svg, verified?.line));
    return EXIT_OK;
  } finally {
    progress.end();
  }
}

type Warning = (BuildReport | PolygonReport | SurfaceReport)['warnings'][number] & { reason?: EmptyReason };

/** Settings of a bake, its pool and its cache. */
interface BakeJob extends BakeSettings {
  /** With --workers or --cache. */
  pooling?: Pooling | undefined;
}

interface Baked {
  source: {
    groups?: readonly LevelGroup[];
    warnings: readonly { code: string; count: number; message: string; layers?: MapLayerReport[] }[];
  };
  /** The drawing, as SVG. */
  draw: (title: string, lines: LinkLine[]) => Promise<string>;
  navMesh: NavMesh;
  /** The triangles, of levels only. */
  level?: { positions: ArrayLike<number>; indices: ArrayLike<number> };
  report: BuildReport | PolygonReport | SurfaceReport;
  /** What --verify compares the mesh with. */
  verifyLevel: VerifyLevel;
  map?: MapSummary | undefined;
  /** With --map-levels only. */
  levels?: LevelSummary;
  /** What is suspicious about the bake of a level. */
  suspicions?: SuspicionSummary[];
}

async function bakeLevels(settings: BakeJob, progress: Progress): Promise<Baked> {
  if (settings.options.links !== undefined) (await import('navkiln/links')).enableWideLinks();
  const { twoSided, allowOutside } = settings;
  const level = await loadLevels(settings.levels, {
    onFile: (file) => progress.note(`bake: read ${file}`),
    memoryLimitBytes: readLimit(settings),
    twoSided,
    allowOutside,
  });
  noteAll(level.warnings, progress);
  if (settings.surface === undefined) await checkUnit(level, settings.options, progress);
  const { navMesh, report } =
    settings.surface === undefined
      ? await runBake(level, settings, progress)
      : bakeSurface(level, settings, ({ stage, done, total }) => progress.stage(stage, done, total));
  const draw: Baked['draw'] = async (title, lines) =>
    (await import('navkiln/debug')).sceneSvg({ level, navMesh, title, lines });
  const suspicions = await diagnose(level, settings, { navMesh, report }, progress);
  const { positions, indices } = level;
  return { source: level, level, navMesh, report, draw, verifyLevel: { positions, indices }, suspicions };
}

async function bakeMaps(
  settings: BakeSettings,
  progress: Progress,
  flags: LevelFlags & Pick<BakeFlags, 'mapThreshold'>,
): Promise<Baked> {
  if (flags.mapLevels !== undefined || flags.mapLevelHeight !== undefined) {
    const { bakeLevelsOf, readLevelFlags } = await import('./map-levels.ts');
    const given = readLevelFlags(flags)!;
    const baked = bakeLevelsOf(settings, given, (file) => progress.note(`bake: read ${file}`));
    noteAll(baked.source.warnings, progress);
    const { navMesh, report, source, levels } = baked;
    const draw: Baked['draw'] = async (title) => (await import('navkiln/debug')).sceneSvg({ navMesh, title });
    return { source, navMesh, report, draw, verifyLevel: { polygons: [] }, levels };
  }
  const { loadMaps } = await import('../loaders/map.ts');
  const files = settings.levels.map(({ file }) => file);
  const source = await loadMaps(files, settings.map ?? {}, {
    threshold: readThreshold(files, flags.mapThreshold),
    onFile: (file) => progress.note(`bake: read ${file}`),
    memoryLimitBytes: readLimit(settings),
    allowOutside: settings.allowOutside,
  });
  noteAll(source.warnings, progress);
  const build = await bakeMap(source, settings);
  const draw = async (title: string): Promise<string> => (await import('navkiln/debug')).polygonSvg({ build, title });
  const verifyLevel = mapFor(source, settings);
  const map = summarizeMap(source, build);
  return { source, navMesh: build.navMesh, report: build.report, draw, verifyLevel, map };
}

/** Returns the object and the material of the triangle that a warning names, or ''. */
function placeIn(groups: readonly LevelGroup[] = [], warning: { where?: unknown }): string {
  const triangle = (warning.where as { triangle?: number } | undefined)?.triangle;
  if (triangle === undefined) return '';
  const group = groups.find(({ triangleStart, triangleCount }) => {
    return triangle >= triangleStart && triangle < triangleStart + triangleCount;
  });
  if (group === undefined || group.name + group.material === '') return '';
  const material = group.material === '' ? '' : `, material "${group.material}"`;
  return ` (number ${triangle - group.triangleStart} of "${group.name}"${material})`;
}

/**
 * Merges the configuration with the flags, which take precedence. Checks everything that can be checked
 * before the bake.
 */
async function resolveSettings(files: readonly string[], flags: BakeFlags): Promise<BakeJob & { output: string }> {
  const fromFlags = await readConfigFlags(flags);
  const base: BakeSettings =
    flags.config === undefined
      ? { levels: [], output: undefined, options: {} }
      : (await import('../config/read.ts')).readConfig(flags.config);
  const { map: mapFlags, surface: surfaceFlags, ...optionFlags } = fromFlags;
  const options: BakeSettings['options'] = { ...base.options, ...optionFlags };
  const map = base.map !== undefined || mapFlags !== undefined ? { map: { ...base.map, ...mapFlags } } : {};
  const isSurface = base.surface !== undefined || flags.surface === true;
  if (surfaceFlags !== undefined && !isSurface) {
    throw new InputError('--weld-tolerance, --max-gap and --island-min-area only apply with --surface');
  }
  const surface = isSurface ? { surface: { ...base.surface, ...surfaceFlags } } : {};
  if (base.options.agent !== undefined || fromFlags.agent !== undefined)
    options.agent = { ...base.options.agent, ...fromFlags.agent };
  if (flags.dynamic === true) options.dynamic = true;
  if (options.dynamic === true && !((options.tileSize ?? 0) > 0)) throw new InputError('--dynamic: needs --tile-size');
  const levels = files.length > 0 ? files.map(parseLevelSpec) : base.levels;
  const output = flags.output ?? base.output;
  const inConfig =
    flags.config === undefined ? 'or a --config file that lists levels' : `or list "levels" in ${flags.config}`;
  if (levels.length === 0) {
    throw new InputError(
      `no level given; pass .glb, .gltf or .obj files, 2D maps (.geojson, .tmx, .tmj, .svg, .png, .json), ${inConfig}`,
    );
  }
  if (output === undefined) throw new InputError('no output given; pass -o FILE.navmesh');
  checkLevelFiles(levels);
  const outputs = [
    { path: output, flag: '-o' },
    ...(flags.index === true ? [{ path: indexFileOf(output), flag: '--index' }] : []),
    ...(flags.svg === undefined ? [] : [{ path: flags.svg, flag: '--svg' }]),
  ];
  const taken = new Map(levels.map(({ file }) => [realPath(file), `the level ${file}`]));
  if (flags.config !== undefined) taken.set(realPath(flags.config), `the configuration ${flags.config}`);
  for (const { path, flag } of outputs) {
    const other = taken.get(realPath(path));
    if (other !== undefined) throw new InputError(`${flag} ${path}: would overwrite ${other}; choose another file`);
    taken.set(realPath(path), `${flag} ${path}`);
    await checkOutput(path, flag);
  }
  const sides = {
    ...(flags.twoSided === undefined ? {} : { twoSided: flags.twoSided }),
    ...(flags.allowOutside === true ? { allowOutside: true } : {}),
  };
  const pooling = readPooling(flags);
  const { autoLinks, keepReachable: kept } = base;
  const settings: BakeJob & { output: string } = {
    levels,
    output,
    options,
    pooling,
    ...map,
    ...surface,
    ...sides,
    ...(autoLinks === undefined ? {} : { autoLinks }),
    ...(kept === undefined ? {} : { keepReachable: kept }),
  };
  const agentTypes = readAgentTypes(flags.agentType) ?? base.agentTypes;
  if (agentTypes !== undefined) {
    refuseOwnBody(options);
    const isMap = areMaps(settings);
    if (isMap || isSurface) {
      const why = whyBodiesDiffer(agentTypes, isMap);
      if (why !== '') throw new InputError(`agent types: ${why}`);
      options.agent = { ...options.agent, ...sharedAgent(agentTypes) };
      settings.agentTypes = agentTypes;
    } else {
      options.sizes = createAgentSizes(agentTypes);
    }
  }
  checkSurface(settings);
  if (pooling !== undefined && (areMaps(settings) || isSurface))
    throw new InputError('--workers and --cache: only apply to levels without --surface; remove them');
  if (areMaps(settings) && isSurface) throw new InputError('--surface: only applies to levels; remove it for 2D maps');
  if (areMaps(settings) && flags.twoSided === true)
    throw new InputError('--two-sided: only applies to levels; remove it for 2D maps');
  return settings;
}

/** Returns the value of --map-threshold. */
function readThreshold(files: readonly string[], given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!files.some((file) => /\.png$/i.test(file))) throw new InputError('--map-threshold: only applies to PNG files');
  const threshold = Number(given);
  if (threshold > 0 && threshold <= 1) return threshold;
  throw new InputError(`--map-threshold ${given}: must be a number above 0 and at most 1`);
}

/** Returns the value of --index-max-bytes. */
function readMaxBytes({ index, indexMaxBytes }: BakeFlags): number | undefined {
  if (indexMaxBytes === undefined) return undefined;
  if (index !== true) throw new InputError('--index-max-bytes: only applies with --index; add that');
  const maxBytes = Number(indexMaxBytes);
  if (!(maxBytes > 0)) throw new InputError(`--index-max-bytes ${indexMaxBytes}: must be a number > 0`);
  return maxBytes;
}

async function runBake(
  level: { positions: Float64Array; indices: Uint32Array },
  { options, pooling }: BakeJob,
  progress: Progress,
): Promise<{ navMesh: NavMesh; report: BuildReport }> {
  // The level stays in memory during the bake.
  const heldBytes = level.positions.byteLength + level.indices.byteLength;
  const memoryLimitBytes = Math.max(1, (options.memoryLimitBytes ?? machineMemory()) - heldBytes);
  const input = { positions: level.positions, indices: level.indices };
  const onProgress: BuildOptions['onProgress'] = ({ stage, done, total }) => progress.stage(stage, done, total);
  const all = { ...options, memoryLimitBytes, onProgress };
  try {
    return pooling === undefined
      ? buildNavMesh(input, optionsFromSettings(all))
      : await withPool(pooling, (places) => bakeNavMesh(input, { ...optionsFromSettings(all), ...places }));
  } catch (error) {
    explainLackOfMemory(error);
    throw blameInput(error, pooling === undefined ? 'buildNavMesh' : 'bakeNavMesh');
  }
}

function summarize(
  output: string | null,
  navMesh: NavMesh,
  report: BuildReport | PolygonReport | SurfaceReport,
  bytes: number,
  warnings: BakeSummary['warnings'],
): BakeSummary {
  let tiles = 0;
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) tiles += navMesh.tileState[slot];
  return {
    output,
    tiles,
    polygons: navMesh.polyCount,
    vertices: navMesh.vertexCount,
    detailTriangles: navMesh.detailTriCount,
    bytes,
    ...(navMesh.layers.length > 0 ? { layerBytes: navMesh.layers.length } : {}),
    totalMs: roundMs(report.totalMs),
    stages: report.stages.map(({ name, ms }) => ({ name, ms: roundMs(ms) })),
    warnings,
    ...('cache' in report ? { cache: report.cache } : {}),
  };
}

/** Rounds to microseconds. */
function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function describe(
  summary: BakeSummary & { output: string },
  svg: string | undefined,
  verdict: string | undefined,
): string {
  const { tiles, polygons, vertices, detailTriangles } = summary;
  const parts = [
    plural(tiles, 'tile'),
    plural(polygons, 'polygon'),
    plural(vertices, 'vertex', 'vertices'),
    plural(detailTriangles, 'detail triangle'),
  ];
  const lines = [`${summary.output}: ${parts.join(', ')}, ${formatBytes(summary.bytes)}`];
  const { index, layerBytes, cache, autoLinks, agentTypes, reachable } = summary;
  if (agentTypes !== undefined) lines.push('agent types', ...linesOfTypes(agentTypes, '  '));
  if (summary.map !== undefined) lines.push(...linesOfMap(summary.map));
  if (layerBytes !== undefined) {
    lines.push(
      `layers: ${formatBytes(layerBytes)}, ${formatBytes(Math.round(layerBytes / Math.max(tiles, 1)))} per tile`,
    );
  }
  if (autoLinks !== undefined) lines.push(describeAutoLinks(autoLinks));
  if (reachable !== undefined)
    lines.push(`reachable: ${plural(reachable.kept, 'polygon')}, ${reachable.leftOut} left out`);
  if (index !== undefined) {
    lines.push(`${index.output}: ${index.tier}, ${plural(index.corners, 'corner')}, ${formatBytes(index.bytes)}`);
  }
  if (verdict !== undefined) lines.push(verdict);
  if (svg !== undefined) lines.push(`${svg}: drawn`);
  if (cache !== undefined) lines.push(`cache: ${plural(cache.hits, 'tile')} unchanged, ${cache.misses} baked`);
  lines.push(
    formatTable(
      [...summary.stages.map(({ name, ms }) => [name, formatMs(ms)]), ['total', formatMs(summary.totalMs)]],
      '  ',
    ),
  );
  return `${lines.join('\n')}\n`;
}
