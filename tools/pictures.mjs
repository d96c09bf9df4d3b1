/**
 * `node tools/pictures.mjs`: draws the pictures of the documents, docs/pictures/*.svg from bundled scenes, docs/pictures/maps/*.svg of
 * maps of Tiled, and docs/pictures/bake/*.png of the stages and settings of a bake. `--maps`: only those of Tiled.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './files.mjs';
import { mapPictures } from './map-pictures.mjs';
import { build as buildPackages, install, requireNode } from './setup.mjs';
import { readerPictures } from './reader-pictures.mjs';
import { stagePictures } from './stage-pictures.mjs';

requireNode();
await install();
await buildPackages();

const { addLink, createFilter, findCheapestPath, findOptimalPath, findPath } = await import('navkiln');
const building = await import('navkiln/build');
const drawing = await import('navkiln/debug');
const { addAutoLinks, autoLinkPositions } = await import('navkiln/links');
const mapping = await import('navkiln/polygon');
const { findLevelScene, findMapScene } = await import('navkiln-scenes');

const { buildNavMesh, createAgentSizes, createVolumes } = building;
const { polygonSvg, sceneSvg } = drawing;
const { buildFromPolygons, cutByDiagonals, findPath2d, mapToMesh } = mapping;
const box2d = (x0, y0, x1, y1) => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

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
mkdirSync(join(folder, 'maps'), { recursive: true });
for (const [file, svg] of mapPictures({ addLink, createFilter, ...mapping })) {
  writeFileSync(join(folder, 'maps', file), svg);
  console.log(`docs/pictures/maps/${file}: ${(svg.length / 1024).toFixed(1)} KB`);
}
if (process.argv.includes('--maps')) process.exit();
for (const { file, scene: name, volumes, title, to, cutAbove } of PICTURES) {
  const scene = findLevelScene(name);
  const level = scene.create();
  const { navMesh } = buildNavMesh(level, {
    ...scene.options,
    ...(volumes === undefined ? {} : { volumes: createVolumes(volumes) }),
  });
  const path = findPath(navMesh, scene.path.from, to ?? scene.path.to);
  const svg = sceneSvg({ level, navMesh, path, title: title ?? scene.title, cutAbove, maxLevelBytes: 250_000 });
  writeFileSync(join(folder, file), svg);
  console.log(`docs/pictures/${file}: ${Math.round(svg.length / 1024)} KB, ${path.status}`);
}

// Automatic links: lines of the arcs in the middle of each link, and of both ends.
const ledges = ledgeLevel();
const { navMesh: ledgeMesh } = buildNavMesh(ledges, { agent: { maxClimb: 0.3 } });
const { links: found, report } = addAutoLinks(ledgeMesh, ledges, { jump: {}, drop: {}, climb: {}, vault: {} });
const linkLines = found.flatMap((link) => {
  const name = link.kind === 'drop' ? 'drop, one way' : link.kind;
  const along = link.width > 0 ? [0, 1] : [0.5];
  return [link.start, link.end, ...along.map((t) => autoLinkPositions(link, t, 11))].map((points) => ({
    name,
    points,
  }));
});
const overLedges = findPath(ledgeMesh, [1, 0, 6.5], [17, 0, 6]);
const ledgeSvg = sceneSvg({
  level: ledges,
  navMesh: ledgeMesh,
  path: overLedges,
  lines: linkLines,
  title: 'Automatic links',
  maxLevelBytes: 100_000,
});
writeFileSync(join(folder, 'auto-links.svg'), ledgeSvg);
console.log(`docs/pictures/auto-links.svg: ${Math.round(ledgeSvg.length / 1024)} KB, ${JSON.stringify(report.links)}`);

// Sizes: polygons on which the ogre does not fit have another color.
const rooms = roomLevel();
const sizes = createAgentSizes([
  { name: 'human', radius: 0.4, height: 1.8 },
  { name: 'ogre', radius: 1.1, height: 3 },
]);
const { navMesh: sizedMesh } = buildNavMesh(rooms, { sizes });
const ends = [
  [2, 0, 3],
  [18, 0, 3],
];
const sizedSvg = sceneSvg({
  level: rooms,
  navMesh: { ...sizedMesh, polyArea: Uint8Array.from(sizedMesh.polySizes, (mask) => (mask === 1 ? 2 : 1)) },
  lines: ['human', 'ogre'].map((size) => ({ name: size, points: findPath(sizedMesh, ...ends, { size }).points })),
  title: 'One mesh for two sizes',
});
writeFileSync(join(folder, 'agent-sizes.svg'), sizedSvg);
console.log(`docs/pictures/agent-sizes.svg: ${Math.round(sizedSvg.length / 1024)} KB`);

// The cheapest path bends at borders of areas.
const bends = buildFromPolygons({
  polygons: [{ outline: box2d(0, 0, 100, 60) }],
  areas: [
    { name: 'mud', cost: 3, outline: box2d(30, 0, 60, 50) },
    { name: 'road', cost: 0.5, outline: box2d(0, 54, 100, 57) },
  ],
});
const bendFilter = createFilter({ areaCosts: bends.areaCosts });
const bendEnds = [mapToMesh(bends.navMesh, [8, 20]), mapToMesh(bends.navMesh, [52, 24])];
const bendLines = [findPath, findOptimalPath, findCheapestPath].map((find) => {
  const { points } = find(bends.navMesh, ...bendEnds, { filter: bendFilter });
  return { name: find.name, points };
});
const far = findCheapestPath(bends.navMesh, bendEnds[0], mapToMesh(bends.navMesh, [94, 30]), { filter: bendFilter });
const bendSvg = sceneSvg({
  navMesh: bends.navMesh,
  lines: [...bendLines, { name: 'findCheapestPath, along the road', points: far.points }],
  title: 'Paths across mud (cost 3) and along a road (cost 0.5)',
});
writeFileSync(join(folder, 'cheapest.svg'), bendSvg);
console.log(`docs/pictures/cheapest.svg: ${Math.round(bendSvg.length / 1024)} KB`);

// A 2D map, stage by stage.
const map = findMapScene('twenty-five-corners');
const build = buildFromPolygons(map.create(), { mode: 'diagonal', cutByDiagonals });
const mapPath = findPath2d(build.navMesh, [120, 600], [1000, 300]);
const panels = polygonSvg({ build, title: map.title, path: mapPath });
writeFileSync(join(folder, 'map.svg'), panels);
console.log(`docs/pictures/map.svg: ${Math.round(panels.length / 1024)} KB, ${mapPath.status}`);

for (const [file, text] of readerPictures({ ...mapping, findPath })) {
  writeFileSync(join(folder, file), text);
  console.log(`docs/pictures/${file}: ${Math.round(text.length / 1024)} KB`);
}

mkdirSync(join(folder, 'bake'), { recursive: true });
for (const [file, bytes] of stagePictures({ ...building, ...drawing })) {
  writeFileSync(join(folder, 'bake', file), bytes);
  console.log(`docs/pictures/bake/${file}: ${Math.round(bytes.length / 1024)} KB`);
}

/** Returns a floor, and a wall across it with a door for humans and a gap for ogres. */
function roomLevel() {
  return boxLevel([
    [0, -0.2, 0, 20, 0, 14],
    [9.8, 0, 0, 10.2, 3.2, 2.3],
    [9.8, 0, 3.7, 10.2, 3.2, 8],
    [9.8, 0, 12, 10.2, 3.2, 14],
    [4, 0, 9, 5, 3.2, 10],
    [14, 0, 5, 16, 3.2, 6],
  ]);
}

