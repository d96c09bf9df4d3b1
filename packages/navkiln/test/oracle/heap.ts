/**
 * Reads Recast's structs from the wasm heap and converts them to our records.
 *
 * All offsets are those of wasm32 (4-byte pointers, natural alignment). The oracle's own tests check the
 * results for consistency, so that a release with other structs fails visibly instead of giving wrong
 * numbers.
 */
import { Raw } from 'recast-navigation';
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from '../../src/build/voxel/types.ts';
import { BORDER_REGION, CONTOUR_AREA_BORDER, CONTOUR_BORDER_VERTEX } from '../../src/build/voxel/types.ts';

type Triple = [number, number, number];

export interface Views {
  u8: Uint8Array;
  u16: Uint16Array;
  i32: Int32Array;
  u32: Uint32Array;
  f32: Float32Array;
}

/** Returns new views of the heap, whose buffer changes when it grows. */
export function heapViews(): Views {
  const buffer = Raw.Module.HEAPU8.buffer;
  return {
    u8: new Uint8Array(buffer),
    u16: new Uint16Array(buffer),
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f32: new Float32Array(buffer),
  };
}

export function pointerOf(raw: unknown): number {
  return Raw.Module.getPointer(raw);
}

function triple(heap: Views, address: number): Triple {
  const i = address >> 2;
  return [heap.f32[i], heap.f32[i + 1], heap.f32[i + 2]];
}

/** rcHeightfield: w h bmin3 bmax3 cs ch spans**; rcSpan: smin:13 smax:13 area:6, next* */
export function readHeightfield(raw: unknown): Heightfield {
  const heap = heapViews();
  const p = pointerOf(raw);
  const i = p >> 2;
  const width = heap.i32[i];
  const depth = heap.i32[i + 1];
  const columns = heap.u32[i + 10] >> 2;
  const columnStart = new Int32Array(width * depth + 1);
  let spanCount = 0;
  for (let c = 0; c < width * depth; c++) {
    for (let s = heap.u32[columns + c]; s !== 0; s = heap.u32[(s >> 2) + 1]) spanCount++;
  }
  const spans = new Uint32Array(spanCount);
  let n = 0;
  for (let c = 0; c < width * depth; c++) {
    columnStart[c] = n;
    for (let s = heap.u32[columns + c]; s !== 0; s = heap.u32[(s >> 2) + 1]) spans[n++] = heap.u32[s >> 2];
  }
  columnStart[width * depth] = n;
  return {
    width,
    depth,
    cellSize: heap.f32[i + 8],
    cellHeight: heap.f32[i + 9],
    boundsMin: triple(heap, p + 8),
    boundsMax: triple(heap, p + 20),
    columnStart,
    spanCount,
    spans,
  };
}

function compactPointers(heap: Views, p: number): { cells: number; spans: number; dist: number; areas: number } {
  const i = p >> 2;
  return { cells: heap.u32[i + 15], spans: heap.u32[i + 16], dist: heap.u32[i + 17], areas: heap.u32[i + 18] };
}

/**
 * rcCompactHeightfield: w h spanCount walkableHeight walkableClimb borderSize (i32), maxDistance maxRegions
 * (u16), bmin3 bmax3 cs ch, cells* spans* dist* areas*; rcCompactCell index:24 count:8; rcCompactSpan y:16
 * reg:16 con:24 h:8.
 */
export function readCompactField(raw: unknown): CompactField {
  const heap = heapViews();
  const p = pointerOf(raw);
  const i = p >> 2;
  const width = heap.i32[i];
  const depth = heap.i32[i + 1];
  const spanCount = heap.i32[i + 2];
  const { cells, spans } = compactPointers(heap, p);
  const cellStart = (c: number): number => heap.u32[(cells >> 2) + c] & 0xffffff;
  const columnStart = new Int32Array(width * depth + 1);
  const y = new Uint16Array(spanCount);
  const height = new Uint8Array(spanCount);
  const neighbor = new Int32Array(spanCount * 4).fill(-1);
  let n = 0;
  for (let z = 0; z < depth; z++) {
    for (let x = 0; x < width; x++) {
      const c = x + z * width;
      columnStart[c] = n;
      const cell = heap.u32[(cells >> 2) + c];
      const first = cell & 0xffffff;
      const end = first + (cell >>> 24);
      if (end > first && first !== n)
        throw new Error(`readCompactField: column ${c} starts at span ${first}, not ${n}`);
      for (let s = first; s < end; s++) {
        const w = (spans >> 2) + s * 2;
        y[s] = heap.u32[w] & 0xffff;
        const packed = heap.u32[w + 1];
        height[s] = packed >>> 24;
        for (let dir = 0; dir < 4; dir++) {
          const layer = (packed >>> (dir * 6)) & 63;
          if (layer === 63) continue;
          const nx = x + (dir === 0 ? -1 : dir === 2 ? 1 : 0);
          const nz = z + (dir === 1 ? 1 : dir === 3 ? -1 : 0);
          neighbor[s * 4 + dir] = cellStart(nx + nz * width) + layer;
        }
      }
      n = end > first ? end : n;
    }
  }
  columnStart[width * depth] = n;
  return {
    width,
    depth,
    cellSize: heap.f32[i + 13],
    cellHeight: heap.f32[i + 14],
    boundsMin: triple(heap, p + 28),
    boundsMax: triple(heap, p + 40),
    walkableHeightCells: heap.i32[i + 3],
    walkableClimbCells: heap.i32[i + 4],
    borderCells: heap.i32[i + 5],
    columnStart,
    spanCount,
    y,
    height,
    area: readAreas(raw),
    neighbor,
    distance: new Uint16Array(0),
    maxDistance: 0,
    region: new Int32Array(0),
    regionCount: 0,
  };
}

