/**
 * Adds to the message about an unknown option which one is meant, where Commander finds no similar one: names without their first word
 * (`--radius`), and names of other libraries.
 */

/** Name of an option elsewhere -> its name here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  cs: 'cell-size',
  ch: 'cell-height',
  'voxel-size': 'cell-size',
  climb: 'agent-max-climb',
  'walkable-climb': 'agent-max-climb',
  'step-height': 'agent-max-climb',
  slope: 'agent-max-slope',
  'slope-angle': 'agent-max-slope',
  'walkable-slope-angle': 'agent-max-slope',
  'walkable-radius': 'agent-radius',
  'walkable-height': 'agent-height',
  'max-edge-len': 'max-edge-length',
  'max-simplification-error': 'max-edge-error',
  'min-region-area': 'region-min-area',
  'merge-region-area': 'region-merge-area',
  'detail-sample-dist': 'detail-sample-distance',
  'detail-sample-max-error': 'detail-max-error',
  threads: 'workers',
  jobs: 'workers',
  out: 'output',
  start: 'from',
  end: 'to',
};

/** Returns a message of Commander, with the option that is meant if `known` has it. Names in `known` have no dashes in front. */
export function withMeantFlag(text: string, known: readonly string[]): string {
  const [line, given] = /^error: unknown option '--([\w-]+)/.exec(text) ?? [];
  if (line === undefined || text.includes('Did you mean')) return text;
  const plain = given
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  const meant = [
    plain,
    ELSEWHERE[plain],
    `agent-${plain}`,
    `agent-max-${plain}`,
    `agent-${plain.replace(/^agent-/, 'max-')}`,
  ];
  const found = meant.find((name) => name !== undefined && known.includes(name));
  return found === undefined ? text : text.replace(/\n/, `\n(Did you mean --${found}?)\n`);
}
