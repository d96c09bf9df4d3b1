/**
 * Joins gates of two cells of a tile, gates of tiles whose borders touch, and both ends of a link.
 *
 * Two runs of neighboring tiles touch where the tiles of a mesh would get portals (mesh/tiles/portals.ts): they overlap,
 * and in a common part their heights are close at one end or cross. Gates at the same position are joined. If there are
 * none, the nearest gates are joined, at a cost of their distance along the border.
 *
 * In: a graph, a tile of it.
 * Out: edges of the graph.
 * Cost: the number of runs of both tiles, times the number of runs of the same side.
 * Based on: own.
 */
import { keyOfTile } from '../../mesh/tiles/tile-grid.ts';
import { addEdgePair } from './edges.ts';
import { GATES_PER_SIDE } from './record/gates.ts';
import type { RouteGraph, RouteTile } from './types.ts';

/** Minimum distance between major edges of the same two cells, in sides of a tile. */
const MAJOR_SPACING = 1;

/** A possible major edge: both directed edges, and their position. */
interface Candidate {
  edges: readonly [number, number];
  cells: string;
  at: number;
}

/** Joins the gates between cells of one tile. */
export function joinInside(graph: RouteGraph, slot: number): void {
  const { pairs } = graph.tiles[slot]!;
  const first = graph.tileGate[slot];
  for (let i = 0; i < pairs.length; i += 2) addEdgePair(graph, first + pairs[i], first + pairs[i + 1], 0, -1, false);
}

/** Joins the gates of a tile with those of its neighbors. */
export function joinBorders(graph: RouteGraph, slot: number): void {
  const tile = graph.tiles[slot]!;
  for (let side = 0; side < 4; side++) {
    const x = tile.x + (side === 0 ? -1 : side === 2 ? 1 : 0);
    const z = tile.z + (side === 1 ? 1 : side === 3 ? -1 : 0);
    for (const other of graph.slots.get(keyOfTile(x, z)) ?? []) {
      // Always computed from the tile with smaller coordinates, so that the result is the same for any order of tiles.
      if (side === 1 || side === 2) joinSide(graph, slot, other, side);
      else joinSide(graph, other, slot, side ^ 2);
    }
  }
}

function joinSide(graph: RouteGraph, slot: number, otherSlot: number, side: number): void {
  const tile = graph.tiles[slot]!;
  const other = graph.tiles[otherSlot]!;
  const candidates: Candidate[] = [];
  const { runSide } = tile;
  for (let a = 0; a < runSide.length; a++) {
    if (runSide[a] !== side) continue;
    for (let b = 0; b < other.runSide.length; b++) {
      if (other.runSide[b] === (side ^ 2)) joinRuns(graph, candidates, slot, a, otherSlot, b);
    }
  }
  markMajor(graph, candidates);
}

/** Marks the edges that searches over blocks use: one between each two cells, or several that are far apart. */
function markMajor(graph: RouteGraph, candidates: readonly Candidate[]): void {
  const kept: Candidate[] = [];
  for (const one of candidates) {
    const isNear = ({ cells, at }: Candidate): boolean =>
      cells === one.cells && Math.abs(at - one.at) < MAJOR_SPACING * graph.tileSize;
    if (kept.some(isNear)) continue;
    kept.push(one);
    for (const edge of one.edges) graph.edgeMajor[edge] = 1;
  }
}

function heightAt({ runPoints, runStart }: RouteTile, run: number, t: number): number {
  let i = runStart[run];
  while (i + 2 < runStart[run + 1] && runPoints[2 * i + 2] < t) i++;
  const from = runPoints[2 * i];
  const share = (t - from) / (runPoints[2 * i + 2] - from);
  const y = runPoints[2 * i + 1];
  return y + Math.min(1, Math.max(0, share)) * (runPoints[2 * i + 3] - y);
}

