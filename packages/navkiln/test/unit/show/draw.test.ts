/** Debug geometry compared with the mesh, polygon by polygon. */
import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { agentLines, bvTreeBoxes, pathLines, polyNormals } from '../../../src/show/draw/marks.ts';
import { linksLines, navMeshPortals, neighborsOfPoly } from '../../../src/show/draw/connections.ts';
import { numberColor, rgba } from '../../../src/show/draw/geometry.ts';
import type { DebugGeometry } from '../../../src/show/draw/geometry.ts';
import { boxLines, levelTriangles } from '../../../src/show/draw/level.ts';
import { compactFloors, contourLines, solidSpans } from '../../../src/show/draw/stages.ts';
import { navMeshOutlines, navMeshTriangles } from '../../../src/show/draw/mesh.ts';
import { isOverPoly, setHeight } from '../../../src/mesh/ground.ts';
import { addLink, removeLink, setLinkEnabled } from '../../../src/mesh/change/links.ts';
import { NULL_REF, refOf } from '../../../src/mesh/ref.ts';
import { removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { buildNavMesh, resolveBake } from '../../../src/build/voxel/build.ts';
import { buildCompactField } from '../../../src/build/voxel/field/compact.ts';
import { buildContours } from '../../../src/build/voxel/contours/contours.ts';
import { buildDistanceField } from '../../../src/build/voxel/field/distance.ts';
import { erodeArea } from '../../../src/build/voxel/field/erode.ts';
import { filterSpans } from '../../../src/build/voxel/field/filter.ts';
import { markBySlope, prepareInput } from '../../../src/build/voxel/input.ts';
import { rasterize } from '../../../src/build/voxel/rasterize/rasterize.ts';
import { buildRegionsWatershed } from '../../../src/build/voxel/regions/watershed.ts';
import { sceneLevel } from '../../golden/levels.ts';
import { gridTile, meshOf } from '../meshes.ts';

const house = sceneLevel('house');
const bake = (tileSize: number, offset = 0): NavMesh => {
  const positions = Float64Array.from(
    house.input.positions as ArrayLike<number>,
    (value, i) => value + (i % 3 === 1 ? 0 : offset),
  );
  return buildNavMesh({ ...house.input, positions }, { ...house.options, tileSize }).navMesh;
};
const mesh = bake(4);
const livePolys = Array.from({ length: mesh.polyCount }, (_, poly) => poly);

/** World positions of what a list draws, corner by corner. */
function world({ positions, indices, origin }: DebugGeometry): number[][] {
  const at = (i: number): number[] => [0, 1, 2].map((k) => positions[3 * i + k] + origin[k]);
  return Array.from(indices ?? { length: positions.length / 3 }, (index, i) => at((index as number | undefined) ?? i));
}

function corners(of: NavMesh, poly: number): number[][] {
  const from = of.polyEdgeStart[poly];
  const vertex = (v: number): number[] => [...of.vertices.subarray(3 * v, 3 * v + 3)];
  return Array.from({ length: of.polyVertexCount[poly] }, (_, k) => vertex(of.edgeVertex[from + k]));
}

const planLength = (a: readonly number[], b: readonly number[]): number => Math.hypot(a[0] - b[0], a[2] - b[2]);

/** Twice the area seen from above. */
function doubleArea(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, a, k) => {
    const b = ring[(k + 1) % ring.length];
    return sum + a[2] * b[0] - a[0] * b[2];
  }, 0);
}

function checkShape(list: DebugGeometry): void {
  const each = list.kind === 'triangles' ? 3 : 2;
  expect(list.colors.length).toBe((list.positions.length / 3) * 4);
  const count = (list.indices?.length ?? list.positions.length / 3) / each;
  expect(Number.isInteger(count)).toBe(true);
  if (list.polys !== undefined) expect(list.polys.length).toBe(count);
  expect(list.positions.every((value) => Number.isFinite(value))).toBe(true);
}

