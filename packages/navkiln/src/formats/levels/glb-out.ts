/**
 * Writes a NavMesh as GLB (binary glTF 2.0), for viewers and editors.
 *
 * Each tile is a node `tile X Z LAYER`: triangles of the surface, one primitive and material per area (`area
 * 63`). Below it, unless `lines` is false, a node `… lines` holds the edges between polygons, the walls, and
 * the portals to neighboring tiles. Links are lines of a node `links`; their other properties are in its
 * `extras`. Each node stands at its corner, in doubles, and its vertices are relative to it, so they stay
 * exact far from the origin.
 *
 * In: a NavMesh.
 * Out: the bytes of a GLB file.
 * Cost: linear.
 * Based on: glTF 2.0 Specification, Khronos Group, 2021. Colors: M. Okabe, K. Ito, Color Universal Design,
 * 2008.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { AREA_GROUND } from '../../base/constants.ts';
import { checkKeys } from '../../base/data/refuse.ts';
import { setCrossingEnds, portalCrossing } from '../../mesh/crossing.ts';
import { kindOfLink } from '../../mesh/link-kinds.ts';
import { namesOfSizes } from '../../mesh/sizes.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED, LINK_STRAIGHT } from '../../mesh/types.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { addTriangles, cornersOf, linkEndPoints, polysByArea, usedSlots } from './ground-triangles.ts';

/** Options of `writeGlb`. */
export interface GlbWriteOptions {
  /** Writes edges, walls, portals and links as lines. Default true. */
  lines?: boolean;
}

/** Linear colors: the default area first, the others in turn. */
const GROUND_COLOR = [0.047, 0.292, 0.584];
const AREA_COLORS = [
  [0.791, 0.347, 0],
  [0, 0.342, 0.171],
  [0.604, 0.191, 0.386],
  [0.871, 0.776, 0.054],
  [0.093, 0.456, 0.815],
  [0.262, 0.147, 0.44],
  [0.319, 0.319, 0.319],
];
const LINE_COLORS: Record<string, number[]> = {
  edge: [0.047, 0.16, 0.3],
  wall: [0.003, 0.02, 0.05],
  portal: [0.871, 0.776, 0.054],
  link: [0.665, 0.112, 0],
};

const FLOAT = 5126;
const UINT16 = 5123;
const UINT32 = 5125;
const VERTICES = 34962;
const INDICES = 34963;
const LINES = 1;
const TRIANGLES = 4;

interface Primitive {
  attributes: { POSITION: number };
  indices?: number;
  material: number;
  mode: number;
}

/** A glTF file under construction: the tables of the JSON and the bytes of the buffer. */
interface Glb {
  chunks: Uint8Array[];
  byteLength: number;
  bufferViews: object[];
  accessors: object[];
  materials: object[];
  materialOf: Map<string, number>;
  meshes: object[];
  nodes: object[];
  roots: number[];
}

/** Writes a GLB file. Throws a RangeError when it would exceed 4 GB. */
export function writeGlb(mesh: NavMesh, options: GlbWriteOptions = {}): Uint8Array {
  checkNavMesh('writeGlb', mesh);
  checkKeys('writeGlb', options, ['lines']);
  const { lines = true } = options;
  const glb: Glb = {
    chunks: [],
    byteLength: 0,
    bufferViews: [],
    accessors: [],
    materials: [],
    materialOf: new Map(),
    meshes: [],
    nodes: [],
    roots: [],
  };
  for (const slot of usedSlots(mesh)) if (mesh.tilePolyCount[slot] > 0) writeTile(glb, mesh, slot, lines);
  if (lines) writeLinks(glb, mesh);
  return pack(glb, mesh);
}

function writeTile(glb: Glb, mesh: NavMesh, slot: number, lines: boolean): void {
  const corner = Array.from(mesh.tileBounds.subarray(6 * slot, 6 * slot + 3));
  const [own, extra] = [mesh.tileVertexCount[slot], mesh.tileDetailVertexCount[slot]];
  const positions = new Float32Array(3 * (own + extra));
  for (let i = 0; i < positions.length; i++) {
    const isOwn = i < 3 * own;
    const value = isOwn
      ? mesh.vertices[3 * mesh.tileVertexStart[slot] + i]
      : mesh.detailVertices[3 * (mesh.tileDetailVertexStart[slot] - own) + i];
    positions[i] = value - corner[i % 3];
  }
  const position = addPositions(glb, positions);
  const name = `tile ${mesh.tileX[slot]} ${mesh.tileZ[slot]} ${mesh.tileLayer[slot]}`;
  const primitives: Primitive[] = [];
  for (const [area, polys] of polysByArea(mesh, slot)) {
    const corners: number[] = [];
    for (const poly of polys) addTriangles(corners, mesh, poly);
    const color = area === AREA_GROUND ? GROUND_COLOR : AREA_COLORS[(area - 1) % AREA_COLORS.length];
    primitives.push(
      primitive(glb, TRIANGLES, position, corners, own + extra, materialOf(glb, `area ${area}`, color, { area })),
    );
  }
  const node = addNode(glb, name, corner, primitives);
  glb.roots.push(node);
  if (!lines) return;
  const child = writeLines(glb, mesh, slot, { position, vertexCount: own + extra, corner, name: `${name} lines` });
  if (child >= 0) Object.assign(glb.nodes[node], { children: [child] });
}