/** Returns platforms, a trench, a stepping stone, a crate, a low wall and a high one. */
function ledgeLevel() {
  return boxLevel([
    [0, -1, 0, 7, 0, 12],
    [8.2, -1, 0, 20, 0, 12],
    [7, -2, 0, 8.2, -1.9, 12],
    [1, 0, 1, 4, 1, 4],
    [4.9, 0, 1.4, 6.6, 2, 4.2],
    [10, 0, 0.5, 14, 2.4, 4],
    [15.6, 0, 0.5, 18.5, 2.2, 4],
    [13.5, 0, 5.4, 13.7, 0.8, 12],
    [2, 0, 8.4, 2.2, 2.5, 11.5],
  ]);
}

/** Returns the triangles of boxes: x, y, z from, and to. */
function boxLevel(boxes) {
  const positions = [];
  const indices = [];
  for (const [x0, y0, z0, x1, y1, z1] of boxes) {
    const b = positions.length / 3;
    for (const y of [y0, y1]) positions.push(x0, y, z0, x0, y, z1, x1, y, z1, x1, y, z0);
    for (const [p, q, r, t] of ['4567', '3210', '0154', '1265', '2376', '3047'].map((face) => [...face].map(Number))) {
      indices.push(b + p, b + q, b + r, b + p, b + r, b + t);
    }
  }
  return { positions, indices };
}