describe('surface', () => {
  it('covers each polygon once, at its height', () => {
    const list = navMeshTriangles(mesh, { lift: 0 });
    checkShape(list);
    const points = world(list);
    const covered = new Float64Array(mesh.polyCount);
    const probe = new Float64Array(3);
    list.polys!.forEach((poly, t) => {
      const triangle = points.slice(3 * t, 3 * t + 3);
      const area = doubleArea(triangle);
      expect(area).toBeGreaterThan(-1e-9);
      covered[poly] += area;
      // A little towards the middle from each corner it is over the polygon, at the height of its ground.
      for (let k = 0; k < 3 && area > 1e-4; k++) {
        const [a, b, c] = [0, 1, 2].map((i) => triangle[(k + i) % 3]) as [number[], number[], number[]];
        probe.set(a.map((value, axis) => 0.6 * value + 0.2 * (b[axis] + c[axis])));
        expect(isOverPoly(mesh, poly, probe)).toBe(true);
        const y = probe[1];
        setHeight(probe, mesh, poly);
        expect(Math.abs(probe[1] - y)).toBeLessThan(1e-4);
      }
    });
    for (const poly of livePolys) expect(covered[poly]).toBeCloseTo(doubleArea(corners(mesh, poly)), 3);
    expect(
      world(navMeshTriangles(mesh, { lift: 0.5 })).every((point, i) => Math.abs(point[1] - points[i][1] - 0.5) < 1e-5),
    ).toBe(true);
  });

  it('has colors by area, tile or polygon, and respects the filter', () => {
    const list = navMeshTriangles(mesh, { color: (poly) => numberColor(poly), filter: (poly) => poly % 3 === 0 });
    expect([...new Set(list.polys)].every((poly) => poly % 3 === 0)).toBe(true);
    list.polys!.forEach((poly, t) => {
      const v = list.indices![3 * t];
      const [r, g, b, a] = list.colors.subarray(4 * v, 4 * v + 4);
      expect(((r! << 24) | (g! << 16) | (b! << 8) | a!) >>> 0).toBe(numberColor(poly));
    });
    const one = navMeshTriangles(mesh, { slots: [2, 99], color: 'tile' });
    expect([...new Set(Array.from(one.polys!, (poly) => mesh.polyTile[poly]))]).toEqual([2]);
    expect(rgba('#0b4a75', 3)).toBe(0x0b4a7503);
    expect(new Set(Array.from({ length: 64 }, (_, i) => numberColor(i))).size).toBe(64);
  });

  it('has the same outlines as its edges', () => {
    for (const [kind, isKind] of [
      ['wall', (n: number) => n === -1],
      ['border', (n: number) => n <= -2],
      ['inner', (n: number) => n >= 0],
    ] as const) {
      const list = navMeshOutlines(mesh, { edges: [kind], lift: 0 });
      checkShape(list);
      const points = world(list);
      let drawn = 0;
      for (let i = 0; i < points.length; i += 2) drawn += planLength(points[i], points[i + 1]);
      let length = 0;
      for (const poly of livePolys) {
        const ring = corners(mesh, poly);
        ring.forEach((a, k) => {
          const neighbor = mesh.edgeNeighbor[mesh.polyEdgeStart[poly] + k];
          if (isKind(neighbor) && (neighbor < 0 || neighbor > poly))
            length += planLength(a, ring[(k + 1) % ring.length]);
        });
      }
      expect(length).toBeGreaterThan(1);
      expect(drawn).toBeCloseTo(length, 2);
    }
  });

  it('has the same precision 200 km from the origin', () => {
    const far = bake(4, 204800);
    for (const draw of [navMeshTriangles, navMeshOutlines, navMeshPortals, bvTreeBoxes, polyNormals]) {
      const [a, b] = [draw(mesh), draw(far)];
      expect([b.origin[0] - a.origin[0], b.origin[1] - a.origin[1], b.origin[2] - a.origin[2]]).toEqual([
        204800, 0, 204800,
      ]);
      expect(b.positions.length).toBe(a.positions.length);
      const off = a.positions.reduce((most, value, i) => Math.max(most, Math.abs(value - b.positions[i])), 0);
      expect(off).toBeLessThan(1e-4);
    }
  });

  it('leaves out removed tiles', () => {
    const own = bake(4);
    removeTile(own, 1);
    for (const list of [navMeshTriangles(own), navMeshOutlines(own), polyNormals(own), bvTreeBoxes(own)]) {
      checkShape(list);
      expect(list.polys!.some((poly) => own.polyTile[poly] === 1)).toBe(false);
    }
    const empty = meshOf();
    for (const draw of [navMeshTriangles, navMeshOutlines, navMeshPortals, linksLines, bvTreeBoxes, polyNormals]) {
      expect(draw(empty)).toMatchObject({ positions: new Float32Array(0), origin: [0, 0, 0] });
    }
  });
});

