/**
 * Costs of cheapest paths by brute force: a graph of points on all edges, portals and links, closely spaced, whose best path is then
 * moved by coordinate descent. It reads the arrays of a mesh and shares no code with the search.
 *
 *     point              every `spacing` on a gate, both ends included
 *     within a polygon   every pair of its points is joined, at the cost of its area
 *     link               joins the middles of its ends; a straight link joins opposite points
 *
 * Costs are seen from above, except those of links.
 */
import type { NavMesh } from '../../../src/mesh/types.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED, LINK_STRAIGHT } from '../../../src/mesh/types.ts';

type Plan = readonly [x: number, z: number];

/** What an agent may use, and at what cost. */
export interface OracleRules {
  areaCosts: ArrayLike<number>;
  includeFlags?: number;
  excludeFlags?: number;
  /** Index in `mesh.sizes`. */
  size?: number;
}

/** A gate: a segment between two polygons, and the same segment on the other side. */
interface Gate {
  polys: readonly [number, number];
  near: readonly [Plan, Plan];
  far: readonly [Plan, Plan];
  cost: number;
  isOneWay: boolean;
}

interface Node {
  gate: number;
  t: number;
}

export interface CheapestOracle {
  /** Returns the cost of the cheapest path from a start to each end; Infinity where no path leads. */
  costs(startPoly: number, start: Plan, ends: readonly { poly: number; point: Plan }[]): number[];
}

const mix = (a: Plan, b: Plan, t: number): Plan => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
const distance = (a: Plan, b: Plan): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

function gatesOf(mesh: NavMesh, rules: OracleRules): Gate[] {
  const gates: Gate[] = [];
  const { vertices, edgeVertex, edgeNeighbor, linkAnchors } = mesh;
  const { areaCosts, includeFlags = 0xffff, excludeFlags = 0, size = 0 } = rules;
  const isOpen = (flags: number, area: number, sizes: number): boolean =>
    (flags & includeFlags) !== 0 &&
    (flags & excludeFlags) === 0 &&
    areaCosts[area] !== Infinity &&
    (mesh.sizes.length === 0 || ((sizes >> size) & 1) !== 0);
  const isPolyOpen = (poly: number): boolean => isOpen(mesh.polyFlags[poly], mesh.polyArea[poly], mesh.polySizes[poly]);
  const vertex = (v: number): Plan => [vertices[3 * v], vertices[3 * v + 2]];
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    if (!isPolyOpen(poly)) continue;
    const first = mesh.polyEdgeStart[poly];
    const count = mesh.polyVertexCount[poly];
    const edge = (e: number): [Plan, Plan] => [
      vertex(edgeVertex[e]),
      vertex(edgeVertex[first + ((e - first + 1) % count)]),
    ];
    for (let e = first; e < first + count; e++) {
      const other = edgeNeighbor[e];
      if (other > poly && isPolyOpen(other)) {
        gates.push({ polys: [poly, other], near: edge(e), far: edge(e), cost: 0, isOneWay: false });
      }
    }
    for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
      const other = mesh.portalPoly[l];
      if (other <= poly || !isPolyOpen(other)) continue;
      const [a, b] = edge(mesh.portalEdge[l]);
      const part: [Plan, Plan] = [mix(a, b, mesh.portalSpan[2 * l]), mix(a, b, mesh.portalSpan[2 * l + 1])];
      gates.push({ polys: [poly, other], near: part, far: part, cost: 0, isOneWay: false });
    }
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    const state = mesh.linkState[link];
    const [from, to] = [mesh.linkPoly[2 * link], mesh.linkPoly[2 * link + 1]];
    if ((state & LINK_ENABLED) === 0 || from < 0 || to < 0 || !isPolyOpen(from) || !isPolyOpen(to)) continue;
    if (!isOpen(mesh.linkFlags[link], mesh.linkArea[link], mesh.linkSizes[link])) continue;
    const xyz = (k: number): number[] => [0, 1, 2].map((c) => linkAnchors[12 * link + 3 * k + c]);
    const points = [0, 1, 2, 3].map(xyz);
    const middle = (a: number[], b: number[]): number[] => a.map((v, c) => (v + b[c]) / 2);
    const [near, far] = [middle(points[0], points[1]), middle(points[2], points[3])];
    const length =
      mesh.linkCost[link] >= 0 ? mesh.linkCost[link] : Math.hypot(near[0] - far[0], near[1] - far[1], near[2] - far[2]);
    const plan = (p: number[]): Plan => [p[0], p[2]];
    const isStraight = (state & LINK_STRAIGHT) !== 0;
    gates.push({
      polys: [from, to],
      near: isStraight ? [plan(points[0]), plan(points[1])] : [plan(near), plan(near)],
      far: isStraight ? [plan(points[2]), plan(points[3])] : [plan(far), plan(far)],
      cost: length * areaCosts[mesh.linkArea[link]],
      isOneWay: (state & LINK_BOTH_WAYS) === 0,
    });
  }
  return gates;
}

