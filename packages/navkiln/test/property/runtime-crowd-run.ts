/**
 * A random run of everything that changes while a game runs: tiles, links, areas and flags change under a crowd and characters, agents
 * get orders between the change and the tick, searches run in slices, crowd and mesh are saved and loaded.
 *
 * The mesh must be valid at all times. After a tick, every polygon that the crowd names exists, and its corridors are valid. A crowd
 * that is restored, also on the loaded mesh, has the same hash and the same future.
 */
import { setLinkTraffic } from '../../src/agents/crowd/links/link-traffic.ts';
import { sampling, spacing } from '../../src/agents/crowd/behaviors.ts';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { explainAgent } from '../../src/agents/crowd/explain.ts';
import {
  addAgent,
  getAgent,
  listAgents,
  removeAgent,
  setAgentOptions,
  teleportAgent,
} from '../../src/agents/crowd/orders/agents.ts';
import {
  followAgent,
  moveAgentTo,
  setAgentPosition,
  setAgentVelocity,
  stopAgent,
} from '../../src/agents/crowd/orders/orders.ts';
import { setCrowdFilter } from '../../src/agents/crowd/orders/filter.ts';
import { moveGroupTo } from '../../src/agents/crowd/orders/group.ts';
import { getAgentPath } from '../../src/agents/crowd/orders/path-info.ts';
import { moveAgentAlong, patrolAgent, queueAgentMove } from '../../src/agents/crowd/orders/patrol.ts';
import { completeLink, pauseAgent, resumeAgent } from '../../src/agents/crowd/orders/pause.ts';
import { listCrowdWarnings } from '../../src/agents/crowd/orders/warnings.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../src/agents/crowd/save/save.ts';
import {
  AGENT_AVOID_ONLY,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_FREE,
  STATE_GROUND,
  STATE_LOST,
} from '../../src/agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../src/agents/crowd/state/types.ts';
import { AGENT_LAYOUT } from '../../src/agents/crowd/state/layout.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import { TURN_ASKED, TURN_QUEUED } from '../../src/agents/crowd/search/record.ts';
import { validateCorridor } from '../../src/agents/corridor/validate.ts';
import { areOnOneIsland } from '../../src/mesh/islands.ts';
import { addLink, listLinks, removeLink, setLinkEnabled } from '../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { findTile } from '../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import type { LinkRef, NavMesh, PolyRef } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { setArea, setFlags } from '../../src/query/area.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { continuePathSearch, getPathSearchResult, startPathSearch } from '../../src/query/path/sliced.ts';
import type { PathSearch } from '../../src/query/path/sliced.ts';
import { advanceCharacters, stepCharacters } from '../../src/agents/characters/advance.ts';
import { jumpCharacter, pushCharacter, teleportCharacter } from '../../src/agents/characters/body/actions.ts';
import {
  addCharacter,
  createCharacters,
  isCharacter,
  listCharacters,
  removeCharacter,
} from '../../src/agents/characters/body/characters.ts';
import {
  CHARACTER_COLUMNS,
  hashCharacters,
  restoreCharacters,
  saveCharacters,
} from '../../src/agents/characters/save.ts';
import {
  addTarget,
  createTargets,
  followTarget,
  listTargets,
  removeTarget,
  setTargetPosition,
} from '../../src/agents/characters/targets/targets.ts';
import type { CharacterSet } from '../../src/agents/characters/types/characters.ts';
import { seeded } from '../unit/meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';
import { watched } from './watched.ts';

const SIZE = 3;
const MAX_AGENTS = 24;
const MAX_LINKS = 10;
const FILTERS = [createFilter(), createFilter({ excludeFlags: 2, areaCosts: { 2: 3, 3: 0.5 } })];

export interface RunOptions {
  seed: number;
  operations: number;
  /** Operations between two checks of the whole mesh. */
  every: number;
  /** True: writes to indices that the arrays of mesh, crowd and characters do not have are exceptions. */
  isWatched?: boolean;
  /** False: without the operations of `control`, for seeds found before them. Default true. */
  hasControl?: boolean;
}

