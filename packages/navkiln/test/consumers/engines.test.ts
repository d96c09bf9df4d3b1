/**
 * The adapters with the real engines, in Node: random scenes of Babylon.js and PlayCanvas as levels, and programs that a compiler checks
 * with the engines' own types. `NAVKILN_ENGINES` is the folder of an npm project with the engines (`npm run soak -- consumers`
 * installs one); without it, the tests are skipped. Pages that the engines draw are those of the examples.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { levelFromMeshes } from '../../src/engines/babylon/level.ts';
import { levelFromEntity } from '../../src/engines/playcanvas/level.ts';
import { seeded } from '../unit/meshes.ts';
import { createConsumer, npm, packLibrary, typeCheck } from './consumer.ts';

const ENGINES = process.env['NAVKILN_ENGINES'];
const SEED = Number(process.env['NAVKILN_SEED'] ?? 21);
const SCENES = 40;

// Engines are installed for this test only, so their types are not known here.
// oxlint-disable-next-line typescript/no-explicit-any
type Engine = any;
/** Imports a package as a module of the folder does: `require` would resolve to other files. */
async function load(name: string): Promise<Engine> {
  const file = join(ENGINES!, `load-${name.replace(/\W/g, '-')}.mjs`);
  writeFileSync(file, `export * from '${name}';\n`);
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

interface Level {
  positions: Float64Array;
  indices: Uint32Array;
  report: { parts: { object: Engine; triangleStart: number; triangleCount: number }[] };
}

/** Six times the volume that the triangles of a part enclose: positive when they face outward. */
function volumeOf({ positions: p, indices }: Level, start: number, count: number): number {
  let sum = 0;
  for (let t = start; t < start + count; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * t + k]!) as [number, number, number];
    sum += p[a]! * (p[b + 1]! * p[c + 2]! - p[b + 2]! * p[c + 1]!);
    sum += p[a + 1]! * (p[b + 2]! * p[c]! - p[b]! * p[c + 2]!);
    sum += p[a + 2]! * (p[b]! * p[c + 1]! - p[b + 1]! * p[c]!);
  }
  return sum / 6;
}

/** The heights at which a vertical line meets the triangles. */
function heightsAt({ positions: p, indices }: Level, x: number, z: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[i + k]!) as [number, number, number];
    const cross = (u: number, v: number): number =>
      (p[v]! - p[u]!) * (z - p[u + 2]!) - (p[v + 2]! - p[u + 2]!) * (x - p[u]!);
    const [wc, wa, wb] = [cross(a, b), cross(b, c), cross(c, a)];
    const all = wa + wb + wc;
    if (all === 0 || wa / all < 0 || wb / all < 0 || wc / all < 0) continue;
    found.push((wa * p[a + 1]! + wb * p[b + 1]! + wc * p[c + 1]!) / all);
  }
  return found;
}