describe('stages of a bake', () => {
  const level = {
    ...house.input,
    positions: Float64Array.from(house.input.positions as ArrayLike<number>, (v, i) => v + [5e5, 0, -5e5][i % 3]),
  };
  const options = {
    ...house.options,
    cellSize: 3 * house.options.cellSize!,
    cellHeight: 2 * house.options.cellHeight!,
  };
  const config = resolveBake(level, options);
  const prepared = prepareInput(level);
  const { areas } = markBySlope(prepared, config.maxSlopeDegrees);
  const { offset } = config;

  it('draws triangles by slope', () => {
    const list = levelTriangles(level, { maxSlopeDegrees: config.maxSlopeDegrees });
    checkShape(list);
    expect(list.origin).toEqual([499712, 0, -499712]);
    const points = world(list);
    const off = Array.from(level.indices!, (v, i) =>
      Math.max(...points[i].map((value, k) => Math.abs(value - level.positions[3 * v + k]))),
    );
    expect(Math.max(...off)).toBeLessThan(1e-4);
    expect(Array.from(areas, (area) => area > 0)).toEqual(Array.from(areas, (_, t) => list.colors[12 * t + 2] > 200));
    const soup = levelTriangles(
      { positions: [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
      { color: (t) => 0x0a0b0c0d + t },
    );
    expect([soup.colors[3], soup.colors[15]]).toEqual([0x0d, 0x0e]);
    // Two-sided triangles are drawn as the bake sees them: walkable.
    const down = { positions: [0, 0, 0, 1, 0, 0, 0, 0, 1] };
    const [own, both] = [down, { ...down, twoSided: true }].map((one) => [
      ...levelTriangles(one).colors.subarray(0, 3),
    ]);
    expect(both).not.toEqual(own);
    expect(both).toEqual([0x56, 0xb4, 0xe9]);
    expect(() => levelTriangles(level, { maxSlopeDegrees: 91 })).toThrow(
      /^levelTriangles: options\.maxSlopeDegrees is 91; must be a number, 0 .. 90$/,
    );
  });

  it("draws spans, floors and contours at the level's position", () => {
    const solid = rasterize(prepared.positions, prepared.indices, areas, config);
    const spans = solidSpans(solid, { offset });
    checkShape(spans);
    expect(spans.indices!.length).toBe(30 * solid.spanCount);
    const { positions: p, indices } = spans;
    // All faces point away from the center of their box.
    for (let i = 0; i < indices!.length; i += 3003) {
      const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromArray(p, 3 * indices![i + k])) as [
        Vector3,
        Vector3,
        Vector3,
      ];
      const first = 8 * Math.floor(i / 30);
      const middle = new Vector3()
        .fromArray(p, 3 * first)
        .add(new Vector3().fromArray(p, 3 * (first + 7)))
        .multiplyScalar(0.5);
      const normal = b.clone().sub(a).cross(c.clone().sub(a));
      expect(normal.dot(a.clone().sub(middle))).toBeGreaterThan(0);
    }
    filterSpans(solid, config);
    const field = buildCompactField(solid, config);
    erodeArea(field, config.walkableRadiusCells);
    buildDistanceField(field);
    buildRegionsWatershed(field, config.regionMinAreaCells, config.regionMergeAreaCells);
    const floors = compactFloors(field, { offset, color: 'region' });
    checkShape(floors);
    expect(floors.origin).toEqual(offset);
    const regionColors = new Set(
      Array.from({ length: field.spanCount }, (_, i) => floors.colors.slice(16 * i, 16 * i + 4).join()),
    );
    expect(regionColors.size).toBe(new Set(field.region).size);
    const distances = compactFloors(field, { color: 'distance' });
    const shades = field.distance.map((distance) => Math.round((255 * distance) / field.maxDistance));
    expect(shades).toEqual(shades.map((_, i) => distances.colors[16 * i]));
    expect(compactFloors(field).colors.length).toBe(16 * field.spanCount);
    let area = 0;
    const q = floors.positions;
    for (let i = 0; i < floors.indices!.length; i += 3) {
      area +=
        doubleArea([0, 1, 2].map((k) => [...q.subarray(3 * floors.indices![i + k], 3 * floors.indices![i + k] + 3)])) /
        2;
    }
    expect(area).toBeCloseTo(field.spanCount * config.cellSize * config.cellSize, 0);
    const contours = buildContours(field, config);
    for (const raw of [true, false]) {
      const outline = contourLines(contours, { offset, raw });
      checkShape(outline);
      expect(outline.positions.length / 6).toBe(
        raw ? contours.rawStart[contours.count] : contours.start[contours.count],
      );
    }
    // They are at the height of the baked surface.
    const { navMesh } = buildNavMesh(level, options);
    const [low, high] = [navMesh.tileBounds.subarray(0, 3), navMesh.tileBounds.subarray(3, 6)];
    const strays = world(contourLines(contours, { offset })).filter((point) =>
      [0, 2].some((k) => !(point[k] > low[k] - 0.01 && point[k] < high[k] + 0.01)),
    );
    expect(strays).toEqual([]);
  });

  it('draws boxes', () => {
    const points = world(boxLines([0, 0, 0, 1, 2, 3, 4, 4, 4, 5, 5, 5]));
    expect(points.length).toBe(48);
    expect(new Set(points.slice(0, 24).map(String)).size).toBe(8);
    expect(() => boxLines([1, 2])).toThrow(/^boxLines: boxes\.length is 2; must be a multiple of 6$/);
  });
});

describe('connections', () => {
  it('draws a frame for each portal', () => {
    const list = navMeshPortals(mesh, { lift: 0 });
    checkShape(list);
    const points = world(list);
    let portals = 0;
    let length = 0;
    for (const poly of livePolys) {
      for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
        portals++;
        const ring = corners(mesh, poly);
        const k = mesh.portalEdge[l] - mesh.polyEdgeStart[poly];
        length +=
          (mesh.portalSpan[2 * l + 1] - mesh.portalSpan[2 * l]) * planLength(ring[k], ring[(k + 1) % ring.length]);
      }
    }
    expect(portals).toBeGreaterThan(20);
    expect(points.length / 8).toBe(portals / 2);
    let drawn = 0;
    for (let i = 0; i < points.length; i += 8) {
      drawn += planLength(points[i], points[i + 1]);
      expect(points[i + 2][1] - points[i][1]).toBeGreaterThan(mesh.agent.maxClimb - 1e-4);
    }
    expect(drawn).toBeCloseTo(length / 2, 2);
  });

  it('draws links from end to end, gray when disabled', () => {
    const grid = meshOf(gridTile(6, 6, (x) => x !== 3));
    expect(linksLines(grid).positions.length).toBe(0);
    const link = addLink(grid, { start: [2.5, 0, 1.5], end: [4.5, 0, 1.5] });
    const one = linksLines(grid, { lift: 0 });
    const points = world(one);
    expect([points[0], points[23]]).toEqual([
      [2.5, 0, 1.5],
      [4.5, 0, 1.5],
    ]);
    expect(Math.max(...points.map((point) => point[1]))).toBeCloseTo(0.5, 5);
    expect(points.length).toBe(2 * (12 + 2));
    setLinkEnabled(grid, link, false);
    expect([...linksLines(grid).colors.subarray(0, 4)]).toEqual([0x99, 0x99, 0x99, 160]);
    addLink(grid, {
      start: [
        [2.5, 0, 3],
        [2.5, 0, 5],
      ],
      end: [4.5, 0, 4],
      bothWays: true,
    });
    removeLink(grid, link);
    expect(world(linksLines(grid)).length).toBe(2 * (1 + 12 + 4));
  });

  it('draws neighbors across edges, portals and links', () => {
    const own = bake(4);
    const polys = Array.from({ length: own.polyCount }, (_, poly) => poly);
    const link = addLink(own, { start: corners(own, 0)[0], end: corners(own, own.polyCount - 1)[0] });
    expect(link).not.toBe(0);
    let most = 0;
    for (const poly of polys) {
      const next = new Set<number>();
      for (const other of polys) {
        const from = own.polyEdgeStart[other];
        for (let e = from; e < from + own.polyVertexCount[other]; e++)
          if (own.edgeNeighbor[e] === poly) next.add(other);
        for (let l = own.polyPortal[other]; l >= 0; l = own.portalNext[l])
          if (own.portalPoly[l] === poly) next.add(other);
      }
      if (own.linkPoly[0] === poly) next.add(own.linkPoly[1]);
      const drawn = new Set(neighborsOfPoly(own, refOf(own, poly)).polys);
      expect([...drawn].sort((a, b) => a - b)).toEqual([...next].sort((a, b) => a - b));
      most = Math.max(most, next.size);
    }
    expect(most).toBeGreaterThan(3);
    expect(neighborsOfPoly(own, NULL_REF).positions.length).toBe(0);
  });
});

