/**
 * Reads glTF and GLB files to triangles in world space. glTF-Transform decodes accessors (sparse, quantized,
 * Draco, meshopt); the node hierarchy is traversed here. Textures, animations, cameras and lights are removed
 * first: they do not affect the surface, and a missing image must not stop a bake. Draco and meshopt decoders
 * are loaded when a file uses them. Runs in Node and in browsers; the caller provides the bytes of all files.
 */
import { GLB_BUFFER, Logger, Verbosity, WebIO } from '@gltf-transform/core';
import type { GLTF, JSONDocument } from '@gltf-transform/core';
import {
  EXTMeshGPUInstancing,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
} from '@gltf-transform/extensions';
import type { LevelMesh } from 'navkiln/io';
import { InputError, messageOf } from '../errors.ts';
import type { ReadBeside } from './beside.ts';
import { readBuffer, splitGltf } from './glb.ts';
import { extractTriangles } from './gltf-triangles.ts';

const DRACO = 'KHR_draco_mesh_compression';
const MESHOPT = 'EXT_meshopt_compression';
const READ: readonly string[] = [DRACO, MESHOPT, 'EXT_mesh_gpu_instancing', 'KHR_mesh_quantization'];
/** Extensions of removed parts: a file may require them, but its triangles are the same without them. */
const IRRELEVANT =
  /^((KHR|EXT|MSFT|ADOBE|AGI|GOOGLE|NV)_(materials?|textures?|lights?|animation|xmp|audio|environment)_?|KHR_techniques_webgl$)/;

/** `file` is how messages name it; `dracoWasm` as in `LevelFileOptions`. */
export async function readGltf(
  bytes: Uint8Array,
  file: string,
  beside: ReadBeside,
  dracoWasm?: () => Promise<ArrayBuffer>,
): Promise<LevelMesh> {
  const { json, binary } = splitGltf(bytes, file);
  checkExtensions(json, file);
  const used = json.extensionsUsed ?? [];
  const io = new WebIO().setLogger(new Logger(Verbosity.SILENT));
  io.registerExtensions([EXTMeshGPUInstancing, EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization]);
  if (used.includes(DRACO)) {
    const { default: draco } = await import('draco3dgltf');
    const settings = dracoWasm === undefined ? {} : { wasmBinary: await dracoWasm() };
    io.registerDependencies({ 'draco3d.decoder': await draco.createDecoderModule(settings) });
  }
  if (used.includes(MESHOPT)) {
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    await MeshoptDecoder.ready;
    io.registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  }
  const resources = await readBuffers(json, binary, beside, file);
  const slim = withoutLooks(json);
  try {
    checkAccessors(slim);
    checkTree(slim);
    return extractTriangles(await io.readJSON({ json: slim, resources }), slim, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      `${file}: damaged glTF (${messageOf(error)}); check it with a glTF validator or export it again`,
    );
  }
}

function checkExtensions(json: GLTF.IGLTF, file: string): void {
  const required = (json.extensionsRequired ?? []).filter((name) => !READ.includes(name) && !IRRELEVANT.test(name));
  if (required.length === 0) return;
  const names = required.join(', ');
  const remedy = required.includes('KHR_meshopt_compression')
    ? `export it without compression, or compressed with ${MESHOPT} or ${DRACO}`
    : 'export it without';
  throw new InputError(
    `${file}: requires the glTF extension ${names}, which navkiln cannot read; ${remedy} (it reads ${READ.join(', ')})`,
  );
}

