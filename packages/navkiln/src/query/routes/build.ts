/**
 * Builds the route graph of a mesh in tiles, and keeps it current.
 *
 * In: a mesh.
 * Out: a graph with one record per tile.
 * Cost: that of record/measure.ts for each new or changed tile. Finding these tiles is linear in the polygons.
 * Based on: own.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { linkLength } from '../../mesh/crossing.ts';
import { readSize } from '../../mesh/sizes.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import { LINK_ENABLED } from '../../mesh/types.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { checkGraph } from './check-graph.ts';
import { addEdgePair } from './edges.ts';
import { createRouteGraph, dropRouteTile, putRouteTile, routeSlotAt } from './graph.ts';
import { markBlocks } from './levels.ts';
import { hashTile, measureTile } from './record/measure.ts';
import type { RouteGraph, RouteLinks } from './types.ts';

/** The changes of `updateRouteGraph`. */
export interface RouteUpdate {
  /** Tiles whose records were measured again. */
  measuredTiles: number;
  /** Tiles whose records were removed. */
  removedTiles: number;
}

/** Options of `buildRouteGraph`. */
export interface RouteBuildOptions {
  /** On a mesh with sizes: the size that the graph serves. Default: the first. */
  size?: SizeLike;
}

/**
 * Returns the route graph of a mesh in tiles. On a mesh with sizes, it serves one size.
 *
 * Throws a RangeError for a mesh without tiles, unknown keys, and a size that the mesh does not have.
 */
export function buildRouteGraph(navMesh: NavMesh, options: RouteBuildOptions = {}): RouteGraph {
  checkNavMesh('buildRouteGraph', navMesh);
  checkKeys('buildRouteGraph', options, ['size']);
  const { tileSize } = navMesh;
  if (!(tileSize > 0))
    refuse('buildRouteGraph', 'navMesh.tileSize', tileSize, '> 0; bake with a tileSize, or see buildPathIndex');
  const size = options.size === undefined ? 0 : readSize('buildRouteGraph', navMesh, options.size);
  const graph = createRouteGraph(navMesh, 'mesh', navMesh.sizes.length === 0 ? -1 : size);
  updateGraph(graph, navMesh);
  return graph;
}

/**
 * Creates records of tiles that were added or have changed since the last update, and removes records of removed tiles.
 * Updates links and the states of names. If the mesh has not changed, the cost is one comparison. `findRoutedPath`
 * calls it.
 *
 * Throws a RangeError for a mesh whose tiles have another size or origin.
 */
export function updateRouteGraph(graph: RouteGraph, navMesh: NavMesh): RouteUpdate {
  checkGraph('updateRouteGraph', graph);
  checkNavMesh('updateRouteGraph', navMesh);
  const { origin, tileSize } = navMesh;
  if (tileSize !== graph.tileSize || graph.origin.some((value, k) => value !== origin[k]))
    refuse(
      'updateRouteGraph',
      'navMesh.tileSize',
      tileSize,
      'that of the mesh that the graph was built of, at its origin',
    );
  if (graph.size >= navMesh.sizes.length)
    refuse('updateRouteGraph', 'graph.size', graph.size, 'the place of a size in navMesh.sizes');
  return updateGraph(graph, navMesh);
}

function updateGraph(graph: RouteGraph, mesh: NavMesh): RouteUpdate {
  const done = { measuredTiles: 0, removedTiles: 0 };
  if (graph.meshRevision === mesh.revision) return done;
  const isNamed = mesh.groups.length > 0 || graph.closedNames.size > 0;
  if (isNamed) closeNames(graph, new Set(mesh.groups.flatMap(({ name, isEnabled }) => (isEnabled ? [] : [name]))));
  if (graph.source === 'mesh') measureChanged(graph, mesh, done);
  updateLinks(graph, mesh);
  graph.meshRevision = mesh.revision;
  return done;
}

/** Creates records of new and changed tiles, and removes records of removed tiles. */
function measureChanged(graph: RouteGraph, mesh: NavMesh, done: RouteUpdate): void {
  const seen = new Uint8Array(graph.tiles.length);
  for (let meshSlot = 0; meshSlot < mesh.tileSlotCount; meshSlot++) {
    if (mesh.tileState[meshSlot] !== 1) continue;
    const slot = routeSlotAt(graph, mesh.tileX[meshSlot], mesh.tileZ[meshSlot], mesh.tileLayer[meshSlot]);
    const hash = hashTile(mesh, meshSlot, graph.size);
    if (slot >= 0 && slot < seen.length) seen[slot] = 1;
    if (slot >= 0 && graph.tileHash[slot] === hash) continue;
    const put = putRouteTile(graph, measureTile(mesh, meshSlot, graph.rounding, graph.size), hash);
    if (put < seen.length) seen[put] = 1;
    done.measuredTiles++;
  }
  for (let slot = 0; slot < seen.length; slot++) {
    if (graph.tiles[slot] === undefined || seen[slot] === 1) continue;
    dropRouteTile(graph, slot);
    done.removedTiles++;
  }
}