export function createCheapestOracle(mesh: NavMesh, rules: OracleRules, spacing: number): CheapestOracle {
  const gates = gatesOf(mesh, rules);
  const nodes: Node[] = [];
  const atPoly: number[][] = Array.from({ length: mesh.polyCount }, () => []);
  gates.forEach((gate, g) => {
    const length = distance(...gate.near);
    const count = length === 0 ? 0 : Math.max(1, Math.ceil(length / spacing));
    for (let i = 0; i <= count; i++) {
      for (const poly of new Set(gate.polys)) atPoly[poly].push(nodes.length);
      nodes.push({ gate: g, t: count === 0 ? 0.5 : i / count });
    }
  });
  const weightOf = (poly: number): number => rules.areaCosts[mesh.polyArea[poly]];
  // Each node has a position on either side of its gate.
  const place = [0, 1].map((side) =>
    nodes.map(({ gate, t }) => mix(...(side === 0 ? gates[gate].near : gates[gate].far), t)),
  );
  // States: the node on side 0 or 1 of its gate.
  const size = 2 * nodes.length;
  const x = Float64Array.from({ length: size }, (_, state) => place[state & 1][state >> 1][0]);
  const z = Float64Array.from({ length: size }, (_, state) => place[state & 1][state >> 1][1]);
  // A link may have both ends on one polygon.
  const statesAt = atPoly.map((list, poly) =>
    Int32Array.from(
      list.flatMap((node) =>
        [0, 1].filter((side) => gates[nodes[node].gate].polys[side] === poly).map((s) => 2 * node + s),
      ),
    ),
  );
  const gateOf = Int32Array.from({ length: size }, (_, state) => nodes[state >> 1].gate);
  const cost = new Float64Array(size);
  const parent = new Int32Array(size);
  const isDone = new Uint8Array(size);

  function costs(startPoly: number, start: Plan, ends: readonly { poly: number; point: Plan }[]): number[] {
    cost.fill(Infinity);
    parent.fill(-1);
    isDone.fill(0);
    const keys: number[] = [];
    const states: number[] = [];
    const push = (key: number, state: number): void => {
      let i = keys.length;
      keys.push(key);
      states.push(state);
      while (i > 0 && keys[(i - 1) >> 1] > key) {
        keys[i] = keys[(i - 1) >> 1];
        states[i] = states[(i - 1) >> 1];
        i = (i - 1) >> 1;
      }
      keys[i] = key;
      states[i] = state;
    };
    const pop = (): number => {
      const top = states[0];
      const key = keys.pop()!;
      const state = states.pop()!;
      if (keys.length === 0) return top;
      let i = 0;
      for (let child = 1; child < keys.length; child = 2 * i + 1) {
        if (child + 1 < keys.length && keys[child + 1] < keys[child]) child++;
        if (keys[child] >= key) break;
        keys[i] = keys[child];
        states[i] = states[child];
        i = child;
      }
      keys[i] = key;
      states[i] = state;
      return top;
    };
    const offer = (state: number, value: number, from: number): void => {
      if (value >= cost[state]) return;
      cost[state] = value;
      parent[state] = from;
      push(value, state);
    };
    const spread = (poly: number, fromX: number, fromZ: number, value: number, by: number): void => {
      const weight = weightOf(poly);
      for (const state of statesAt[poly]) {
        if (isDone[state] === 1) continue;
        // Along its own gate, a path leads from point to point.
        if (by >= 0 && gateOf[state] === gateOf[by] && Math.abs(state - by) > 2) continue;
        const dx = x[state] - fromX;
        const dz = z[state] - fromZ;
        offer(state, value + weight * Math.sqrt(dx * dx + dz * dz), by);
      }
    };
    spread(startPoly, start[0], start[1], 0, -1);
    // The search ends when all points of the polygons of the ends are reached for good.
    const wanted = new Set(ends.flatMap(({ poly }) => [...statesAt[poly]]));
    while (keys.length > 0 && wanted.size > 0) {
      const state = pop();
      if (isDone[state] === 1) continue;
      isDone[state] = 1;
      wanted.delete(state);
      const side = state & 1;
      const gate = gates[gateOf[state]];
      if (side === 0 || !gate.isOneWay) offer(state ^ 1, cost[state] + gate.cost, state);
      spread(gate.polys[side], x[state], z[state], cost[state], state);
    }
    return ends.map(({ poly, point }) => {
      const weight = weightOf(poly);
      let best = poly === startPoly ? weight * distance(start, point) : Infinity;
      let last = -1;
      for (const node of atPoly[poly]) {
        for (const side of [0, 1]) {
          if (gates[nodes[node].gate].polys[side] !== poly) continue;
          const value = cost[2 * node + side] + weight * distance(place[side][node], point);
          if (value >= best) continue;
          best = value;
          last = 2 * node + side;
        }
      }
      return last < 0 ? best : Math.min(best, descend(last, parent, start, startPoly, point));
    });
  }

  /** Moves the points of the path that ends with a state, one after the other, to where its cost is least. */
  function descend(last: number, parent: Int32Array, start: Plan, startPoly: number, end: Plan): number {
    // Crossings in order: the gate, the share, the direction.
    const path: { gate: Gate; t: number; side: number }[] = [];
    let sum = 0;
    for (let state = last; state >= 0; state = parent[state]) {
      const before = parent[state];
      if (before >= 0 && before >> 1 === state >> 1) {
        const { gate, t } = nodes[state >> 1];
        path.unshift({ gate: gates[gate], t, side: before & 1 });
        sum += gates[gate].cost;
      }
    }
    const enter = ({ gate, t, side }: (typeof path)[0]): Plan => mix(...(side === 0 ? gate.near : gate.far), t);
    const leave = ({ gate, t, side }: (typeof path)[0]): Plan => mix(...(side === 0 ? gate.far : gate.near), t);
    const weights = [weightOf(startPoly), ...path.map(({ gate, side }) => weightOf(gate.polys[1 - side]))];
    const around = (i: number): number => {
      const from = i === 0 ? start : leave(path[i - 1]);
      const to = i === path.length - 1 ? end : enter(path[i + 1]);
      return weights[i] * distance(from, enter(path[i])) + weights[i + 1] * distance(leave(path[i]), to);
    };
    for (let sweep = 0; sweep < 12; sweep++) {
      for (let i = 0; i < path.length; i++) {
        let [low, high] = [Math.max(0, path[i].t - 0.5 ** sweep), Math.min(1, path[i].t + 0.5 ** sweep)];
        if (sweep > 6) [low, high] = [Math.max(0, path[i].t - 0.02), Math.min(1, path[i].t + 0.02)];
        const kept = path[i].t;
        const before = around(i);
        for (let k = 0; k < 24; k++) {
          const [a, b] = [low + (high - low) * 0.382, low + (high - low) * 0.618];
          path[i].t = a;
          const costA = around(i);
          path[i].t = b;
          if (costA < around(i)) high = b;
          else low = a;
        }
        path[i].t = (low + high) / 2;
        if (around(i) > before) path[i].t = kept;
      }
    }
    let from = start;
    path.forEach((crossing, i) => {
      sum += weights[i] * distance(from, enter(crossing));
      from = leave(crossing);
    });
    return sum + weights[path.length] * distance(from, end);
  }

  return { costs };
}
