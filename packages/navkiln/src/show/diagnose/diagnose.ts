/**
 * Tells whether a bake is suspicious, why, and what helps: another unit, axis, winding or agent.
 *
 * A bake is suspicious when it covers little of the surface that is flat enough, when much more surface faces another way, or when the
 * level is much wider than levels are. Then each likely remedy is tried (trial.ts), and the first after which most of the surface is
 * covered is reported. Values are round numbers. A level that is covered well costs one pass over its triangles.
 *
 * In: the triangles and options of a bake, and its mesh. Out: coverage, losses by stage, findings.
 * Cost: a pass over the triangles; up to about twenty trials of a quarter of a million columns when the bake is suspicious.
 * Based on: own.
 */
import { flipLevel, measureLevels, plain, scaleLevel, turnLevel, turnLevelSideways } from './empty/reason.ts';
import { explainEmptyBake } from './empty/trial.ts';
import type { LevelMeasures } from './empty/reason.ts';
import { measureSolids, resolveTwoSided } from '../../base/data/sides.ts';
import { checkTwoSided, turnTwoSidedUp } from '../../base/data/two-sided.ts';
import { unitOfAgent } from './sizes.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { AgentShape, NavMesh } from '../../mesh/types.ts';
import { AGENT_DEFAULTS } from '../../build/voxel/config.ts';
import type { BuildOptions, TriangleInput } from '../../build/voxel/options.ts';
import { lossText, placeText } from './text.ts';
import { findClosedRooms } from './closed-rooms.ts';
import { findCoarseCells } from './coarse-cells.ts';
import { findIslandGaps } from './island-gaps.ts';
import { areaOf } from './mesh-area.ts';
import { checkBake, FACTORS, guessFactors, guessUnit } from './measure.ts';
import { measureStages } from './trial.ts';
import type { StageAreas } from './trial.ts';
import type { BakeDiagnosis, BakeFinding } from './types.ts';
import { isOnItsHead, readAxes } from './up-axis.ts';

/** A mesh that covers this share of the triangles that face up is not looked at further. */
const GOOD_COVER = 0.4;
/** A mesh that covers less than this share of the surface that is flat enough is suspicious. */
const LOW_COVER = 0.3;
/**
 * A remedy is reported if the mesh then covers at least this share of what can be covered, and this many times as much as before. No remedy
 * leaves a bake that is suspicious.
 */
const MOST_COVER = 0.5;
const GAIN = 2;
/** Another side is suspicious if this many times as much faces it. */
const ELSEWHERE = 3;
/** The same for triangles that face down, which are tried. */
const FLIPPED = 1.5;
/** Closed solids have as much area that faces down as up; a level with this share of it may have solids. */
const SOLID = 0.5;
/**
 * A level that is this many times higher, and wider, than deep along z stands upright: z is probably up, although walls may have more area
 * than the floors. Its least height in agent heights.
 */
const UPRIGHT = 3;
const UPRIGHT_HEIGHTS = 6;
const UPRIGHT_GAIN = 0.3;
/** A level narrower than this number of agent radii may be in another unit. */
const NARROW_RADII = 12;
/** Levels are wider than this number of agent radii. */
const PLAUSIBLE_RADII = 30;
/** Sizes of agents that are tried, as shares of the given one. */
const SHARES: readonly number[] = [0.75, 0.5, 0.375, 0.25, 0.15, 0.1];

/** Levels in inches look like levels in centimeters. */
const INCHES = ' (by 0.0254 if it is in inches)';

/** A suspicious bake. */
interface Case {
  input: TriangleInput;
  options: BuildOptions;
  agent: AgentShape;
  measures: LevelMeasures;
  /** Square units that the mesh covers. */
  meshArea: number;
  stages: StageAreas | undefined;
}

/** A change of level or agent. */
interface Remedy {
  code: BakeFinding['code'];
  changes: BakeFinding['changes'];
  /** Factor of the positions. */
  scale?: number;
  input: () => TriangleInput;
  options: BuildOptions;
  say: () => string;
}

/**
 * Tells whether a bake is suspicious, and which change of the level or of the options covers most of its surface.
 *
 * @param input the triangles of the bake
 * @param options those of the bake; of `sizes`, the first is looked at
 * @param navMesh the result; default: what a sample of the level gives
 * @throws TypeError, RangeError for input and options that `buildNavMesh` refuses
 */
