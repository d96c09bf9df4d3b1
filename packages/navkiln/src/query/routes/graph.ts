/**
 * Creates a route graph, and puts records of tiles into it.
 *
 * Cost: linear in the gates of the tile and of its neighbors.
 * Based on: own.
 */
import { keyOfTile } from '../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { DEFAULT_FILTER, sizedFilter } from '../filter.ts';
import { agentHalfExtents } from '../nearest/nearest.ts';
import { grown } from './arrays.ts';
import { removeEdge } from './edges.ts';
import { joinBorders, joinInside } from './join.ts';
import { addToBlocks, createLevel, markBlocks } from './levels.ts';
import { hairOf, roundingOf } from './rounding.ts';
import type { RouteGraph, RouteTile } from './types.ts';

/** Tiles along a side of a block, by level from 1. */
const BLOCK_SIDES = [4, 16];
/**
 * Ranges of gates and cells are rounded up to multiples of this, so that a changed tile usually finds a free range of
 * its size.
 */
const RANGE = 4;

/** Returns an empty graph for the tiles of a mesh, and for one of its sizes if it has any. */
export function createRouteGraph(mesh: NavMesh, source: RouteGraph['source'], size: number = -1): RouteGraph {
  const { origin, tileSize, agent } = mesh;
  const halfExtents = new Float64Array(3);
  agentHalfExtents(halfExtents, mesh, sizedFilter(DEFAULT_FILTER, Math.max(0, size)));
  return {
    source,
    origin: Float64Array.from(origin),
    tileSize,
    halfExtents,
    size,
    // The same reach as between tiles of a mesh (see mesh/tiles/portals.ts), plus an epsilon because records are in single
    // precision.
    reach: 2 * agent.maxClimb + hairOf(mesh) / 16,
    rounding: roundingOf(mesh, source),
    revision: 0,
    meshRevision: -1,
    tiles: [],
    slots: new Map(),
    freeSlots: [],
    tileHash: [],
    tileGate: [],
    tileCell: [],
    cellCount: 0,
    cellArea: new Uint8Array(0),
    cellFlags: new Uint16Array(0),
    gateCount: 0,
    gateX: new Float64Array(0),
    gateY: new Float64Array(0),
    gateZ: new Float64Array(0),
    gateTile: new Int32Array(0),
    gateCell: new Int32Array(0),
    gateEdge: new Int32Array(0),
    edgeCount: 0,
    edgeFree: -1,
    edgeTo: new Int32Array(0),
    edgeNext: new Int32Array(0),
    edgeCost: new Float64Array(0),
    edgeLink: new Int32Array(0),
    edgeMajor: new Uint8Array(0),
    freeGates: new Map(),
    freeCells: new Map(),
    links: {
      state: new Uint8Array(0),
      flags: new Uint16Array(0),
      area: new Uint8Array(0),
      length: new Float64Array(0),
      gate: new Int32Array(0),
      scale: 1,
    },
    closedNames: new Set(),
    levels: BLOCK_SIDES.map(createLevel),
    metrics: [],
  };
}

/** Returns the slot of the record of a tile, or -1. */
export function routeSlotAt(graph: RouteGraph, x: number, z: number, layer: number): number {
  for (const slot of graph.slots.get(keyOfTile(x, z)) ?? []) if (graph.tiles[slot]!.layer === layer) return slot;
  return -1;
}

/** Adds the record of a tile, or replaces it. Returns its slot. */
export function putRouteTile(graph: RouteGraph, tile: RouteTile, hash: number): number {
  const before = routeSlotAt(graph, tile.x, tile.z, tile.layer);
  if (before >= 0) dropRouteTile(graph, before);
  const slot = graph.freeSlots.pop() ?? graph.tiles.length;
  const key = keyOfTile(tile.x, tile.z);
  const list = graph.slots.get(key);
  if (list === undefined) graph.slots.set(key, [slot]);
  else list.push(slot);
  graph.tiles[slot] = tile;
  graph.tileHash[slot] = hash;
  graph.tileCell[slot] = takeCells(graph, tile);
  graph.tileGate[slot] = takeGates(graph, tile, slot);
  addToBlocks(graph, slot);
  joinInside(graph, slot);
  joinBorders(graph, slot);
  markBlocks(graph, slot);
  return slot;
}