export interface RunResult {
  /** The fault, with its operation; null: none. */
  failure: string | null;
  operations: number;
  /** How often each operation ran, and its outcomes. */
  counts: Map<string, number>;
}

interface World {
  hasControl: boolean;
  isWatched: boolean;
  mesh: NavMesh;
  crowd: Crowd;
  set: CharacterSet;
  random: () => number;
  searches: PathSearch[];
  /** Refs and dense indices, most of them stale. */
  refs: PolyRef[];
  polys: number[];
  ids: AgentId[];
  links: LinkRef[];
}

const below = (w: World, n: number): number => Math.floor(w.random() * n);
const pick = <T>(w: World, list: readonly T[]): T => list[below(w, list.length)];
const keep = <T>(list: T[], item: T): void => {
  list.push(item);
  if (list.length > 60) list.splice(0, 30);
};

function somewhere(w: World): [number, number, number] {
  const y = w.random() < 0.5 ? 0 : 4;
  return [w.random() * (SIZE * TILE + 2) - 1, y + 0.4 * w.random(), w.random() * (SIZE * TILE + 2) - 1];
}

function somePoly(w: World): number {
  const { mesh } = w;
  const slots = Array.from({ length: mesh.tileSlotCount }, (_, slot) => slot).filter(
    (slot) => mesh.tileState[slot] === 1 && mesh.tilePolyCount[slot] > 0,
  );
  if (slots.length === 0) return -1;
  const slot = pick(w, slots);
  return mesh.tilePolyStart[slot] + below(w, mesh.tilePolyCount[slot]);
}

function changeTile(w: World): string {
  const { mesh } = w;
  const [x, z, layer] = [below(w, SIZE), below(w, SIZE), below(w, 2)];
  const slot = findTile(mesh, x, z, layer);
  if (slot >= 0) removeTile(mesh, slot);
  if (slot >= 0 && w.random() < 0.4) return 'remove tile';
  const [n, share] = [1 + below(w, 4), pick(w, [1, 1, 0.85, 0.6])];
  addTile(
    mesh,
    squaresTile(
      x,
      z,
      layer,
      n,
      () => w.random() < share,
      () => 4 * layer,
    ),
  );
  return slot >= 0 ? 'replace tile' : 'add tile';
}

function changeLink(w: World): string {
  const { mesh } = w;
  const kind = w.random();
  const ref = w.links.length > 0 ? pick(w, w.links) : (7 as LinkRef);
  if (kind < 0.4 && listLinks(mesh).length < MAX_LINKS) {
    const end = (): [number, number, number] | [number, number, number][] => {
      const [px, py, pz] = somewhere(w);
      return w.random() < 0.6
        ? [px, py, pz]
        : [
            [px, py, pz],
            [px + w.random(), py, pz + w.random()],
          ];
    };
    const options = { start: end(), end: end(), bothWays: w.random() < 0.5, radius: 2 * w.random() };
    keep(w.links, addLink(mesh, { ...options, cost: w.random() < 0.3 ? 5 * w.random() : undefined } as never));
    return 'add link';
  }
  if (kind < 0.6) return `remove link ${removeLink(mesh, ref)}`;
  if (kind < 0.8) return `open or close link ${setLinkEnabled(mesh, ref, w.random() < 0.6)}`;
  return `link traffic ${setLinkTraffic(w.crowd, ref, { capacity: 1 + below(w, 2), seconds: w.random() })}`;
}

function changeArea(w: World): string {
  const poly = somePoly(w);
  const ref = poly >= 0 && w.random() < 0.9 ? refOf(w.mesh, poly) : (w.refs[0] ?? (3 as PolyRef));
  if (poly >= 0) {
    keep(w.refs, refOf(w.mesh, poly));
    keep(w.polys, poly);
  }
  if (w.random() < 0.5) return `area ${setArea(w.mesh, ref, 1 + below(w, 4))}`;
  return `flags ${setFlags(w.mesh, ref, pick(w, [1, 1, 3]))}`;
}