describe.skipIf(ENGINES === undefined)(`engines, seed ${SEED}`, () => {
  it('Babylon.js: random scenes of both handednesses equal what its own rays hit, and solids face outward', async () => {
    const babylon = await load('@babylonjs/core');
    const { MeshBuilder, NullEngine, Ray, Scene, StandardMaterial, TransformNode, Vector3 } = babylon;
    let hits = 0;
    for (let k = 0; k < SCENES; k++) {
      const next = seeded(SEED + k);
      const scene = new Scene(new NullEngine());
      scene.useRightHandedSystem = k % 2 === 1;
      const root = new TransformNode('root', scene);
      root.scaling.set(next() < 0.5 ? 1 : -1, 1, next() < 0.5 ? 1 : -1.5);
      root.rotation.y = 6 * next();
      const spread = (): number => 8 * next() - 4;
      const volumes = new Map<string, number>();
      const solids: Engine[] = [];
      for (let i = 0; i < 6; i++) {
        const name = `solid ${i}`;
        const isBox = next() < 0.5;
        const mesh = isBox
          ? MeshBuilder.CreateBox(name, { size: 1 }, scene)
          : MeshBuilder.CreateTorus(name, { diameter: 2 }, scene);
        mesh.parent = root;
        mesh.position.set(spread(), spread(), spread());
        mesh.rotation.set(6 * next(), 6 * next(), 6 * next());
        mesh.scaling.set(1 + next(), next() < 0.3 ? -1 : 1, 1 + 2 * next());
        if (next() < 0.5) {
          // As loaded files set it: the usual side of the scene.
          mesh.material = new StandardMaterial('m', scene);
          mesh.material.sideOrientation = scene.useRightHandedSystem ? 0 : 1;
        }
        if (isBox) volumes.set(name, Math.abs(mesh.scaling.x * mesh.scaling.y * mesh.scaling.z * root.scaling.z));
        solids.push(mesh);
      }
      const instance = solids[0].createInstance('instance');
      instance.parent = root;
      instance.position.set(spread(), spread(), spread());
      const level = levelFromMeshes(scene.meshes) as unknown as Level;
      for (const { object, triangleStart, triangleCount } of level.report.parts) {
        const volume = volumeOf(level, triangleStart, triangleCount);
        expect(volume, `scene ${k}, ${object.name}`).toBeGreaterThan(0);
        const wanted = volumes.get(object.name);
        if (wanted !== undefined) expect(volume).toBeCloseTo(wanted, 4);
      }
      expect(level.report.parts.length).toBe(7);
      for (let i = 0; i < 40; i++) {
        const [x, z] = [spread(), spread()];
        const ray = new Ray(new Vector3(x, 50, z), new Vector3(0, -1, 0), 200);
        const picked = scene.pickWithRay(ray, () => true);
        const heights = heightsAt(level, x, z);
        expect(heights.length > 0).toBe(picked.hit);
        if (!picked.hit) continue;
        hits++;
        expect(Math.max(...heights)).toBeCloseTo(picked.pickedPoint.y, 3);
      }
    }
    expect(hits).toBeGreaterThan(SCENES * 5);
  });

  it('PlayCanvas: solids of random scenes face outward, with the volume of their transforms', async () => {
    const pc = await load('playcanvas');
    const canvas = {};
    const app = new pc.AppBase(canvas);
    const options = new pc.AppOptions();
    options.graphicsDevice = new pc.NullGraphicsDevice(canvas);
    options.componentSystems = [pc.RenderComponentSystem];
    app.init(options);
    for (let k = 0; k < SCENES; k++) {
      const next = seeded(SEED + k);
      const root = new pc.Entity('root');
      app.root.addChild(root);
      root.setLocalScale(next() < 0.5 ? 1 : -1, 1, 1.5);
      root.setLocalEulerAngles(0, 360 * next(), 0);
      const volumes = new Map<string, number>();
      for (let i = 0; i < 6; i++) {
        const type = next() < 0.5 ? 'box' : 'capsule';
        const entity = new pc.Entity(`${type} ${i}`);
        entity.addComponent('render', { type });
        root.addChild(entity);
        const scale = [1 + next(), next() < 0.4 ? -1 : 1, 1 + next()];
        entity.setLocalScale(...scale);
        entity.setLocalPosition(8 * next(), 8 * next(), 8 * next());
        entity.setLocalEulerAngles(360 * next(), 360 * next(), 360 * next());
        if (type === 'box') volumes.set(entity.name, 1.5 * Math.abs(scale[0]! * scale[1]! * scale[2]!));
        if (i === 5) entity.enabled = false;
      }
      const level = levelFromEntity(root) as unknown as Level;
      expect(level.report.parts.length).toBe(5);
      for (const { object, triangleStart, triangleCount } of level.report.parts) {
        const volume = volumeOf(level, triangleStart, triangleCount);
        expect(volume).toBeGreaterThan(0);
        const wanted = volumes.get(object.node.name);
        if (wanted !== undefined) expect(volume).toBeCloseTo(wanted, 4);
        // The engine's own box around the instance.
        const min = object.aabb.getMin();
        for (let t = triangleStart; t < triangleStart + triangleCount; t++) {
          for (let c = 0; c < 3; c++)
            expect(level.positions[3 * level.indices[3 * t + c]!]!).toBeGreaterThan(min.x - 1e-4);
        }
      }
      root.destroy();
    }
  });
});

