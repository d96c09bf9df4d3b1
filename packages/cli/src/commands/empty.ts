/** Advice for the command line when a bake gives no polygon. */
import type { EmptyReason } from 'navkiln/build';
import { FLAGS } from '../config/flag-list.ts';

/** Returns the flag, placement or key that helps; undefined when the level itself has to change. */
export function adviceOf({ cause, option, value }: EmptyReason): string | undefined {
  if (cause === 'wrong-scale') return `::scale=${value ?? 100} after the name of the level`;
  if (cause === 'wrong-up-axis') return `::up=${value === -90 ? 'z' : '-z'} after the name of the level`;
  if (cause === 'flipped-faces')
    return '--two-sided, or flip the faces (or their normals) in the program that the level comes from';
  if (option === undefined || option.startsWith('input.')) return undefined;
  const flag = FLAGS.find(({ path }) => [option, `surface.${option}`].includes(path.join('.')));
  if (flag !== undefined && value !== undefined) return `${flag.flag} ${value}`;
  return value === undefined ? `remove ${option} from the configuration` : `${option}: ${value} in a --config file`;
}