async function readBuffers(
  json: GLTF.IGLTF,
  binary: Uint8Array<ArrayBuffer> | undefined,
  beside: ReadBeside,
  file: string,
): Promise<JSONDocument['resources']> {
  const resources: JSONDocument['resources'] = {};
  const lengths: number[] = [];
  for (const [index, buffer] of (json.buffers ?? []).entries()) {
    // A buffer without bytes is the decoded form of compressed views.
    if (buffer.uri === undefined && (index > 0 || binary === undefined)) {
      lengths.push(buffer.byteLength);
      continue;
    }
    const bytes = buffer.uri === undefined ? binary! : await readBuffer(buffer.uri, beside, file);
    if (bytes.length < buffer.byteLength) {
      throw new InputError(
        `${file}: truncated: buffer ${index} has ${bytes.length} of its ${buffer.byteLength} bytes; copy or export it again`,
      );
    }
    if (buffer.uri === undefined) {
      resources[GLB_BUFFER] = bytes;
    } else {
      const name = `buffer${index}`;
      buffer.uri = name;
      resources[name] = bytes;
    }
    lengths.push(bytes.length);
  }
  (json.bufferViews ?? []).forEach((view, index) => {
    const length = lengths[view.buffer];
    if (length === undefined || (view.byteOffset ?? 0) + view.byteLength > length) {
      throw new InputError(
        `${file}: damaged glTF: buffer view ${index} reaches beyond buffer ${view.buffer}; export it again`,
      );
    }
  });
  return resources;
}

/** Returns the file without the parts that a navigation mesh ignores. */
function withoutLooks(json: GLTF.IGLTF): GLTF.IGLTF {
  const { images, textures, samplers, animations, cameras, skins, ...rest } = json;
  void [images, textures, samplers, animations, cameras, skins];
  return {
    ...rest,
    materials: json.materials?.map(({ name, doubleSided }) => ({ name, doubleSided })),
    nodes: json.nodes?.map(({ camera, skin, ...node }) => {
      void camera;
      return skin === undefined ? node : { ...node, extras: { skin } };
    }),
    extensionsRequired: (json.extensionsRequired ?? []).filter((name) => READ.includes(name)),
    extensionsUsed: (json.extensionsUsed ?? []).filter((name) => READ.includes(name)),
  };
}

const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const TYPE_COMPONENTS: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** Requires accessors to have a known type and to lie within their buffer views. */
function checkAccessors(json: GLTF.IGLTF): void {
  (json.accessors ?? []).forEach(({ componentType, type, count, bufferView, byteOffset = 0 }, index) => {
    const components = TYPE_COMPONENTS[type];
    const size = COMPONENT_BYTES[componentType];
    if (components === undefined || size === undefined) throw new Error(`accessor ${index} is of an unknown type`);
    if (!Number.isInteger(count) || count < 0 || count > 2 ** 32)
      throw new Error(`accessor ${index} has a count of ${count}`);
    if (bufferView === undefined) return;
    const view = json.bufferViews?.[bufferView];
    if (view === undefined) throw new Error(`accessor ${index} has no buffer view ${bufferView}`);
    const stride = view.byteStride ?? components * size;
    if (count > 0 && byteOffset + (count - 1) * stride + components * size > view.byteLength) {
      throw new Error(`accessor ${index} reaches beyond buffer view ${bufferView}`);
    }
  });
}

/** Requires that all references resolve and that nodes form trees. */
function checkTree(json: GLTF.IGLTF): void {
  const nodes = json.nodes ?? [];
  for (const scene of json.scenes ?? []) {
    const missing = scene.nodes?.find((index) => nodes[index] === undefined);
    if (missing !== undefined) throw new Error(`its scene has no node ${missing}`);
  }
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, index) => {
    if (node.mesh !== undefined && json.meshes?.[node.mesh] === undefined)
      throw new Error(`node ${index} has no mesh ${node.mesh}`);
    for (const child of node.children ?? []) {
      if (nodes[child] === undefined) throw new Error(`node ${index} has no child ${child}`);
      if (parents[child] !== -1) throw new Error(`node ${child} has two parents`);
      parents[child] = index;
    }
  });
  nodes.forEach((_, index) => {
    let steps = 0;
    for (let at = index; at !== -1; at = parents[at])
      if (++steps > nodes.length) throw new Error(`node ${index} is its own ancestor`);
  });
  json.meshes?.forEach((mesh, index) => {
    for (const primitive of mesh.primitives ?? []) {
      for (const accessor of [...Object.values(primitive.attributes ?? {}), primitive.indices]) {
        if (accessor !== undefined && json.accessors?.[accessor] === undefined)
          throw new Error(`mesh ${index} has no accessor ${accessor}`);
      }
    }
  });
}