describe('marks', () => {
  it('draws a path point by point', () => {
    const points = [
      [1e6, 2, -3e5],
      [1e6 + 1.5, 2.25, -3e5],
      [1e6 + 1.5, 3, -3e5 + 4],
    ];
    const list = pathLines(points, { lift: 0.5, color: 0x01020304 });
    checkShape(list);
    expect(world(list)).toEqual([0, 1, 1, 2].map((i) => [points[i][0], points[i][1] + 0.5, points[i][2]]));
    expect([...list.colors.subarray(0, 8)]).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
    expect(pathLines([]).positions.length).toBe(0);
    expect(pathLines([[1, 2, 3]]).positions.length).toBe(0);
  });

  it('draws normals that point up on floors and follow slopes', () => {
    const flat = polyNormals(meshOf(gridTile(3, 3)), { length: 2 });
    const points = world(flat);
    for (let i = 0; i < points.length; i += 2)
      expect(points[i + 1].map((value, k) => value - points[i][k])).toEqual([0, 2, 0]);
    const slope = world(
      polyNormals(
        meshOf(
          gridTile(
            2,
            2,
            () => true,
            (x) => x,
          ),
        ),
        { length: 1 },
      ),
    );
    slope[1].forEach((value, k) => expect(value - slope[0][k]).toBeCloseTo([-Math.SQRT1_2, Math.SQRT1_2, 0][k], 6));
    expect(polyNormals(mesh).polys!.length).toBe(mesh.polyCount);
  });

  it('draws boxes of leaves around polygons and of roots around tiles', () => {
    const list = bvTreeBoxes(mesh);
    checkShape(list);
    const points = world(list);
    expect([...new Set(list.polys)].sort((a, b) => a - b)).toEqual(livePolys);
    for (let i = 0; i < points.length; i += 24) {
      const box = points.slice(i, i + 24);
      const [low, high] = [Math.min, Math.max].map((pick) =>
        [0, 1, 2].map((k) => pick(...box.map((point) => point[k]))),
      ) as [number[], number[]];
      for (const corner of corners(mesh, list.polys![i / 2])) {
        corner.forEach((value, k) => {
          expect(value).toBeGreaterThan(low[k] - 1e-4);
          expect(value).toBeLessThan(high[k] + 1e-4);
        });
      }
    }
    const tiles = [...mesh.tileState.subarray(0, mesh.tileSlotCount)].filter(
      (state, slot) => state === 1 && mesh.tileNodeCount[slot] > 0,
    ).length;
    expect(bvTreeBoxes(mesh, { depth: 0 }).polys!.length).toBe(12 * tiles);
    let count = 0;
    for (let depth = 0; depth < 40; depth++) count += bvTreeBoxes(mesh, { depth }).polys!.length / 12;
    expect(count).toBe(mesh.nodeCount);
  });

  it('draws agents as cylinders with headings', () => {
    const list = agentLines([1, 2, 3, 10, 0, -10], { radius: 0.5, height: 2, headings: [1, 0, 0, -1] });
    checkShape(list);
    const points = world(list);
    expect(points.length).toBe(2 * 2 * (16 + 16 + 4 + 1));
    const half = points.length / 2;
    for (const point of points.slice(0, half - 2)) {
      expect(Math.hypot(point[0] - 1, point[2] - 3)).toBeCloseTo(0.5, 5);
      expect([2, 4]).toContain(point[1]);
    }
    expect(points.slice(half - 2, half)).toEqual([
      [1, 3, 3],
      [1.75, 3, 3],
    ]);
    expect(() => agentLines([1, 2])).toThrow(/^agentLines: positions\.length is 2; must be a multiple of 3$/);
  });
});
