/** Meshes that were damaged on purpose: each kind of fault is found, where it was made. */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { levelScenes } from '../../../../../scenes/src/index.ts';
import { explainFaults } from '../../../../src/show/verify/causes/explain-faults.ts';
import { explainSurfaceFaults } from '../../../../src/show/verify/causes/explain-surface.ts';
import { verifyNavMesh } from '../../../../src/show/verify/verify.ts';
import type { FaultKind, VerifyResult } from '../../../../src/show/verify/types.ts';
import { buildFromSurface } from '../../../../src/build/surface/build.ts';
import { createAgentSizes } from '../../../../src/build/voxel/sizes/create.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import type { AreaVolume, TriangleInput } from '../../../../src/build/voxel/options.ts';
import { quad, block } from './levels.ts';

const AGENT = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

function bakeScene(name: string, tileSize = 0): { level: TriangleInput; mesh: NavMesh } {
  const scene = levelScenes.find((one) => one.name === name)!;
  const level = scene.create() as TriangleInput;
  return { level, mesh: buildNavMesh(level, { ...scene.options, tileSize }).navMesh };
}

function places(result: VerifyResult, kind: FaultKind): VerifyResult['places'] {
  return result.places.filter((place) => place.kind === kind);
}

/** Two rooms with a wall between them that has a door of this width. */
function rooms(door: number): TriangleInput {
  const parts = [quad([0, 0, 0], [12, 0, 0], [12, 0, 8], [0, 0, 8])];
  const half = door / 2;
  if (4 - half > 0) parts.push(block([5.9, 0, 0], [6.1, 3, 4 - half]), block([5.9, 0, 4 + half], [6.1, 3, 8]));
  return { positions: Float32Array.from(parts.flat(1)) };
}

describe('a mesh with several sizes', () => {
  it('is verified for each of them', () => {
    // A door that lets only the cat pass.
    const level = rooms(1.2);
    const sizes = createAgentSizes([
      { name: 'cat', radius: 0.2, height: 0.6 },
      { name: 'ogre', radius: 0.8, height: 2.4 },
    ]);
    const mesh = buildNavMesh(level, { agent: { maxClimb: 0.4, maxSlopeDegrees: 45 }, sizes }).navMesh;
    const result = verifyNavMesh(level, mesh);
    expect(result.sizes.map(({ name, agent }) => [name, agent.radius])).toEqual([
      ['cat', 0.2],
      ['ogre', 0.8],
    ]);
    expect(result.sizes[0].meshArea).toBeGreaterThan(1.05 * result.sizes[1].meshArea);
    expect(result.coverage).toBe(Math.min(...result.sizes.map(({ coverage }) => coverage)));
    for (const size of result.sizes) {
      expect([size.name, size.coverage > 0.995, size.overreach < 0.001, size.lost, size.invented]).toEqual([
        size.name,
        true,
        true,
        0,
        0,
      ]);
    }
  });
});

describe('a sound mesh', () => {
  it.each(['dungeon', 'city', 'house', 'courtyard'])('of %s passes', (name) => {
    const { level, mesh } = bakeScene(name);
    const result = verifyNavMesh(level, mesh);
    expect(result.coverage).toBeGreaterThan(0.995);
    expect(result.overreach).toBeLessThan(0.001);
    expect([result.lost, result.invented, result.falseDoors, result.invisibleWalls]).toEqual([0, 0, 0, 0]);
    expect(result.straightWalks).toBeGreaterThan(100);
    expect(result.pairs).toBe(300);
  });

  it('gives the same result for the same seed, and nearly the same for others', () => {
    const { level, mesh } = bakeScene('courtyard');
    const first = verifyNavMesh(level, mesh, { seed: 7 });
    expect(verifyNavMesh(level, mesh, { seed: 7 })).toEqual(first);
    const shares = [first.coverage, ...[1, 2].map((seed) => verifyNavMesh(level, mesh, { seed }).coverage)];
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(0.001);
  });
});

