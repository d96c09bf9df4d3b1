/**
 * Reads the parts of a glTF file's JSON that decide its triangles, and checks them: types, ranges, references,
 * strides, byte ranges, and that nodes form trees. The result is safe to decode and to traverse. Everything else in
 * the file (looks, animation, cameras, unknown extensions) is not looked at.
 *
 * In: parsed JSON of any shape.
 * Out: a `GltfShape`. Errors name the path of the value in the file.
 * Cost: linear in the JSON.
 * Based on: Khronos Group, glTF 2.0 Specification; own code.
 */
import { arrayAt, failAt, indexAt, numbersAt, objectAt, requiredAt, showJson, textAt, wholeAt } from './json.ts';
import type { GltfSource, Json } from './json.ts';

export const DRACO = 'KHR_draco_mesh_compression';
export const MESHOPT = 'EXT_meshopt_compression';
export const INSTANCING = 'EXT_mesh_gpu_instancing';
/** Attributes of instances that place them, and how many numbers each has. */
export const INSTANCE_ATTRIBUTES = { TRANSLATION: 'VEC3', ROTATION: 'VEC4', SCALE: 'VEC3' } as const;

export interface GltfBuffer {
  byteLength: number;
  uri: string | undefined;
}

/** A byte range of a buffer. */
interface ByteRange {
  buffer: number;
  byteOffset: number;
  byteLength: number;
}

export interface GltfView extends ByteRange {
  byteStride: number | undefined;
  /** Compressed bytes. The view describes the decoded data. */
  meshopt: (ByteRange & { byteStride: number; count: number; mode: string; filter: string }) | undefined;
}

export interface GltfAccessor {
  componentType: number;
  type: string;
  count: number;
  normalized: boolean;
  /** Undefined: zeros, or given by Draco. */
  view: number | undefined;
  byteOffset: number;
  sparse: GltfSparse | undefined;
}

export interface GltfSparse {
  count: number;
  indices: { view: number; byteOffset: number; componentType: number };
  values: { view: number; byteOffset: number };
}

export interface GltfPrimitive {
  position: number | undefined;
  indices: number | undefined;
  mode: number;
  material: number | undefined;
  hasTargets: boolean;
  draco: { view: number; positionId: number | undefined } | undefined;
}

export interface GltfNode {
  name: string | undefined;
  mesh: number | undefined;
  children: readonly number[];
  isSkinned: boolean;
  matrix: readonly number[] | undefined;
  translation: readonly number[];
  rotation: readonly number[];
  scale: readonly number[];
  /** Accessors of its instances; undefined: it is drawn once. */
  instances: Partial<Record<keyof typeof INSTANCE_ATTRIBUTES, number>> | undefined;
}

export interface GltfShape {
  buffers: GltfBuffer[];
  views: GltfView[];
  accessors: GltfAccessor[];
  materials: { name: string; isTwoSided: boolean }[];
  meshes: { name: string; primitives: GltfPrimitive[] }[];
  nodes: GltfNode[];
  /** Nodes of the scene. */
  roots: readonly number[];
  usesDraco: boolean;
  usesMeshopt: boolean;
}

export const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};
export const TYPE_COMPONENTS: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};
const UNSIGNED: readonly number[] = [5121, 5123, 5125];
const MESHOPT_MODES: readonly string[] = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const MESHOPT_FILTERS: readonly string[] = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL'];
const MAX_COUNT = 2 ** 32;
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

