/** Diagonal mode on small maps, stage by stage, against numbers counted by hand. */
import { findMapScene } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { createFaces, isConcave } from '../../../../src/build/polygon/diagonal/faces.ts';
import { isWayFree } from '../../../../src/build/polygon/diagonal/grid.ts';
import { cutByDiagonals } from '../../../../src/build/polygon/diagonal/diagonal.ts';
import { checkPieces, ringsOf } from './pieces-oracle.ts';

const SQUARE: [number, number][] = [
  [0, 0],
  [30, 0],
  [30, 30],
  [0, 30],
];
const hole = (x: number, y: number, w: number, h: number): [number, number][] => [
  [x, y],
  [x, y + h],
  [x + w, y + h],
  [x + w, y],
];

describe('faces', () => {
  it('makes one loop of an outline and a hole that touches it in a point', () => {
    const { faces, problem } = createFaces(
      ringsOf([
        SQUARE,
        [
          [0, 0],
          [10, 20],
          [20, 10],
        ],
      ]),
    );
    expect(problem).toBe('');
    expect([...faces.isOuter]).toEqual([1]);
  });

  it('splits an edge where a point of another ring lies on it', () => {
    const { faces, problem } = createFaces(
      ringsOf([
        SQUARE,
        [
          [0, 15],
          [10, 20],
          [10, 10],
        ],
      ]),
    );
    expect(problem).toBe('');
    expect(faces.wallCount).toBe(8);
    expect(faces.loopCount).toBe(1);
  });

  it('makes two loops where a hole divides the surface', () => {
    const { faces, problem } = createFaces(
      ringsOf([
        SQUARE,
        [
          [0, 0],
          [10, 20],
          [30, 30],
          [20, 10],
        ],
      ]),
    );
    expect(problem).toBe('');
    expect([...faces.isOuter]).toEqual([1, 1]);
  });

  it('cancels edges that run in both directions', () => {
    const { faces, problem } = createFaces(
      ringsOf([
        [
          [0, 0],
          [10, 0],
          [10, 10],
          [0, 10],
        ],
        [
          [10, 0],
          [20, 0],
          [20, 10],
          [10, 10],
        ],
      ]),
    );
    expect(problem).toBe('');
    expect(faces.loopCount).toBe(1);
    expect(faces.wallCount).toBe(6);
  });

  it.each([
    [
      'edges cross',
      [
        SQUARE,
        [
          [-5, 10],
          [5, 20],
          [5, 10],
        ],
      ],
    ],
    ['the hole at [40, 0]', [SQUARE, hole(40, 0, 5, 5)]],
    [
      'lies within another',
      [
        SQUARE,
        [
          [10, 10],
          [20, 10],
          [20, 20],
          [10, 20],
        ],
      ],
    ],
    [
      'cross or overlap',
      [
        SQUARE,
        [
          [0, 0],
          [30, 0],
          [30, 20],
        ],
      ],
    ],
  ] as const)('reports the problem "%s"', (words, rings) => {
    expect(createFaces(ringsOf(rings)).problem).toMatch(new RegExp(words.replace(/[[\]]/g, '\\$&') + '|comes twice'));
  });

  it('decides corners and lines of sight exactly', () => {
    const { faces, grid } = createFaces(ringsOf([SQUARE, hole(10, 10, 10, 10)]));
    const vertex = (x: number, y: number): number =>
      faces.xs.findIndex((_, v) => faces.xs[v] === x && faces.ys[v] === y);
    const concave = Array.from({ length: faces.wallCount }, (_, h) => h).filter((h) => isConcave(faces, h));
    expect(concave.map((h) => faces.xs[faces.origin[h]]).sort()).toEqual([10, 10, 20, 20]);
    expect(isWayFree(grid, faces, vertex(0, 0), vertex(10, 10))).toBe(true);
    expect(isWayFree(grid, faces, vertex(0, 0), vertex(20, 20))).toBe(false);
    expect(isWayFree(grid, faces, vertex(0, 0), vertex(20, 10))).toBe(true);
    // The line passes through the corner of the hole.
    expect(isWayFree(grid, faces, vertex(0, 30), vertex(20, 10))).toBe(false);
  });
});

