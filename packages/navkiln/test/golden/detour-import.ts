/** Any NavMesh of ours, tiled or not, in Detour itself (npm recast-navigation): the very same polygons, through a .bin file. */
import { NavMeshQuery, importNavMesh, init } from 'recast-navigation';
import type { NavMesh as DetourNavMesh } from 'recast-navigation';
import { writeDetourBin } from '../../src/io/detour-bin-write.ts';
import type { NavMesh } from '../../src/navmesh/types.ts';

export interface DetourTwin {
  detour: DetourNavMesh;
  /** With 65,535 nodes. */
  query: NavMeshQuery;
  /** Detour's ref of a polygon of ours, by its dense index. */
  refOf: (poly: number) => number;
  /** Dense index of the polygon of ours that a ref of Detour's names; -1: null, or an off-mesh connection. */
  polyIndexOf: (ref: number) => number;
  /** Frees what Detour holds. Long tests with many meshes need it: the wasm heap only grows. */
  destroy: () => void;
}

/** Makes a mesh what Detour keeps of it: float32, and where openings between tiles begin and end in steps of 1/255. */
export function takeOverRounding(mesh: NavMesh): void {
  for (const numbers of [mesh.vertices, mesh.detailVertices])
    numbers.forEach((value, i) => {
      numbers[i] = Math.fround(value);
    });
  const { portalSpan } = mesh;
  for (let k = 0; k < 2 * mesh.portalCount; k++) portalSpan[k] = Math.round(portalSpan[k] * 255) / 255;
}

let isReady = false;

/** Positions become float32, areas stay but for `AREA_GROUND`, which is 0 there (`areaOfZero` says otherwise). */
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