export function readGltfShape(json: Json, source: GltfSource): GltfShape {
  const list = (key: string): readonly unknown[] => arrayAt(source, key, json[key]);
  const buffers = list('buffers').map((value, i) => readBuffer(source, `buffers[${i}]`, value));
  const views = list('bufferViews').map((value, i) => readView(source, `bufferViews[${i}]`, value, buffers.length));
  const accessors = list('accessors').map((value, i) => readAccessor(source, `accessors[${i}]`, value, views));
  const materials = list('materials').map((value, i) => {
    const { name, doubleSided } = objectAt(source, `materials[${i}]`, value);
    return { name: textAt(source, `materials[${i}].name`, name), isTwoSided: doubleSided === true };
  });
  const sizes = { views: views.length, accessors: accessors.length, materials: materials.length };
  const meshes = list('meshes').map((value, i) => {
    const mesh = requiredAt(source, `meshes[${i}]`, value);
    const primitives = arrayAt(source, `meshes[${i}].primitives`, mesh['primitives']);
    return {
      name: textAt(source, `meshes[${i}].name`, mesh['name']),
      primitives: primitives.map((one, k) =>
        readPrimitive(source, `meshes[${i}].primitives[${k}]`, one, sizes, accessors),
      ),
    };
  });
  const nodeCount = list('nodes').length;
  const nodes = list('nodes').map((value, i) =>
    readNode(source, `nodes[${i}]`, value, { nodeCount, meshCount: meshes.length, accessors }),
  );
  const parents = readParents(source, nodes);
  const roots = readRoots(source, json, nodes, parents);
  const primitives = meshes.flatMap((mesh) => mesh.primitives);
  return {
    buffers,
    views,
    accessors,
    materials,
    meshes,
    nodes,
    roots,
    usesDraco: primitives.some(({ draco }) => draco !== undefined),
    usesMeshopt: views.some(({ meshopt }) => meshopt !== undefined),
  };
}

function readBuffer(source: GltfSource, path: string, value: unknown): GltfBuffer {
  const { byteLength, uri } = requiredAt(source, path, value);
  return {
    byteLength: wholeAt(source, `${path}.byteLength`, byteLength, [0, MAX_BYTES]),
    uri: uri === undefined ? undefined : textAt(source, `${path}.uri`, uri),
  };
}

function readRange(source: GltfSource, path: string, value: Json, bufferCount: number): ByteRange {
  return {
    buffer: indexAt(source, `${path}.buffer`, value['buffer'], bufferCount, 'buffers'),
    byteOffset: wholeAt(source, `${path}.byteOffset`, value['byteOffset'], [0, MAX_BYTES], 0),
    byteLength: wholeAt(source, `${path}.byteLength`, value['byteLength'], [0, MAX_BYTES]),
  };
}

function readView(source: GltfSource, path: string, value: unknown, bufferCount: number): GltfView {
  const view = requiredAt(source, path, value);
  const { byteStride, extensions } = view;
  const range = readRange(source, path, view, bufferCount);
  const packed = objectAt(source, `${path}.extensions`, extensions)[MESHOPT];
  const stride =
    byteStride === undefined ? undefined : wholeAt(source, `${path}.byteStride`, byteStride, [1, MAX_BYTES]);
  const at = `${path}.extensions.${MESHOPT}`;
  const meshopt = packed === undefined ? undefined : readMeshopt(source, at, packed, bufferCount);
  if (meshopt !== undefined && meshopt.count * meshopt.byteStride !== range.byteLength) {
    const bytes = meshopt.count * meshopt.byteStride;
    failAt(
      source,
      `${path}.byteLength`,
      `is ${range.byteLength}; must be ${bytes}, what its compressed data decode to`,
    );
  }
  return { ...range, byteStride: stride, meshopt };
}