describe('cutByDiagonals', () => {
  it('leaves a convex map uncut', () => {
    const { pieces, lines, bridgeCount } = cutByDiagonals(ringsOf([SQUARE]));
    expect([pieces.pieceCount, lines.length, bridgeCount]).toEqual([1, 0, 0]);
    expect([...pieces.neighbor]).toEqual([-1, -1, -1, -1]);
  });

  it('cuts an L-shape once', () => {
    const rings = ringsOf([
      [
        [0, 0],
        [20, 0],
        [20, 10],
        [10, 10],
        [10, 20],
        [0, 20],
      ],
    ]);
    const { pieces, lines } = cutByDiagonals(rings);
    expect([...lines]).toEqual(expect.arrayContaining([0, 10]));
    expect(lines.length).toBe(4);
    expect(pieces.pieceCount).toBe(2);
    checkPieces(pieces, rings, 'L');
  });

  it('makes four pieces around a square hole, linked in a ring', () => {
    const rings = ringsOf([SQUARE, hole(10, 10, 10, 10)]);
    const { pieces, bridgeCount } = cutByDiagonals(rings);
    checkPieces(pieces, rings, 'hole');
    expect([pieces.pieceCount, bridgeCount]).toEqual([4, 1]);
    expect([...pieces.neighbor].filter((n) => n >= 0).length).toBe(8);
  });

  it('keeps pieces within maxVertices, also for convex outlines', () => {
    const round = Array.from({ length: 40 }, (_, k): [number, number] => [
      Math.round(1e6 * Math.cos((k * Math.PI) / 20)),
      Math.round(1e6 * Math.sin((k * Math.PI) / 20)),
    ]);
    const rings = ringsOf([round]);
    for (const [most, pieceCount] of [
      [3, 38],
      [10, 5],
      [40, 1],
    ] as const) {
      const { pieces } = cutByDiagonals(rings, most);
      checkPieces(pieces, rings, `at most ${most}`, most);
      expect(pieces.pieceCount).toBeGreaterThanOrEqual(pieceCount);
      expect(pieces.pieceCount).toBeLessThanOrEqual(pieceCount * 1.7);
    }
  });

  it('drops corners in straight walls, and keeps those where other edges end', () => {
    const rings = ringsOf([
      [
        [0, 0],
        [10, 0],
        [20, 0],
        [30, 0],
        [30, 30],
        [15, 30],
        [0, 30],
      ],
    ]);
    expect(cutByDiagonals(rings).pieces.vertexCount).toBe(4);
    const side = Array.from({ length: 50 }, (_, k): [number, number] => [k, 0]);
    const triangle = ringsOf([[...side, [25, 40]]]);
    expect(cutByDiagonals(triangle).pieces.vertexCount).toBe(3);
  });

  it('resolves rings that cross, and reports it', () => {
    const rings = ringsOf([
      [
        [0, 0],
        [20, 0],
        [20, 20],
        [0, 20],
      ],
      [
        [10, 10],
        [30, 10],
        [30, 30],
        [10, 30],
      ],
    ]);
    const { pieces, problem } = cutByDiagonals(rings);
    expect(problem).toContain('cross');
    checkPieces(
      pieces,
      ringsOf([
        [
          [0, 0],
          [20, 0],
          [20, 10],
          [30, 10],
          [30, 30],
          [10, 30],
          [10, 20],
          [0, 20],
        ],
      ]),
      'crossing',
    );
  });

  it('makes no pieces from empty input', () => {
    expect(cutByDiagonals(ringsOf([])).pieces.pieceCount).toBe(0);
  });

  it('refuses a limit of less than three corners', () => {
    expect(() => cutByDiagonals(ringsOf([SQUARE]), 2)).toThrow(/maxVertices is 2; must be/);
  });
});

describe('buildFromPolygons, mode diagonal', () => {
  it.each(['sixteen-corners', 'twenty-five-corners', 'rectangle'])('builds %s of the tutorial', (name) => {
    const map = findMapScene(name).create();
    const { navMesh, stages, report } = buildFromPolygons(map, { mode: 'diagonal', cutByDiagonals });
    expect(validateNavMesh(navMesh)).toEqual([]);
    checkPieces(stages.pieces, stages.ground, name, 10);
    const { diagonal } = stages;
    expect(diagonal!.problem).toBe('');
    // A hole that touches nothing needs a bridge. On `rectangle` no hole does, and there are fewer pieces
    // than triangles.
    expect(diagonal!.bridgeCount).toBe(map.polygons[0].holes!.length);
    expect(stages.pieces.pieceCount).toBe({ 'sixteen-corners': 13, 'twenty-five-corners': 37, rectangle: 15 }[name]);
    expect(report.stages.map((stage) => stage.name)).toEqual(['input', 'clean', 'diagonal', 'tile']);
    expect(stages.triangulation).toBeUndefined();
  });

  it('connects islands only across the surface', () => {
    const lake = hole(5, 5, 20, 20);
    const island = [
      [10, 10],
      [20, 10],
      [20, 20],
      [10, 20],
    ];
    const { navMesh } = buildFromPolygons(
      { polygons: [{ outline: SQUARE, holes: [lake] }, { outline: island }] },
      { mode: 'diagonal', cutByDiagonals },
    );
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect(navMesh.polyCount).toBe(5);
  });
});
