/** `navkiln path FILE --from x,y,z --to x,y,z`: finds a path. On the mesh of a 2D map, positions are x,y. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  explainPath,
  findCheapestPath,
  findMidpointPath,
  findOptimalPath,
  findPath,
  findSmoothPath,
  getGroundLine,
} from 'navkiln';
import { tautenPath } from 'navkiln/kernel';
import type { NavMesh, PathExplanation, PathOptions } from 'navkiln';
import type { createLimitExplainer } from 'navkiln/debug';
import { InputError } from '../errors.ts';
import { print, warn } from '../output/print.ts';
import { formatNumber, formatPoint, jsonLine, plural } from '../output/text.ts';
import { checkOutput, writeFiles } from '../output/write-file.ts';
import { findType } from './agent-types.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { readNavMesh } from './navmesh-file.ts';
import { readPathIndex } from './index-file.ts';

interface PathFlags {
  from: string;
  to: string;
  mode?: string;
  step?: string;
  halfExtents?: string;
  type?: string;
  level?: string;
  svg?: string;
  json?: boolean;
}

export function addPathCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('path')
    .description(
      'Find a path on a navigation mesh. When no complete path exists, explain why; the exit status is then 1.',
    )
    .argument('<file>', 'a .navmesh file, or a Detour .bin file')
    .requiredOption('--from <x,y,z>', 'start of the path; x,y on the mesh of a 2D map, in its units')
    .requiredOption('--to <x,y,z>', 'end of the path')
    .option(
      '--mode <mode>',
      'funnel: corners; smooth: a point on the surface at every step; midpoints: usually shorter; ' +
        'cheapest: the least cost with the costs of --type; ' +
        'optimal: the shortest path, by the .navindex file next to the mesh if there is one (default: funnel, on the mesh of a 2D map optimal)',
    )
    .option('--step <length>', "with --mode smooth: longest step, seen from above (default: the agent's radius)")
    .option(
      '--half-extents <length>',
      "how far from the mesh the ends may be along each axis (default: two radii and two cells to the sides, the agent's height up and down; on a 2D map any distance)",
    )
    .option(
      '--type <name>',
      'agent type of the mesh whose size and rules apply (default: the first size, without rules)',
    )
    .option(
      '--level <file>',
      'the .glb, .gltf or .obj that the mesh was baked from: if no path exists, also name the limit of the bake that closes the route',
    )
    .option('--svg <file>', 'draw the mesh and the path from above')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText(
      'after',
      [
        '\nExample:  navkiln path level.navmesh --from 0,0,0 --to 12.5,0,-3',
        '           navkiln path map.navmesh --from 10,20 --to 300,40',
      ].join('\n'),
    )
    .action(async (file: string, flags: PathFlags) => finish(await path(file, flags)));
}

async function path(file: string, flags: PathFlags): Promise<number> {
  const from = readPoint(flags.from, '--from');
  const to = readPoint(flags.to, '--to');
  const step = readStep(flags);
  const halfExtents = flags.halfExtents === undefined ? undefined : readLength(flags.halfExtents, '--half-extents');
  if (flags.svg !== undefined) await checkOutput(flags.svg, '--svg');
  const { navMesh } = await readNavMesh(file);
  const isMap = from.isMap || to.isMap;
  if (isMap) checkMap(navMesh, from, to, flags);
  // The module is not loaded for levels, which do not need it.
  const plane = isMap ? await import('navkiln/polygon') : undefined;
  const show = (point: Point): number[] => plane?.meshToMap(navMesh, point) ?? point;
  const ends = [from, to].map(({ point }) => plane?.mapToMesh(navMesh, { x: point[0], y: point[2] }) ?? point) as [
    Point,
    Point,
  ];
  // On a map, an end outside the walkable area means the nearest walkable point, as in findPath2d.
  const reach = halfExtents ?? (isMap ? Infinity : undefined);
  const options: PathOptions = {
    ...(reach === undefined ? {} : { halfExtents: reach }),
    ...(flags.type === undefined ? {} : { filter: findType(navMesh, flags.type).filter }),
  };
  const mode = flags.mode ?? (isMap || navMesh.mapYSign !== 0 ? 'optimal' : 'funnel');
  const index = mode === 'optimal' ? await readPathIndex(file, navMesh) : undefined;
  const found = index ? index(...ends, { ...options, withPolys: true }) : findAny(navMesh, ends, mode, step, options);
  const explainGap = flags.level === undefined ? undefined : await limitsOf(flags.level, navMesh);
  const explanation = found.status === 'complete' ? null : explainPath(navMesh, ...ends, { ...options, explainGap });
  const { status, reason, length } = found;
  const points = found.points.map(show);
  const polygons = found.polys.length;
  if (flags.svg !== undefined) {
    const { sceneSvg } = await import('navkiln/debug');
    // The corners alone would be drawn through hills.
    const line = found.polys.length > 0 && !isMap ? getGroundLine(navMesh, found) : null;
    const path = { ...found, points: line?.points ?? found.points };
    const drawing = sceneSvg({ navMesh, title: basename(file), ...(points.length > 0 ? { path } : {}) });
    await writeFiles([{ path: flags.svg, bytes: drawing }]);
  }
  if (flags.json === true) {
    // Infinite distances (the mesh is empty) become null.
    const explained = explanation === null ? {} : { explanation: explanationJson(explanation, show) };
    const type = flags.type === undefined ? {} : { type: flags.type };
    const moved = isMap ? { startDistance: found.startDistance, endDistance: found.endDistance } : {};
    await print(jsonLine({ status, reason, length, points, polygons, ...type, ...moved, ...explained }));
  } else {
    const how = reason === '' ? status : `${status} (${reason})`;
    const lines = [
      `${how}: ${plural(points.length, 'point')}, length ${formatNumber(length)}, ${plural(polygons, 'polygon')}`,
    ];
    await print(`${[...lines, ...points.map(formatPoint)].join('\n')}\n`);
    noteMoved(found, isMap);
  }
  if (explanation !== null && flags.json !== true) warn(`why: ${nameFlag(explanation.message)}\n`);
  return status === 'complete' ? EXIT_OK : EXIT_NO;
}

type Point = [number, number, number];

/** Returns the option `explainGap` of `explainPath` for a mesh that was baked from a level file. */
async function limitsOf(file: string, { cellSize }: NavMesh): Promise<ReturnType<typeof createLimitExplainer>> {
  if (cellSize === 0) throw new InputError('--level: only applies to meshes that were baked from voxels');
  // The modules are loaded only here, since most paths need no level.
  const [{ readLevel }, debug] = await Promise.all([import('../loaders/level.ts'), import('navkiln/debug')]);
  return debug.createLimitExplainer(await readLevel(file));
}

