/**
 * Brings an index up to date with its mesh, in place and in slices.
 *
 * Corners that do not see the change keep their cones and the edges between them (build/keep.ts). Results are exact
 * again as soon as the graph of corners is complete; the table or the labels follow.
 *
 * In: an index, its mesh after changes, limits.
 * Out: the same record, for the current mesh.
 * Cost: linear in the cones. Corners that see a changed polygon are rebuilt, and so are the table and the labels.
 * Based on: own.
 */
import { checkKeys, checkMutable, refuse } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { offerCorridors } from './offer.ts';
import { beginPart, checkIndexLimits } from './build.ts';
import type { PathIndexOptions } from './build.ts';
import { continueSize } from './build/steps.ts';
import type { SizeBuild } from './build/steps.ts';
import { checkIndex } from './check-index.ts';
import { INDEX_STALE, INDEX_WHOLE, matchOf, renewMatch } from './identity.ts';
import { listSizes } from './sizes.ts';
import { emptyPathIndex } from './types.ts';
import type { PathIndex } from './types.ts';

/** Options of `updatePathIndex`. */
export interface PathIndexUpdateOptions extends PathIndexOptions {
  /** Maximum number of corners of each step in this call, 1 or more. Default: all, so that the index is complete after the call. */
  maxCorners?: number;
}

/** An update of the index of one size. */
interface Update {
  mesh: NavMesh;
  revision: number;
  limits: PathIndexOptions;
  /** The build; undefined when it is complete. */
  build: SizeBuild | undefined;
  /** Whether the index contains the graph of the build. */
  hasGraph: boolean;
}

const UPDATE_KEYS = [
  'maxBytes',
  'tier',
  'sizes',
  'maxCorners',
] as const satisfies readonly (keyof PathIndexUpdateOptions)[];

const updates = new WeakMap<PathIndex, Update>();

/**
 * Brings an index up to date with its mesh. Returns true when it is complete; otherwise call it again, for example in each frame. It
 * starts again when the mesh changes in between.
 *
 * Until the new graph of corners is complete, queries give the same results as before the call. After that, their
 * results are exact, first with tier `'graph'`. `maxBytes` and `tier` are the options of `buildPathIndex`, and apply
 * when an update starts. An index of another mesh is rebuilt. On a mesh with sizes, `sizes` adds further sizes. Without
 * it, the sizes of the index are updated, or all sizes of the mesh if the index is empty. Pass an index from another
 * thread to this function before a crowd uses it.
 *
 * Throws a RangeError for unknown keys and options out of range.
 */
export function updatePathIndex(index: PathIndex, mesh: NavMesh, options: PathIndexUpdateOptions = {}): boolean {
  const caller = 'updatePathIndex';
  checkIndex(caller, index);
  checkMutable(caller, 'index', index);
  checkNavMesh(caller, mesh);
  checkKeys(caller, options, UPDATE_KEYS);
  checkIndexLimits(caller, options);
  checkMaxCorners(caller, options);
  const { maxCorners = Infinity, maxBytes, tier } = options;
  const isEmpty = index.tier === 'none' && index.tileGeneration.length === 0;
  if (isEmpty || options.sizes !== undefined) addSizes(index, listSizes(caller, mesh, options.sizes));
  offerCorridors();
  const parts = partsOf(index, mesh);
  for (const part of parts) {
    const step = updatePart(part, mesh, { maxBytes, tier }, maxCorners);
    if (step === OPEN || (step === ENDED && maxCorners < Infinity && part !== parts.at(-1))) return false;
  }
  return true;
}

/** Adds empty indexes for sizes that an index does not have. */
function addSizes(index: PathIndex, sizes: number[]): void {
  const isEmpty = index.tier === 'none' && index.others.length === 0;
  if (isEmpty && !sizes.includes(index.size)) index.size = sizes[0];
  for (const size of sizes) {
    if (![index, ...index.others].some((part) => part.size === size)) index.others.push(emptyPathIndex(size));
  }
}

/**
 * Returns an index and its others, without those for sizes that the mesh does not have, because these belong to another
 * mesh.
 */
function partsOf(index: PathIndex, mesh: NavMesh): PathIndex[] {
  const count = Math.max(1, mesh.sizes.length);
  if (index.size >= count) Object.assign(index, emptyPathIndex());
  index.others = index.others.filter(({ size }) => size < count && size !== index.size);
  return [index, ...index.others];
}

/** Results of `updatePart`: the part was current, is current now, or is not current yet. */
const CURRENT = 0;
const ENDED = 1;
const OPEN = 2;

/** Continues the update of the index of one size. */
function updatePart(index: PathIndex, mesh: NavMesh, limits: PathIndexOptions, maxCorners: number): number {
  const { revision } = mesh;
  let update = updates.get(index);
  if (update?.mesh !== mesh || update.revision !== revision || update.build === undefined) {
    const { worth } = matchOf(index, mesh);
    // An update that was interrupted after its graph always continues.
    if (worth === INDEX_WHOLE && update?.hasGraph !== true) return CURRENT;
    // No index was built yet.
    if (
      update?.build === undefined &&
      update?.mesh === mesh &&
      update.revision === revision &&
      isSame(update.limits, limits)
    )
      return CURRENT;
    const old = worth === INDEX_STALE ? undefined : { ...index };
    update = { mesh, revision, limits, build: beginPart(mesh, index.size, limits, old), hasGraph: false };
    updates.set(index, update);
  }
  const build = update.build!;
  const { others } = index;
  if (continueSize(build, maxCorners)) {
    Object.assign(index, build.index, { others });
    update.build = undefined;
    update.hasGraph = false;
    renewMatch(index, mesh);
    return ENDED;
  }
  if (!update.hasGraph && build.index.tier === 'graph') {
    const { tableLength, tableHop } = emptyPathIndex();
    Object.assign(index, build.index, { tableLength, tableHop, others });
    update.hasGraph = true;
    renewMatch(index, mesh);
  }
  return OPEN;
}

function isSame(a: PathIndexOptions, b: PathIndexOptions): boolean {
  return a.maxBytes === b.maxBytes && a.tier === b.tier;
}

/** Throws a RangeError for `maxCorners` out of range. @internal */
export function checkMaxCorners(caller: string, { maxCorners }: PathIndexUpdateOptions): void {
  if (maxCorners !== undefined && !(typeof maxCorners === 'number' && maxCorners >= 1))
    refuse(caller, 'options.maxCorners', maxCorners, 'a number >= 1');
}
