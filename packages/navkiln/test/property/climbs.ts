/**
 * Random levels with one way from a bottom to a top: straight stairs, spiral ramps and stairs, car parks. And a measure, from the
 * triangles alone, of how far a mesh is from the floors.
 */
import {
  addBox,
  addFloor,
  addPrism,
  addRamp,
  addSector,
  createBuilder,
  finishMesh,
} from '../../../scenes/src/builder.ts';
import type { MeshBuilder } from '../../../scenes/src/builder.ts';
import { createRandom, nextFloat, nextInt, nextRange } from '../../../scenes/src/random.ts';
import type { Random } from '../../../scenes/src/random.ts';
import { cosTurn, sinTurn } from '../../../scenes/src/turn.ts';
import type { NavMesh } from '../../src/mesh/types.ts';

interface Triangles {
  positions: Float32Array;
  indices: Uint32Array;
}

/** A level, and positions at both ends of its way. */
export interface Climb extends Triangles {
  name: string;
  bottom: number[];
  top: number[];
}

/** Returns the level turned about y by a random angle, and moved. */
function placed(builder: MeshBuilder, random: Random, name: string, ends: readonly number[][]): Climb {
  const { positions, indices } = finishMesh(builder);
  const turn = nextFloat(random);
  const shift = [nextRange(random, -4, 4), nextRange(random, -1, 1), nextRange(random, -4, 4)];
  const [c, s] = [cosTurn(turn), sinTurn(turn)];
  const place = (p: { [k: number]: number }, at: number): void => {
    const [x, z] = [p[at], p[at + 2]];
    p[at] = c * x + s * z + shift[0];
    p[at + 1] += shift[1];
    p[at + 2] = c * z - s * x + shift[2];
  };
  for (let k = 0; k < positions.length; k += 3) place(positions, k);
  const [bottom, top] = ends.map((end) => {
    const p = [...end];
    place(p, 0);
    return p;
  });
  return { name, positions, indices, bottom, top };
}

/** Returns four wide steps of a height, on ground at a height. Positions are doubles. */
export function exactStairs(riser: number, ground: number): Omit<Climb, 'positions'> & { positions: Float64Array } {
  const builder = createBuilder();
  const tread = 2.4;
  for (let step = 0; step <= 4; step++) {
    const [from, to] = [(step - 1) * tread, step * tread + 1e-3];
    addBox(builder, [from, -0.5, -2], [to, 0.25 + step / 4, 2]);
  }
  const { positions, indices } = finishMesh(builder);
  // Quarters are exact in float32.
  const at = (y: number): number => (y < 0 ? ground - 0.5 : ground + riser * (4 * y - 1));
  const exact = Float64Array.from(positions, (value, k) => (k % 3 === 1 ? at(value) : value));
  const top = [3.5 * tread, at(1.25), 0];
  return { name: 'exact', positions: exact, indices, bottom: [-1.2, ground, 0], top };
}

export interface Steps {
  count: number;
  riser: number;
  tread: number;
  width: number;
  /** Whether the steps are closed solids down to the floor; otherwise slabs. */
  isSolid: boolean;
}

/** Returns stairs between two landings. */
export function stairsOf(seed: number, { count, riser, tread, width, isSolid }: Steps): Climb {
  const random = createRandom(seed);
  const builder = createBuilder();
  const rise = count * riser;
  const run = count * tread;
  addFloor(builder, [-4, -3, 0, width + 3], 0);
  for (let k = 0; k < count; k++) {
    const low = isSolid ? 0 : k * riser;
    addBox(builder, [k * tread, low, 0], [(k + 1) * tread, (k + 1) * riser, width]);
  }
  addBox(builder, [run, rise - 0.2, -3], [run + 4, rise, width + 3]);
  const name = `stairs ${seed}: ${count} x ${riser.toFixed(3)} / ${tread.toFixed(3)}, ${width.toFixed(2)} wide`;
  return placed(builder, random, name, [
    [-2, 0, width / 2],
    [run + 2, rise, width / 2],
  ]);
}

