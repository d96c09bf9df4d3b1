/**
 * Checks of a crowd that are cheap enough for every tick: a hash per agent and per field, and one of all.
 *
 * A quick check covers what moves in every tick (`CORE`), and a sixteenth of the rest in turn. So a difference in
 * any field is seen after 16 ticks at the latest, and one that moves an agent immediately. A full check covers all in
 * each tick.
 *
 * No number of polygons, links or tiles is hashed as it is: the same content at another place in memory, as after
 * loading a mesh, has the same hash. A row's hash is a sum of its 32-bit words, each times an odd number of its own, so
 * that words are independent of each other; a change of one bit changes it.
 *
 * In: a crowd between two ticks. Out: a `Check`.
 * Cost: a quick check, about a tenth of a tick of the same agents; a full one, about six times as much (`npm run bench -- --only record`).
 * Based on: sums of products with random odd factors (Dietzfelbinger, 1996), over columns; own.
 * Tried: one long chain of multiplications is limited by its latency; four chains a column take a third of the time of this, but do not
 *   name the agent.
 */
import { decodeRef, polyIndexOf, refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { AGENT_LAYOUT } from '../crowd/state/layout.ts';
import { STATE_FREE } from '../crowd/state/types.ts';
import type { AgentArrays, Crowd } from '../crowd/state/types.ts';

/** How much of a crowd each check covers. */
export type CheckKind = 'quick' | 'full';

/** Columns that every check covers. */
const CORE: readonly (keyof AgentArrays)[] = [
  'position',
  'velocity',
  'pathLeft',
  'state',
  'goalKind',
  'status',
  'flags',
];
/** Number of ticks after which quick checks have covered all fields. */
const TURNS = 16;
/** Columns of refs of polygons, which only full checks cover, by the content of the mesh. */
const REFS: readonly (keyof AgentArrays)[] = ['polyRef', 'goalRef'];
/** Columns of places in memory, which follow from other columns. */
const PLACES: readonly (keyof AgentArrays)[] = [
  'poly',
  'goalPoly',
  'wallPoly',
  'narrow',
  'cornerLinkEnd',
  'linkEnd',
  'linkRef',
  'queueLinkEnd',
];

/** Fields besides the columns of agents. */
const OTHER_FIELDS = ['path', 'patrol', 'searches', 'crowd', 'mesh'] as const;
const COLUMNS: readonly (keyof AgentArrays)[] = AGENT_LAYOUT.map(([name]) => name);
/** Names of the fields of a check: columns of `AgentArrays`, then `OTHER_FIELDS`. */
export const CHECK_FIELDS: readonly string[] = [...COLUMNS, ...OTHER_FIELDS];
const PATH = COLUMNS.length;
const PATROL = PATH + 1;
const SEARCHES = PATH + 2;
const CROWD = PATH + 3;
const MESH = PATH + 4;

/** Indices of the columns of a full check. */
const FULL: readonly number[] = /* @__PURE__ */ COLUMNS.flatMap((name, i) => (PLACES.includes(name) ? [] : [i]));
/** Indices of the columns of a quick check, by the turn of the tick. */
const QUICK: readonly (readonly number[])[] = /* @__PURE__ */ Array.from({ length: TURNS }, (_, turn) =>
  FULL.filter((i) => !REFS.includes(COLUMNS[i]) && (CORE.includes(COLUMNS[i]) || i % TURNS === turn)),
);

const FACTOR = 0x2127599b;
/** Keys that paths use in turn, minus 1. An even number added to a key leaves it odd. */
const KEY_MASK = 63;
/** Words of the largest row: walls. */
const MOST_WORDS = 64;

/** A check of one crowd, and the memory for the next one. */
export interface Check {
  kind: CheckKind;
  /** A hash for each slot, of the fields that this check covers. */
  agents: Int32Array;
  /** A hash for each of `CHECK_FIELDS`; 0 for those that this check does not cover. */
  fields: Int32Array;
  /** 1 for each field that this check covers. */
  isCovered: Uint8Array;
  /** Columns of words, seen as words; null for columns of smaller numbers. */
  words: (Int32Array | null)[];
  /** A column of smaller numbers, as words. */
  small: Int32Array;
  keys: Int32Array;
  slotKeys: Int32Array;
  /** `mesh.revision` of the last hash of the mesh, and that hash. */
  revision: number;
  mesh: number;
}

/** Creates the checks of a crowd. */
export function createCheck({ agents, maxAgents }: Crowd, kind: CheckKind): Check {
  return {
    kind,
    agents: new Int32Array(maxAgents),
    fields: new Int32Array(CHECK_FIELDS.length),
    isCovered: new Uint8Array(CHECK_FIELDS.length),
    words: COLUMNS.map((name) => {
      const column = agents[name];
      return column.BYTES_PER_ELEMENT < 4
        ? null
        : new Int32Array(column.buffer, column.byteOffset, column.byteLength / 4);
    }),
    small: new Int32Array(maxAgents),
    keys: Int32Array.from({ length: MOST_WORDS + COLUMNS.length }, (_, i) => oddOf(i)),
    slotKeys: Int32Array.from({ length: maxAgents }, (_, i) => oddOf(i + 7919)),
    revision: -1,
    mesh: 0,
  };
}

/** Returns a well mixed odd number for a small one. */
function oddOf(value: number): number {
  let hash = Math.imul(value + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) | 1;
}

/** Checks a crowd. Returns the hash of everything that this check covers, 32 bits. */
export function checkState(check: Check, crowd: Crowd): number {
  const { agents, fields, isCovered, words } = check;
  const { slotCount, tick } = crowd;
  const isFull = check.kind === 'full';
  agents.fill(0, 0, slotCount);
  fields.fill(0);
  isCovered.fill(0);
  for (const i of isFull ? FULL : QUICK[tick % TURNS]) {
    isCovered[i] = 1;
    const column = crowd.agents[COLUMNS[i]];
    const row = words[i];
    if (row !== null && !REFS.includes(COLUMNS[i])) {
      fields[i] = addRows(check, row, (AGENT_LAYOUT[i][2] * column.BYTES_PER_ELEMENT) / 4, slotCount, i);
      continue;
    }
    if (row !== null) contentOfRefs(check.small, crowd, column as Float64Array);
    else for (let slot = 0; slot < slotCount; slot++) check.small[slot] = column[slot];
    fields[i] = addRows(check, check.small, 1, slotCount, i);
  }
  checkRoutes(check, crowd, isFull ? -1 : tick % TURNS);
  checkRest(check, crowd);
  let hash = tick | 0;
  for (let i = 0; i < fields.length; i++) {
    hash = Math.imul(hash ^ fields[i], FACTOR);
    hash = (hash << 13) | (hash >>> 19);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Adds the rows of a column to the hashes of agents. Returns the hash of the column. */
function addRows(check: Check, words: Int32Array, width: number, count: number, from: number): number {
  const { agents: out, keys, slotKeys } = check;
  let sum = 0;
  if (width === 1) {
    const a = keys[from];
    for (let slot = 0; slot < count; slot++) {
      const row = Math.imul(words[slot], a);
      out[slot] += row;
      sum = (sum + Math.imul(row, slotKeys[slot])) | 0;
    }
    return sum;
  }
  if (width === 2) {
    const a = keys[from];
    const b = keys[from + 1];
    for (let slot = 0, at = 0; slot < count; slot++, at += 2) {
      const row = (Math.imul(words[at], a) + Math.imul(words[at + 1], b)) | 0;
      out[slot] += row;
      sum = (sum + Math.imul(row, slotKeys[slot])) | 0;
    }
    return sum;
  }
  for (let slot = 0, at = 0; slot < count; slot++) {
    let row = 0;
    let odd = 0;
    for (let k = from; k < from + width; k += 2, at += 2) {
      row = (row + Math.imul(words[at], keys[k])) | 0;
      odd = (odd + Math.imul(words[at + 1], keys[k + 1])) | 0;
    }
    row = (row + odd) | 0;
    out[slot] += row;
    sum = (sum + Math.imul(row, slotKeys[slot])) | 0;
  }
  return sum;
}

/** Writes the content of refs of polygons: the tile's position and layer, and the number within the tile; 0 for none. */
function contentOfRefs(out: Int32Array, { mesh, agents, slotCount }: Crowd, refs: Float64Array): void {
  for (let slot = 0; slot < slotCount; slot++)
    out[slot] = agents.state[slot] === STATE_FREE ? 0 : contentOf(mesh, refs[slot]);
}

/** Returns a hash of where a polygon is, independent of slots and generations; 0 for a ref that names none. */
function contentOf(mesh: NavMesh, ref: number): number {
  const poly = polyIndexOf(mesh, ref as PolyRef);
  if (poly < 0) return 0;
  const slot = mesh.polyTile[poly];
  return mix(mix(mix(mesh.tileX[slot], mesh.tileZ[slot]), mesh.tileLayer[slot]), poly - mesh.tilePolyStart[slot]) | 1;
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, FACTOR);
  return (mixed << 13) | (mixed >>> 19);
}

const number = new Float64Array(1);
const numberWords = new Int32Array(number.buffer);

function mixNumber(hash: number, value: number): number {
  number[0] = value;
  return mix(mix(hash, numberWords[0]), numberWords[1]);
}

/** Numbers of a path, and their words. */
let numbers = new Float64Array(64);
let words = new Int32Array(numbers.buffer);

/** Returns a hash of the first numbers of an array: a sum of products, as for rows. */
function hashNumbers(keys: Int32Array, values: Float64Array, count: number): number {
  if (values.length > numbers.length) {
    numbers = new Float64Array(2 * values.length);
    words = new Int32Array(numbers.buffer);
  }
  numbers.set(values);
  let [even, odd] = [count, 0];
  for (let i = 0; i < 2 * count; i += 2) {
    even = (even + Math.imul(words[i], keys[i & KEY_MASK] + i)) | 0;
    odd = (odd + Math.imul(words[i + 1], keys[(i + 1) & KEY_MASK] + i)) | 0;
  }
  return (even + odd) | 0;
}

/** Checks the paths and patrols of the slots whose turn it is; -1: of all. */
function checkRoutes(check: Check, { corridors, patrols, agents, slotCount }: Crowd, turn: number): void {
  const { fields, slotKeys } = check;
  for (let slot = Math.max(0, turn); slot < slotCount; slot += turn < 0 ? 1 : TURNS) {
    if (agents.state[slot] === STATE_FREE) continue;
    const { corridor, left, target } = corridors[slot];
    let path = hashNumbers(check.keys, left, corridor.count);
    for (let k = 0; k < 3; k++) path = mixNumber(path, target[k]);
    check.agents[slot] += path;
    fields[PATH] = (fields[PATH] + Math.imul(path, slotKeys[slot])) | 0;
    const route = patrols[slot];
    if (agents.patrolPoint[slot] === 0 || !route) continue;
    let patrol = route.mode;
    for (const x of route.points) patrol = mixNumber(patrol, x);
    for (const wait of route.waits) patrol = mixNumber(patrol, wait);
    check.agents[slot] += patrol;
    fields[PATROL] = (fields[PATROL] + Math.imul(patrol, slotKeys[slot])) | 0;
  }
  check.isCovered[PATH] = check.isCovered[PATROL] = 1;
}

/** Checks what belongs to no agent. */
function checkRest(check: Check, crowd: Crowd): void {
  const { fields, isCovered } = check;
  const { searches, slotCount, agentCount, freeSlot, searchBudget, passingSide, searchCount, linkTraffic, mesh } =
    crowd;
  const { current, queue, queueCount, askedCount } = searches;
  let hash = mix(mix(mix(queueCount, askedCount), current.slot), current.kind);
  for (let i = 0; i < queueCount; i++) hash = mix(hash, queue[i]);
  fields[SEARCHES] = mixNumber(hash, current.slot < 0 ? 0 : searches.state.expandedCount);
  hash = mixNumber(mix(mix(mix(slotCount, agentCount), freeSlot), passingSide), searchBudget);
  hash = mixNumber(hash, searchCount);
  for (const { capacity, seconds } of linkTraffic) hash = mixNumber(mixNumber(hash, capacity), seconds);
  fields[CROWD] = hash;
  if (check.revision !== mesh.revision) {
    check.revision = mesh.revision;
    check.mesh = meshHash(mesh);
  }
  fields[MESH] = check.mesh;
  isCovered[SEARCHES] = isCovered[CROWD] = isCovered[MESH] = 1;
}

/** Returns a hash of the tiles, flags and areas of polygons, and links of a mesh, in any order of tiles. */
function meshHash(mesh: NavMesh): number {
  let sum = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const count = mesh.tilePolyCount[slot];
    let hash = mix(mix(mix(mesh.tileX[slot], mesh.tileZ[slot]), mesh.tileLayer[slot]), count);
    const first = mesh.tilePolyStart[slot];
    for (let poly = first; poly < first + count; poly++)
      hash = mix(hash, mesh.polyFlags[poly] + 0x10000 * mesh.polyArea[poly]);
    for (let i = 0; i < Math.min(6, 3 * mesh.tileVertexCount[slot]); i++)
      hash = mixNumber(hash, mesh.vertices[3 * mesh.tileVertexStart[slot] + i]);
    sum = (sum + Math.imul(hash, FACTOR)) | 0;
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    if (mesh.linkState[link] === 0) continue;
    let hash = mix(mix(mesh.linkState[link], mesh.linkArea[link]), mesh.linkFlags[link]);
    for (let k = 0; k < 12; k++) hash = mixNumber(hash, mesh.linkPoints[12 * link + k]);
    sum = (sum + Math.imul(hash, FACTOR)) | 0;
  }
  return sum;
}

/** Returns where a polygon is, as a text that does not depend on slots and generations. @internal */
export function placeOfPoly(mesh: NavMesh, ref: number): string {
  const poly = polyIndexOf(mesh, ref as PolyRef);
  if (poly < 0) return 'none';
  const { slot, poly: number } = decodeRef(refOf(mesh, poly));
  const layer = mesh.tileLayer[slot];
  return `polygon ${number} of tile (${mesh.tileX[slot]}, ${mesh.tileZ[slot]})${layer === 0 ? '' : ` on layer ${layer}`}`;
}
