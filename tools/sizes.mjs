/**
 * `npm run sizes`: measures what each feature adds to a page, and writes docs/sizes.md between its markers.
 *
 * A program that uses the named functions is bundled and minified as for a page, and compressed by gzip. A part of a program is measured by
 * leaving it out: its files keep their exports, which do nothing.
 *
 * In: the built packages, and the sources for parts. Out: tables in docs/sizes.md. Cost: twenty seconds.
 * Based on: rolldown.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { ROOT } from './files.mjs';
import { build, install, requireNode } from './setup.mjs';

const PAGE = join(ROOT, 'docs', 'sizes.md');
const SOURCES = join(ROOT, 'packages', 'navkiln', 'src');
const SOURCE_CONDITION = 'navkiln-source';

const CORE_CROWD = ['createCoreCrowd', 'addAgent', 'moveAgentTo', 'advanceCrowd', 'interpolateAgentInto'];
const CROWD = ['createCrowd', 'addAgent', 'moveAgentTo', 'advanceCrowd', 'interpolateAgentInto'];

/** Programs: what they do, and what they import. The first ones of a group are what the others are compared with. */
const GROUPS = [
  {
    title: 'Queries',
    base: { what: 'find paths on a mesh', uses: { navkiln: ['findPath'] } },
    rows: [
      { what: 'load the mesh from a file', uses: { navkiln: ['loadNavMesh'] } },
      { what: 'open a packed mesh from a file that the page trusts', uses: { navkiln: ['openNavMesh'] } },
      { what: 'the nearest position', uses: { navkiln: ['findNearest'] } },
      { what: 'rays', uses: { navkiln: ['raycast'] } },
      { what: 'walking along the surface', uses: { navkiln: ['moveAlongSurface'] } },
      { what: 'smooth paths', uses: { navkiln: ['findSmoothPath'] } },
      { what: 'lines on the ground', uses: { navkiln: ['getGroundLine'] } },
      { what: 'exact shortest paths', uses: { navkiln: ['findOptimalPath'] } },
      { what: 'why there is no path', uses: { navkiln: ['explainPath'] } },
      {
        what: 'a search in slices',
        uses: { navkiln: ['startPathSearch', 'continuePathSearch', 'getPathSearchResult'] },
      },
      { what: 'reachable polygons', uses: { navkiln: ['findReachable'] } },
      { what: 'random positions', uses: { navkiln: ['findRandomPoint', 'createRandom'] } },
      { what: 'links with segments as ends', uses: { 'navkiln/links': ['enableWideLinks'] } },
      { what: 'doors by name', uses: { navkiln: ['setEnabled'] } },
      { what: 'moves of clients', uses: { navkiln: ['validateMove'] } },
      {
        what: 'a mesh in shared memory',
        uses: { 'navkiln/share': ['shareNavMesh', 'openSharedNavMesh', 'refreshSharedNavMesh'] },
      },
      { what: 'doors of a room over a shared mesh', uses: { 'navkiln/share': ['createMeshOverlay'] } },
      {
        what: 'path queries in threads (their script is a file of its own)',
        uses: { 'navkiln/worker': ['createPathService'] },
      },
      { what: 'a corridor for one character', uses: { 'navkiln/corridor': ['followPath', 'steerAlong'] } },
      { what: 'a path index', uses: { 'navkiln/index': ['buildPathIndex', 'findIndexedPath'] } },
      {
        what: 'a crowd',
        uses: { 'navkiln/crowd': CROWD },
      },
    ],
  },
  {
    title: 'Crowds',
    base: {
      what: 'load a mesh, find paths, run a core crowd',
      uses: { navkiln: ['findPath', 'loadNavMesh'], 'navkiln/crowd': CORE_CROWD },
    },
    rows: [
      { what: '`traffic`: dense crowds come to rest', uses: { 'navkiln/crowd': ['traffic'] } },
      { what: '`lanes`', uses: { 'navkiln/crowd': ['lanes'] } },
      { what: '`passages`', uses: { 'navkiln/crowd': ['passages'] } },
      { what: '`links`', uses: { 'navkiln/crowd': ['links'] } },
      { what: '`goalFields`: agents with one goal share a search', uses: { 'navkiln/crowd': ['goalFields'] } },
      { what: '`shortcuts`', uses: { 'navkiln/crowd': ['shortcuts'] } },
      { what: '`meshChanges`: the mesh may change', uses: { 'navkiln/crowd': ['meshChanges'] } },
      { what: '`repairs`: paths over changes of the mesh', uses: { 'navkiln/crowd': ['repairs'] } },
      { what: '`sleeping`', uses: { 'navkiln/crowd': ['sleeping'] } },
      { what: '`throttling`', uses: { 'navkiln/crowd': ['throttling'] } },
      { what: '`detours`', uses: { 'navkiln/crowd': ['detours'] } },
      { what: 'all of these (`createCrowd`)', uses: { 'navkiln/crowd': ['createCrowd'] } },
      { what: '`spacing`', uses: { 'navkiln/crowd': ['spacing'] } },
      { what: '`sampling`', uses: { 'navkiln/crowd': ['sampling'] } },
      { what: 'patrols', uses: { 'navkiln/crowd': ['patrolAgent'] } },
      { what: 'groups', uses: { 'navkiln/crowd': ['moveGroupTo'] } },
      { what: 'links with limited capacity', uses: { 'navkiln/crowd': ['links', 'setLinkTraffic'] } },
      { what: 'saving and restoring', uses: { 'navkiln/crowd': ['saveCrowd', 'restoreCrowd'] } },
      { what: 'snapshots in memory', uses: { 'navkiln/rollback': ['captureCrowd', 'rewindCrowd'] } },
      { what: 'recordings', uses: { 'navkiln/record': ['createRecorder', 'finishRecording'] } },
      { what: 'replays', uses: { 'navkiln/record': ['replay', 'compareRecordings'] } },
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
      {
        what: 'such obstacles at once',
        uses: {
          'navkiln/world': [
            'createWorld',
            'addLevel',
            'addObstacle',
            'moveObstacle',
            'updateWorld',
            'createProvisionalTiles',
          ],
        },
      },
      {
        what: 'the partitions monotone and layers',
        uses: { 'navkiln/build': ['monotonePartition', 'layersPartition'] },
      },
      { what: 'volumes: areas, names', uses: { 'navkiln/build': ['createVolumes'] } },
      { what: 'links', uses: { 'navkiln/build': ['createLinks'] } },
      { what: 'layers for worlds', uses: { 'navkiln/build': ['dynamicLayers'] } },
      { what: 'obstacles in the bake', uses: { 'navkiln/build': ['createObstacles'] } },
      { what: 'several sizes of agents on one mesh', uses: { 'navkiln/build': ['createAgentSizes'] } },
      { what: 'automatic links', uses: { 'navkiln/links': ['addAutoLinks'] } },
      {
        what: 'a crowd',
        uses: { 'navkiln/crowd': CROWD },
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
      { what: 'masks', uses: { 'navkiln/polygon': ['polygonsFromMask'] } },
      { what: 'SVG', uses: { 'navkiln/polygon': ['parseSvg'] } },
      {
        what: 'buildings of several levels',
        uses: { 'navkiln/polygon': ['parseGeoJsonLevels', 'buildFromLevels'] },
      },
      { what: 'taut paths where area costs differ', uses: { 'navkiln/kernel': ['tautenPath'] } },
      { what: 'outlines that nearly touch', uses: { 'navkiln/polygon': ['findNearMisses'] } },
      { what: 'passages that a radius closes', uses: { 'navkiln/polygon': ['findClosedPassages'] } },
      { what: 'any of these formats by its content', uses: { 'navkiln/polygon': ['readMap'] } },
      {
        what: 'Phaser',
        uses: { 'navkiln/phaser': ['mapFromLayers', 'drawGeometry', 'createAgentSprite', 'placeAgentSprite'] },
      },
    ],
  },
];

/** Parts of programs: what they are for, and their files and folders in `src`. */
const CONTENTS = [
  {
    title: 'Load a mesh and find paths',
    uses: { navkiln: ['findPath', 'loadNavMesh'] },
    parts: [
      ['checks of a loaded file', ['mesh/file/derive.ts', 'mesh/check', 'mesh/shape.ts']],
      [
        'the search for a corridor of polygons',
        ['query/path/a-star.ts', 'query/path/corridor.ts', 'query/search-state.ts'],
      ],
      ['the shortest line in the corridor', ['query/path/funnel.ts', 'query/path/portals.ts']],
      ['the nearest position, heights of the detail mesh', ['query/nearest/nearest.ts', 'mesh/ground.ts']],
      ['where a path to an unreachable goal ends', ['query/nearest/on-island.ts']],
      ['which parts of the mesh are connected', ['mesh/islands.ts']],
      ['filters: costs, flags, methods of the caller', ['query/filter.ts']],
      ['names of doors and sizes of agents', ['mesh/file/named-file.ts', 'mesh/sizes-file.ts', 'mesh/sizes.ts']],
      ['refusals of wrong arguments', ['base/data/refuse.ts', 'base/math/point.ts', 'mesh/check-mesh.ts']],
    ],
  },
  {
    title: 'Bake a level and find paths',
    uses: { navkiln: ['findPath'], 'navkiln/build': ['buildNavMesh'] },
    parts: [
      ['triangles to solid spans', ['build/voxel/rasterize']],
      [
        'spans to the walkable surface, erosion',
        [
          'build/voxel/field/filter.ts',
          'build/voxel/field/compact.ts',
          'build/voxel/field/erode.ts',
          'build/voxel/field/chamfer.ts',
          'build/voxel/field/distance.ts',
        ],
      ],
      [
        'regions: watershed',
        ['build/voxel/regions/watershed.ts', 'build/voxel/regions/merge.ts', 'build/voxel/regions/sort-smooth.ts'],
      ],
      ['outlines of regions', ['build/voxel/contours/contours.ts', 'build/voxel/contours/contour-holes.ts']],
      [
        'convex polygons',
        [
          'build/voxel/polymesh/polymesh.ts',
          'build/voxel/polymesh/polymesh-adjacency.ts',
          'build/voxel/polymesh/polymesh-merge.ts',
          'build/voxel/polymesh/split-concave.ts',
          'build/voxel/polymesh/triangulate.ts',
        ],
      ],
      [
        'heights: the detail mesh',
        ['build/voxel/detail/detail.ts', 'build/voxel/detail/triangulation.ts', 'build/voxel/detail/floor-height.ts'],
      ],
      ['tiles into the mesh, its tree', ['build/voxel/tile.ts', 'mesh/tiles/insert-tile.ts', 'mesh/tiles/bv-tree.ts']],
      [
        '`tileSize`: grid, borders, portals',
        ['build/voxel/build-tile-grid.ts', 'build/voxel/polymesh/polymesh-border.ts', 'mesh/tiles/portals.ts'],
      ],
      ['options and input: defaults, refusals', ['build/voxel/config.ts', 'build/voxel/input.ts']],
      ['path search', ['query']],
    ],
  },
  {
    title: 'Load a mesh, find paths, run a crowd',
    uses: { navkiln: ['findPath', 'loadNavMesh'], 'navkiln/crowd': CROWD },
    parts: [
      ['path corridors of agents', ['agents/corridor']],
      ['rays and sliding along the surface', ['query/ray', 'query/walk']],
      ['path searches within a budget, goal fields', ['agents/crowd/search']],
      ['neighbors and walls', ['agents/crowd/nearby']],
      ['avoidance: ORCA', ['agents/crowd/avoidance/orca.ts', 'agents/crowd/avoidance/orca-walls.ts']],
      ['lanes, and turns in narrow passages', ['agents/crowd/narrow/lanes.ts', 'agents/crowd/narrow/passages.ts']],
      [
        'arriving: settling, making room, giving up',
        [
          'agents/crowd/rest/arrive.ts',
          'agents/crowd/traffic/traffic.ts',
          'agents/crowd/traffic/keep-place.ts',
          'agents/crowd/rest/settle.ts',
          'agents/crowd/rest/settled-by.ts',
          'agents/crowd/traffic/yielding.ts',
          'agents/crowd/traffic/review.ts',
          'agents/crowd/traffic/go-around.ts',
          'agents/crowd/traffic/keep-place.ts',
          'agents/crowd/traffic/taken-goal.ts',
          'agents/crowd/narrow/fan-out.ts',
        ],
      ],
      ['links', ['agents/crowd/links/use-links.ts']],
      ['meshes that change under agents', ['agents/crowd/follow-mesh.ts', 'agents/corridor/rebase.ts']],
      ['options and orders: defaults, refusals', ['agents/crowd/state/options.ts', 'agents/crowd/orders']],
      ['loading a mesh', ['mesh/file/load.ts']],
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

/** Bundles a program. Returns its gzipped bytes. */
async function measure(folder, uses) {
  const input = join(folder, 'program.mjs');
  writeFileSync(input, programOf(uses));
  const bundle = await rolldown({ input, cwd: ROOT, logLevel: 'silent', external: ['three'] });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return gzipped(output[0].code);
}

const kilobytes = (bytes) => (bytes / 1024).toFixed(1);

/** Returns a module with the exports of another one, which do nothing. */
function emptied(code) {
  const names = [...code.matchAll(/^export (?:async )?(?:function\*?|const|let|class) ([\w$]+)/gm)];
  return names.map(([, name]) => `export function ${name}() {}`).join('\n');
}

/** Returns code without the texts of messages: strings of one line with a space. Numbers within a text go with it. */
function withoutTexts(code) {
  return code.replace(/`(?:[^`\\]|\\.)*`/g, (text) => (/^[^\n]* [^\n]*$/.test(text) && text.length > 16 ? '``' : text));
}

const gzipped = (code) => gzipSync(code, { level: 9 }).length;

/** Bundles a program from the sources without some of their files. Returns its code. */
async function bundleWithout(folder, uses, left) {
  const input = join(folder, 'program.mjs');
  writeFileSync(input, programOf(uses));
  const missing = left.filter((file) => !existsSync(join(SOURCES, file)));
  if (missing.length > 0) throw new Error(`sizes: no file ${missing.join(', ')}`);
  const bundle = await rolldown({
    input,
    cwd: ROOT,
    logLevel: 'silent',
    resolve: { conditionNames: [SOURCE_CONDITION, 'import', 'default'] },
    treeshake: { moduleSideEffects: (id) => id === input },
    plugins: [
      {
        name: 'leave-out',
        transform(code, id) {
          const path = relative(SOURCES, id).split(sep).join('/');
          const one = left.find((file) => path === file || path.startsWith(`${file}/`));
          return one === undefined ? null : { code: emptied(code) };
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output[0].code;
}

/** Returns the table of what a program contains. */
async function contentsOf(folder, { title, uses, parts }) {
  const code = await bundleWithout(folder, uses, []);
  const whole = gzipped(code);
  const lines = [`### ${title}`, '', '| part | KB |', '| --- | ---: |'];
  for (const [what, files] of parts) {
    lines.push(`| ${what} | ${kilobytes(whole - gzipped(await bundleWithout(folder, uses, files)))} |`);
  }
  const texts = kilobytes(whole - gzipped(withoutTexts(code)));
  return `${lines.join('\n')}\n\nThe texts of messages take ${texts} KB.`;
}

/** Replaces what stands between the markers of a command. */
function putBetween(page, name, tables) {
  const marked = new RegExp(`(<!-- written: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  return page.replace(marked, (_, from, to) => `${from}\n${tables.join('\n\n')}\n\n${to}`);
}

async function tableOf(folder, { title, base, rows }) {
  const first = await measure(folder, base.uses);
  const lines = [`### ${title}`, '', '| feature | KB | total |', '| --- | ---: | ---: |'];
  lines.push(`| **${base.what}** | | **${kilobytes(first)}** |`);
  for (const { what, uses } of rows) {
    const bytes = await measure(folder, joinUses(base.uses, uses));
    lines.push(`| + ${what} | ${kilobytes(bytes - first)} | ${kilobytes(bytes)} |`);
  }
  return lines.join('\n');
}

async function main() {
  requireNode();
  await install();
  await build();
  const folder = mkdtempSync(join(ROOT, 'out', 'sizes-'));
  try {
    const tables = [];
    for (const group of GROUPS) tables.push(await tableOf(folder, group));
    const contents = [];
    for (const one of CONTENTS) contents.push(await contentsOf(folder, one));
    const page = putBetween(readFileSync(PAGE, 'utf8'), 'npm run sizes', tables);
    writeFileSync(PAGE, putBetween(page, 'npm run sizes, contents', contents));
    console.log([...tables, ...contents].join('\n\n'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
