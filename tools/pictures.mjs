/**
 * `node tools/pictures.mjs`: draws the pictures of the documents, docs/pictures/*.svg from bundled scenes and docs/pictures/bake/*.png of
 * the stages and settings of a bake.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './files.mjs';
import { build as buildPackages, install, requireNode } from './setup.mjs';
import { stagePictures } from './stage-pictures.mjs';

requireNode();
await install();
await buildPackages();

const { findPath } = await import('navkiln');
const building = await import('navkiln/build');
const drawing = await import('navkiln/debug');
const { buildFromPolygons, findPath2d } = await import('navkiln/polygon');
const { findLevelScene, findMapScene } = await import('navkiln-scenes');

const { buildNavMesh } = building;
const { polygonSvg, sceneSvg } = drawing;

const PICTURES = [
  {
    file: 'dungeon.svg',
    scene: 'dungeon',
    // The tops of walls are not walkable; one room is expensive to cross.
    volumes: [
      { type: 'box', area: 0, min: [-10, 2.5, -10], max: [200, 9, 200] },
      { type: 'cylinder', area: 1, center: [8, -2, 53], radius: 3.5, height: 4 },
    ],
  },
  { file: 'tower.svg', scene: 'tower' },
  { file: 'caves.svg', scene: 'caves' },
  { file: 'house.svg', scene: 'house', title: 'House: the ground floor', to: [2.5, 0, 3.9], cutAbove: 2.5 },
];

const folder = join(ROOT, 'docs', 'pictures');
mkdirSync(folder, { recursive: true });
for (const { file, scene: name, volumes, title, to, cutAbove } of PICTURES) {
  const scene = findLevelScene(name);
  const level = scene.create();
  const { navMesh } = buildNavMesh(level, { ...scene.options, volumes });
  const path = findPath(navMesh, scene.path.from, to ?? scene.path.to);
  const svg = sceneSvg({ level, navMesh, path, title: title ?? scene.title, cutAbove, maxLevelBytes: 250_000 });
  writeFileSync(join(folder, file), svg);
  console.log(`docs/pictures/${file}: ${Math.round(svg.length / 1024)} KB, ${path.status}`);
}

// A 2D map, stage by stage.
const map = findMapScene('twenty-five-corners');
const build = buildFromPolygons(map.create(), { mode: 'diagonal' });
const mapPath = findPath2d(build.navMesh, [120, 600], [1000, 300]);
const panels = polygonSvg({ build, title: map.title, path: mapPath });
writeFileSync(join(folder, 'map.svg'), panels);
console.log(`docs/pictures/map.svg: ${Math.round(panels.length / 1024)} KB, ${mapPath.status}`);

mkdirSync(join(folder, 'bake'), { recursive: true });
for (const [file, bytes] of stagePictures({ ...building, ...drawing })) {
  writeFileSync(join(folder, 'bake', file), bytes);
  console.log(`docs/pictures/bake/${file}: ${Math.round(bytes.length / 1024)} KB`);
}
