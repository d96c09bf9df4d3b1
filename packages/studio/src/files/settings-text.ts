/** Settings and edits as a configuration of the command line, and back. Loaded when it is needed: YAML comes with it. */
import { stringify } from 'yaml';
import { parseConfigText } from 'navkiln-cli/config-text';
import type { Edits, Settings, StudioState, Vec3 } from '../app/state.ts';

export async function settingsText({ settings, edits, source }: StudioState): Promise<string> {
  const files = source?.kind === 'files' ? source.names.slice(0, 1) : [];
  const content = {
    ...(files.length > 0 ? { levels: files } : {}),
    ...settings,
    ...(edits.volumes.length > 0 ? { volumes: edits.volumes } : {}),
    ...(edits.links.length > 0 ? { links: edits.links } : {}),
  };
  const scene = source?.kind === 'scene' ? source.name : undefined;
  const origin = scene === undefined ? '' : `# Settings of the bundled scene "${scene}"; name a level on the command line.\n`;
  const body = Object.keys(content).length === 0 ? '# All settings are at their defaults.\n{}\n' : stringify(content);
  return `# navkiln bake --config THIS.yaml${files.length === 0 ? ' LEVEL' : ''} -o OUT.navmesh\n${origin}${body}`;
}

/** Throws with the line, the key and the remedy. */
export function readSettingsText(text: string, name: string): { settings: Settings; edits: Edits; levels: string[] } {
  const { $schema, levels = [], output, volumes = [], links = [], workspace, ...settings } = parseConfigText(text, name);
  void [$schema, output, workspace];
  const seeds: Vec3[] = [];
  return { settings, edits: { volumes, links, seeds }, levels: levels.map((one) => (typeof one === 'string' ? one : one.file)) };
}