describe('a damaged mesh', () => {
  it('without a tile is uncovered there', () => {
    const { level, mesh } = bakeScene('courtyard', 8);
    const before = verifyNavMesh(level, mesh);
    const slot = mesh.tileX.findIndex((x, i) => x === 1 && mesh.tileZ[i] === 1 && mesh.tileState[i] === 1);
    const bounds = mesh.tileBounds.slice(6 * slot, 6 * slot + 6);
    removeTile(mesh, slot);
    const result = verifyNavMesh(level, mesh);
    expect(before.coverage - result.coverage).toBeGreaterThan(0.01);
    const [worst] = places(result, 'uncovered');
    expect(worst.area).toBeGreaterThan(5);
    for (const k of [0, 2]) {
      expect(worst.position[k]).toBeGreaterThan(bounds[k]);
      expect(worst.position[k]).toBeLessThan(bounds[k + 3]);
    }
  });

  it('with a polygon in the air reaches too far there', () => {
    const { level, mesh } = bakeScene('courtyard');
    addFloating(mesh, [3, 9, 3], 4);
    const result = verifyNavMesh(level, mesh);
    const [worst] = places(result, 'overreach');
    expect(Math.abs(worst.area - 16)).toBeLessThan(1);
    expect(worst.position[1]).toBeCloseTo(9);
  });
});

describe('a mesh beyond its level', () => {
  const floors = (...sides: number[]): TriangleInput => ({
    positions: Float32Array.from(sides.flatMap((x) => quad([x, 0, 0], [x + 10, 0, 0], [x + 10, 0, 8], [x, 0, 8]))),
  });
  const whole = floors(0, 10);
  const builds: [string, NavMesh, number][] = [
    ['voxels', buildNavMesh(whole, { agent: AGENT }).navMesh, 0.6],
    ['voxel tiles', buildNavMesh(whole, { agent: AGENT, tileSize: 6 }).navMesh, 0.6],
    ['surface', buildFromSurface(whole, { agent: AGENT }).navMesh, AGENT.radius],
  ];

  it.each(builds)('of %s reaches too far by the half of the level that is removed', (_, mesh, inset) => {
    expect(verifyNavMesh(whole, mesh)).toMatchObject({ overreach: 0, places: [] });
    for (const [kept, min, max] of [
      [0, 10, 20 - inset],
      [10, inset, 10],
    ]) {
      const result = verifyNavMesh(floors(kept), mesh);
      expect([kept, result.coverage, Math.abs(result.overreach - 0.5) < 0.04]).toEqual([kept, 1, true]);
      const found = places(result, 'overreach');
      const area = found.reduce((sum, one) => sum + one.area, 0);
      expect(Math.abs(area - (max - min) * (8 - 2 * inset))).toBeLessThan(0.1 * area);
      expect(found[0].position[0]).toBeGreaterThan(min - 0.5);
      expect(found[0].position[0]).toBeLessThan(max + 0.5);
      expect(found[0].cause).toMatch(/^level: the mesh reaches beyond it/);
      for (const explain of [explainFaults, explainSurfaceFaults])
        expect(explain(floors(kept), mesh, result).places).toEqual(result.places);
    }
  });

  it('reaches too far where the middle of the level is removed', () => {
    const [, mesh] = builds[0];
    const ends: TriangleInput = {
      positions: [
        ...quad([0, 0, 0], [5, 0, 0], [5, 0, 8], [0, 0, 8]),
        ...quad([15, 0, 0], [20, 0, 0], [20, 0, 8], [15, 0, 8]),
      ],
    };
    expect(Math.abs(verifyNavMesh(ends, mesh).overreach - 0.5)).toBeLessThan(0.04);
  });

  it('counts only within bounds', () => {
    const [, mesh] = builds[0];
    const bounds = { min: [0, -1, 0], max: [10, 3, 8] };
    expect(verifyNavMesh(floors(0), mesh, { bounds })).toMatchObject({ coverage: 1, overreach: 0 });
    bounds.max[0] = 15;
    expect(Math.abs(verifyNavMesh(floors(0), mesh, { bounds }).overreach - 1 / 3)).toBeLessThan(0.04);
  });

  it('is measured where it is far away', () => {
    const [, mesh] = builds[0];
    const far: TriangleInput = {
      positions: Array.from(whole.positions, (value, k) => value + (k % 3 === 0 ? 1e5 : 0)),
    };
    expect(verifyNavMesh(far, mesh)).toMatchObject({ coverage: 0, overreach: 1, spacing: mesh.cellSize });
  });
});

