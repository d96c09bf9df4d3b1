/** Reads a scene file from disk. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { InputError, explainSystemError } from '../errors.ts';
import { parseSceneText } from './parse.ts';
import type { SceneDocument } from './parse.ts';

export function isSceneFile(file: string): boolean {
  return ['.yaml', '.yml', '.json'].includes(extname(file).toLowerCase());
}

/** Throws an `InputError` that names line, column and remedy. */
export function readSceneFile(path: string): SceneDocument {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError(`${path}: ${explainSystemError(error)}`);
  }
  return parseSceneText(text, path);
}