/** Returns random stairs whose risers are at most `climb`. */
export function randomStairs(seed: number, climb: number): Climb {
  const random = createRandom(seed);
  const riser = nextRange(random, 0.1, climb);
  return stairsOf(seed, {
    count: nextInt(random, 3, 12),
    riser,
    tread: nextRange(random, 0.2, 0.5),
    width: nextRange(random, 1.6, 3),
    isSolid: nextFloat(random) < 0.5,
  });
}

/** Returns a random spiral: a ramp or stairs around a newel or an eye, from a floor to a landing. */
export function randomSpiral(seed: number): Climb {
  const random = createRandom(seed);
  const builder = createBuilder();
  const turns = nextRange(random, 1, 5);
  const rise = nextRange(random, 2.2, 4);
  const width = nextRange(random, 1.2, 3);
  const kind = nextInt(random, 0, 2);
  // The inner side of a smooth ramp is not too steep.
  const inner = kind === 0 ? nextRange(random, 0.8, 3) : nextRange(random, kind === 1 ? 0.3 : 0.05, 1.5);
  const outer = inner + width;
  const perTurn = kind === 0 ? 32 : Math.ceil(rise / nextRange(random, 0.12, 0.24));
  const count = Math.round(turns * perTurn);
  for (let k = 0; k < count; k++) {
    const y0 = (k * rise) / perTurn;
    const y1 = ((k + 1) * rise) / perTurn;
    const low = kind === 0 ? y0 : y1;
    addSector(
      builder,
      [0, 0],
      { inner, outer },
      { angle: k / perTurn, bottom: low - 0.15, top: low },
      { angle: (k + 1) / perTurn, bottom: y1 - 0.15, top: y1 },
    );
  }
  if (kind === 2) {
    const side = inner * 0.7;
    addBox(builder, [-side, 0, -side], [side, turns * rise + 1, side]);
  }
  const radius = outer + 4;
  addFloor(builder, [-radius, -radius, radius, radius], 0);
  // The landing continues the spiral in the direction of its end, outside of it.
  const end = count / perTurn;
  const y = (count * rise) / perTurn;
  addSector(
    builder,
    [0, 0],
    { inner, outer: outer + 3 },
    { angle: end, bottom: y - 0.25, top: y },
    { angle: end + 0.12, bottom: y - 0.25, top: y },
  );
  const at = outer + 1.5;
  const name = `spiral ${seed}: ${['ramp', 'steps', 'newel'][kind]}, ${turns.toFixed(1)} turns of ${rise.toFixed(1)}, ${inner.toFixed(2)} + ${width.toFixed(2)}`;
  return placed(builder, random, name, [
    [radius - 1, 0, radius - 1],
    [at * cosTurn(end + 0.06), y, -at * sinTurn(end + 0.06)],
  ]);
}

