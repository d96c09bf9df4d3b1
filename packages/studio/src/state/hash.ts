/**
 * Writes and reads links: the part of the address after #. Links are readable, so that they can be written by
 * hand: `#scene=dungeon&tool=path&agent.radius=0.6&layers=-level&camera=x,y,z,x,y,z&tool.path={"from":[…]}`.
 * Entries that cannot be read are ignored and reported.
 */
import { LINK_KINDS, MAX_SIZES } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
import { withTypes } from './agent-types.ts';
import { FIELDS, differences, faultOf, nameOf, withSetting } from './settings.ts';
import type { FieldValue } from './settings.ts';
import { NO_EDITS } from './state.ts';
import type { CameraPose, Edits, Settings, Source, StudioState, ToolState } from './state.ts';

export interface LinkContent {
  source: Extract<Source, { kind: 'scene' | 'new' }> | undefined;
  /** Edits as JSON; '' for none. */
  edits: string;
  /** Names of files that the server of `navkiln studio` provides. */
  open: string[];
  /** Settings that replace those of the scene. */
  settings: { name: string; value: FieldValue | undefined }[];
  tool: string | undefined;
  toolStates: Record<string, ToolState>;
  layers: Record<string, boolean>;
  cut: number | undefined;
  /** Agent types that replace those of the scene; undefined: those stay. */
  agentTypes: AgentSize[] | undefined;
  agentType: string | undefined;
  camera: CameraPose | undefined;
  /** One sentence for each entry that could not be read. */
  faults: string[];
}

/** The value that resets a setting to its default. */
const DEFAULT_WORD = 'default';

/** Returns the link of the state, with its leading #, or '' for content that a link cannot restore. */
export function writeHash(state: StudioState, defaultTool: string): string {
  const { source, settings, baseSettings, edits, tool, toolStates, layers, cut, camera, agentType } = state;
  if (!isLinked(source)) return '';
  const parts: [string, string][] = source.kind === 'new' ? [['new', 'map']] : [];
  if (source.kind === 'scene') {
    parts.push(['scene', source.name]);
    if (source.seed !== undefined) parts.push(['seed', String(source.seed)]);
    if (source.scale !== undefined) parts.push(['scale', String(source.scale)]);
  }
  for (const { field, value } of differences(settings, baseSettings)) {
    parts.push([nameOf(field), value === undefined ? DEFAULT_WORD : String(value)]);
  }
  if (settings.agentTypes !== baseSettings.agentTypes)
    parts.push(['agentTypes', JSON.stringify(settings.agentTypes ?? [])]);
  if (agentType !== '') parts.push(['type', agentType]);
  if (tool !== defaultTool) parts.push(['tool', tool]);
  const shown = Object.entries(layers).map(([id, isShown]) => `${isShown ? '' : '-'}${id}`);
  if (shown.length > 0) parts.push(['layers', shown.join(',')]);
  if (cut !== undefined) parts.push(['cut', String(Number(cut.toFixed(3)))]);
  const pose = [...camera.position, ...camera.target].map((value) => String(Number(value.toFixed(2))));
  parts.push(['camera', pose.join(',')]);
  for (const [id, toolState] of Object.entries(toolStates)) {
    if (Object.keys(toolState).length > 0) parts.push([`tool.${id}`, JSON.stringify(toolState)]);
  }
  if (hasEdits(edits) && !areLong(edits)) parts.push(['edits', JSON.stringify(edits)]);
  // The names of files may contain commas, which are encoded.
  const open = source.kind === 'files' ? [`open=${(source.open ?? []).map(encodeURIComponent).join(',')}`] : [];
  return `#${[...open, ...parts.map(([key, value]) => `${key}=${encode(value)}`)].join('&')}`;
}

/** Returns whether a link can open the content again. */
export function isLinked(source: Source | undefined): source is Source {
  return source !== undefined && (source.kind !== 'files' || source.open !== undefined);
}

/** The longest edits that a link carries, characters. Browsers and chat programs cut longer links. */
const MAX_EDITS = 16_000;

function hasEdits(edits: Edits): boolean {
  return JSON.stringify(edits) !== JSON.stringify(NO_EDITS);
}

/** Returns whether the edits are too long for a link. */
export function areLong(edits: Edits): boolean {
  return JSON.stringify(edits).length > MAX_EDITS;
}

