/**
 * Splits triangles into parts that are connected by edges, and measures how closed each part is and which side its triangles face.
 *
 * Vertices at the same position are one, up to a millionth of the level's extent, since exporters split vertices along seams and place
 * nodes in floats. Where more than two triangles meet at an edge, they are one part if as many pass it forward as backward, as where two
 * closed boxes touch; otherwise a sheet that ends at a solid would open the solid.
 *
 * In: triangles. Out: the part of each triangle, and measures of each part.
 * Cost: linear; about 60 bytes per triangle.
 * Based on: own. The volume is that of the part with its holes capped.
 */
import { mixNumbers } from './hash.ts';
import { rootOf, unite } from './union-find.ts';

/** Triangles that are connected by edges. */
export interface Shells {
  /** The part of each triangle; -1: it has no area or a corner that is not finite. */
  shellOf: Int32Array;
  /** 1: a neighbor of the triangle passes their common edge in the same direction, so one of both is flipped. */
  isFlipped: Uint8Array;
  shells: Shell[];
}

/** Measures of one part, in units of the level. */
export interface Shell {
  triangles: number;
  firstTriangle: number;
  area: number;
  /** Areas of triangles that face up and down within 60 degrees. */
  up: number;
  down: number;
  /** Area of the smallest flat caps that would close all holes. */
  holes: number;
  /** Volume with the holes capped: positive if the triangles face outward, negative if they face inward. */
  volume: number;
  /** Length of all edges, and of edges that two triangles pass in the same direction. */
  edges: number;
  flippedEdges: number;
  /** Least x, y, z and greatest x, y, z. */
  box: number[];
}

/** Distance, relative to the level's extent, up to which vertices are one. */
const SAME_POSITION = 1e-6;
/** Width of the cells in which vertices are looked for, in tolerances. */
const CELL_TOLERANCES = 64;
/** Least y of the unit normal of a triangle that faces up. */
const FACES_UP = 0.5;

/** Splits triangles into connected parts and measures them. */
export function findShells(positions: ArrayLike<number>, indices: ArrayLike<number>): Shells {
  const triangleCount = Math.floor(indices.length / 3);
  const vertexOf = weldVertices(positions);
  const corner = (i: number): number => vertexOf[indices[i]];
  const parent = new Int32Array(triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)];
    parent[t] = a < 0 || b < 0 || c < 0 || a === b || b === c || c === a ? -1 : t;
  }
  const edges = listEdges(indices, vertexOf, parent);
  const isFlipped = new Uint8Array(triangleCount);
  joinOverEdges(edges, parent, isFlipped);
  const shellOf = new Int32Array(triangleCount).fill(-1);
  const shells: Shell[] = [];
  for (let t = 0; t < triangleCount; t++) {
    if (parent[t] < 0) continue;
    const root = rootOf(parent, t);
    // The root of a set is its first triangle.
    if (root === t) {
      shellOf[t] = shells.length;
      shells.push(createShell(t));
    } else shellOf[t] = shellOf[root];
    addTriangle(shells[shellOf[t]], positions, indices, t);
  }
  measureEdges(edges, positions, indices, { shellOf, isFlipped, shells });
  for (const shell of shells) shell.volume /= 6;
  return { shellOf, isFlipped, shells };
}

function createShell(firstTriangle: number): Shell {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  return { triangles: 0, firstTriangle, area: 0, up: 0, down: 0, holes: 0, volume: 0, edges: 0, flippedEdges: 0, box };
}

