/**
 * Traverses a glTF scene: each primitive of each node's mesh becomes triangles in world space, once per
 * instance. Mirrored parts are flipped; strips and fans are split. Two passes: count, then write.
 *
 * Cost: O(nodes + instances * vertices); memory is the result.
 */
import { Primitive } from '@gltf-transform/core';
import type { Accessor, Document, GLTF } from '@gltf-transform/core';
import type { InstancedMesh } from '@gltf-transform/extensions';
import type { LevelGroup, LevelMesh, LevelFileWarning } from 'navkiln/io';
import { InputError } from '../errors.ts';
import { IDENTITY, compose, isMirrored, isSingular, multiply, transformPoint } from './matrix.ts';
import type { Matrix } from './matrix.ts';

/** One primitive with one placement. */
interface Piece {
  position: Accessor;
  /** Triangles over the primitive's own vertices, as in the file. */
  corners: Uint32Array;
  matrix: Matrix;
  name: string;
  material: string;
  isTwoSided: boolean;
}

type Warn = (code: LevelFileWarning['code'], message: string) => void;

export function extractTriangles(document: Document, json: GLTF.IGLTF, file: string): LevelMesh {
  const warnings = new Map<string, LevelFileWarning>();
  const warn: Warn = (code, message) => {
    const known = warnings.get(code);
    if (known === undefined) warnings.set(code, { code, count: 1, message: `${file}: ${message}` });
    else known.count++;
  };
  const pieces = collectPieces(document, json, file, warn);
  let vertexCount = 0;
  let indexCount = 0;
  for (const piece of pieces) {
    vertexCount += piece.position.getCount();
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
    const count = position.getCount();
    for (let i = 0; i < count; i++) {
      position.getElement(i, point);
      transformPoint(positions, 3 * (vertex + i), matrix, point[0], point[1], point[2]);
      const sum = positions[3 * (vertex + i)] + positions[3 * (vertex + i) + 1] + positions[3 * (vertex + i) + 2];
      if (!Number.isFinite(sum)) {
        throw new InputError(
          `${file}: vertex ${i} of "${name}" is at (${point.join(', ')}), which is not finite; repair the mesh or its transform`,
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

function collectPieces(document: Document, json: GLTF.IGLTF, file: string, warn: Warn): Piece[] {
  const pieces: Piece[] = [];
  const nodes = document.getRoot().listNodes();
  const meshes = document.getRoot().listMeshes();
  const expanded = new Map<Primitive, Uint32Array>();
  const stack: { index: number; parent: Matrix }[] = rootNodes(json)
    .reverse()
    .map((index) => ({ index, parent: IDENTITY }));
  while (stack.length > 0) {
    const { index, parent } = stack.pop()!;
    const definition = json.nodes![index];
    const matrix = multiply(parent, localMatrix(definition));
    const children = definition.children ?? [];
    for (let i = children.length - 1; i >= 0; i--) stack.push({ index: children[i], parent: matrix });
    const mesh = definition.mesh === undefined ? undefined : meshes[definition.mesh];
    if (mesh === undefined) continue;
    const name = definition.name ?? mesh.getName();
    if (definition.extras?.['skin'] !== undefined) warn('skinned-mesh', `"${name}" is skinned; its bind pose was used`);
    const instanced = nodes[index].getExtension<InstancedMesh>('EXT_mesh_gpu_instancing');
    const matrices = instanced === null ? [matrix] : instanceMatrices(instanced, matrix);
    if (matrices.some(isSingular)) {
      warn('singular-transform', `"${name}" is flattened by its transform (a scale of 0?); it is read flattened`);
    }
    for (const primitive of mesh.listPrimitives()) {
      const position = primitive.getAttribute('POSITION');
      if (primitive.listTargets().length > 0)
        warn('morphed-mesh', `"${name}" has morph targets; its rest shape was used`);
      if (position === null || position.getElementSize() !== 3) {
        warn('invalid-primitive', `a primitive of "${name}" has no positions; skipped`);
        continue;
      }
      let corners = expanded.get(primitive);
      if (corners === undefined) {
        corners = readCorners(primitive, name, file, warn);
        expanded.set(primitive, corners);
      }
      if (corners.length === 0) continue;
      const material = primitive.getMaterial()?.getName() ?? '';
      const isTwoSided = primitive.getMaterial()?.getDoubleSided() ?? false;
      for (const place of matrices) pieces.push({ position, corners, matrix: place, name, material, isTwoSided });
    }
  }
  return pieces;
}

/** Returns the default scene's nodes, else the first scene's. Without scenes: all root nodes. */
function rootNodes(json: GLTF.IGLTF): number[] {
  const nodes = json.nodes ?? [];
  const scene = json.scenes?.[json.scene ?? 0];
  if (scene === undefined) {
    const children = new Set(nodes.flatMap((node) => node.children ?? []));
    return nodes.map((_, index) => index).filter((index) => !children.has(index));
  }
  return [...(scene.nodes ?? [])];
}

function localMatrix(node: GLTF.INode): Matrix {
  if (node.matrix !== undefined) return node.matrix;
  return compose(node.translation ?? [0, 0, 0], node.rotation ?? [0, 0, 0, 1], node.scale ?? [1, 1, 1]);
}

/**
 * Reads translation, rotation and scale of each instance. Quantized files keep their unit size in the scale.
 */
function instanceMatrices(instanced: InstancedMesh, matrix: Matrix): Matrix[] {
  const translation = instanced.getAttribute('TRANSLATION');
  const rotation = instanced.getAttribute('ROTATION');
  const scale = instanced.getAttribute('SCALE');
  const count = (translation ?? rotation ?? scale)?.getCount() ?? 0;
  return Array.from({ length: count }, (_, i) => {
    const t = translation?.getElement(i, [0, 0, 0]) ?? [0, 0, 0];
    const r = rotation?.getElement(i, [0, 0, 0, 1]) ?? [0, 0, 0, 1];
    const s = scale?.getElement(i, [1, 1, 1]) ?? [1, 1, 1];
    return multiply(matrix, compose(t, r, s));
  });
}

function readCorners(primitive: Primitive, name: string, file: string, warn: Warn): Uint32Array {
  const mode = primitive.getMode();
  const strip = mode === Primitive.Mode.TRIANGLE_STRIP;
  const fan = mode === Primitive.Mode.TRIANGLE_FAN;
  const vertexCount = primitive.getAttribute('POSITION')!.getCount();
  if (!strip && !fan && mode !== Primitive.Mode.TRIANGLES) {
    warn('not-triangles', `a primitive of "${name}" is made of points or lines; skipped`);
    return new Uint32Array(0);
  }
  const indices = primitive.getIndices()?.getArray() ?? undefined;
  const count = indices?.length ?? vertexCount;
  if (indices !== undefined) {
    for (let i = 0; i < count; i++) {
      if (indices[i] >= vertexCount) {
        throw new InputError(
          `${file}: index ${indices[i]} of "${name}" is out of range: it has ${vertexCount} vertices; export the level again`,
        );
      }
    }
  }
  const at = (i: number): number => (indices === undefined ? i : indices[i]);
  if (!strip && !fan) {
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