export function readAreas(raw: unknown): Uint8Array {
  const heap = heapViews();
  const p = pointerOf(raw);
  const { areas } = compactPointers(heap, p);
  return heap.u8.slice(areas, areas + heap.i32[(p >> 2) + 2]);
}

export function readDistance(raw: unknown): { distance: Uint16Array; maxDistance: number } {
  const heap = heapViews();
  const p = pointerOf(raw);
  const { dist } = compactPointers(heap, p);
  return {
    distance: heap.u16.slice(dist >> 1, (dist >> 1) + heap.i32[(p >> 2) + 2]),
    maxDistance: heap.u16[(p + 24) >> 1],
  };
}

function regionOf(id: number): number {
  return id & 0x8000 ? BORDER_REGION | (id & 0x7fff) : id;
}

/** Reads the regions. `regionCount` is Recast's maxRegions: at least the largest id in use. */
export function readRegions(raw: unknown): { region: Int32Array; regionCount: number } {
  const heap = heapViews();
  const p = pointerOf(raw);
  const { spans } = compactPointers(heap, p);
  const region = new Int32Array(heap.i32[(p >> 2) + 2]);
  for (let s = 0; s < region.length; s++) region[s] = regionOf(heap.u32[(spans >> 2) + s * 2] >>> 16);
  return { region, regionCount: heap.u16[(p + 26) >> 1] };
}

/** Recast: region in the low 16 bits (0x8000: border region), 0x10000 border vertex, 0x20000 area border. */
function contourFlags(flags: number): number {
  const marks = (flags & 0x10000 ? CONTOUR_BORDER_VERTEX : 0) | (flags & 0x20000 ? CONTOUR_AREA_BORDER : 0);
  return regionOf(flags & 0xffff) | marks;
}

/**
 * rcContourSet: conts* nconts bmin3 bmax3 cs ch w h borderSize maxError; rcContour: verts* n rverts* n reg:16
 * area:8
 */
export function readContourSet(raw: unknown): ContourSet {
  const heap = heapViews();
  const p = pointerOf(raw);
  const i = p >> 2;
  const count = heap.i32[i + 1];
  const at = (c: number): number => (heap.u32[i] >> 2) + c * 5;
  const region = new Int32Array(count);
  const area = new Uint8Array(count);
  const rings = (field: number): { start: Int32Array; vertices: Int32Array } => {
    const start = new Int32Array(count + 1);
    for (let c = 0; c < count; c++) start[c + 1] = start[c] + heap.i32[at(c) + field + 1];
    const vertices = new Int32Array(start[count] * 4);
    for (let c = 0; c < count; c++) {
      const from = heap.u32[at(c) + field] >> 2;
      const n = (start[c + 1] - start[c]) * 4;
      for (let k = 0; k < n; k++) {
        const value = heap.i32[from + k];
        vertices[start[c] * 4 + k] = k % 4 === 3 ? contourFlags(value) : value;
      }
    }
    return { start, vertices };
  };
  for (let c = 0; c < count; c++) {
    region[c] = regionOf(heap.u32[at(c) + 4] & 0xffff);
    area[c] = (heap.u32[at(c) + 4] >>> 16) & 0xff;
  }
  const simplified = rings(0);
  const raws = rings(2);
  return {
    boundsMin: triple(heap, p + 8),
    boundsMax: triple(heap, p + 20),
    width: heap.i32[i + 10],
    depth: heap.i32[i + 11],
    cellSize: heap.f32[i + 8],
    cellHeight: heap.f32[i + 9],
    borderCells: heap.i32[i + 12],
    maxEdgeErrorCells: heap.f32[i + 13],
    count,
    region,
    area,
    start: simplified.start,
    vertices: simplified.vertices,
    rawStart: raws.start,
    raw: raws.vertices,
  };
}

/**
 * rcPolyMesh: verts* polys* regs* flags* areas* nverts npolys maxpolys nvp bmin3 bmax3 cs ch borderSize
 * maxEdgeError
 */