describe('connections', () => {
  const bake = (door: number): NavMesh => buildNavMesh(rooms(door), { agent: AGENT }).navMesh;

  it('are lost where the mesh has no door', () => {
    const result = verifyNavMesh(rooms(3), bake(0));
    expect(result.lost).toBeGreaterThan(0.3);
    const [lost, ...others] = places(result, 'lost');
    expect(others).toEqual([]);
    expect(Math.abs(lost.position[0] - 6)).toBeLessThan(1);
    expect(lost.area).toBeGreaterThan(10);
    expect(result.invented).toBe(0);
  });

  it('are invented where the level has no door', () => {
    const result = verifyNavMesh(rooms(0), bake(3));
    expect(result.invented).toBeGreaterThan(0.3);
    expect(result.lost).toBe(0);
    const [invented] = places(result, 'invented');
    expect(invented.area).toBeGreaterThan(10);
  });

  it('are right where both have one', () => {
    for (const width of [1.7, 2, 3, 8]) {
      const result = verifyNavMesh(rooms(width), bake(width));
      expect([width, result.lost, result.invented, result.coverage > 0.995]).toEqual([width, 0, 0, true]);
    }
  });
});

describe('portals', () => {
  it('that are shut lose the way, and stop straight walks', () => {
    const level: TriangleInput = { positions: Float32Array.from(quad([0, 0, 0], [16, 0, 0], [16, 0, 8], [0, 0, 8])) };
    const mesh = buildNavMesh(level, { agent: AGENT, tileSize: 8 }).navMesh;
    expect(verifyNavMesh(level, mesh)).toMatchObject({ coverage: 1, lost: 0, invisibleWalls: 0, places: [] });
    mesh.polyPortal.fill(-1);
    const result = verifyNavMesh(level, mesh);
    expect(result.coverage).toBe(1);
    expect(Math.abs(result.lost - 0.5)).toBeLessThan(0.1);
    expect(result.invisibleWalls).toBeGreaterThan(10);
    const [lost] = places(result, 'lost');
    for (const { position } of [lost, ...places(result, 'invisible-wall')]) {
      expect(Math.abs(position[0] - 8)).toBeLessThan(0.3);
    }
  });

  it.each(['house', 'courtyard'])('that join polygons across a step in %s are false doors', (name) => {
    const { level, mesh } = bakeScene(name);
    const heights = Array.from(
      { length: mesh.polyCount },
      (_, p) => mesh.vertices[3 * mesh.edgeVertex[mesh.polyEdgeStart[p]] + 1],
    );
    const edge = mesh.edgeNeighbor.findIndex((other, e) => other === -1 && e < mesh.edgeCount);
    const poly = mesh.polyEdgeStart.findLastIndex((start, p) => p < mesh.polyCount && start <= edge);
    const other = heights.findIndex((y) => Math.abs(y - heights[poly]) > 1);
    expect(other).toBeGreaterThanOrEqual(0);
    mesh.edgeNeighbor[edge] = other;
    const back = mesh.polyEdgeStart[other];
    mesh.edgeNeighbor[back] = poly;
    const result = verifyNavMesh(level, mesh);
    expect(result.falseDoors).toBeGreaterThan(0.3);
    expect(places(result, 'false-door').length).toBeGreaterThan(0);
  });
});

describe('a level', () => {
  it('that is walkable from both sides is judged as it is baked', () => {
    const { positions } = rooms(3);
    // Floor and walls face the other way.
    const indices = Array.from({ length: positions.length / 3 }, (_, i) => i - (i % 3) + ((3 - (i % 3)) % 3));
    const turned: TriangleInput = { positions, indices, twoSided: true };
    const { navMesh } = buildNavMesh(turned, { agent: AGENT });
    const result = verifyNavMesh(turned, navMesh);
    expect([result.coverage > 0.995, result.overreach, result.lost]).toEqual([true, 0, 0]);
    expect(result.sureArea).toBeGreaterThan(40);
    expect(verifyNavMesh({ positions, indices }, navMesh)).toMatchObject({ sureArea: 0, coverage: 1, overreach: 1 });
  });

  it('whose solids overlap, cross themselves or lie in each other has no places inside', () => {
    const floor = quad([0, 0, 0], [12, 0, 0], [12, 0, 8], [0, 0, 8]);
    const bowTie = block([1, -1, 5], [3, 4, 7]);
    // A corner moved across the box makes its faces cross.
    for (let k = 0; k < bowTie.length; k += 3)
      if (bowTie[k] === 1 && bowTie[k + 2] === 5 && bowTie[k + 1] === 4) bowTie[k] = 3.5;
    const parts = [
      floor,
      block([4, -1, 1], [8, 4, 5]),
      block([6, -2, 3], [10, 5, 7]),
      block([5, -0.5, 2], [6, 3, 3]),
      bowTie,
    ];
    const level: TriangleInput = { positions: Float32Array.from(parts.flat(1)) };
    const { navMesh } = buildNavMesh(level, { agent: AGENT });
    const result = verifyNavMesh(level, navMesh);
    expect([result.coverage > 0.995, result.overreach < 0.002, result.lost, result.invented]).toEqual([
      true,
      true,
      0,
      0,
    ]);
    expect(result.insideSolids).toBeGreaterThan(0.1);
    expect(result.warnings.map(({ code }) => code)).toEqual(['inside-solids']);
  });
});

