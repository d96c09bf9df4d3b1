/**
 * Levels from three.js scenes, compared corner by corner with three's own functions: `getX` … `applyMatrix4` on each,
 * object by object.
 */
import {
  BackSide,
  BatchedMesh,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Float16BufferAttribute,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  InterleavedBuffer,
  GLBufferAttribute,
  InterleavedBufferAttribute,
  Line,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Points,
  Quaternion,
  SkinnedMesh,
  SphereGeometry,
  Vector3,
} from 'three';
import type { Material, Object3D } from 'three';
import { describe, expect, it } from 'vitest';
import { resolveTwoSided } from '../../../../src/base/data/sides.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { findIslands } from '../../../../src/query/islands.ts';
import { levelFromObject3D } from '../../../../src/engines/three/level.ts';
import type { LevelFromObjectOptions, ObjectLevel } from '../../../../src/engines/three/level.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { createWorld } from '../../../../src/world/levels/create.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { seeded } from '../../meshes.ts';

/** Corners of each triangle, nine numbers. */
function trianglesOf({ positions, indices }: Pick<ObjectLevel, 'positions' | 'indices'>): number[][] {
  const out: number[][] = [];
  for (let i = 0; i < indices.length; i += 3) {
    out.push([0, 1, 2].flatMap((k) => [...positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3)]));
  }
  return out;
}

/** The triangles of a mesh under a matrix, computed by three. */
function expected(mesh: Mesh, matrix: Matrix4, from = 0, count = Infinity): number[][] {
  const { geometry } = mesh;
  const position = geometry.getAttribute('position');
  const total = geometry.index?.count ?? position.count;
  const out: number[][] = [];
  const material = mesh.material as Material;
  const turn = matrix.determinant() < 0 !== (material.side === BackSide);
  for (let i = from; i + 2 < Math.min(total, from + count); i += 3) {
    const corners = (turn ? [0, 2, 1] : [0, 1, 2]).map((k) => {
      const v = geometry.index === null ? i + k : geometry.index.getX(i + k);
      return new Vector3(position.getX(v), position.getY(v), position.getZ(v)).applyMatrix4(matrix).toArray();
    });
    out.push(corners.flat());
  }
  return out;
}

function close(ours: number[][], theirs: number[][]): void {
  expect(ours.length).toBe(theirs.length);
  let worst = 0;
  ours.forEach((triangle, t) =>
    triangle.forEach((value, k) => {
      const off = Math.abs(value - theirs[t][k]) / (1 + Math.abs(value));
      if (!(off <= worst)) worst = off;
    }),
  );
  expect(worst).toBeLessThan(1e-9);
}

const material = new MeshBasicMaterial();
const codes = (level: ObjectLevel): string[] => level.report.warnings.map(({ code }) => code);

function randomMatrix(random: () => number, far = 10): Matrix4 {
  const about = (size: number): number => size * (random() - 0.5);
  const q = new Quaternion(about(1), about(1), about(1), about(1) + 0.01).normalize();
  return new Matrix4().compose(
    new Vector3(about(far), about(far), about(far)),
    q,
    new Vector3(about(4) + 0.1, about(4) + 0.1, about(4) + 0.1),
  );
}

function put<T extends Object3D>(object: T, matrix: Matrix4): T {
  matrix.decompose(object.position, object.quaternion, object.scale);
  return object;
}

/** Geometries of every kind of attribute. */
function geometryOf(kind: number, random: () => number): BufferGeometry {
  const box = new BoxGeometry(1 + random(), 1 + random(), 1 + random(), 2, 1, 3);
  if (kind === 0) return box;
  if (kind === 1) return box.toNonIndexed();
  const position = box.getAttribute('position') as BufferAttribute;
  if (kind === 2) {
    const data = new Float32Array(8 * position.count);
    for (let i = 0; i < position.count; i++)
      data.set([9, position.getX(i), position.getY(i), position.getZ(i), 9, 9, 9, 9], 8 * i);
    return box.setAttribute('position', new InterleavedBufferAttribute(new InterleavedBuffer(data, 8), 3, 1));
  }
  if (kind === 3)
    return box.setAttribute(
      'position',
      new BufferAttribute(
        Int16Array.from(position.array, (value) => value * 16000),
        3,
        true,
      ),
    );
  if (kind === 4) {
    const halves = Uint16Array.from(position.array, () => 0x3000 + 0x800 * random());
    return box.setAttribute('position', new Float16BufferAttribute(halves, 3));
  }
  const data = new Int8Array(8 * position.count).map(() => 256 * random() - 128);
  return box.setAttribute('position', new InterleavedBufferAttribute(new InterleavedBuffer(data, 8), 3, 4, true));
}