/** Gives orders to agents, most of which exist. */
function order(w: World): string {
  const { crowd } = w;
  const id = w.ids.length > 0 && w.random() < 0.1 ? pick(w, w.ids) : anyAgent(w);
  const other = anyAgent(w);
  const kind = below(w, w.hasControl ? 21 : 14);
  if (kind < 3) {
    const options = w.hasControl ? pick(w, [{}, { stoppingDistance: 2 }]) : {};
    return `move ${moveAgentTo(crowd, id, somewhere(w), options)}`;
  }
  if (kind > 13) return control(w, id, kind);
  if (kind === 3) return id === other ? 'follow itself' : `follow ${followAgent(crowd, id, other)}`;
  if (kind === 4) return `velocity ${setAgentVelocity(crowd, id, [w.random() - 0.5, 0, w.random() - 0.5])}`;
  if (kind === 5) return `stop ${stopAgent(crowd, id)}`;
  if (kind === 6) return `teleport ${teleportAgent(crowd, id, somewhere(w))}`;
  if (kind === 7) return `patrol ${patrolAgent(crowd, id, [somewhere(w), somewhere(w), somewhere(w)])}`;
  if (kind === 8) return `position ${setAgentPosition(crowd, id, w.random() < 0.3 ? somewhere(w) : beside(w, id))}`;
  if (kind === 9) {
    const options = [
      { owner: 'user' as const },
      { owner: 'crowd' as const, avoidOnly: false },
      { avoidOnly: true },
      { avoidOnly: false },
      { radius: 0.1 + w.random() },
      { filter: below(w, 2) },
      { avoidance: pick(w, ['none', 'orca', 'sampled'] as const) },
    ];
    return `options ${setAgentOptions(crowd, id, pick(w, options))}`;
  }
  if (kind === 10) {
    keep(w.ids, id);
    return `remove ${w.random() < 0.5 ? removeAgent(crowd, id) : removeCharacter(w.set, id)}`;
  }
  if (kind === 11) {
    explainAgent(crowd, id);
    return `get ${getAgent(crowd, id) !== null}`;
  }
  return `add ${addAgent(crowd, somewhere(w), { radius: 0.2 + 0.3 * w.random(), filter: below(w, 2), maxSpeed: 1 + w.random() }) > 0}`;
}

/** Calls that steer agents besides plain orders. */
function control(w: World, id: AgentId, kind: number): string {
  const { crowd } = w;
  if (kind === 14) return `pause ${w.random() < 0.4 ? pauseAgent(crowd, id) : resumeAgent(crowd, id)}`;
  if (kind === 15) return `queue ${queueAgentMove(crowd, id, somewhere(w), { waitSeconds: w.random() })}`;
  if (kind === 16) return `along ${moveAgentAlong(crowd, id, [somewhere(w), somewhere(w), somewhere(w)])}`;
  if (kind === 17) {
    const formation = pick(w, ['block', 'line', 'column', 'keep'] as const);
    return `group ${moveGroupTo(crowd, [id, anyAgent(w), anyAgent(w), anyAgent(w)], somewhere(w), { formation })}`;
  }
  if (kind === 18) return `complete link ${completeLink(crowd, id)}`;
  if (kind === 19) {
    const index = below(w, 2);
    setCrowdFilter(crowd, index, FILTERS[index]);
    return `warnings ${listCrowdWarnings(crowd).length}`;
  }
  const points = getAgentPath(crowd, id)?.points ?? [];
  if (points.flat().some((value) => !Number.isFinite(value))) throw new Error('the path of an agent is not finite');
  const options = [{ autoBrake: w.random() < 0.5 }, { linkTraversal: pick(w, ['auto', 'manual'] as const) }];
  return `control ${setAgentOptions(crowd, id, pick(w, options))}`;
}

function anyAgent(w: World): AgentId {
  const ids = listAgents(w.crowd);
  return ids.length === 0 ? (5 as AgentId) : pick(w, ids);
}

function beside(w: World, id: AgentId): [number, number, number] {
  const [x, y, z] = getAgent(w.crowd, id)?.position ?? [0, 0, 0];
  return [x + w.random() - 0.5, y, z + w.random() - 0.5];
}

