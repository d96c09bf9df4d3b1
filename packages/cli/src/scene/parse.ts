/** The text of a scene file, YAML or JSON -> what it says. Faults name the file, line, column, key and remedy. No Node. */
import type { Document } from 'yaml';
import { listFaults, show } from '../config/issues.ts';
import type { Fault } from '../config/issues.ts';
import { pathText } from '../config/names.ts';
import { offsetOf, readYaml, refuseAll } from '../config/yaml-text.ts';
import { InputError, messageOf } from '../errors.ts';
import { checkReferences } from './references.ts';
import { checkSceneShape, sceneKeys } from './schema.ts';
import { SCENE_VERSION } from './types.ts';
import type { SceneFile } from './types.ts';

/** A scene and the text it was read from. `writeScene` makes the text of another scene of it, comments and all. */
export interface SceneDocument {
  scene: SceneFile;
  text: string;
  /** What messages call it. */
  path: string;
  isJson: boolean;
  /** `path:line:column` of what stands there. */
  placeOf: (at: readonly (string | number)[]) => string;
}

/** `path` is what messages call the file; .json: it is held to be JSON. Throws an `InputError`. */
export function parseSceneText(text: string, path: string): SceneDocument {
  const { document, value, placeOf } = readYaml(text, path);
  const isJson = /\.json$/i.test(path);
  if (isJson) checkJson(text, path);
  checkVersion(value, placeOf, document);
  const result = checkSceneShape(value);
  const faults: Fault[] =
    'scene' in result ? checkReferences(result.scene) : listFaults(result.issues, value, sceneKeys);
  const messages = faults.map(({ path: at, message, atKey }) => {
    const name = pathText(at);
    return `${placeOf(offsetOf(document, at, atKey))} ${name === '' ? '' : `${name}: `}${message}`;
  });
  if (messages.length > 0) refuseAll(messages);
  const { scene } = result as { scene: SceneFile };
  return { scene, text, path, isJson, placeOf: (at) => placeOf(offsetOf(document, at, false)) };
}

/** What is read as YAML need not be JSON: other programs would not read such a file. */
function checkJson(text: string, path: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new InputError(`${path}: not valid JSON: ${messageOf(error)}; a scene in YAML is called .yaml`);
  }
}

/** Before all else: a file of another version may have any form. */
function checkVersion(value: unknown, placeOf: (offset: number) => string, document: Document): void {
  const hint = `begin it with "version: ${SCENE_VERSION}"`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const got = value === null || value === undefined ? 'it is empty' : `got ${show(value)}`;
    throw new InputError(
      `${placeOf(offsetOf(document, [], false))} a scene must be a map of keys and values (${got}); ${hint}`,
    );
  }
  const { version } = value as { version?: unknown };
  const place = placeOf(offsetOf(document, ['version'], false));
  if (version === undefined) throw new InputError(`${place} version: is missing; ${hint}`);
  if (typeof version !== 'number') {
    throw new InputError(
      `${place} version: must be a number (got ${show(version)}); this navkiln reads ${SCENE_VERSION}`,
    );
  }
  if (version === SCENE_VERSION) return;
  const remedy = version > SCENE_VERSION ? '; a newer navkiln reads it' : '';
  throw new InputError(
    `${place} version: this file is of version ${version}; this navkiln reads ${SCENE_VERSION}${remedy}`,
  );
}
