/**
 * Decides where the people of a scene stand on its mesh, and what each is ordered to do. People without
 * walkable surface, and orders without a reachable target, are left out with a note that names their position
 * in the file. No Node.
 */
import {
  NULL_REF,
  addLink,
  createAgentTypes,
  createFilter,
  createRandom,
  findSize,
  getLink,
  nextRandom,
  pruneUnreachable,
} from 'navkiln';
import type { LinkRef, NavMesh } from 'navkiln';
import { InputError } from '../errors.ts';
import { plural } from '../output/text.ts';
import { createCrowding, drawPlace, findFoothold, findGround, takeRoom } from './places.ts';
import type { Body } from './places.ts';
import type { SceneDocument } from './parse.ts';
import type { SceneAgent, ScenePoint, SceneTarget } from './types.ts';

/** An order to a person. Numbers are indices of the lists below. */
export type Errand =
  | { kind: 'stand' }
  | { kind: 'go'; point: ScenePoint }
  | { kind: 'target'; target: number }
  | { kind: 'agent'; agent: number };

export interface Person {
  /** Number of its entry in the file. */
  entry: number;
  position: ScenePoint;
  radius: number;
  height: number;
  errand: Errand;
  distance: number | undefined;
  /** False: nothing guarantees that it comes to rest at a goal. */
  mustArrive: boolean;
}

export interface SceneCast {
  people: Person[];
  /** People with a position; `null`: left out. By their number in the file. */
  targets: (SceneTarget | null)[];
  /** Targets by their number in the file; `null`: left out. */
  links: LinkRef[];
}

export interface CastOptions {
  seed: number;
  /** Number of people in total, instead of the counts of the file. */
  agents?: number;
  note: (message: string) => void;
}

/** Places people and adds the scene's links to the mesh. Throws an `InputError` when nobody is left. */
export function castScene(document: SceneDocument, mesh: NavMesh, options: CastOptions): SceneCast {
  const { note } = options;
  const { scene } = document;
  const links = addLinks(document, mesh, note);
  leaveOutUnreachable(document, mesh, note);
  const targets = (scene.targets ?? []).map((target, i) => (hasTargetGround(document, mesh, i, note) ? target : null));
  requireAgents(document);
  const entries = scene.agents!;
  entries.forEach(({ radius = 0, type }, i) => {
    const { radius: baked } = (type === undefined ? mesh.sizes.at(-1) : findSize(mesh, type)) ?? mesh.agent;
    if (baked === 0 || radius <= 1.01 * baked) return;
    const what = `its radius ${radius} exceeds the radius ${baked} that the mesh was baked for; it overlaps walls`;
    note(`${document.placeOf(['agents', i, 'radius'])} ${labelOf(entries[i], i)}: ${what}`);
  });
  const people = placePeople(document, mesh, options);
  if (people.length === 0) throw new InputError(`${document.path}: agents: none of them is on the walkable surface`);
  const random = createRandom(options.seed + 0x5eed);
  const reported = new Set<number>();
  const cast = { people, entries, targets, knownTargets: scene.targets ?? [], mesh };
  for (const person of people) {
    const { entry } = person;
    const tell = (message: string): void => {
      if (!reported.has(entry))
        note(`${document.placeOf(['agents', entry])} ${labelOf(entries[entry], entry)}: ${message}`);
      reported.add(entry);
    };
    person.errand = errandOf(entries[entry], cast, () => nextRandom(random), tell);
  }
  people.forEach((person, i) => {
    person.mustArrive = comesToRest(people, targets, i);
  });
  return { people, targets, links };
}

/** Leaves out mesh that no position of `keepReachable` leads to. */
function leaveOutUnreachable(
  { scene: { keepReachable }, path, placeOf }: SceneDocument,
  mesh: NavMesh,
  note: (message: string) => void,
): void {
  if (keepReachable === undefined) return;
  const { status, prunedCount, missedSeeds } = pruneUnreachable(mesh, keepReachable);
  for (const i of missedSeeds) {
    const what = `no mesh is within two radii of [${keepReachable[i].join(', ')}]; move it onto the mesh`;
    note(`${placeOf(['keepReachable', i])} keepReachable[${i}]: ${what}`);
  }
  if (status === 'no-seeds') throw new InputError(`${path}: keepReachable: none of its positions is on the mesh`);
  if (prunedCount > 0)
    note(`${path}: keepReachable: ${plural(prunedCount, 'polygon')} that no position leads to left out`);
}

