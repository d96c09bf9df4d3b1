/** Adapters of Babylon.js, PlayCanvas and Phaser: levels and maps in, debug geometry out, objects that follow agents. */
import { describe, expect, it } from 'vitest';
import { createAgentNode, placeAgentNode, stepAgentNode } from '../../../../src/engines/babylon/agent.ts';
import { drawGeometry as drawBabylon, updateDrawn as updateBabylon } from '../../../../src/engines/babylon/draw.ts';
import { levelFromMeshes } from '../../../../src/engines/babylon/level.ts';
import { addAgent, removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { advanceCrowd, interpolateAgentInto } from '../../../../src/agents/crowd/step.ts';
import { navMeshOutlines, navMeshTriangles } from '../../../../src/show/draw/mesh.ts';
import { createAgentSprite, placeAgentSprite } from '../../../../src/engines/phaser/agent.ts';
import { drawGeometry as drawPhaser } from '../../../../src/engines/phaser/draw.ts';
import { mapFromLayers } from '../../../../src/engines/phaser/map.ts';
import { createAgentEntity, placeAgentEntity } from '../../../../src/engines/playcanvas/agent.ts';
import {
  drawGeometry as drawPlayCanvas,
  updateDrawn as updatePlayCanvas,
} from '../../../../src/engines/playcanvas/draw.ts';
import { levelFromEntity } from '../../../../src/engines/playcanvas/level.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { mapToMesh } from '../../../../src/mesh/map-plane.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { babylonSquare, phaserLayer, place, playCanvasRoot } from './fakes.ts';

interface Triangles {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

/** The y of each triangle's normal times two: its area seen from above, positive when it faces up. */
function facing({ positions: p, indices }: Triangles): number[] {
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * t + k]);
    return (p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2]);
  });
}

