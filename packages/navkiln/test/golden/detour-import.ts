/**
 * Loads any of our meshes, tiled or not, into Detour (npm recast-navigation) through a .bin file, with the
 * same polygons.
 */
import { NavMeshQuery, importNavMesh, init } from 'recast-navigation';
import type { NavMesh as DetourNavMesh } from 'recast-navigation';
import { writeDetourBin } from '../../src/formats/detour/detour-bin-write.ts';
import type { NavMesh } from '../../src/mesh/types.ts';

export interface DetourTwin {
  detour: DetourNavMesh;
  /** The query of the mesh, with 65,535 nodes. */
  query: NavMeshQuery;
  /** Returns Detour's ref of one of our polygons, given by its dense index. */
  refOf: (poly: number) => number;
  /**
   * Returns the dense index of our polygon for a ref of Detour's, or -1 for null and off-mesh connections.
   */
  polyIndexOf: (ref: number) => number;
  /** Frees Detour's memory. Long tests with many meshes need this, because the wasm heap only grows. */
  destroy: () => void;
}

/**
 * Rounds a mesh as Detour does: positions to float32, and the ends of portals between tiles to steps of
 * 1/255.
 */
export function roundAsDetour(mesh: NavMesh): void {
  for (const numbers of [mesh.vertices, mesh.detailVertices])
    numbers.forEach((value, i) => {
      numbers[i] = Math.fround(value);
    });
  const { portalSpan } = mesh;
  for (let k = 0; k < 2 * mesh.portalCount; k++) portalSpan[k] = Math.round(portalSpan[k] * 255) / 255;
}

let isReady = false;

/**
 * Imports the mesh. Positions become float32. Areas stay, but `AREA_GROUND` becomes 0 unless `areaOfZero`
 * names another.
 */
export async function importToDetour(mesh: NavMesh, areaOfZero?: number): Promise<DetourTwin> {
  if (!isReady) await init();
  isReady = true;
  const { bytes } = writeDetourBin(mesh, areaOfZero === undefined ? {} : { areaOfZero });
  const { navMesh: detour } = importNavMesh(bytes);
  const query = new NavMeshQuery(detour, { maxNodes: 65535 });
  const bases: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    bases.push(mesh.tileState[slot] === 1 ? detour.getPolyRefBase(detour.getTile(slot)) >>> 0 : 0);
  }
  const refOf = (poly: number): number => {
    const slot = mesh.polyTile[poly];
    return bases[slot] + poly - mesh.tilePolyStart[slot];
  };
  const polyIndexOf = (ref: number): number => {
    const unsigned = ref >>> 0;
    const slot = bases.findIndex((base, i) => base > 0 && unsigned >= base && unsigned < base + mesh.tilePolyCount[i]);
    return slot < 0 ? -1 : mesh.tilePolyStart[slot] + unsigned - bases[slot];
  };
  return {
    detour,
    query,
    refOf,
    polyIndexOf,
    destroy: () => {
      query.destroy();
      detour.destroy();
    },
  };
}