describe('a box without a bottom', () => {
  it.each([0, -0.5])('on the floor or sunk into it is a solid as one with a bottom (%s)', (bottom) => {
    const floor = quad([0, 0, 0], [16, 0, 0], [16, 0, 8], [0, 0, 8]);
    const box = block([8, bottom, 1], [14, 4, 7]);
    const judge = (corners: number[]): VerifyResult => {
      const level = { positions: Float32Array.from([...floor, ...corners]) };
      return verifyNavMesh(level, buildNavMesh(level, { agent: AGENT }).navMesh);
    };
    const closed = judge(box);
    const open = judge(box.toSpliced(18, 18));
    expect(open).toEqual(closed);
    expect(open.warnings.map(({ code }) => code)).toEqual(['inside-solids']);
    expect([open.coverage, open.overreach, open.insideSolids > 0.2]).toEqual([1, 0, true]);
  });
});

describe('a sky dome', () => {
  /** A dome of n x m quads; its rim is at height 0. */
  const dome = (x: number, z: number, radius: number, isOutward: boolean): number[] => {
    const at = (i: number, k: number): number[] => {
      const [turn, rise] = [(i / 12) * 2 * Math.PI, (k / 6) * (Math.PI / 2)];
      const flat = k === 6 ? 0 : radius * Math.cos(rise);
      return [x + flat * Math.cos(turn), k === 0 ? 0 : radius * Math.sin(rise), z + flat * Math.sin(turn)].map(
        Math.fround,
      );
    };
    const corners: number[] = [];
    for (let i = 0; i < 12; i++)
      for (let k = 0; k < 6; k++) {
        const ring = [at(i % 12, k), at(i % 12, k + 1), at((i + 1) % 12, k + 1), at((i + 1) % 12, k)];
        if (isOutward) ring.reverse();
        corners.push(...quad(ring[0]!, ring[1]!, ring[2]!, ring[3]!));
      }
    return corners;
  };
  const floor = quad([0, 0, 0], [16, 0, 0], [16, 0, 8], [0, 0, 8]);
  const crate = block([8, 0, 1], [14, 4, 7]).toSpliced(18, 18);
  const judge = (corners: number[]): VerifyResult => {
    const level = { positions: Float32Array.from([...floor, ...crate, ...corners]) };
    return verifyNavMesh(level, buildNavMesh(level, { agent: AGENT }).navMesh);
  };

  it.each([true, false])('around the level is no solid, and crates in it are (it faces outward: %s)', (isOutward) => {
    const bare = judge([]);
    const result = judge(dome(8, 4, 12, isOutward));
    const area = (one: VerifyResult): number => one.insideSolids * one.meshArea;
    expect([result.coverage > 0.995, result.overreach < 0.001, result.warnings.map(({ code }) => code)]).toEqual([
      true,
      true,
      ['inside-solids'],
    ]);
    expect(area(result) / area(bare)).toBeCloseTo(1, 1);
  });

  it('beside the level is a solid', () => {
    const result = judge(dome(4, 4, 2.5, true));
    expect(result.insideSolids).toBeGreaterThan(judge([]).insideSolids + 0.05);
  });
});

describe('links', () => {
  it('make no connection invented, and repair no lost one', () => {
    const link = { start: [4, 0, 4], end: [8, 0, 4], bothWays: true };
    const { navMesh } = buildNavMesh(rooms(0), { agent: AGENT, links: createLinks([link]) });
    expect(verifyNavMesh(rooms(0), navMesh)).toMatchObject({ lost: 0, invented: 0, places: [] });
    expect(verifyNavMesh(rooms(3), navMesh).lost).toBeGreaterThan(0.3);
  });
});