export function diagnoseBake(input: TriangleInput, options: BuildOptions = {}, navMesh?: NavMesh): BakeDiagnosis {
  checkBake('diagnoseBake', input, options);
  if (navMesh !== undefined) checkNavMesh('diagnoseBake', navMesh, 'navMesh');
  checkTwoSided(
    'diagnoseBake',
    'input',
    input.twoSided,
    (input.indices ?? input.positions).length / (input.indices ? 3 : 9),
  );
  const agent: AgentShape = { ...AGENT_DEFAULTS, ...options.agent };
  Object.assign(agent, options.sizes?.list[0]);
  const level = { ...input, indices: turnTwoSidedUp(input.positions, input.indices, input.twoSided), twoSided: false };
  const measures = measureLevels([level], agent.maxSlopeDegrees);
  const { up, down, plusZ, minusZ } = measures.facing;
  const { size } = measures;
  const unit = guessUnit(level, agent);
  const most = Math.max(down, plusZ, minusZ);
  const isUpright = standsUpright(measures, agent);
  const suspect: Case = { input: level, options, agent, measures, meshArea: 0, stages: undefined };
  const insideOut = down > SOLID * up ? insideOutRemedy(suspect) : undefined;
  if (navMesh !== undefined) suspect.meshArea = areaOf(navMesh);
  const closedRooms = navMesh === undefined ? [] : findClosedRooms(level, navMesh);
  const { gaps: islandGaps, untriedCount: untriedGaps } =
    navMesh === undefined ? { gaps: [], untriedCount: 0 } : findIslandGaps(level, options, navMesh);
  const found = { closedRooms, islandGaps, untriedGaps };
  const coarse = navMesh === undefined ? undefined : findCoarseCells(level, options, navMesh, up);
  const isClear =
    unit === undefined && insideOut === undefined && !isUpright && most <= ELSEWHERE * up && down <= FLIPPED * up;
  if (navMesh !== undefined && navMesh.polyCount > 0 && isClear && suspect.meshArea >= GOOD_COVER * up)
    return {
      size,
      meshArea: suspect.meshArea,
      coverage: coverageOf(suspect.meshArea, up, most),
      findings: coarse === undefined ? [] : [coarse],
      ...found,
    };
  const stages = measureStages(level, { ...options, agent });
  suspect.stages = stages;
  if (navMesh === undefined) suspect.meshArea = stages?.pieces ?? 0;
  const { meshArea } = suspect;
  const flat = stages?.slope ?? up;
  const coverage = coverageOf(meshArea, flat, most);
  const isLow = coverage < LOW_COVER;
  const findings: BakeFinding[] = [];
  const add = (finding: BakeFinding | undefined): void => {
    if (finding !== undefined && findings.length === 0) findings.push(finding);
  };
  if (unit !== undefined)
    add(tryRemedy(suspect, scaled(suspect, unit.scale, unit.unit), { cover: LOW_COVER, least: 0 }));
  else {
    if (insideOut !== undefined) add(tryRemedy(suspect, insideOut, { cover: LOW_COVER, least: 0 }));
    if (isLow || !isClear)
      for (const remedy of levelRemedies(suspect)) {
        if (findings.length > 0) break;
        // The extent of an upright level speaks for another axis, too.
        const least = isUpright && remedy.code === 'wrong-up-axis' ? UPRIGHT_GAIN : GAIN;
        if (failsAtSmaller(suspect, remedy)) continue;
        add(tryRemedy(suspect, remedy, { least: least * meshArea }));
        if (findings[0]?.code === 'small-level') nameOthers(suspect, findings[0]);
      }
    // No agent fits a level that lies on its side.
    const isStanding = isLow && !liesOnItsSide(suspect, readAxes(level, size).alongX);
    if (isStanding && findings.length === 0) add(agentFinding(suspect));
  }
  if (findings.length === 0 && coarse !== undefined) findings.push(coarse);
  if (isLow) {
    const position = stages?.lostAt;
    const where = position === undefined ? '' : `; most is lost around ${placeText(position)}`;
    const covered = `the mesh covers ${plain(meshArea)} of ${plain(flat)} square units that are flat enough`;
    const message = `${covered}${lossText(suspect)}${where}`;
    findings.push({
      code: 'low-coverage',
      message,
      changes: {},
      area: meshArea,
      coverage,
      ...(position && { position }),
    });
  }
  const empty = navMesh?.polyCount === 0 ? explainEmptyBake(level, options) : undefined;
  return { size, meshArea, coverage, ...(stages && { stages }), findings, ...found, ...(empty && { empty }) };
}

