/**
 * Suspicious bakes on the command line: the unit of a level before its bake, and what the mesh misses after it, with the flags that help.
 */
import { optionsFromSettings } from 'navkiln/build';
import { pruneUnreachable } from 'navkiln';
import type { NavMesh } from 'navkiln';
import type { BuildSettings, BuildWarning, EmptyReason } from 'navkiln/build';
import type { BakeFinding, ClosedRoom, IslandGap } from 'navkiln/debug';
import { FLAGS } from '../config/flag-list.ts';
import type { BakeSettings } from '../config/settings.ts';
import { InputError } from '../errors.ts';
import type { Progress } from '../output/progress.ts';
import { plural } from '../output/text.ts';

/** Bakes with more columns take minutes, and are refused unless the caller chose cells or tiles. */
const MOST_COLUMNS = 64_000_000;
/** Closed rooms are mentioned if they have at least this share of the mesh. */
const LEAST_ROOMS = 0.01;
/** Places where islands nearly meet that are printed. */
const MOST_GAPS = 3;

interface Triangles {
  positions: Float64Array;
  indices: Uint32Array;
}

/** A suspicion as `--json` prints it. */
export interface SuspicionSummary {
  code: string;
  stage: 'diagnosis';
  count: number;
  message: string;
  /** Flags and placements that help; absent when nothing that was tried does. */
  advice?: string;
  /** Square units that are lost, and the stages that lose them. Only for 'low-coverage'. */
  area?: number | undefined;
  losses?: BuildWarning['losses'];
  /** Places where islands nearly meet. Only for 'island-gaps'. */
  gaps?: Pick<IslandGap, 'kind' | 'position' | 'step' | 'gap' | 'area' | 'changes'>[];
}

/**
 * Warns about a level that is probably in another unit. Throws an InputError when its bake would take minutes, unless the options name
 * cells, tiles or bounds.
 */
export async function checkUnit(level: Triangles, options: BuildSettings, progress: Progress): Promise<void> {
  const { measureBake } = await import('navkiln/debug');
  const { size, columns, radii, unit } = measureBake(level, optionsFromSettings(options));
  const [x, y, z] = size.map(plain);
  const about = `the level is ${x} × ${y} × ${z} units, ${plain(radii)} agent radii wide`;
  const guess =
    unit === undefined
      ? undefined
      : `${unit.unit}? ::scale=${unit.scale} after the name of the level makes it ${size.map((value) => plain(value * unit.scale)).join(' × ')}${unit.unit === 'centimeters' ? ' (inches: ::scale=0.0254)' : ''}`;
  const isChosen = options.cellSize !== undefined || (options.tileSize ?? 0) > 0 || options.bounds !== undefined;
  if (columns > MOST_COLUMNS && !isChosen) {
    const advice = guess ?? 'centimeters or millimeters? ::scale=0.01 or ::scale=0.001 after the name of the level';
    throw new InputError(
      `${about}, which is ${plain(columns / 1e6)} million columns: ${advice}. For a level that is this large, pass --tile-size, such as ` +
        `--tile-size ${plain(160 * cellOf(options))}, or a larger --cell-size`,
    );
  }
  if (guess !== undefined) progress.note(`warning: ${about}: ${guess}`);
}

/** A finished bake. */
interface Finished {
  navMesh: NavMesh;
  report: { warnings: (Pick<BuildWarning, 'area' | 'losses' | 'reason' | 'message'> & { code: string })[] };
}

/** Looks at a finished bake. Prints what is suspicious, and returns it. Adds the cause to the warning of an empty mesh. */
export async function diagnose(
  level: Triangles,
  { options, surface }: Pick<BakeSettings, 'options' | 'surface'>,
  { navMesh, report }: Finished,
  progress: Progress,
): Promise<SuspicionSummary[]> {
  const { diagnoseBake, explainEmptySurface } = await import('navkiln/debug');
  if (surface !== undefined && navMesh.polyCount === 0) {
    const { agent, tileSize, maxVerticesPerPoly } = options;
    explain(report, explainEmptySurface(level, { ...surface, agent, tileSize, maxVerticesPerPoly }));
    return [];
  }
  const { findings, empty, closedRooms, islandGaps, untriedGaps, meshArea } = diagnoseBake(
    level,
    optionsFromSettings(options),
    navMesh,
  );
  noteRooms(closedRooms, meshArea, progress);
  if (empty !== undefined) explain(report, empty);
  // The diagnosis measures again what the bake samples, and knows the remedy.
  const { warnings } = report;
  const low = warnings.findIndex(({ code }) => code === 'low-coverage');
  const sampled = low >= 0 && findings.length > 0 ? warnings.splice(low, 1)[0] : undefined;
  const suspicions = findings.map((finding): SuspicionSummary => {
    const { code, message } = finding;
    const advice = adviceFor(finding);
    // The unit was printed before the bake.
    if (code !== 'wrong-unit') progress.note(`warning: ${message}${advice === undefined ? '' : `; try: ${advice}`}`);
    const { area, losses } = (code === 'low-coverage' && sampled) || {};
    return {
      code,
      stage: 'diagnosis',
      count: 1,
      message,
      ...(advice === undefined ? {} : { advice }),
      ...(losses === undefined ? {} : { area, losses }),
    };
  });
  // Surface bakes report their own near misses.
  if (surface !== undefined || islandGaps.length + untriedGaps === 0) return suspicions;
  return [...suspicions, noteGaps(islandGaps, untriedGaps, progress)];
}