describe('ground that the bake leaves out', () => {
  const level = rooms(0);
  const holes: AreaVolume[] = [
    { type: 'box', area: 0, min: [1, -1, 1], max: [2, 1, 3] },
    { type: 'cylinder', area: 0, center: [3, -1, 6], radius: 0.8, height: 2 },
    {
      type: 'prism',
      area: 0,
      minY: -1,
      maxY: 1,
      outline: [
        [8, 2],
        [11, 2],
        [8, 5],
      ],
    },
  ];

  it('in holes is not uncovered when their volumes are given', () => {
    const { navMesh } = buildNavMesh(level, { agent: AGENT, volumes: createVolumes(holes) });
    expect(verifyNavMesh(level, navMesh).coverage).toBeLessThan(0.9);
    const { coverage, overreach, lost, sureArea } = verifyNavMesh(level, navMesh, { volumes: createVolumes(holes) });
    expect([coverage > 0.995, overreach, lost]).toEqual([true, 0, 0]);
    expect(sureArea).toBeGreaterThan(20);
  });

  it('that cannot be reached is not uncovered when points are given', () => {
    const mesh = buildNavMesh(level, { agent: AGENT, bounds: { min: [0, -1, 0], max: [6, 3, 8] } }).navMesh;
    expect(verifyNavMesh(level, mesh).coverage).toBeLessThan(0.6);
    expect(verifyNavMesh(level, mesh, { keepReachable: [[2, 0, 4]] }).coverage).toBeGreaterThan(0.995);
    expect(verifyNavMesh(level, mesh, { keepReachable: [[9, 0, 4]] }).coverage).toBe(0);
  });
});

describe('a mesh that does not belong to the level', () => {
  it('is reported from its bounds and its header', () => {
    const { level } = bakeScene('courtyard');
    const { mesh } = bakeScene('dungeon');
    const { warnings, coverage } = verifyNavMesh(level, mesh, { agent: { radius: 0.2 } });
    expect(warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(['other-agent', 'other-level']));
    expect(coverage).toBeLessThan(0.9);
  });

  it('refuses levels without area, and leaves out corners that are not finite', () => {
    const { level, mesh } = bakeScene('courtyard');
    expect(() => verifyNavMesh({ positions: [0, 0, 0, 1, 0, 0, 2, 0, 0] }, mesh)).toThrow('without area');
    expect(() => verifyNavMesh({ polygons: [] }, mesh)).toThrow('without area');
    expect(() => verifyNavMesh(level, mesh, { seeds: 1 } as never)).toThrow('options.seeds is unknown');
    expect(() => verifyNavMesh(level, mesh, { spacing: 0 })).toThrow('options.spacing is 0; must be > 0');
    const broken = { positions: [...Array.from(level.positions), NaN, 0, 0], indices: Array.from(level.indices!) };
    broken.indices.push(0, 1, level.positions.length / 3);
    const { warnings, coverage } = verifyNavMesh(broken, mesh);
    expect(warnings.map(({ code }) => code)).toEqual(['invalid-positions']);
    expect(coverage).toBeGreaterThan(0.995);
  });

  it('says how far apart the lines are when the level is too large for its cells', () => {
    const { level, mesh } = bakeScene('courtyard');
    const { spacing, warnings } = verifyNavMesh(level, mesh, { maxColumns: 1000 });
    expect(spacing).toBeGreaterThan(0.5);
    expect(warnings.map(({ code }) => code)).toContain('coarse-spacing');
  });
});

/** Adds a square polygon as a tile of its own. */
function addFloating(mesh: NavMesh, [x, y, z]: number[], side: number): void {
  addTile(mesh, {
    x: 0,
    z: 0,
    layer: 1,
    vertexCount: 4,
    polyCount: 1,
    vertices: Float64Array.of(x, y, z, x, y, z + side, x + side, y, z + side, x + side, y, z),
    polyEdgeStart: Int32Array.of(0, 4),
    polyArea: Uint8Array.of(63),
    polyFlags: Uint16Array.of(1),
    edgeVertex: Int32Array.of(0, 1, 2, 3),
    edgeNeighbor: Int32Array.of(-1, -1, -1, -1),
    polyDetailVertexStart: new Int32Array(2),
    polyDetailTriStart: new Int32Array(2),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  });
}