describe('triangles', () => {
  it.each([1, 2, 3, 4])('equal those that three draws in random scenes, seed %i', (seed) => {
    const random = seeded(seed);
    const root = put(new Group(), randomMatrix(random));
    const nodes: Object3D[] = [root];
    const theirs: { mesh: Mesh; local: Matrix4[] }[] = [];
    for (let i = 0; i < 40; i++) {
      const parent = nodes[Math.floor(random() * nodes.length)];
      const geometry = geometryOf(i % 6, random);
      const side = random() < 0.2 ? BackSide : undefined;
      const own = side === undefined ? material : new MeshBasicMaterial({ side });
      let mesh: Mesh = new Mesh(geometry, own);
      let local = [new Matrix4()];
      if (i % 5 === 0) {
        local = Array.from({ length: 5 }, () => randomMatrix(random));
        const instances = new InstancedMesh(geometry, own, 8);
        instances.count = 5;
        local.forEach((matrix, k) => {
          instances.setMatrixAt(k, matrix);
          // As it is kept, in float32.
          instances.getMatrixAt(k, matrix);
        });
        mesh = instances;
      }
      put(mesh, randomMatrix(random));
      parent.add(mesh);
      nodes.push(mesh);
      theirs.push({ mesh, local });
    }
    const level = levelFromObject3D(root);
    expect(level.report.warnings).toEqual([]);
    const ours = trianglesOf(level);
    let triangles = 0;
    for (const { object, triangleStart, triangleCount } of level.report.parts) {
      const { mesh, local } = theirs.find((one) => one.mesh === object)!;
      const all = local.flatMap((matrix) => expected(mesh, matrix.clone().premultiply(mesh.matrixWorld)));
      close(ours.slice(triangleStart, triangleStart + triangleCount), all);
      triangles += triangleCount;
    }
    expect(level.report.parts.length).toBe(40);
    expect(triangles).toBe(ours.length);
    expect(level.report).toMatchObject({ triangleCount: ours.length, instanceCount: 32 + 8 * 5 });
    expect(level.positions).toBeInstanceOf(Float64Array);
  });

  it('keep their precision 10,000 km from the origin', () => {
    const mesh = new Mesh(new PlaneGeometry(1, 1), material);
    mesh.position.set(1e7 + 0.125, 3, -1e7 - 0.25);
    const { positions } = levelFromObject3D(mesh);
    expect([...positions.subarray(0, 3)]).toEqual([1e7 + 0.125 - 0.5, 3.5, -1e7 - 0.25]);
  });

  it('respect groups, draw ranges, invisible objects and materials', () => {
    const box = new BoxGeometry(1, 1, 1);
    const hidden = new MeshBasicMaterial({ visible: false });
    const sides = new Mesh(box, [material, hidden, material, material, material, undefined as never]);
    expect(levelFromObject3D(sides).report.triangleCount).toBe(8);
    expect(levelFromObject3D(sides, { includeInvisible: true }).report.triangleCount).toBe(10);
    close(trianglesOf(levelFromObject3D(sides)).slice(0, 2), expected(new Mesh(box, material), new Matrix4(), 0, 6));

    const part = new BoxGeometry(1, 1, 1);
    part.setDrawRange(6, 12);
    close(
      trianglesOf(levelFromObject3D(new Mesh(part, material))),
      expected(new Mesh(part, material), new Matrix4(), 6, 12),
    );
    expect(levelFromObject3D(new Mesh(part, material)).positions.length).toBe(3 * 8);
    expect(
      levelFromObject3D(new Mesh(part, [material, material, material, material, material, material])).report
        .triangleCount,
    ).toBe(4);

    const root = new Group();
    const off = new Group();
    off.visible = false;
    off.add(new Mesh(box, material));
    root.add(off, new Mesh(box, hidden), new Line(box), new Points(box));
    expect(levelFromObject3D(root).report.triangleCount).toBe(0);
    expect(codes(levelFromObject3D(root))).toEqual(['no-triangles']);
    expect(levelFromObject3D(off).report.triangleCount).toBe(12);
    expect(levelFromObject3D(root, { includeInvisible: true }).report.triangleCount).toBe(24);
  });

  it('include visible instances of batches', () => {
    const batch = new BatchedMesh(6, 200, 400, material);
    const box = batch.addGeometry(new BoxGeometry(1, 2, 1));
    const ball = batch.addGeometry(new SphereGeometry(1, 4, 3));
    const random = seeded(8);
    const ids = [box, ball, box, ball].map((geometry) => batch.addInstance(geometry));
    const matrices = ids.map((id) => {
      const matrix = randomMatrix(random);
      batch.setMatrixAt(id, matrix);
      batch.getMatrixAt(id, matrix);
      return matrix;
    });
    batch.deleteInstance(ids[1]);
    batch.setVisibleAt(ids[2], false);
    put(batch, randomMatrix(random));
    const level = levelFromObject3D(batch);
    const { index } = batch.geometry;
    const theirs = [
      [0, box],
      [3, ball],
    ].flatMap(([at, geometry]) => {
      const range = batch.getGeometryRangeAt(geometry!)!;
      expect(index).not.toBe(null);
      return expected(batch, matrices[at!].clone().premultiply(batch.matrixWorld), range.start, range.count);
    });
    close(trianglesOf(level), theirs);
    expect(level.report.instanceCount).toBe(2);
    expect(levelFromObject3D(batch, { includeInvisible: true }).report.instanceCount).toBe(3);
  });

  it('include the most detailed level of a LOD', () => {
    const lod = new LOD();
    lod
      .addLevel(new Mesh(new SphereGeometry(1, 8, 8), material), 0)
      .addLevel(new Mesh(new BoxGeometry(), material), 50);
    lod.levels[0].object.visible = false;
    expect(levelFromObject3D(lod).report.parts.map(({ object }) => object)).toEqual([lod.levels[0].object]);
  });

  it('include skinned and morphed meshes at rest, with a warning', () => {
    const geometry = new BoxGeometry();
    const count = geometry.getAttribute('position').count;
    geometry.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(4 * count), 4));
    geometry.setAttribute('skinWeight', new BufferAttribute(new Float32Array(4 * count).fill(0.25), 4));
    const skinned = new SkinnedMesh(geometry, material);
    skinned.name = 'Knight';
    skinned.position.x = 4;
    const morphed = new Mesh(new BoxGeometry(), material);
    morphed.geometry.morphAttributes.position = [new BufferAttribute(new Float32Array(3 * count), 3)];
    const root = new Group().add(skinned, morphed);
    const level = levelFromObject3D(root);
    close(
      trianglesOf(level),
      [skinned, morphed].flatMap((mesh) => expected(mesh, mesh.matrixWorld)),
    );
    expect(level.report.warnings).toEqual([
      { code: 'skinned-mesh', count: 1, message: '"Knight": skinned; in bind pose' },
      { code: 'morphed-mesh', count: 1, message: `Mesh ${morphed.id}: morphed; at rest` },
    ]);
  });

  it('respect a filter and areas', () => {
    const root = new Group();
    const [ground, water, player] = ['ground', 'water', 'player'].map((name) => {
      const mesh = new Mesh(new PlaneGeometry(), material);
      mesh.name = name;
      root.add(mesh);
      return mesh;
    });
    player!.add(new Mesh(new BoxGeometry(), material));
    const options: LevelFromObjectOptions = {
      filter: (object) => object.name !== 'player',
      areaOf: (mesh) => (mesh.name === 'water' ? 7 : 63),
    };
    const level = levelFromObject3D(root, options);
    expect([...level.areas!]).toEqual([63, 63, 7, 7]);
    expect(level.report.parts.map(({ object }) => object)).toEqual([ground, water]);
    expect(levelFromObject3D(root).areas).toBe(undefined);
    const message = /^levelFromObject3D: areaOf of "ground" is 64; must be a whole number, 0 .. 63$/;
    expect(() => levelFromObject3D(root, { areaOf: () => 64 })).toThrow(message);
  });
});

