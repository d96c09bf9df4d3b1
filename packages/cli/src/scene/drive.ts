/**
 * Runs the people of a scene: characters on a crowd, moving targets, links. `startCrowdRun` drives it. No
 * Node.
 */
import { createAgentTypes } from 'navkiln';
import type { NavMesh } from 'navkiln';
import {
  AGENT_STATUSES,
  createCrowd,
  getAgent,
  hashCrowd,
  moveAgentTo,
  sampling,
  spacing,
  setAgentOptions,
  setLinkTraffic,
  stopAgent,
} from 'navkiln/crowd';
import type { AgentId, AgentInfo, Crowd } from 'navkiln/crowd';
import { crowdRuns } from 'navkiln/debug';
import type { CrowdDriver, CrowdSetup, CrowdWorld } from 'navkiln/debug';
import {
  addCharacter,
  addTarget,
  clearTarget,
  createCharacters,
  createTargets,
  followTarget,
  removeCharacter,
  removeTarget,
  setTargetPosition,
  stepCharacters,
} from 'navkiln/world';
import type { CharacterEventKind, CharacterSet, TargetId, Targets } from 'navkiln/world';
import { bodyOf as bodyOfEntry } from './people.ts';
import type { Errand, SceneCast } from './people.ts';
import { moveTarget, pathOfTarget } from './target-path.ts';
import type { SceneFile, ScenePoint } from './types.ts';

const DEFAULT_SECONDS = 60;

export interface SceneRun {
  setup: CrowdSetup;
  world: CrowdWorld;
  createDriver: (stepSeconds: number) => SceneDriver;
}

/** A driver of a scene, with the crowd, characters and targets that it moves. */
export interface SceneDriver extends CrowdDriver {
  crowd: Crowd;
  characters: CharacterSet;
  /** Ids by number of the person or target; 0: it was left out. */
  ids: (AgentId | 0)[];
  targetIds: (TargetId | 0)[];
  /** How often each event has happened so far. */
  events: Partial<Record<CharacterEventKind, number>>;
  /** Returns where the targets are, by their number; null: left out or removed. World units. */
  targetPlaces: () => (Readonly<ScenePoint> | null)[];
  /** Moves a target that has no path; its followers go after it. */
  moveTarget: (target: number, point: ScenePoint) => void;
}

/** Makes what `startCrowdRun` takes. The mesh must have the links of the cast. */
export function createSceneRun(scene: SceneFile, mesh: NavMesh, cast: SceneCast): SceneRun {
  const filters = scene.agents!.map((entry) => bodyOfEntry(mesh, entry).filter);
  const agents = cast.people.map(
    ({ entry, position, radius, height, errand, distance }): CrowdSetup['agents'][number] => {
      const { walkSpeed = 3.5 * radius, runSpeed = 2 * walkSpeed, run = false, acceleration } = scene.agents![entry];
      return {
        position,
        radius,
        height,
        maxSpeed: run ? runSpeed : walkSpeed,
        maxAcceleration: acceleration ?? 8 * (walkSpeed || 3.5 * radius),
        group: entry,
        ...(filters[entry] === undefined ? {} : { type: { name: '', filter: filters[entry] } }),
        ...(errand.kind === 'go' ? { goal: errand.point } : {}),
        ...(errand.kind === 'agent' ? { follow: errand.agent, followDistance: distance } : {}),
      };
    },
  );
  const near = cast.people.map(({ radius, distance, errand }) => (errand.kind === 'target' && distance) || radius / 2);
  const setup: CrowdSetup = {
    level: { positions: [] },
    options: {},
    agents,
    seconds: scene.seconds ?? DEFAULT_SECONDS,
    goalRadius: near.reduce((most, one) => Math.max(most, one), -Infinity),
  };
  const world: CrowdWorld = { mesh, setup, links: cast.links, prepared: [] };
  return { setup, world, createDriver: (stepSeconds) => createSceneDriver(scene, mesh, cast, stepSeconds) };
}