describe('Babylon.js', () => {
  it('turns visible sides up: mirrored, of both handednesses, of other orientations', () => {
    const plain = place([2, 1, 3], [5, 1, 7]);
    const cases: [object, boolean, number[], number][] = [
      [{}, false, plain, 6],
      [{}, true, plain, 6],
      [{ subMeshes: [part({ sideOrientation: 1 })] }, false, plain, 6],
      [{ subMeshes: [part({ sideOrientation: 0 })] }, false, plain, -6],
      [{ subMeshes: [part({ sideOrientation: 0 })] }, true, plain, 6],
      [{ subMeshes: [part({ sideOrientation: null })], sideOrientation: 0 }, false, plain, -6],
      [{ subMeshes: [part({ cullBackFaces: false })] }, false, plain, -6],
      [{}, false, place([2, 1, -3], [5, 1, 7]), 6],
      // The root of a loaded glTF mirrors z in left-handed scenes; its materials are clockwise and its triangles the reverse.
      [{ subMeshes: [part({ sideOrientation: 0 })] }, false, place([2, 1, -3], [5, 1, 7]), -6],
    ];
    for (const [more, rightHanded, matrix, wanted] of cases) {
      const level = levelFromMeshes([babylonSquare('floor', matrix, more, rightHanded)]);
      expect(facing(level)).toEqual([wanted, wanted]);
      expect(level.report).toMatchObject({ triangleCount: 2, instanceCount: 1, warnings: [] });
    }
  });

  it('reads thin instances, areas and two-sided materials, and leaves out what is not drawn', () => {
    const thin = {
      hasThinInstances: true,
      thinInstanceGetWorldMatrices: () => [{ m: place([1, 1, 1], [10, 0, 0]) }, { m: place([1, 1, 1], [0, 0, 20]) }],
    };
    const detail = babylonSquare('far', place([1, 1, 1], [0, 0, 0]));
    const meshes = [
      babylonSquare('thin', place([2, 2, 2], [1, 1, 1]), thin),
      babylonSquare('glass', place([1, 1, 1], [0, 5, 0]), { subMeshes: [part({ backFaceCulling: false })] }),
      babylonSquare('hidden', place([1, 1, 1], [0, 0, 0]), { isVisible: false }),
      babylonSquare('off', place([1, 1, 1], [0, 0, 0]), { isEnabled: () => false }),
      babylonSquare('lines', place([1, 1, 1], [0, 0, 0]), { getClassName: () => 'LinesMesh' }),
      babylonSquare('near', place([1, 1, 1], [0, 9, 0]), { getLODLevels: () => [{ mesh: detail }] }),
      detail,
      babylonSquare('flat', place([0, 0, 1], [0, 0, 0])),
    ];
    const level = levelFromMeshes(meshes, {
      areaOf: (mesh: { name: string }) => (mesh.name === 'glass' ? 7 : 63),
    } as never);
    expect(level.report.parts.map(({ object }) => (object as { name: string }).name)).toEqual([
      'thin',
      'glass',
      'near',
    ]);
    expect(level.report.warnings).toMatchObject([
      { code: 'two-sided', count: 2 },
      { code: 'singular-transform', count: 1 },
    ]);
    expect([...level.areas!]).toEqual([63, 63, 63, 63, 7, 7, 63, 63]);
    expect([...level.twoSided!]).toEqual([0, 0, 0, 0, 1, 1, 0, 0]);
    // The instance is placed first, then its mesh.
    expect([...level.positions.subarray(0, 3)]).toEqual([21, 1, 1]);
    expect([...level.positions.subarray(12, 15)]).toEqual([1, 1, 41]);
    expect(() => levelFromMeshes([null as never])).toThrow(/^levelFromMeshes: meshes\[0\] is null; must be a mesh/);
    expect(() => levelFromMeshes(meshes, { areaOf: () => 64 })).toThrow(
      /areaOf of "thin" is 64; must be a whole number/,
    );
  });

  it('draws triangles and lines at their origin, and replaces them', () => {
    const { navMesh } = buildNavMesh(levelFromMeshes([babylonSquare('floor', place([12, 1, 12], [50_000, 0, 0]))]));
    const applied: { kind: string; data: { positions: Float32Array; indices: Uint32Array; colors: Float32Array } }[] =
      [];
    const drawn = (kind: string) =>
      class {
        kind = kind;
        position = { at: [0, 0, 0], set: (...at: [number, number, number]) => void (this.position.at = at) };
        isPickable = true;
        hasVertexAlpha = false;
        renderingGroupId = 0;
        material: unknown;
      };
    const babylon = {
      Mesh: drawn('mesh'),
      LinesMesh: drawn('lines'),
      VertexData: class {
        positions: unknown;
        indices: unknown;
        colors: unknown;
        applyToMesh(mesh: { kind: string }): void {
          applied.push({ kind: mesh.kind, data: this as never });
        }
      },
      StandardMaterial: class {
        emissiveColor = { set: () => {} };
      },
    } as never as Parameters<typeof drawBabylon<object, never>>[0];
    const surface = navMeshTriangles(navMesh);
    const mesh = drawBabylon(babylon, {}, surface) as { position: { at: number[] } };
    expect(mesh.position.at).toEqual(surface.origin);
    expect(surface.origin[0]).toBeGreaterThan(40_000);
    const lines = navMeshOutlines(navMesh);
    const outline = drawBabylon(babylon, {}, lines, { onTop: true, opacity: 0.5 }) as { renderingGroupId: number };
    expect(outline.renderingGroupId).toBe(1);
    updateBabylon(babylon, mesh as never, surface);
    expect(applied.map(({ kind }) => kind)).toEqual(['mesh', 'lines', 'mesh']);
    expect(applied[0]!.data.colors[3]).toBeCloseTo(surface.colors[3]! / 255, 6);
    expect(applied[1]!.data.indices.length).toBe(lines.positions.length / 3);
    expect(() => drawBabylon(babylon, {}, surface, { onTop: 1 as never })).toThrow(/options\.onTop is 1; must be true/);
  });

  it('places a node between the ticks of its agent', () => {
    const seen: number[][] = [];
    const node = {
      position: { set: (...at: number[]) => void seen.push(at) },
      setEnabled: (value: boolean) => void seen.push([Number(value)]),
      setDirection: ({ x, y, z }: { x: number; y: number; z: number }) => void seen.push([x, y, z]),
    };
    const at = [1, 2, 3];
    const bound = createAgentNode({ position: (out) => out.set(at), heading: (out) => out.set([1, 0]) }, node as never);
    at[0] = 2;
    stepAgentNode(bound);
    seen.length = 0;
    placeAgentNode(bound, 0.25);
    expect(seen).toEqual([[1], [1.25, 2, 3], [1, 0, 0]]);
    expect(() => createAgentNode(() => true, {} as never)).toThrow(/^createAgentNode: node is an object; must be/);
  });
});

