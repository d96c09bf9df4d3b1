/** Builds meshes from 2D maps: the tutorial's maps, radii, warnings and errors. */
import { findMapScene, mapScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { meshToMap } from '../../../../src/mesh/map-plane.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import type { PolygonMap, PolygonOptions } from '../../../../src/build/polygon/options.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { areaOfRings, checkConforming, checkShapes, distanceToRings, ringsInWorld } from './map-oracle.ts';

const square = (x: number, y: number, size: number): [number, number][] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
];
const ROOM: PolygonMap = { polygons: [{ outline: square(0, 0, 10) }] };
const codes = (map: PolygonMap, options?: PolygonOptions): string[] =>
  buildFromPolygons(map, options).report.warnings.map((one) => one.code);

describe.each(mapScenes.map((scene) => [scene.name, scene] as const))('map %s', (name, scene) => {
  it.each([0, scene.radius])('builds a valid mesh with radius %d and finds its path', (radius) => {
    const { navMesh, report, stages } = buildFromPolygons(scene.create(), { radius });
    expect(validateNavMesh(navMesh)).toEqual([]);
    // Squares that stand close together leave pockets.
    expect(report.warnings.filter(({ code }) => code !== 'closed-by-radius')).toEqual([]);
    expect(navMesh.agent.radius).toBe(radius);
    checkShapes(navMesh, report.frame, stages.ground, name);
    checkConforming(navMesh, report.frame, name);
    expect(Math.max(...navMesh.polyVertexCount.subarray(0, navMesh.polyCount))).toBeLessThanOrEqual(10);
    const { from, to } = scene.path;
    expect(findPath2d(navMesh, from, to, { mode: 'funnel', halfExtents: radius })).toMatchObject({
      status: 'complete',
    });
  });
});

describe('the tutorial maps', () => {
  it.each([
    ['sixteen-corners', 24, 13],
    ['twenty-five-corners', 71, 38],
    ['rectangle', 28, 18],
  ])('%s', (name, corners, pieces) => {
    const {
      navMesh,
      report: { counts, frame },
      stages,
    } = buildFromPolygons(findMapScene(name).create());
    expect(counts).toMatchObject({ cleanPoints: corners, vertices: corners, polygons: pieces });
    // The area equals the drawn one, in pixels: no point was moved.
    const map = findMapScene(name).create(),
      { outline, holes = [] } = map.polygons[0];
    const area = (ring: [number, number][]): number =>
      Math.abs(
        ring.reduce((sum, [x, y], i) => {
          const [u, v] = ring[(i + 1) % ring.length];
          return sum + x * v - u * y;
        }, 0),
      );
    const drawn = area(outline) - holes.reduce((sum, hole) => sum + area(hole), 0);
    const isApart = name === 'sixteen-corners';
    if (isApart) expect(Number(areaOfRings(stages.ground)) * frame.gridSize * frame.gridSize).toBe(drawn);
    const known = new Set([outline, ...holes].flat().map(String));
    for (let v = 0; v < navMesh.vertexCount; v++) {
      expect(known.has(String(meshToMap(navMesh, navMesh.vertices.subarray(3 * v, 3 * v + 3))))).toBe(true);
      expect(navMesh.vertices[3 * v + 1]).toBe(0);
    }
  });
});

