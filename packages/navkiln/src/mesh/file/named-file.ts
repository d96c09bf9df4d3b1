/**
 * The named groups of a mesh in its file: one list of f64 numbers.
 *
 *   for each group, ordered by name: 1 enabled or 0; n, the length of its name; p, its polygons; l, its links; the
 *   name, n UTF-16 units; p refs, ascending; when disabled p flags; l refs of links, ascending
 *
 * In: a mesh; or numbers from a file. Out: numbers; or the groups of the mesh.
 * Cost: linear in named polygons and links.
 * Based on: own.
 */
import { linkIndexOf } from '../link-ref.ts';
import { polyIndexOf } from '../ref.ts';
import type { LinkRef, NamedGroup, NavMesh, PolyRef } from '../types.ts';

const ascending = (a: number, b: number): number => a - b;

/** Returns the groups as numbers. */
export function encodeGroups({ groups }: NavMesh): Float64Array<ArrayBuffer> {
  const out: number[] = [];
  for (const { name, isEnabled, polys, links } of groups.slice().sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const refs = [...polys.keys()].sort(ascending);
    out.push(isEnabled ? 1 : 0, name.length, refs.length, links.size);
    for (let i = 0; i < name.length; i++) out.push(name.charCodeAt(i));
    for (const ref of refs) out.push(ref);
    if (!isEnabled) for (const ref of refs) out.push(polys.get(ref)!);
    for (const ref of [...links].sort(ascending)) out.push(ref);
  }
  return Float64Array.from(out);
}

/**
 * Adds the groups in `words` to a mesh whose tiles and links are sound. Calls `expect` with false for what
 * `encodeGroups` has not written; it must not return then.
 */
export function decodeGroups(
  mesh: NavMesh,
  words: Float64Array,
  expect: (isGood: boolean, field: string, index?: number) => void,
): void {
  let at = 0;
  let before = '';
  const next = (isGood: (value: number) => boolean): number => {
    const value = words[at++];
    expect(value % 1 === 0 && isGood(value), 'groups', at - 1);
    return value;
  };
  const list = (count: number, isGood: (value: number) => boolean): number[] => {
    const out: number[] = [];
    for (let i = 0; i < count; i++) out.push(next((value) => (i === 0 || value > out[i - 1]) && isGood(value)));
    return out;
  };
  while (at < words.length) {
    const isEnabled = next((value) => value === 0 || value === 1) === 1;
    const [nameLength, polyCount, linkCount] = [1, 0, 0].map((least) =>
      next((value) => value >= least && value <= words.length),
    );
    let name = '';
    for (let i = 0; i < nameLength; i++) name += String.fromCharCode(next((value) => value >= 0 && value <= 0xffff));
    expect(name > before, 'groups', at - 1);
    before = name;
    const group: NamedGroup = { name, isEnabled, polys: new Map(), links: new Set() };
    const refs = list(polyCount, (ref) => {
      const poly = polyIndexOf(mesh, ref as PolyRef);
      return poly >= 0 && !mesh.polyGroup.has(ref as PolyRef) && (isEnabled || mesh.polyFlags[poly] === 0);
    }) as PolyRef[];
    for (const ref of refs) {
      group.polys.set(ref, isEnabled ? 0 : next((value) => value >= 0 && value <= 0xffff));
      mesh.polyGroup.set(ref, group);
    }
    const isFree = (ref: number): boolean =>
      linkIndexOf(mesh, ref as LinkRef) >= 0 && !mesh.groups.some(({ links }) => links.has(ref));
    group.links = new Set(list(linkCount, isFree));
    mesh.groups.push(group);
  }
}