function createSceneDriver(scene: SceneFile, mesh: NavMesh, cast: SceneCast, stepSeconds: number): SceneDriver {
  const { people, links } = cast;
  const crowd = createCrowd(mesh, {
    maxAgents: people.length,
    stepSeconds,
    types: createAgentTypes(mesh),
    behaviors: [sampling, spacing],
  });
  links.forEach((ref, i) => {
    const { capacity, seconds } = scene.links![i];
    setLinkTraffic(crowd, ref, { capacity, seconds });
  });
  const characters = createCharacters(crowd);
  const targets = createTargets(characters);
  const errands = people.map(({ errand }) => errand);
  const props = createProps(cast, targets);
  const ids: (AgentId | 0)[] = [];
  const events: SceneDriver['events'] = {};
  /** Targets that are people, by the person's number. */
  const followed = new Map<number, TargetId>();
  let tick = 0;

  const driver: SceneDriver = {
    crowd,
    characters,
    ids,
    targetIds: props.ids,
    events,
    knowsRest: true,
    add({ position }, index) {
      ids[index] = addPerson(scene, characters, cast, index, position);
      const { errand, distance } = people[index];
      if (errand.kind === 'target') go(index, props.ids[errand.target], distance);
      return ids[index] !== 0;
    },
    moveTo: (index, point) => void moveAgentTo(crowd, ids[index] as AgentId, point),
    follow(index, other) {
      if (ids[other] === 0) return;
      let target = followed.get(other);
      if (target === undefined)
        followed.set(other, (target = addTarget(targets, { character: ids[other] as AgentId })));
      go(index, target, people[index].distance);
    },
    stop: (index) => void (clearTarget(characters, ids[index] as AgentId) || stopAgent(crowd, ids[index] as AgentId)),
    remove: (index) => void removeCharacter(characters, ids[index] as AgentId),
    step() {
      props.move(tick * stepSeconds, (target) => {
        errands.forEach((errand, i) => {
          if (errand.kind === 'target' && errand.target === target) errands[i] = { kind: 'stand' };
        });
      });
      stepCharacters(characters);
      const { count, kind } = characters.events;
      for (let i = 0; i < count; i++) events[kind[i]] = (events[kind[i]] ?? 0) + 1;
      tick++;
    },
    read({ position, state, goal }) {
      ids.forEach((id, i) => {
        const agent = id === 0 ? null : getAgent(crowd, id);
        if (agent === null) {
          state[i] = crowdRuns.BODY_GONE;
          return;
        }
        const errand = errands[i];
        position.set(agent.position, 3 * i);
        if (errand.kind === 'target') goal.set(props.places[errand.target], 3 * i);
        if (errand.kind === 'stand') goal.set(agent.position, 3 * i);
        state[i] = bodyOf(errand, agent, errand.kind === 'target' && props.isMoving[errand.target] === true);
      });
    },
    searches: () => crowd.searchCount,
    hash: () => hashCrowd(crowd).toString(16).padStart(8, '0'),
    targetPlaces: () => props.ids.map((id, target) => (id === 0 ? null : props.places[target])),
    moveTarget: (target, point) => props.put(target, point),
  };
  return driver;

  function go(index: number, target: TargetId | 0, distance: number | undefined): void {
    if (ids[index] === 0 || target === 0) return;
    followTarget(characters, ids[index] as AgentId, target, { distance });
  }
}

function addPerson(
  { agents, gravity, respawn }: SceneFile,
  characters: CharacterSet,
  { people }: SceneCast,
  index: number,
  position: readonly number[],
): AgentId | 0 {
  const { radius, height, entry } = people[index];
  const { walkSpeed, runSpeed, run, acceleration, deceleration, maxTurnDegrees, priority } = agents![entry];
  const { avoidance, separation, type } = agents![entry];
  // Settings that the file omits are undefined and take the library's defaults.
  const id = addCharacter(characters, position as ScenePoint, {
    walkSpeed,
    runSpeed,
    isRunning: run,
    acceleration,
    deceleration,
    maxTurnDegrees,
    priority,
    gravity,
    respawn,
    radius,
    height,
    avoidance,
    type,
  });
  if (id !== 0 && separation !== undefined) setAgentOptions(characters.crowd, id, { separationWeight: separation });
  return id;
}

interface Props {
  ids: (TargetId | 0)[];
  places: ScenePoint[];
  isMoving: boolean[];
  /** Moves all targets to their positions at a second. Returns those that were removed. */
  move: (second: number, onGone: (target: number) => void) => void;
  /** Moves a target that has no path. */
  put: (target: number, point: ScenePoint) => void;
}

function createProps({ targets: cast }: SceneCast, targets: Targets): Props {
  const paths = cast.map((target) => (target === null ? undefined : pathOfTarget(target)));
  const places = cast.map((target) => [...(target?.position ?? target?.path?.[0] ?? [0, 0, 0])] as ScenePoint);
  const isMoving = paths.map((path) => path !== undefined);
  const ids = cast.map((target, t): TargetId | 0 => (target === null ? 0 : addTarget(targets, places[t])));
  return {
    ids,
    places,
    isMoving,
    move(second, onGone) {
      cast.forEach((target, t) => {
        const id = ids[t];
        if (target === null || id === 0) return;
        if (isMoving[t] === true) {
          isMoving[t] = moveTarget(places[t]!, paths[t]!, second);
          setTargetPosition(targets, id, places[t]);
        }
        if (target.endsAt === undefined || second < target.endsAt) return;
        removeTarget(targets, id);
        ids[t] = 0;
        isMoving[t] = false;
        onGone(t);
      });
    },
    put(target, point) {
      const id = ids[target];
      if (id === 0 || id === undefined || paths[target] !== undefined) return;
      places[target] = [...point];
      setTargetPosition(targets, id, point);
    },
  };
}

const BODIES: readonly number[] = AGENT_STATUSES.map((status) => {
  if (status === 'queueing') return crowdRuns.BODY_QUEUEING;
  if (status === 'arrived') return crowdRuns.BODY_ARRIVED;
  if (status === 'settled') return crowdRuns.BODY_SETTLED;
  return status === 'gave-up' ? crowdRuns.BODY_GAVE_UP : crowdRuns.BODY_MOVING;
});

function bodyOf({ kind }: Errand, { place, status }: AgentInfo, isAfterMoving: boolean): number {
  // Agents in the air collide with nobody either.
  if (place === 'link' || place === 'air') return crowdRuns.BODY_ON_LINK;
  // An agent without an errand is where it should be. An agent that pursues a moving target has not arrived.
  if (kind === 'stand') return crowdRuns.BODY_ARRIVED;
  const body = BODIES[AGENT_STATUSES.indexOf(status)];
  return isAfterMoving && body !== crowdRuns.BODY_GAVE_UP ? crowdRuns.BODY_MOVING : body;
}
