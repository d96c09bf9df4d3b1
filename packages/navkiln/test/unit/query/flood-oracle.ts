/**
 * A simple implementation of floods: a list of all crossings, a scan for the cheapest open polygon. Shared by the
 * tests of floods.
 */
import { setCrossingEnds } from '../../../src/mesh/crossing.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import type { QueryFilter } from '../../../src/query/filter.ts';

type Vector = number[];

export interface Way {
  to: number;
  /** Both ends of what is crossed; of a link, of its near and its far end. */
  near: [Vector, Vector];
  far?: [Vector, Vector];
  link: number;
}

const passes = (flags: number, filter: QueryFilter): boolean =>
  (flags & filter.includeFlags) !== 0 && (flags & filter.excludeFlags) === 0;

/** Ways from each polygon to others, whatever the filter: edges, then portals, then links. */
export function waysOf(mesh: NavMesh): Way[][] {
  const ways: Way[][] = Array.from({ length: mesh.polyCount }, () => []);
  const corner = (v: number): Vector => [0, 1, 2].map((k) => mesh.vertices[3 * v + k]);
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const n = mesh.polyVertexCount[poly];
    for (let k = 0; k < n; k++) {
      const e = mesh.polyEdgeStart[poly] + k;
      const next = mesh.polyEdgeStart[poly] + ((k + 1) % n);
      if (mesh.edgeNeighbor[e] < 0) continue;
      ways[poly].push({
        to: mesh.edgeNeighbor[e],
        near: [corner(mesh.edgeVertex[e]), corner(mesh.edgeVertex[next])],
        link: -1,
      });
    }
    for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
      const ends = new Float64Array(6);
      setCrossingEnds(ends, mesh, poly, -2 - 2 * l);
      ways[poly].push({
        to: mesh.portalPoly[l],
        near: [Array.from(ends.subarray(0, 3)), Array.from(ends.subarray(3))],
        link: -1,
      });
    }
  }
  const end = (linkEnd: number): [Vector, Vector] => [
    Array.from(mesh.linkAnchors.subarray(6 * linkEnd, 6 * linkEnd + 3)),
    Array.from(mesh.linkAnchors.subarray(6 * linkEnd + 3, 6 * linkEnd + 6)),
  ];
  for (let link = 0; link < mesh.linkCount; link++) {
    const [a, b] = [mesh.linkPoly[2 * link], mesh.linkPoly[2 * link + 1]];
    if ((mesh.linkState[link] & 2) === 0 || a < 0 || b < 0) continue;
    ways[a].push({ to: b, near: end(2 * link), far: end(2 * link + 1), link });
    if ((mesh.linkState[link] & 4) !== 0) ways[b].push({ to: a, near: end(2 * link + 1), far: end(2 * link), link });
  }
  return ways;
}

export interface PlainFlood {
  polys: number[];
  costs: number[];
  parents: number[];
}

export interface PlainOptions {
  maxCost?: number;
  isByLength?: boolean;
  touches?: (a: Vector, b: Vector) => boolean;
}

const middleOf = ([a, b]: [Vector, Vector]): Vector => a.map((value, k) => value + (b[k] - value) / 2);
const between = (a: Vector, b: Vector): number => Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]) ** 2, 0));

export function plainFlood(
  mesh: NavMesh,
  ways: Way[][],
  filter: QueryFilter,
  start: number,
  point: ArrayLike<number>,
  options: PlainOptions = {},
): PlainFlood {
  const { maxCost = Infinity, isByLength = false, touches = () => true } = options;
  const price = (area: number): number => (isByLength ? 1 : filter.areaCosts[area]);
  const open = new Map([[start, { cost: 0, at: Array.from(point), parent: -1 }]]);
  const out: PlainFlood = { polys: [], costs: [], parents: [] };
  while (open.size > 0) {
    const [poly, node] = [...open].reduce((best, one) =>
      one[1].cost < best[1].cost || (one[1].cost === best[1].cost && one[0] < best[0]) ? one : best,
    );
    open.delete(poly);
    out.polys.push(poly);
    out.costs.push(node.cost);
    out.parents.push(out.polys.indexOf(node.parent));
    for (const way of ways[poly]) {
      if (out.polys.includes(way.to) || !passes(mesh.polyFlags[way.to], filter)) continue;
      if (way.link >= 0 && !passes(mesh.linkFlags[way.link], filter)) continue;
      if (!touches(...way.near) || (way.far && !touches(...way.far))) continue;
      const known = open.get(way.to);
      let at = known?.at ?? middleOf(way.near);
      let cost = node.cost;
      if (way.far) {
        at = middleOf(way.far);
        const length = mesh.linkCost[way.link] >= 0 ? mesh.linkCost[way.link] : between(middleOf(way.near), at);
        cost +=
          between(node.at, middleOf(way.near)) * price(mesh.polyArea[poly]) + length * price(mesh.linkArea[way.link]);
      } else {
        cost += between(node.at, at) * price(mesh.polyArea[poly]);
      }
      if (cost <= maxCost && !(known && known.cost <= cost)) open.set(way.to, { cost, at, parent: poly });
    }
  }
  return out;
}
