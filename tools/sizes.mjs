/**
 * `npm run sizes`: measures what each feature adds to a page, and writes docs/sizes.md between its markers.
 *
 * A program that uses the named functions is bundled and minified as for a page, and compressed by gzip. The parts are the share of each
 * folder of the library in the characters of the bundle.
 *
 * In: the built packages. Out: tables in docs/sizes.md. Cost: ten seconds.
 * Based on: rolldown.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { ROOT } from './files.mjs';
import { build, install, requireNode } from './setup.mjs';

const PAGE = join(ROOT, 'docs', 'sizes.md');

/** Programs: what they do, and what they import. The first ones of a group are what the others are compared with. */
const GROUPS = [
  {
    title: 'Queries',
    base: { what: 'find paths on a mesh', uses: { navkiln: ['findPath'] } },
    rows: [
      { what: 'load the mesh from a file', uses: { navkiln: ['loadNavMesh'] } },
      { what: 'the nearest position', uses: { navkiln: ['findNearest'] } },
      { what: 'rays', uses: { navkiln: ['raycast'] } },
      { what: 'walking along the surface', uses: { navkiln: ['moveAlongSurface'] } },
      { what: 'smooth paths', uses: { navkiln: ['findSmoothPath'] } },
      { what: 'exact shortest paths', uses: { navkiln: ['findOptimalPath'] } },
      { what: 'why there is no path', uses: { navkiln: ['explainPath'] } },
      {
        what: 'a search in slices',
        uses: { navkiln: ['startPathSearch', 'continuePathSearch', 'getPathSearchResult'] },
      },
      { what: 'reachable polygons', uses: { navkiln: ['findReachable'] } },
      { what: 'random positions', uses: { navkiln: ['findRandomPoint', 'createRandom'] } },
      { what: 'doors by name', uses: { navkiln: ['setEnabled'] } },
      { what: 'a corridor for one character', uses: { 'navkiln/corridor': ['followPath', 'steerAlong'] } },
      { what: 'a path index', uses: { 'navkiln/index': ['buildPathIndex', 'findIndexedPath'] } },
      {
        what: 'a crowd',
        uses: { 'navkiln/crowd': ['createCrowd', 'addAgent', 'moveAgentTo', 'advanceCrowd', 'interpolateAgentInto'] },
      },
    ],
  },
  {
    title: 'Bakes',
    base: { what: 'bake a level, find paths', uses: { navkiln: ['findPath'], 'navkiln/build': ['buildNavMesh'] } },
    rows: [
      { what: 'progress, abort', uses: { 'navkiln/build': ['bakeNavMesh'] } },
      {
        what: 'workers (their script is a file of its own)',
        uses: { 'navkiln/build': ['bakeNavMesh'], 'navkiln/worker': ['createBakePool'] },
      },
      {
        what: 'obstacles and levels at run time',
        uses: { 'navkiln/world': ['createWorld', 'addLevel', 'addObstacle', 'moveObstacle', 'updateWorld'] },
      },
      { what: 'obstacles in the bake', uses: { 'navkiln/build': ['createObstacles'] } },
      { what: 'several sizes of agents on one mesh', uses: { 'navkiln/build': ['createAgentSizes'] } },
      { what: 'automatic links', uses: { 'navkiln/links': ['addAutoLinks'] } },
      {
        what: 'a crowd',
        uses: { 'navkiln/crowd': ['createCrowd', 'addAgent', 'moveAgentTo', 'advanceCrowd', 'interpolateAgentInto'] },
      },
      {
        what: 'three.js: levels, drawing, agents',
        uses: {
          'navkiln/three': ['levelFromObject3D', 'drawMesh', 'drawLines', 'createAgentObject', 'placeAgentObject'],
          'navkiln/debug': ['navMeshTriangles', 'navMeshOutlines'],
        },
      },
    ],
  },
  {
    title: 'Maps',
    base: {
      what: 'a mesh from outlines, shortest paths on it',
      uses: { 'navkiln/polygon': ['buildFromPolygons', 'findPath2d'] },
    },
    rows: [
      { what: 'Tiled maps', uses: { 'navkiln/polygon': ['parseTiled'] } },
      { what: 'GeoJSON', uses: { 'navkiln/polygon': ['parseGeoJson'] } },
      { what: 'grids', uses: { 'navkiln/polygon': ['polygonsFromGrid'] } },
      {
        what: 'Phaser',
        uses: { 'navkiln/phaser': ['mapFromLayers', 'drawGeometry', 'createAgentSprite', 'placeAgentSprite'] },
      },
    ],
  },
];

/** Returns the text of a program that uses functions of entries. */
function programOf(uses) {
  const names = Object.values(uses).flat();
  const imports = Object.entries(uses).map(([entry, list]) => `import { ${list.join(', ')} } from '${entry}';`);
  return `${imports.join('\n')}\nglobalThis.game = { ${names.join(', ')} };\n`;
}

/** Returns two lists of functions by entry as one. */
function joinUses(a, b) {
  const all = { ...a };
  for (const [entry, names] of Object.entries(b)) all[entry] = [...new Set([...(all[entry] ?? []), ...names])];
  return all;
}

/** Bundles a program. Returns its gzipped bytes, and the characters of each folder of the library. */
async function measure(folder, uses) {
  const input = join(folder, 'program.mjs');
  writeFileSync(input, programOf(uses));
  const bundle = await rolldown({ input, cwd: ROOT, logLevel: 'silent', external: ['three'] });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const parts = new Map();
  for (const [id, { renderedLength }] of Object.entries(output[0].modules)) {
    const name = /dist[\\/]chunks[\\/]([\w-]+)\.js$/.exec(id)?.[1];
    if (name !== undefined && renderedLength > 0) parts.set(name, renderedLength);
  }
  return { bytes: gzipSync(output[0].code, { level: 9 }).length, parts };
}

const kilobytes = (bytes) => (bytes / 1024).toFixed(1);

async function tableOf(folder, { title, base, rows }) {
  const first = await measure(folder, base.uses);
  const lines = [`### ${title}`, '', '| feature | KB | total |', '| --- | ---: | ---: |'];
  lines.push(`| **${base.what}** | | **${kilobytes(first.bytes)}** |`);
  for (const { what, uses } of rows) {
    const { bytes } = await measure(folder, joinUses(base.uses, uses));
    lines.push(`| + ${what} | ${kilobytes(bytes - first.bytes)} | ${kilobytes(bytes)} |`);
  }
  const whole = [...first.parts.values()].reduce((sum, length) => sum + length, 0);
  const parts = [...first.parts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, length]) => `\`${name}\` ${Math.round((100 * length) / whole)} %`);
  return `${lines.join('\n')}\n\n${base.what[0].toUpperCase()}${base.what.slice(1)}, by folder: ${parts.join(', ')}.`;
}

async function main() {
  requireNode();
  await install();
  await build();
  const folder = mkdtempSync(join(ROOT, 'out', 'sizes-'));
  try {
    const tables = [];
    for (const group of GROUPS) tables.push(await tableOf(folder, group));
    const page = readFileSync(PAGE, 'utf8');
    const marked = /(<!-- written: npm run sizes -->\n)[\s\S]*?(<!-- end -->)/;
    writeFileSync(
      PAGE,
      page.replace(marked, (_, from, to) => `${from}\n${tables.join('\n\n')}\n\n${to}`),
    );
    console.log(tables.join('\n\n'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
