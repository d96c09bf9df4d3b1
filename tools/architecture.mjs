/**
 * `npm run architecture`: writes the generated tables of ARCHITECTURE.md, those between `<!-- generated: NAME
 * -->` and `<!-- end -->`.
 *
 * NAME is `folders`, the folders of the library with their descriptions from FOLDERS below, or `files
 * FOLDER`, the files of that folder with the first sentence of their opening comments. `npm run check
 * architecture` fails when the page differs from what this would write.
 */
import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, readRepository } from './files.mjs';
import { openingComment } from './source-text.mjs';

const LIBRARY = 'packages/navkiln/src/';
const PAGE = 'ARCHITECTURE.md';

/** Contents of each folder of the library, lowest layer first. A new folder gets a line here. */
export const FOLDERS = {
  base: 'Tolerances and limits of all rooms: their unit, usual value and consequence.',
  'base/math':
    'Exact predicates, plane geometry, and a sine and cosine that are equal in every engine. Numbers in, numbers out.',
  'base/data': 'Hashes, heaps, pools and option checks that know nothing of meshes.',
  'base/advice':
    'What messages add when they recognize a slip: names of other libraries, promises, objects of engines.',
  'base/plane': 'Rings and segments on a grid: Delaunay triangulation, constraints, overlay by winding number.',
  mesh: 'The central structure: types, refs, islands, sizes, names, the surface of a polygon.',
  'mesh/tiles': 'What a tile brings: its place in the pools, portals, tree and link ends.',
  'mesh/change': 'Changes at run time: tiles, links, named areas.',
  'mesh/file': 'A mesh as bytes and back, with arrays that are derived on loading.',
  'mesh/rollback': 'Snapshots of a mesh that share what has not changed.',
  'mesh/check': 'Checks of a mesh, one topic a file; `validateNavMesh` runs them all.',
  query: 'Queries on a mesh, one query a file.',
  'query/explain': 'Why there is no path: the gap or the blocked polygons, in words and positions.',
  'query/flood': 'Searches outward from a point: reachable polygons, polygons in a circle or shape, pruning.',
  'query/map': '2D queries: points of a map in, points of the map out.',
  'query/nearest': 'The nearest point on the mesh, and polygons in a box.',
  'query/cheapest': 'The cheapest path across areas with costs: a search over samples of edges, and its refinement.',
  'query/optimal': 'The exact shortest path: a search over intervals of portals.',
  'query/path': 'A* over polygons, string pulling, smooth and sliced paths, the path walker.',
  'query/random': 'Random points, uniform by area.',
  'query/ray': 'Rays along the surface.',
  'query/walk': 'Moving along the surface, walls, and the neighborhood of a position.',
  'query/walk/gate': 'The check of moves that clients ask for: a walk within polygons, and a path around corners.',
  'query/index': 'The path index: exact shortest paths from corners, cones and distances computed before.',
  'query/index/lookup': 'The parts of an indexed query: the cell of a point, what it sees, pairs of corners, the line.',
  'query/index/file': 'A path index as bytes and back.',
  'query/index/build': 'The steps of building a path index.',
  'query/index/build/overlay': 'The steps of building an overlay of cells.',
  'query/index/overlay': 'Nearly shortest paths over cells, for large meshes.',
  'query/routes':
    'Routes over large worlds: records of tiles, searches over blocks of them, paths refined along a route.',
  'query/routes/record': 'The record of a tile: its cells, gates, and lengths between them.',
  'query/clearance': 'Paths for agents of any radius on 2D maps: how wide each passage is, and arcs around corners.',
  'build/voxel': 'The bake from level triangles: configuration, input, the order of stages, tiles.',
  'build/voxel/rasterize': 'The triangles of a level to columns of solid spans.',
  'build/voxel/field': 'From spans to walkable cells: filters, the compact field, erosion, areas, distances.',
  'build/voxel/regions': 'The three methods that partition walkable spans into regions, and their shared parts.',
  'build/voxel/contours': 'Outlines of regions, with their holes.',
  'build/voxel/polymesh': 'Outlines to convex polygons.',
  'build/voxel/detail': 'Heights of the surface within polygons.',
  'build/voxel/obstacles': 'Obstacles cut out of a bake, and the spans that a world keeps for them.',
  'build/voxel/sizes': 'One mesh for several sizes of agents: a mask of the sizes that fit for each span and polygon.',
  'build/voxel/validate': "Checks of the bake's intermediate records.",
  'build/surface': 'Meshes from triangles taken as they are: filter by slope, weld, join over steps, merge.',
  'build/surface/shapes': 'Convex shapes that are cut out of each other.',
  'build/surface/weld': 'Vertices that are joined, and the sides and pieces between them.',
  'build/polygon': '2D maps: outlines with holes to clean rings to convex pieces to a tile.',
  'build/polygon/tiles': '2D maps in tiles: segments split along the lines of tiles, and one tile cut after the other.',
  'build/polygon/diagonal': 'The map mode `diagonal`: holes are joined and outlines are cut along diagonals.',
  'build/links':
    'Automatic links: jumps, drops, climbs and vaults that are found in the level and swept against its triangles.',
  'build/links/walls': 'Walls of a mesh, and the lanes at which links leave them.',
  'build/links/sweep': 'The way of an agent over a link, swept against the triangles of the level.',
  'agents/corridor':
    'The path corridor of one character: polygons from its position to its target, updated as it moves.',
  'agents/crowd': 'Agents that follow paths and avoid each other: the tick, its order of steps, goals.',
  'agents/crowd/motion': 'Steps that move agents: spacing, avoidance, integration, overlaps.',
  'agents/crowd/rest': 'When an agent has arrived, and who rests because of whom.',
  'agents/crowd/traffic': 'Who waits, yields and goes around.',
  'agents/crowd/narrow': 'Narrow passages, and lanes for two directions.',
  'agents/crowd/links': 'Agents on links, and queues in front of them.',
  'agents/crowd/avoidance': 'Velocity choice among neighbors and walls: ORCA and sampling.',
  'agents/crowd/nearby': 'Neighbors and walls of each agent.',
  'agents/crowd/orders': 'Commands for agents: add, remove, move, follow, stop.',
  'agents/crowd/rollback': 'Snapshots of a crowd in memory: captured and rewound within a fraction of a tick.',
  'agents/crowd/save': 'A crowd as bytes, and its hash.',
  'agents/record': 'Recordings of crowds: calls and checks as bytes, their replay, and where two of them differ.',
  'agents/crowd/search': 'Path searches of a crowd within a budget, and shared goal fields.',
  'agents/crowd/state': 'The records of a crowd: agents as typed arrays, ids, events, options.',
  'agents/characters': 'Characters and the targets that they follow: one step for all, and both as bytes.',
  'agents/characters/body': 'Agents with a body that can fall, jump and turn.',
  'agents/characters/targets': 'Targets that characters follow.',
  'agents/characters/types': 'The records of characters and targets.',
  world:
    'The script that workers run. The pool starts it by a path that is the same in the sources and in the package.',
  'world/levels': 'Levels and obstacles that change at run time: which tiles a change touches, and their rebuild.',
  'world/rollback': 'Snapshots of a world, and rings of snapshots by tick.',
  'world/paths': 'The side of a path service that runs in its threads: queries on a shared mesh.',
  'world/share': 'One mesh for many threads and rooms: versions in shared memory, and overlays with their own doors.',
  'world/cut': 'Obstacles that are cut out of the polygons of tiles at once, before the rebuild of the tiles.',
  'world/worker': 'Bakes in workers: the pool, its protocol, the side that runs in a worker, caches of tiles.',
  'world/worker/caches': 'Caches of baked tiles: memory, IndexedDB, HTTP.',
  'world/worker/chunks': 'The triangles that some tiles need as a file, and the bake of tiles from it.',
  'world/streaming': 'Published worlds: tiles and a manifest in a store, written by a bake and streamed around points.',
  'world/streaming/routes':
    'Route records of published worlds: their files, written by a publication and opened by a client.',
  'world/streaming/plan': 'Publications that are cut into chunks, baked anywhere, and ended.',
  'formats/text': 'Text and bytes of all formats: UTF-8, base64, XML, numbers, faults of JSON.',
  'formats/levels': 'Triangles of levels: OBJ in, OBJ and GLB out.',
  'formats/detour': 'Meshes of Detour, in and out.',
  'formats/maps': '2D maps: JSON of our own, GeoJSON, grids.',
  'formats/maps/geojson': 'GeoJSON: conditions on features, and the precision of coordinates.',
  'formats/maps/geojson/levels': 'Indoor GeoJSON: levels, doors as gaps, stairs and lifts between levels.',
  'formats/maps/svg': 'SVG pictures: shapes, transforms, styles and marks to a 2D map.',
  'formats/maps/tiled': 'Tiled maps: layers, objects and tilesets to a 2D map.',
  show: 'Pictures, debug geometry, reports and checks. Reads every room but engines.',
  'show/crowd': 'Crowd scenes: running, measuring and drawing them.',
  'show/draw': 'Debug geometry: lines and triangles for any renderer.',
  'show/diagnose':
    'Why a bake covers little of its level: the unit, axis, winding or agent that covers more, by trials.',
  'show/diagnose/empty': 'Why a bake gives no polygon: remedies that are tried until one gives polygons.',
  'show/diagnose/gaps': 'Where islands of a mesh nearly meet, and what joins them.',
  'show/explain': 'Why a position is not walkable: the stage that removed it.',
  'show/stage': 'The records of every bake stage, and views of them.',
  'show/svg': 'Pictures of levels, meshes and maps as SVG.',
  'show/verify': 'A mesh compared with its level, from the triangles alone: coverage, connections, fault places.',
  'show/verify/shapes': 'Grids, points and closed solids that the comparison stands on.',
  'show/verify/causes': 'The stage of the bake that made a fault, and the option that repairs it, by trial bakes.',
  'engines/shared':
    'Shared by the adapters of engines: levels put together from meshes, poses of agents between ticks.',
  'engines/three': 'Levels from three.js scenes, debug geometry into them. The only importer of three.',
  'engines/babylon': 'Levels from meshes of Babylon.js, debug geometry as meshes, nodes that follow agents.',
  'engines/playcanvas': 'Levels from entities of PlayCanvas, debug geometry as entities, entities that follow agents.',
  'engines/phaser': '2D maps from tilemap layers of Phaser, debug geometry on a Graphics, sprites that follow agents.',
  entries: 'What users import: named re-exports, one file a subpath.',
  'entries/groups': 'Families of functions that are one name of an entry, such as `bakeStages`.',
};

