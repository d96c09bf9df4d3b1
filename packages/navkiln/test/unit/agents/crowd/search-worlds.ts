/** Random worlds with tiles, two floors, areas, flags and links, and a plain search for the cheapest paths in them. */
import { setHeight } from '../../../../src/mesh/ground.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { addTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import type { Corridor } from '../../../../src/query/path/corridor.ts';
import { setCrossingEnds } from '../../../../src/mesh/crossing.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import type { QueryFilter } from '../../../../src/query/filter.ts';
import { seeded } from '../../meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../../mesh/tiled-meshes.ts';
import { waysOf } from '../../query/flood-oracle.ts';
import type { Way } from '../../query/flood-oracle.ts';

export type Vector = number[];

export interface SearchWorld {
  mesh: NavMesh;
  filter: QueryFilter;
  random: () => number;
  below: (n: number) => number;
  /** A point on any polygon. */
  spot: () => { poly: number; point: Float64Array };
}

const bumps = (x: number, z: number): number =>
  0.1 * x + 0.15 * Math.sin(13.7 * x + 5.1 * z) + 0.1 * Math.sin(3.3 * z - 7.7 * x);

export interface SearchWorldOptions {
  size?: number;
  links?: number;
  isPlain?: boolean;
}

export function searchWorld(
  seed: number,
  { size = 2, links = 6, isPlain = false }: SearchWorldOptions = {},
): SearchWorld {
  const random = seeded(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const mesh = tiledMesh();
  for (let x = 0; x < size; x++) {
    for (let z = 0; z < size; z++) {
      for (let layer = 0; layer < (isPlain ? 1 : 2); layer++) {
        const open = isPlain ? 0.95 : [0.95, 0.75][below(2)];
        addTile(
          mesh,
          squaresTile(
            x,
            z,
            layer,
            [2, 3, 4, 6][below(4)],
            () => random() < open,
            (a, b) => bumps(a, b) + 4 * layer,
          ),
        );
      }
    }
  }
  if (!isPlain) {
    for (let poly = 0; poly < mesh.polyCount; poly++) {
      mesh.polyArea[poly] = [63, 63, 1, 2][below(4)];
      mesh.polyFlags[poly] = [1, 1, 1, 1, 1, 2, 3, 0][below(8)];
    }
  }
  const spot = (): { poly: number; point: Float64Array } => {
    const poly = below(mesh.polyCount);
    const point = new Float64Array(3);
    let sum = 0;
    for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
      const weight = random() + 0.01;
      const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
      for (let axis = 0; axis < 3; axis++) point[axis] += weight * mesh.vertices[v + axis];
      sum += weight;
    }
    for (let axis = 0; axis < 3; axis++) point[axis] /= sum;
    setHeight(point, mesh, poly);
    return { poly, point };
  };
  for (let i = 0; i < links; i++) {
    const end = (): Vector | [Vector, Vector] => {
      const {
        point: [x, y, z],
      } = spot();
      return random() < 0.5
        ? [x, y, z]
        : [
            [x, y, z],
            [x + random(), y, z + random()],
          ];
    };
    addLink(mesh, {
      start: end(),
      end: end(),
      bothWays: random() < 0.5,
      area: [63, 3][below(2)],
      flags: [1, 1, 2][below(3)],
      enabled: random() < 0.85,
      ...(random() < 0.3 ? { cost: 3 * random() } : {}),
    });
  }
  const filter = createFilter({
    areaCosts: { 1: 0.5 + random(), 2: 1 + 4 * random(), 3: 2 },
    includeFlags: random() < 0.5 ? 0xffff : 1,
    excludeFlags: 0,
  });
  return { mesh, filter, random, below, spot };
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
const middleOf = ([a, b]: [Vector, Vector]): Vector => a.map((value, k) => (value + b[k]) * 0.5);

/** Returns the cost of a segment, by the filter's method or by the area of its polygon. */
export function segmentCost(
  filter: QueryFilter,
  mesh: NavMesh,
  [previous, poly, next]: readonly [number, number, number],
  from: ArrayLike<number>,
  to: ArrayLike<number>,
): number {
  const length = distance(from, to);
  if (filter.cost === undefined) return filter.areaCosts[mesh.polyArea[poly]] * length;
  return filter.cost(mesh, { previous, poly, next, from: Float64Array.from(from), to: Float64Array.from(to), length });
}

/** Returns the costs of cheapest paths from a start to points on all polygons: crossings relaxed until nothing changes. */
export function cheapestWays(
  { mesh, filter }: SearchWorld,
  start: { poly: number; point: Float64Array },
): (goal: { poly: number; point: Float64Array }) => number {
  const passes = (flags: number): boolean => (flags & filter.includeFlags) !== 0 && (flags & filter.excludeFlags) === 0;
  const usable = (way: Way): boolean =>
    passes(mesh.polyFlags[way.to]) && (way.link < 0 || passes(mesh.linkFlags[way.link]));
  const ways = waysOf(mesh).map((list) => list.filter(usable));
  const fromOf = new Map(ways.flatMap((list, poly) => list.map((way) => [way, poly] as const)));
  /** Returns whether a path leads back over the crossing of another one. */
  const isWayBack = (way: Way, on: Way): boolean =>
    on.to === fromOf.get(way) && on.link === way.link && distance(leaveAt(on), enterAt(way)) === 0;
  const cost = new Map<Way, number>();
  const leaveAt = (way: Way): Vector => middleOf(way.near);
  const enterAt = (way: Way): Vector => middleOf(way.far ?? way.near);
  const linkCost = (way: Way): number =>
    way.far === undefined
      ? 0
      : filter.areaCosts[mesh.linkArea[way.link]] *
        (mesh.linkCost[way.link] >= 0 ? mesh.linkCost[way.link] : distance(leaveAt(way), enterAt(way)));
  const relax = (way: Way, value: number): boolean => {
    if (value >= (cost.get(way) ?? Infinity)) return false;
    cost.set(way, value);
    return true;
  };
  let open = ways[start.poly].filter((way) =>
    relax(way, segmentCost(filter, mesh, [-1, start.poly, way.to], start.point, leaveAt(way)) + linkCost(way)),
  );
  while (open.length > 0) {
    const next: Way[] = [];
    for (const way of open) {
      for (const on of ways[way.to]) {
        if (isWayBack(way, on)) continue;
        const value =
          cost.get(way)! +
          segmentCost(filter, mesh, [fromOf.get(way)!, way.to, on.to], enterAt(way), leaveAt(on)) +
          linkCost(on);
        if (relax(on, value)) next.push(on);
      }
    }
    open = next;
  }
  return (goal) => {
    let best = Infinity;
    for (const [way, value] of cost) {
      if (way.to === goal.poly)
        best = Math.min(
          best,
          value + segmentCost(filter, mesh, [fromOf.get(way)!, goal.poly, -1], enterAt(way), goal.point),
        );
    }
    return best;
  };
}

/** Returns the violations of a corridor, and its cost over the middles of its crossings. */
export function measureCorridor(
  { mesh, filter }: { mesh: NavMesh; filter: QueryFilter },
  corridor: Corridor,
  start: Float64Array,
  goal: Float64Array,
): { cost: number; problem: string } {
  let at: ArrayLike<number> = start;
  let cost = 0;
  let problem = '';
  const { polys, crossings, count } = corridor;
  const ends = new Float64Array(6);
  for (let i = 0; i + 1 < count; i++) {
    const crossing = crossings[i];
    let enter: Vector;
    let leave: Vector;
    let extra = 0;
    if (crossing < -2 && crossing % 2 !== 0) {
      const linkEnd = (-3 - crossing) / 2;
      const end = (h: number): Vector =>
        [0, 1, 2].map((k) => (mesh.linkAnchors[6 * h + k] + mesh.linkAnchors[6 * h + 3 + k]) / 2);
      leave = end(linkEnd);
      enter = end(linkEnd ^ 1);
      const counted = mesh.linkCost[linkEnd >> 1];
      extra = filter.areaCosts[mesh.linkArea[linkEnd >> 1]] * (counted >= 0 ? counted : distance(leave, enter));
      if (mesh.linkPoly[linkEnd] !== polys[i] || mesh.linkPoly[linkEnd ^ 1] !== polys[i + 1])
        problem = `link ${linkEnd >> 1}`;
      if (linkEnd % 2 === 1 && (mesh.linkState[linkEnd >> 1] & 4) === 0) problem = `link ${linkEnd >> 1} backwards`;
      if ((mesh.linkState[linkEnd >> 1] & 2) === 0) problem = `link ${linkEnd >> 1} is closed`;
    } else {
      setCrossingEnds(ends, mesh, polys[i], crossing);
      leave = enter = [0, 1, 2].map((k) => (ends[k] + ends[3 + k]) / 2);
      const to = crossing >= 0 ? mesh.edgeNeighbor[crossing] : mesh.portalPoly[(-2 - crossing) / 2];
      if (to !== polys[i + 1]) problem = `crossing ${i} leads to ${to}, not ${polys[i + 1]}`;
      const edge = crossing >= 0 ? crossing : mesh.portalEdge[(-2 - crossing) / 2];
      if (
        edge < mesh.polyEdgeStart[polys[i]] ||
        edge >= mesh.polyEdgeStart[polys[i]] + mesh.polyVertexCount[polys[i]]
      ) {
        problem = `crossing ${i} is not of its polygon`;
      }
    }
    cost += segmentCost(filter, mesh, [i > 0 ? polys[i - 1] : -1, polys[i], polys[i + 1]], at, leave) + extra;
    at = enter;
  }
  cost += segmentCost(filter, mesh, [count > 1 ? polys[count - 2] : -1, polys[count - 1], -1], at, goal);
  return { cost, problem };
}

export { TILE };
