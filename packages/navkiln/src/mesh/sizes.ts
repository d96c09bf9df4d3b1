/**
 * Chooses the size that an agent uses, of those that a mesh serves.
 *
 * Sizes are ordered by radius, then height. An agent between two takes the next one that holds it, so that it never enters a passage too
 * narrow for it; an agent smaller than all takes the first.
 *
 * In: a mesh, and the name of a size or a body. Out: the size. Cost: linear in the sizes. Based on: own.
 */
import { refuse } from '../base/data/refuse.ts';
import { checkNavMesh } from './check-mesh.ts';
import type { AgentShape, MeshSize, NavMesh } from './types.ts';

/** A size of a mesh: its name, or a body in world units. Default of `height`: 0, which any size holds. */
export type SizeLike = string | { radius: number; height?: number };

/** The size that serves an agent. */
export interface SizeMatch extends MeshSize {
  /** The index in `mesh.sizes`, the bit in `polySizes`, and the `size` of a `QueryFilter`. */
  index: number;
  /** Whether the request is the name of this size, or has exactly its radius and height. */
  isExact: boolean;
}

/**
 * Returns the size of a mesh that serves an agent: the one with that name, or the first that holds its radius and height. Null: the mesh
 * has none.
 */
export function findSize(mesh: NavMesh, size: SizeLike): SizeMatch | null {
  checkNavMesh('findSize', mesh);
  const index = indexOfSize(mesh, size);
  if (index < 0) return null;
  const found = mesh.sizes[index];
  const { radius, height = found.height } = typeof size === 'string' ? found : size;
  return { ...found, index, isExact: radius === found.radius && height === found.height };
}

function indexOfSize({ sizes }: NavMesh, size: SizeLike): number {
  const { radius, height = 0 } = (size ?? {}) as Exclude<SizeLike, string>;
  // A name has no radius; comparisons with undefined are false, as with NaN.
  if (typeof (radius ?? 0) !== 'number' || typeof height !== 'number') return -1;
  return sizes.findIndex((one) => one.name === size || (radius >= 0 && radius <= one.radius && height <= one.height));
}

/** Returns whether all sizes have the body of the mesh, as those of `setAgentTypes`: nothing is too narrow for one of them. @internal */
export function hasOneBody({ sizes, agent }: NavMesh): boolean {
  const body = Object.entries(agent);
  return sizes.every((size) => body.every(([key, value]) => size[key as keyof AgentShape] === value));
}

/** Returns the names of the sizes in a mask. @internal */
export function namesOfSizes({ sizes }: NavMesh, mask: number): string[] {
  return sizes.filter((_, k) => ((mask >> k) & 1) === 1).map(({ name }) => name);
}

/** Returns the index of the size that serves an agent. Throws a RangeError when the mesh has none. @internal */
export function readSize(caller: string, mesh: NavMesh, size: SizeLike, path: string = 'options.size'): number {
  checkNavMesh(caller, mesh);
  const index = indexOfSize(mesh, size);
  if (index >= 0) return index;
  const known = mesh.sizes.map(({ name, radius }) => `${name} (${radius})`).join(', ');
  return refuse(caller, path, size, `or fit into one of mesh.sizes: ${known || 'none'}`);
}