export function readPolyMesh(raw: unknown): PolyMesh {
  const heap = heapViews();
  const p = pointerOf(raw);
  const i = p >> 2;
  const [verts, polys, regs, areas] = [heap.u32[i] >> 1, heap.u32[i + 1] >> 1, heap.u32[i + 2] >> 1, heap.u32[i + 4]];
  const vertexCount = heap.i32[i + 5];
  const polyCount = heap.i32[i + 6];
  const nvp = heap.i32[i + 8];
  const indices = new Int32Array(polyCount * nvp);
  const neighbors = new Int32Array(polyCount * nvp);
  const region = new Int32Array(polyCount);
  for (let q = 0; q < polyCount; q++) {
    region[q] = regionOf(heap.u16[regs + q]);
    for (let k = 0; k < nvp; k++) {
      const vertex = heap.u16[polys + q * nvp * 2 + k];
      const next = heap.u16[polys + q * nvp * 2 + nvp + k];
      indices[q * nvp + k] = vertex === 0xffff ? -1 : vertex;
      neighbors[q * nvp + k] = next === 0xffff ? -1 : next & 0x8000 ? -2 - (next & 0xf) : next;
    }
  }
  return {
    boundsMin: triple(heap, p + 36),
    boundsMax: triple(heap, p + 48),
    cellSize: heap.f32[i + 15],
    cellHeight: heap.f32[i + 16],
    borderCells: heap.i32[i + 17],
    maxEdgeErrorCells: heap.f32[i + 18],
    maxVerticesPerPoly: nvp,
    vertexCount,
    vertices: Int32Array.from(heap.u16.subarray(verts, verts + vertexCount * 3)),
    polyCount,
    polys: indices,
    neighbors,
    region,
    area: heap.u8.slice(areas, areas + polyCount),
  };
}

/** Sets the flag "walk" on every polygon. Areas stay as they are (63 is the default area here, too). */
export function markAllWalkable(raw: unknown): void {
  const heap = heapViews();
  const i = pointerOf(raw) >> 2;
  const flags = heap.u32[i + 3] >> 1;
  heap.u16.fill(1, flags, flags + heap.i32[i + 6]);
}

/**
 * rcPolyMeshDetail: meshes* (4 u32 each: first vertex, vertices, first triangle, triangles) verts* tris*
 * nmeshes nverts ntris
 */
export function readDetailMesh(raw: unknown, mesh: PolyMesh): DetailMesh {
  const heap = heapViews();
  const i = pointerOf(raw) >> 2;
  const [meshes, verts, tris] = [heap.u32[i] >> 2, heap.u32[i + 1] >> 2, heap.u32[i + 2]];
  const polyCount = heap.i32[i + 3];
  const nvp = mesh.maxVerticesPerPoly;
  const vertexStart = new Int32Array(polyCount + 1);
  const triStart = new Int32Array(polyCount + 1);
  const own = new Int32Array(polyCount);
  for (let q = 0; q < polyCount; q++) {
    while (own[q] < nvp && mesh.polys[q * nvp + own[q]] >= 0) own[q]++;
    vertexStart[q + 1] = vertexStart[q] + heap.u32[meshes + q * 4 + 1] - own[q];
    triStart[q + 1] = triStart[q] + heap.u32[meshes + q * 4 + 3];
  }
  const vertices = new Float64Array(vertexStart[polyCount] * 3);
  const triangles = new Uint8Array(triStart[polyCount] * 4);
  for (let q = 0; q < polyCount; q++) {
    const v = verts + (heap.u32[meshes + q * 4] + own[q]) * 3;
    const t = tris + heap.u32[meshes + q * 4 + 2] * 4;
    vertices.set(heap.f32.subarray(v, v + (vertexStart[q + 1] - vertexStart[q]) * 3), vertexStart[q] * 3);
    triangles.set(heap.u8.subarray(t, t + (triStart[q + 1] - triStart[q]) * 4), triStart[q] * 4);
  }
  return { polyCount, vertexStart, vertices, triStart, tris: triangles };
}

/**
 * Fills free heap memory with one byte value. Uninitialized memory that Recast reads (the hole merge reads an
 * array element of the wrong index) is then the same in each run, and tests can change it on purpose.
 */
export function poisonFreeMemory(byte: number): void {
  const { _malloc: malloc, _free: free } = Raw.Module;
  // A block larger than any hole lies above all memory that was ever used.
  const above = malloc(POISON_ABOVE);
  const blocks: [address: number, size: number][] = [[above, POISON_ABOVE]];
  // Then allocate every hole below it, largest first.
  for (let size = 1 << 22; size >= 16; size = Math.floor(size / 1.5)) {
    for (;;) {
      const address = malloc(size);
      blocks.push([address, size]);
      if (address === 0 || address > above) break;
    }
  }
  const heap = heapViews();
  for (const [address, size] of blocks) if (address !== 0) heap.u8.fill(byte, address, address + size);
  for (const [address] of blocks) free(address);
}

const POISON_ABOVE = 1 << 23;