/** Returns the share of the flat area that is covered; `most`: the area that faces another side. */
function coverageOf(meshArea: number, flat: number, most: number): number {
  if (flat > 0) return Math.min(1, meshArea / flat);
  return most > 0 ? 0 : 1;
}

/**
 * Bakes a sample with a remedy. Returns a finding if the mesh then covers at least the share `cover` and the area `least`.
 */
function tryRemedy(
  suspect: Case,
  { code, changes, scale = 1, input, options, say }: Remedy,
  { cover = MOST_COVER, least = GAIN * suspect.meshArea }: { cover?: number; least?: number } = {},
): BakeFinding | undefined {
  const { agent } = suspect;
  const after = measureStages(input(), { ...options, agent: { ...agent, ...options.agent } });
  if (after === undefined || after.pieces === 0) return undefined;
  const coverage = after.pieces / after.slope;
  const area = after.pieces / (scale * scale);
  if (coverage < cover || area < least) return undefined;
  const result = `the mesh then covers ${plain(area)} square units${scale === 1 ? '' : ' of the level as it is'}, ${Math.round(100 * coverage)} %`;
  return { code, message: `${say()}; ${result}`, changes, area, coverage };
}

/**
 * Returns whether a smaller factor makes the level as wide as levels are, and most of it is not covered then. Something else is wrong with
 * the level, such as its axis, which large factors hide.
 */
function failsAtSmaller(suspect: Case, { code, scale = 1 }: Remedy): boolean {
  const { agent, measures } = suspect;
  const radius = unitOfAgent(agent);
  const width = Math.max(measures.size[0], measures.size[2]);
  const isPlausible = (factor: number): boolean => factor < scale && factor * width > PLAUSIBLE_RADII * radius;
  return (
    code === 'small-level' &&
    FACTORS.some((factor) => isPlausible(factor) && tryRemedy(suspect, scaled(suspect, factor, '')) === undefined)
  );
}

/** Adds the other factors after which most of a small level is covered: nothing in it tells which is meant. */
function nameOthers(suspect: Case, finding: BakeFinding): void {
  const others = FACTORS.filter(
    (scale) => scale !== finding.changes['input.scale'] && tryRemedy(suspect, scaled(suspect, scale, '')) !== undefined,
  );
  if (others.length > 0) finding.message += `; ${others.join(' and ')} would do as well`;
}

/** Returns whether the floors of a level probably face along x, or along z in a level that is much deeper than wide. */
function liesOnItsSide({ measures: { size, facing } }: Case, alongX: number): boolean {
  const alongZ = Math.max(facing.plusZ, facing.minusZ);
  const isDeep = size[2] > 2 * Math.max(size[0], size[1]);
  return alongX > ELSEWHERE * facing.up || (isDeep && alongZ > FLIPPED * facing.up);
}

function standsUpright({ size }: LevelMeasures, { height }: AgentShape): boolean {
  return Math.min(size[0], size[1]) > UPRIGHT * size[2] && size[1] > UPRIGHT_HEIGHTS * height;
}