/** Closes cells whose names are disabled, and opens all others. */
export function closeNames(graph: RouteGraph, closed: Set<string>): void {
  const before = graph.closedNames;
  const changed = new Set<string>();
  for (const name of closed) if (!before.has(name)) changed.add(name);
  for (const name of before) if (!closed.has(name)) changed.add(name);
  graph.closedNames = closed;
  if (changed.size === 0) return;
  graph.tiles.forEach((tile, slot) => {
    if (tile === undefined || !tile.cellName.some((name) => changed.has(name))) return;
    tile.cellName.forEach((name, cell) => {
      graph.cellFlags[graph.tileCell[slot] + cell] = closed.has(name) ? 0 : tile.cellFlags[cell];
    });
    markBlocks(graph, slot);
  });
}

/** Copies the links of a mesh into the graph, and joins their ends. */
function updateLinks(graph: RouteGraph, mesh: NavMesh): void {
  const { linkCount } = mesh;
  if (linkCount === 0 && graph.links.state.length === 0) return;
  const old = graph.links;
  const links: RouteLinks = {
    state: mesh.linkState
      .slice(0, linkCount)
      .map((state, link) => (fitsOn(graph, mesh, link) ? state : state & ~LINK_ENABLED)),
    flags: mesh.linkFlags.slice(0, linkCount),
    area: mesh.linkArea.slice(0, linkCount),
    length: Float64Array.from({ length: linkCount }, (_, link) => lengthOfLink(mesh, link)),
    gate: new Int32Array(2 * linkCount).fill(-1),
    scale: mesh.linkScale,
  };
  graph.tiles.forEach((tile, slot) => {
    tile?.gateRun.forEach((run, gate) => {
      if (run > -2 || -2 - run >= links.gate.length) return;
      const end = -2 - run;
      const found = graph.tileGate[slot] + gate;
      // Two neighboring tiles that were measured separately may both have the same end near their border.
      const isNearest =
        links.gate[end] < 0 ||
        distanceToEnd(graph, mesh, found, end) < distanceToEnd(graph, mesh, links.gate[end], end);
      if (isNearest) links.gate[end] = found;
    });
  });
  graph.links = links;
  for (let link = 0; link < Math.max(linkCount, old.state.length); link++) {
    const isSame =
      old.state[link] === links.state[link] &&
      old.flags[link] === links.flags[link] &&
      old.area[link] === links.area[link] &&
      old.length[link] === links.length[link];
    const [a, b] = [links.gate[2 * link] ?? -1, links.gate[2 * link + 1] ?? -1];
    const isJoined = a >= 0 && b >= 0 && findLinkEdge(graph, a, 2 * link) >= 0;
    if (isSame && isJoined === (a >= 0 && b >= 0)) continue;
    if (a >= 0 && b >= 0 && !isJoined) addEdgePair(graph, a, b, 0, 2 * link, true);
    for (const gate of [a, b]) if (gate >= 0) markBlocks(graph, graph.gateTile[gate]);
  }
}

/** Returns whether the size of the graph may use a link. */
function fitsOn({ size }: RouteGraph, { linkSizes }: NavMesh, link: number): boolean {
  return size < 0 || ((linkSizes[link] >> size) & 1) !== 0;
}

/** Returns the length of a link for routes. If an end is not on a loaded polygon, its given position is used. */
function lengthOfLink(mesh: NavMesh, link: number): number {
  const { linkPoly, linkPoints, linkCost } = mesh;
  if (linkCost[link] >= 0 || (linkPoly[2 * link] >= 0 && linkPoly[2 * link + 1] >= 0))
    return linkLength(mesh, 2 * link);
  let sum = 0;
  for (let k = 12 * link; k < 12 * link + 3; k++) {
    const d = (linkPoints[k] + linkPoints[k + 3] - linkPoints[k + 6] - linkPoints[k + 9]) / 2;
    sum += d * d;
  }
  return Math.sqrt(sum);
}

/** Returns the squared distance of a gate from the middle of the given position of a link end. */
function distanceToEnd(
  { gateX, gateY, gateZ }: RouteGraph,
  { linkPoints }: NavMesh,
  gate: number,
  end: number,
): number {
  let sum = 0;
  [gateX, gateY, gateZ].forEach((axis, k) => {
    const d = axis[gate] - (linkPoints[6 * end + k] + linkPoints[6 * end + 3 + k]) / 2;
    sum += d * d;
  });
  return sum;
}

function findLinkEdge({ gateEdge, edgeNext, edgeLink }: RouteGraph, gate: number, linkEnd: number): number {
  let edge = gateEdge[gate];
  while (edge >= 0 && edgeLink[edge] !== linkEnd) edge = edgeNext[edge];
  return edge;
}
