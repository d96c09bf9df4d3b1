/**
 * Reads and writes .bin files with Detour on the other side. Files that Detour exports are read as the mesh
 * that it has. Files that navkiln writes are loaded by Detour, which then gives the same answers.
 */
import { Detour, NavMeshQuery, exportNavMesh, importNavMesh, init } from 'recast-navigation';
import type { NavMesh as DetourNavMesh } from 'recast-navigation';
import { generateSoloNavMesh, generateTiledNavMesh } from 'recast-navigation/generators';
import { levelScenes } from 'navkiln-scenes';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { parseDetourBin } from '../../src/formats/detour/detour-bin.ts';
import { writeDetourBin } from '../../src/formats/detour/detour-bin-write.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { polyBounds } from '../../src/mesh/tiles/bv-tree.ts';
import { addLink, getLink, listLinks } from '../../src/mesh/change/links.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { seeded, wornMesh } from '../unit/meshes.ts';
import { importToDetour } from './detour-import.ts';

const SEED = 20261205;
const SCENES = ['dungeon', 'tower', 'house'];

beforeAll(() => init());

interface Level {
  positions: number[];
  indices: number[];
}

function levelOf(name: string): Level {
  const { positions, indices } = levelScenes.find((one) => one.name === name)!.create();
  return { positions: Array.from(positions), indices: Array.from(indices) };
}

const CONFIG = {
  cs: 0.3,
  ch: 0.2,
  walkableSlopeAngle: 45,
  walkableHeight: 10,
  walkableClimb: 3,
  walkableRadius: 2,
  maxEdgeLen: 40,
  maxSimplificationError: 1.3,
  minRegionArea: 8,
  mergeRegionArea: 20,
  maxVertsPerPoly: 6,
  detailSampleDist: 6,
  detailSampleMaxError: 1,
};

function detourMesh(level: Level, tiled: boolean): DetourNavMesh {
  const made = tiled
    ? generateTiledNavMesh(level.positions, level.indices, { ...CONFIG, tileSize: 48 })
    : generateSoloNavMesh(level.positions, level.indices, CONFIG);
  if (!made.success) throw new Error(made.error);
  return made.navMesh;
}

const OUR_SIDE = new Map([
  [4, -2],
  [2, -3],
  [0, -4],
  [6, -5],
]);

