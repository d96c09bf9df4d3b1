/** Opens a navigation mesh: a .navmesh file or a Detour .bin file. Their first bytes tell them apart. */
import { extname } from 'node:path';
import { loadNavMesh } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { InputError, messageOf } from '../errors.ts';
import { isLevelFile, isMapFile } from 'navkiln-loaders/files';
import { readGiven } from '../loaders/given-file.ts';

export interface NavMeshFile {
  navMesh: NavMesh;
  /** Length of the file in bytes. */
  bytes: number;
  format: 'navkiln' | 'detour';
  /** Version of the file format. */
  version: number;
  /** Values that only Detour files hold, kept for writing them back. */
  detour?: { areaOfZero: number; maxTiles?: number; maxPolys?: number };
}

/** Magic numbers of Detour's tile sets, tiles and tile caches, in either byte order. */
const DETOUR_LETTERS = ['TESM', 'MSET', 'VAND', 'DNAV', 'TEST', 'TSET'];

/** Largest mesh file, bytes. Its memory is the file. */
const MAX_MESH_BYTES = 2 ** 32;

export function readBytes(file: string): Uint8Array {
  return readGiven(file, MAX_MESH_BYTES);
}

/** Reads a mesh. Throws an Error that explains the problem when the bytes are not valid. */
export async function parseNavMesh(bytes: Uint8Array, areaOfZero?: number): Promise<NavMeshFile> {
  const letters = String.fromCharCode(...bytes.subarray(0, 4));
  (await import('navkiln/links')).enableWideLinks();
  try {
    if (!DETOUR_LETTERS.includes(letters))
      return { navMesh: loadNavMesh(bytes), bytes: bytes.length, format: 'navkiln', version: bytes[8] };
    const { parseDetourBin } = await import('navkiln/io');
    const read = parseDetourBin(bytes, areaOfZero === undefined ? {} : { areaOfZero });
    // Limits of 64-bit refs do not fit into the 32-bit refs that are written.
    const limits = read.refBits === 32 ? { maxTiles: read.maxTiles, maxPolys: read.maxPolys } : {};
    return {
      navMesh: read.navMesh,
      bytes: bytes.length,
      format: 'detour',
      version: Math.max(bytes[4], bytes[7]),
      detour: { areaOfZero: read.areaOfZero, ...limits },
    };
  } catch (error) {
    throw new Error(messageOf(error).replace(/^(loadNavMesh|parseDetourBin): /, ''));
  }
}

export async function readNavMesh(file: string, areaOfZero?: number): Promise<NavMeshFile> {
  const bytes = readBytes(file);
  try {
    return await parseNavMesh(bytes, areaOfZero);
  } catch (error) {
    if (isLevelFile(file) || isMapFile(file)) {
      const baked = `${file.slice(0, -extname(file).length)}.navmesh`;
      const kind = isMapFile(file) ? '2D map' : 'level';
      const remedy = `bake it first: navkiln bake ${file} -o ${baked}`;
      throw new InputError(`${file}: is a ${kind}, not a navigation mesh; ${remedy}`);
    }
    throw new InputError(`${file}: ${messageOf(error)}`);
  }
}
