/**
 * Explains why a bake has no walkable surface, or almost none, and what helps.
 *
 * In: the state after a bake. Out: a title, a sentence, figures, and changes that are likely to help, best first.
 * The reason of an empty mesh is that of the library's report, which has tried its remedy. For other results the directions
 * and the size of the triangles decide.
 * Cost: linear in the number of polygons.
 * Based on: own.
 */
import type { BuildWarning } from 'navkiln/build';

import { formatNumber, plural, wordsOf } from './format.ts';
import { ELSEWHERE, HUGE, emptyWarning, heightOf, needsAdvice, seemsHuge, surfaceArea } from './needs-advice.ts';
import { NO_CORRECTION, NO_EDITS } from './state.ts';
import type { Edits, LevelCorrection, LevelMeasure, Settings, StudioState } from './state.ts';

type Reason = NonNullable<BuildWarning['reason']>;

/** A change of the document, or a stage of the bake to look at. */
export type Remedy = { title: string; help: string } & ({ settings: Settings } | { edits: Edits } | { stage: string });

export interface Advice {
  title: string;
  text: string;
  figures: readonly (readonly [name: string, value: string])[];
  remedies: readonly Remedy[];
}

/** Height of an agent that `fitAgent` gives a level, as a share of the level's width. */
const FITTING_SHARE = 1 / 20;

/** Returns advice about the last bake or the size of the level, or undefined when there is nothing to advise. */
export function adviceOf(state: StudioState): Advice | undefined {
  const { mesh, level } = state;
  if (!needsAdvice(state)) return seemsHuge(state) ? adviceOnSize(state, level!.measure) : undefined;
  if (level !== undefined && mesh === undefined) return adviceOnFailure(state, level.measure);
  if (level === undefined) return adviceOnMap(state);
  const area = surfaceArea(mesh!.navMesh);
  const warning = area > 0 ? undefined : emptyWarning(state);
  const [title, count] =
    area > 0 ? ['Almost no walkable surface', mesh!.report!.counts.polygons] : ['No walkable surface', 0];
  return {
    title,
    text: area > 0 ? tinyText(state, area) : emptyText(state, warning),
    figures: [['Polygons', plural(count, 'polygon')], ...figuresOf(state, level.measure)],
    remedies: dropRepeated([
      ...(warning?.reason === undefined
        ? guesses(state, level.measure)
        : remediesOf(state, level.measure, warning.reason)),
      { title: 'Show what was filtered', help: 'Shows the last stage with a result', stage: stageOf(warning) },
    ]),
  };
}

function figuresOf({ mesh }: StudioState, { size, up, down, plusZ, minusZ }: LevelMeasure): [string, string][] {
  const { agent } = mesh!.navMesh;
  const figures: [string, string][] = [
    ['Level', `${size.map(formatNumber).join(' × ')} m`],
    ['Agent', `radius ${formatNumber(agent.radius)} m, height ${formatNumber(agent.height)} m`],
    ['Faces up', `${formatNumber(up)} m²`],
    ['Faces down', `${formatNumber(down)} m²`],
  ];
  if (Math.max(plusZ, minusZ) > up)
    figures.push([`Faces along ${plusZ >= minusZ ? '+z' : '-z'}`, `${formatNumber(Math.max(plusZ, minusZ))} m²`]);
  return figures;
}

/** Sentences for the causes that the library reports. */
const CAUSES: Readonly<Record<string, (reason: Reason) => string>> = {
  'no-triangles': () => 'The level has no triangles with finite corners.',
  'flipped-faces': ({ facing }) =>
    `The faces point down: ${formatNumber(facing.down)} m² face down, ${formatNumber(facing.up)} m² face up.`,
  'wrong-up-axis': ({ facing, value }) =>
    `The level seems to have ${value === 90 ? '-z' : 'z'} up: ${formatNumber(Math.max(facing.plusZ, facing.minusZ))} m² face along ` +
    `${value === 90 ? '-z' : 'z'}, ${formatNumber(facing.up)} m² along y, which is up here.`,
  'wrong-scale': ({ size, height }) =>
    `The level is ${formatNumber(Math.max(size[0], size[2]))} m wide, and the agent is ${formatNumber(height)} m high. The level seems to use another unit.`,
  'too-steep': ({ value }) => `The surface is too steep for the agent. Slopes up to ${String(value)}° are needed.`,
  'low-headroom': ({ height, value }) =>
    `The agent of ${formatNumber(height)} m is too high for the space above the floor. ${formatNumber(Number(value))} m fits.`,
  'large-radius': ({ radius, value }) =>
    `The level is too narrow for the agent's radius of ${formatNumber(radius)} m. ${formatNumber(Number(value))} m fits.`,
  'outside-bounds': () => 'All walkable surface is outside the bounds.',
  'cut-by-volumes': () => 'The volumes with area 0 remove all walkable surface.',
  'coarse-cells': () => 'The cells are too coarse for this level.',
  'small-pieces': () => 'All regions are smaller than the smallest region that is kept.',
  'coarse-outlines': () => 'The outlines are simplified so much that nothing is left.',
  ledges: () => 'All walkable surface is next to a drop that is higher than the agent climbs.',
};