/** Compares everything in Detour's tiles with our mesh. Returns the first findDifference, or undefined. */
function findDifference(detour: DetourNavMesh, mesh: NavMesh): string | undefined {
  let slot = 0;
  for (let i = 0; i < detour.getMaxTiles(); i++) {
    const tile = detour.getTile(i);
    const header = tile.header();
    if (header === null || header.polyCount() === 0) continue;
    const at = `tile ${i}`;
    const tilePosition = [header.x(), header.y(), header.layer()].join();
    if (tilePosition !== [mesh.tileX[slot], mesh.tileZ[slot], mesh.tileLayer[slot]].join())
      return `${at}: at ${tilePosition}`;
    const ground = header.offMeshBase();
    if (mesh.tilePolyCount[slot] !== ground) return `${at}: ${mesh.tilePolyCount[slot]} polygons, not ${ground}`;
    for (let v = 0; v < 3 * mesh.tileVertexCount[slot]; v++) {
      if (mesh.vertices[3 * mesh.tileVertexStart[slot] + v] !== tile.verts(v)) return `${at}: coordinate ${v}`;
    }
    for (let p = 0; p < ground; p++) {
      const [ours, theirs] = [mesh.tilePolyStart[slot] + p, tile.polys(p)];
      const edge = mesh.polyEdgeStart[ours];
      if (mesh.polyVertexCount[ours] !== theirs.vertCount()) return `${at}, polygon ${p}: corners`;
      if (mesh.polyFlags[ours] !== theirs.flags()) return `${at}, polygon ${p}: flags`;
      if (mesh.polyArea[ours] % 63 !== theirs.raw.getArea()) return `${at}, polygon ${p}: area`;
      for (let k = 0; k < theirs.vertCount(); k++) {
        if (mesh.edgeVertex[edge + k] - mesh.tileVertexStart[slot] !== theirs.verts(k))
          return `${at}, polygon ${p}: vertex ${k}`;
        const code = theirs.neis(k);
        const neighbor =
          code === 0 ? -1 : code < 0x8000 ? mesh.tilePolyStart[slot] + code - 1 : OUR_SIDE.get(code & 0xff);
        if (mesh.edgeNeighbor[edge + k] !== neighbor) return `${at}, polygon ${p}: neighbor ${k}`;
      }
      const detail = tile.detailMeshes(p);
      if (mesh.polyDetailVertexCount[ours] !== detail.vertCount()) return `${at}, polygon ${p}: detail vertices`;
      if (mesh.polyDetailTriCount[ours] !== detail.triCount()) return `${at}, polygon ${p}: detail triangles`;
      for (let k = 0; k < 3 * detail.vertCount(); k++) {
        const value = tile.detailVerts(3 * detail.vertBase() + k);
        if (mesh.detailVertices[3 * mesh.polyDetailVertexStart[ours] + k] !== value)
          return `${at}, polygon ${p}: detail at ${k}`;
      }
      for (let k = 0; k < 4 * detail.triCount(); k++) {
        const value = tile.detailTris(4 * detail.triBase() + k);
        if (mesh.detailTris[4 * mesh.polyDetailTriStart[ours] + k] !== value)
          return `${at}, polygon ${p}: triangle corner ${k}`;
      }
    }
    slot++;
  }
  return slot === mesh.tileSlotCount ? undefined : `${mesh.tileSlotCount} tiles, not ${slot}`;
}

