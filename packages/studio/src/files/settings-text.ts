/**
 * Converts settings and edits to a configuration of the command line, and back. Loaded on demand, because it
 * needs YAML.
 */
import { parseConfigText } from 'navkiln-cli/config-text';
import { stringify } from 'yaml';
import { nameOfSource } from '../state/state.ts';
import type { Edits, Settings, StudioState } from '../state/state.ts';
import { readEdits } from './edits-text.ts';

const OWN_LINE = '#studio ';

export async function settingsText({ settings, edits, source }: StudioState): Promise<string> {
  // A changed map is saved beside its settings.
  const isMapChanged = source !== undefined && edits.map !== undefined;
  const mapName = isMapChanged ? `${nameOfSource(source).replace(/\.[^.]*$/, '')}.json` : '';
  const files = isMapChanged ? [mapName] : source?.kind === 'files' ? source.names.slice(0, 1) : [];
  const content = {
    ...(files.length > 0 ? { levels: files } : {}),
    ...settings,
    ...(edits.volumes.length > 0 ? { volumes: edits.volumes } : {}),
    ...(edits.links.length > 0 ? { links: edits.links } : {}),
  };
  // Edits that only the studio knows are written as a comment, which the command line ignores.
  const { seeds, tiles, parts, correction, areaNames, draft, mapLevels } = edits;
  const isOwn =
    [...seeds, ...(parts ?? [])].length > 0 ||
    [tiles, correction, areaNames, draft, mapLevels].some((own) => own !== undefined);
  const own = isOwn
    ? `${OWN_LINE}${JSON.stringify({ seeds, tiles, parts, correction, areaNames, draft, mapLevels })}\n`
    : '';
  const note =
    correction === undefined ? '' : '# The studio corrected the level (see the line below). Export it that way.\n';
  const mapNote = isMapChanged
    ? `# The map was drawn in the studio. Save it beside this file as ${mapName} (Save, Map).\n`
    : '';
  const scene = source?.kind === 'scene' && !isMapChanged ? source.name : undefined;
  const origin =
    scene === undefined ? '' : `# Settings of the bundled scene "${scene}"; name a level on the command line.\n`;
  const body = Object.keys(content).length === 0 ? '# All settings are at their defaults.\n{}\n' : stringify(content);
  return `# navkiln bake --config THIS.yaml${files.length === 0 ? ' LEVEL' : ''}${levelFlags(mapLevels)} -o OUT.navmesh\n${origin}${mapNote}${note}${own}${body}`;
}

/** Returns the flags that read a map as levels, which a configuration cannot hold. */
function levelFlags(choice: Edits['mapLevels']): string {
  if (choice === undefined) return '';
  const { property = '', levelHeight } = choice;
  const word = /^[\w:-]*$/.test(property) ? property : `'${property.replaceAll("'", String.raw`'\''`)}'`;
  return ` --map-levels ${word}${levelHeight === undefined ? '' : ` --map-level-height ${levelHeight}`}`.trimEnd();
}

/** Reads a configuration. Throws an error with the line, the key and the remedy. */
export function readSettingsText(text: string, name: string): { settings: Settings; edits: Edits } {
  const { $schema, levels, output, volumes = [], links = [], workspace, ...settings } = parseConfigText(text, name);
  void [$schema, levels, output, workspace];
  return { settings, edits: { volumes, links, ...ownEdits(text) } };
}

/** Reads the studio's own line. Damaged entries are ignored. */
function ownEdits(text: string): Omit<Edits, 'volumes' | 'links'> {
  const ownLine = text.split('\n').find((line) => line.startsWith(OWN_LINE));
  const { volumes: _volumes, links: _links, ...own } = readEdits(ownLine?.slice(OWN_LINE.length) ?? '{}');
  return own;
}
