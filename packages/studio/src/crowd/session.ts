/**
 * A running crowd: the crowd, the rest of the scene's script, and the commands of the user. Nothing here
 * draws.
 *
 * A tick does the same as `stepCrowdRun` of navkiln/debug with the same scene, in the same order; a test
 * compares the two. The session of a scene with links, or with a script that changes tiles, owns a copy of
 * the mesh.
 */
import { addLink, addTile, findSize, removeTile } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { buildPreparedTile, prepareTiles } from 'navkiln/build';
import type { PreparedTiles } from 'navkiln/build';
import {
  addAgent,
  createCrowd,
  followAgent,
  getAgent,
  hasAgent,
  listAgents,
  moveAgentTo,
  removeAgent,
  sampling,
  spacing,
  setLinkTraffic,
  stepCrowd,
  stopAgent,
} from 'navkiln/crowd';
import type { AgentId, AgentOptions, Crowd } from 'navkiln/crowd';
import { stageDrawings } from 'navkiln/debug';
import type { CrowdSceneStep, CrowdSetup } from 'navkiln/debug';
import { findTile } from 'navkiln/kernel';
import { AGENT_STATES, refs } from 'navkiln/kernel';
import { meshTypes } from '../state/agent-types.ts';
import type { Vec3 } from '../state/state.ts';

/** Names of the kinds of avoidance, by their number in the crowd. */
export const AVOIDANCE_KINDS = ['none', 'orca', 'sampled'] as const;
/** Number of agents that the user can add to a scene. */
const ROOM = 2000;
/** Number of tick durations that are kept. */
const MAX_TICK_TIMES = 240;

export interface CrowdSession {
  crowd: Crowd;
  /** The setup of the scene; undefined: all agents are the user's own. */
  setup: CrowdSetup | undefined;
  /** Agent ids by their index in the scene. */
  ids: AgentId[];
  /** Index of the next step of the script. */
  nextStep: number;
  /** Prepared levels for tile rebuilds, by variant. */
  prepared: (PreparedTiles | undefined)[];
  /** Durations of the last ticks, ms. */
  tickMs: number[];
  /** The mesh is that of a live world. */
  isLive?: boolean;
  /** The driver of a scene file; undefined for other sessions. */
  scene?: SceneDriver;
}

/** Moves the agents of a scene file; see scene-session.ts. */
export interface SceneDriver {
  /** Commands of the user with their ticks, to repeat them after going back. */
  orders: { tick: number; run: (session: CrowdSession) => void }[];
  /** The run has ended, as in `navkiln crowd`: by its duration, or because all agents are at rest. */
  hasEnded: boolean;
  /** Runs a tick. The call that finds the end of the run sets `hasEnded` and runs none; later ones go on. */
  step: () => void;
  /** Stops controlling an agent. */
  release: (id: AgentId) => void;
  /** Returns a new session at the start of the scene. */
  restart: () => CrowdSession;
  /** Returns the positions of the targets, by their number in the scene; null: removed. World units. */
  targetPlaces: () => readonly (Vec3 | null)[];
  /** Checks whether a target has no route and can be dragged. */
  canMove: (target: number) => boolean;
  /** Moves a target that has no route. */
  moveTarget: (target: number, point: Vec3) => void;
}

/** Runs a command of the user, and keeps it for going back. */
export function commandSession(session: CrowdSession, run: (session: CrowdSession) => void): void {
  run(session);
  const {
    scene,
    crowd: { tick },
  } = session;
  if (scene !== undefined) scene.orders = [...scene.orders.filter((order) => order.tick <= tick), { tick, run }];
}

/** Restarts the session of a scene file and simulates it up to a tick. */
export function replayScene(session: CrowdSession, tick: number): void {
  const { scene, tickMs } = session;
  const { orders } = scene!;
  const next = scene!.restart();
  Object.assign(session, next, { tickMs });
  session.scene!.orders = orders;
  for (;;) {
    for (const order of orders) if (order.tick === session.crowd.tick) order.run(session);
    if (session.crowd.tick >= tick) return;
    session.scene!.step();
  }
}