describe.each(SCENES)('%s', (name) => {
  const level = levelOf(name);

  it.each([false, true])('reads the mesh that Detour exports; tiled: %s', (tiled) => {
    const detour = detourMesh(level, tiled);
    const { navMesh, areaOfZero, maxTiles, maxPolys, refBits } = parseDetourBin(exportNavMesh(detour));
    expect(findDifference(detour, navMesh)).toBeUndefined();
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect({ areaOfZero, refBits, links: listLinks(navMesh) }).toEqual({ areaOfZero: 63, refBits: 32, links: [] });
    expect(navMesh.tileSize).toBe(tiled ? Math.fround(48 * 0.3) : 0);
    expect(navMesh.cellSize).toBeCloseTo(0.3, 6);
    expect(navMesh.agent).toEqual({
      radius: Math.fround(0.6),
      height: 2,
      maxClimb: Math.fround(0.6),
      maxSlopeDegrees: 45,
    });

    // Written again it is the same mesh, also in Detour.
    const again = writeDetourBin(navMesh, { areaOfZero, maxTiles, maxPolys });
    expect(again).toMatchObject({ precisionLoss: 0, warnings: [] });
    expect(findDifference(importNavMesh(again.bytes).navMesh, navMesh)).toBeUndefined();
    expect(parseDetourBin(again.bytes).navMesh).toEqual(navMesh);
    detour.destroy();
  });

  it.each([0, 12])(`writes a mesh that answers in Detour as here; tile size %s, seed ${SEED}`, async (tileSize) => {
    const options = levelScenes.find((one) => one.name === name)!.options;
    const { navMesh } =
      tileSize === 0
        ? buildNavMesh(level, { ...options, maxVerticesPerPoly: 6 })
        : parseDetourBin(exportNavMesh(detourMesh(level, true)));
    const twin = await importToDetour(navMesh);
    const random = seeded(SEED);
    const components = componentsOf(navMesh);
    const polys = navMesh.polyCount;
    const halfExtents = [1, 2, 1];
    let complete = 0;
    let longer = 0;
    let same = 0;
    for (let i = 0; i < 200; i++) {
      const ends = [0, 1].map(() => randomPointOn(navMesh, Math.floor(random() * polys), random));
      const found = ends.map((end) => findNearest(navMesh, end, { halfExtents }));
      const theirs = ends.map(([x, y, z]) =>
        twin.query.findNearestPoly({ x: x!, y: y!, z: z! }, { halfExtents: { x: 1, y: 2, z: 1 } }),
      );
      for (const k of [0, 1]) {
        const point = theirs[k].nearestPoint;
        // Detour's point may lie outside of the box.
        if (Math.abs(point.y - ends[k][1]) > 2) continue;
        const off = Math.max(
          ...[point.x, point.y, point.z].map((value, axis) => Math.abs(value - found[k].point[axis])),
        );
        expect(off, `seed ${SEED}, case ${i}`).toBeLessThan(2e-3);
        if (twin.polyIndexOf(theirs[k].nearestRef) === found[k].poly) same++;
        expect(twin.polyIndexOf(twin.refOf(found[k].poly))).toBe(found[k].poly);
      }
      const corridor = twin.query.findPath(
        theirs[0].nearestRef,
        theirs[1].nearestRef,
        theirs[0].nearestPoint,
        theirs[1].nearestPoint,
        { maxPathPolys: 4096 },
      );
      const refs = Array.from(corridor.polys.getHeapView());
      corridor.polys.destroy();
      const isComplete =
        (corridor.status & Detour.DT_PARTIAL_RESULT) === 0 && refs[refs.length - 1] === theirs[1].nearestRef;
      if (found.some(({ found: isThere }) => !isThere)) continue;
      const isOne = components[found[0].poly] === components[found[1].poly];
      expect(isComplete, `seed ${SEED}, case ${i}: ${ends.join(' to ')}`).toBe(isOne);
      if (!isComplete) continue;
      complete++;
      const path = findPath(navMesh, ends[0], ends[1], { halfExtents });
      expect(path.status).toBe('complete');
      const line = twin.query.computePath(
        { x: ends[0][0], y: ends[0][1], z: ends[0][2] },
        { x: ends[1][0], y: ends[1][1], z: ends[1][2] },
        { halfExtents: { x: 1, y: 2, z: 1 }, maxPathPolys: 4096, maxStraightPathPoints: 4096 },
      );
      let length = 0;
      for (let k = 1; k < line.path.length; k++) {
        const [a, b] = [line.path[k - 1], line.path[k]];
        length += Math.sqrt((a.x - b.x) ** 2 + (a.z - b.z) ** 2);
      }
      let ours = 0;
      for (let k = 1; k < path.points.length; k++) {
        const [a, b] = [path.points[k - 1], path.points[k]];
        ours += Math.sqrt((a[0] - b[0]) ** 2 + (a[2] - b[2]) ** 2);
      }
      // Detour's search has a node for each side of a tile that a polygon is entered from, ours one.
      const more = tileSize > 0 ? 1.1 : 1;
      if (ours > length * 1.0001 * more + 1e-3) longer++;
    }
    console.info(
      `${name}, tile size ${tileSize}: ${polys} polygons, ${same} of 400 ends the same, ${complete} complete, ${longer} longer`,
    );
    expect(same).toBeGreaterThan(390);
    expect(complete).toBeGreaterThan(20);
    expect(longer).toBe(0);
    twin.destroy();
  });
});

