/**
 * `npm run soak -- index [--queries N] [--first SEED] [--scenes a,b] [--tiers table,labels,graph,overlay] [--changes N] [--links N]
 * [--seconds S]`: compares paths of the path index with those of the search.
 *
 * Each scene is built in one piece and, if it is a level, in tiles. N queries (default 100,000) are shared among them, from SEED
 * (default 1) on; a third of the ends lies on edges, another on vertices. A query passes when both paths have the same status, both
 * are exact or neither is, and their lengths differ by less than 1e-9. With `--changes N`, a tile is removed or put back, or
 * polygons are closed or opened, every N queries; paths that are not exact then only have to be paths. So do the paths of an overlay,
 * whose mean and largest excess length are printed. After every other change, the index is updated in slices, and must be exact again.
 * `--links N` adds as many links of all kinds to each mesh, and changes them. `--seconds` (default 3600) bounds the run. One line per
 * mesh counts outcomes. The exit status is 1 when a query fails, 2 for wrong arguments.
 *
 * In: the built packages. Out: text. Cost: about 0.2 ms a query, most of it the search.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { seeded } from '../seeded.mjs';

const OPTIONS = {
  queries: { type: 'string', default: '100000' },
  first: { type: 'string', default: '1' },
  scenes: { type: 'string', default: '' },
  tiers: { type: 'string', default: 'table,labels,graph,overlay' },
  changes: { type: 'string', default: '0' },
  links: { type: 'string', default: '0' },
  seconds: { type: 'string', default: '3600' },
};
const USAGE =
  'usage: npm run soak -- index [--queries N] [--first SEED] [--scenes a,b] [--tiers table,labels,graph,overlay] [--changes N] [--links N] [--seconds S]';
const TIERS = ['table', 'labels', 'graph', 'overlay'];
/** How many cells a tile is wide. */
const TILE_CELLS = 48;
const EXACT = 1e-9;
const HALF_EXTENTS = [0.3, 3, 0.3];

/** Returns the arguments as numbers and names, or undefined when they are wrong. */
function readArguments(args, names) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    return undefined;
  }
  const [queries, first, changes, links, seconds] = [
    values.queries,
    values.first,
    values.changes,
    values.links,
    values.seconds,
  ].map(Number);
  const scenes = values.scenes === '' ? names : values.scenes.split(',');
  const tiers = values.tiers.split(',');
  const isValid =
    Number.isInteger(queries) &&
    queries > 0 &&
    Number.isInteger(first) &&
    Number.isInteger(changes) &&
    changes >= 0 &&
    Number.isInteger(links) &&
    links >= 0 &&
    seconds > 0 &&
    scenes.every((name) => names.includes(name)) &&
    tiers.every((tier) => TIERS.includes(tier));
  return isValid ? { queries, first, changes, links, seconds, scenes, tiers } : undefined;
}

/** Tries to find an open polygon: of a mesh of two, both may be closed. */
const MAX_TRIES = 10_000;

/** Returns a position on a random polygon: inside, on an edge, or at a vertex; without an open polygon, the origin. */
function placeOn(mesh, next) {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const poly = Math.floor(next() * mesh.polyCount);
    const count = mesh.polyVertexCount[poly];
    if (mesh.tileState[mesh.polyTile[poly]] !== 1 || count === 0 || mesh.polyFlags[poly] === 0) continue;
    // A hole that a removed tile has left.
    if (poly - mesh.tilePolyStart[mesh.polyTile[poly]] >= mesh.tilePolyCount[mesh.polyTile[poly]]) continue;
    if (poly < mesh.tilePolyStart[mesh.polyTile[poly]]) continue;
    const kind = Math.floor(next() * 3);
    const k = Math.floor(next() * count);
    const weights = Array.from({ length: count }, () => (kind === 0 ? next() + 0.01 : 0));
    if (kind === 1) weights[(k + 1) % count] = next();
    if (kind >= 1) weights[k] = 1 - weights[(k + 1) % count];
    const sum = weights.reduce((a, b) => a + b);
    const point = [0, 0, 0];
    weights.forEach((weight, i) => {
      const vertex = mesh.edgeVertex[mesh.polyEdgeStart[poly] + i];
      for (let axis = 0; axis < 3; axis++) point[axis] += (weight / sum) * mesh.vertices[3 * vertex + axis];
    });
    return point;
  }
  return [0, 0, 0];
}