/** Reports ends that were outside the walkable area of a map. */
function noteMoved({ status, startDistance, endDistance }: ReturnType<typeof findPath>, isMap: boolean): void {
  if (!isMap || status === 'none') return;
  for (const [end, distance] of [
    ['start', startDistance],
    ['end', endDistance],
  ] as const) {
    // Distances that come from rounding are not reported.
    if (distance > 1e-6) {
      warn(`note: the ${end} is not walkable; moved ${formatNumber(distance)} to the nearest point\n`);
    }
  }
}

/** Returns an explanation as JSON, with positions as they are shown. */
function explanationJson(
  { cause, message, start, end, gap, block, passage }: PathExplanation,
  show: (point: Point) => number[],
): Record<string, unknown> {
  const showEnd = (given: typeof start): unknown => ({ ...given, nearest: given.nearest && show(given.nearest) });
  return {
    cause,
    message: nameFlag(message),
    start: showEnd(start),
    end: showEnd(end),
    gap: gap && { ...gap, from: show(gap.from), to: show(gap.to) },
    block: block && { ...block, point: show(block.point) },
    passage: passage && { ...passage, point: show(passage.point) },
  };
}

/** Replaces names of the library's options in a message by the flags of the command. */
function nameFlag(message: string): string {
  return message.replace('Larger halfExtents', 'A larger --half-extents');
}

interface End {
  /** x, y, z on the mesh; with `isMap` x, 0, y of the map. */
  point: Point;
  /** True when the position was given as x,y. */
  isMap: boolean;
}

/** Throws unless both ends are given as x,y and the mesh is flat like those of 2D maps. */
function checkMap({ vertices, vertexCount, mapYSign }: NavMesh, from: End, to: End, flags: PathFlags): void {
  let isFlat = true;
  // Meshes of older files and of Detour do not record that they are maps.
  if (mapYSign === 0) for (let v = 0; v < vertexCount; v++) isFlat &&= vertices[3 * v + 1] === 0;
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
  [from, to]: [Point, Point],
  mode: string,
  step: number | undefined,
  options: PathOptions,
): ReturnType<typeof findPath> {
  if (mode === 'smooth') return findWalk(navMesh, from, to, { ...options, step });
  if (mode === 'midpoints') return findMidpointPath(navMesh, from, to, options);
  if (mode === 'cheapest') return findCheapestPath(navMesh, from, to, options);
  if (mode === 'optimal') return findOptimalPath(navMesh, from, to, { ...options, tauten: tautenPath });
  return findPath(navMesh, from, to, options);
}

function findWalk(
  navMesh: NavMesh,
  from: Point,
  to: Point,
  options: PathOptions & { step: number | undefined },
): ReturnType<typeof findSmoothPath> {
  try {
    return findSmoothPath(navMesh, from, to, options);
  } catch (error) {
    // All other arguments were checked before, so the step is the cause: it makes too many points.
    throw error instanceof RangeError ? new InputError(`--step: ${error.message}`) : error;
  }
}

/** Reads `--step`, if it is given. */
function readStep({ mode, step }: PathFlags): number | undefined {
  if (mode !== undefined && !['funnel', 'smooth', 'midpoints', 'optimal', 'cheapest'].includes(mode)) {
    throw new InputError(`--mode: must be funnel, smooth, midpoints, optimal or cheapest (got "${mode}")`);
  }
  if (step === undefined) return undefined;
  if (mode !== 'smooth') throw new InputError('--step: only applies with --mode smooth');
  return readLength(step, '--step');
}

function readLength(text: string, flag: string): number {
  const length = text.trim() === '' ? NaN : Number(text);
  if (!(length > 0 && length < Infinity)) throw new InputError(`${flag}: must be a number above 0 (got "${text}")`);
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