/** Returns remedies that change the level, the most likely first. */
function levelRemedies(suspect: Case): Remedy[] {
  const { input, options, agent, measures } = suspect;
  const { size, facing } = measures;
  const { up, down, plusZ, minusZ } = facing;
  const alongZ = Math.max(plusZ, minusZ);
  const remedies: Remedy[] = [];
  const sheets = down > up ? sheetsOf(input) : undefined;
  // Rooms and sky domes face inward, and only their inside is seen.
  if (sheets !== undefined && down > FLIPPED * up && sheets.turnedUpArea > sheets.keptDownArea) {
    const facts = `${plain(down)} square units face down and ${plain(up)} up`;
    // Of flat sheets, nothing tells which it is.
    if (size[1] > agent.height && isOnItsHead(input))
      remedies.push({
        code: 'wrong-up-axis',
        changes: { 'input.turn': 180 },
        input: () => turnLevel(input, 180),
        options,
        say: () =>
          `-y up? ${facts}, most of it in the upper half of the level; turn the level by 180 degrees about x (if y is up, its faces are flipped)`,
      });
    remedies.push(flippedRemedy(suspect, facts));
  }
  if (standsUpright(measures, agent) || (alongZ > up && (size[2] < size[1] || alongZ > 10 * up))) {
    const { z: sign, alongX } = readAxes(input, size);
    // A level whose x is up lies on its side either way.
    const isSideways = alongX > FLIPPED * alongZ;
    // Where both fit, z up is much more common.
    const isPlus = sign >= 0;
    const degrees = isPlus ? -90 : 90;
    const turn: Remedy = {
      code: 'wrong-up-axis',
      changes: { 'input.turn': degrees },
      input: () => turnLevel(input, degrees),
      options,
      say: () =>
        `${isPlus ? 'z' : '-z'} up${sign === 0 ? ' (or -z, which fits as well)' : ''}? ${plain(isPlus ? plusZ : minusZ)} square units face along ${isPlus ? '+z' : '-z'} and ${plain(up)} ` +
        `up, which is y; turn the level by ${degrees} degrees about x`,
    };
    const sideways = isSideways ? sidewaysRemedy(suspect) : undefined;
    if (isSideways) return sideways === undefined ? remedies : [...remedies, sideways];
    if (down > alongZ) remedies.push(turn);
    else remedies.unshift(turn);
  } else {
    const sideways = sidewaysRemedy(suspect);
    if (sideways !== undefined) remedies.push(sideways);
  }
  if (sheets !== undefined && sheets.turnedUpArea > Math.max(up, sheets.keptDownArea)) {
    const both: Remedy = {
      code: 'one-sided-sheets',
      changes: { 'input.twoSided': true },
      input: () => ({ ...input, indices: turnTwoSidedUp(input.positions, input.indices, true) }),
      options,
      say: () =>
        `sheets without a back? ${plain(sheets.turnedUpArea)} square units of sheets face down; count them from both sides`,
    };
    // If some face up, flipping all would lose them.
    if (up > 0.1 * down) remedies.unshift(both);
    else remedies.push(both);
  }
  const radius = unitOfAgent(agent);
  const width = Math.max(size[0], size[2]);
  // A wall is not a small level.
  if (width < NARROW_RADII * radius && size[1] <= width && up > 0.1 * width * width)
    for (const scale of guessFactors(input, width, radius)) remedies.push(scaled(suspect, scale, ''));
  return remedies;
}

/** Returns the remedy for a level whose floors face along x, and that is less deep along x than along y. */
function sidewaysRemedy({ input, options, measures: { size, facing } }: Case): Remedy | undefined {
  const { x: sign, alongX } = readAxes(input, size);
  const alongZ = Math.max(facing.plusZ, facing.minusZ);
  if (!(alongX > ELSEWHERE * facing.up && alongX > FLIPPED * alongZ && size[0] < Math.min(size[1], size[2])))
    return undefined;
  // Nothing tells which side is up: both are named.
  const isPlus = sign >= 0;
  const degrees = isPlus ? 90 : -90;
  return {
    code: 'wrong-up-axis',
    changes: { 'input.turnZ': degrees },
    input: () => turnLevelSideways(input, degrees),
    options,
    say: () =>
      `${isPlus ? 'x' : '-x'} up${sign === 0 ? ' (or -x, which fits as well)' : ''}? ${plain(alongX)} square units face along x and ` +
      `${plain(facing.up)} up, which is y; turn the level by ${degrees} degrees about z`,
  };
}

function flippedRemedy({ input, options }: Case, facts: string): Remedy {
  return {
    code: 'flipped-faces',
    changes: { 'input.indices': true },
    input: () => flipLevel(input),
    options,
    say: () => `faces flipped? ${facts}; swap two corners of each triangle`,
  };
}