/** A tile's node as its lines need it: accessor of its vertices, their number, its corner, the name of the lines' node. */
interface TileNode {
  position: number;
  vertexCount: number;
  corner: readonly number[];
  name: string;
}

/** Returns the node of a tile's lines, or -1 when it has none. */
function writeLines(glb: Glb, mesh: NavMesh, slot: number, tile: TileNode): number {
  const { position, vertexCount, corner, name } = tile;
  const edges: number[] = [];
  const walls: number[] = [];
  const gaps: number[] = [];
  const portals: number[] = [];
  const ends = new Float64Array(6);
  const addSegment = (out: number[]): void => ends.forEach((value, k) => out.push(value - corner[k % 3]));
  const first = mesh.tilePolyStart[slot];
  for (let p = first; p < first + mesh.tilePolyCount[slot]; p++) {
    const corners = cornersOf(mesh, p);
    corners.forEach((from, k) => {
      const edge = mesh.polyEdgeStart[p] + k;
      const neighbor = mesh.edgeNeighbor[edge];
      // Edges are written once for both polygons.
      if (neighbor >= -1 && neighbor < p) (neighbor >= 0 ? edges : walls).push(from, corners[(k + 1) % corners.length]);
      if (neighbor >= -1) return;
      for (const [low, high] of closedSpans(mesh, p, edge)) {
        setCrossingEnds(ends, mesh, p, edge);
        for (let axis = 0; axis < 3; axis++) {
          const [start, length] = [ends[axis], ends[axis + 3] - ends[axis]];
          ends[axis] = start + low * length;
          ends[axis + 3] = start + high * length;
        }
        addSegment(gaps);
      }
    });
    for (let portal = mesh.polyPortal[p]; portal >= 0; portal = mesh.portalNext[portal]) {
      setCrossingEnds(ends, mesh, p, portalCrossing(portal));
      addSegment(portals);
    }
  }
  const primitives: Primitive[] = [];
  for (const [kind, indices] of [
    ['edge', edges],
    ['wall', walls],
  ] as const) {
    if (indices.length === 0) continue;
    primitives.push(primitive(glb, LINES, position, indices, vertexCount, materialOf(glb, kind, LINE_COLORS[kind])));
  }
  if (gaps.length > 0) primitives.push(segments(glb, gaps, 'wall'));
  if (portals.length > 0) primitives.push(segments(glb, portals, 'portal'));
  return primitives.length === 0 ? -1 : addNode(glb, name, [0, 0, 0], primitives);
}

/** Returns the parts of an edge on the border that no portal opens, 0 .. 1 along it. */
function closedSpans(mesh: NavMesh, poly: number, edge: number): [number, number][] {
  const open: [number, number][] = [];
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
    if (mesh.portalEdge[portal] === edge) open.push([mesh.portalSpan[2 * portal], mesh.portalSpan[2 * portal + 1]]);
  }
  open.sort((a, b) => a[0] - b[0]);
  const closed: [number, number][] = [];
  let at = 0;
  for (const [low, high] of [...open, [1, 1]]) {
    if (low > at) closed.push([at, low]);
    at = Math.max(at, high);
  }
  return closed;
}

function writeLinks(glb: Glb, mesh: NavMesh): void {
  const points: number[] = [];
  const links: object[] = [];
  let corner: number[] = [];
  for (let link = 0; link < mesh.linkCount; link++) {
    const state = mesh.linkState[link];
    if (state === 0) continue;
    const ends = linkEndPoints(mesh, link);
    if (links.length === 0) corner = ends.slice(0, 3);
    ends.forEach((value, k) => points.push(value - corner[k % 3]));
    links.push({
      bothWays: (state & LINK_BOTH_WAYS) !== 0,
      enabled: (state & LINK_ENABLED) !== 0,
      ...(kindOfLink(mesh, link) === 'other' ? {} : { kind: kindOfLink(mesh, link) }),
      ...((state & LINK_STRAIGHT) === 0 ? {} : { crossing: 'straight' }),
      radius: mesh.linkRadius[link],
      area: mesh.linkArea[link],
      cost: mesh.linkCost[link],
      flags: mesh.linkFlags[link],
      userId: mesh.linkUserId[link],
      ...(mesh.sizes.length === 0 ? {} : { sizes: namesOfSizes(mesh, mesh.linkSizes[link]) }),
    });
  }
  if (links.length === 0) return;
  const node = addNode(glb, 'links', corner, [segments(glb, points, 'link')]);
  Object.assign(glb.nodes[node], { extras: { links } });
  glb.roots.push(node);
}