describe('off-mesh connections', () => {
  const floor = [-10, 0, -10, -10, 0, 10, -1, 0, 10, -1, 0, -10, 1, 0, -10, 1, 0, 10, 10, 0, 10, 10, 0, -10];
  const level = { positions: floor, indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7] };
  const ends = { start: [-3, 0.2, 2], end: [3, 0.2, 2.5] };
  const xyz = ([x, y, z]: number[]): { x: number; y: number; z: number } => ({ x: x!, y: y!, z: z! });

  it.each([false, true])('are read with all their fields, tiled: %s', (tiled) => {
    const offMeshConnections = [
      {
        startPosition: xyz(ends.start),
        endPosition: xyz(ends.end),
        radius: 1,
        bidirectional: false,
        area: 5,
        flags: 9,
        userId: 4e9,
      },
      {
        startPosition: xyz([-4, 0, -4]),
        endPosition: xyz([4, 0, -4]),
        radius: 0.5,
        bidirectional: true,
        area: 0,
        flags: 1,
        userId: 7,
      },
    ];
    const options = { ...CONFIG, offMeshConnections };
    const made = tiled
      ? generateTiledNavMesh(level.positions, level.indices, { ...options, tileSize: 24 })
      : generateSoloNavMesh(level.positions, level.indices, options);
    const { navMesh } = parseDetourBin(exportNavMesh(made.navMesh!));
    expect(validateNavMesh(navMesh)).toEqual([]);
    const links = listLinks(navMesh)
      .map((ref) => getLink(navMesh, ref)!)
      .sort((a, b) => b.userId - a.userId);
    expect(links).toMatchObject([
      { bothWays: false, radius: 1, area: 5, flags: 9, userId: 4e9, cost: -1, enabled: true },
      { bothWays: true, radius: 0.5, area: 63, flags: 1, userId: 7 },
    ]);
    expect(links[0].start[0]).toEqual(ends.start.map(Math.fround));
    expect(links[0].end[0]).toEqual(ends.end.map(Math.fround));
    for (const link of links) expect(Math.min(link.startPoly, link.endPoly)).toBeGreaterThan(0);

    const again = parseDetourBin(writeDetourBin(navMesh).bytes).navMesh;
    expect(again).toEqual(navMesh);
  });

  it.each([false, true])("are used by Detour's paths when they were our links, both ways: %s", async (bothWays) => {
    const { navMesh } = buildNavMesh(level, { agent: { radius: 0.4 }, maxVerticesPerPoly: 6 });
    addLink(navMesh, { start: ends.start, end: ends.end, radius: 1, bothWays });
    const { query, destroy } = await importToDetour(navMesh);
    const reaches = (from: number[], to: number[]): boolean => {
      const [a, b] = [from, to].map((point) =>
        query.findNearestPoly(xyz(point), { halfExtents: { x: 1, y: 2, z: 1 } }),
      );
      const found = query.findPath(a!.nearestRef, b!.nearestRef, a!.nearestPoint, b!.nearestPoint);
      const refs = Array.from(found.polys.getHeapView());
      found.polys.destroy();
      return refs[refs.length - 1] === b!.nearestRef;
    };
    expect(reaches([-6, 0, -6], [6, 0, -6])).toBe(true);
    expect(reaches([6, 0, -6], [-6, 0, -6])).toBe(bothWays);
    destroy();
  });
});

it('keeps the index and position of freed and reused slots in Detour', async () => {
  const mesh = wornMesh();
  const twin = await importToDetour(mesh);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 0) continue;
    const tile = twin.detour.getTile(slot);
    expect([tile.header()!.x(), tile.header()!.y(), tile.salt()]).toEqual([
      mesh.tileX[slot],
      mesh.tileZ[slot],
      mesh.tileGeneration[slot],
    ]);
    for (let p = mesh.tilePolyStart[slot]; p < mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot]; p++) {
      const [x, y, z] = [0, 1, 2].map((axis) => {
        const edges = Array.from({ length: mesh.polyVertexCount[p] }, (_, k) => mesh.polyEdgeStart[p] + k);
        return edges.reduce((sum, e) => sum + mesh.vertices[3 * mesh.edgeVertex[e] + axis], 0) / edges.length;
      });
      const found = twin.query.findNearestPoly({ x: x!, y: y!, z: z! }, { halfExtents: { x: 0.25, y: 2, z: 0.25 } });
      expect([found.nearestRef >>> 0, twin.polyIndexOf(found.nearestRef)]).toEqual([twin.refOf(p), p]);
    }
  }
  twin.destroy();
});