/** Percent-encodes only the characters that would end a value or the address. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|3A|5B|5D|7B|7D|22)/g, (hex) => decodeURIComponent(hex));
}

/** Parses a link. Never throws. */
export function readHash(hash: string): LinkContent {
  const content: LinkContent = {
    source: undefined,
    edits: '',
    open: [],
    settings: [],
    tool: undefined,
    toolStates: {},
    layers: {},
    cut: undefined,
    agentTypes: undefined,
    agentType: undefined,
    camera: undefined,
    faults: [],
  };
  const values = new Map<string, string>();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals <= 0) continue;
    const key = part.slice(0, equals);
    try {
      // The names of files may contain commas, which are encoded there.
      if (key === 'open')
        content.open = part
          .slice(equals + 1)
          .split(',')
          .filter(Boolean)
          .map(decodeURIComponent);
      else values.set(key, decodeURIComponent(part.slice(equals + 1)));
    } catch {
      content.faults.push(`"${part}" in the link is damaged and was ignored.`);
    }
  }
  const name = values.get('scene');
  if (name !== undefined) {
    content.source = { kind: 'scene', name };
    for (const key of ['seed', 'scale'] as const) {
      const number = Number(values.get(key) ?? NaN);
      if (Number.isFinite(number) && number > 0) content.source[key] = number;
    }
  } else if (values.get('new') === 'map') content.source = { kind: 'new' };
  content.edits = values.get('edits') ?? '';
  content.tool = values.get('tool');
  content.agentType = values.get('type');
  readTypes(content, values.get('agentTypes'));
  for (const id of (values.get('layers') ?? '').split(',')) {
    if (id !== '') content.layers[id.replace(/^-/, '')] = !id.startsWith('-');
  }
  for (const [key, text] of values) readEntry(content, key, text);
  return content;
}

/** Reads agent types. The bake checks rules about areas and flags later, because its code is not loaded when a link is opened. */
function readTypes(content: LinkContent, text: string | undefined): void {
  if (text === undefined) return;
  try {
    const types: unknown = JSON.parse(text);
    if (Array.isArray(types) && types.length <= MAX_SIZES && types.every(isType)) {
      content.agentTypes = types;
      return;
    }
  } catch {
    // Reported below.
  }
  content.faults.push('The agent types in the link are damaged and were ignored.');
}

function isType(value: unknown): value is AgentSize {
  const { name, radius, height, maxClimb = 0, maxSlopeDegrees = 0, ...rules } = (value ?? {}) as AgentSize;
  const { areaCosts = {}, closedAreas = [], closedLinks = [], includeFlags = 0, excludeFlags = 0 } = rules;
  const numbers = [radius, height, maxClimb, maxSlopeDegrees, includeFlags, excludeFlags];
  return (
    typeof name === 'string' &&
    name !== '' &&
    numbers.every((number) => Number.isFinite(number) && number >= 0) &&
    height > 0 &&
    maxSlopeDegrees <= 90 &&
    Array.isArray(closedAreas) &&
    closedAreas.every((area) => Number.isInteger(area)) &&
    Array.isArray(closedLinks) &&
    closedLinks.every((kind) => LINK_KINDS.includes(kind)) &&
    typeof areaCosts === 'object' &&
    areaCosts !== null &&
    Object.values(areaCosts).every((cost) => Number.isFinite(cost))
  );
}

function readEntry(content: LinkContent, key: string, text: string): void {
  if (key === 'camera') {
    const n = text.split(',').map(Number);
    if (n.length === 6 && n.every((value) => Number.isFinite(value))) {
      content.camera = { position: [n[0], n[1], n[2]], target: [n[3], n[4], n[5]] };
    } else content.faults.push('The camera in the link is not six numbers and was ignored.');
  } else if (key === 'cut') {
    if (Number.isFinite(Number(text)) && text !== '') content.cut = Number(text);
    else content.faults.push('The cut height in the link is not a number and was ignored.');
  } else if (key.startsWith('tool.')) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null) content.toolStates[key.slice(5)] = value as ToolState;
    } catch {
      content.faults.push(`The state of the tool "${key.slice(5)}" in the link is damaged and was ignored.`);
    }
  } else {
    const field = FIELDS.find((known) => nameOf(known) === key);
    if (field === undefined) return;
    if (text === DEFAULT_WORD) {
      content.settings.push({ name: key, value: undefined });
      return;
    }
    const value = field.kind === 'number' ? Number(text) : field.kind === 'boolean' ? text === 'true' : text;
    const fault = faultOf(field, value);
    if (fault === undefined) content.settings.push({ name: key, value });
    else content.faults.push(`${key} in the link was ignored: ${fault}.`);
  }
}

/** Returns the settings of a scene with those of a link applied. */
export function applySettings(base: Settings, link: LinkContent): Settings {
  const settings = link.settings.reduce((before, { name, value }) => {
    const field = FIELDS.find((known) => nameOf(known) === name);
    return field === undefined ? before : withSetting(before, field, value);
  }, base);
  return link.agentTypes === undefined ? settings : withTypes(settings, link.agentTypes);
}
