/** Portals between tiles compared with Detour's links, on meshes that Recast baked tile by tile. */
import { init } from 'recast-navigation';
import type { NavMesh as DetourNavMesh } from 'recast-navigation';
import { generateTiledNavMesh } from 'recast-navigation/generators';
import { levelScenes } from 'navkiln-scenes';
import { expect, it } from 'vitest';
import { AREA_GROUND } from '../../src/base/constants.ts';
import { createNavMesh } from '../../src/mesh/create.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { polyName, portalsOf } from '../unit/mesh/tiled-meshes.ts';

const AGENT = { radius: 0.6, height: 2, maxClimb: 0.8, maxSlopeDegrees: 45 };
const CELL = 0.3;
/** Our sides for Detour's +x, +z, -x, -z. */
const SIDES = [2, 1, 0, 3];
/** Detour stores at most four portals per edge. */
const MAX_PORTALS = 4;

const LEVELS: [string, number][] = [
  ['dungeon', 32],
  ['terrain', 24],
  ['city', 48],
  ['tower', 16],
  ['house', 16],
];

it.each(LEVELS)('%s in tiles of %i cells', async (name, tileCells) => {
  await init();
  const scene = levelScenes.find((one) => one.name === name);
  if (scene === undefined) throw new Error(`no scene ${name}`);
  const { positions, indices } = scene.create();
  const result = generateTiledNavMesh(positions, indices, {
    cs: CELL,
    ch: 0.2,
    walkableSlopeAngle: 45,
    walkableHeight: 10,
    walkableClimb: 4,
    walkableRadius: 2,
    tileSize: tileCells,
    maxEdgeLen: 40,
    maxSimplificationError: 1.3,
    minRegionArea: 8,
    mergeRegionArea: 20,
    maxVertsPerPoly: 6,
  });
  if (!result.success || result.navMesh === undefined) throw new Error(String(result.error));
  const { tileCount, mesh, links } = convertMesh(result.navMesh, tileCells * CELL);
  expect(tileCount).toBeGreaterThan(1);
  expect(validateNavMesh(mesh)).toEqual([]);
  const ours = new Map<string, number[]>();
  const countOf = new Map<string, number>();
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    for (const portal of portalsOf(mesh, poly)) {
      const edge = mesh.portalEdge[portal] - mesh.polyEdgeStart[poly];
      countOf.set(`${polyName(mesh, poly)} ${edge}`, (countOf.get(`${polyName(mesh, poly)} ${edge}`) ?? 0) + 1);
      const span = [...mesh.portalSpan.subarray(2 * portal, 2 * portal + 2)];
      ours.set(`${polyName(mesh, poly)} ${edge} ${polyName(mesh, mesh.portalPoly[portal])}`, span);
    }
  }
  let dropped = 0;
  for (const [key, span] of ours) {
    const theirs = links.get(key);
    if (theirs === undefined) {
      // Beyond Detour's limit?
      expect(countOf.get(key.split(' ').slice(0, 2).join(' ')), `only ours: ${key}`).toBeGreaterThan(MAX_PORTALS);
      dropped++;
      continue;
    }
    // In bytes along the edge.
    for (let k = 0; k < 2; k++)
      expect(Math.abs(span[k] - theirs[k]), `${key}: ${span}, ${theirs}`).toBeLessThan(1.01 / 255);
  }
  expect(
    [...links.keys()].filter((key) => !ours.has(key)),
    'only theirs',
  ).toEqual([]);
  expect(ours.size).toBeGreaterThan(10);
  console.info(
    `${name}: ${tileCount} tiles, ${mesh.polyCount} polygons, ${ours.size} portals, ${dropped} not in Detour`,
  );
});

/** Returns the mesh in our record, and Detour's links between tiles by the names of polygons and edges. */
function convertMesh(
  from: DetourNavMesh,
  tileSize: number,
): { tileCount: number; mesh: NavMesh; links: Map<string, number[]> } {
  const links = new Map<string, number[]>();
  let mesh: NavMesh | undefined;
  let tileCount = 0;
  for (let i = 0; i < from.getMaxTiles(); i++) {
    const tile = from.getTile(i);
    const header = tile.header();
    if (header === null || header.polyCount() === 0) continue;
    const [x, z] = [header.x(), header.y()];
    if (mesh === undefined) {
      // The corner of the first tile, as precisely as float32 gives it.
      const origin = [header.bmin(0) - x * tileSize, header.bmin(1), header.bmin(2) - z * tileSize];
      const agent = { ...AGENT, maxClimb: header.walkableClimb() };
      mesh = createNavMesh({ agent, cellSize: CELL, cellHeight: 0.2, tileSize, origin });
    }
    addTile(mesh, tileData(tile));
    tileCount++;
    for (let p = 0; p < header.polyCount(); p++) {
      for (let link = tile.polys(p).firstLink(); link >>> 0 !== 0xffffffff; link = tile.links(link).next()) {
        const one = tile.links(link);
        if (one.side() === 0xff) continue;
        const to = from.decodePolyId(one.ref());
        const other = from.getTile(to.tileIndex).header()!;
        const span = [one.bmin() / 255, one.bmax() / 255];
        links.set(`${x},${z},0:${p} ${one.edge()} ${other.x()},${other.y()},0:${to.tilePolygonIndex}`, span);
      }
    }
  }
  if (mesh === undefined) throw new Error('no tiles');
  return { tileCount, mesh, links };
}

type DetourTile = ReturnType<DetourNavMesh['getTile']>;

function tileData(tile: DetourTile): TileData {
  const header = tile.header()!;
  const polyCount = header.polyCount();
  const polyEdgeStart = [0];
  const edgeVertex: number[] = [];
  const edgeNeighbor: number[] = [];
  for (let p = 0; p < polyCount; p++) {
    const poly = tile.polys(p);
    for (let k = 0; k < poly.vertCount(); k++) {
      const other = poly.neis(k);
      edgeVertex.push(poly.verts(k));
      edgeNeighbor.push((other & 0x8000) !== 0 ? -2 - SIDES[(other & 0xf) >> 1] : other - 1);
    }
    polyEdgeStart.push(edgeVertex.length);
  }
  return {
    x: header.x(),
    z: header.y(),
    layer: 0,
    polyCount,
    vertexCount: header.vertCount(),
    vertices: Float64Array.from({ length: 3 * header.vertCount() }, (_, i) => tile.verts(i)),
    polyEdgeStart: Int32Array.from(polyEdgeStart),
    polyArea: new Uint8Array(polyCount).fill(AREA_GROUND),
    polyFlags: new Uint16Array(polyCount).fill(1),
    edgeVertex: Int32Array.from(edgeVertex),
    edgeNeighbor: Int32Array.from(edgeNeighbor),
    polyDetailVertexStart: new Int32Array(polyCount + 1),
    polyDetailTriStart: new Int32Array(polyCount + 1),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  };
}