function emptyText({ edits }: StudioState, warning: BuildWarning | undefined): string {
  const { reason } = warning ?? {};
  if (reason === undefined) {
    if (edits.tiles !== undefined || edits.seeds.length > 0)
      return 'Removed tiles or pruning leave no walkable surface.';
    return warning?.message ?? 'The bake gave no polygons.';
  }
  return CAUSES[reason.cause]?.(reason) ?? 'No single change of settings gives polygons.';
}

function tinyText({ level }: StudioState, area: number): string {
  const { up, down, plusZ, minusZ } = level!.measure;
  const most = Math.max(up, down, plusZ, minusZ);
  return `Only ${formatNumber(area)} m² are walkable, of ${formatNumber(most)} m² that face ${most === up ? 'up' : 'one direction'}.`;
}

/** Returns the stage to look at: the one that left nothing. */
function stageOf(warning: BuildWarning | undefined): string {
  const stages: Readonly<Record<string, string>> = { slope: 'slope', rasterize: 'solid' };
  return stages[warning?.stage ?? ''] ?? 'walkable';
}

function remediesOf(state: StudioState, measure: LevelMeasure, { cause, option, value }: Reason): Remedy[] {
  const { settings, edits } = state;
  const flip = corrected(edits, 'Flip faces', 'Turns the faces of all triangles over', (now) => ({
    isFlipped: !now.isFlipped,
  }));
  switch (cause) {
    case 'flipped-faces':
      return [flip, twoSided(edits)];
    case 'wrong-up-axis':
      return [turned(edits, value === 90 ? 90 : -90), twoSided(edits)];
    case 'wrong-scale':
      return [scaled(edits, Number(value ?? 100)), fitAgent(state, measure)];
    case 'no-triangles':
      return [];
    case 'cut-by-volumes': {
      const volumes = edits.volumes.filter(({ area }) => area !== 0);
      return [{ title: 'Remove these volumes', help: 'Removes all volumes with area 0', edits: { ...edits, volumes } }];
    }
    case 'unknown':
      return guesses(state, measure);
    default: {
      const own = option === undefined ? [] : [optionRemedy(settings, option, value)];
      return cause === 'low-headroom' || cause === 'large-radius' ? [...own, fitAgent(state, measure)] : own;
    }
  }
}

/** Changes to try when the library gives no reason. */
function guesses(state: StudioState, measure: LevelMeasure): Remedy[] {
  const { edits } = state;
  const { size, up, down, plusZ, minusZ } = measure;
  const height = heightOf(state);
  const remedies: Remedy[] = [];
  if (edits.tiles !== undefined || edits.seeds.length > 0) {
    const help = 'Bakes all tiles and forgets the positions for pruning';
    remedies.push({ title: 'Keep everything', help, edits: { ...edits, tiles: undefined, seeds: NO_EDITS.seeds } });
  }
  if (Math.max(plusZ, minusZ) > ELSEWHERE * up && Math.max(plusZ, minusZ) > down) {
    remedies.push(turned(edits, plusZ >= minusZ ? -90 : 90));
  }
  if (down > ELSEWHERE * up) {
    remedies.push(
      corrected(edits, 'Flip faces', 'Turns the faces of all triangles over', (now) => ({ isFlipped: !now.isFlipped })),
    );
    remedies.push(twoSided(edits));
  }
  const width = Math.max(size[0], size[2]);
  if (width < 4 * height) remedies.push(scaled(edits, 100));
  if (width > HUGE * height) remedies.push(scaled(edits, 0.01));
  return [...remedies, fitAgent(state, measure)];
}

function adviceOnFailure(state: StudioState, measure: LevelMeasure): Advice {
  const { text, figures, remedies } = adviceOnSize(state, measure);
  const fault = ['Fault', state.job.fault ?? ''] as const;
  return { title: 'The bake failed', text, figures: [...figures, fault], remedies };
}

