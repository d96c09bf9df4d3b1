/**
 * Blocks of tiles, and the gates that lead out of each block.
 *
 * Cost: linear in the gates of a block, after each change in it or next to it.
 * Based on: own.
 */
import { keyOfTile } from '../../mesh/tiles/tile-grid.ts';
import { grown } from './arrays.ts';
import type { RouteGraph, RouteLevel } from './types.ts';

/** Returns a level without blocks. */
export function createLevel(side: number): RouteLevel {
  return {
    side,
    ids: new Map(),
    tileBlock: new Int32Array(0),
    blockX: [],
    blockZ: [],
    gates: [],
    versions: [],
  };
}

/** Assigns a tile to its blocks. */
export function addToBlocks(graph: RouteGraph, slot: number): void {
  const { x, z } = graph.tiles[slot]!;
  for (const level of graph.levels) {
    const blockX = Math.floor(x / level.side);
    const blockZ = Math.floor(z / level.side);
    const key = keyOfTile(blockX, blockZ);
    let block = level.ids.get(key);
    if (block === undefined) {
      block = level.gates.length;
      level.ids.set(key, block);
      level.blockX.push(blockX);
      level.blockZ.push(blockZ);
      level.gates.push(undefined);
      level.versions.push(0);
    }
    level.tileBlock = grown(level.tileBlock, slot + 1, -1);
    level.tileBlock[slot] = block;
  }
}

/** Marks the blocks of a changed tile, and the blocks that its gates lead to, as changed. */
export function markBlocks(graph: RouteGraph, slot: number): void {
  graph.revision++;
  const { tileGate, gateEdge, gateTile, edgeNext, edgeTo } = graph;
  for (const level of graph.levels) markBlock(level, level.tileBlock[slot]);
  const end = tileGate[slot] + graph.tiles[slot]!.gatePoly.length;
  for (let gate = tileGate[slot]; gate < end; gate++) {
    for (let edge = gateEdge[gate]; edge >= 0; edge = edgeNext[edge]) {
      for (const level of graph.levels) markBlock(level, level.tileBlock[gateTile[edgeTo[edge]]]);
    }
  }
}

function markBlock(level: RouteLevel, block: number): void {
  level.versions[block]++;
  level.gates[block] = undefined;
}

/** Returns the gates of a block that lead out of it. */
export function gatesOfBlock(graph: RouteGraph, level: RouteLevel, block: number): Int32Array {
  const { side, tileBlock } = level;
  const known = level.gates[block];
  if (known !== undefined) return known;
  const { tiles, tileGate, gateEdge, gateTile, edgeNext, edgeTo, edgeMajor } = graph;
  const found: number[] = [];
  const firstX = side * level.blockX[block];
  const firstZ = side * level.blockZ[block];
  for (let z = firstZ; z < firstZ + side; z++) {
    for (let x = firstX; x < firstX + side; x++) {
      for (const slot of graph.slots.get(keyOfTile(x, z)) ?? []) {
        const end = tileGate[slot] + tiles[slot]!.gatePoly.length;
        for (let gate = tileGate[slot]; gate < end; gate++) {
          let isExit = false;
          for (let edge = gateEdge[gate]; edge >= 0 && !isExit; edge = edgeNext[edge])
            isExit = edgeMajor[edge] === 1 && tileBlock[gateTile[edgeTo[edge]]] !== block;
          if (isExit) found.push(gate);
        }
      }
    }
  }
  const gates = Int32Array.from(found);
  level.gates[block] = gates;
  return gates;
}
