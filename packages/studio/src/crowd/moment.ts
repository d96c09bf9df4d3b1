/**
 * A moment of a crowd scene in a link: the time, where its agents are and go, and the obstacles. Who opens the link sees what the sender
 * saw, to a centimeter, and the scene goes on.
 */
import { getAgent, hasAgent, moveAgentTo, stopAgent, teleportAgent } from 'navkiln/crowd';
import type { Vec3 } from '../state/state.ts';
import type { LiveObstacle, ObstacleShape } from './live/types.ts';
import { createRecord, noteTick } from './record.ts';
import { notify, refresh } from './run.ts';
import type { CrowdRun } from './run.ts';
import type { CrowdSession } from './session.ts';

export interface Moment {
  tick: number;
  /** x, y, z of each agent of the scene, and x, y, z of its goal; without a goal, its position twice. */
  agents: readonly number[];
  obstacles: readonly (ObstacleShape & { position: Vec3 })[];
}

const NUMBERS = 6;
/** Links of more agents would be longer than chat programs allow. */
const MAX_AGENTS = 120;

/** Returns the moment, or undefined without a scene or with too many agents. */
export function momentOf(
  { crowd, ids, setup }: CrowdSession,
  obstacles: readonly LiveObstacle[] = [],
): Moment | undefined {
  if (setup === undefined || ids.length > MAX_AGENTS) return undefined;
  const agents = ids.flatMap((id) => {
    const agent = hasAgent(crowd, id) ? getAgent(crowd, id) : null;
    const position = agent?.position ?? [0, 0, 0];
    return [...position, ...(agent?.goal ?? position)].map(rounded);
  });
  return {
    tick: crowd.tick,
    agents,
    obstacles: obstacles.map(({ shape, width, height, position }) => ({
      shape,
      width,
      height,
      position: position.map(rounded) as unknown as Vec3,
    })),
  };
}

/** Reads the moment of a link; undefined: there is none, or it is damaged. */
export function readMoment(value: unknown): Moment | undefined {
  const { tick, agents, obstacles } = (value ?? {}) as Partial<Moment>;
  const areNumbers = (list: unknown): list is number[] => Array.isArray(list) && list.every(Number.isFinite);
  const isShape = (shape: unknown): boolean => {
    const { width, height, position } = (shape ?? {}) as Moment['obstacles'][number];
    return Number(width) > 0 && Number(height) > 0 && areNumbers(position) && position.length === 3;
  };
  if (!Number.isInteger(tick) || tick! < 0 || !areNumbers(agents) || agents.length > NUMBERS * MAX_AGENTS) return undefined;
  if (!Array.isArray(obstacles) || !obstacles.every(isShape)) return undefined;
  return { tick: tick!, agents, obstacles };
} // oxfmt-ignore

/** Puts the agents of a scene where they are at a moment. The caller has put the obstacles. */
export function applyMoment(run: CrowdRun, { tick, agents }: Moment): void {
  const { session } = run;
  if (session?.setup === undefined) return;
  const { crowd, ids, setup } = session;
  const script = setup.script ?? [];
  crowd.tick = tick;
  session.nextStep = script.findIndex(({ atSecond }) => atSecond > (tick - 1) * crowd.stepSeconds);
  if (session.nextStep < 0) session.nextStep = script.length;
  ids.forEach((id, i) => {
    const [x, y, z, goalX, goalY, goalZ] = agents.slice(NUMBERS * i, NUMBERS * (i + 1));
    if (goalZ === undefined || !hasAgent(crowd, id)) return;
    teleportAgent(crowd, id, [x, y, z]);
    if (x === goalX && y === goalY && z === goalZ) stopAgent(crowd, id);
    else moveAgentTo(crowd, id, [goalX, goalY, goalZ]);
  });
  run.record = createRecord();
  noteTick(run.record, session, true);
  refresh(run);
  notify(run);
}

function rounded(value: number): number {
  return Math.round(100 * value) / 100;
}
