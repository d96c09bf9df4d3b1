/**
 * Runs a crowd scene (level, agents and orders) with any driver and measures it.
 *
 * `runCrowdScene` uses navkiln's own crowd. Benchmarks drive other libraries through the same scenes, orders
 * and measurements. A run ends when all agents have been at rest for two seconds and no orders remain, or
 * when the scene's time is up. There is no clock here; callers that want times pass one.
 *
 * In: a scene's setup (plain data), a driver. Out: a `CrowdReport` and times per tick.
 * Cost: the driver's ticks, and about the same for measuring.
 * Based on: own.
 */
import { checkOptions, checkPoints } from '../check-options.ts';
import {
  checkArray,
  checkFinite,
  checkFunction,
  checkKeys,
  checkMutable,
  checkObject,
  checkRecord,
  refuse,
} from '../../base/data/refuse.ts';
import { addLink } from '../../mesh/change/links.ts';
import { findTile } from '../../mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../mesh/change/tiles.ts';
import { DEFAULT_FILTER } from '../../query/filter.ts';
import { buildNavMesh, buildPreparedTile, prepareTiles } from '../../build/voxel/build.ts';
import { makeDriver } from './driver.ts';
import { countTrips, createErrands, endErrands, hasNoErrands, nextErrand, noteErrand } from './errands.ts';
import { locating } from './locating.ts';
import type { CrowdFrame } from './metrics.ts';
import {
  BODY_ARRIVED,
  BODY_GONE,
  BODY_IDLE,
  BODY_MOVING,
  BODY_ON_LINK,
  BODY_SETTLED,
  createCrowdMetrics,
  isAtRest,
  noteCrowdOrder,
  quantile,
  recordCrowdTick,
  summarizeCrowd,
} from './metrics.ts';
import type {
  CrowdDriver,
  CrowdRun,
  CrowdRunOptions,
  CrowdRunResult,
  CrowdSceneStep,
  CrowdSetup,
  CrowdWorld,
  Point,
} from './types.ts';

/** Time at rest after which a run ends. */
const REST_SECONDS = 2;
/** Speed below which agents of drivers without a rest state stand, world units per second. */
const STANDING_SPEED = 0.05;
const STEPS: readonly CrowdSceneStep['do'][] = ['move-to', 'follow', 'stop', 'remove', 'rebuild-tile'];
const KEYS: readonly (keyof CrowdRunOptions)[] = ['stepSeconds', 'seconds', 'now', 'onTick', 'unmeasured'];

/** Bakes the level of a scene and adds its links. */
export function createCrowdWorld(setup: CrowdSetup): CrowdWorld {
  return makeWorld('createCrowdWorld', setup);
}

function makeWorld(caller: string, setup: CrowdSetup): CrowdWorld {
  checkSetup(caller, setup);
  const { navMesh: mesh } = locating(caller, 'setup', () => buildNavMesh(setup.level, setup.options));
  const links = (setup.links ?? []).map(({ start, end, bothWays, radius }, i) =>
    locating(caller, `setup.links[${i}]`, () => addLink(mesh, { start, end, bothWays, radius })),
  );
  return { mesh, setup, links, prepared: [] };
}

/**
 * Runs a scene with navkiln's own crowd to its end.
 *
 * @throws RangeError, TypeError for unknown or invalid options
 */
export function runCrowdScene(setup: CrowdSetup, options: CrowdRunOptions = {}): CrowdRunResult {
  const run = startRun('runCrowdScene', setup, options);
  while (stepRun('runCrowdScene', run));
  return finishCrowdRun(run);
}

/**
 * Starts a run that the caller steps: call `stepCrowdRun` until it returns false, and `finishCrowdRun` at any
 * time.
 *
 * @throws RangeError, TypeError for unknown or invalid options
 */
export function startCrowdRun(
  setup: CrowdSetup,
  options: CrowdRunOptions = {},
  world?: CrowdWorld,
  driver?: CrowdDriver,
): CrowdRun {
  return startRun('startCrowdRun', setup, options, world, driver);
}

