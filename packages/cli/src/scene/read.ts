/** Reads a scene file from disk. */
import { extname } from 'node:path';
import { MAX_SETTINGS_BYTES, readGivenText } from '../loaders/given-file.ts';
import { parseSceneText } from './parse.ts';
import type { SceneDocument } from './parse.ts';

export function isSceneFile(file: string): boolean {
  return ['.yaml', '.yml', '.json'].includes(extname(file).toLowerCase());
}

/** Throws an `InputError` that names line, column and remedy. */
export function readSceneFile(path: string): SceneDocument {
  return parseSceneText(readGivenText(path, MAX_SETTINGS_BYTES), path);
}