/** Returns for each vertex the first one at its position; -1: it is not finite. */
function weldVertices(p: ArrayLike<number>): Int32Array {
  const count = Math.floor(p.length / 3);
  let extent = 0;
  const least = [0, 1, 2].map((axis) => {
    let min = Infinity;
    let max = -Infinity;
    for (let i = axis; i < 3 * count; i += 3) {
      if (!Number.isFinite(p[i])) continue;
      if (p[i] < min) min = p[i];
      if (p[i] > max) max = p[i];
    }
    if (max - min > extent) extent = max - min;
    return min;
  });
  const tolerance = extent * SAME_POSITION;
  const scale = tolerance > 0 ? 1 / (CELL_TOLERANCES * tolerance) : 0;
  let size = 16;
  while (size < 2 * count) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const next = new Int32Array(count).fill(-1);
  const vertexOf = new Int32Array(count).fill(-1);
  const cells = new Int32Array(6);
  for (let v = 0; v < count; v++) {
    if (!Number.isFinite(p[3 * v] + p[3 * v + 1] + p[3 * v + 2])) continue;
    let cellCount = 1;
    for (let axis = 0; axis < 3; axis++) {
      const at = (p[3 * v + axis] - least[axis]) * scale;
      const cell = Math.floor(at);
      const rest = (at - cell) * CELL_TOLERANCES;
      cells[axis] = cell;
      // A vertex this near to a side of its cell may be that of the next cell.
      cells[3 + axis] = rest < 1 ? cell - 1 : rest > CELL_TOLERANCES - 1 ? cell + 1 : cell;
      if (cells[3 + axis] !== cell) cellCount = 8;
    }
    let found = -1;
    for (let k = 0; k < cellCount; k++) {
      const hash = mixNumbers(cells[k & 1 ? 3 : 0], cells[k & 2 ? 4 : 1], cells[k & 4 ? 5 : 2]);
      for (let u = table[hash & (size - 1)]; u >= 0; u = next[u]) {
        if (found >= 0 && u >= found) continue;
        const dx = Math.abs(p[3 * u] - p[3 * v]);
        const dy = Math.abs(p[3 * u + 1] - p[3 * v + 1]);
        const dz = Math.abs(p[3 * u + 2] - p[3 * v + 2]);
        if (dx <= tolerance && dy <= tolerance && dz <= tolerance) found = u;
      }
    }
    if (found < 0) {
      const slot = mixNumbers(cells[0], cells[1], cells[2]) & (size - 1);
      next[v] = table[slot];
      table[slot] = v;
      found = v;
    }
    vertexOf[v] = found;
  }
  return vertexOf;
}

/** Edges of triangles: sides 3 · triangle + corner in groups that join the same two vertices. */
interface Edges {
  /** First side of each edge; the others follow in `next`, -1 ends them. */
  first: number[];
  next: Int32Array;
  /** 1: the side leads from the smaller vertex to the greater. */
  isForward: Uint8Array;
  vertexOf: Int32Array;
}

function listEdges(indices: ArrayLike<number>, vertexOf: Int32Array, parent: Int32Array): Edges {
  const sideCount = 3 * parent.length;
  let size = 16;
  while (size < 2 * sideCount) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const next = new Int32Array(sideCount).fill(-1);
  const isForward = new Uint8Array(sideCount);
  const first: number[] = [];
  for (let t = 0; t < parent.length; t++) {
    if (parent[t] < 0) continue;
    for (let k = 0; k < 3; k++) {
      const a = vertexOf[indices[3 * t + k]];
      const b = vertexOf[indices[3 * t + ((k + 1) % 3)]];
      const [low, high] = a < b ? [a, b] : [b, a];
      isForward[3 * t + k] = a < b ? 1 : 0;
      let slot = mixNumbers(low, high) & (size - 1);
      for (; table[slot] >= 0; slot = (slot + 1) & (size - 1)) {
        const side = first[table[slot]];
        const c = vertexOf[indices[side]];
        const d = vertexOf[indices[side - (side % 3) + ((side + 1) % 3)]];
        if ((c === low && d === high) || (c === high && d === low)) break;
      }
      if (table[slot] < 0) {
        table[slot] = first.length;
        first.push(3 * t + k);
      } else {
        const head = first[table[slot]];
        next[3 * t + k] = next[head];
        next[head] = 3 * t + k;
      }
    }
  }
  return { first, next, isForward, vertexOf };
}

/** Unites triangles over their edges, and marks those that a neighbor disagrees with. */
function joinOverEdges({ first, next, isForward }: Edges, parent: Int32Array, isFlipped: Uint8Array): void {
  for (const head of first) {
    let sides = 0;
    let forward = 0;
    for (let side = head; side >= 0; side = next[side]) {
      sides++;
      forward += isForward[side];
    }
    if (sides === 1 || (sides > 2 && 2 * forward !== sides)) continue;
    const isSame = 2 * forward !== sides;
    for (let side = head; side >= 0; side = next[side]) {
      unite(parent, Math.floor(head / 3), Math.floor(side / 3));
      if (isSame) isFlipped[Math.floor(side / 3)] = 1;
    }
  }
}

