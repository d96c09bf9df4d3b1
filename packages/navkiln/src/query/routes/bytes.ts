/** The size of a route graph. */
import { checkGraph } from './check-graph.ts';
import type { RouteGraph } from './types.ts';

/** Memory of a graph, bytes. */
export interface RouteGraphBytes {
  /** Records of tiles. */
  tiles: number;
  /** Gates, and edges that join the records. */
  gates: number;
  /** Lengths through blocks that were measured so far, for all filters. */
  blocks: number;
}

/** Returns the bytes of a graph's arrays. */
export function routeGraphBytes(graph: RouteGraph): RouteGraphBytes {
  checkGraph('routeGraphBytes', graph);
  const out = { tiles: 0, gates: bytesOf(graph), blocks: 0 };
  for (const tile of graph.tiles) if (tile !== undefined) out.tiles += bytesOf(tile);
  for (const { blocks, places } of graph.metrics) {
    for (const list of blocks) for (const block of list) if (block !== undefined) out.blocks += bytesOf(block);
    for (const place of places) out.blocks += place.byteLength;
  }
  return out;
}

function bytesOf(record: object): number {
  let sum = 0;
  for (const value of Object.values(record)) if (ArrayBuffer.isView(value)) sum += value.byteLength;
  return sum;
}
