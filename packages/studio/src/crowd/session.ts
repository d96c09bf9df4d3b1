/**
 * A crowd under way: the crowd, what the scene's script has still to tell it, what the user has told it.
 * Nothing here draws.
 *
 * A tick does what `stepCrowdRun` of navkiln/debug does with the same scene, in the same order: the test
 * compares the two. A session of a scene whose script changes tiles, or which has links, owns a copy of the
 * mesh.
 */
import { addLink, addTile, removeTile } from 'navkiln';
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
  setLinkTraffic,
  stepCrowd,
  stopAgent,
} from 'navkiln/crowd';
import type { AgentId, AgentOptions, Crowd } from 'navkiln/crowd';
import { tileOfPlace } from 'navkiln/debug';
import type { CrowdSceneStep, CrowdSetup } from 'navkiln/debug';
import { findTile } from 'navkiln/kernel';
import { STATE_FREE, agentSlotOf } from 'navkiln/kernel';
import type { Vec3 } from '../state/state.ts';

/** Agents that can be added to those of a scene. */
const ROOM = 2000;

export interface CrowdSession {
  crowd: Crowd;
  /** undefined: agents are the user's own, on any mesh. */
  setup: CrowdSetup | undefined;
  /** By the scene's number of the agent. */
  ids: AgentId[];
  /** Next step of the script. */
  nextStep: number;
  /** Levels made ready for tiles, by variant. */
  prepared: (PreparedTiles | undefined)[];
  /** Of the last ticks, ms. */
  tickMs: number[];
  /** The people are those of a scene file. */
  scene?: ScenePeople;
}

/** What moves the people of a scene file; see scene-session.ts. */
export interface ScenePeople {
  /** What the user has told them, and when: told again after going back. */
  orders: { tick: number; run: (session: CrowdSession) => void }[];
  step: () => void;
  /** It is not told by the scene any more. */
  release: (id: AgentId) => void;
  /** The same at its beginning. */
  again: () => CrowdSession;
}

/** Tells agents something, and keeps it for going back. */
export function tellSession(session: CrowdSession, run: (session: CrowdSession) => void): void {
  run(session);
  const {
    scene,
    crowd: { tick },
  } = session;
  if (scene !== undefined) scene.orders = [...scene.orders.filter((order) => order.tick <= tick), { tick, run }];
}

/** A scene file's people at a tick, earlier or later: from the beginning when it is earlier. */
export function replayScene(session: CrowdSession, tick: number): void {
  const { scene, tickMs } = session;
  const { orders } = scene!;
  const next = scene!.again();
  Object.assign(session, next, { tickMs });
  session.scene!.orders = orders;
  for (;;) {
    for (const order of orders) if (order.tick === session.crowd.tick) order.run(session);
    if (session.crowd.tick >= tick) return;
    session.scene!.step();
  }
}

export function startSession(navMesh: NavMesh, setup?: CrowdSetup): CrowdSession {
  const isChanging = setup?.links !== undefined || setup?.script?.some((step) => step.do === 'rebuild-tile') === true;
  const mesh = isChanging ? structuredClone(navMesh) : navMesh;
  const crowd = createCrowd(mesh, {
    maxAgents: ROOM + (setup?.agents.length ?? 0),
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
        ...(priority === undefined ? {} : { priority }),
        ...(ghost === true ? { layers: 0, mask: 0, avoidance: 'none' as const } : {}),
      }),
    );
  }
  setup.agents.forEach((agent, i) => {
    const { goal, radius, follow: target, followDistance = 2.5 * radius } = agent;
    if (goal !== undefined) moveAgentTo(crowd, session.ids[i], goal);
    else if (target !== undefined)
      followAgent(crowd, session.ids[i], session.ids[target], { distance: followDistance });
  });
  return session;
}