function orderCharacter(w: World): string {
  const { set } = w;
  const targets = createTargets(set);
  const ids = listCharacters(set);
  const id = ids.length === 0 ? (5 as AgentId) : pick(w, ids);
  const kind = below(w, 8);
  const known = listTargets(targets);
  const target = known.length === 0 ? (0 as never) : pick(w, known);
  if (kind === 0) return `jump ${jumpCharacter(set, id, 1 + 3 * w.random())}`;
  if (kind === 1) return `push ${pushCharacter(set, id, [2 * w.random() - 1, 4 * w.random(), 2 * w.random() - 1])}`;
  if (kind === 2) return `teleport character ${teleportCharacter(set, id, somewhere(w))}`;
  if (kind === 3) {
    if (known.length < 4) addTarget(targets, w.random() < 0.5 || ids.length === 0 ? somewhere(w) : { character: id });
    return 'add target';
  }
  if (kind === 4) {
    if (targets.character[target % 0x100000] === 0) setTargetPosition(targets, target, somewhere(w));
    return 'move target';
  }
  if (kind === 5) return w.random() < 0.3 ? `remove target ${removeTarget(targets, target)}` : 'keep target';
  if (kind === 6 && targets.character[target % 0x100000] !== id)
    return `follow target ${followTarget(set, id, target)}`;
  return `add character ${addCharacter(set, somewhere(w), { respawn: pick(w, ['nearest', 'spawn', 'remove', 'none'] as const) }) > 0}`;
}

/** Runs a slice of a search, or starts one; its mesh may have changed since. */
function search(w: World): string {
  const { mesh } = w;
  if (w.searches.length === 0 || w.random() < 0.3) {
    keep(w.searches, startPathSearch(mesh, somewhere(w), somewhere(w), { filter: pick(w, FILTERS) }));
    return 'start search';
  }
  const one = pick(w, w.searches);
  const status = continuePathSearch(one, 1 + below(w, 5));
  return `search ${status} ${getPathSearchResult(one).status}`;
}

/** Asks about dense indices that may be gone. Nothing may change but the union-find of islands. */
function query(w: World): string {
  for (let i = 0; i < 4; i++) {
    const [a, b] = [0, 1].map(() => (w.polys.length > 0 && w.random() < 0.8 ? pick(w, w.polys) : below(w, 200) - 20));
    areOnOneIsland(w.mesh, a, b);
  }
  return `path ${findPath(w.mesh, somewhere(w), somewhere(w), { filter: pick(w, FILTERS) }).status}`;
}

function step(w: World): string {
  const ticks = 1 + below(w, 2);
  for (let i = 0; i < ticks; i++) {
    if (w.random() < 0.7) stepCharacters(w.set);
    else if (w.random() < 0.5) stepCrowd(w.crowd);
    else advanceCharacters(w.set, 0.03 * w.random());
  }
  return 'step';
}

/** Names the first columns and slots in which two crowds differ. */
function differenceOf(a: CharacterSet, b: CharacterSet): string {
  const out: string[] = [];
  for (const [name, , stride] of AGENT_LAYOUT) {
    // Dense indices differ.
    if (['poly', 'goalPoly', 'wallPoly', 'narrow'].includes(name)) continue;
    for (let i = 0; i < stride * a.crowd.slotCount; i++) {
      const [one, two] = [a.crowd.agents[name][i], b.crowd.agents[name][i]];
      if (!Object.is(one, two)) out.push(`${name}[${i}] ${one} ${two}`);
    }
  }
  for (const [name, stride] of CHARACTER_COLUMNS) {
    for (let i = 0; i < stride * a.crowd.slotCount; i++) {
      if (!isCharacter(a, Math.floor(i / stride))) continue;
      if (!Object.is(a[name][i], b[name][i])) out.push(`${name}[${i}] ${a[name][i]} ${b[name][i]}`);
    }
  }
  a.crowd.corridors.forEach((c, slot) => {
    const d = b.crowd.corridors[slot];
    const text = ({ corridor, refs, left, target, position }: typeof c): string =>
      JSON.stringify([
        corridor.outcome,
        corridor.cost,
        corridor.visitedCount,
        [...refs.subarray(0, corridor.count)],
        [...left.subarray(0, corridor.count)],
        [...target, ...position],
      ]);
    if (text(c) !== text(d)) out.push(`corridor ${slot}: ${text(c)} ${text(d)}`);
  });
  const { searches: s } = a.crowd;
  const { searches: t } = b.crowd;
  for (const name of ['slot', 'kind', 'field', 'filter', 'detour', 'restarts'] as const) {
    if (s.current[name] !== t.current[name]) out.push(`current.${name} ${s.current[name]} ${t.current[name]}`);
  }
  if (s.state.expandedCount !== t.state.expandedCount)
    out.push(`expanded ${s.state.expandedCount} ${t.state.expandedCount}`);
  s.fields.forEach((field, i) => {
    if (field.expandedCount !== t.fields[i]?.expandedCount)
      out.push(`field ${i}: ${field.expandedCount} ${t.fields[i]?.expandedCount}`);
  });
  return out.slice(0, 12).join(', ');
}