/** Creates the session of a crowd scene, or an empty one without a setup. */
export function startSession(navMesh: NavMesh, setup?: CrowdSetup): CrowdSession {
  const isChanging = setup?.links !== undefined || setup?.script?.some((step) => step.do === 'rebuild-tile') === true;
  const mesh = isChanging ? structuredClone(navMesh) : navMesh;
  const crowd = createCrowd(mesh, {
    behaviors: [sampling, spacing],
    maxAgents: ROOM + (setup?.agents.length ?? 0),
    types: meshTypes(mesh),
    ...(setup?.searchBudget === undefined ? {} : { searchBudget: setup.searchBudget }),
  });
  const session: CrowdSession = { crowd, setup, ids: [], nextStep: 0, prepared: [], tickMs: [] };
  if (setup === undefined) return session;
  for (const { start, end, bothWays, radius, capacity, seconds } of setup.links ?? []) {
    setLinkTraffic(crowd, addLink(mesh, { start, end, bothWays, radius }), { capacity, seconds });
  }
  for (const agent of setup.agents) {
    const { position, radius, height, maxSpeed, maxAcceleration, priority, ghost } = agent;
    session.ids.push(
      addAgent(crowd, position, {
        radius,
        height,
        maxSpeed,
        maxAcceleration,
        arriveDistance: setup.goalRadius,
        ...sizeFor(mesh, radius, height),
        ...(priority === undefined ? {} : { priority }),
        ...(ghost === true ? { layers: 0, mask: 0, avoidance: 'none' as const } : {}),
      }),
    );
  }
  setup.agents.forEach((agent, i) => {
    const { goal, radius, follow: target, followDistance = 2.5 * radius } = agent;
    if (goal !== undefined) moveAgentTo(crowd, session.ids[i], goal);
    else if (target !== undefined) {
      followAgent(crowd, session.ids[i], session.ids[target], { distance: followDistance });
    }
  });
  return session;
}

/** Runs one tick. Returns true when the mesh has changed. */
export function stepSession(session: CrowdSession): boolean {
  const { crowd, setup, tickMs } = session;
  const script = setup?.script ?? [];
  const now = crowd.tick * crowd.stepSeconds;
  let isChanged = false;
  while (session.nextStep < script.length && script[session.nextStep].atSecond <= now) {
    const step = script[session.nextStep++];
    // Tiles of a live world are rebuilt with its obstacles.
    if (session.isLive === true && step.do === 'rebuild-tile') continue;
    isChanged = runScriptStep(session, step) || isChanged;
  }
  const start = performance.now();
  if (session.scene === undefined) stepCrowd(crowd);
  else session.scene.step();
  tickMs.push(performance.now() - start);
  if (tickMs.length > MAX_TICK_TIMES) tickMs.shift();
  return isChanged;
}

/** Checks whether the script has ended and all agents are at rest. */
export function isAllDone({ crowd, setup, nextStep }: CrowdSession, isRest: (slot: number) => boolean): boolean {
  if (nextStep < (setup?.script?.length ?? 0)) return false;
  for (let i = 0; i < crowd.activeCount; i++) if (!isRest(crowd.active[i])) return false;
  return crowd.activeCount > 0;
}

/** Runs a step of the script. Returns true when it has changed the mesh. */
function runScriptStep(session: CrowdSession, step: CrowdSceneStep): boolean {
  const { crowd, ids } = session;
  if (step.do === 'rebuild-tile') {
    rebuildTile(session, step.x, step.z, step.variant);
    return true;
  }
  const id = ids[step.agent];
  if (!hasAgent(crowd, id)) return false;
  if (step.do === 'move-to') moveAgentTo(crowd, id, step.point);
  else if (step.do === 'follow') followAgent(crowd, id, ids[step.target], { distance: step.distance });
  else if (step.do === 'stop') stopAgent(crowd, id);
  else removeAgent(crowd, id);
  return false;
}

function rebuildTile({ crowd: { mesh }, setup, prepared }: CrowdSession, x: number, z: number, variant: number): void {
  const level = variant === 0 ? setup!.level : setup!.variants![variant - 1];
  const tiles = (prepared[variant] ??= prepareTiles(level, setup!.options));
  const [tileX, tileZ] = stageDrawings.tileOfPlace(tiles, [x, 0, z]);
  const tile = buildPreparedTile(tiles, tileX, tileZ);
  const slot = findTile(mesh, tileX, tileZ);
  if (slot >= 0) removeTile(mesh, slot);
  if (tile !== null) addTile(mesh, tile);
}

/** Returns the largest size for a body that fits into no size of the mesh; the smaller ones are chosen by the crowd. */
function sizeFor(mesh: NavMesh, radius: number, height: number): AgentOptions {
  const isHeld = mesh.sizes.length === 0 || findSize(mesh, { radius, height }) !== null;
  return isHeld ? {} : { size: mesh.sizes.at(-1)!.name };
}

