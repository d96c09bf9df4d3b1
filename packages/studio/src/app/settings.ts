/** Settings by the path of their field: reading, changing, what differs from what a scene came with, what the bake takes. */
import type { BuildOptions, BuildReport } from 'navkiln/build';
import type { PolygonOptions, PolygonReport } from 'navkiln/polygon';
import { listFields } from 'navkiln-cli/config';
import type { Field } from 'navkiln-cli/config';
import type { Edits, Settings } from './state.ts';

export type FieldValue = number | string | boolean;

/** Fields that mean nothing here: the page has its own limit of memory, and shows warnings anyway. */
const LEFT_OUT = ['strict', 'memoryLimitBytes'];

export const FIELDS: readonly Field[] = listFields().filter(({ path }) => !LEFT_OUT.includes(path.join('.')));

export function nameOf(field: Field): string {
  return field.path.join('.');
}

/** 'agent.maxSlopeDegrees' -> 'max slope', 'map.fillRule' -> 'fill rule'. */
export function labelOf(field: Field): string {
  const key = field.path[field.path.length - 1]!.replace(/Degrees$/, '');
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const UNITS: Readonly<Record<string, string>> = {
  m: 'in metres', 'm²': 'in square metres', '°': 'in degrees', corners: 'a number of corners', bytes: 'in bytes',
  share: 'a share', px: 'in pixels', 'm/px': 'in metres a pixel',
};

/** What it does, its unit, its limits, what it is when it is not set: one sentence each. */
export function helpOf(field: Field): string {
  const { description, unit, min, max, aboveMin, default: fallback, choices } = field;
  const about = description.charAt(0).toUpperCase() + description.slice(1);
  const parts = [`${about}${unit === undefined || /degrees$/.test(about) ? '' : `, ${UNITS[unit] ?? unit}`}.`];
  if (min !== undefined && max !== undefined) parts.push(`${aboveMin ? 'Above' : 'From'} ${min} to ${max}.`);
  else if (min !== undefined) parts.push(aboveMin ? `Above ${min}.` : `${min} or more.`);
  if (choices.length > 0) parts.push(`One of ${choices.join(', ')}.`);
  if (fallback !== '') parts.push(`Default: ${fallback}.`);
  return parts.join(' ');
}

export function readSetting(settings: Settings, field: Field): FieldValue | undefined {
  let at: unknown = settings;
  for (const key of field.path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  return at as FieldValue | undefined;
}

/** The same settings with one field set, or (undefined) left to its default. */
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

/** Why a value will not do, or undefined. */
export function faultOf(field: Field, value: FieldValue): string | undefined {
  const name = labelOf(field);
  if (field.kind === 'choice') return field.choices.includes(String(value)) ? undefined : `${name} is one of ${field.choices.join(', ')}`;
  if (field.kind === 'boolean') return typeof value === 'boolean' ? undefined : `${name} is true or false`;
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${name} must be a number`;
  const { min, max, aboveMin, whole } = field;
  if (whole && !Number.isInteger(value)) return `${name} must be a whole number`;
  if (min !== undefined && (aboveMin ? value <= min : value < min)) return `${name} must be ${aboveMin ? 'above' : 'at least'} ${min}`;
  if (max !== undefined && value > max) return `${name} must be at most ${max}`;
  return undefined;
}

/** Fields whose values differ, with the value in `settings` (undefined: not set there). */
export function differences(settings: Settings, base: Settings): { field: Field; value: FieldValue | undefined }[] {
  return FIELDS.flatMap((field) => {
    const value = readSetting(settings, field);
    return value === readSetting(base, field) ? [] : [{ field, value }];
  });
}

/** What a field that is not set came to in the last bake, or what the schema says about it when that is a value. */
export function effectiveValue(field: Field, settings: Settings, report: BuildReport | PolygonReport | undefined): FieldValue {
  const set = readSetting(settings, field);
  if (set !== undefined) return set;
  const config = report?.config as Record<string, unknown> | undefined;
  const [first, second] = field.path as [string, string?];
  const inner = second === undefined || first === 'map' ? config : (config?.[first] as Record<string, unknown> | undefined);
  const value = inner?.[second ?? first];
  if (typeof value === typeof sample(field)) return value as FieldValue;
  if (config !== undefined && 'cellSize' in config) {
    const voxel = report!.config as BuildReport['config'];
    const derived: Readonly<Record<string, number>> = {
      tileSize: voxel.tileCells * voxel.cellSize,
      maxEdgeLength: voxel.maxEdgeLengthCells * voxel.cellSize,
      maxEdgeError: voxel.maxEdgeErrorCells * voxel.cellSize,
      regionMinArea: voxel.regionMinAreaCells * voxel.cellSize * voxel.cellSize,
      regionMergeArea: voxel.regionMergeAreaCells * voxel.cellSize * voxel.cellSize,
    };
    const number = derived[first];
    if (number !== undefined) return Number(number.toPrecision(4));
  }
  if (field.kind === 'number') return Number.isFinite(Number.parseFloat(field.default)) ? Number.parseFloat(field.default) : 0;
  return field.kind === 'boolean' ? field.default === 'true' : field.default;
}

function sample(field: Field): FieldValue {
  return field.kind === 'number' ? 0 : field.kind === 'boolean' ? false : '';
}

export function bakeOptions(settings: Settings, edits: Edits): BuildOptions {
  const { map, ...options } = settings;
  void map;
  return { ...options, volumes: edits.volumes, links: edits.links };
}

export function mapOptions(settings: Settings): PolygonOptions {
  const { agent, map = {} } = settings;
  const { mode, maxVertices, fillRule, gridSize, arcTolerance } = map;
  const options = { agent: { radius: 0, ...agent }, mode, maxVertices, fillRule, gridSize, arcTolerance };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