function readMeshopt(source: GltfSource, path: string, value: unknown, bufferCount: number): GltfView['meshopt'] {
  const packed = requiredAt(source, path, value);
  const mode = textAt(source, `${path}.mode`, packed['mode']);
  const filter = packed['filter'] === undefined ? 'NONE' : textAt(source, `${path}.filter`, packed['filter']);
  if (!MESHOPT_MODES.includes(mode)) failAt(source, `${path}.mode`, mustBeOneOf(mode, MESHOPT_MODES));
  if (!MESHOPT_FILTERS.includes(filter)) failAt(source, `${path}.filter`, mustBeOneOf(filter, MESHOPT_FILTERS));
  const byteStride = wholeAt(source, `${path}.byteStride`, packed['byteStride'], [2, 256]);
  if (mode === 'ATTRIBUTES' ? byteStride % 4 !== 0 : byteStride !== 2 && byteStride !== 4) {
    const mustBe = mode === 'ATTRIBUTES' ? 'a multiple of 4' : '2 or 4';
    failAt(source, `${path}.byteStride`, `is ${byteStride}; must be ${mustBe} for the mode ${mode}`);
  }
  const count = wholeAt(source, `${path}.count`, packed['count'], [0, MAX_COUNT]);
  if (mode === 'TRIANGLES' && count % 3 !== 0)
    failAt(source, `${path}.count`, `is ${count}; must be a multiple of 3 for the mode ${mode}`);
  if (
    (filter === 'OCTAHEDRAL' && byteStride !== 4 && byteStride !== 8) ||
    (filter === 'QUATERNION' && byteStride !== 8)
  )
    failAt(source, `${path}.byteStride`, `is ${byteStride}; the filter ${filter} does not have it`);
  return { ...readRange(source, path, packed, bufferCount), byteStride, count, mode, filter };
}

function mustBeOneOf(value: unknown, known: readonly (string | number)[]): string {
  return `is ${showJson(value)}; must be one of ${known.join(', ')}`;
}

function readAccessor(source: GltfSource, path: string, value: unknown, views: readonly GltfView[]): GltfAccessor {
  const accessor = requiredAt(source, path, value);
  const { componentType, type, bufferView, normalized } = accessor;
  if (typeof type !== 'string' || !Object.hasOwn(TYPE_COMPONENTS, type)) {
    failAt(source, `${path}.type`, mustBeOneOf(type, Object.keys(TYPE_COMPONENTS)));
  }
  if (typeof componentType !== 'number' || !Object.hasOwn(COMPONENT_BYTES, componentType)) {
    failAt(source, `${path}.componentType`, mustBeOneOf(componentType, Object.keys(COMPONENT_BYTES)));
  }
  const read: GltfAccessor = {
    componentType,
    type,
    count: wholeAt(source, `${path}.count`, accessor['count'], [0, MAX_COUNT]),
    normalized: normalized === true,
    view:
      bufferView === undefined
        ? undefined
        : indexAt(source, `${path}.bufferView`, bufferView, views.length, 'bufferViews'),
    byteOffset: wholeAt(source, `${path}.byteOffset`, accessor['byteOffset'], [0, MAX_BYTES], 0),
    sparse: undefined,
  };
  const size = elementBytes(read);
  if (read.view !== undefined) checkExtent(source, path, { ...read, view: read.view, size }, views);
  if (accessor['sparse'] !== undefined) {
    read.sparse = readSparse(source, `${path}.sparse`, accessor['sparse'], read, views);
  }
  return read;
}

export function elementBytes({ componentType, type }: Pick<GltfAccessor, 'componentType' | 'type'>): number {
  return COMPONENT_BYTES[componentType] * TYPE_COMPONENTS[type];
}

interface Extent {
  view: number;
  byteOffset: number;
  count: number;
  /** Bytes of an element. */
  size: number;
}

/** Fails unless all elements lie in their view and do not overlap. */
function checkExtent(
  source: GltfSource,
  path: string,
  { view, byteOffset, count, size }: Extent,
  views: readonly GltfView[],
): void {
  const { byteStride, byteLength } = views[view];
  if (byteStride !== undefined && byteStride < size) {
    const element = `an element of ${path} has ${size} bytes`;
    failAt(source, `bufferViews[${view}].byteStride`, `is ${byteStride}; must be >= ${size}, since ${element}`);
  }
  const end = count === 0 ? 0 : byteOffset + (count - 1) * (byteStride ?? size) + size;
  if (end > byteLength) {
    failAt(source, path, `ends at byte ${end} of bufferViews[${view}], which has ${byteLength} bytes`);
  }
}

