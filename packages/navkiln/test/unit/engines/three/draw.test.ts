/**
 * Debug geometry as three.js objects: contents of buffers, rays that hit polygons, growing and shrinking, agents
 * between steps.
 */
import { Color, Line3, LineBasicMaterial, Object3D, PerspectiveCamera, Raycaster, Scene, Vector3 } from 'three';
import type { BufferAttribute } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { addAgent, getAgent, removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { interpolateAgentInto } from '../../../../src/agents/crowd/step.ts';
import { navMeshOutlines, navMeshTriangles } from '../../../../src/show/draw/mesh.ts';
import { levelTriangles } from '../../../../src/show/draw/level.ts';
import { pathLines } from '../../../../src/show/draw/marks.ts';
import { isOverPoly, setHeight } from '../../../../src/mesh/ground.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { createAgentObject, placeAgentObject, stepAgentObject } from '../../../../src/engines/three/agent.ts';
import { disposeDrawn, drawLines, drawMesh, polyOfHit, updateDrawn } from '../../../../src/engines/three/draw.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { advanceCharacters, interpolateCharacterInto } from '../../../../src/agents/characters/advance.ts';
import { addCharacter, createCharacters, getCharacter } from '../../../../src/agents/characters/body/characters.ts';
import { seeded } from '../../meshes.ts';
import { floor, join } from '../../build/voxel/levels.ts';

const OFFSET = 204800;
const level = join(floor(0, 0, 12, 8), floor(20, 0, 30, 8, 3), floor(4, 1, 10, 7, 4));
const far = {
  ...level,
  positions: Float64Array.from(level.positions, (value, i) => value + (i % 3 === 1 ? 0 : OFFSET)),
};
const { navMesh } = buildNavMesh(far, { tileSize: 4 });

/** Distance of a point from the outline of a polygon, seen from above. */
function findDistanceOf(mesh: NavMesh, poly: number, x: number, z: number): number {
  const from = mesh.polyEdgeStart[poly];
  const corners = Array.from({ length: mesh.polyVertexCount[poly] }, (_, k) => {
    const v = 3 * mesh.edgeVertex[from + k];
    return new Vector3(mesh.vertices[v], 0, mesh.vertices[v + 2]);
  });
  const point = new Vector3(x, 0, z);
  return Math.min(
    ...corners.map((corner, k) => {
      const edge = new Line3(corner, corners[(k + 1) % corners.length]);
      return edge.closestPointToPoint(point, true, new Vector3()).distanceTo(point);
    }),
  );
}

describe('drawn debug geometry', () => {
  it("has the geometry's vertices at its origin", () => {
    const list = navMeshTriangles(navMesh, { color: (poly) => ((poly * 0x01030507) | 0x80) >>> 0 });
    const mesh = drawMesh(list, { opacity: 0.5, name: 'ground' });
    expect(mesh.position.toArray()).toEqual(list.origin);
    expect(mesh.name).toBe('ground');
    expect(mesh.geometry.getAttribute('position').array).toEqual(list.positions);
    expect(mesh.geometry.index!.array).toEqual(list.indices);
    const color = mesh.geometry.getAttribute('color') as BufferAttribute;
    for (let v = 0; v < color.count; v += 7) {
      const wanted = new Color().setRGB(
        ...([0, 1, 2].map((k) => list.colors[4 * v + k] / 255) as [number, number, number]),
        'srgb',
      );
      [wanted.r, wanted.g, wanted.b, list.colors[4 * v + 3] / 255].forEach((value, k) =>
        expect(color.getComponent(v, k)).toBeCloseTo(value, 4),
      );
    }
    const sphere = mesh.geometry.boundingSphere!;
    const point = new Vector3();
    const position = mesh.geometry.getAttribute('position');
    for (let v = 0; v < position.count; v++) {
      expect(point.fromBufferAttribute(position, v).distanceTo(sphere.center)).toBeLessThanOrEqual(
        sphere.radius + 1e-5,
      );
    }
  });

  it('is hit by rays where the mesh has polygons', () => {
    const scene = new Scene();
    const mesh = drawMesh(navMeshTriangles(navMesh, { lift: 0 }));
    const lines = drawLines(navMeshOutlines(navMesh));
    scene.add(mesh, lines);
    scene.updateMatrixWorld();
    const ray = new Raycaster();
    const random = seeded(3);
    const polys = Array.from({ length: navMesh.polyCount }, (_, poly) => poly);
    let hits = 0;
    for (let i = 0; i < 300; i++) {
      const [x, z] = [32 * random() - 1, 10 * random() - 1];
      ray.set(new Vector3(OFFSET + x, 50, OFFSET + z), new Vector3(0, -1, 0));
      const [hit] = ray.intersectObject(mesh);
      const point = Float64Array.of(OFFSET + x, 50, OFFSET + z);
      const over = polys.filter((poly) => isOverPoly(navMesh, poly, point));
      const heights = over.map((poly) => {
        setHeight(point, navMesh, poly);
        return point[1];
      });
      const highest = heights.indexOf(Math.max(...heights));
      expect(hit === undefined ? undefined : polyOfHit(hit)).toBe(over[highest]);
      if (hit === undefined) continue;
      hits++;
      expect(hit.point.y).toBeCloseTo(heights[highest], 3);
    }
    expect(hits).toBeGreaterThan(60);
    // On the middle of each line: a polygon is hit whose outline passes there.
    const position = lines.geometry.getAttribute('position');
    ray.params.Line.threshold = 0.01;
    for (let i = 0; i < position.count; i += 2) {
      const at = new Vector3()
        .fromBufferAttribute(position, i)
        .add(new Vector3().fromBufferAttribute(position, i + 1))
        .multiplyScalar(0.5);
      at.add(lines.position).y += 0.5;
      ray.set(at, new Vector3(0, -1, 0));
      const poly = polyOfHit(ray.intersectObject(lines)[0]);
      const nearest = findDistanceOf(navMesh, poly, at.x, at.z);
      expect(nearest).toBeLessThan(0.02);
    }
    expect(polyOfHit({ object: scene })).toBe(-1);
  });

  it('is updated in place and grows when needed', () => {
    const pathOf = (n: number): number[][] => Array.from({ length: n }, (_, i) => [i, 0, i * i]);
    const lines = drawLines(pathLines(pathOf(20)));
    const { geometry } = lines;
    const disposed = vi.fn();
    geometry.addEventListener('dispose', disposed);
    const { array } = geometry.getAttribute('position');
    updateDrawn(lines, pathLines(pathOf(5)));
    expect(geometry.getAttribute('position').array).toBe(array);
    expect(geometry.drawRange).toEqual({ start: 0, count: 8 });
    expect(geometry.boundingSphere!.radius).toBeLessThan(10);
    expect((geometry.getAttribute('position') as BufferAttribute).version).toBe(2);
    expect(disposed).not.toHaveBeenCalled();
    updateDrawn(lines, pathLines([]));
    expect(geometry.drawRange.count).toBe(0);
    expect(geometry.boundingSphere!.isEmpty()).toBe(true);
    updateDrawn(lines, pathLines(pathOf(21)));
    expect(disposed).toHaveBeenCalledTimes(1);
    expect(geometry.getAttribute('position').count).toBe(57);
    updateDrawn(lines, pathLines(pathOf(28)));
    expect(disposed).toHaveBeenCalledTimes(1);

    const mesh = drawMesh(navMeshTriangles(navMesh, { slots: [0] }));
    const all = navMeshTriangles(navMesh);
    updateDrawn(mesh, all);
    expect(mesh.geometry.drawRange.count).toBe(all.indices!.length);
    expect(mesh.geometry.index!.array.slice(0, all.indices!.length)).toEqual(all.indices);
    // Without indices, and with them again.
    const slopes = levelTriangles(far);
    updateDrawn(mesh, slopes);
    expect(mesh.geometry.index).toBe(null);
    expect(mesh.geometry.drawRange.count).toBe(level.indices.length);
    updateDrawn(mesh, all);
    expect(mesh.geometry.index!.array.slice(0, all.indices!.length)).toEqual(all.indices);
    const empty = drawMesh({
      kind: 'triangles',
      positions: new Float32Array(0),
      colors: new Uint8Array(0),
      origin: [0, 0, 0],
    });
    updateDrawn(empty, all);
    expect(empty.geometry.index!.count).toBe(all.indices!.length);
  });

  it('is disposed of', () => {
    const parent = new Object3D();
    const lines = drawLines(
      pathLines([
        [0, 0, 0],
        [1, 0, 0],
      ]),
      { onTop: true },
    );
    parent.add(lines);
    const disposed = vi.fn();
    lines.geometry.addEventListener('dispose', disposed);
    lines.material.addEventListener('dispose', disposed);
    expect(lines.material).toBeInstanceOf(LineBasicMaterial);
    expect(lines.material.depthTest).toBe(false);
    disposeDrawn(lines);
    expect(disposed).toHaveBeenCalledTimes(2);
    expect(parent.children).toEqual([]);
  });

  it('keeps its kind', () => {
    const [ground, path] = [navMeshTriangles(navMesh), pathLines([])];
    expect(() => drawMesh(path)).toThrow(/^drawMesh: geometry\.kind is "lines"; must be 'triangles'$/);
    expect(() => drawLines(ground)).toThrow(/^drawLines: geometry\.kind is "triangles"; must be 'lines'$/);
    expect(() => updateDrawn(drawMesh(ground), path)).toThrow(
      /^updateDrawn: geometry\.kind is "lines"; must be 'triangles'$/,
    );
    expect(() => drawMesh(ground, { colour: 1 } as never)).toThrow(/^drawMesh: options\.colour is unknown/);
    expect(() => drawLines(path, { opacity: 2 })).toThrow(/^drawLines: options\.opacity is 2; must be a number/);
  });
});

describe('agents', () => {
  function walker(): {
    at: number[];
    looks: number[];
    isThere: boolean;
    position(out: Float64Array): boolean;
    heading(out: Float64Array): void;
  } {
    return {
      at: [1, 2, 3],
      looks: [0, 1],
      isThere: true,
      position(out) {
        out.set(this.at);
        return this.isThere;
      },
      heading(out) {
        out.set(this.looks);
      },
    };
  }
  const looking = (object: Object3D): number[] => new Vector3(0, 0, 1).applyQuaternion(object.quaternion).toArray();

  it('are placed between their last two positions', () => {
    const source = walker();
    const agent = createAgentObject(source);
    expect(agent.object.position.toArray()).toEqual([1, 2, 3]);
    source.at = [2, 2, 5];
    agent.snapDistance = 3;
    stepAgentObject(agent);
    const [old, now] = [
      [1, 2, 3],
      [2, 2, 5],
    ];
    for (const [alpha, place] of [
      [0, old],
      [0.25, [1.25, 2, 3.5]],
      [1, now],
      [1.7, now],
      [-1, old],
      [NaN, old],
    ] as const) {
      placeAgentObject(agent, alpha);
      expect(agent.object.position.toArray()).toEqual(place);
    }
  });

  it('turn to their heading along the shorter way', () => {
    const source = walker();
    const agent = createAgentObject(source);
    for (let i = 0; i < 64; i++) {
      const angle = (i * Math.PI) / 32;
      source.looks = [Math.sin(angle), Math.cos(angle)];
      stepAgentObject(agent);
      placeAgentObject(agent, 1);
      looking(agent.object).forEach((value, k) =>
        expect(value).toBeCloseTo([Math.sin(angle), 0, Math.cos(angle)][k], 6),
      );
      placeAgentObject(agent, 0.5);
      const half = i === 0 ? 0 : ((i - 0.5) * Math.PI) / 32;
      looking(agent.object).forEach((value, k) => expect(value).toBeCloseTo([Math.sin(half), 0, Math.cos(half)][k], 6));
      expect(agent.object.quaternion.length()).toBeCloseTo(1, 9);
    }
    source.looks = [-source.looks[0], -source.looks[1]];
    stepAgentObject(agent);
    placeAgentObject(agent, 0.5);
    expect(agent.object.quaternion.length()).toBeCloseTo(1, 9);
  });

  it('are bound to agents and characters, at any frame rate', () => {
    for (const fps of [30, 60, 144]) {
      const { navMesh } = buildNavMesh({
        positions: [0, 0, 0, 0, 0, 30, 30, 0, 30, 30, 0, 0],
        indices: [0, 1, 2, 0, 2, 3],
      });
      const crowd = createCrowd(navMesh);
      const characters = createCharacters(crowd);
      const guard = addAgent(crowd, [2, 0, 5], { maxTurnDegrees: 180 });
      const hero = addCharacter(characters, [2, 0, 20]);
      const objects = [
        createAgentObject((out, alpha) => interpolateAgentInto(out, crowd, guard, alpha)),
        createAgentObject((out, alpha) => interpolateCharacterInto(out, characters, hero, alpha)),
      ];
      expect(objects[0]!.object.position.x).toBeCloseTo(2, 6);
      for (const id of [guard, hero]) moveAgentTo(crowd, id, [25, 0, 12]);
      let before = objects.map(({ object }) => object.position.clone());
      for (let i = 0; i < 3 * fps; i++) {
        const alpha = advanceCharacters(characters, 1 / fps);
        for (const one of objects) placeAgentObject(one, alpha);
        // No jumps: at most what the fastest walks in a frame, and a tick's rounding.
        objects.forEach(({ object }, k) => expect(object.position.distanceTo(before[k]!)).toBeLessThan(2 / fps + 1e-6));
        before = objects.map(({ object }) => object.position.clone());
      }
      // Between the last two ticks, with the heading of the agent.
      const { position, previous } = crowd.agents;
      expect(before[0]!.x).toBeGreaterThanOrEqual(previous[0]! - 1e-9);
      expect(before[0]!.x).toBeLessThanOrEqual(position[0]! + 1e-9);
      const [x, z] = getAgent(crowd, guard)!.heading;
      expect(looking(objects[0]!.object)[0]).toBeCloseTo(x, 2);
      expect(looking(objects[0]!.object)[2]).toBeCloseTo(z, 2);
      expect(objects[1]!.drawn[5]).toBeCloseTo(getCharacter(characters, hero)!.speedFraction, 2);
      stepAgentObject(objects[0]!);
      removeAgent(crowd, guard);
      for (const one of objects) placeAgentObject(one, 1);
      expect(objects.map(({ object }) => object.visible)).toEqual([false, true]);
      // It stays where it was last seen instead of at the origin.
      expect(objects[0]!.object.position.x).toBe(before[0]!.x);
    }
  });

  it('snap over long distances, and hide when they are removed', () => {
    const source = walker();
    const camera = new PerspectiveCamera();
    const agent = createAgentObject(source, { object: camera, snapDistance: 0.5 });
    expect(agent.object).toBe(camera);
    source.at = [90, 0, 0];
    stepAgentObject(agent);
    placeAgentObject(agent, 0);
    expect(camera.position.toArray()).toEqual([90, 0, 0]);
    source.at = [90.25, 0, 0];
    // Twice: a teleport within the distance.
    stepAgentObject(agent);
    stepAgentObject(agent);
    placeAgentObject(agent, 0);
    expect(camera.position.toArray()).toEqual([90.25, 0, 0]);
    source.isThere = false;
    stepAgentObject(agent);
    expect(camera.visible).toBe(false);
    expect(() => createAgentObject({} as never)).toThrow(/^createAgentObject: source is an object; must be/);
    expect(() => createAgentObject(source, { snapDistance: -1 })).toThrow(/snapDistance is -1; must be a length >= 0/);
  });
});