/** Adds links of all kinds between positions on the mesh. */
function addLinks({ addLink }, mesh, count, isMutual, next) {
  for (let i = 0; i < count; i++) {
    const cost = [undefined, 20 * next(), 0.1, 0][Math.floor(4 * next())];
    const bothWays = isMutual || next() < 0.5;
    addLink(mesh, { start: placeOn(mesh, next), end: placeOn(mesh, next), bothWays, cost });
  }
}

/** Closes or opens polygons, removes a tile or puts one back, or adds, removes, opens or closes a link. */
function change(library, mesh, removed, next) {
  const { addTile, refOf, removeTile, setFlags, listLinks, removeLink, setLinkEnabled } = library;
  const slot = Math.floor(next() * mesh.tileSlotCount);
  const links = listLinks(mesh);
  if (links.length > 0 && next() < 0.3) {
    const link = links[Math.floor(next() * links.length)];
    if (next() < 0.7) {
      setLinkEnabled(mesh, link, next() < 0.5);
    } else {
      removeLink(mesh, link);
      addLinks(library, mesh, 1, false, next);
    }
    return;
  }
  if (removed.length > 0 && next() < 0.2) {
    addTile(mesh, removed.pop());
  } else if (mesh.tileState[slot] !== 1) {
    return;
  } else if (mesh.tileSize > 0 && removed.length < 3 && next() < 0.4) {
    removed.push(tileOf(mesh, slot));
    removeTile(mesh, slot);
  } else {
    for (let i = 0; i < 3; i++) {
      const poly = mesh.tilePolyStart[slot] + Math.floor(next() * mesh.tilePolyCount[slot]);
      setFlags(mesh, refOf(mesh, poly), next() < 0.7 ? 0 : 1);
    }
  }
}

/** Returns a tile of a mesh, without its detail, as `addTile` takes it. */
function tileOf(mesh, slot) {
  const polys = mesh.tilePolyStart[slot];
  const polyCount = mesh.tilePolyCount[slot];
  const edges = mesh.tileEdgeStart[slot];
  const edgeEnd = edges + mesh.tileEdgeCount[slot];
  const vertices = mesh.tileVertexStart[slot];
  const vertexCount = mesh.tileVertexCount[slot];
  const starts = Array.from({ length: polyCount }, (_, p) => mesh.polyEdgeStart[polys + p] - edges);
  return {
    x: mesh.tileX[slot],
    z: mesh.tileZ[slot],
    layer: mesh.tileLayer[slot],
    vertexCount,
    polyCount,
    vertices: mesh.vertices.slice(3 * vertices, 3 * (vertices + vertexCount)),
    polyEdgeStart: Int32Array.of(...starts, edgeEnd - edges),
    polyArea: mesh.polyArea.slice(polys, polys + polyCount),
    polyFlags: mesh.polyFlags.slice(polys, polys + polyCount),
    edgeVertex: mesh.edgeVertex.slice(edges, edgeEnd).map((vertex) => vertex - vertices),
    edgeNeighbor: mesh.edgeNeighbor.slice(edges, edgeEnd).map((other) => (other < 0 ? other : other - polys)),
    polyDetailVertexStart: new Int32Array(polyCount + 1),
    polyDetailTriStart: new Int32Array(polyCount + 1),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  };
}

/** Returns the mean and the largest excess length as text, if there are any. */
function excessText(excess) {
  if (excess.length === 0) return '';
  const mean = excess.reduce((a, b) => a + b, 0) / excess.length;
  const largest = excess.reduce((a, b) => Math.max(a, b), 0);
  return `, ${excess.length} paths are longer by ${(100 * mean).toFixed(2)} % on average, ${(100 * largest).toFixed(1)} % at most`;
}