function readSparse(
  source: GltfSource,
  path: string,
  value: unknown,
  accessor: GltfAccessor,
  views: readonly GltfView[],
): GltfSparse {
  const sparse = requiredAt(source, path, value);
  const count = wholeAt(source, `${path}.count`, sparse['count'], [0, accessor.count]);
  const part = (key: 'indices' | 'values'): Json & { view: number; byteOffset: number } => {
    const found = requiredAt(source, `${path}.${key}`, sparse[key]);
    const view = indexAt(source, `${path}.${key}.bufferView`, found['bufferView'], views.length, 'bufferViews');
    const byteOffset = wholeAt(source, `${path}.${key}.byteOffset`, found['byteOffset'], [0, MAX_BYTES], 0);
    return { ...found, view, byteOffset };
  };
  const { componentType, ...indices } = part('indices');
  if (typeof componentType !== 'number' || !UNSIGNED.includes(componentType)) {
    failAt(source, `${path}.indices.componentType`, mustBeOneOf(componentType, UNSIGNED));
  }
  const values = part('values');
  checkExtent(source, `${path}.indices`, { ...indices, count, size: COMPONENT_BYTES[componentType] }, views);
  checkExtent(source, `${path}.values`, { ...values, count, size: elementBytes(accessor) }, views);
  return {
    count,
    indices: { view: indices.view, byteOffset: indices.byteOffset, componentType },
    values: { view: values.view, byteOffset: values.byteOffset },
  };
}

interface Sizes {
  views: number;
  accessors: number;
  materials: number;
}

function readPrimitive(
  source: GltfSource,
  path: string,
  value: unknown,
  sizes: Sizes,
  accessors: readonly GltfAccessor[],
): GltfPrimitive {
  const primitive = requiredAt(source, path, value);
  const attributes = objectAt(source, `${path}.attributes`, primitive['attributes']);
  const accessor = (at: string, index: unknown): number => indexAt(source, at, index, sizes.accessors, 'accessors');
  const { indices, material } = primitive;
  const packed = objectAt(source, `${path}.extensions`, primitive['extensions'])[DRACO];
  const { POSITION } = attributes;
  const read: GltfPrimitive = {
    position: POSITION === undefined ? undefined : accessor(`${path}.attributes.POSITION`, POSITION),
    indices: indices === undefined ? undefined : accessor(`${path}.indices`, indices),
    mode: wholeAt(source, `${path}.mode`, primitive['mode'], [0, 6], 4),
    material:
      material === undefined ? undefined : indexAt(source, `${path}.material`, material, sizes.materials, 'materials'),
    hasTargets: arrayAt(source, `${path}.targets`, primitive['targets']).length > 0,
    draco: packed === undefined ? undefined : readDraco(source, `${path}.extensions.${DRACO}`, packed, sizes),
  };
  if (read.indices !== undefined) {
    const { type, componentType } = accessors[read.indices];
    if (type !== 'SCALAR' || !UNSIGNED.includes(componentType)) {
      failAt(
        source,
        `${path}.indices`,
        `is an accessor of ${type} ${componentType}; must be SCALAR of ${UNSIGNED.join(', ')}`,
      );
    }
  }
  return read;
}

function readDraco(source: GltfSource, path: string, value: unknown, sizes: Sizes): GltfPrimitive['draco'] {
  const packed = requiredAt(source, path, value);
  const { POSITION } = objectAt(source, `${path}.attributes`, packed['attributes']);
  return {
    view: indexAt(source, `${path}.bufferView`, packed['bufferView'], sizes.views, 'bufferViews'),
    positionId:
      POSITION === undefined ? undefined : wholeAt(source, `${path}.attributes.POSITION`, POSITION, [0, 0x7fffffff]),
  };
}

interface NodeLists {
  nodeCount: number;
  meshCount: number;
  accessors: readonly GltfAccessor[];
}