describe.skipIf(ENGINES === undefined)("types of the engines' programs", () => {
  let folder = '';

  beforeAll(() => {
    folder = createConsumer();
    const { tarball } = packLibrary(folder);
    npm(['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', tarball], folder);
    mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
    for (const name of ['@babylonjs', 'playcanvas', 'phaser', '@types/react'])
      symlinkSync(join(ENGINES!, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  }, 120_000);

  afterAll(() => {
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  const PROGRAMS = {
    babylon: `
      import * as BABYLON from '@babylonjs/core';
      import type { Mesh, Scene, TransformNode } from '@babylonjs/core';
      import { buildNavMesh } from 'navkiln/build';
      import { navMeshTriangles } from 'navkiln/debug';
      import { createAgentNode, drawGeometry, levelFromMeshes, updateDrawn } from 'navkiln/babylon';
      export function run(scene: Scene, node: TransformNode): TransformNode {
        const level = levelFromMeshes(scene.meshes, { filter: (mesh) => mesh.isPickable, areaOf: (mesh) => mesh.metadata.area });
        const mesh: Mesh = drawGeometry(BABYLON, scene, navMeshTriangles(buildNavMesh(level).navMesh));
        updateDrawn(BABYLON, mesh, navMeshTriangles(buildNavMesh(level).navMesh));
        level.report.parts[0].object.dispose();
        return createAgentNode(() => true, node).node;
      }`,
    playcanvas: `
      import * as pc from 'playcanvas';
      import { buildNavMesh } from 'navkiln/build';
      import { navMeshTriangles } from 'navkiln/debug';
      import { createAgentEntity, drawGeometry, levelFromEntity, updateDrawn } from 'navkiln/playcanvas';
      export function run(app: pc.AppBase): pc.Entity {
        const level = levelFromEntity<pc.MeshInstance>(app.root, { filter: (instance) => instance.castShadow });
        const drawn: pc.Entity = drawGeometry(pc, app.graphicsDevice, navMeshTriangles(buildNavMesh(level).navMesh));
        updateDrawn(drawn, navMeshTriangles(buildNavMesh(level).navMesh));
        return createAgentEntity(() => true, new pc.Entity()).entity;
      }`,
    phaser: `
      import Phaser from 'phaser';
      import { buildFromPolygons } from 'navkiln/polygon';
      import { navMeshTriangles } from 'navkiln/debug';
      import { createAgentSprite, drawGeometry, mapFromLayers } from 'navkiln/phaser';
      export function run(scene: Phaser.Scene, map: Phaser.Tilemaps.Tilemap): Phaser.GameObjects.Sprite {
        const layer = map.createLayer(0, 'tiles') as Phaser.Tilemaps.TilemapLayer;
        const { navMesh } = buildFromPolygons(mapFromLayers([layer], { isBlocked: (tile) => tile.properties.wall === true }));
        drawGeometry(scene.add.graphics(), navMesh, navMeshTriangles(navMesh));
        return createAgentSprite(navMesh, () => true, scene.add.sprite(0, 0, 'hero')).sprite;
      }`,
  };

  it.each(Object.entries(PROGRAMS))('%s', (name, source) => {
    const directory = join(folder, name);
    mkdirSync(directory);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      lib: ['ES2022', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'],
      types: [],
      skipLibCheck: true,
      module: 'ESNext',
      moduleResolution: 'Bundler',
      esModuleInterop: true,
    };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    writeFileSync(join(directory, 'use.ts'), source);
    expect(typeCheck(directory)).toBe('');
  });
});
