/**
 * A slow oracle for shortest paths: maps of open and closed unit cells, whose corners see each other or do not, and
 * Dijkstra over these corners. It uses whole numbers only (positions in parts of a cell) and no mesh. A cell is
 * entered over its edges only, so two closed cells that touch in a corner leave two corners there, one in each open
 * sector.
 */
import { tileOf } from '../meshes.ts';
import type { PolySpec } from '../meshes.ts';
import type { TileData } from '../../../src/mesh/types.ts';

/** Parts of a cell. */
export const PARTS = 8;

export interface CellMap {
  width: number;
  depth: number;
  isOpen: (x: number, z: number) => boolean;
}

/** x' = a x + b z, z' = c x + d z. With whole numbers, meshes are exact. */
export type Shape = readonly [number, number, number, number];

export function randomMap(random: () => number, width: number, depth: number, share: number): CellMap {
  const open = Array.from({ length: width * depth }, () => random() < share);
  return { width, depth, isOpen: (x, z) => x >= 0 && z >= 0 && x < width && z < depth && open[z * width + x] };
}

/** The map as a mesh: cells merged to rectangles at random, some cut in two, all in random order and turned at random. */
export function meshTileOf(
  map: CellMap,
  shape: Shape,
  random: () => number,
  merge: number,
  cut: number,
  scale = 1,
  shift = 0,
): TileData {
  const { width, depth } = map;
  const vertices: number[][] = [];
  for (let z = 0; z <= depth; z++) {
    for (let x = 0; x <= width; x++) {
      vertices.push([(shape[0] * x + shape[1] * z) * scale + shift, 0, (shape[2] * x + shape[3] * z) * scale + shift]);
    }
  }
  return tileOf(vertices, polysOf(map, random, merge, cut));
}

/** Polygons of a map; vertex z * (width + 1) + x is the corner x, z. */
export function polysOf(map: CellMap, random: () => number, merge: number, cut: number): PolySpec[] {
  const { width, depth, isOpen } = map;
  const id = (x: number, z: number): number => z * (width + 1) + x;
  const taken = new Set<number>();
  const isFree = (x: number, z: number): boolean => isOpen(x, z) && !taken.has(id(x, z));
  const polys: PolySpec[] = [];
  for (let z = 0; z < depth; z++) {
    for (let x = 0; x < width; x++) {
      if (!isFree(x, z)) continue;
      let [w, d] = [1, 1];
      while (random() < merge && isFree(x + w, z)) w++;
      while (random() < merge && Array.from({ length: w }, (_, i) => isFree(x + i, z + d)).every(Boolean)) d++;
      for (let i = 0; i < w; i++) for (let k = 0; k < d; k++) taken.add(id(x + i, z + k));
      const ring: number[] = [];
      for (let k = 0; k < d; k++) ring.push(id(x, z + k));
      for (let i = 0; i < w; i++) ring.push(id(x + i, z + d));
      for (let k = d; k > 0; k--) ring.push(id(x + w, z + k));
      for (let i = w; i > 0; i--) ring.push(id(x + i, z));
      if (random() < cut) {
        const half = ring.length / 2;
        polys.push({ corners: ring.slice(0, half + 1) }, { corners: [...ring.slice(half), ring[0]] });
      } else {
        polys.push({ corners: ring });
      }
    }
  }
  // A cut through corners in a row would be flat; those of rectangles never are, as they lead from corner to corner.
  for (const poly of polys) {
    const turn = Math.floor(random() * poly.corners.length);
    poly.corners = [...poly.corners.slice(turn), ...poly.corners.slice(0, turn)];
  }
  for (let i = polys.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [polys[i], polys[k]] = [polys[k], polys[i]];
  }
  return polys;
}

interface Stand {
  x: number;
  z: number;
  /** Cells it stands in, all connected around it. */
  cells: readonly number[];
}

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));

export interface Oracle {
  /**
   * Length of the shortest path between two positions (in parts of a cell), in units of the shaped map; Infinity:
   * none.
   */
  distance(ax: number, az: number, bx: number, bz: number): number;
  /** Returns whether the position is on open surface, its outline included. */
  isOn(x: number, z: number): boolean;
  /** Returns whether a straight walk from one position to the other is possible. */
  isStraight(ax: number, az: number, bx: number, bz: number): boolean;
}

