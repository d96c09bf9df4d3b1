/**
 * Writes a mesh to bytes; file-format.ts describes the format.
 *
 * Holes of removed tiles are squeezed out. Slots and generations stay, so refs stored separately stay valid.
 * The same tiles in the same slots give the same bytes.
 *
 * In: a NavMesh.
 * Out: the bytes of a .navmesh file.
 * Cost: linear in the live mesh.
 * Based on: own.
 */
import { checkNavMesh } from '../check-mesh.ts';
import { compactMesh } from '../tiles/compact.ts';
import {
  CHECKSUM_WORD,
  FILE_HEADER_BYTES,
  FILE_MAGIC,
  FILE_VERSION,
  POOLS,
  SCALAR_COUNT,
  fileChecksum,
  paddedBytes,
} from './file-format.ts';
import { ARRAY_FIELDS } from '../layout.ts';
import { encodeGroups } from './named-file.ts';
import { encodeSizes } from '../sizes-file.ts';
import type { NavMesh } from '../types.ts';

/** Returns a mesh as the bytes of a `.navmesh` file: the same bytes for the same mesh, everywhere. */
export function saveNavMesh(mesh: NavMesh): Uint8Array {
  checkNavMesh('saveNavMesh', mesh);
  // Sections are copied as they are in memory, and the format is little-endian.
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new Error('saveNavMesh: this machine is big-endian; files are little-endian. Use another one');
  }
  const tight = compactMesh(mesh);
  orderPortals(tight);
  // Clears the anchors of unattached ends, which may hold values of an earlier attachment.
  tight.linkPoly.forEach((poly, linkEnd) => poly < 0 && tight.linkAnchors.fill(0, 6 * linkEnd, 6 * linkEnd + 6));
  const saved = ARRAY_FIELDS.filter(({ isSaved }) => isSaved);
  const { layers, mapYSign } = tight;
  const groups = encodeGroups(tight);
  const sizes = encodeSizes(tight);
  const last = [mapYSign, layers.length, groups.length, sizes.length];
  // Scalars at the end that are 0 are left out.
  while (last.at(-1) === 0) last.pop();
  const scalarCount = SCALAR_COUNT + last.length;
  const scalarsEnd = FILE_HEADER_BYTES + 8 * scalarCount;
  const meshEnd = saved.reduce((sum, { name }) => sum + paddedBytes(tight[name].byteLength), scalarsEnd);
  const layersEnd = meshEnd + paddedBytes(layers.length);
  const groupsEnd = layersEnd + groups.byteLength;
  const sizesEnd = groupsEnd + sizes.byteLength;
  const polysEnd = sizesEnd + paddedBytes(2 * tight.polyCount);
  const total = sizes.length > 0 ? polysEnd + paddedBytes(2 * tight.linkCount) : sizesEnd;

  const bytes = new Uint8Array(total);
  const words = new Uint32Array(bytes.buffer);
  for (let i = 0; i < 8; i++) bytes[i] = FILE_MAGIC.charCodeAt(i);
  words[2] = FILE_VERSION;
  words[3] = scalarCount;
  words[4] = total / 8;
  const { agent } = tight;
  new Float64Array(bytes.buffer, FILE_HEADER_BYTES).set([
    ...tight.origin,
    tight.tileFreeSlot,
    tight.linkFree,
    agent.radius,
    agent.height,
    agent.maxClimb,
    agent.maxSlopeDegrees,
    tight.cellSize,
    tight.cellHeight,
    tight.tileSize,
    tight.linkScale,
    ...POOLS.map((pool) => tight[pool]),
    ...last,
  ]);
  let offset = scalarsEnd;
  for (const { name } of saved) {
    const { buffer, byteOffset, byteLength } = tight[name];
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += paddedBytes(byteLength);
  }
  bytes.set(layers, meshEnd);
  bytes.set(new Uint8Array(groups.buffer), layersEnd);
  bytes.set(new Uint8Array(sizes.buffer), groupsEnd);
  if (sizes.length > 0) {
    new Uint16Array(bytes.buffer, sizesEnd).set(tight.polySizes);
    new Uint16Array(bytes.buffer, polysEnd).set(tight.linkSizes);
  }
  words[CHECKSUM_WORD] = fileChecksum(words);
  return bytes;
}

/**
 * Numbers portals in the order of their polygons' lists and drops free ones. Only the saved fields are
 * written.
 */
function orderPortals(mesh: NavMesh): void {
  const { portalNext, portalEdge, portalBack, portalSpan } = mesh;
  const order: number[] = [];
  for (let portal of mesh.polyPortal) for (; portal >= 0; portal = portalNext[portal]) order.push(portal);
  const placeOf = new Int32Array(mesh.portalCount);
  order.forEach((portal, place) => {
    placeOf[portal] = place;
  });
  mesh.portalCount = order.length;
  mesh.portalEdge = Int32Array.from(order, (portal) => portalEdge[portal]);
  mesh.portalBack = Int32Array.from(order, (portal) => placeOf[portalBack[portal]]);
  mesh.portalSpan = Float64Array.from({ length: 2 * order.length }, (_, i) => portalSpan[2 * order[i >> 1] + (i & 1)]);
}