/**
 * Stages of the bake in the order they run: files of `build/voxel/` are listed in it. Files that belong to no stage
 * follow by name.
 */
const STAGES = [
  'options',
  'types',
  'config',
  'build',
  'input',
  'raster',
  'filter',
  'compact',
  'erode',
  'areas',
  'distance',
  'regions',
  'contour',
  'polymesh',
  'detail',
  'tile',
];

/** The tables that the page must have. */
const REQUIRED = ['folders'];

const TABLE = /<!-- generated: ([^>]+?) -->\n[\s\S]*?<!-- end -->/g;

/** Returns the first sentence of a comment, as one line. */
export function firstSentence(comment) {
  const text = comment
    .replace(/^\s*\/\*+|\*+\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*|\/\/)? ?/, '').trim());
  const start = text.findIndex((line) => line !== '');
  if (start < 0) return '';
  const end = text.indexOf('', start);
  const paragraph = text.slice(start, end < 0 ? text.length : end).join(' ');
  return /^.*?[.?!](?=\s+[A-Z`(]|$)/.exec(paragraph)?.[0] ?? paragraph;
}

function librarySources(files) {
  return [...files.keys()].filter((path) => path.startsWith(LIBRARY) && path.endsWith('.ts'));
}

/** Returns the folders of the library that hold sources, without those that only hold folders. */
function sourceFolders(files) {
  const folders = librarySources(files).map((path) => posix.dirname(path).slice(LIBRARY.length));
  return [...new Set(folders)].filter((folder) => folder !== '');
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function folderTable(files) {
  const folders = sourceFolders(files);
  const rows = Object.entries(FOLDERS).filter(([folder]) =>
    folders.some((known) => `${known}/`.startsWith(`${folder}/`)),
  );
  return table(
    ['folder', 'what is in it'],
    rows.map(([folder, what]) => [`\`${folder}/\``, what]),
  );
}

