/**
 * Opens gates: places their samples, and estimates what the rest of the path costs from each.
 *
 * A first search, from the start, has few samples. It guides a second one, from the end, with more samples: the cost at
 * which the first search reached a place estimates the rest of the path from there. So the second search visits only
 * places from which a cheaper path may lead to the start.
 *
 *     known gate         the cost from the roots that reached the two samples beside the place
 *     any other place    the least cost that the first search left out: its target less the estimate to the end
 *
 * In: a state, a mesh, a filter, a gate.
 * Out: its samples, with estimates.
 * Cost: linear in the samples.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import {
  BORDER,
  BY_COST,
  COUNT,
  FIRST,
  GATE_STRIDE,
  INNER,
  NUM_STRIDE,
  ROOT_COST,
  ROOT_X,
  ROOT_Z,
  SAMPLE_COST,
  SAMPLE_REST,
  SAMPLE_STRIDE,
  SAMPLE_X,
  SAMPLE_Z,
  STAMP,
  TWIN,
  WEIGHT,
  reserveSamples,
} from './state.ts';
import type { CheapestState } from './state.ts';

/** Most samples on a gate. */
export const MOST_SAMPLES = 64;
/**
 * Share of the costs of the first search that estimates take, since paths over few samples cost too much. With 0.95, two
 * queries in 6,012 miss a path that is more than 1 % cheaper.
 */
const TRUST = 0.88;
/** Offset in `SearchState.goal`: the factor of estimates. */
export const GOAL_SCALE = 3;

/** Cost of the polygon that is expanded, the limits of the cone, the ends of the current gate, the least cost of a root. */
export const span: Float64Array = new Float64Array(10);
export const POLY_COST = 0;
export const CONE_LEFT = 1;
export const CONE_RIGHT = 3;
export const END_RIGHT = 5;
export const END_LEFT = 7;
export const LEAST_COST = 9;

/** Returns the straight distance to the end at the least cost. */
export function estimateFrom({ goal }: CheapestState, x: number, z: number): number {
  const dx = x - goal[0];
  const dz = z - goal[2];
  return goal[GOAL_SCALE] * Math.sqrt(dx * dx + dz * dz);
}

/** Opens an edge whose ends are set, and its twin. */
export function openEdge(state: CheapestState, mesh: NavMesh, filter: QueryFilter, edge: number, other: number): void {
  placeSamples(state, mesh, filter, edge, other);
  const twin = twinOf(mesh, edge);
  state.gates[GATE_STRIDE * edge + TWIN] = twin;
  if (twin >= 0) shareGate(state, edge, twin);
}

/** Opens a portal, and the reverse portal. */
export function openPortal(state: CheapestState, mesh: NavMesh, filter: QueryFilter, portal: number): void {
  const gate = mesh.edgeCount + portal;
  placeSamples(state, mesh, filter, gate, mesh.portalPoly[portal]);
  shareGate(state, gate, mesh.edgeCount + mesh.portalBack[portal]);
}

/** Opens a link, which the path enters at a link end, with one sample for each of its shares. */
export function openLink({ gates, stamp }: CheapestState, gate: number, first: number, count: number): void {
  const g = GATE_STRIDE * gate;
  gates[g + STAMP] = stamp;
  gates[g + FIRST] = first;
  gates[g + COUNT] = count << 1;
  gates[g + TWIN] = -1;
}

/** Sets the ends of the current gate: the part of an edge at a portal. */
export function setPortalEnds(mesh: NavMesh, portal: number, edge: number, next: number): void {
  const { vertices, edgeVertex, portalSpan } = mesh;
  const from = portalSpan[2 * portal];
  const to = portalSpan[2 * portal + 1];
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const dx = vertices[b] - vertices[a];
  const dz = vertices[b + 2] - vertices[a + 2];
  span[END_RIGHT] = from === 0 ? vertices[a] : vertices[a] + from * dx;
  span[END_RIGHT + 1] = from === 0 ? vertices[a + 2] : vertices[a + 2] + from * dz;
  span[END_LEFT] = to === 1 ? vertices[b] : vertices[a] + to * dx;
  span[END_LEFT + 1] = to === 1 ? vertices[b + 2] : vertices[a + 2] + to * dz;
}