/** Tells where islands nearly meet, and what joins them. */
function noteGaps(gaps: readonly IslandGap[], untried: number, progress: Progress): SuspicionSummary {
  // A long border has steps at several places. The least change joins the part.
  const groups = new Map<string, IslandGap[]>();
  const climbOf = ({ changes }: IslandGap): number => changes['agent.maxClimb'] ?? 0;
  for (const gap of gaps) {
    const key = JSON.stringify([gap.area, gap.kind]);
    groups.set(
      key,
      [...(groups.get(key) ?? []), gap].sort((a, b) => climbOf(a) - climbOf(b)),
    );
  }
  const listed = [...groups.values()].slice(0, MOST_GAPS);
  const lines = listed.map(
    ([{ message, changes }, ...others]) =>
      `${message}${flagsFor(changes)}${others.length === 0 ? '' : ` (the same or more at ${plural(others.length, 'more place')} of its border)`}`,
  );
  const more = gaps.length - listed.flat().length;
  if (more > 0) lines.push(`${plural(more, 'more place')} where parts of the mesh nearly meet; --json lists all`);
  if (untried > 0)
    lines.push(`${plural(untried, 'place')} where parts of the mesh are near each other were not looked at`);
  for (const line of lines) progress.note(`warning: ${line}`);
  const list = gaps.map(({ message: _, ...rest }) => rest);
  return { code: 'island-gaps', stage: 'diagnosis', count: gaps.length, message: lines.join('; '), gaps: list };
}

/** Returns the flags of changes, for the end of a sentence. */
function flagsFor(changes: Readonly<Record<string, number | boolean>>): string {
  const flags = Object.entries(changes).map(([path, value]) => `${flagOf(path)} ${value}`);
  return flags.length === 0 ? '' : `; try: ${flags.join(' ')}`;
}

function flagOf(path: string): string {
  return FLAGS.find((flag) => flag.path.join('.') === path)?.flag ?? path;
}

/** Tells about closed rooms, which are no fault. */
function noteRooms(rooms: readonly ClosedRoom[], meshArea: number, progress: Progress): void {
  const area = rooms.reduce((sum, room) => sum + room.area, 0);
  if (area < LEAST_ROOMS * meshArea || rooms.length === 0) return;
  const [largest] = rooms;
  progress.note(
    `note: nothing leads to ${plural(rooms.length, 'part')} of the mesh below a ceiling (closed rooms, or the hollow of solids): ` +
      `${plain(area)} square units, the largest ${plain(largest.area)} at ${largest.position.map(plain).join(',')}. --keep-reachable x,y,z ` +
      'keeps only what a position leads to',
  );
}

/** Puts the cause in the place of the function that finds it. */
function explain(
  { warnings }: Finished['report'],
  { reason, message }: { reason: EmptyReason; message: string },
): void {
  const warning = warnings.find(({ code }) => code === 'empty-result');
  if (warning === undefined) return;
  warning.reason = reason;
  warning.message = `${warning.message.slice(0, warning.message.lastIndexOf(';'))}; ${message}`;
}

/** Returns the flags and placements of a finding. */
function adviceFor({ changes, message }: BakeFinding): string | undefined {
  const parts = Object.entries(changes).map(([path, value]) => {
    if (path === 'input.scale') return `::scale=${value} after the name of the level`;
    if (path === 'input.turn')
      return `::up=${value === -90 ? 'z' : value === 180 ? '-y' : '-z'} after the name of the level`;
    if (path === 'input.turnZ') return `::up=${value === 90 ? 'x' : '-x'} after the name of the level`;
    if (path === 'input.twoSided') return '--two-sided';
    if (path === 'input.indices') {
      const flip = 'flip the faces (or their normals) in the program that the level comes from';
      // The back of a solid is its inside.
      return message.includes('closed solids')
        ? flip
        : `--two-sided, or ${flip}; if -y is up, ::up=-y after the name of the level`;
    }
    return `${flagOf(path)} ${value}`;
  });
  return parts.length === 0 ? undefined : parts.join(' ');
}

function cellOf({ agent }: BuildSettings): number {
  const radius = agent?.radius ?? 0.4;
  return radius > 0 ? radius / 2 : (agent?.height ?? 1.8) / 10;
}

function plain(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Reads the values of --keep-reachable. */
export function readPoints(texts: readonly string[] | undefined): [number, number, number][] | undefined {
  return texts?.map((text) => {
    const numbers = text.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
    if (numbers.length !== 3 || !numbers.every((value) => Number.isFinite(value)))
      throw new InputError(`--keep-reachable "${text}": must be three numbers x,y,z`);
    return numbers as [number, number, number];
  });
}

/** Polygons that are kept and left out. */
export interface ReachSummary {
  kept: number;
  leftOut: number;
}

/** Leaves out the mesh that none of the points leads to: its polygons get flags 0, which no query passes. */
export function keepReachable(
  navMesh: NavMesh,
  points: readonly [number, number, number][],
  progress: Progress,
): ReachSummary {
  const { status, keptCount, prunedCount, missedSeeds } = pruneUnreachable(navMesh, points);
  const missed = missedSeeds.map((i) => points[i].join(','));
  const where = `${missed.join(' and ')}: no mesh within two radii; move the point onto the mesh`;
  if (status === 'no-seeds' && navMesh.polyCount > 0) throw new InputError(`--keep-reachable ${where}`);
  if (missed.length > 0) progress.note(`warning: --keep-reachable ${where}`);
  return { kept: keptCount, leftOut: prunedCount };
}
