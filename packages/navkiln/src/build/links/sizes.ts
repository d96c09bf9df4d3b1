/**
 * Links for the sizes of a mesh. Each size has a surface with its own borders, and its own body to sweep.
 *
 * A view of the mesh represents the surface of a size. In the view, polygons on which the size does not fit are closed, and all others are
 * open, even disabled ones. Sizes with equal radii often have the same borders and so equal links, which are merged.
 *
 * In: a mesh and options. Out: the options of the search for each size; the links of all sizes, each with the sizes that can use it.
 * Cost: one number per polygon and size; linear in the links.
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { namesOfSizes } from '../../mesh/sizes.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { ANY_MESH, readLinkOptions } from './options.ts';
import type { LinkSearch, MeshScale } from './options.ts';
import type { Ranked } from './similar.ts';
import type { AutoLink, AutoLinkOptions } from './types.ts';

/** The search for one size. */
export interface SizedSearch {
  /** Index in `mesh.sizes`; 0 on a mesh without sizes. */
  size: number;
  search: LinkSearch;
}

/** A link that saves a walk, with the values that the comparison of similar links needs. */
export interface Found extends Ranked {
  link: AutoLink;
}

/** Reads the options for each size of a mesh. On a mesh without sizes, `scale` gives the defaults. Sizes without kinds are left out. */
export function readSizedOptions(
  caller: string,
  mesh: NavMesh,
  options: AutoLinkOptions,
  scale: MeshScale = mesh,
): SizedSearch[] {
  const { sizes } = mesh;
  const search = readLinkOptions(caller, scale, options);
  for (const name of Object.keys(options.sizes ?? {})) {
    if (!sizes.some((size) => size.name === name))
      refuse(
        caller,
        'a key of options.sizes',
        name,
        `one of mesh.sizes: ${sizes.map((size) => size.name).join(', ') || 'none'}`,
      );
  }
  if (sizes.length === 0) return [{ size: 0, search }];
  // `except` may be a generator, which can be read only once.
  const again = { ...options, except: search.except };
  return sizes
    .map(({ name, ...body }, size) => {
      const sized = { ...mesh, agent: { ...mesh.agent, ...body } };
      return { size, search: readLinkOptions(caller, sized, again, name) };
    })
    .filter((one) => one.search.profiles.length > 0);
}

/** Checks options before a mesh exists, so any size name is valid. Returns the ids in `except`. */
export function checkLinkOptions(caller: string, options: AutoLinkOptions): ReadonlySet<number> {
  const { except } = readLinkOptions(caller, ANY_MESH, options);
  for (const name of Object.keys(options.sizes ?? {})) readLinkOptions(caller, ANY_MESH, { ...options, except }, name);
  return except;
}

/** Returns a view of the mesh with only the surface of one size. It shares all other data, so the mesh must not change while it is used. */
export function surfaceOf(mesh: NavMesh, size: number): NavMesh {
  const { sizes, polySizes, polyCount } = mesh;
  const polyFlags = new Uint16Array(polyCount);
  for (let poly = 0; poly < polyCount; poly++) polyFlags[poly] = sizes.length === 0 ? 1 : (polySizes[poly] >> size) & 1;
  return { ...mesh, polyFlags, sizes: [] };
}

/** Merges the links of all sizes. Equal links of one wall become one link, with the id of the first. */
export function mergeSizes(mesh: NavMesh, lists: readonly Found[][]): Found[] {
  if (mesh.sizes.length === 0) return lists[0];
  const merged: Found[] = [];
  const byPlace = new Map<string, Found>();
  for (const given of lists.flat()) {
    // The records are copied, because worlds keep the originals.
    const one = { ...given, candidate: { ...given.candidate }, link: { ...given.link } };
    const { kind, directions, corners, peak, profile, wall, lanes } = one.candidate;
    const numbers = [directions, peak, one.link.cost, ...corners, ...wall.a, ...wall.b, ...lanes];
    const key = [kind, JSON.stringify(profile.marks), ...numbers].join();
    const same = byPlace.get(key);
    if (same === undefined) {
      byPlace.set(key, one);
      merged.push(one);
    } else {
      same.candidate.sizes |= one.candidate.sizes;
    }
  }
  for (const { candidate, link } of merged) link.sizes = namesOfSizes(mesh, candidate.sizes);
  return merged;
}