/** Returns the other side of an inner edge, or -1. */
function twinOf(mesh: NavMesh, edge: number): number {
  const { edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const other = edgeNeighbor[edge];
  const first = polyEdgeStart[other];
  const last = first + polyVertexCount[other] - 1;
  const vertex = edgeVertex[edge];
  for (let e = first; e <= last; e++) {
    if (edgeVertex[e === last ? first : e + 1] !== vertex || edgeNeighbor[e] < 0) continue;
    const start = polyEdgeStart[edgeNeighbor[e]];
    if (edge >= start && edge < start + polyVertexCount[edgeNeighbor[e]]) return e;
  }
  return -1;
}

/** Lets the other side of a gate have the same samples, which run from left to right there. */
function shareGate({ gates, stamp }: CheapestState, gate: number, other: number): void {
  const g = GATE_STRIDE * gate;
  const o = GATE_STRIDE * other;
  gates[g + TWIN] = other;
  gates[o + STAMP] = stamp;
  gates[o + FIRST] = gates[g + FIRST];
  gates[o + COUNT] = gates[g + COUNT] ^ 1;
  gates[o + TWIN] = gate;
}

/** Places the samples of a gate whose ends are set, unless the polygon behind is closed. */
function placeSamples(state: CheapestState, mesh: NavMesh, filter: QueryFilter, gate: number, other: number): void {
  const { gates } = state;
  const g = GATE_STRIDE * gate;
  gates[g + STAMP] = state.stamp;
  gates[g + FIRST] = -1;
  gates[g + COUNT] = 0;
  if (!passesFilter(filter, mesh, other)) return;
  const dx = span[END_LEFT] - span[END_RIGHT];
  const dz = span[END_LEFT + 1] - span[END_RIGHT + 1];
  const cost = span[POLY_COST];
  const otherCost = filter.areaCosts[mesh.polyArea[other]];
  const isBorder = otherCost !== cost;
  let spacing = state.spacing[isBorder ? BORDER : INNER];
  if (state.spacing[BY_COST] !== 0) spacing /= Math.max(cost, otherCost);
  else if (isBorder) spacing *= Math.sqrt(cost < otherCost ? cost / otherCost : otherCost / cost);
  const wanted = Math.ceil(Math.sqrt(dx * dx + dz * dz) / spacing);
  const count = wanted < MOST_SAMPLES ? Math.max(wanted + 1, 2) : MOST_SAMPLES;
  reserveSamples(state, count);
  const { samples, sampleOwner } = state;
  const first = state.sampleCount;
  state.sampleCount += count;
  gates[g + FIRST] = first;
  gates[g + COUNT] = count << 1;
  for (let i = 0; i < count; i++) {
    const t = i / (count - 1);
    const s = SAMPLE_STRIDE * (first + i);
    samples[s + SAMPLE_X] = span[END_RIGHT] + t * dx;
    samples[s + SAMPLE_Z] = span[END_RIGHT + 1] + t * dz;
    samples[s + SAMPLE_COST] = Infinity;
    samples[s + SAMPLE_REST] = estimateFrom(state, samples[s + SAMPLE_X], samples[s + SAMPLE_Z]);
    sampleOwner[first + i] = -1;
  }
  if (state.guide !== null) raiseRest(state, state.guide, gate);
}

/** Raises the estimates of the samples of a gate to what the search from the start says of them. */
function raiseRest({ gates, samples }: CheapestState, guide: CheapestState, gate: number): void {
  const g = GATE_STRIDE * gate;
  const first = gates[g + FIRST];
  const last = first + (gates[g + COUNT] >> 1) - 1;
  const isKnown = guide.gates[g + STAMP] === guide.stamp && guide.gates[g + FIRST] >= 0;
  const guideFirst = guide.gates[g + FIRST];
  const parts = (guide.gates[g + COUNT] >> 1) - 1;
  const isReversed = (guide.gates[g + COUNT] & 1) !== 0;
  for (let i = first; i <= last; i++) {
    const s = SAMPLE_STRIDE * i;
    const x = samples[s + SAMPLE_X];
    const z = samples[s + SAMPLE_Z];
    let cost = guide.target[2] - estimateFrom(guide, x, z);
    if (isKnown) {
      const share = (i - first) / (last - first);
      const part = guideFirst + Math.min(Math.floor((isReversed ? 1 - share : share) * parts), parts - 1);
      cost = Math.min(cost, costFromOwner(guide, part, x, z), costFromOwner(guide, part + 1, x, z));
    }
    if (cost * TRUST > samples[s + SAMPLE_REST]) samples[s + SAMPLE_REST] = cost * TRUST;
  }
}

/** Returns the cost to reach a place from the root that reached a sample beside it. */
function costFromOwner({ num, sampleOwner }: CheapestState, sample: number, x: number, z: number): number {
  const window = sampleOwner[sample];
  if (window < 0) return Infinity;
  const n = NUM_STRIDE * window;
  const dx = x - num[n + ROOT_X];
  const dz = z - num[n + ROOT_Z];
  return num[n + ROOT_COST] + num[n + WEIGHT] * Math.sqrt(dx * dx + dz * dz);
}

/** Returns the estimate for share k of a link of this cost, at the place (x, z) where the path enters it. */
// oxlint-disable-next-line max-params -- numbers
export function restOfLink(
  guide: CheapestState,
  gate: number,
  k: number,
  x: number,
  z: number,
  linkCost: number,
): number {
  const { gates, samples } = guide;
  const g = GATE_STRIDE * gate;
  const cost = guide.target[2] - estimateFrom(guide, x, z);
  if (gates[g + STAMP] !== guide.stamp || gates[g + FIRST] < 0) return TRUST * cost;
  return TRUST * Math.min(cost, samples[SAMPLE_STRIDE * (gates[g + FIRST] + k) + SAMPLE_COST] - linkCost);
}