/** Removes the record in a slot. */
export function dropRouteTile(graph: RouteGraph, slot: number): void {
  const tile = graph.tiles[slot]!;
  const { tileGate, tileCell, gateEdge, gateTile, links } = graph;
  markBlocks(graph, slot);
  const count = tile.gatePoly.length;
  for (let gate = tileGate[slot]; gate < tileGate[slot] + count; gate++) {
    while (gateEdge[gate] >= 0) removeEdge(graph, gate, gateEdge[gate]);
    const end = -2 - tile.gateRun[gate - tileGate[slot]];
    if (end >= 0 && links.gate[end] === gate) links.gate[end] = -1;
    gateTile[gate] = -1;
  }
  giveBack(graph.freeGates, count, tileGate[slot]);
  giveBack(graph.freeCells, tile.cellArea.length, tileCell[slot]);
  const key = keyOfTile(tile.x, tile.z);
  const left = graph.slots.get(key)!.filter((other) => other !== slot);
  if (left.length === 0) graph.slots.delete(key);
  else graph.slots.set(key, left);
  graph.tiles[slot] = undefined;
  graph.freeSlots.push(slot);
}

/** Arrays with a number per gate, edge and cell. */
const GATE_ARRAYS = ['gateX', 'gateY', 'gateZ', 'gateTile', 'gateCell', 'gateEdge'] as const;
const EDGE_ARRAYS = ['edgeTo', 'edgeNext', 'edgeCost', 'edgeLink', 'edgeMajor'] as const;
const CELL_ARRAYS = ['cellArea', 'cellFlags'] as const;

/** Shrinks the arrays of a graph to their used length. */
export function trimGraph(graph: RouteGraph): void {
  const trim = (
    names: readonly (typeof GATE_ARRAYS | typeof EDGE_ARRAYS | typeof CELL_ARRAYS)[number][],
    count: number,
  ): void => {
    for (const name of names) graph[name] = graph[name].slice(0, count) as never;
  };
  trim(GATE_ARRAYS, graph.gateCount);
  trim(EDGE_ARRAYS, graph.edgeCount);
  trim(CELL_ARRAYS, graph.cellCount);
}

function takeCells(graph: RouteGraph, { cellArea, cellFlags, cellName }: RouteTile): number {
  const first = takeRange(graph.freeCells, cellArea.length) ?? graph.cellCount;
  if (first === graph.cellCount) graph.cellCount += roundUp(cellArea.length);
  graph.cellArea = grown(graph.cellArea, graph.cellCount);
  graph.cellFlags = grown(graph.cellFlags, graph.cellCount);
  graph.cellArea.set(cellArea, first);
  cellFlags.forEach((flags, cell) => {
    graph.cellFlags[first + cell] = graph.closedNames.has(cellName[cell]) ? 0 : flags;
  });
  return first;
}

function takeGates(graph: RouteGraph, tile: RouteTile, slot: number): number {
  const { gatePoint, cellGate, gatePoly } = tile;
  const count = gatePoly.length;
  const first = takeRange(graph.freeGates, count) ?? graph.gateCount;
  if (first === graph.gateCount) graph.gateCount += roundUp(count);
  const { gateCount, origin, tileSize } = graph;
  for (const name of GATE_ARRAYS) graph[name] = grown(graph[name], gateCount) as never;
  for (let gate = 0; gate < count; gate++) {
    graph.gateX[first + gate] = origin[0] + tile.x * tileSize + gatePoint[3 * gate];
    graph.gateY[first + gate] = origin[1] + gatePoint[3 * gate + 1];
    graph.gateZ[first + gate] = origin[2] + tile.z * tileSize + gatePoint[3 * gate + 2];
  }
  graph.gateTile.fill(slot, first, first + count);
  graph.gateEdge.fill(-1, first, first + count);
  for (let cell = 0; cell + 1 < cellGate.length; cell++)
    graph.gateCell.fill(graph.tileCell[slot] + cell, first + cellGate[cell], first + cellGate[cell + 1]);
  return first;
}

function roundUp(count: number): number {
  return Math.ceil(count / RANGE) * RANGE;
}

function takeRange(free: Map<number, number[]>, count: number): number | undefined {
  return free.get(roundUp(count))?.pop();
}

function giveBack(free: Map<number, number[]>, count: number, first: number): void {
  const size = roundUp(count);
  if (size === 0) return;
  const list = free.get(size);
  if (list === undefined) free.set(size, [first]);
  else list.push(first);
}
