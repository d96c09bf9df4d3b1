/**
 * Errands of a crowd scene: agents that reach a goal continue to their next one, so that a scene has a steady flow.
 *
 * An errand is done when the agent is within the scene's goal radius, or has come to rest at the goal. The test is the
 * same for every library. A trip is late when it takes longer than twice the time of the shortest path at full speed
 * plus ten seconds. When the time of errands is over, all agents go back to their start positions, which have space for
 * all.
 *
 * In: positions and states of a run. Out: the next goal of an agent; numbers of trips and late trips.
 * Cost: a few comparisons per agent and tick.
 * Based on: own.
 */
import { isAtRest } from './metrics.ts';
import type { CrowdErrands, CrowdRun, Point } from './types.ts';

/** A trip is late after `LATE_TIMES` times its shortest duration plus `LATE_SECONDS` seconds. */
const LATE_TIMES = 2;
const LATE_SECONDS = 10;

export function createErrands(agentCount: number): CrowdErrands {
  return {
    begun: new Int32Array(agentCount),
    orderTick: new Int32Array(agentCount).fill(-1),
    lateAfter: new Float64Array(agentCount),
    trips: 0,
    lateTrips: 0,
    isOver: false,
  };
}

/** Returns whether agents no longer get further goals. */
export function hasNoErrands({ setup, tick, stepSeconds }: CrowdRun): boolean {
  return setup.errandSeconds === undefined || tick * stepSeconds >= setup.errandSeconds;
}

/** Notes a new order of an agent. Call it after the metrics have the length of its path. */
export function noteErrand({ errands, metrics, frame, setup, tick }: CrowdRun, agent: number): void {
  errands.orderTick[agent] = tick;
  const dx = frame.goal[3 * agent] - frame.position[3 * agent];
  const dz = frame.goal[3 * agent + 2] - frame.position[3 * agent + 2];
  const length = metrics.shortest[agent] >= 0 ? metrics.shortest[agent] : Math.sqrt(dx * dx + dz * dz);
  errands.lateAfter[agent] = (LATE_TIMES * length) / setup.agents[agent].maxSpeed + LATE_SECONDS;
}

/** Returns the next goal of an agent that has reached its goal; undefined when there is none. */
export function nextErrand(run: CrowdRun, agent: number): Point | undefined {
  const { setup, errands } = run;
  const { errands: goals = [] } = setup.agents[agent];
  if (goals.length === 0 || !isAtGoal(run, agent)) return undefined;
  errands.trips++;
  if (isLate(run, agent)) errands.lateTrips++;
  return goals[errands.begun[agent]++ % goals.length];
}

function isAtGoal({ frame: { position, goal, state }, setup }: CrowdRun, agent: number): boolean {
  if (isAtRest(state[agent])) return true;
  const dx = position[3 * agent] - goal[3 * agent];
  const dy = position[3 * agent + 1] - goal[3 * agent + 1];
  const dz = position[3 * agent + 2] - goal[3 * agent + 2];
  return dy < 1 && dy > -1 && dx * dx + dz * dz <= setup.goalRadius * setup.goalRadius;
}

function isLate({ errands, tick, stepSeconds }: CrowdRun, agent: number): boolean {
  return (tick - errands.orderTick[agent]) * stepSeconds > errands.lateAfter[agent];
}

/**
 * Ends the errands when their time is over, and counts the trips that are late by then. Returns true once, when agents
 * have to be sent home.
 */
export function endErrands(run: CrowdRun): boolean {
  const { errands } = run;
  if (errands.isOver || run.setup.errandSeconds === undefined || !hasNoErrands(run)) return false;
  errands.lateTrips += countLate(run);
  errands.isOver = true;
  return true;
}

/** Returns the number of agents that are currently late. */
function countLate(run: CrowdRun): number {
  let late = 0;
  for (let i = 0; i < run.setup.agents.length; i++) {
    if (run.setup.agents[i].errands !== undefined && !isAtRest(run.frame.state[i]) && isLate(run, i)) late++;
  }
  return late;
}

/** Returns the number of trips of a run, and of late trips. */
export function countTrips(run: CrowdRun): { trips: number; lateTrips: number } {
  const { trips, lateTrips, isOver } = run.errands;
  return { trips, lateTrips: isOver ? lateTrips : lateTrips + countLate(run) };
}
