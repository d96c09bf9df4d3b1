/**
 * Writes a scene as text. The text of a scene that was read keeps its comments, order and spacing; only
 * changed values are replaced.
 *
 * Three methods are tried in turn, until one gives a text that parses to the wanted scene. The first replaces the
 * characters of changed values. The second edits the parsed document and writes it out, which keeps comments but not
 * all spacing. The third writes the scene from scratch. No Node.
 */
import { Document, isAlias, isCollection, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { parseSceneText } from './parse.ts';
import type { SceneDocument } from './parse.ts';
import { isRecord, isSame, listChanges } from './same.ts';
import type { Change } from './same.ts';
import type { SceneFile } from './types.ts';

/** Returns the text of a scene. Throws an `InputError` when the text could not be read back. */
export function formatScene(scene: SceneFile, kind: 'yaml' | 'json' = 'yaml'): string {
  const text = kind === 'json' ? `${JSON.stringify(scene, null, 2)}\n` : formatYaml(scene);
  const { scene: again } = parseSceneText(text, kind === 'json' ? 'scene.json' : 'scene.yaml');
  if (!isSame(again, scene)) throw new TypeError('formatScene: scene must be plain data that a file can hold');
  return text;
}

/** Returns the document's text with `scene` in place of its contents. */
export function writeScene(document: SceneDocument, scene: SceneFile): string {
  const { text, isJson, path } = document;
  if (isSame(document.scene, scene)) return text;
  const changes = listChanges(document.scene, scene);
  for (const way of [
    () => spliceText(text, changes, isJson),
    () => (isJson ? undefined : editDocument(text, changes)),
  ]) {
    const written = way();
    if (written !== undefined && reads(written, path, scene)) return written;
  }
  if (!isJson) return formatScene(scene);
  // Keeps the original indentation.
  const [, indent = '  '] = /^\s*\{\r?\n([ \t]+)/.exec(text) ?? [];
  const written = `${JSON.stringify(scene, null, indent)}\n`;
  return reads(written, path, scene) ? written : formatScene(scene, 'json');
}

function reads(text: string, path: string, scene: SceneFile): boolean {
  try {
    return isSame(parseSceneText(text, path).scene, scene);
  } catch {
    return false;
  }
}

/** Returns undefined when some change is more than a new value in place. */
function spliceText(text: string, changes: readonly Change[], isJson: boolean): string | undefined {
  const document = parseDocument(text, { logLevel: 'error' });
  const pieces: { from: number; to: number; text: string }[] = [];
  for (const change of changes) {
    if (change.kind !== 'set') return undefined;
    const node = document.getIn(change.path, true);
    const isPlain = isScalar(node) || (isCollection(node) && node.flow === true);
    // A value with an anchor or a tag is more than its characters.
    if (!isPlain || !node.range || node.anchor !== undefined || (isCollection(node) && node.tag !== undefined))
      return undefined;
    const [from, to] = node.range;
    pieces.push({ from, to, text: isJson ? JSON.stringify(change.value) : flowText(change.value) });
  }
  pieces.sort((a, b) => b.from - a.from);
  return pieces.reduce((rest, piece) => rest.slice(0, piece.from) + piece.text + rest.slice(piece.to), text);
}

/** Formats a value on one line. */
function flowText(value: unknown): string {
  const document = new Document(value);
  if (isCollection(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
}

function editDocument(text: string, changes: readonly Change[]): string | undefined {
  const document = parseDocument(text, { logLevel: 'error' });
  for (const change of changes) {
    const { path, kind } = change;
    const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
    if (!isCollection(parent) || hasAlias(document, path)) return undefined;
    const key = path[path.length - 1];
    if (kind === 'remove') parent.delete(key);
    else {
      const node = compact(document, change.value);
      if (kind === 'insert' && isSeq(parent)) parent.items.splice(Number(key), 0, node);
      else if (isMap(parent)) parent.set(isMap(document.contents) ? key : String(key), node);
      else parent.set(key, node);
    }
  }
  const isPadded = /[[{] [^\s]/.test(text);
  return document.toString({ lineWidth: 0, flowCollectionPadding: isPadded });
}

/** Returns whether an alias repeats the value at a path. Such a value cannot be changed in one place only. */
function hasAlias(document: Document, path: readonly (string | number)[]): boolean {
  for (let length = 1; length < path.length; length++) {
    if (isAlias(document.getIn(path.slice(0, length), true))) return true;
  }
  return false;
}

function formatYaml(scene: SceneFile): string {
  const document = new Document();
  document.contents = compact(document as Document, scene) as typeof document.contents;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Formats lists of numbers, lists of such lists, and regions on one line. */
function compact(document: Document, value: unknown): ReturnType<Document['createNode']> {
  // No aliases: people who edit one of two places expect the other to stay.
  const node = document.createNode(value, { aliasDuplicateObjects: false });
  visit(node as never, {
    Seq(_, seq) {
      const list = seq.toJSON() as unknown[];
      if (isFlat(list)) seq.flow = true;
    },
    Map(key, map) {
      const values = Object.values(map.toJSON() as object) as unknown[];
      const isShort = values.length > 0 && values.length <= 4;
      const isSimple = values.every((one) => !isRecord(one) && (!Array.isArray(one) || isFlat(one)));
      if (key === 'value' && isShort && isSimple) map.flow = true;
    },
  });
  return node;
}

function isFlat(list: readonly unknown[]): boolean {
  return list.every((one) => typeof one === 'number' || (Array.isArray(one) && one.length <= 4 && isFlat(one)));
}