function startRun(
  caller: string,
  setup: CrowdSetup,
  options: CrowdRunOptions,
  givenWorld?: CrowdWorld,
  givenDriver?: CrowdDriver,
): CrowdRun {
  checkSetup(caller, setup);
  checkKeys(caller, options, KEYS);
  checkOptions(caller, options);
  const { stepSeconds = 1 / 60, seconds = setup.seconds } = options;
  checkFinite(caller, 'options.stepSeconds', stepSeconds);
  if (options.now !== undefined) checkFunction(caller, 'options.now', options.now);
  if (options.onTick !== undefined) checkFunction(caller, 'options.onTick', options.onTick);
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds < 1e6)) {
    refuse(caller, 'options.seconds', seconds, 'above 0 and below 1,000,000');
  }
  const world = givenWorld ?? makeWorld(caller, setup);
  const driver = givenDriver ?? makeDriver(caller, world, stepSeconds);
  const n = setup.agents.length;
  const frame: CrowdFrame = {
    position: new Float64Array(3 * n),
    state: new Uint8Array(n),
    goal: new Float64Array(3 * n),
  };
  setup.agents.forEach((agent, i) => {
    frame.position.set(agent.position, 3 * i);
    frame.goal.set(agent.goal ?? agent.position, 3 * i);
    if (!locating(caller, `setup.agents[${i}]`, () => driver.add(agent, i))) frame.state[i] = BODY_GONE;
  });
  driver.read(frame);
  const metrics = createCrowdMetrics(world.mesh, frame, {
    radius: Float64Array.from(setup.agents, (agent) => (agent.ghost === true ? 0 : agent.radius)),
    height: Float64Array.from(setup.agents, (agent) => agent.height),
    stepSeconds,
    filters: setup.agents.map(({ type }) => type?.filter ?? DEFAULT_FILTER),
    ...(setup.gate === undefined ? {} : { gate: setup.gate }),
    ...(driver.distanceToGround === undefined ? {} : { distanceToGround: (agent) => driver.distanceToGround!(agent) }),
  });
  const run: CrowdRun = {
    driver,
    world,
    setup,
    options,
    stepSeconds,
    maxTicks: Math.round(seconds / stepSeconds),
    tick: 0,
    frame,
    metrics,
    times: [],
    nextStep: 0,
    target: new Int32Array(n).fill(-1),
    packed: new Float64Array(n),
    errands: createErrands(n),
    restTicks: 0,
    stillTicks: new Int32Array(n),
    lastPosition: new Float64Array(3 * n),
  };
  setup.agents.forEach((agent, i) => {
    if (frame.state[i] === BODY_GONE) return;
    const { goal, follow, followDistance = 2.5 * agent.radius } = agent;
    locating(caller, `setup.agents[${i}]`, () => {
      if (goal !== undefined) orderMove(run, i, goal);
      else if (follow !== undefined) orderFollow(run, i, follow, followDistance);
    });
  });
  return run;
}

/** Runs one tick. Returns false when the run had ended before. */
export function stepCrowdRun(run: CrowdRun): boolean {
  checkRecord('stepCrowdRun', 'run', run, 'stillTicks', 'a CrowdRun');
  checkMutable('stepCrowdRun', 'run', run);
  return stepRun('stepCrowdRun', run);
}

function stepRun(caller: string, run: CrowdRun): boolean {
  const { driver, frame, setup, options, stepSeconds } = run;
  const { script = [] } = setup;
  const isDone = run.nextStep === script.length && hasNoErrands(run) && run.restTicks * stepSeconds >= REST_SECONDS;
  if (run.tick >= run.maxTicks || isDone) return false;
  const now = run.tick * stepSeconds;
  while (run.nextStep < script.length && script[run.nextStep].atSecond <= now) {
    const next = run.nextStep++;
    locating(caller, `setup.script[${next}]`, () => takeStep(run, script[next]));
  }
  const from = readClock(caller, options);
  driver.step();
  if (options.now !== undefined) run.times.push(readClock(caller, options) - from);
  run.tick++;
  driver.read(frame);
  for (let i = 0; i < run.target.length; i++) {
    const target = run.target[i];
    if (target >= 0) for (let k = 0; k < 3; k++) frame.goal[3 * i + k] = frame.position[3 * target + k];
  }
  if (!driver.knowsRest) guessRest(run);
  if (options.unmeasured !== true) recordCrowdTick(run.metrics, frame);
  takeErrands(run);
  run.restTicks = frame.state.every((state) => isAtRest(state) || state === BODY_GONE) ? run.restTicks + 1 : 0;
  options.onTick?.(frame, run.tick);
  return true;
}

/** Sends agents that are at a goal to their next one, and home when the time of errands is over. */
function takeErrands(run: CrowdRun): void {
  if (endErrands(run)) {
    run.setup.agents.forEach(({ errands, position }, i) => {
      if (errands !== undefined && run.frame.state[i] !== BODY_GONE) orderMove(run, i, position);
    });
  }
  if (hasNoErrands(run)) return;
  for (let i = 0; i < run.setup.agents.length; i++) {
    const point = nextErrand(run, i);
    if (point !== undefined) orderMove(run, i, point);
  }
}

/** Returns the time of the caller's clock, 0 without one. */
function readClock(caller: string, { now }: CrowdRunOptions): number {
  const time = now?.() ?? 0;
  checkFinite(caller, 'the result of options.now()', time);
  return time;
}