/** Checks the cast before a long bake. */
export function requireAgents({ scene: { agents = [] }, path }: SceneDocument): void {
  if (agents.length === 0) throw new InputError(`${path}: agents: must list at least one agent`);
}

function addLinks({ scene, placeOf }: SceneDocument, mesh: NavMesh, note: (message: string) => void): LinkRef[] {
  return (scene.links ?? []).map(({ capacity, seconds, ...link }, i) => {
    void [capacity, seconds];
    const ref = addLink(mesh, link);
    const { startPoly, endPoly } = getLink(mesh, ref)!;
    const off = [startPoly === NULL_REF ? 'start' : '', endPoly === NULL_REF ? 'end' : ''].filter((end) => end !== '');
    if (off.length > 0) {
      const has = off.length > 1 ? 'have' : 'has';
      const what = `its ${off.join(' and ')} ${has} no walkable surface nearby; it is not used (a larger radius searches further)`;
      note(`${placeOf(['links', i])} links[${i}]: ${what}`);
    }
    return ref;
  });
}

function hasTargetGround(
  { scene, placeOf }: SceneDocument,
  mesh: NavMesh,
  i: number,
  note: (message: string) => void,
): boolean {
  const { name, position, path } = scene.targets![i];
  const places = position === undefined ? path! : [position];
  const off = places.map((point) => findGround(mesh, point)).flatMap((found) => ('distance' in found ? [found] : []));
  if (off.length === 0) return true;
  const at = position === undefined ? `${off.length} of its ${places.length} points have` : 'it has';
  const isLost = off.length === places.length;
  note(
    `${placeOf(['targets', i])} targets[${i}] (${name}): ${at} no walkable surface nearby, ${far(off[0].distance)}; ` +
      (isLost ? 'it is left out' : 'no agent can reach it'),
  );
  return !isLost;
}

function placePeople({ scene, placeOf }: SceneDocument, mesh: NavMesh, { seed, agents, note }: CastOptions): Person[] {
  const entries = scene.agents!;
  const counts = countsOf(entries, agents);
  const bodies = entries.map((entry) => bodyOf(mesh, entry));
  const random = createRandom(seed);
  const crowding = createCrowding(bodies.reduce((most, { radius }) => Math.max(most, radius), 0));
  const placed: Person[][] = entries.map(() => []);
  const put = (entry: number, position: ScenePoint): void => {
    const { radius, height } = bodies[entry];
    takeRoom(crowding, { point: position, radius, height });
    placed[entry].push({
      entry,
      position,
      radius,
      height,
      errand: { kind: 'stand' },
      distance: entries[entry].distance,
      mustArrive: false,
    });
  };
  // People with a position of their own come first; the others take the space that is left.
  entries.forEach(({ position }, i) => {
    if (position === undefined || counts[i] === 0) return;
    const found = findFoothold(mesh, position, bodies[i].filter);
    if ('point' in found) put(i, found.point);
    else {
      const why = `there is no walkable surface nearby, ${far(found.distance)}`;
      note(`${placeOf(['agents', i])} ${labelOf(entries[i], i)}: ${why}; it is left out`);
    }
  });
  entries.forEach((entry, i) => {
    if (entry.within === undefined) return;
    for (let k = 0; k < counts[i]; k++) {
      const point = drawPlace(mesh, random, entry.within, bodies[i], crowding);
      if (point === undefined) {
        const which = k === 0 ? 'there is no space' : `there is space for ${k} of ${counts[i]}`;
        note(`${placeOf(['agents', i, 'within'])} ${labelOf(entry, i)}: ${which}; the others are left out`);
        break;
      }
      put(i, point);
    }
  });
  return placed.flat();
}