describe('double-sided materials', () => {
  const twoSided = new MeshBasicMaterial({ side: DoubleSide });
  /** A floor of 4 x 4 that faces up, or down. */
  const floorMesh = (own: MeshBasicMaterial, isDown: boolean): Mesh => {
    const mesh = new Mesh(new PlaneGeometry(4, 4), own);
    mesh.rotation.x = isDown ? Math.PI / 2 : -Math.PI / 2;
    return mesh;
  };

  it('count from both sides; 35 mirrored floors that face down are one island', () => {
    const root = new Group();
    for (let i = 0; i < 35; i++) {
      const mesh = floorMesh(twoSided, true);
      mesh.scale.x = -1;
      mesh.position.set(4 * (i % 7), 0, 4 * Math.floor(i / 7));
      root.add(mesh);
    }
    const level = levelFromObject3D(root);
    expect([...new Set(level.twoSided)]).toEqual([1]);
    const { navMesh, report } = buildNavMesh(level);
    expect(report.warnings).toEqual([]);
    const area = findIslands(navMesh).islands.map((island) => island.area);
    expect(area).toHaveLength(1);
    expect(area[0]).toBeGreaterThan(26 * 18);
    const { twoSided: _, ...oneSided } = level;
    expect(buildNavMesh(oneSided).report.warnings.map(({ code }) => code)).toContain('no-walkable-triangles');
  });

  it('are reported, and those of solids count from the front only after resolveTwoSided', () => {
    const root = new Group();
    const block = new Mesh(new BoxGeometry(10, 4, 10), twoSided);
    block.name = 'block';
    const down = floorMesh(twoSided, true);
    down.position.x = 20;
    root.add(block, down, floorMesh(material, false));
    const given = levelFromObject3D(root);
    expect([...given.twoSided!]).toEqual([...new Array<number>(14).fill(1), 0, 0]);
    expect(given.report.warnings).toMatchObject([{ code: 'two-sided', count: 14 }]);
    expect(given.report.warnings[0]!.message).toMatch(/^"block", Mesh \d+: .*resolveTwoSided/);
    const { twoSided: marks, sides } = resolveTwoSided(given);
    expect([...marks!]).toEqual([...new Array<number>(12).fill(0), 1, 1, 0, 0]);
    expect(sides).toMatchObject({ partCount: 2, oneSidedCount: 1, keptDownArea: 100 });
    expect(sides!.turnedUpArea).toBeCloseTo(16, 9);
  });

  it('are marked by triangle, and absent when no material is two-sided', () => {
    const root = new Group();
    const down = floorMesh(twoSided, true);
    down.position.x = 9;
    root.add(floorMesh(material, false), down);
    const batch = new BatchedMesh(4, 100, 200, twoSided);
    batch.addInstance(batch.addGeometry(new PlaneGeometry()));
    root.add(batch);
    expect([...levelFromObject3D(root).twoSided!]).toEqual([0, 0, 1, 1, 1, 1]);
    expect('twoSided' in levelFromObject3D(floorMesh(material, true))).toBe(false);
  });
});

