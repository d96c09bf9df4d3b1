/**
 * Checks the fields of a mesh that are not derived, tile by tile, for `validateNavMesh`.
 *
 * Checks build on each other: where counts or ranges are wrong, nothing inside them is checked.
 * connections.ts checks what connects tiles. Loading has its own checks in derive.ts, which compute the
 * derived fields on the way.
 *
 * In: any record of the right types, with any numbers in it.
 * Out: one report (code, field, index) per violation; never a crash.
 * Cost: linear in the mesh, O(t log t) in the tiles.
 * Based on: own.
 */
import { ARRAY_FIELDS, RANGE_FIELDS } from '../layout.ts';
import { MAX_GENERATION, MAX_POLYS_PER_TILE, MAX_TILE_SLOTS } from '../ref.ts';
import { areSizes } from '../sizes-file.ts';
import type { NavMesh } from '../types.ts';
import { isSoundLink } from './link.ts';
import { checkPolys } from './polys.ts';
import type { Expect, Report, ViolationCode } from './report.ts';
import { checkTree } from './tree.ts';

/** Checks everything except derived fields. */
export function checkNavMesh(mesh: NavMesh, report: Report): void {
  let isSound = true;
  const expect: Expect = (isGood, code, field, index) => {
    if (!isGood) {
      isSound = false;
      report(code, field, index);
    }
    return isGood;
  };
  checkScalars(mesh, expect);
  if (!isSound) return;
  const { tileState, tileSlotCount } = mesh;
  checkTiles(mesh, expect);
  checkChain(mesh, expect, FREE_TILES, tileSlotCount);
  checkLinks(mesh, expect);
  checkChain(mesh, expect, FREE_LINKS, mesh.linkCount);
  if (!isSound) return;
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (tileState[slot] === 0) continue;
    isSound = true;
    for (const check of [...checkPolys, checkTree]) if (isSound) check(mesh, slot, expect);
  }
}

function isLength(value: number): boolean {
  return value >= 0 && value < Infinity;
}

function checkScalars(mesh: NavMesh, expect: Expect): void {
  expect(mesh.version === 1, 'version', 'version', -1);
  for (const name of ['radius', 'height', 'maxClimb', 'maxSlopeDegrees'] as const) {
    expect(isLength(mesh.agent[name]), 'scalar', `agent.${name}`, -1);
  }
  for (const name of ['cellSize', 'cellHeight', 'tileSize'] as const) expect(isLength(mesh[name]), 'scalar', name, -1);
  expect(areSizes(mesh.sizes), 'scalar', 'sizes', -1);
  expect(mesh.mapYSign === 0 || mesh.mapYSign === 1 || mesh.mapYSign === -1, 'scalar', 'mapYSign', -1);
  expect(mesh.origin.length === 3 && mesh.origin.every(Number.isFinite), 'scalar', 'origin', -1);
  for (const { name, pool, stride } of ARRAY_FIELDS) {
    const count = mesh[pool];
    if (expect((count & 0x7fffffff) === count, 'size', pool, -1))
      expect(mesh[name].length >= count * stride, 'size', name, -1);
  }
  expect(mesh.tileSlotCount <= MAX_TILE_SLOTS, 'size', 'tileSlotCount', -1);
}

