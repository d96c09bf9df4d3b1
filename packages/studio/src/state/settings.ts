/**
 * Reads, changes, checks and compares settings by the fields of the schema, and turns them into build
 * options.
 */
import type { Field } from 'navkiln-cli/config';
import { bakeStages } from 'navkiln/build';
import type { BakeConfig, BuildSettings, SurfaceOptions } from 'navkiln/build';
import type { PolygonOptions } from 'navkiln/polygon';
import { sharedBody } from './agent-types.ts';
import { ALL_FIELDS } from './fields.ts';
import { wordsOf } from './format.ts';
import type { SceneContent } from './scene-content.ts';
import { NO_EDITS } from './state.ts';
import type { LevelEdits } from './state.ts';
import type { Edits, Settings } from './state.ts';

export type FieldValue = number | string | boolean;

/** Fields without a meaning in the studio: the page has its own memory limit and always shows warnings. */
const LEFT_OUT = ['strict', 'memoryLimitBytes'];

export const FIELDS: readonly Field[] = ALL_FIELDS.filter(({ path }) => !LEFT_OUT.includes(path.join('.')));

export function nameOf(field: Field): string {
  return field.path.join('.');
}

/** Names as in Unity and Blender, where the schema's are not plain. */
const LABELS: Readonly<Record<string, string>> = {
  'agent.maxClimb': 'step height',
  'map.mode': 'convex pieces',
  partition: 'partitioning',
  regionMinArea: 'min region area',
  regionMergeArea: 'merged region area',
  maxVerticesPerPoly: 'vertices per polygon',
  detailSampleDistance: 'sample distance',
  detailMaxError: 'max sample error',
  filterLowHangingObstacles: 'climb low obstacles',
  filterLedges: 'remove ledges',
  filterLowCeilings: 'remove below low ceilings',
  medianAreas: 'smooth areas',
  tessellateWallEdges: 'split wall edges',
  tessellateAreaEdges: 'split area edges',
  recast: 'equal to recast',
  dynamic: 'for moving obstacles',
};

/** Returns the label of a field: 'max slope' for agent.maxSlopeDegrees, 'step height' for agent.maxClimb. */
export function labelOf(field: Field): string {
  return LABELS[nameOf(field)] ?? wordsOf(field.path[field.path.length - 1].replace(/Degrees$/, ''));
}

/** Names of options, of several words, in the library's messages, and their labels. */
const WORDS = new Map(FIELDS.map((field) => [field.path.at(-1)!, labelOf(field)] as const));

/** Returns a message of the library in the words of the panel: 'step height' for maxClimb. */
export function inPanelWords(message: string): string {
  return message
    .replace(/(?:\b(?:agent|options|map)\.)*\b[a-z]+[A-Z]\w*\b/g, (name) => WORDS.get(name.split('.').at(-1)!) ?? name)
    .replace(/(> |rounds the |above the )climb\b/g, '$1step height')
    .replace(/ (has|have) no area(?=;|$)/g, ' $1 no area, and no effect');
}

const UNITS: Readonly<Record<string, string>> = {
  m: 'in meters',
  'm²': 'in square meters',
  '°': 'in degrees',
  corners: 'a number of corners',
  bytes: 'in bytes',
  share: 'a fraction from 0 to 1',
  px: 'in pixels',
  'm/px': 'in meters per pixel',
};

/** Recast's names, for those who know them. */
const RECAST_NAMES: Readonly<Record<string, string>> = {
  'agent.radius': 'walkableRadius',
  'agent.height': 'walkableHeight',
  'agent.maxClimb': 'walkableClimb',
  'agent.maxSlopeDegrees': 'walkableSlopeAngle',
  cellSize: 'cs',
  cellHeight: 'ch',
  tileSize: 'tileSize',
  regionMinArea: 'minRegionArea',
  regionMergeArea: 'mergeRegionArea',
  maxEdgeLength: 'maxEdgeLen',
  maxEdgeError: 'maxSimplificationError',
  maxVerticesPerPoly: 'maxVertsPerPoly',
  detailSampleDistance: 'detailSampleDist',
  detailMaxError: 'detailSampleMaxError',
};

/**
 * Returns the tooltip of a field: what it does with its unit, its limits and its default, one sentence each.
 */
export function helpOf(field: Field): string {
  const { description, unit, min, max, aboveMin, default: fallback, choices } = field;
  const about = description.charAt(0).toUpperCase() + description.slice(1);
  const parts = [`${about}${unit === undefined || about.endsWith('degrees') ? '' : `, ${UNITS[unit] ?? unit}`}.`];
  if (min !== undefined && max !== undefined) parts.push(`${aboveMin ? 'Above' : 'From'} ${min} to ${max}.`);
  else if (min !== undefined) parts.push(aboveMin ? `Above ${min}.` : `${min} or more.`);
  if (choices.length > 0) parts.push(`One of ${choices.join(', ')}.`);
  if (fallback !== '') parts.push(`Default: ${fallback}.`);
  const recast = RECAST_NAMES[nameOf(field)];
  if (recast !== undefined) parts.push(`In Recast: ${recast}.`);
  if (LABELS[nameOf(field)] !== undefined) parts.push(`In code: ${nameOf(field)}.`);
  return parts.join(' ');
}

