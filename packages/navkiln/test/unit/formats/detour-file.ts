/**
 * Walks through the fields of a Detour .bin file, so that tests can write the same file in another encoding.
 */

/** Returns the widths in bytes of a blob's fields, from the nine counts of its header. */
function blobFields(counts: number[]): number[] {
  const [polys, vertices, links, detailMeshes, detailVertices, detailTris, nodes, connections] = counts;
  const repeat = (count: number, ...widths: number[]): number[] => Array.from({ length: count }, () => widths).flat();
  return [
    ...repeat(25, 4),
    ...repeat(3 * vertices!, 4),
    ...repeat(polys!, 4, ...repeat(13, 2), 1, 1),
    // 0 stands for a ref, which has 4 or 8 bytes.
    ...repeat(links!, 0, 4, 1, 1, 1, 1),
    ...repeat(detailMeshes!, 4, 4, 1, 1, 1, 1),
    ...repeat(3 * detailVertices!, 4),
    ...repeat(4 * detailTris!, 1),
    ...repeat(nodes!, ...repeat(6, 2), 4),
    ...repeat(connections!, ...repeat(7, 4), 2, 1, 1, 4),
  ];
}

export interface Encoding {
  bigEndian?: boolean;
  wideRefs?: boolean;
}

/** Rewrites a little-endian file with 32-bit refs in the other byte order, with 64-bit refs, or both. */
export function transcode(bytes: Uint8Array, { bigEndian = false, wideRefs = false }: Encoding): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out: number[] = [];
  let at = 0;
  const copy = (width: number): void => {
    const field = Array.from(bytes.subarray(at, at + width));
    out.push(...(bigEndian ? field.reverse() : field));
    at += width;
  };
  const put = (value: number, width: number): void => {
    const field = Array.from({ length: width }, (_, i) => Math.floor(value / 256 ** i) % 256);
    out.push(...(bigEndian ? field.reverse() : field));
  };
  const copyBlob = (): void => {
    const start = at;
    const counts = Array.from({ length: 9 }, (_, i) => view.getInt32(start + 24 + 4 * i, true));
    for (const width of blobFields(counts)) {
      if (width > 0) copy(width);
      else if (wideRefs) {
        put(view.getUint32(at, true), 8);
        at += 4;
      } else copy(4);
    }
  };
  if (view.getUint32(0, true) === 0x444e4156) {
    copyBlob();
    return Uint8Array.from(out);
  }
  const tiles = view.getInt32(8, true);
  for (let i = 0; i < 10; i++) copy(4);
  for (let i = 0; i < tiles; i++) {
    const links = view.getInt32(at + 8 + 32, true);
    const size = view.getInt32(at + 4, true);
    put(view.getUint32(at, true), wideRefs ? 8 : 4);
    put(size + (wideRefs ? 4 * links : 0), 4);
    if (wideRefs) put(0, 4);
    at += 8;
    copyBlob();
  }
  return Uint8Array.from(out);
}

/** Returns the first tile's blob. */
export function firstBlob(bytes: Uint8Array): Uint8Array {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getInt32(44, true);
  return bytes.slice(48, 48 + size);
}
