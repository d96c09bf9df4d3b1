/**
 * Parses the text of a scene file, YAML or JSON. Errors name the file, line, column, key and remedy. No Node.
 */
import { findJsonFault } from 'navkiln/io';
import type { Document } from 'yaml';
import { listFaults } from '../config/issues.ts';
import type { Fault } from '../config/issues.ts';
import { pathText } from '../config/names.ts';
import { offsetOf, readYaml, refuseAll } from '../config/yaml-text.ts';
import { InputError, show } from '../errors.ts';
import { checkReferences } from './references.ts';
import { checkSceneShape, sceneKeys } from './schema.ts';
import { SCENE_VERSION } from './types.ts';
import type { SceneFile } from './types.ts';

/**
 * A scene and the text it was read from. `writeScene` writes a changed scene into that text and keeps its
 * comments.
 */
export interface SceneDocument {
  scene: SceneFile;
  text: string;
  /** Name of the file in messages. */
  path: string;
  isJson: boolean;
  /** Returns `path:line:column` of the value at a path. */
  placeOf: (at: readonly (string | number)[]) => string;
}

/**
 * Parses a scene. `path` is the name of the file in messages; a .json file must hold JSON. Throws an `InputError`.
 */
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

/** Requires valid JSON: the YAML reader accepts more than other programs do. */
function checkJson(text: string, path: string): void {
  try {
    JSON.parse(text);
  } catch {
    const fault = findJsonFault(text.replace(/^\ufeff/, ''));
    const why = fault === null ? 'it is too large' : `line ${fault.line}, column ${fault.column}: ${fault.what}`;
    throw new InputError(`${path}: not valid JSON: ${why}; use the extension .yaml for YAML`);
  }
}

/** Checks the version before anything else: a file of another version may have any form. */
function checkVersion(value: unknown, placeOf: (offset: number) => string, document: Document): void {
  const hint = `start the file with "version: ${SCENE_VERSION}"`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const got = value === null || value === undefined ? 'it is empty' : `got ${show(value)}`;
    throw new InputError(
      `${placeOf(offsetOf(document, [], false))} a scene must be a map of keys and values (${got}); ${hint}`,
    );
  }
  const { version } = value as { version?: unknown };
  const place = placeOf(offsetOf(document, ['version'], false));
  if (version === undefined) throw new InputError(`${place} version: missing; ${hint}`);
  if (typeof version !== 'number') {
    throw new InputError(
      `${place} version: must be a number (got ${show(version)}); this navkiln reads version ${SCENE_VERSION}`,
    );
  }
  if (version === SCENE_VERSION) return;
  const remedy = version > SCENE_VERSION ? '; update navkiln' : '';
  throw new InputError(
    `${place} version: this file has version ${version}; this navkiln reads version ${SCENE_VERSION}${remedy}`,
  );
}