/** Adds lines with two vertices of their own each. */
function segments(glb: Glb, points: readonly number[], kind: string): Primitive {
  const position = addPositions(glb, Float32Array.from(points));
  return { attributes: { POSITION: position }, material: materialOf(glb, kind, LINE_COLORS[kind]), mode: LINES };
}

function primitive(
  glb: Glb,
  mode: number,
  position: number,
  indices: readonly number[],
  vertexCount: number,
  material: number,
): Primitive {
  // The largest number of an index type is reserved.
  const isShort = vertexCount < 0xffff;
  const array = isShort ? Uint16Array.from(indices) : Uint32Array.from(indices);
  const bufferView = addView(glb, new Uint8Array(array.buffer), INDICES);
  glb.accessors.push({ bufferView, componentType: isShort ? UINT16 : UINT32, count: indices.length, type: 'SCALAR' });
  return { attributes: { POSITION: position }, indices: glb.accessors.length - 1, material, mode };
}

function addPositions(glb: Glb, positions: Float32Array): number {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  const bufferView = addView(glb, new Uint8Array(positions.buffer), VERTICES);
  glb.accessors.push({ bufferView, componentType: FLOAT, count: positions.length / 3, type: 'VEC3', min, max });
  return glb.accessors.length - 1;
}

/** Adds a buffer view, aligned to 4 bytes. */
function addView(glb: Glb, bytes: Uint8Array, target: number): number {
  glb.bufferViews.push({ buffer: 0, byteOffset: glb.byteLength, byteLength: bytes.length, target });
  glb.chunks.push(bytes);
  glb.byteLength += Math.ceil(bytes.length / 4) * 4;
  return glb.bufferViews.length - 1;
}

function materialOf(glb: Glb, name: string, color: readonly number[], extras?: object): number {
  const known = glb.materialOf.get(name);
  if (known !== undefined) return known;
  glb.materials.push({
    name,
    pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor: 1 },
    doubleSided: true,
    ...(extras === undefined ? {} : { extras }),
  });
  glb.materialOf.set(name, glb.materials.length - 1);
  return glb.materials.length - 1;
}

function addNode(glb: Glb, name: string, translation: readonly number[], primitives: readonly Primitive[]): number {
  glb.meshes.push({ name, primitives });
  const isMoved = translation.some((value) => value !== 0);
  glb.nodes.push({ name, mesh: glb.meshes.length - 1, ...(isMoved ? { translation } : {}) });
  return glb.nodes.length - 1;
}

function pack(glb: Glb, mesh: NavMesh): Uint8Array {
  const { agent, cellSize, cellHeight, tileSize } = mesh;
  const { bufferViews, accessors, materials, meshes, nodes } = glb;
  const tables = { bufferViews, accessors, materials, meshes, nodes };
  // glTF does not allow empty tables.
  const json = JSON.stringify({
    asset: { version: '2.0', generator: 'navkiln' },
    scene: 0,
    scenes: [
      {
        name: 'navigation mesh',
        ...(nodes.length > 0 ? { nodes: glb.roots } : {}),
        extras: { agent, cellSize, cellHeight, tileSize },
      },
    ],
    ...(nodes.length > 0 ? { ...tables, buffers: [{ byteLength: glb.byteLength }] } : {}),
  });
  const jsonLength = Math.ceil(json.length / 4) * 4;
  const total = 20 + jsonLength + (nodes.length > 0 ? 8 + glb.byteLength : 0);
  if (total > 0xffffffff) throw new RangeError(`writeGlb: the file would have ${total} bytes; write parts of the mesh`);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  // 'glTF', version, length; then chunks: length, 'JSON' or 'BIN', content.
  [0x46546c67, 2, total, jsonLength, 0x4e4f534a].forEach((word, i) => view.setUint32(4 * i, word, true));
  // The JSON is ASCII, since all names are our own.
  for (let i = 0; i < jsonLength; i++) bytes[20 + i] = i < json.length ? json.charCodeAt(i) : 0x20;
  if (nodes.length === 0) return bytes;
  let at = 20 + jsonLength;
  view.setUint32(at, glb.byteLength, true);
  view.setUint32(at + 4, 0x004e4942, true);
  at += 8;
  for (const chunk of glb.chunks) {
    bytes.set(chunk, at);
    at += Math.ceil(chunk.length / 4) * 4;
  }
  return bytes;
}