describe('transforms with a scale of 0', () => {
  const unitFloor = (): BufferGeometry => {
    const corners = [-0.5, 0, -0.5, -0.5, 0, 0.5, 0.5, 0, 0.5, 0.5, 0, -0.5];
    const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(corners, 3));
    return geometry.setIndex([0, 1, 2, 0, 2, 3]);
  };

  it('keep a flat floor scaled by [50, 0, 50]', () => {
    const wanted = new Mesh(unitFloor(), material);
    wanted.scale.set(50, 1, 50);
    const flat = new Mesh(unitFloor(), material);
    flat.scale.set(50, 0, 50);
    const level = levelFromObject3D(flat);
    expect(level.report.warnings).toEqual([]);
    expect(level).toMatchObject({ indices: levelFromObject3D(wanted).indices });
    const { navMesh } = buildNavMesh(level);
    expect(saveNavMesh(navMesh)).toEqual(saveNavMesh(buildNavMesh(levelFromObject3D(wanted)).navMesh));
    expect(navMesh.polyCount).toBeGreaterThan(0);
  });

  it('draw what three draws: a flattened solid keeps its top, of instances and children, too', () => {
    const group = new Group();
    group.scale.set(10, 0, 10);
    const crate = new Mesh(new BoxGeometry(), material);
    crate.rotation.y = 0.3;
    const instances = new InstancedMesh(new BoxGeometry(), material, 1);
    instances.setMatrixAt(0, new Matrix4().makeScale(1, 0, 1).setPosition(2, 0, 0));
    group.add(crate, instances);
    const level = levelFromObject3D(group);
    expect(level.report.warnings).toEqual([]);
    const place = new Matrix4();
    instances.getMatrixAt(0, place);
    const drawn = [
      ...expected(crate, crate.matrixWorld),
      ...expected(instances, place.premultiply(instances.matrixWorld)),
    ];
    close(trianglesOf(level), drawn);
    const { navMesh, report } = buildNavMesh(level);
    expect(navMesh.polyCount).toBeGreaterThan(0);
    expect(report.warnings.map(({ code }) => code)).toEqual(['degenerate-triangles']);
  });
});