/** Returns the report of the ticks so far. */
export function finishCrowdRun(run: CrowdRun): CrowdRunResult {
  checkRecord('finishCrowdRun', 'run', run, 'stillTicks', 'a CrowdRun');
  packGoals(run);
  const report = summarizeCrowd(run.metrics, run.frame, (agent) => run.packed[agent]);
  const times = Float64Array.from(run.times).sort();
  return {
    ...report,
    ...countTrips(run),
    msPerTick: { median: quantile(times, 0.5), p99: quantile(times, 0.99), max: quantile(times, 1) },
    searches: run.driver.searches(),
    stateHash: run.driver.hash(),
  };
}

/** Executes a step of the scene's script. */
function takeStep(run: CrowdRun, step: CrowdSceneStep): void {
  const { driver, world, frame } = run;
  if (step.do === 'rebuild-tile') {
    rebuildTile(world, driver, step.x, step.z, step.variant);
    return;
  }
  if (frame.state[step.agent] === BODY_GONE) return;
  if (step.do === 'move-to') orderMove(run, step.agent, step.point);
  else if (step.do === 'follow') orderFollow(run, step.agent, step.target, step.distance);
  else {
    run.target[step.agent] = -1;
    if (step.do === 'stop') driver.stop(step.agent);
    else {
      driver.remove(step.agent);
      frame.state[step.agent] = BODY_GONE;
    }
  }
}

function orderMove(run: CrowdRun, agent: number, point: Point): void {
  run.target[agent] = -1;
  run.frame.goal.set(point, 3 * agent);
  run.driver.moveTo(agent, point);
  noteOrder(run, agent);
}

function orderFollow(run: CrowdRun, agent: number, target: number, distance: number): void {
  run.target[agent] = target;
  for (let k = 0; k < 3; k++) run.frame.goal[3 * agent + k] = run.frame.position[3 * target + k];
  run.driver.follow(agent, target, distance);
  noteOrder(run, agent);
}

function noteOrder(run: CrowdRun, agent: number): void {
  run.stillTicks[agent] = 0;
  run.packed.fill(0);
  if (run.options.unmeasured !== true) noteCrowdOrder(run.metrics, run.frame, agent);
  noteErrand(run, agent);
}

function rebuildTile(
  { mesh, setup, prepared: known }: CrowdWorld,
  driver: CrowdDriver,
  x: number,
  z: number,
  variant: number,
): void {
  const level = variant === 0 ? setup.level : setup.variants![variant - 1];
  const prepared = (known[variant] ??= prepareTiles(level, setup.options));
  const {
    config: { boundsMin, offset, cellSize, tileCells },
  } = prepared;
  const tileX = Math.floor((x - boundsMin[0] - offset[0]) / (tileCells * cellSize));
  const tileZ = Math.floor((z - boundsMin[2] - offset[2]) / (tileCells * cellSize));
  const tile = buildPreparedTile(prepared, tileX, tileZ);
  const slot = findTile(mesh, tileX, tileZ);
  if (slot >= 0) removeTile(mesh, slot);
  if (tile !== null) addTile(mesh, tile);
  driver.setTile?.(tileX, tileZ, tile, variant);
}

/**
 * Computes how close agents with the same goal can get to it: they fill six tenths of a circle that touches
 * the goal, because all may arrive from one side. Setups whose goal has less ground around it say how close.
 */