function readNode(source: GltfSource, path: string, value: unknown, lists: NodeLists): GltfNode {
  const node = requiredAt(source, path, value);
  const { name, mesh, skin, extensions } = node;
  const children = arrayAt(source, `${path}.children`, node['children']);
  const packed = objectAt(source, `${path}.extensions`, extensions)[INSTANCING];
  return {
    name: name === undefined ? undefined : textAt(source, `${path}.name`, name),
    mesh: mesh === undefined ? undefined : indexAt(source, `${path}.mesh`, mesh, lists.meshCount, 'meshes'),
    children: children.map((child, i) => indexAt(source, `${path}.children[${i}]`, child, lists.nodeCount, 'nodes')),
    isSkinned: skin !== undefined,
    matrix: numbersAt(source, `${path}.matrix`, node['matrix'], 16),
    translation: numbersAt(source, `${path}.translation`, node['translation'], 3) ?? [0, 0, 0],
    rotation: numbersAt(source, `${path}.rotation`, node['rotation'], 4) ?? [0, 0, 0, 1],
    scale: numbersAt(source, `${path}.scale`, node['scale'], 3) ?? [1, 1, 1],
    instances:
      packed === undefined ? undefined : readInstances(source, `${path}.extensions.${INSTANCING}`, packed, lists),
  };
}

function readInstances(
  source: GltfSource,
  path: string,
  value: unknown,
  { accessors }: NodeLists,
): NonNullable<GltfNode['instances']> {
  const attributes = objectAt(source, `${path}.attributes`, requiredAt(source, path, value)['attributes']);
  const read: NonNullable<GltfNode['instances']> = {};
  let count = -1;
  for (const name of Object.keys(INSTANCE_ATTRIBUTES) as (keyof typeof INSTANCE_ATTRIBUTES)[]) {
    if (attributes[name] === undefined) continue;
    const at = `${path}.attributes.${name}`;
    const index = indexAt(source, at, attributes[name], accessors.length, 'accessors');
    const { type, count: own } = accessors[index];
    if (type !== INSTANCE_ATTRIBUTES[name]) {
      failAt(source, at, `is an accessor of ${type}; must be of ${INSTANCE_ATTRIBUTES[name]}`);
    }
    if (count >= 0 && own !== count) failAt(source, at, `has ${own} instances; the attribute before has ${count}`);
    count = own;
    read[name] = index;
  }
  return read;
}

/** Returns the parent of each node, -1 for none. Fails when a node has two, or is its own ancestor. */
function readParents(source: GltfSource, nodes: readonly GltfNode[]): Int32Array {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach(({ children }, i) => {
    children.forEach((child, k) => {
      if (parents[child] !== -1) {
        failAt(source, `nodes[${i}].children[${k}]`, `is ${child}, which is a child of node ${parents[child]} already`);
      }
      parents[child] = i;
    });
  });
  // Each node has one parent, so what cannot be reached from a root is in a circle.
  const seen = new Uint8Array(nodes.length);
  const stack: number[] = [];
  for (let i = 0; i < nodes.length; i++) if (parents[i] === -1) stack.push(i);
  while (stack.length > 0) {
    const at = stack.pop()!;
    seen[at] = 1;
    for (const child of nodes[at].children) stack.push(child);
  }
  const circular = seen.indexOf(0);
  if (circular >= 0) failAt(source, `nodes[${circular}]`, 'is its own ancestor');
  return parents;
}

/** Returns the nodes of the default scene, else of the first. Without scenes: all nodes without a parent. */
function readRoots(source: GltfSource, json: Json, nodes: readonly GltfNode[], parents: Int32Array): readonly number[] {
  const scenes = arrayAt(source, 'scenes', json['scenes']);
  if (scenes.length === 0) return nodes.map((_, i) => i).filter((i) => parents[i] === -1);
  const scene = json['scene'] === undefined ? 0 : indexAt(source, 'scene', json['scene'], scenes.length, 'scenes');
  const path = `scenes[${scene}].nodes`;
  const seen = new Uint8Array(nodes.length);
  return arrayAt(source, path, requiredAt(source, `scenes[${scene}]`, scenes[scene])['nodes']).map((value, i) => {
    const node = indexAt(source, `${path}[${i}]`, value, nodes.length, 'nodes');
    if (seen[node] !== 0) failAt(source, `${path}[${i}]`, `is ${node}, which is in the list already`);
    if (parents[node] !== -1) failAt(source, `${path}[${i}]`, `is ${node}, which is a child of node ${parents[node]}`);
    seen[node] = 1;
    return node;
  });
}