describe('invalid input', () => {
  it('is left out with a warning that names it', () => {
    const root = new Group();
    const names = ['flat', 'flat too', 'nowhere', 'child'];
    const [flat, two, nowhere, child] = names.map((name) =>
      Object.assign(new Mesh(new BoxGeometry(), material), { name }),
    );
    flat!.scale.set(1, 0, 0);
    flat!.add(child!);
    two!.scale.set(0, 0, 0);
    nowhere!.position.x = NaN;
    const gpu = Object.assign(new Mesh(new BufferGeometry(), material), { name: 'gpu' });
    gpu.geometry.setAttribute('position', new GLBufferAttribute(1 as never, 5126, 3, 4, 9) as never);
    const none = Object.assign(new Mesh(new BufferGeometry(), material), { name: 'none' });
    const broken = Object.assign(new Mesh(new PlaneGeometry(), material), { name: 'broken' });
    broken.geometry.setIndex([0, 1, 2, 1, 2, 99]);
    const instances = Object.assign(new InstancedMesh(new BoxGeometry(), material, 2), { name: 'instances' });
    instances.setMatrixAt(0, new Matrix4());
    instances.setMatrixAt(1, new Matrix4().makeScale(0, 1, 0));
    root.add(flat!, two!, nowhere!, gpu, none, broken, instances, new Mesh(new BoxGeometry(), material));
    const level = levelFromObject3D(root);
    expect(level.report.triangleCount).toBe(1 + 12 + 12);
    expect(level.report.warnings).toEqual([
      {
        code: 'singular-transform',
        count: 5,
        message: '"flat", "child", "flat too", and others: left out: transform not finite or flat',
      },
      {
        code: 'no-positions',
        count: 2,
        message: '"gpu", "none": left out: keep positions in arrays',
      },
      {
        code: 'invalid-indices',
        count: 1,
        message: expect.stringMatching(/^"broken": left out: indices out of range/),
      },
    ]);
    expect(buildNavMesh(level).report.warnings.map(({ code }) => code)).not.toContain('invalid-positions');
  });

  it('is refused when it is no Object3D', () => {
    expect(() => levelFromObject3D({} as never)).toThrow(/^levelFromObject3D: root is an object; must be an Object3D/);
    expect(() => levelFromObject3D(undefined as never)).toThrow(TypeError);
    expect(() => levelFromObject3D(new Group(), { filters: [] } as never)).toThrow(
      /^levelFromObject3D: options\.filters/,
    );
  });
});

it('a level can be baked, and moved in a level set', () => {
  const ground = new Mesh(new PlaneGeometry(20, 20).rotateX(-Math.PI / 2), material);
  const scene = new Group().add(ground);
  // Mirrored, with the upper side still up.
  scene.scale.x = -1;
  const level = levelFromObject3D(scene);
  expect(buildNavMesh(level).report.counts.polygons).toBeGreaterThan(0);
  const set = createWorld({ tileSize: 8 });
  addLevel(set, level, { matrix: new Matrix4().makeTranslation(5, 0, 5).elements });
  expect(updateWorld(set).navMesh.polyCount).toBeGreaterThan(3);
});