/** Adds agents around a point where they fit. Returns the ids of those that were added. */
export function addGroup({ crowd }: CrowdSession, at: Vec3, count: number, options: AgentOptions = {}): AgentId[] {
  const { type } = options;
  const body = (type === undefined ? null : findSize(crowd.mesh, type)) ?? crowd.mesh.agent;
  const { radius = body.radius || 0.4, height = body.height || 1.8 } = options;
  const size = type === undefined ? sizeFor(crowd.mesh, radius, height) : {};
  const added: AgentId[] = [];
  // Sunflower arrangement: the n-th position is at a distance of sqrt(n), rotated by the golden angle.
  let [x, z] = [1, 0];
  for (let n = 0; n < 8 * count && added.length < count; n++) {
    const reach = 2.2 * radius * Math.sqrt(n);
    const id = addAgent(crowd, [at[0] + reach * x, at[1], at[2] + reach * z], { ...options, ...size, radius, height });
    [x, z] = [-0.7373688781 * x - 0.6754902943 * z, 0.6754902943 * x - 0.7373688781 * z];
    if (id === 0) continue;
    if (isTaken(crowd, id)) removeAgent(crowd, id);
    else added.push(id);
  }
  return added;
}

/** Checks for an agent at the same position: the mesh may have moved the new agent there. */
function isTaken(crowd: Crowd, id: AgentId): boolean {
  const { position, radius, state } = crowd.agents;
  const own = refs.agentSlotOf(crowd, id);
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (slot === own || state[slot] === AGENT_STATES.free) continue;
    const dx = position[3 * slot] - position[3 * own];
    const dy = position[3 * slot + 1] - position[3 * own + 1];
    const dz = position[3 * slot + 2] - position[3 * own + 2];
    const reach = 0.98 * (radius[slot] + radius[own]);
    if (dx * dx + dz * dz < reach * reach && Math.abs(dy) < 1) return true;
  }
  return false;
}

/** Sends agents (default: all) to a point. Returns how many accept the goal. */
export function sendAgents(
  { crowd, scene }: CrowdSession,
  point: Vec3,
  ids: readonly AgentId[] = listAgents(crowd),
): number {
  for (const id of ids) scene?.release(id);
  return ids.filter((id) => moveAgentTo(crowd, id, point) === 'accepted').length;
}

/**
 * Returns a session with the same agents and goals on a rebuilt mesh. Agents off the new mesh are dropped. With `isSameScene`, the scene goes
 * on where it is.
 */
export function moveSession(session: CrowdSession, navMesh: NavMesh, isSameScene = false): CrowdSession {
  const { crowd } = session;
  const next = startSession(navMesh);
  const copies = new Map<AgentId, AgentId>();
  for (const id of listAgents(crowd)) {
    const { position, goal, radius, maxSpeed } = getAgent(crowd, id)!;
    const slot = refs.agentSlotOf(crowd, id);
    const { height, maxAcceleration, priority, avoidance, separationWeight } = crowd.agents;
    const copy = addAgent(next.crowd, position, {
      radius,
      maxSpeed,
      height: height[slot],
      maxAcceleration: maxAcceleration[slot],
      priority: priority[slot],
      avoidance: AVOIDANCE_KINDS[avoidance[slot]],
      separationWeight: separationWeight[slot],
      ...typeFor(crowd, slot, next.crowd),
    });
    if (copy !== 0) copies.set(id, copy);
    if (copy !== 0 && goal !== null) moveAgentTo(next.crowd, copy, goal);
  }
  if (!isSameScene) return next;
  // The scene goes on: its time, its agents, and the rest of its script.
  next.crowd.tick = crowd.tick;
  next.setup = session.setup;
  next.ids = session.ids.map((id) => copies.get(id) ?? id);
  next.nextStep = session.nextStep;
  return next;
}

/** Returns the type of an agent for another crowd, or a size that holds its body there. */
function typeFor({ agents, filters, types }: Crowd, slot: number, next: Crowd): AgentOptions {
  const type = types[agents.filter[slot] - filters.length + types.length]?.name;
  const isKnown = next.types.some(({ name }) => name === type);
  return isKnown ? { type } : sizeFor(next.mesh, agents.radius[slot], agents.height[slot]);
}