describe('buildFromPolygons', () => {
  it('builds the same mesh in any order and winding', () => {
    for (const name of ['shapes-map', 'lakes-map', 'grid-map', 'rubble-map']) {
      const map = findMapScene(name).create();
      const turned: PolygonMap = {
        polygons: map.polygons
          .map(({ outline, holes = [] }) => ({
            outline: [...outline.slice(1), outline[0]].reverse(),
            holes: holes.map((hole) => hole.slice().reverse()).reverse(),
          }))
          .reverse(),
        obstacles: map.obstacles?.map((one) => [...one.slice(2), ...one.slice(0, 2)]).reverse(),
      };
      expect(saveNavMesh(buildFromPolygons(turned).navMesh), name).toEqual(saveNavMesh(buildFromPolygons(map).navMesh));
    }
  });

  it('builds several radii in one call, each as in a call of its own', () => {
    const map = findMapScene('twenty-five-corners').create();
    const { meshes, navMesh } = buildFromPolygons(map, { radii: [0, 2, 8] });
    expect(meshes.map((one) => one.navMesh.agent.radius)).toEqual([0, 2, 8]);
    expect(navMesh).toBe(meshes[0].navMesh);
    const [, two] = meshes,
      {
        report: { frame },
      } = two;
    expect(validateNavMesh(two.navMesh)).toEqual([]);
    const walls = ringsInWorld(two.stages.clean, frame);
    for (let v = 0; v < two.navMesh.vertexCount; v++) {
      expect(
        distanceToRings(walls, [two.navMesh.vertices[3 * v], two.navMesh.vertices[3 * v + 2]]),
      ).toBeGreaterThanOrEqual(2);
    }
    expect(two.report.stages.map((one) => one.name)).toEqual([
      'input',
      'clean',
      'offset',
      'triangulate',
      'merge',
      'tile',
    ]);
  });

  it('builds the same mesh 100 km away', () => {
    const near = buildFromPolygons(findMapScene('shapes-map').create(), { radius: 0.3 });
    const map = findMapScene('shapes-map').create(),
      far = 131072;
    const move = (ring: [number, number][]): [number, number][] => ring.map(([x, y]) => [x + far, y - far]);
    const moved = buildFromPolygons(
      {
        polygons: map.polygons.map(({ outline }) => ({ outline: move(outline) })),
        obstacles: map.obstacles!.map(move),
      },
      { radius: 0.3 },
    );
    expect(moved.navMesh.polyCount).toBe(near.navMesh.polyCount);
    for (let i = 0; i < 3 * near.navMesh.vertexCount; i++) {
      expect(Math.abs(moved.navMesh.vertices[i] - near.navMesh.vertices[i] - [far, 0, far][i % 3])).toBeLessThan(1e-5);
    }
  });

  it('keeps islands in holes, joins touching polygons and drops covered ones', () => {
    const map: PolygonMap = {
      polygons: [
        { outline: square(0, 0, 10), holes: [square(2, 2, 6)] },
        { outline: square(4, 4, 2) },
        { outline: square(10, 0, 10) },
      ],
    };
    const {
      navMesh,
      report: { frame },
      stages,
    } = buildFromPolygons(map);
    expect((Number(areaOfRings(stages.ground)) * frame.gridSize * frame.gridSize) / 2).toBe(100 - 36 + 4 + 100);
    expect(findPath2d(navMesh, [1, 1], [19, 9]).status).toBe('complete');
    expect(findPath2d(navMesh, [1, 1], [5, 5]).reason).toBe('unreachable');
    expect(codes({ ...ROOM, obstacles: [square(-1, -1, 12)] })).toEqual(['empty-result']);
    expect(codes(ROOM, { radius: 6 })).toEqual(['empty-result']);
  });

  it('warns with the ring and the point', () => {
    const bow: PolygonMap = {
      polygons: [
        {
          outline: [
            [0, 0],
            [10, 10],
            [10, 0],
            [0, 10],
          ],
        },
      ],
    };
    const {
      report: { warnings },
      navMesh,
    } = buildFromPolygons(bow);
    expect(warnings).toMatchObject([
      { code: 'self-crossing', stage: 'clean', where: { ring: 'polygons[0].outline', point: 0, at: [5, 5] } },
    ]);
    expect(navMesh.polyCount).toBe(2);
    expect(() => buildFromPolygons(bow, { strict: true })).toThrow(
      /polygons\[0\]\.outline crosses itself.*self-crossing/,
    );
    const holed = (hole: [number, number][]): PolygonMap => ({
      polygons: [{ outline: square(0, 0, 10), holes: [hole] }],
    });
    expect(codes(holed(square(20, 0, 2)))).toEqual(['hole-outside']);
    expect(codes(holed(square(8, 4, 4)))).toEqual(['hole-sticks-out']);
    expect(codes(holed(square(8, 4, 2)))).toEqual([]);
    expect(
      codes(
        holed([
          [1, 1],
          [2, 2],
          [3, 3],
        ]),
      ),
    ).toEqual(['degenerate-ring']);
    const repeated = buildFromPolygons(
      holed([
        [1, 1],
        [2, 1],
        [2, 1],
        [2, 2],
        [1, 1],
      ]),
    ).report.warnings;
    expect(repeated).toMatchObject([
      { code: 'points-merged', count: 1, where: { ring: 'polygons[0].holes[0]', point: 2, at: [2, 1] } },
    ]);
  });

  it('gives one warning of each kind, however many rings have it', () => {
    const polygons = Array.from({ length: 300 }, (_, k) => ({
      outline: [
        [3 * k, 0],
        [3 * k + 2, 2],
        [3 * k + 2, 0],
        [3 * k, 2],
      ] as [number, number][],
      holes: [[[3 * k, 1], [3 * k + 1, 1], [3 * k + 2, 1]] as [number, number][]], // oxfmt-ignore
    }));
    const { warnings } = buildFromPolygons({ polygons }).report;
    expect(warnings.map(({ code, count }) => [code, count])).toEqual([
      ['degenerate-ring', 300],
      ['self-crossing', 300],
    ]);
    expect(warnings[0].message).toBe('polygons[0].holes[0] has no area and is left out; 299 more rings alike');
    expect(warnings[1]).toMatchObject({ where: { ring: 'polygons[0].outline' } });
    expect(buildFromPolygons({ polygons }).report.warnings).toEqual(warnings);
  });

  it('applies the fill rule inside a ring that winds twice', () => {
    const twice: PolygonMap = {
      polygons: [
        {
          outline: [
            [0, 0],
            [9, 0],
            [9, 9],
            [3, 9],
            [3, 3],
            [6, 3],
            [6, 6],
            [0, 6],
          ],
        },
      ],
    };
    const area = (fillRule: 'nonzero' | 'evenodd'): number => {
      const {
        report: { frame },
        stages,
      } = buildFromPolygons(twice, { fillRule });
      return (Number(areaOfRings(stages.ground)) * frame.gridSize * frame.gridSize) / 2;
    };
    expect(area('nonzero') - area('evenodd')).toBe(9);
  });

  it('refuses invalid maps with the ring and the point', () => {
    const build = (map: unknown, options?: unknown) => () =>
      buildFromPolygons(map as PolygonMap, options as PolygonOptions);
    expect(build({})).toThrow(/map\.polygons is undefined; must be an array/);
    expect(build({ polygons: [] })).toThrow(/map\.polygons is empty/);
    expect(
      build({
        polygons: [
          {
            outline: [
              [0, 0],
              [1, 0],
            ],
          },
        ],
      }),
    ).toThrow(/polygons\[0\]\.outline has 2 points/);
    expect(
      build({
        ...ROOM,
        obstacles: [
          [
            [0, 0],
            [NaN, 0],
            [1, 1],
          ],
        ],
      }),
    ).toThrow(/obstacles\[0\]\[1\] is \[NaN, 0\]; must be \[x, y\] or \{ x, y \}, both finite/);
    expect(build({ polygons: [{ outline: square(0, 0, 1), holes: [[[0, 0], [1, 1], null]] }] })).toThrow(
      /polygons\[0\]\.holes\[0\]\[2\]/,
    );
    expect(build(ROOM, { radius: -1 })).toThrow(/options\.radius is -1/);
    expect(build(ROOM, { radius: 1, radii: [1] })).toThrow(/given once/);
    expect(build(ROOM, { radii: [] })).toThrow(/radii/);
    expect(build(ROOM, { maxVertices: 2 })).toThrow(/maxVertices is 2; must be a number, 3 .. 255/);
    expect(build(ROOM, { mode: 'voronoi' })).toThrow(/mode/);
    expect(build(ROOM, { gridSize: 1e-12 })).toThrow(/gridSize is 1e-12.*leave it out/);
    expect(build(ROOM, { gridSize: 1e300, tileSize: 1 })).toThrow(/options\.gridSize is 1e\+300; must be/);
    expect(build(ROOM, { tileSize: 1e300 })).toThrow(/options\.tileSize is 1e\+300; must be a number, 0 \.\. 1e\+99/);
    expect(build(ROOM, { gird: 1 })).toThrow(/options\.gird is unknown; known keys: agent/);
  });
});