/** Saves and restores: on the same crowd, or on a new one over the mesh saved and loaded. */
function save(w: World): string {
  const { mesh, crowd, set } = w;
  const [bytes, hash] = [saveCharacters(set), hashCharacters(set)];
  if (w.random() < 0.5) {
    const alone = saveCrowd(crowd);
    const before = hashCrowd(crowd);
    if (w.random() < 0.5) for (let i = 0; i < 3; i++) stepCharacters(set);
    restoreCrowd(crowd, alone);
    if (hashCrowd(crowd) !== before) throw new Error('a restored crowd has another hash');
    restoreCharacters(set, bytes);
    if (hashCharacters(set) !== hash) throw new Error('restored characters have another hash');
    return 'save and restore';
  }
  const loaded = loadNavMesh(saveNavMesh(mesh));
  const other = newWorld(loaded, w.random, w.isWatched);
  restoreCharacters(other.set, bytes);
  if (hashCharacters(other.set) !== hash) throw new Error('characters on a loaded mesh have another hash');
  // In half of the runs the same tile is removed and added on both meshes.
  const changed = w.random() < 0.5 ? somePoly(w) : -1;
  const slot = changed < 0 ? -1 : mesh.polyTile[changed];
  const tile =
    slot < 0
      ? undefined
      : squaresTile(
          mesh.tileX[slot],
          mesh.tileZ[slot],
          mesh.tileLayer[slot],
          2,
          () => true,
          () => 4 * mesh.tileLayer[slot],
        );
  for (let tick = 0; tick < 12; tick++) {
    if (tick === 4 && tile !== undefined) for (const one of [mesh, loaded]) removeTile(one, slot);
    if (tick === 8 && tile !== undefined) for (const one of [mesh, loaded]) addTile(one, tile);
    stepCharacters(set);
    stepCharacters(other.set);
    if (hashCharacters(set) === hashCharacters(other.set)) continue;
    const what = differenceOf(set, other.set);
    throw new Error(`characters on a loaded mesh have another future after ${tick + 1} ticks: ${what}`);
  }
  Object.assign(w, { ...other, refs: w.refs, polys: w.polys, ids: w.ids, links: w.links });
  return 'save and load all';
}

function operate(w: World): string {
  const dice = w.random();
  if (dice < 0.08) return changeTile(w);
  if (dice < 0.14) return changeLink(w);
  if (dice < 0.2) return changeArea(w);
  if (dice < 0.55) return order(w);
  if (dice < 0.63) return orderCharacter(w);
  if (dice < 0.69) return search(w);
  if (dice < 0.74) return query(w);
  if (dice < 0.992) return step(w);
  return save(w);
}