describe('PlayCanvas', () => {
  it('reads mesh instances of components: culling, mirrors, visibility', () => {
    const root = playCanvasRoot([
      { matrix: place([2, 1, 3], [5, 1, 7]) },
      { matrix: place([-2, 1, 3], [5, 1, 7]) },
      { matrix: place([2, 1, 3], [5, 1, 7]), cull: 2 },
      { matrix: place([2, 1, 3], [5, 1, 7]), cull: 0 },
      { matrix: place([2, 1, 3], [5, 1, 7]), visible: false },
    ]);
    const level = levelFromEntity(root);
    expect(facing(level)).toEqual([6, 6, 6, 6, -6, -6, 6, 6]);
    expect([...level.twoSided!]).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
    expect(levelFromEntity(root, { includeInvisible: true }).report.triangleCount).toBe(10);
    expect(levelFromEntity(root, { filter: () => false }).report.warnings).toMatchObject([{ code: 'no-triangles' }]);
    expect(() => levelFromEntity({} as never)).toThrow(/^levelFromEntity: root is an object; must be an Entity/);
  });

  it('draws triangles, lines and nothing', () => {
    const { navMesh } = buildNavMesh(levelFromEntity(playCanvasRoot([{ matrix: place([12, 1, 12], [0, 0, 0]) }])));
    const updates: [number, number, number][] = [];
    class Mesh {
      positions: ArrayLike<number> = [];
      indices: ArrayLike<number> = [];
      clear(): void {}
      setPositions(values: ArrayLike<number>): void {
        this.positions = values;
      }
      setColors32(): void {}
      setIndices(values: ArrayLike<number>): void {
        this.indices = values;
      }
      update(primitive: number): void {
        updates.push([primitive, this.positions.length, this.indices.length]);
      }
    }
    class Entity {
      render: { meshInstances: { mesh: Mesh }[] } | undefined;
      setPosition(): void {}
      addComponent(_type: string, data: { meshInstances: { mesh: Mesh }[] }): void {
        this.render = data;
      }
    }
    const MeshInstance = class {
      mesh: Mesh;
      constructor(mesh: Mesh) {
        this.mesh = mesh;
      }
    };
    const StandardMaterial = class {
      emissive = { set: (): void => {} };
      diffuse = { set: (): void => {} };
      update(): void {}
    };
    const pc = { Entity, Mesh, MeshInstance, StandardMaterial } as never as Parameters<
      typeof drawPlayCanvas<Entity, object>
    >[0];
    const surface = navMeshTriangles(navMesh);
    const lines = navMeshOutlines(navMesh);
    drawPlayCanvas(pc, {}, surface);
    const entity = drawPlayCanvas(pc, {}, lines, { opacity: 0.5 });
    updatePlayCanvas(entity, { ...lines, positions: new Float32Array(0), colors: new Uint8Array(0) });
    expect(updates).toEqual([
      [4, surface.positions.length, surface.indices!.length],
      [1, lines.positions.length, lines.positions.length / 3],
      [1, 9, 3],
    ]);
    expect(() => updatePlayCanvas({} as never, lines)).toThrow(
      /^updateDrawn: entity is an object; must be an entity of/,
    );
  });

  it('turns an entity along its heading', () => {
    let rotation: number[] = [];
    const entity = {
      enabled: true,
      setPosition: () => {},
      setRotation: (...values: number[]) => void (rotation = values),
    };
    const bound = createAgentEntity((out) => {
      out.set([0, 0, 0, -1, 0]);
      return true;
    }, entity);
    placeAgentEntity(bound, 1);
    // +z turned by -90 degrees about y points along -x.
    const [x, y, z, w] = rotation as [number, number, number, number];
    expect(
      [x, z, 2 * (y * w), 1 - 2 * y * y].map((value) => value.toFixed(9).replace('-0.000000000', '0.000000000')),
    ).toEqual(['0.000000000', '0.000000000', '-1.000000000', '0.000000000']);
  });
});