export function readSetting(settings: Settings, field: Field): FieldValue | undefined {
  let value: unknown = settings;
  for (const key of field.path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value as FieldValue | undefined;
}

/** Returns a copy of the settings with one field set, or (undefined) back at its default. */
export function withSetting(settings: Settings, field: Field, value: FieldValue | undefined): Settings {
  const [first, second] = field.path as [string, string?];
  const copy = { ...settings } as Record<string, unknown>;
  if (second === undefined) {
    if (value === undefined) delete copy[first];
    else copy[first] = value;
    return copy as Settings;
  }
  const inner = { ...(copy[first] as Record<string, unknown> | undefined) };
  if (value === undefined) delete inner[second];
  else inner[second] = value;
  if (Object.keys(inner).length === 0) delete copy[first];
  else copy[first] = inner;
  return copy as Settings;
}

/**
 * Returns why a value is invalid as a phrase such as 'cell size must be above 0', or undefined for a valid
 * value.
 */
export function faultOf(field: Field, value: FieldValue): string | undefined {
  const name = labelOf(field);
  if (field.kind === 'choice') {
    return field.choices.includes(String(value)) ? undefined : `${name} is one of ${field.choices.join(', ')}`;
  }
  if (field.kind === 'boolean') return typeof value === 'boolean' ? undefined : `${name} is true or false`;
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${name} must be a number`;
  const { min, max, aboveMin, whole } = field;
  if (whole && !Number.isInteger(value)) return `${name} must be a whole number`;
  if (min !== undefined && (aboveMin ? value <= min : value < min)) {
    return `${name} must be ${aboveMin ? 'above' : 'at least'} ${min}`;
  }
  if (max !== undefined && value > max) return `${name} must be at most ${max}`;
  return undefined;
}

/** Lists the fields whose values differ, with the value in `settings` (undefined: not set there). */
export function differences(settings: Settings, base: Settings): { field: Field; value: FieldValue | undefined }[] {
  return FIELDS.flatMap((field) => {
    const value = readSetting(settings, field);
    return value === readSetting(base, field) ? [] : [{ field, value }];
  });
}

/**
 * Returns the value of a field, or, where it is not set, the value that the bake derives or the default of
 * the schema.
 */
export function effectiveValue(field: Field, settings: Settings, derived: BakeConfig | undefined): FieldValue {
  const set = readSetting(settings, field);
  if (set !== undefined) return set;
  const found = derived === undefined ? undefined : derivedValue(field, derived);
  if (found !== undefined) return typeof found === 'number' ? Number(found.toPrecision(4)) : found;
  const number = Number.parseFloat(field.default);
  if (field.kind === 'number') return Number.isFinite(number) ? number : 0;
  return field.kind === 'boolean' ? field.default === 'true' : field.default;
}

/**
 * Resolves the settings as a bake does. Returns undefined for invalid settings, which the bake itself
 * reports.
 */
export function deriveConfig(settings: Settings): BakeConfig | undefined {
  try {
    const { bounds: _b, volumes: _v, links: _l, dynamic: _d, partition, ...options } = bakeOptions(settings, NO_EDITS);
    // The agent of a mesh with types is the smallest one.
    const [first] = [...(settings.agentTypes ?? [])].sort((a, b) => a.radius - b.radius || a.height - b.height);
    if (first !== undefined) options.agent = { ...options.agent, radius: first.radius, height: first.height };
    return bakeStages.resolveConfig(bakeStages.prepareInput({ positions: [0, 0, 0, 0, 0, 1, 1, 0, 0] }), {
      ...options,
      // Only its name is needed.
      ...(partition === undefined ? {} : { partition: { name: partition, build: () => undefined } }),
    });
  } catch {
    return undefined;
  }
}

function derivedValue(field: Field, config: BakeConfig): FieldValue | undefined {
  const name = nameOf(field);
  const { agent, cellSize } = config;
  const squareCell = cellSize * cellSize;
  switch (name) {
    case 'tileSize':
      return config.tileCells * cellSize;
    case 'maxEdgeLength':
      return config.maxEdgeLengthCells * cellSize;
    case 'maxEdgeError':
      return config.maxEdgeErrorCells * cellSize;
    case 'regionMinArea':
      return config.regionMinAreaCells * squareCell;
    case 'regionMergeArea':
      return config.regionMergeAreaCells * squareCell;
    default: {
      const value = name.startsWith('agent.')
        ? agent[name.slice(6) as keyof typeof agent]
        : config[name as keyof BakeConfig];
      return typeof value === 'object' ? undefined : value;
    }
  }
}

/** Returns the options of a bake from triangles, without agent types: their functions cannot be sent to a worker. */
export function bakeOptions(settings: Settings, edits: Edits): BuildSettings {
  const { map: _map, autoLinks: _autoLinks, agentTypes: _types, ...options } = settings;
  return { ...options, volumes: edits.volumes, links: edits.links };
}

/** Returns the options of a surface mesh, as `navkiln crowd` has them. */
export function surfaceOptions(settings: Settings, surface: SceneContent['surface']): SurfaceOptions {
  const { tileSize, maxVerticesPerPoly } = settings;
  const agent = settings.agentTypes === undefined ? settings.agent : { ...settings.agent, ...sharedBody(settings) };
  return { ...surface, agent, tileSize, maxVerticesPerPoly };
}

/** Returns the edits of a level that its build options do not contain. */
export function levelEdits({ seeds, tiles, parts = [] }: Edits, { autoLinks, agentTypes }: Settings): LevelEdits {
  return {
    seeds,
    tiles,
    parts,
    ...(autoLinks === undefined ? {} : { autoLinks }),
    ...(agentTypes === undefined ? {} : { agentTypes }),
  };
}

/** Returns the options of a 2D build. */
export function mapOptions(settings: Settings): PolygonOptions {
  const { agent, map = {} } = settings;
  const { mode, maxVertices, fillRule, gridSize, arcTolerance, yAxis } = map;
  const options = {
    agent: { radius: 0, ...agent, ...sharedBody(settings) },
    mode,
    maxVertices,
    fillRule,
    gridSize,
    arcTolerance,
    yAxis,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
