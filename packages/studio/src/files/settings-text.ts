/**
 * Converts settings and edits to a configuration of the command line, and back. Loaded on demand, because it
 * needs YAML.
 */
import { parseConfigText } from 'navkiln-cli/config-text';
import { stringify } from 'yaml';
import { isPoint } from '../state/state.ts';
import type { Edits, LevelCorrection, LevelPart, Settings, StudioState } from '../state/state.ts';

const OWN_LINE = '#studio ';

export async function settingsText({ settings, edits, source }: StudioState): Promise<string> {
  const files = source?.kind === 'files' ? source.names.slice(0, 1) : [];
  const content = {
    ...(files.length > 0 ? { levels: files } : {}),
    ...settings,
    ...(edits.volumes.length > 0 ? { volumes: edits.volumes } : {}),
    ...(edits.links.length > 0 ? { links: edits.links } : {}),
  };
  // Edits that only the studio knows are written as a comment, which the command line ignores.
  const { seeds, tiles, parts, correction } = edits;
  const isOwn = seeds.length > 0 || tiles !== undefined || (parts ?? []).length > 0 || correction !== undefined;
  const own = isOwn ? `${OWN_LINE}${JSON.stringify({ seeds, tiles, parts, correction })}\n` : '';
  const note =
    correction === undefined ? '' : '# The studio corrected the level (see the next line). Export it that way.\n';
  const scene = source?.kind === 'scene' ? source.name : undefined;
  const origin =
    scene === undefined ? '' : `# Settings of the bundled scene "${scene}"; name a level on the command line.\n`;
  const body = Object.keys(content).length === 0 ? '# All settings are at their defaults.\n{}\n' : stringify(content);
  return `# navkiln bake --config THIS.yaml${files.length === 0 ? ' LEVEL' : ''} -o OUT.navmesh\n${origin}${note}${own}${body}`;
}

/** Reads a configuration. Throws an error with the line, the key and the remedy. */
export function readSettingsText(text: string, name: string): { settings: Settings; edits: Edits } {
  const { $schema, levels, output, volumes = [], links = [], workspace, ...settings } = parseConfigText(text, name);
  void [$schema, levels, output, workspace];
  return { settings, edits: { volumes, links, ...ownEdits(text) } };
}

/** Reads the studio's own line. Damaged entries are ignored. */
function ownEdits(text: string): Pick<Edits, 'seeds' | 'tiles' | 'parts' | 'correction'> {
  const ownLine = text.split('\n').find((line) => line.startsWith(OWN_LINE));
  try {
    const { seeds, tiles, parts, correction } = JSON.parse(ownLine?.slice(OWN_LINE.length) ?? '{}') as Partial<Edits>;
    const isPart = ({ id, shape, position, rotation, scale }: LevelPart): boolean =>
      Number.isInteger(id) && ['box', 'ramp', 'stairs'].includes(shape) && [position, rotation, scale].every(isPoint);
    return {
      seeds: Array.isArray(seeds) ? seeds.filter(isPoint) : [],
      ...(typeof tiles?.all === 'boolean' && Array.isArray(tiles.except) ? { tiles } : {}),
      ...(Array.isArray(parts) ? { parts: parts.filter(isPart) } : {}),
      ...(isCorrection(correction) ? { correction } : {}),
    };
  } catch {
    return { seeds: [] };
  }
}

function isCorrection(value: LevelCorrection | undefined): value is LevelCorrection {
  return (
    typeof value === 'object' &&
    value !== null &&
    [-90, 0, 90].includes(value.turn) &&
    value.scale > 0 &&
    Number.isFinite(value.scale) &&
    typeof value.isFlipped === 'boolean' &&
    typeof value.isTwoSided === 'boolean'
  );
}