/** Returns the faults of a crowd between two ticks. */
function problemsOf(crowd: Crowd): string[] {
  const { agents, mesh, searches } = crowd;
  const wrong: string[] = [];
  let asked = 0;
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (searches.turn[slot] === TURN_ASKED) asked++;
    if (agents.state[slot] === STATE_FREE) continue;
    for (const name of ['position', 'velocity', 'heading', 'chosen', 'goal'] as const) {
      const stride = name === 'position' || name === 'goal' ? 3 : 2;
      const values = agents[name].subarray(stride * slot, stride * (slot + 1));
      if (!values.every(Number.isFinite)) wrong.push(`${name} of slot ${slot} is ${values.join()}`);
    }
    if (crowd.meshRevision !== mesh.revision || (agents.flags[slot] & AGENT_AVOID_ONLY) !== 0) continue;
    const poly = agents.poly[slot];
    const state = agents.state[slot];
    if (poly >= 0 && polyIndexOf(mesh, agents.polyRef[slot] as PolyRef) !== poly)
      wrong.push(`poly ${poly} of slot ${slot} is gone`);
    if (state === STATE_LOST && poly >= 0) wrong.push(`slot ${slot} is lost and has a polygon`);
    const goalPoly = agents.goalPoly[slot];
    const hasGoal = agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT;
    if (hasGoal && goalPoly >= 0 && polyIndexOf(mesh, agents.goalRef[slot] as PolyRef) !== goalPoly)
      wrong.push(`goal polygon ${goalPoly} of slot ${slot} (state ${state}) is gone`);
    if (state !== STATE_GROUND) continue;
    if (poly < 0) wrong.push(`slot ${slot} stands on no polygon`);
    const corridor = crowd.corridors[slot];
    if (corridor.corridor.polys[0] !== poly) wrong.push(`the corridor of slot ${slot} starts elsewhere`);
    else corridor.position.set(agents.position.subarray(3 * slot, 3 * slot + 3));
    for (const problem of validateCorridor(corridor, mesh)) wrong.push(`slot ${slot}: ${problem}`);
  }
  if (asked !== searches.askedCount) wrong.push(`${asked} slots asked, askedCount is ${searches.askedCount}`);
  const queued = new Set(searches.queue.subarray(0, searches.queueCount));
  if (queued.size !== searches.queueCount) wrong.push('a slot is in the queue twice');
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (searches.turn[slot] === TURN_QUEUED && !queued.has(slot)) wrong.push(`slot ${slot} is not in the queue`);
  }
  if (searches.goalCount.some((count) => count !== 0)) wrong.push('goalCount is not 0');
  return wrong;
}

function newWorld(on: NavMesh, random: () => number, isWatched: boolean): World {
  // Functions recognize a mesh and a set by the arrays that stay plain.
  const mesh = isWatched ? watched(on, ['polyPortal']) : on;
  const crowd = createCrowd(mesh, {
    maxAgents: MAX_AGENTS,
    filters: FILTERS,
    searchBudget: 12,
    stepSeconds: 1 / 20,
    behaviors: [sampling, spacing],
  });
  const set = createCharacters(crowd, { fallLimit: 3 });
  if (isWatched) {
    crowd.agents = watched(crowd.agents);
    crowd.searches = watched(crowd.searches);
  }
  return {
    hasControl: true,
    isWatched,
    mesh,
    crowd,
    set: isWatched ? watched(set, ['smoothVelocity']) : set,
    random,
    searches: [],
    refs: [],
    polys: [],
    ids: [],
    links: [],
  };
}

/** Runs random operations until one goes wrong. The seed alone decides them; `every` only decides when they are checked. */
export function runRuntime({ seed, operations, every, isWatched = false, hasControl = true }: RunOptions): RunResult {
  const w = { ...newWorld(tiledMesh(), seeded(seed), isWatched), hasControl };
  const counts = new Map<string, number>();
  const fail = (i: number, what: string, problem: unknown): RunResult => ({
    failure: `seed ${seed}, operation ${i}, ${what}: ${String(problem)}`,
    operations: i,
    counts,
  });
  let what = '';
  for (let i = 0; i < operations; i++) {
    try {
      what = operate(w);
    } catch (error) {
      return fail(i, 'an exception', error instanceof Error ? error.stack : error);
    }
    counts.set(what, (counts.get(what) ?? 0) + 1);
    if (i % every !== every - 1 && i !== operations - 1) continue;
    const invalid = validateNavMesh(w.mesh);
    if (invalid.length > 0) return fail(i, what, `${invalid[0].code}: ${invalid[0].message}`);
    const wrong = problemsOf(w.crowd);
    if (wrong.length > 0) return fail(i, what, wrong[0]);
  }
  return { failure: null, operations, counts };
}