/** Returns a car park: decks over each other, joined by a helix or by straight ramps beside them. */
export function randomCarPark(seed: number): Climb {
  const random = createRandom(seed);
  const builder = createBuilder();
  const decks = nextInt(random, 2, 4);
  const rise = nextRange(random, 2.4, 3.4);
  const [length, depth] = [nextRange(random, 12, 18), nextRange(random, 9, 14)];
  const width = nextRange(random, 2.2, 4);
  const isHelix = nextFloat(random) < 0.6;
  for (let k = 0; k <= decks; k++) {
    const y = k * rise;
    addBox(builder, [0, y - 0.25, 0], [length, y, depth]);
    for (let n = nextInt(random, 2, 5); n > 0; n--) {
      const [x, z] = [nextRange(random, 2, length - 3), nextRange(random, 2, depth - 3)];
      addBox(builder, [x, y, z], [x + 0.5, y + rise - 0.25, z + 0.5]);
    }
  }
  if (isHelix) {
    const inner = nextRange(random, 1.5, 4);
    const outer = inner + width;
    const middle: [number, number] = [length, depth / 2];
    // An eighth of each turn is flat and joined to a deck.
    const helix = (from: number, to: number, low: number, high: number): void =>
      addSector(
        builder,
        [middle[0] + outer + 0.2, middle[1]],
        { inner, outer },
        { angle: 0.5 + from, bottom: low - 0.15, top: low },
        { angle: 0.5 + to, bottom: high - 0.25, top: high },
      );
    for (let k = 0; k <= decks; k++) {
      const y = k * rise;
      for (let n = 0; n < 4; n++) helix(n / 32, (n + 1) / 32, y, y);
      for (let n = 0; n < 28 && k < decks; n++)
        helix((n + 4) / 32, (n + 5) / 32, y + (n * rise) / 28, y + ((n + 1) * rise) / 28);
      addBox(builder, [length - 0.1, y - 0.25, depth / 2], [length + width / 2 + 0.2, y, depth / 2 + 1.4]);
    }
  } else {
    for (let k = 0; k < decks; k++) {
      const y = k * rise;
      const x = length;
      addBox(builder, [x, y - 0.25, 0], [x + width, y, 1.5]);
      addPrism(
        builder,
        [x, 1.5, x, depth - 1.5, x + width, depth - 1.5, x + width, 1.5],
        [y - 0.25, y + rise - 0.25, y + rise - 0.25, y - 0.25],
        [y, y + rise, y + rise, y],
      );
      addBox(builder, [x, y + rise - 0.25, depth - 1.5], [x + width, y + rise, depth]);
    }
  }
  const name = `car park ${seed}: ${decks} decks of ${rise.toFixed(1)}, ${isHelix ? 'helix' : 'ramps'}`;
  return placed(builder, random, name, [
    [1, 0, 1],
    [1, decks * rise, 1],
  ]);
}

/** Returns a tower: storeys joined by stairs that turn around its inside. */
export function randomTower(seed: number): Climb {
  const random = createRandom(seed);
  const builder = createBuilder();
  const sides = 4 * nextInt(random, 1, 4);
  const half = nextRange(random, 3, 5);
  const width = nextRange(random, 1.4, 2);
  const rise = nextRange(random, 0.7, 1.2);
  addBox(builder, [-half, -0.3, -half], [half, 0, half]);
  for (let side = 0; side < sides; side++) {
    const y = side * rise;
    const [a, b] = [-half + width, half - width];
    // Corner landing, then a ramp along the side.
    const turnBox = (low: number[], high: number[]): [number[], number[]] => {
      let [p, q] = [low, high];
      for (let n = side & 3; n > 0; n--) {
        [p, q] = [
          [-q[2], p[1], p[0]],
          [-p[2], q[1], q[0]],
        ];
      }
      return [p, q];
    };
    const [p, q] = turnBox([-half, y - 0.2, -half], [a, y, a]);
    addBox(builder, p as [number, number, number], q as [number, number, number]);
    const [r, s] = turnBox([a, y - 0.2, -half], [b, y + rise, a]);
    const up = ([2, 1, 0, 3] as const)[side & 3];
    addRamp(builder, [r[0], r[2], s[0], s[2]], { bottom: y - 0.2, low: y, high: y + rise, up });
  }
  const last = sides * rise;
  addBox(builder, [-half, last - 0.2, -half], [half, last, -half + width]);
  const name = `tower ${seed}: ${sides} sides, ${rise.toFixed(2)} each`;
  return placed(builder, random, name, [
    [0, 0, 0],
    [half - width / 2, last, -half + width / 2],
  ]);
}

/**
 * Returns the largest vertical distance of the mesh from the level's floors, over positions in its detail triangles. A floor within
 * `reach` in x and z counts.
 */
