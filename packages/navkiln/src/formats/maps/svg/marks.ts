/**
 * Decides what the shapes of a picture are, as people mark them: by the options, or by words of the names of shapes and groups.
 *
 * In: names of an element: its label in Inkscape, its id, its classes, `data-name`.
 * Out: its role, or undefined where its names say nothing; that of the group around it then counts.
 * Cost: linear in the names.
 * Based on: own; the words of walls and zones are those of Tiled maps.
 */
import { isWallName, isZoneName, wordsOf } from '../tiled/words.ts';
import type { XmlElement } from '../../text/xml.ts';
import type { SvgMark, SvgReader, SvgRole } from './types.ts';

const FLOOR_WORDS = /^(?:walkable|floors?|grounds?|rooms?|corridors?|hallways?|walkways?|navmesh)$/;
const NOT_WORDS = /^(?:no|non|not)$/;
/** Names that drawing programs give, such as path1234 and text-2: their words say nothing. */
const GIVEN_BY_PROGRAM = /^(?:path|text|tspan|line|rect|use|image|layer|group|g|svg)s?(?:[-_ ]?\d[\w.-]*)?$/i;

/** Returns the names of an element: label, data-name, id and classes. */
export function namesOf(element: XmlElement): string[] {
  const { attributes } = element;
  const given = [attributes['inkscape:label'], attributes['data-name'], attributes['id']];
  return [...given.filter((one) => one !== undefined && one !== ''), ...classesOf(element)] as string[];
}

function classesOf({ attributes }: XmlElement): string[] {
  return (attributes['class'] ?? '').split(/\s+/).filter((one) => one !== '');
}

/** Returns what an element is by its names. Classes count before the others, since an area may have any name. */
export function markOf({ walkable, walls, ignore }: SvgReader, element: XmlElement): SvgMark | undefined {
  const names = namesOf(element);
  if (names.length === 0) return undefined;
  const isIn = (list: ReadonlySet<string>): boolean => names.some((name) => list.has(name));
  if (isIn(ignore)) return { role: 'ignored', isListed: true };
  if (isIn(walls)) return { role: 'wall', isListed: true };
  if (isIn(walkable)) return { role: 'floor', isListed: true };
  for (const name of [...classesOf(element), ...names]) {
    const role = roleOfName(name);
    if (role !== undefined) return { role, isListed: false };
  }
  return undefined;
}

function roleOfName(name: string): SvgRole | undefined {
  if (GIVEN_BY_PROGRAM.test(name)) return undefined;
  if (isWallName(name)) return 'wall';
  const words = wordsOf(name);
  if (words.some((word) => /^areas?$/.test(word))) return 'area';
  if (words.some((word) => FLOOR_WORDS.test(word)) && !words.some((word) => NOT_WORDS.test(word))) return 'floor';
  return isZoneName(name) ? 'zone' : undefined;
}