export function createOracle(map: CellMap, shape: Shape): Oracle {
  const { width, depth, isOpen } = map;
  const cellId = (x: number, z: number): number => (isOpen(x, z) ? z * width + x : -1);

  /**
   * Returns the open cells at a position whose coordinates are numerators over `unit`, in groups connected around it.
   */
  function groupsAt(x: number, z: number, unit: number): number[][] {
    const xs = x % unit === 0 ? [x / unit - 1, x / unit] : [Math.floor(x / unit)];
    const zs = z % unit === 0 ? [z / unit - 1, z / unit] : [Math.floor(z / unit)];
    const ring =
      xs.length === 2 && zs.length === 2
        ? [
            [xs[0], zs[0]],
            [xs[1], zs[0]],
            [xs[1], zs[1]],
            [xs[0], zs[1]],
          ]
        : xs.flatMap((cx) => zs.map((cz) => [cx, cz]));
    const ids = ring.map(([cx, cz]) => cellId(cx, cz));
    const groups: number[][] = [];
    ids.forEach((cell, i) => {
      if (cell < 0) return;
      if (i > 0 && ids[i - 1] >= 0) groups.at(-1)!.push(cell);
      else groups.push([cell]);
    });
    if (ids.length === 4 && groups.length > 1 && ids[0] >= 0 && ids[3] >= 0) groups[0].push(...groups.pop()!);
    return groups;
  }

  /**
   * Returns whether the line from a to b stays in open cells: at each grid line it passes, the cells there must be
   * connected.
   */
  function sees(a: Stand, b: Stand): boolean {
    const [dx, dz] = [b.x - a.x, b.z - a.z];
    if (dx === 0 && dz === 0) return a.cells.some((cell) => b.cells.includes(cell));
    // Places along the way where a grid line is met, as fractions n / d.
    const cuts: [number, number][] = [];
    for (const [from, step] of [
      [a.x, dx],
      [a.z, dz],
    ]) {
      if (step === 0) continue;
      const [low, high] = step > 0 ? [from, from + step] : [from + step, from];
      for (let line = Math.floor(low / PARTS) + 1; line * PARTS < high; line++) {
        const n = (line * PARTS - from) * Math.sign(step);
        const d = Math.abs(step);
        const g = gcd(n, d);
        cuts.push([n / g, d / g]);
      }
    }
    cuts.sort((p, q) => p[0] * q[1] - q[0] * p[1]);
    const places = cuts.filter((cut, i) => i === 0 || cut[0] !== cuts[i - 1][0] || cut[1] !== cuts[i - 1][1]);
    const stops: [number, number][] = [[0, 1], ...places, [1, 1]];
    let before = a.cells;
    for (let i = 0; i + 1 < stops.length; i++) {
      // The middle of a stretch lies in a cell, or on the edge of two.
      const [[n, d], [m, e]] = [stops[i], stops[i + 1]];
      const unit = 2 * d * e;
      const t = n * e + m * d;
      const within = groupsAt(a.x * unit + dx * t, a.z * unit + dz * t, unit * PARTS).flat();
      if (!within.some((cell) => before.includes(cell))) return false;
      if (i + 2 < stops.length) {
        const at = groupsAt(a.x * e + dx * m, a.z * e + dz * m, e * PARTS);
        const group = at.find((cells) => cells.some((cell) => within.includes(cell)));
        if (group === undefined) return false;
        before = group;
      } else {
        return within.some((cell) => b.cells.includes(cell));
      }
    }
    return false;
  }

  const length = (a: Stand, b: Stand): number => {
    const [x, z] = [(b.x - a.x) / PARTS, (b.z - a.z) / PARTS];
    return Math.hypot(shape[0] * x + shape[1] * z, shape[2] * x + shape[3] * z);
  };

  const corners: Stand[] = [];
  for (let z = 0; z <= depth; z++) {
    for (let x = 0; x <= width; x++) {
      for (const cells of groupsAt(x, z, 1))
        if (cells.length === 3) corners.push({ x: x * PARTS, z: z * PARTS, cells });
    }
  }
  const near: [number, number][][] = corners.map(() => []);
  corners.forEach((a, i) =>
    corners.forEach((b, k) => {
      if (k <= i || !sees(a, b)) return;
      near[i].push([k, length(a, b)]);
      near[k].push([i, length(a, b)]);
    }),
  );

  const standsAt = (x: number, z: number): Stand[] => groupsAt(x, z, PARTS).map((cells) => ({ x, z, cells }));
  return {
    isOn: (x, z) => standsAt(x, z).length > 0,
    isStraight: (ax, az, bx, bz) => standsAt(ax, az).some((a) => standsAt(bx, bz).some((b) => sees(a, b))),
    distance(ax, az, bx, bz) {
      const starts = standsAt(ax, az);
      const ends = standsAt(bx, bz);
      if (ax === bx && az === bz) return 0;
      let best = Infinity;
      for (const s of starts) for (const t of ends) if (sees(s, t)) best = Math.min(best, length(s, t));
      const sum = corners.map((corner) =>
        Math.min(...starts.map((s) => (sees(s, corner) ? length(s, corner) : Infinity))),
      );
      const done = corners.map(() => false);
      for (;;) {
        let at = -1;
        corners.forEach((_, i) => {
          if (!done[i] && sum[i] < (at < 0 ? Infinity : sum[at])) at = i;
        });
        if (at < 0 || sum[at] >= best) return best;
        done[at] = true;
        for (const t of ends) if (sees(corners[at], t)) best = Math.min(best, sum[at] + length(corners[at], t));
        for (const [k, way] of near[at]) sum[k] = Math.min(sum[k], sum[at] + way);
      }
    },
  };
}