/** Runs the queries. Returns the exit status. */
export async function soak(args) {
  const library = { ...(await import('navkiln')), ...(await import('navkiln/kernel')) };
  const { findOptimalPath } = library;
  const { buildNavMesh } = await import('navkiln/build');
  const { buildFromPolygons } = await import('navkiln/polygon');
  const { buildPathIndex, findIndexedPath, updatePathIndex } = await import('navkiln/index');
  const { levelScenes, mapScenes } = await import('navkiln-scenes');
  const meshes = [
    ...levelScenes.flatMap(({ name, create, options }) =>
      [0, TILE_CELLS].map((cells) => ({
        name,
        cells,
        make: () => buildNavMesh(create(), { ...options, tileSize: cells * options.cellSize || undefined }).navMesh,
      })),
    ),
    ...mapScenes.map(({ name, create }) => ({ name, cells: 0, make: () => buildFromPolygons(create()).navMesh })),
  ];
  const names = [...new Set(meshes.map(({ name }) => name))];
  const options = readArguments(args, names);
  if (options === undefined) {
    console.error(`${USAGE}\nscenes: ${names.join(', ')}`);
    return 2;
  }
  const end = Date.now() + 1000 * options.seconds;
  const chosen = meshes.filter(({ name }) => options.scenes.includes(name));
  const share = Math.ceil(options.queries / chosen.length / options.tiers.length);
  let failures = 0;
  let total = 0;
  for (const { name, cells, make } of chosen) {
    const original = make();
    if (original.polyCount === 0) continue;
    for (const tier of options.tiers) {
      const mesh = structuredClone(original);
      const next = seeded(options.first);
      addLinks(library, mesh, options.links, tier === 'labels', next);
      const index = buildPathIndex(mesh, { tier, maxBytes: 2 ** 29 });
      const counts = { index: 0, search: 0, inexact: 0, failed: 0 };
      const removed = [];
      const excess = [];
      let worst = 0;
      let mayBeLonger = false;
      for (let i = 0; i < share && Date.now() < end; i++) {
        if (options.changes > 0 && i > 0 && i % options.changes === 0) {
          change(library, mesh, removed, next);
          mayBeLonger = (i / options.changes) % 2 === 1;
          const limits = { tier, maxBytes: 2 ** 29, maxCorners: 100 };
          if (!mayBeLonger) while (!updatePathIndex(index, mesh, limits));
        }
        const [a, b] = [placeOn(mesh, next), placeOn(mesh, next)];
        const want = findOptimalPath(mesh, a, b, { halfExtents: HALF_EXTENTS });
        const path = findIndexedPath(index, mesh, a, b, { halfExtents: HALF_EXTENTS, withPolys: i % 8 === 0 });
        // A link may be as long as the path on the surface.
        const error = Math.abs(path.cost - want.cost);
        counts[path.source]++;
        if (path.exact) worst = Math.max(worst, error);
        if (want.exact && !path.exact) counts.inexact++;
        // Once surface was added, a path of the index may be longer.
        const isOverlay = index.tier === 'overlay' && path.source === 'index';
        const isGrown = (mayBeLonger || isOverlay) && !path.exact && path.cost >= want.cost * (1 - EXACT);
        if (isOverlay && !path.exact && want.cost > 0) excess.push(path.cost / want.cost - 1);
        const isEqual = path.exact === want.exact && error <= EXACT * Math.max(1, want.cost);
        if (path.status === want.status && (isEqual || isGrown)) continue;
        counts.failed++;
        if (counts.failed <= 3) {
          console.log(`${name} ${cells} ${tier} seed ${options.first} query ${i} FAILED: ${JSON.stringify({ a, b })}`);
          console.log(`  ${path.status} ${path.exact} ${path.cost}, not ${want.status} ${want.exact} ${want.cost}`);
        }
      }
      failures += counts.failed;
      total += counts.index + counts.search;
      const size = `${mesh.polyCount} polygons, ${index.cornerCount} corners`;
      console.log(
        `${name}${cells > 0 ? ' in tiles' : ''}, ${index.tier}, ${size}: ${JSON.stringify(counts)}, worst ${worst}${excessText(excess)}`,
      );
    }
  }
  console.log(`${total} queries, ${failures} failed`);
  return failures > 0 ? 1 : 0;
}