function checkTiles(mesh: NavMesh, expect: Expect): void {
  const { tileState, tileX, tileZ, tileLayer } = mesh;
  const used: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    const isUsed = tileState[slot] !== 0;
    expect(tileState[slot] < 2, 'tile-state', 'tileState', slot);
    for (const { pool, start, count } of RANGE_FIELDS) {
      const from = mesh[start][slot];
      const size = mesh[count][slot];
      const isWithin = from >= 0 && size >= 0 && (size === 0 || from + size <= mesh[pool]);
      expect(isUsed ? isWithin : size === 0, 'tile-range', start, slot);
    }
    if (!isUsed) continue;
    used.push(slot);
    expect(mesh.tileGeneration[slot] > 0, 'tile-generation', 'tileGeneration', slot);
    expect(mesh.tilePolyCount[slot] <= MAX_POLYS_PER_TILE, 'tile-range', 'tilePolyCount', slot);
    checkTileBounds(mesh, slot, expect);
  }
  for (const { start, count } of RANGE_FIELDS) {
    const starts = mesh[start];
    let end = 0;
    for (const slot of used.filter((one) => mesh[count][one] > 0).sort((a, b) => starts[a] - starts[b])) {
      expect(starts[slot] >= end, 'tile-overlap', start, slot);
      end = starts[slot] + mesh[count][slot];
    }
  }
  const placeOrder = (a: number, b: number): number =>
    tileX[a] - tileX[b] || tileZ[a] - tileZ[b] || tileLayer[a] - tileLayer[b];
  used
    .sort(placeOrder)
    .forEach((slot, i) => expect(i === 0 || placeOrder(used[i - 1], slot) !== 0, 'tile-place', 'tileX', slot));
}

function checkTileBounds(mesh: NavMesh, slot: number, expect: Expect): void {
  const { tileBounds, tileSize, origin, tileX, tileZ } = mesh;
  const slack = Math.max(mesh.cellSize, 1e-6 * tileSize);
  for (let k = 0; k < 3; k++) {
    const at = 6 * slot + k;
    const low = tileBounds[at];
    const high = tileBounds[at + 3];
    expect(low > -Infinity && low <= high && high < Infinity, 'tile-bounds', 'tileBounds', at);
    if (tileSize === 0 || mesh.tileVertexCount[slot] === 0 || k === 1) continue;
    const corner = origin[k] + (k === 0 ? tileX : tileZ)[slot] * tileSize;
    expect(low >= corner - slack && high <= corner + tileSize + slack, 'tile-place', 'tileX', slot);
  }
}

/** The fields of a mesh that form a chain of free slots. */
interface FreeChain {
  code: ViolationCode;
  state: 'tileState' | 'linkState';
  generation: 'tileGeneration' | 'linkGeneration';
  head: 'tileFreeSlot' | 'linkFree';
  next: 'tileX' | 'linkUserId';
}

const FREE_TILES: FreeChain = {
  code: 'free-slots',
  state: 'tileState',
  generation: 'tileGeneration',
  head: 'tileFreeSlot',
  next: 'tileX',
};

const FREE_LINKS: FreeChain = {
  code: 'free-links',
  state: 'linkState',
  generation: 'linkGeneration',
  head: 'linkFree',
  next: 'linkUserId',
};

/** Checks that the chain of free slots holds each free slot that is not retired once, and no other. */
function checkChain(mesh: NavMesh, expect: Expect, chain: FreeChain, count: number): void {
  const { code, state, generation, head, next } = chain;
  const isFree = (slot: number): boolean => mesh[state][slot] === 0 && mesh[generation][slot] < MAX_GENERATION;
  let free = 0;
  for (let slot = 0; slot < count; slot++) if (isFree(slot)) free++;
  let last = -1;
  let slot = mesh[head];
  for (; free > 0 && slot < count && isFree(slot); free--) {
    last = slot;
    slot = mesh[next][slot];
  }
  // Free slots are missing from the chain, or the chain goes on (or round) after all were met.
  expect(free === 0 && slot === -1, code, last < 0 ? head : next, last);
}

function checkLinks(mesh: NavMesh, expect: Expect): void {
  for (let link = 0; link < mesh.linkCount; link++) {
    if (mesh.linkState[link] === 0) continue;
    expect(isSoundLink(mesh, link), 'link', 'linkState', link);
    for (const field of ['linkRadius', 'linkCost', 'linkUserId'] as const)
      expect(Number.isFinite(mesh[field][link]), 'link', field, link);
    for (let k = 12 * link; k < 12 * link + 12; k++)
      expect(Number.isFinite(mesh.linkPoints[k]), 'not-finite', 'linkPoints', k);
  }
}
