/** Parses the text of a YAML or JSON configuration. Errors name the file, line, column, key and remedy. */
import { InputError } from '../errors.ts';
import { listFaults } from './issues.ts';
import { pathText, withProperNames } from './names.ts';
import type { KeyPath } from './names.ts';
import { parseConfig } from './schema.ts';
import type { Config } from './settings.ts';
import { offsetOf, readYaml, refuseAll } from './yaml-text.ts';

/** Parses and checks a configuration. `path` is the name of the file in messages. Throws an `InputError`. */
export function parseConfigText(text: string, path: string): Config {
  const { document, value: raw, placeOf } = readYaml(text, path);
  const { value, origins, twice } = withProperNames(raw ?? {});
  const [again] = twice;
  if (again !== undefined)
    throw new InputError(`${placeOf(offsetOf(document, again, true))} ${pathText(again)}: given twice`);
  const result = parseConfig(value);
  if ('config' in result) return result.config;
  return refuseAll(
    listFaults(result.issues, value).map(({ path: at, message, atKey }) => {
      const place = placeOf(offsetOf(document, originOf(origins, at), atKey));
      const name = atKey ? pathText(originOf(origins, at)) : pathText(at);
      return `${place} ${name === '' ? '' : `${name}: `}${message}`;
    }),
  );
}

/**
 * Returns the path in the file of a canonical path. For a missing value: the path of the map that lacks it.
 */
function originOf(origins: ReadonlyMap<string, KeyPath>, path: KeyPath): KeyPath {
  for (let length = path.length; length > 0; length--) {
    const origin = origins.get(pathText(path.slice(0, length)));
    if (origin !== undefined) return origin;
  }
  return [];
}
