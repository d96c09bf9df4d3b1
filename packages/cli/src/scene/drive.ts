/** Runs the people of a scene: a crowd, targets that move, links. What `startCrowdRun` drives. No Node. */
import {
  AGENT_STATUSES, BODY_ARRIVED, BODY_GAVE_UP, BODY_GONE, BODY_MOVING, BODY_ON_LINK, BODY_QUEUEING, BODY_SETTLED, addAgent,
  createCrowd, follow, getAgent, hashCrowd, moveTo, removeAgent, setAgentPosition, setLinkTraffic, stepCrowd, stop,
} from '../library.ts';
import type { AgentId, AgentStatus, CrowdDriver, CrowdSetup, CrowdWorld, NavMesh } from '../library.ts';
import type { SceneCast } from './people.ts';
import { moveTarget, pathOfTarget } from './target-path.ts';
import type { SceneFile, ScenePoint } from './types.ts';

const DEFAULT_SECONDS = 60;
/** Of what stands for a target in the crowd: next to nothing. */
const TARGET_RADIUS = 0.01;

export interface SceneRun {
  setup: CrowdSetup;
  world: CrowdWorld;
  createDriver: (stepSeconds: number) => CrowdDriver;
}

/** What `startCrowdRun` takes. The mesh has the links of the cast. */
export function createSceneRun(scene: SceneFile, mesh: NavMesh, cast: SceneCast): SceneRun {
  const agents = cast.people.map(({ entry, position, radius, height, errand, distance }): CrowdSetup['agents'][number] => {
    const { walkSpeed = 3.5 * radius, runSpeed = 2 * walkSpeed, run = false, priority, acceleration } = scene.agents![entry]!;
    const maxSpeed = run ? runSpeed : walkSpeed;
    return {
      position, radius, height, maxSpeed, maxAcceleration: acceleration ?? 8 * walkSpeed, group: entry,
      ...(priority === undefined ? {} : { priority }),
      ...(errand.kind === 'go' ? { goal: errand.point } : {}),
      ...(errand.kind === 'agent' ? { follow: errand.agent, ...(distance === undefined ? {} : { followDistance: distance }) } : {}),
    };
  });
  const arrive = cast.people.map(({ radius, distance, errand }) =>
    (errand.kind === 'target' ? distance ?? 1.5 * radius : radius / 2));
  const setup: CrowdSetup = {
    level: { positions: [] }, options: {}, agents, seconds: scene.seconds ?? DEFAULT_SECONDS, goalRadius: Math.max(...arrive),
  };
  const world: CrowdWorld = { mesh, setup, links: cast.links, prepared: [] };
  return { setup, world, createDriver: (stepSeconds) => createSceneDriver(scene, world, cast, stepSeconds) };
}

function createSceneDriver(scene: SceneFile, { mesh, setup }: CrowdWorld, cast: SceneCast, stepSeconds: number): CrowdDriver {
  const { people, targets, links } = cast;
  const crowd = createCrowd(mesh, { maxAgents: people.length + targets.length, stepSeconds });
  links.forEach((ref, i) => {
    const { capacity, seconds } = scene.links![i]!;
    setLinkTraffic(crowd, ref, { ...(capacity === undefined ? {} : { capacity }), ...(seconds === undefined ? {} : { seconds }) });
  });
  const paths = targets.map((target) => (target === null ? undefined : pathOfTarget(target)));
  const places = targets.map((target): ScenePoint => [...(target?.position ?? target?.path?.[0] ?? [0, 0, 0])] as ScenePoint);
  const isMoving = targets.map(() => false);
  const isGone = targets.map(() => false);
  const ids: AgentId[] = [];
  const targetIds: (AgentId | 0)[] = [];
  let tick = 0;
  const driver: CrowdDriver = {
    knowsRest: true,
    add({ position, radius, height, maxSpeed, maxAcceleration, priority }, index) {
      const { deceleration, maxTurnDegrees } = scene.agents![people[index]!.entry]!;
      void deceleration;
      ids[index] = addAgent(crowd, position, {
        radius, height, maxSpeed, maxAcceleration, arriveDistance: radius / 2,
        ...(priority === undefined ? {} : { priority }), ...(maxTurnDegrees === undefined ? {} : { maxTurnDegrees }),
      });
      if (index === setup.agents.length - 1) sendToTargets();
      return ids[index] !== 0;
    },
    moveTo: (index, point) => void moveTo(crowd, ids[index]!, point),
    follow(index, target) {
      const { distance } = people[index]!;
      follow(crowd, ids[index]!, ids[target]!, distance === undefined ? {} : { distance });
    },
    stop: (index) => void stop(crowd, ids[index]!),
    remove: (index) => void removeAgent(crowd, ids[index]!),
    step() {
      moveTargets(tick * stepSeconds);
      stepCrowd(crowd);
      tick++;
    },
    read({ position, state, goal }) {
      ids.forEach((id, i) => {
        const agent = getAgent(crowd, id);
        if (agent === null) {
          state[i] = BODY_GONE;
          return;
        }
        const { errand } = people[i]!;
        position.set(agent.position, 3 * i);
        if (errand.kind === 'target') goal.set(places[errand.target]!, 3 * i);
        if (errand.kind === 'stand') goal.set(agent.position, 3 * i);
        state[i] = agent.place === 'link' ? BODY_ON_LINK : bodyOf(errand, agent.status);
      });
    },
    searches: () => crowd.searchCount,
    hash: () => hashCrowd(crowd).toString(16).padStart(8, '0'),
  };
  return driver;

  function bodyOf(errand: SceneCast['people'][number]['errand'], status: AgentStatus): number {
    // Who has nothing to do is where it should be; who follows what moves on has not come.
    if (errand.kind === 'stand') return BODY_ARRIVED;
    if (errand.kind === 'target' && isMoving[errand.target] === true) return status === 'gave-up' ? BODY_GAVE_UP : BODY_MOVING;
    return BODIES[AGENT_STATUSES.indexOf(status)]!;
  }

  function sendToTargets(): void {
    targets.forEach((target, t) => {
      if (target === null) return;
      targetIds[t] = addAgent(crowd, places[t]!, {
        radius: TARGET_RADIUS, layers: 0, mask: 0, avoidance: 'none', owner: 'user',
      });
      isMoving[t] = paths[t] !== undefined;
    });
    people.forEach(({ errand, distance, radius }, i) => {
      if (errand.kind !== 'target' || ids[i] === 0) return;
      follow(crowd, ids[i]!, targetIds[errand.target] as AgentId, { distance: distance ?? 1.5 * radius });
    });
  }

  function moveTargets(second: number): void {
    targets.forEach((target, t) => {
      if (target === null || isGone[t] === true) return;
      const path = paths[t];
      if (path !== undefined && isMoving[t] === true) {
        isMoving[t] = moveTarget(places[t]!, path, second);
        setAgentPosition(crowd, targetIds[t] as AgentId, places[t]!);
      }
      if (target.endsAt === undefined || second < target.endsAt) return;
      isGone[t] = true;
      isMoving[t] = false;
      people.forEach(({ errand }, i) => {
        if (errand.kind !== 'target' || errand.target !== t) return;
        stop(crowd, ids[i]!);
        people[i]!.errand = { kind: 'stand' };
      });
    });
  }
}

const BODIES: readonly number[] = AGENT_STATUSES.map((status) => {
  if (status === 'queueing') return BODY_QUEUEING;
  if (status === 'arrived') return BODY_ARRIVED;
  if (status === 'settled') return BODY_SETTLED;
  return status === 'gave-up' ? BODY_GAVE_UP : BODY_MOVING;
});