function addTriangle(shell: Shell, p: ArrayLike<number>, indices: ArrayLike<number>, t: number): void {
  const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
  // Relative to a point of the part, far positions keep their precision.
  const o = 3 * indices[3 * shell.firstTriangle];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  shell.triangles++;
  shell.area += length / 2;
  if (ny > FACES_UP * length) shell.up += length / 2;
  if (-ny > FACES_UP * length) shell.down += length / 2;
  shell.volume += nx * (p[a] - p[o]) + ny * (p[a + 1] - p[o + 1]) + nz * (p[a + 2] - p[o + 2]);
  for (const corner of [a, b, c]) {
    for (let axis = 0; axis < 3; axis++) {
      if (p[corner + axis] < shell.box[axis]) shell.box[axis] = p[corner + axis];
      if (p[corner + axis] > shell.box[3 + axis]) shell.box[3 + axis] = p[corner + axis];
    }
  }
}

/** Adds the lengths of edges, and the holes, to the measures. */
function measureEdges(
  { first, next, isForward, vertexOf }: Edges,
  p: ArrayLike<number>,
  indices: ArrayLike<number>,
  { shellOf, shells }: Shells,
): void {
  const open: number[][] = shells.map(() => []);
  const balance = new Map<number, number>();
  for (const head of first) {
    const a = 3 * indices[head];
    const b = 3 * indices[head - (head % 3) + ((head + 1) % 3)];
    const [dx, dy, dz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    balance.clear();
    let sides = 0;
    for (let side = head; side >= 0; side = next[side], sides++) {
      const shell = shellOf[Math.floor(side / 3)];
      balance.set(shell, (balance.get(shell) ?? 0) + (isForward[side] === isForward[head] ? 1 : -1));
    }
    for (const [shell, sum] of balance) {
      shells[shell].edges += length;
      if (sides === 2 && Math.abs(sum) === 2) shells[shell].flippedEdges += length;
      else if (sum !== 0) open[shell].push(sum > 0 ? head : ~head);
    }
  }
  const parent = new Int32Array(vertexOf.length);
  for (const [s, sides] of open.entries()) if (sides.length > 0) measureHoles(shells[s], sides, parent);

  /** Adds the holes of a part. `~side`: the triangles pass it backward. */
  function measureHoles(shell: Shell, sides: readonly number[], parent: Int32Array): void {
    const ends = sides.map((side) => {
      const head = side < 0 ? ~side : side;
      const a = vertexOf[indices[head]];
      const b = vertexOf[indices[head - (head % 3) + ((head + 1) % 3)]];
      return side < 0 ? [b, a] : [a, b];
    });
    for (const [a, b] of ends) {
      parent[a] = a;
      parent[b] = b;
    }
    for (const [a, b] of ends) unite(parent, a, b);
    /** Of each hole: its area as a vector, the sum of its vertices, and their number. */
    const holes = new Map<number, Float64Array>();
    const origin = 3 * indices[3 * shell.firstTriangle];
    const at = (v: number, axis: number): number => p[3 * v + axis] - p[origin + axis];
    for (const [a, b] of ends) {
      const root = rootOf(parent, a);
      let hole = holes.get(root);
      if (hole === undefined) holes.set(root, (hole = new Float64Array(7)));
      for (let axis = 0; axis < 3; axis++) {
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        hole[axis] += at(a, u) * at(b, v) - at(a, v) * at(b, u);
        hole[3 + axis] += at(a, axis);
      }
      hole[6]++;
    }
    for (const [x, y, z, cx, cy, cz, count] of holes.values()) {
      shell.holes += Math.sqrt(x * x + y * y + z * z) / 2;
      // The cap passes the sides of the hole backward.
      shell.volume -= (x * cx + y * cy + z * cz) / count;
    }
  }
}