/** Returns the position of a file's stage: the longest stage that its name or folder begins with. */
function stageOf(folder, name) {
  if (folder !== 'build/voxel') return 0;
  const first = name.split('/').at(-1).replace(/\.ts$/, '');
  let found = STAGES.length;
  STAGES.forEach((stage, i) => {
    if (first.startsWith(stage) && (found === STAGES.length || stage.length > STAGES[found].length)) found = i;
  });
  return found;
}

function fileTable(files, folder) {
  const start = `${LIBRARY}${folder}/`;
  const names = librarySources(files)
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length));
  // Files of a folder stand before those of its subfolders.
  const key = (name) => (name.includes('/') ? name : `\0${name}`);
  names.sort((a, b) => stageOf(folder, a) - stageOf(folder, b) || (key(a) < key(b) ? -1 : 1));
  const rows = names.map((name) => {
    const sentence = firstSentence(openingComment(files.get(start + name))).replaceAll('|', '\\|');
    return [`\`${folder}/${name}\``, sentence];
  });
  return table(['file', 'what it does'], rows);
}

/** Returns the page with all its generated tables written again. */
export function architectureText(text, files) {
  return text.replace(TABLE, (whole, name) => {
    const folder = /^files (.+)$/.exec(name)?.[1];
    if (name !== 'folders' && folder === undefined) return whole;
    const body = folder === undefined ? folderTable(files) : fileTable(files, folder);
    return `<!-- generated: ${name} -->\n${body}\n<!-- end -->`;
  });
}