export function mostAboveGround(mesh: NavMesh, level: Triangles, reach: number): { most: number; position: number[] } {
  const floors = createFloors(level, reach);
  const worst = { most: 0, position: [0, 0, 0] };
  forEachDetail(mesh, (corners) => {
    const sides = [0, 3, 6].map((k) => {
      const n = (k + 3) % 9;
      return Math.sqrt((corners[k] - corners[n]) ** 2 + (corners[k + 2] - corners[n + 2]) ** 2);
    });
    const parts = Math.max(1, Math.ceil(Math.max(...sides) / reach));
    for (let i = 0; i <= parts; i++) {
      for (let j = 0; i + j <= parts; j++) {
        const weights = [i / parts, j / parts, 1 - (i + j) / parts];
        const p = [0, 1, 2].map((axis) => weights.reduce((sum, w, k) => sum + w * corners[3 * k + axis], 0));
        const distance = floors(p);
        if (distance > worst.most) Object.assign(worst, { most: distance, position: p });
      }
    }
  });
  return worst;
}

/** Calls `visit` with the nine coordinates of each detail triangle. */
function forEachDetail(mesh: NavMesh, visit: (corners: number[]) => void): void {
  for (let p = 0; p < mesh.polyCount; p++) {
    const n = mesh.polyVertexCount[p];
    const vertex = (k: number): number[] => {
      const list = k < n ? mesh.vertices : mesh.detailVertices;
      const at = 3 * (k < n ? mesh.edgeVertex[mesh.polyEdgeStart[p] + k] : mesh.polyDetailVertexStart[p] + k - n);
      return Array.from(list.subarray(at, at + 3));
    };
    const count = mesh.polyDetailTriCount[p];
    for (let t = 0; t < count; t++) {
      const at = 4 * (mesh.polyDetailTriStart[p] + t);
      visit([0, 1, 2].flatMap((k) => vertex(mesh.detailTris[at + k])));
    }
    for (let k = 2; count === 0 && k < n; k++) visit([...vertex(0), ...vertex(k - 1), ...vertex(k)]);
  }
}

/** Returns a function: the vertical distance from a position to the nearest floor within `reach` in x and z. */
function createFloors({ positions, indices }: Triangles, reach: number): (p: number[]) => number {
  const cell = 4 * reach;
  const grid = new Map<string, number[]>();
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const ux = positions[b] - positions[a];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vz = positions[c + 2] - positions[a + 2];
    if (!(uz * vx - ux * vz > 0)) continue;
    const xs = [positions[a], positions[b], positions[c]];
    const zs = [positions[a + 2], positions[b + 2], positions[c + 2]];
    for (let x = Math.floor((Math.min(...xs) - reach) / cell); x * cell <= Math.max(...xs) + reach; x++) {
      for (let z = Math.floor((Math.min(...zs) - reach) / cell); z * cell <= Math.max(...zs) + reach; z++) {
        const key = `${x},${z}`;
        if (!grid.has(key)) grid.set(key, []);
        grid.get(key)!.push(t);
      }
    }
  }
  const heightIn = (t: number, x: number, z: number): number | undefined => {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ax, az] = [positions[a], positions[a + 2]];
    const [ux, uz, vx, vz] = [positions[b] - ax, positions[b + 2] - az, positions[c] - ax, positions[c + 2] - az];
    const area = ux * vz - uz * vx;
    const u = ((x - ax) * vz - (z - az) * vx) / area;
    const v = (ux * (z - az) - uz * (x - ax)) / area;
    if (u < 0 || v < 0 || u + v > 1) return undefined;
    const [ya, yb, yc] = [positions[a + 1], positions[b + 1], positions[c + 1]];
    return ya + u * (yb - ya) + v * (yc - ya);
  };
  return ([x, y, z]) => {
    const list = grid.get(`${Math.floor(x / cell)},${Math.floor(z / cell)}`) ?? [];
    let least = Infinity;
    // The position itself comes first and nearly always suffices.
    for (let k = 0; k < 25 && least > reach / 2; k++) {
      const i = ((k + 12) % 25) - 12;
      const row = Math.round(i / 5);
      for (const t of list) {
        const height = heightIn(t, x + (row * reach) / 2, z + ((i - 5 * row) * reach) / 2);
        if (height !== undefined) least = Math.min(least, Math.abs(height - y));
      }
    }
    return least;
  };
}