it(`writes trees in which Detour finds every polygon that meets a box, also 100 km out, seed ${SEED}`, async () => {
  const { positions, indices } = levelOf('tower');
  const options = levelScenes.find((one) => one.name === 'tower')!.options;
  for (const by of [0, 102_400]) {
    const { navMesh } = buildNavMesh(
      { positions: Float64Array.from(positions, (v, k) => v + (k % 3 === 1 ? 0 : by)), indices },
      options,
    );
    const far = writeDetourBin(navMesh);
    expect(far.warnings.map(({ code }) => code)).toEqual(by === 0 ? [] : ['precision-lost']);
    const { bytes, warnings } = writeDetourBin(navMesh, { offset: [by, 0, by] });
    expect(warnings).toEqual([]);
    const { navMesh: detour } = importNavMesh(bytes);
    const query = new NavMeshQuery(detour);
    const box = new Float64Array(6);
    const random = seeded(SEED);
    const base = detour.getPolyRefBase(detour.getTile(0));
    let met = 0;
    for (let i = 0; i < 400; i++) {
      const at = 3 * Math.floor(random() * navMesh.vertexCount);
      const center = [0, 1, 2].map((k) => navMesh.vertices[at + k] + random() - 0.5);
      const half = [0, 1, 2].map(() => Math.fround(random() * random() * 3));
      const local = center.map((value, k) => Math.fround(value - (k === 1 ? 0 : by)));
      const [c, h] = [local, half].map(([x, y, z]) => ({ x: x!, y: y!, z: z! }));
      const result = query.queryPolygons(c!, h!, { maxPolys: 4096 });
      const found = new Set(result.polyRefs.map((ref) => ref - base));
      for (let p = 0; p < navMesh.polyCount; p++) {
        polyBounds(box, 0, navMesh, p);
        const meets = [0, 1, 2].every((k) => {
          const shift = local[k] + (k === 1 ? 0 : by);
          return box[k] < shift + half[k] - 1e-3 && box[k + 3] > shift - half[k] + 1e-3;
        });
        if (meets) met++;
        if (meets && !found.has(p)) expect.fail(`seed ${SEED}, by ${by}, box ${i}, polygon ${p} is missed`);
      }
    }
    expect(met).toBeGreaterThan(400);
    query.destroy();
    detour.destroy();
  }
});

/** Returns a number for each polygon: equal for polygons that edges and portals connect. */
function componentsOf(mesh: NavMesh): Int32Array {
  const root = Int32Array.from({ length: mesh.polyCount }, (_, p) => p);
  const find = (p: number): number => (root[p] === p ? p : (root[p] = find(root[p])));
  for (let p = 0; p < mesh.polyCount; p++) {
    const edge = mesh.polyEdgeStart[p];
    for (let e = edge; e < edge + mesh.polyVertexCount[p]; e++) {
      if (mesh.edgeNeighbor[e] >= 0) root[find(p)] = find(mesh.edgeNeighbor[e]);
    }
    for (let l = mesh.polyPortal[p]; l >= 0; l = mesh.portalNext[l]) root[find(p)] = find(mesh.portalPoly[l]);
  }
  return root.map((_, p) => find(p));
}

/** Returns a random point on a polygon, in float32. */
function randomPointOn(mesh: NavMesh, poly: number, random: () => number): number[] {
  const point = [0, 0, 0];
  let sum = 0;
  for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
    const weight = random() + 0.05;
    const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
    for (let axis = 0; axis < 3; axis++) point[axis] += weight * mesh.vertices[v + axis];
    sum += weight;
  }
  return point.map((value) => Math.fround(value / sum));
}