/** Returns the faults of the page, one line each. */
export function checkArchitecture(files, folders = FOLDERS) {
  const text = files.get(PAGE);
  if (text === undefined) return [`${PAGE} is missing`];
  const wrong = [];
  const names = [...text.matchAll(TABLE)].map((match) => match[1]);
  for (const name of REQUIRED) if (!names.includes(name)) wrong.push(`${PAGE} has no generated table '${name}'`);
  for (const name of names) {
    if (name !== 'folders' && !name.startsWith('files ')) wrong.push(`${PAGE} asks for an unknown table '${name}'`);
  }
  const present = sourceFolders(files);
  for (const folder of present) {
    if (!(folder in folders)) wrong.push(`${LIBRARY}${folder}/ has no description in tools/architecture.mjs`);
  }
  for (const folder of Object.keys(folders)) {
    if (!present.some((known) => `${known}/`.startsWith(`${folder}/`))) {
      wrong.push(`tools/architecture.mjs describes ${folder}/, which does not exist`);
    }
  }
  if (architectureText(text, files) !== text) wrong.push(`${PAGE} is out of date; run: npm run architecture`);
  wrong.push(...staleRows(text, files));
  return wrong;
}

/** Returns the rows of any table that name a file or folder that does not exist. */
function staleRows(text, files) {
  const paths = [...files.keys()];
  const exists = (start) =>
    paths.some((path) => path === start || path.startsWith(start.endsWith('/') ? start : `${start}/`));
  const rows = new Set([...text.matchAll(/^\|\s*`([\w./-]+)`/gm)].map((match) => match[1]));
  return [...rows]
    .filter((name) => ![name, `packages/navkiln/${name}`, `${LIBRARY}${name}`].some(exists))
    .map((name) => `${PAGE} has a row for ${name}, which does not exist`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readRepository();
  const text = files.get(PAGE);
  const written = architectureText(text, files);
  if (written !== text) writeFileSync(join(ROOT, PAGE), written);
  console.log(written === text ? `${PAGE} is up to date` : `${PAGE} is written`);
}
