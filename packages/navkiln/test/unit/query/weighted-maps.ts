/** Random 2D maps with areas of several costs: roads, blobs of mud and water, obstacles. Seeded. */
import { polyIndexOf } from '../../../src/mesh/ref.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import type { QueryFilter } from '../../../src/query/filter.ts';
import type { Path } from '../../../src/query/path/result.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import type { PolygonMesh, PolygonMap } from '../../../src/build/polygon/options.ts';

/** Sets of costs: the first is that of roads, the others of blobs. */
export const COST_SETS: readonly (readonly number[])[] = [
  [3],
  [2, 5],
  [0.5, 3, 8],
  [0.2, 20],
  [0.3, 1.5, 4, 12],
  [20, 0.2, 1.01],
];

export interface WeightedMap {
  map: PolygonMap;
  costs: readonly number[];
}

export function weightedMap(
  random: () => number,
  costs: readonly number[],
  areas: number,
  obstacles: number,
): WeightedMap {
  const blob = (size: number): [number, number][] => {
    const [x, y] = [100 * random(), 100 * random()];
    const count = 4 + Math.floor(5 * random());
    const turn = random();
    return Array.from({ length: count }, (_, k) => {
      const radius = size * (0.6 + 0.4 * random());
      const angle = 2 * Math.PI * (turn + k / count);
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
  };
  const road = (): [number, number][] => {
    const [x, y, angle, length] = [100 * random(), 100 * random(), 2 * Math.PI * random(), 40 + 60 * random()];
    const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
    const width = 1 + 2 * random();
    const at = (along: number, beside: number): [number, number] => [
      x + along * ux - beside * uy,
      y + along * uy + beside * ux,
    ];
    return [at(0, 0), at(length, 0), at(length, width), at(0, width)];
  };
  const map: PolygonMap = {
    polygons: [
      {
        outline: [
          [0, 0],
          [100, 0],
          [100, 100],
          [0, 100],
        ],
      },
    ],
    obstacles: Array.from({ length: obstacles }, () => blob(3 + 5 * random())),
    areas: Array.from({ length: areas }, (_, i) => {
      const cost = costs[i % costs.length];
      return {
        name: `a${cost}`,
        cost,
        outline: cost < 1 || (costs.length > 1 && random() < 0.1) ? road() : blob(8 + 10 * random()),
      };
    }),
  };
  return { map, costs };
}

export function buildWeighted(
  map: PolygonMap,
  options: Parameters<typeof buildFromPolygons>[1] = {},
): PolygonMesh & { areaCosts: Record<number, number> } {
  return buildFromPolygons(map, options) as never;
}

/** The cost along the points of a path without steep ground, measured by locating short pieces of it; links are read from its polygons. */
export function costAlong(mesh: NavMesh, filter: QueryFilter, path: Path): number {
  // Each piece is cut where it crosses an edge of the path's polygons, and each part takes the cheapest polygon at its middle.
  const polys = path.polys.map((ref) => polyIndexOf(mesh, ref));
  const corners = (poly: number): [number, number][] => {
    const first = mesh.polyEdgeStart[poly];
    return Array.from({ length: mesh.polyVertexCount[poly] }, (_, k) => {
      const v = 3 * mesh.edgeVertex[first + k];
      return [mesh.vertices[v], mesh.vertices[v + 2]];
    });
  };
  const rings = [...new Set(polys)].map((poly) => ({
    ring: corners(poly),
    cost: filter.areaCosts[mesh.polyArea[poly]],
  }));
  const links = linksOf(mesh, filter, polys);
  let sum = 0;
  for (let i = 1; i < path.points.length; i++) {
    const [a, b] = [path.points[i - 1], path.points[i]];
    const link = links.find((l) => [l.from, l.to].every((end, k) => isOn(end, k === 0 ? a : b)));
    if (link !== undefined) {
      sum += link.cost;
      continue;
    }
    const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
    const cuts = new Set([0, 1]);
    for (const { ring } of rings) {
      ring.forEach((p, k) => {
        const q = ring[(k + 1) % ring.length];
        const [ex, ez] = [q[0] - p[0], q[1] - p[1]];
        const det = dx * ez - dz * ex;
        if (det === 0) return;
        const t = ((p[0] - a[0]) * ez - (p[1] - a[2]) * ex) / det;
        if (t > 0 && t < 1) cuts.add(t);
      });
    }
    const sorted = [...cuts].sort((s, t) => s - t);
    for (let k = 1; k < sorted.length; k++) {
      const middle = (sorted[k - 1] + sorted[k]) / 2;
      const [x, z] = [a[0] + middle * dx, a[2] + middle * dz];
      const near = rings.map(({ ring, cost }) => ({ cost, out: outside(ring, x, z) }));
      const least = Math.max(1e-6, Math.min(...near.map(({ out }) => out)));
      const cost = Math.min(...near.filter(({ out }) => out <= least).map((n) => n.cost));
      sum += cost * (sorted[k] - sorted[k - 1]) * Math.hypot(dx, dz);
    }
  }
  return sum;
}

/** How far a point is outside of a convex ring, at most 0 inside. */
function outside(ring: readonly [number, number][], x: number, z: number): number {
  let most = -Infinity;
  ring.forEach((p, k) => {
    const q = ring[(k + 1) % ring.length];
    const [ex, ez] = [q[0] - p[0], q[1] - p[1]];
    const length = Math.hypot(ex, ez);
    if (length > 0) most = Math.max(most, (ex * (z - p[1]) - ez * (x - p[0])) / length);
  });
  return most;
}

interface LinkWay {
  /** Two points each: the segments of the link. */
  from: number[];
  to: number[];
  cost: number;
}

function linksOf(mesh: NavMesh, filter: QueryFilter, polys: readonly number[]): LinkWay[] {
  const ways: LinkWay[] = [];
  for (let link = 0; link < mesh.linkCount; link++) {
    const [p, q] = [mesh.linkPoly[2 * link], mesh.linkPoly[2 * link + 1]];
    if (!polys.includes(p) || !polys.includes(q)) continue;
    const a = [...mesh.linkAnchors.subarray(12 * link, 12 * link + 6)];
    const b = [...mesh.linkAnchors.subarray(12 * link + 6, 12 * link + 12)];
    const middle = (s: number[]): number[] => [0, 1, 2].map((k) => (s[k] + s[3 + k]) / 2);
    const [m, n] = [middle(a), middle(b)];
    const length = mesh.linkCost[link] >= 0 ? mesh.linkCost[link] : Math.hypot(m[0] - n[0], m[1] - n[1], m[2] - n[2]);
    const cost = length * filter.areaCosts[mesh.linkArea[link]];
    ways.push({ from: a, to: b, cost }, { from: b, to: a, cost });
  }
  return ways;
}

function isOn(segment: readonly number[], point: readonly number[]): boolean {
  const [dx, dz] = [segment[3] - segment[0], segment[5] - segment[2]];
  const [px, pz] = [point[0] - segment[0], point[2] - segment[2]];
  const length = dx * dx + dz * dz;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + pz * dz) / length));
  return Math.hypot(px - t * dx, pz - t * dz) < 1e-7;
}
