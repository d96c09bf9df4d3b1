/**
 * Traverses a glTF scene: each primitive of each node's mesh becomes triangles in world space, once per
 * instance. Mirrored parts are flipped; strips and fans are split. Two passes: count, then write.
 *
 * Cost: O(nodes + instances * vertices); memory is the result, within the budget.
 */
import type { LevelGroup, LevelMesh, LevelFileWarning } from 'navkiln/io';
import { InputError } from '../errors.ts';
import { spend } from '../budget.ts';
import type { ReadBudget } from '../budget.ts';
import { readElement } from './accessors.ts';
import type { AccessorData } from './accessors.ts';
import type { GltfNode, GltfPrimitive, GltfShape } from './shape.ts';
import { IDENTITY, compose, isMirrored, isSingular, multiply, transformPoint } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';

/** One primitive with one placement. */
interface Piece {
  position: AccessorData;
  /** Triangles over the primitive's own vertices, as in the file. */
  corners: Uint32Array;
  matrix: Matrix;
  name: string;
  material: string;
  isTwoSided: boolean;
}

/** Modes of primitives in the file. */
const MODE_TRIANGLES = 4;
const MODE_STRIP = 5;
const MODE_FAN = 6;

/** Memory of a piece and its group, and of a matrix. */
const PIECE_BYTES = 256;
const MATRIX_BYTES = 256;
/** Memory of a corner while strips and fans are split: a list of up to three corners for each, which grows. */
const STRIP_CORNER_BYTES = 48;

type Accessors = readonly (AccessorData | undefined)[];

type Warn = (code: LevelFileWarning['code'], message: string) => void;

export function extractTriangles(shape: GltfShape, accessors: Accessors, budget: ReadBudget): LevelMesh {
  const { file } = budget;
  const warnings = new Map<string, LevelFileWarning>();
  const warn: Warn = (code, message) => {
    const known = warnings.get(code);
    if (known === undefined) warnings.set(code, { code, count: 1, message: `${file}: ${message}` });
    else known.count++;
  };
  const pieces = collectPieces(shape, accessors, budget, warn);
  let vertexCount = 0;
  let indexCount = 0;
  for (const piece of pieces) {
    vertexCount += piece.position.count;
    indexCount += piece.corners.length;
  }
  if (indexCount === 0)
    throw new InputError(`${file}: has no triangles in its scene; export the level's meshes with it`);
  const positions = new Float64Array(3 * vertexCount);
  const indices = new Uint32Array(indexCount);
  const groups: LevelGroup[] = [];
  const twoSided = pieces.some((piece) => piece.isTwoSided) ? new Uint8Array(indexCount / 3) : undefined;
  let vertex = 0;
  let at = 0;
  const point: number[] = [0, 0, 0];
  for (const { position, corners, matrix, name, material, isTwoSided } of pieces) {
    const { count } = position;
    for (let i = 0; i < count; i++) {
      readElement(position, i, point);
      transformPoint(positions, 3 * (vertex + i), matrix, point[0], point[1], point[2]);
      const sum = positions[3 * (vertex + i)] + positions[3 * (vertex + i) + 1] + positions[3 * (vertex + i) + 2];
      if (!Number.isFinite(sum)) {
        throw new InputError(
          `${file}: vertex ${i} of "${name}" is at a position that is not finite; repair the mesh or its transform`,
        );
      }
    }
    const last = groups[groups.length - 1];
    if (last !== undefined && last.name === name && last.material === material)
      last.triangleCount += corners.length / 3;
    else groups.push({ name, material, triangleStart: at / 3, triangleCount: corners.length / 3 });
    if (isTwoSided) twoSided?.fill(1, at / 3, (at + corners.length) / 3);
    const flip = isMirrored(matrix) ? 1 : 0;
    for (let i = 0; i < corners.length; i += 3) {
      indices[at++] = vertex + corners[i];
      indices[at++] = vertex + corners[i + 1 + flip];
      indices[at++] = vertex + corners[i + 2 - flip];
    }
    vertex += count;
  }
  return {
    positions,
    indices,
    ...(twoSided === undefined ? {} : { twoSided }),
    groups,
    warnings: [...warnings.values()],
  };
}