/** Returns the remedy for solids that face inward, if there are much more of them than of others. */
function insideOutRemedy(suspect: Case): Remedy | undefined {
  const { positions, indices = allCorners(positions) } = suspect.input;
  const { inward, outward } = measureSolids(positions, indices);
  if (!(inward > ELSEWHERE * outward)) return undefined;
  return flippedRemedy(
    suspect,
    `closed solids of ${plain(inward)} square units face inward, of ${plain(outward)} outward`,
  );
}

/** Returns the remedy of another unit. `unit`: its name; '' for a level that is too small. */
function scaled({ input, options, measures, agent }: Case, scale: number, unit: string): Remedy {
  const { size } = measures;
  const now = size.map(plain).join(' × ');
  const then = size.map((value) => plain(value * scale)).join(' × ');
  const radii = plain(Math.max(size[0], size[2]) / unitOfAgent(agent));
  const what = unit === '' ? 'another unit' : unit;
  return {
    code: unit === '' ? 'small-level' : 'wrong-unit',
    changes: { 'input.scale': scale },
    scale,
    input: () => scaleLevel(input, scale),
    options,
    say: () =>
      `the level is ${now} units, ${radii} agent radii wide: ${what}? multiply its positions by ${scale}, to ${then}${unit === 'centimeters' ? INCHES : ''}`,
  };
}

/** Returns the largest agent that covers most of the level. */
function agentFinding(suspect: Case): BakeFinding | undefined {
  const { input, options, agent, stages } = suspect;
  if (stages === undefined) return undefined;
  const remedyOf = (code: BakeFinding['code'], keys: readonly (keyof AgentShape)[], share: number): Remedy => {
    const change: Partial<AgentShape> = {};
    for (const key of keys) change[key] = Number((agent[key] * share).toPrecision(2));
    // Cells follow from the radius unless the caller chose them for a larger one.
    const own = { ...options, cellSize: options.cellSize === undefined ? undefined : options.cellSize * share };
    const cells = code === 'low-headroom' ? options : { ...own, cellHeight: undefined, regionMinArea: undefined };
    const values = keys.map((key) => `agent.${key} ${String(change[key])}`).join(', ');
    return {
      code,
      changes: Object.fromEntries(keys.map((key) => [`agent.${key}`, change[key]!])),
      input: () => input,
      options: { ...cells, agent: { ...options.agent, ...change } },
      say: () =>
        `${code === 'low-headroom' ? 'ceilings too low' : code === 'large-radius' ? 'passages too narrow' : 'agent too large'}? set ${values}`,
    };
  };
  const byHeight = (share: number): Remedy => remedyOf('low-headroom', ['height'], share);
  const byRadius = (share: number): Remedy => remedyOf('large-radius', ['radius'], share);
  const byAll = (share: number): Remedy => remedyOf('large-agent', ['radius', 'height', 'maxClimb'], share);
  if (stages.pieces < MOST_COVER * stages.radius) {
    const finding = tryRemedy(
      suspect,
      {
        code: 'small-pieces',
        changes: { regionMinArea: 0 },
        input: () => input,
        options: { ...options, regionMinArea: 0 },
        say: () => 'pieces too small? set regionMinArea 0',
      },
      { cover: LOW_COVER, least: GAIN * suspect.meshArea },
    );
    if (finding !== undefined) return finding;
  }
  const isLow = stages.slope - stages.headroom > stages.headroom - stages.pieces;
  for (const kind of isLow ? [byHeight, byAll] : [byRadius, byAll]) {
    // The smallest agent tells how much can be covered; furniture and roofs may be the rest.
    const all = measureStages(input, kind(SHARES[SHARES.length - 1]).options);
    if (all === undefined || all.pieces < LOW_COVER * all.slope) continue;
    for (const share of SHARES) {
      const finding = tryRemedy(suspect, kind(share), {
        cover: LOW_COVER,
        least: Math.max(GAIN * suspect.meshArea, MOST_COVER * all.pieces),
      });
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

function sheetsOf({ positions, indices }: TriangleInput): { turnedUpArea: number; keptDownArea: number } {
  const all = indices ?? allCorners(positions);
  return resolveTwoSided({ positions, indices: all, twoSided: new Uint8Array(all.length / 3).fill(1) }).sides!;
}

function allCorners(positions: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
}