/** One tick. Returns true when the mesh has changed. */
export function stepSession(session: CrowdSession): boolean {
  const { crowd, setup, tickMs } = session;
  const script = setup?.script ?? [];
  const now = crowd.tick * crowd.stepSeconds;
  let isChanged = false;
  while (session.nextStep < script.length && script[session.nextStep].atSecond <= now) {
    isChanged = takeStep(session, script[session.nextStep++]) || isChanged;
  }
  const start = performance.now();
  if (session.scene === undefined) stepCrowd(crowd);
  else session.scene.step();
  tickMs.push(performance.now() - start);
  if (tickMs.length > 240) tickMs.shift();
  return isChanged;
}

/** Is there nothing more to see: the script is done, and all there are have come to rest or gave up? */
export function isAllDone({ crowd, setup, nextStep }: CrowdSession, isRest: (slot: number) => boolean): boolean {
  if (nextStep < (setup?.script?.length ?? 0)) return false;
  for (let i = 0; i < crowd.activeCount; i++) if (!isRest(crowd.active[i])) return false;
  return crowd.activeCount > 0;
}

function takeStep(session: CrowdSession, step: CrowdSceneStep): boolean {
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
  const one = (prepared[variant] ??= prepareTiles(level, setup!.options));
  const [tileX, tileZ] = tileOfPlace(one, [x, 0, z]);
  const tile = buildPreparedTile(one, tileX, tileZ);
  const slot = findTile(mesh, tileX, tileZ);
  if (slot >= 0) removeTile(mesh, slot);
  if (tile !== null) addTile(mesh, tile);
}

/** Adds agents around a place, in rings, where there is ground; returns those that were added. */
export function addGroup({ crowd }: CrowdSession, at: Vec3, count: number, options: AgentOptions = {}): AgentId[] {
  const { radius = crowd.mesh.agent.radius || 0.4 } = options;
  const added: AgentId[] = [];
  // A sunflower: the n-th at a distance of the root of n, a golden angle further.
  let [x, z] = [1, 0];
  for (let n = 0; n < 8 * count && added.length < count; n++) {
    const reach = 2.2 * radius * Math.sqrt(n);
    const id = addAgent(crowd, [at[0] + reach * x, at[1], at[2] + reach * z], { ...options, radius });
    [x, z] = [-0.7373688781 * x - 0.6754902943 * z, 0.6754902943 * x - 0.7373688781 * z];
    if (id === 0) continue;
    if (isTaken(crowd, id)) removeAgent(crowd, id);
    else added.push(id);
  }
  return added;
}

/** Ground that was not where it was asked for may be where somebody stands. */
function isTaken(crowd: Crowd, id: AgentId): boolean {
  const { position, radius, state } = crowd.agents;
  const own = agentSlotOf(crowd, id);
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (slot === own || state[slot] === STATE_FREE) continue;
    const dx = position[3 * slot] - position[3 * own];
    const dy = position[3 * slot + 1] - position[3 * own + 1];
    const dz = position[3 * slot + 2] - position[3 * own + 2];
    const reach = 0.98 * (radius[slot] + radius[own]);
    if (dx * dx + dz * dz < reach * reach && Math.abs(dy) < 1) return true;
  }
  return false;
}

/** Sends agents (default: all) to a place. Returns how many could be told. */
export function sendAgents(
  { crowd, scene }: CrowdSession,
  point: Vec3,
  ids: readonly AgentId[] = listAgents(crowd),
): number {
  for (const id of ids) scene?.release(id);
  return ids.filter((id) => moveAgentTo(crowd, id, point) === 'accepted').length;
}

/**
 * The same agents, with what they were told, on another mesh: it was baked anew. Those without ground are
 * left out.
 */
export function moveSession(session: CrowdSession, navMesh: NavMesh): CrowdSession {
  const { crowd } = session;
  const next = startSession(navMesh);
  for (const id of listAgents(crowd)) {
    const { position, goal, radius, maxSpeed } = getAgent(crowd, id)!;
    const height = crowd.agents.height[agentSlotOf(crowd, id)];
    const copy = addAgent(next.crowd, position, { radius, maxSpeed, height });
    if (copy !== 0 && goal !== null) moveAgentTo(next.crowd, copy, goal);
  }
  return next;
}