function adviceOnSize(state: StudioState, measure: LevelMeasure): Advice {
  const height = heightOf(state);
  const width = Math.max(measure.size[0], measure.size[2]);
  return {
    title: 'Is the level that large?',
    text: `The level is ${formatNumber(width)} m wide, ${formatNumber(width / height)} times the height of the agent. It seems to use another unit.`,
    figures: [
      ['Level', `${measure.size.map(formatNumber).join(' × ')} m`],
      ['Agent', `height ${formatNumber(height)} m`],
    ],
    remedies: [scaled(state.edits, 0.01), fitAgent(state, measure)],
  };
}

function adviceOnMap({ mesh, settings, map }: StudioState): Advice {
  const texts = (mesh?.report?.warnings ?? []).map(({ message }) => message);
  const { min, max } = map!.bounds;
  const radius = mesh!.navMesh.agent.radius;
  const figures: [string, string][] = [
    ['Map', `${formatNumber(max[0] - min[0])} × ${formatNumber(max[2] - min[2])} m`],
    ['Agent', `radius ${formatNumber(radius)} m`],
  ];
  const agent = { ...settings.agent, radius: 0 };
  const remedies =
    radius > 0
      ? [{ title: 'Set the radius to 0', help: 'Keeps no distance to walls', settings: { ...settings, agent } }]
      : [];
  return { title: 'No walkable surface', text: texts[0] ?? 'The map has no walkable area.', figures, remedies };
}

/** Returns the height of the agent of the last bake, or of the next one. */
function corrected(
  edits: Edits,
  title: string,
  help: string,
  change: (now: LevelCorrection) => Partial<LevelCorrection>,
): Remedy {
  const now = edits.correction ?? NO_CORRECTION;
  return { title, help, edits: { ...edits, correction: { ...now, ...change(now) } } };
}

function scaled(edits: Edits, factor: number): Remedy {
  const help = `Multiplies all positions of the level by ${factor}`;
  return corrected(edits, `Scale × ${factor}`, help, ({ scale }) => ({ scale: scale * factor }));
}

/**
 * Returns the remedy of a turn. A second turn about the same axis would not be a turn by 90 degrees, so it starts
 * over.
 */
function turned(edits: Edits, degrees: number): Remedy {
  const title = degrees < 0 ? 'Z up → Y up' : '-Z up → Y up';
  return corrected(edits, title, 'Turns the level by 90 degrees about the x axis', ({ turn }) => ({
    turn: turn === 0 ? degrees : 0,
  }));
}

function twoSided(edits: Edits): Remedy {
  return corrected(edits, 'Two-sided', 'Makes all faces walkable from both sides', () => ({ isTwoSided: true }));
}

/** Sizes that are set besides the agent's are dropped: the bake derives them from the agent. */
function fitAgent({ settings }: StudioState, { size }: LevelMeasure): Remedy {
  const height = Number((FITTING_SHARE * Math.max(size[0], size[2])).toPrecision(2));
  const part = (share: number): number => Number((share * height).toPrecision(2));
  const {
    cellSize: _size,
    cellHeight: _height,
    tileSize: _tile,
    regionMinArea: _min,
    regionMergeArea: _merge,
    ...others
  } = settings;
  const {
    maxEdgeLength: _length,
    maxEdgeError: _error,
    detailSampleDistance: _sample,
    detailMaxError: _max,
    ...kept
  } = others;
  const agent = { ...settings.agent, height, radius: part(0.25), maxClimb: part(0.2) };
  const help = `Height ${agent.height} m, radius ${agent.radius} m, climb ${agent.maxClimb} m, with cells to match`;
  return { title: 'Fit agent to level', help, settings: { ...kept, agent } };
}

/** Sets a setting, such as agent.radius, to the value that the library found, or drops it. */
function optionRemedy(settings: Settings, option: string, value: number | boolean | undefined): Remedy {
  const [first, second] = option.split('.') as [string, string?];
  const inner =
    second === undefined ? value : { ...(settings[first as keyof Settings] as object | undefined), [second]: value };
  const name = wordsOf((second ?? first).replace(/Degrees$/, ''));
  const { [first as 'agent']: _old, ...others } = settings;
  const next = inner === undefined ? others : { ...others, [first]: inner };
  const title = value === undefined ? `Reset ${name}` : `Set ${name} to ${String(value)}`;
  return { title, help: 'Gives polygons in a trial', settings: next as Settings };
}

function dropRepeated(remedies: Remedy[]): Remedy[] {
  return remedies.filter(({ title }, i) => remedies.findIndex((other) => other.title === title) === i);
}