function collectPieces(shape: GltfShape, accessors: Accessors, budget: ReadBudget, warn: Warn): Piece[] {
  const pieces: Piece[] = [];
  const expanded = new Map<GltfPrimitive, Uint32Array>();
  const stack: { index: number; parent: Matrix }[] = [];
  for (let i = shape.roots.length - 1; i >= 0; i--) stack.push({ index: shape.roots[i], parent: IDENTITY });
  while (stack.length > 0) {
    const { index, parent } = stack.pop()!;
    const node = shape.nodes[index];
    const matrix = multiply(parent, localMatrix(node));
    for (let i = node.children.length - 1; i >= 0; i--) stack.push({ index: node.children[i], parent: matrix });
    if (node.mesh === undefined) continue;
    const mesh = shape.meshes[node.mesh];
    const name = node.name ?? mesh.name;
    if (node.isSkinned) warn('skinned-mesh', `"${name}" is skinned; its bind pose was used`);
    const times = instanceCount(node, accessors);
    spend(budget, MATRIX_BYTES * times, `${times} instances of "${name.slice(0, 80)}"`);
    const drawn: Omit<Piece, 'matrix'>[] = [];
    for (const primitive of mesh.primitives) {
      const position = primitive.position === undefined ? undefined : accessors[primitive.position];
      if (primitive.hasTargets) warn('morphed-mesh', `"${name}" has morph targets; its rest shape was used`);
      if (position === undefined || position.width !== 3) {
        warn('invalid-primitive', `a primitive of "${name}" has no positions; skipped`);
        continue;
      }
      if (!Number.isInteger(position.count)) {
        throw new InputError(
          `${budget.file}: damaged glTF: the positions of "${name}" are not triples; export it again`,
        );
      }
      let corners = expanded.get(primitive);
      if (corners === undefined) {
        corners = readCorners(primitive, { position, accessors, name }, budget, warn);
        expanded.set(primitive, corners);
      }
      if (corners.length === 0) continue;
      const { name: material, isTwoSided } =
        primitive.material === undefined ? { name: '', isTwoSided: false } : shape.materials[primitive.material];
      const vertices = position.count;
      const bytes = PIECE_BYTES + 24 * vertices + 5 * corners.length;
      const many = times === 1 ? '' : `${times} instances of `;
      spend(budget, bytes * times, `${many}"${name.slice(0, 80)}" with ${vertices} vertices`);
      drawn.push({ position, corners, name, material, isTwoSided });
    }
    // The budget has room for all pieces of this node, so none is placed in vain.
    const matrices = node.instances === undefined ? [matrix] : instanceMatrices(node, accessors, matrix, times);
    if (matrices.some(isSingular)) {
      warn('singular-transform', `"${name}" is flattened by its transform (a scale of 0?); it is read flattened`);
    }
    for (const piece of drawn) for (const place of matrices) pieces.push({ ...piece, matrix: place });
  }
  return pieces;
}

function localMatrix({ matrix, translation, rotation, scale }: GltfNode): Matrix {
  return matrix ?? compose(translation, rotation, scale);
}

/** Returns how often a node's mesh is drawn. */
function instanceCount({ instances }: GltfNode, accessors: Accessors): number {
  if (instances === undefined) return 1;
  const index = instances.TRANSLATION ?? instances.ROTATION ?? instances.SCALE;
  return index === undefined ? 0 : accessors[index]!.count;
}

/**
 * Reads translation, rotation and scale of each instance. Quantized files keep their unit size in the scale.
 */
function instanceMatrices({ instances = {} }: GltfNode, accessors: Accessors, matrix: Matrix, count: number): Matrix[] {
  const of = (index: number | undefined): AccessorData | undefined =>
    index === undefined ? undefined : accessors[index];
  const translation = of(instances.TRANSLATION);
  const rotation = of(instances.ROTATION);
  const scale = of(instances.SCALE);
  return Array.from({ length: count }, (_, i) => {
    const t = translation === undefined ? [0, 0, 0] : readElement(translation, i, []);
    const r = rotation === undefined ? [0, 0, 0, 1] : readElement(rotation, i, []);
    const s = scale === undefined ? [1, 1, 1] : readElement(scale, i, []);
    return multiply(matrix, compose(t, r, s));
  });
}

interface PrimitiveData {
  position: AccessorData;
  accessors: Accessors;
  name: string;
}

function readCorners(
  { mode, indices: indexAccessor }: GltfPrimitive,
  { position, accessors, name }: PrimitiveData,
  budget: ReadBudget,
  warn: Warn,
): Uint32Array {
  const strip = mode === MODE_STRIP;
  const fan = mode === MODE_FAN;
  const vertexCount = position.count;
  if (!strip && !fan && mode !== MODE_TRIANGLES) {
    warn('not-triangles', `a primitive of "${name}" is made of points or lines; skipped`);
    return new Uint32Array(0);
  }
  const indices = indexAccessor === undefined ? undefined : accessors[indexAccessor]!.values;
  const count = indices?.length ?? vertexCount;
  if (indices !== undefined) {
    for (let i = 0; i < count; i++) {
      if (indices[i] >= vertexCount) {
        throw new InputError(
          `${budget.file}: the index at position ${i} of "${name}" is out of range: it has ${vertexCount} vertices; export the level again`,
        );
      }
    }
  }
  const isSplit = strip || fan;
  spend(budget, (isSplit ? STRIP_CORNER_BYTES : 4) * count, `the ${count} corners of "${name.slice(0, 80)}"`);
  const at = (i: number): number => (indices === undefined ? i : indices[i]);
  if (!isSplit) {
    if (count % 3 !== 0)
      warn('invalid-primitive', `"${name}" has ${count} triangle corners, not a multiple of 3; the last were dropped`);
    const whole = count - (count % 3);
    return indices === undefined
      ? Uint32Array.from({ length: whole }, (_, i) => i)
      : Uint32Array.from(indices.subarray(0, whole));
  }
  const corners: number[] = [];
  for (let i = 0; i + 2 < count; i++) {
    const odd = strip ? i & 1 : 0;
    const [a, b, c] = fan ? [at(0), at(i + 1), at(i + 2)] : [at(i), at(i + 1 + odd), at(i + 2 - odd)];
    // Strips are joined by triangles of zero area.
    if (a !== b && b !== c && c !== a) corners.push(a, b, c);
  }
  return Uint32Array.from(corners);
}