describe('Phaser', () => {
  const rows = ['oooooooo', 'ooo##ooo', 'ooo## oo', 'oooooooo'];

  it('reads collisions of layers as a map in world pixels', () => {
    const map = mapFromLayers([phaserLayer(rows), phaserLayer(rows.map((row) => row.replace('o', '#')))]);
    const { navMesh } = buildFromPolygons(map);
    // The second layer blocks the first column, too.
    expect(map.yAxis).toBe('down');
    const area = (ring: number[][]): number =>
      Math.abs(ring.reduce((sum, [x, y], i) => sum + x! * ring.at(i - 1)![1]! - ring.at(i - 1)![0]! * y!, 0) / 2);
    const [{ outline, holes }] = map.polygons as unknown as [{ outline: number[][]; holes: number[][][] }];
    expect(area(outline) - holes.reduce((sum, ring) => sum + area(ring), 0)).toBe((7 * 4 - 4) * 256);
    expect(findPath2d(navMesh, [24, 40], [120, 40])).toMatchObject({ status: 'complete' });
    const moved = mapFromLayers([phaserLayer(rows, { x: 100, y: 10, scaleX: 2, scaleY: 0.5 })]);
    const xs = (moved.polygons[0]!.outline as [number, number][]).map(([x]) => x);
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([100, 100 + 8 * 32]);
    const every = mapFromLayers([phaserLayer(rows)], { isBlocked: () => true });
    expect(every.polygons.length).toBe(1);
    expect(() => mapFromLayers([])).toThrow(/^mapFromLayers: layers is \[\]; must be one layer or more/);
    expect(() => mapFromLayers([phaserLayer(rows), phaserLayer(rows, { x: 1 })])).toThrow(/layers\[1\] is "1 0/);
    const isometric = phaserLayer(rows) as { layer: { orientation: unknown } };
    isometric.layer.orientation = 1;
    expect(() => mapFromLayers([isometric as never])).toThrow(/orientation is 1; must be orthogonal/);
  });

  it('draws on a Graphics in pixels of the map, whichever way its y points', () => {
    for (const yAxis of ['up', 'down'] as const) {
      const { navMesh } = buildFromPolygons({
        polygons: [
          {
            outline: [
              [10, 20],
              [90, 20],
              [90, 70],
              [10, 70],
            ],
          },
        ],
        yAxis,
      });
      const xs: number[] = [];
      const ys: number[] = [];
      let lines = 0;
      const graphics = {
        fillStyle: () => {},
        lineStyle: () => {},
        fillTriangle: (...at: number[]) => at.forEach((value, i) => (i % 2 === 0 ? xs : ys).push(value)),
        lineBetween: () => void lines++,
      };
      drawPhaser(graphics, navMesh, navMeshTriangles(navMesh));
      drawPhaser(graphics, navMesh, navMeshOutlines(navMesh), { lineWidth: 2 });
      expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]).toEqual([10, 90, 20, 70]);
      expect(lines).toBeGreaterThanOrEqual(4);
      expect(() => drawPhaser(graphics, navMesh, navMeshTriangles(navMesh), { lineWidth: 0 })).toThrow(
        /lineWidth is 0/,
      );
    }
  });

  it('moves and turns a sprite with its agent, and hides it after its removal', () => {
    const { navMesh } = buildFromPolygons({
      polygons: [
        {
          outline: [
            [0, 0],
            [200, 0],
            [200, 100],
            [0, 100],
          ],
        },
      ],
      yAxis: 'down',
    });
    const crowd = createCrowd(navMesh);
    const agent = addAgent(crowd, mapToMesh(navMesh, [20, 20]), { radius: 6, maxSpeed: 60, maxAcceleration: 200 });
    moveAgentTo(crowd, agent, mapToMesh(navMesh, [20, 90]));
    const sprite = {
      rotation: 0,
      at: [0, 0],
      isVisible: true,
      setPosition(...at: [number, number]) {
        this.at = at;
      },
      setVisible(value: boolean) {
        this.isVisible = value;
      },
    };
    const bound = createAgentSprite(navMesh, (out, alpha) => interpolateAgentInto(out, crowd, agent, alpha), sprite);
    expect(sprite.at).toEqual([20, 20]);
    for (let i = 0; i < 60; i++) placeAgentSprite(bound, advanceCrowd(crowd, 1 / 60));
    // Down the screen is a turn of 90 degrees clockwise, which Phaser counts as positive.
    expect(sprite.at[1]).toBeGreaterThan(40);
    expect(sprite.rotation).toBeCloseTo(Math.PI / 2, 3);
    removeAgent(crowd, agent);
    placeAgentSprite(bound, advanceCrowd(crowd, 1 / 60));
    expect(sprite.isVisible).toBe(false);
  });
});

/** A submesh of the square whose material has these fields. */
function part(material: object): object {
  return {
    indexStart: 0,
    indexCount: 6,
    getMaterial: () => ({ backFaceCulling: true, sideOrientation: null, ...material }),
  };
}
