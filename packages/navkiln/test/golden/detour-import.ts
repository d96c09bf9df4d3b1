/**
 * Loads any of our meshes, tiled or not, into Detour (npm recast-navigation) through a .bin file, with the
 * same polygons.
 */
import { NavMeshQuery, importNavMesh, init } from 'recast-navigation';
import type { NavMesh as DetourNavMesh } from 'recast-navigation';
import { writeDetourBin } from '../../src/formats/detour/detour-bin-write.ts';
import { isLinkCrossing, linkEndOf } from '../../src/mesh/crossing.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import type { Corridor } from '../../src/query/path/corridor.ts';

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

/** Returns the ref of each link of ours as an off-mesh connection. */
export function linkRefs(mesh: NavMesh, twin: DetourTwin): Map<number, number> {
  const refs = new Map<number, number>();
  const anchors = mesh.linkAnchors;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const tile = twin.detour.getTile(slot);
    const base = twin.detour.getPolyRefBase(tile) >>> 0;
    for (let k = 0; k < tile.header()!.offMeshConCount(); k++) {
      const connection = tile.offMeshCons(k);
      for (let link = 0; link < mesh.linkCount; link++) {
        const a = 12 * link;
        const isSame = [0, 1, 2].every(
          (axis) =>
            Math.abs(connection.pos(axis) - anchors[a + axis]) +
              Math.abs(connection.pos(axis + 3) - anchors[a + 6 + axis]) <
            1e-3,
        );
        if (isSame) refs.set(link, base + connection.poly());
      }
    }
  }
  return refs;
}

/** Returns Detour's refs for a corridor of ours, with those of its links; 0 for a link that Detour does not have. */
export function refsOf({ polys, crossings, count }: Corridor, twin: DetourTwin, links: Map<number, number>): number[] {
  const refs: number[] = [];
  for (let i = 0; i < count; i++) {
    refs.push(twin.refOf(polys[i]));
    if (i < count - 1 && isLinkCrossing(crossings[i])) refs.push(links.get(linkEndOf(crossings[i]) >> 1) ?? 0);
  }
  return refs;
}