/** Returns the body of an entry, and the filter of its type. On a mesh with sizes, an entry without a type has that of its body. */
export function bodyOf(mesh: NavMesh, { type, radius, height }: SceneAgent): Body {
  const size = type === undefined ? undefined : findSize(mesh, type);
  const base = size ?? mesh.agent;
  const body = { radius: radius ?? (base.radius || 0.4), height: height ?? (base.height || 1.8) };
  const filter = createAgentTypes(mesh).find(({ name }) => name === type)?.filter;
  if (filter !== undefined) return { ...body, filter };
  const own = mesh.sizes.length === 0 ? null : findSize(mesh, body);
  return own === null ? body : { ...body, filter: createFilter({ size: own.index }) };
}

/**
 * Returns the count of each entry. Entries with `within` share the agents that entries with a position leave
 * over.
 */
function countsOf(entries: readonly SceneAgent[], agents: number | undefined): number[] {
  const counts = entries.map(({ count = 1 }) => count);
  if (agents === undefined) return counts;
  const own = entries.filter(({ position }) => position !== undefined).length;
  const many = counts.reduce((sum, count, i) => sum + (entries[i].within === undefined ? 0 : count), 0);
  if (many === 0 && agents > own) {
    const why = 'all agents of this scene have fixed positions; add "within" to some';
    throw new InputError(`--agents: must be at most ${own}: ${why}`);
  }
  let left = agents;
  for (let i = 0; i < entries.length; i++) {
    if (entries[i].within !== undefined) continue;
    counts[i] = left > 0 ? 1 : 0;
    left -= counts[i];
  }
  // The largest remainders are rounded up, so that the sum is exact.
  let before = 0;
  let sum = 0;
  for (let i = 0; i < entries.length; i++) {
    if (entries[i].within === undefined) continue;
    sum += counts[i];
    const upTo = Math.round((left * sum) / many);
    counts[i] = upTo - before;
    before = upTo;
  }
  return counts;
}

/** The data that errands refer to: everybody who was placed, the entries of the file, and the mesh. */
interface ErrandContext {
  people: readonly Person[];
  entries: readonly SceneAgent[];
  targets: SceneCast['targets'];
  knownTargets: readonly SceneTarget[];
  mesh: NavMesh;
}

/** Resolves the order of an entry. `draw` returns a random number in [0, 1). */
function errandOf(
  entry: SceneAgent,
  { people, entries, targets, knownTargets, mesh }: ErrandContext,
  draw: () => number,
  tell: (message: string) => void,
): Errand {
  const { goal, follows } = entry;
  if (Array.isArray(goal)) {
    const found = findGround(mesh, goal, bodyOf(mesh, entry).filter);
    if ('point' in found) return { kind: 'go', point: goal };
    tell(`there is no walkable surface near its goal, ${far(found.distance)}; it stands still`);
    return { kind: 'stand' };
  }
  if (goal === 'random') {
    const there = targets.flatMap((target, i) => (target === null ? [] : [i]));
    if (there.length > 0) return { kind: 'target', target: there[Math.floor(draw() * there.length)] };
    tell('there is no target left to choose; it stands still');
    return { kind: 'stand' };
  }
  const name = goal ?? follows;
  if (name === undefined) return { kind: 'stand' };
  const target = knownTargets.findIndex((one) => one.name === name);
  if (target >= 0 && targets[target] !== null) return { kind: 'target', target };
  const at = target >= 0 ? -1 : entries.findIndex((one) => one.name === name);
  const agent = at < 0 ? -1 : people.findIndex((one) => one.entry === at);
  if (agent >= 0) return { kind: 'agent', agent };
  tell(`"${name}" is left out; it stands still`);
  return { kind: 'stand' };
}

/** Returns whether the orders lead to a position where the person can stay. */
function comesToRest(people: readonly Person[], targets: SceneCast['targets'], index: number): boolean {
  const seen = new Set<number>();
  for (let at = index; !seen.has(at);) {
    seen.add(at);
    const { errand } = people[at];
    if (errand.kind === 'agent') at = errand.agent;
    else if (errand.kind !== 'target') return true;
    else {
      const { loop = false, endsAt } = targets[errand.target]!;
      return !loop && endsAt === undefined;
    }
  }
  // They follow each other in a ring, which closes.
  return true;
}

function labelOf({ name }: SceneAgent, i: number): string {
  return name === undefined ? `agents[${i}]` : `agents[${i}] (${name})`;
}

function far(distance: number): string {
  return distance < Infinity ? `the nearest is ${distance.toPrecision(3)} away` : 'nor anywhere else';
}