// oxlint-disable-next-line max-params -- two runs, each a slot and a number
function joinRuns(
  graph: RouteGraph,
  candidates: Candidate[],
  slot: number,
  run: number,
  otherSlot: number,
  otherRun: number,
): void {
  const tile = graph.tiles[slot]!;
  const other = graph.tiles[otherSlot]!;
  const lowOf = ({ runPoints, runStart }: RouteTile, r: number): number => runPoints[2 * runStart[r]];
  const highOf = ({ runPoints, runStart }: RouteTile, r: number): number => runPoints[2 * runStart[r + 1] - 2];
  const low = Math.max(lowOf(tile, run), lowOf(other, otherRun));
  const high = Math.min(highOf(tile, run), highOf(other, otherRun));
  if (!(high - low > 2 * graph.rounding)) return;
  const stops = [low, high];
  for (const [{ runPoints, runStart }, r] of [
    [tile, run],
    [other, otherRun],
  ] as const) {
    for (let i = runStart[r]; i < runStart[r + 1]; i++) {
      const t = runPoints[2 * i];
      if (t > low && t < high) stops.push(t);
    }
  }
  stops.sort((a, b) => a - b);
  let begin = NaN;
  let rise = heightAt(tile, run, low) - heightAt(other, otherRun, low);
  for (let i = 1; i < stops.length; i++) {
    const next = heightAt(tile, run, stops[i]) - heightAt(other, otherRun, stops[i]);
    const isNear = Math.abs(rise) <= graph.reach || Math.abs(next) <= graph.reach || rise * next < 0;
    // Parts that exist only because of rounding touch nothing.
    if (isNear && stops[i] - stops[i - 1] > 2 * graph.rounding) {
      if (begin !== begin) begin = stops[i - 1];
    } else if (!isNear && begin === begin) {
      joinPart(graph, candidates, slot, run, otherSlot, otherRun, begin, stops[i - 1]);
      begin = NaN;
    }
    rise = next;
  }
  if (begin === begin) joinPart(graph, candidates, slot, run, otherSlot, otherRun, begin, high);
}

/** Joins the gates of two runs that touch from `low` to `high`. */
// oxlint-disable-next-line max-params -- two runs, each a slot and a number, and a part of them
function joinPart(
  graph: RouteGraph,
  candidates: Candidate[],
  slot: number,
  run: number,
  otherSlot: number,
  otherRun: number,
  low: number,
  high: number,
): void {
  const gates = gatesOfRun(graph, slot, run);
  const others = gatesOfRun(graph, otherSlot, otherRun);
  if (gates.length === 0 || others.length === 0) return;
  const middle = (low + high) / 2;
  const cells = `${graph.tiles[slot]!.runCell[run]} ${graph.tiles[otherSlot]!.runCell[otherRun]}`;
  const found: Candidate[] = [];
  const same = graph.tileSize / (64 * GATES_PER_SIDE);
  for (const [gate, at] of gates) {
    if (at < low || at > high) continue;
    for (const [otherGate, otherAt] of others) {
      if (Math.abs(at - otherAt) > same || otherAt < low || otherAt > high) continue;
      const edges = addEdgePair(graph, gate, otherGate, Math.abs(at - otherAt), -1, false);
      found.push({ edges, cells, at });
    }
  }
  if (found.length === 0) {
    const nearest = (list: [number, number][]): [number, number] =>
      list.reduce((best, one) => (Math.abs(one[1] - middle) < Math.abs(best[1] - middle) ? one : best));
    const [gate, at] = nearest(gates);
    const [otherGate, otherAt] = nearest(others);
    const cost = Math.abs(at - middle) + Math.abs(otherAt - middle);
    found.push({ edges: addEdgePair(graph, gate, otherGate, cost, -1, false), cells, at: middle });
  }
  found.sort((a, b) => Math.abs(a.at - middle) - Math.abs(b.at - middle) || a.at - b.at);
  candidates.push(found[0]);
}

/** Returns the gates of a run with their positions along the border. */
function gatesOfRun(graph: RouteGraph, slot: number, run: number): [number, number][] {
  const { cellGate, gateRun, gatePoint, runSide, runCell } = graph.tiles[slot]!;
  const axis = (runSide[run] & 1) === 1 ? 0 : 2;
  const out: [number, number][] = [];
  for (let gate = cellGate[runCell[run]]; gate < cellGate[runCell[run] + 1]; gate++) {
    if (gateRun[gate] === run) out.push([graph.tileGate[slot] + gate, gatePoint[3 * gate + axis]]);
  }
  return out;
}
