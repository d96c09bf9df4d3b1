/**
 * Levels made at test time with glTF-Transform: one scene of nested nodes, boxes and instances, in every encoding the
 * loader reads. Sizes are dyadic fractions where encodings should be exact.
 */
import { Document, Logger, NodeIO, Primitive, Verbosity } from '@gltf-transform/core';
import type { Accessor, Node } from '@gltf-transform/core';
import {
  EXTMeshGPUInstancing,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
} from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';

export const BOX_POSITIONS: readonly number[] = [
  -1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, -1, 2, -1, 1, 2, -1, 1, 2, 1, -1, 2, 1,
];
export const BOX_INDICES: readonly number[] = [
  0, 1, 2, 0, 2, 3, 4, 7, 6, 4, 6, 5, 0, 4, 5, 0, 5, 1, 1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0,
];

export interface SceneOptions {
  /** Positions as normalized 16-bit integers, the unit in the nodes' and the instances' scale. */
  quantized?: boolean;
  mode?: 'triangles' | 'strip' | 'fan' | 'unindexed';
  /** The column's instances as nodes of their own. */
  expanded?: boolean;
}

/** A floor, a box two nodes deep, a mirrored box, four instances of a box with rotation and scale: SCENE_TRIANGLES. */
export function makeScene(options: SceneOptions = {}): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene();
  document.getRoot().setDefaultScene(scene);
  const unit = options.quantized === true ? 2 : 1;
  const toArray = (values: readonly number[]): Float32Array<ArrayBuffer> | Int16Array<ArrayBuffer> =>
    unit === 1 ? new Float32Array(values) : new Int16Array(values.map((value) => Math.round((value / unit) * 32767)));
  const accessor = (values: readonly number[]): Accessor =>
    document
      .createAccessor()
      .setType('VEC3')
      .setArray(toArray(values))
      .setNormalized(unit !== 1)
      .setBuffer(buffer);
  if (options.quantized === true) document.createExtension(KHRMeshQuantization).setRequired(true);

  const boxPrimitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor(BOX_POSITIONS))
    .setIndices(document.createAccessor().setType('SCALAR').setArray(new Uint16Array(BOX_INDICES)).setBuffer(buffer))
    .setMaterial(document.createMaterial('stone'));
  const box = document.createMesh('box').addPrimitive(boxPrimitive);
  const floor = document
    .createMesh('floor')
    .addPrimitive(floorPrimitive(document, options.mode ?? 'triangles', accessor));

  // A mesh in quantized units needs its unit in a node of its own.
  const withMesh = (node: Node, mesh: typeof box): Node => {
    if (unit === 1) return node.setMesh(mesh);
    return node.addChild(document.createNode(`${node.getName()} unit`).setMesh(mesh).setScale([unit, unit, unit]));
  };
  scene.addChild(withMesh(document.createNode('floor').setScale([8, 1, 8]), floor));
  const outer = document
    .createNode('outer')
    .setTranslation([4, 0.5, -2])
    .setRotation([0, Math.SQRT1_2, 0, Math.SQRT1_2])
    .setScale([1, 2, 1]);
  outer.addChild(withMesh(document.createNode('inner').setTranslation([1, 1, 0]).setScale([0.5, 0.5, 0.25]), box));
  scene.addChild(outer);
  scene.addChild(withMesh(document.createNode('mirrored').setTranslation([-6, 0, 0]).setScale([-1, 1, 1]), box));

  const translations = [0, 0, 4, 2, 0, 5, -3, 1, 6, 5, 0, 7];
  const rotations = [0, 0, 0, 1, 0, 1, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2, 0, 0, 0, 1];
  const scales = [1, 1, 1, 0.5, 2, 0.5, 1, 1, 1, -0.25, 0.25, 0.25];
  const columns = document.createNode('columns').setTranslation([0, 0, 1]).setScale([1, 1.5, 1]);
  scene.addChild(columns);
  if (options.expanded === true) {
    for (let i = 0; i < 4; i++) {
      const node = document
        .createNode('columns')
        .setTranslation(triple(translations, i))
        .setScale(triple(scales, i))
        .setRotation([rotations[4 * i], rotations[4 * i + 1], rotations[4 * i + 2], rotations[4 * i + 3]]);
      columns.addChild(withMesh(node, box));
    }
    return document;
  }
  const instances = document
    .createExtension(EXTMeshGPUInstancing)
    .setRequired(true)
    .createInstancedMesh()
    .setAttribute('TRANSLATION', floats(document, 'VEC3', translations))
    .setAttribute('ROTATION', floats(document, 'VEC4', rotations))
    .setAttribute(
      'SCALE',
      floats(
        document,
        'VEC3',
        scales.map((value) => value * unit),
      ),
    );
  columns.setMesh(box).setExtension('EXT_mesh_gpu_instancing', instances);
  return document;
}

export const SCENE_TRIANGLES = 2 + 12 * 6;

function triple(values: readonly number[], i: number): [number, number, number] {
  return [values[3 * i], values[3 * i + 1], values[3 * i + 2]];
}

function floats(document: Document, type: 'VEC3' | 'VEC4', values: readonly number[]): Accessor {
  return document
    .createAccessor()
    .setType(type)
    .setArray(new Float32Array(values))
    .setBuffer(document.getRoot().listBuffers()[0]);
}

/** Two triangles, counter-clockwise from above: 0 1 2, 0 2 3 of the corners below. */
function floorPrimitive(
  document: Document,
  mode: NonNullable<SceneOptions['mode']>,
  accessor: (values: readonly number[]) => Accessor,
): Primitive {
  const corners = [-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1];
  const pick = (order: readonly number[]): number[] => order.flatMap((i) => triple(corners, i));
  const primitive = document.createPrimitive().setMaterial(document.createMaterial('grass'));
  const indices = (order: readonly number[]): Accessor =>
    document
      .createAccessor()
      .setType('SCALAR')
      .setArray(new Uint16Array(order))
      .setBuffer(document.getRoot().listBuffers()[0]);
  switch (mode) {
    case 'triangles':
      return primitive.setAttribute('POSITION', accessor(corners)).setIndices(indices([0, 1, 2, 0, 2, 3]));
    case 'unindexed':
      return primitive.setAttribute('POSITION', accessor(pick([0, 1, 2, 0, 2, 3])));
    // With corners of no area at both ends, as joined strips have.
    case 'strip':
      return primitive
        .setAttribute('POSITION', accessor(corners))
        .setIndices(indices([1, 1, 1, 2, 0, 3, 3]))
        .setMode(Primitive.Mode.TRIANGLE_STRIP);
    case 'fan':
      return primitive.setAttribute('POSITION', accessor(corners)).setMode(Primitive.Mode.TRIANGLE_FAN);
  }
}

export async function createIo(): Promise<NodeIO> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  return new NodeIO()
    .setLogger(new Logger(Verbosity.SILENT))
    .registerExtensions([EXTMeshGPUInstancing, EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization])
    .registerDependencies({
      'draco3d.encoder': await draco.createEncoderModule(),
      'draco3d.decoder': await draco.createDecoderModule(),
      'meshopt.encoder': MeshoptEncoder,
      'meshopt.decoder': MeshoptDecoder,
    });
}