function packGoals({ setup, frame, target, packed }: CrowdRun): void {
  const areas = new Map<string, number>();
  const keyOf = (i: number): string =>
    target[i] >= 0 ? `of ${target[i]}` : frame.goal.subarray(3 * i, 3 * i + 3).join();
  const counts = new Map<string, number>();
  setup.agents.forEach(({ radius }, i) => {
    const key = keyOf(i);
    areas.set(key, (areas.get(key) ?? 0) + radius * radius);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  setup.agents.forEach(({ radius, followDistance = 2.5 * radius }, i) => {
    const key = keyOf(i);
    // A single agent may have to stand beside another agent that rests on its goal.
    const around = counts.get(key) === 1 ? 2 * radius : (setup.restRadius ?? 2 * Math.sqrt(areas.get(key)! / 0.6));
    packed[i] = setup.goalRadius + radius + around + (target[i] >= 0 ? followDistance : 0);
  });
}

/**
 * Guesses the state of agents for drivers without a rest state, from distances to goals and standing times.
 */
function guessRest(run: CrowdRun): void {
  const {
    frame: { position, goal, state },
    setup,
    errands,
    stillTicks,
    lastPosition,
    stepSeconds,
    packed,
  } = run;
  if (packed[0] === 0) packGoals(run);
  const standing = STANDING_SPEED * stepSeconds;
  for (let i = 0; i < state.length; i++) {
    if (state[i] === BODY_GONE || state[i] === BODY_ON_LINK) continue;
    const mx = position[3 * i] - lastPosition[3 * i];
    const mz = position[3 * i + 2] - lastPosition[3 * i + 2];
    stillTicks[i] = mx * mx + mz * mz < standing * standing ? stillTicks[i] + 1 : 0;
    if (errands.orderTick[i] < 0) {
      state[i] = stillTicks[i] * stepSeconds >= 0.5 ? BODY_IDLE : BODY_MOVING;
      continue;
    }
    const dx = position[3 * i] - goal[3 * i];
    const dz = position[3 * i + 2] - goal[3 * i + 2];
    const dy = position[3 * i + 1] - goal[3 * i + 1];
    const distance = dy < 1 && dy > -1 ? Math.sqrt(dx * dx + dz * dz) : Infinity;
    if (distance <= setup.goalRadius && stillTicks[i] > 0) state[i] = BODY_ARRIVED;
    else if (distance <= packed[i] && stillTicks[i] * stepSeconds >= 0.5) state[i] = BODY_SETTLED;
    else state[i] = BODY_MOVING;
  }
  lastPosition.set(position);
}

/** Throws a TypeError unless `setup` has a level, options and agents. The functions that use them check their contents. */
function checkSetup(caller: string, setup: CrowdSetup): void {
  checkObject(caller, 'setup', setup);
  checkObject(caller, 'setup.level', setup.level);
  checkObject(caller, 'setup.options', setup.options);
  checkArray(caller, 'setup.agents', setup.agents);
  setup.agents.forEach((agent, i) => {
    checkObject(caller, `setup.agents[${i}]`, agent);
    checkPoints(caller, `setup.agents[${i}].position`, [agent.position], 3);
    if (agent.follow !== undefined) checkAgentIndex(caller, `setup.agents[${i}].follow`, agent.follow, setup);
    if (agent.goal !== undefined) checkPoints(caller, `setup.agents[${i}].goal`, [agent.goal], 3);
    if (agent.errands !== undefined) checkPoints(caller, `setup.agents[${i}].errands`, agent.errands, 3);
    for (const key of ['radius', 'height', 'maxSpeed', 'maxAcceleration'] as const) {
      checkFinite(caller, `setup.agents[${i}].${key}`, agent[key]);
    }
  });
  if (setup.links !== undefined) checkArray(caller, 'setup.links', setup.links);
  setup.links?.forEach((link, i) => checkObject(caller, `setup.links[${i}]`, link));
  if (setup.script !== undefined) checkArray(caller, 'setup.script', setup.script);
  setup.script?.forEach((step, i) => {
    checkObject(caller, `setup.script[${i}]`, step);
    checkFinite(caller, `setup.script[${i}].atSecond`, step.atSecond);
    if (!STEPS.includes(step.do)) {
      refuse(caller, `setup.script[${i}].do`, step.do, STEPS.map((name) => `'${name}'`).join(', '));
    }
    if (step.do === 'rebuild-tile') checkRebuild(caller, `setup.script[${i}]`, step, setup);
    else checkAgentIndex(caller, `setup.script[${i}].agent`, step.agent, setup);
    if (step.do === 'follow') checkAgentIndex(caller, `setup.script[${i}].target`, step.target, setup);
    if (step.do === 'move-to') checkPoints(caller, `setup.script[${i}].point`, [step.point], 3);
  });
  checkFinite(caller, 'setup.seconds', setup.seconds);
  if (setup.errandSeconds !== undefined) checkFinite(caller, 'setup.errandSeconds', setup.errandSeconds);
}

/** Throws unless the tile and the variant of a step that rebuilds a tile exist. */
function checkRebuild(
  caller: string,
  path: string,
  { x, z, variant }: Extract<CrowdSceneStep, { do: 'rebuild-tile' }>,
  { variants = [] }: CrowdSetup,
): void {
  checkFinite(caller, `${path}.x`, x);
  checkFinite(caller, `${path}.z`, z);
  if (!(Number.isInteger(variant) && variant >= 0 && variant <= variants.length))
    refuse(caller, `${path}.variant`, variant, `a whole number up to ${variants.length}, the number of variants`);
}

/** Throws a RangeError unless `index` is that of an agent of the setup. */
function checkAgentIndex(caller: string, path: string, index: number, { agents }: CrowdSetup): void {
  if (!(Number.isInteger(index) && index >= 0 && index < agents.length))
    refuse(caller, path, index, `a whole number below ${agents.length}, the number of agents`);
}
