/**
 * Followers, leaders and objects on the level of character-level.ts. The seed alone decides what moves at which tick,
 * so the same world results at any frame rate. Everything is measured from positions and compared with heights from
 * the plan.
 */
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { agentSlotOf } from '../../src/agents/crowd/state/ids.ts';
import { explainAgent } from '../../src/agents/crowd/explain.ts';
import { moveAgentTo } from '../../src/agents/crowd/orders/orders.ts';
import { STATE_AIR } from '../../src/agents/crowd/state/types.ts';
import type { AgentId } from '../../src/agents/crowd/state/types.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { jumpCharacter, setCharacterRunning } from '../../src/agents/characters/body/actions.ts';
import { advanceCharacters, interpolateCharacterInto } from '../../src/agents/characters/advance.ts';
import { listCharacterEvents } from '../../src/agents/characters/body/events.ts';
import { addCharacter, createCharacters, getCharacter } from '../../src/agents/characters/body/characters.ts';
import {
  addTarget,
  createTargets,
  followTarget,
  getTarget,
  setTargetPosition,
} from '../../src/agents/characters/targets/targets.ts';
import type { TargetId } from '../../src/agents/characters/types/targets.ts';
import { seeded } from '../unit/meshes.ts';
import { offFloor, PLACES } from './character-level.ts';

export interface RunOptions {
  seed: number;
  followers: number;
  leaders: number;
  things: number;
  /** Targets move so long, then all have so long to get there. */
  movingSeconds: number;
  restSeconds: number;
  framesPerSecond: number;
  /** Ends before all is done. Default: Infinity. */
  untilSeconds?: number;
}

export interface RunReport {
  /** Drawn xyz of all followers, once every ten seconds. */
  samples: Float64Array[];
  /** The worst of all ticks: metres from the floors of the plan, for those on ground. */
  worstOffFloor: number;
  /** Greatest change of height of drawn feet in a tick, metres. */
  worstFeetStep: number;
  /** Degrees turned per meter walked, of all followers: worst and mean. */
  turnPerMetre: { worst: number; mean: number };
  /** Swings per meter: turns to one side and back, of at least 20 degrees each; worst and mean. */
  swingsPerMetre: { worst: number; mean: number };
  searchesPerSecond: number;
  worstSearchesPerSecond: number;
  metres: number;
  events: Map<string, number>;
  /** Not at rest at the end, or not near their target on its floor. */
  notThere: string[];
  msPerTick: number;
}

interface Thing {
  target: TargetId;
  /** Where it is going to and coming from. */
  from: readonly number[];
  to: readonly number[];
  start: number;
  seconds: number;
  hop: number;
}

export function runCharacters(mesh: NavMesh, options: RunOptions): RunReport {
  const {
    seed,
    followers,
    leaders,
    things,
    movingSeconds,
    restSeconds,
    framesPerSecond,
    untilSeconds = Infinity,
  } = options;
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const crowd = createCrowd(mesh, { maxAgents: followers + leaders });
  const set = createCharacters(crowd);
  const targets = createTargets(set);
  const near = (): number[] => {
    const [x, y, z] = pick(PLACES);
    return [x + random() - 0.5, y, z + random() - 0.5];
  };
  const body = { radius: 0.3, height: 1.8, walkSpeed: 2 };
  const leaderIds = Array.from({ length: leaders }, () => addCharacter(set, near(), { ...body, walkSpeed: 1.6 }));
  const leaderTargets = leaderIds.map((character) => addTarget(targets, { character }));
  const thingList = Array.from({ length: things }, (): Thing => {
    const from = near();
    return { target: addTarget(targets, from), from, to: from, start: 0, seconds: 0, hop: 0 };
  });
  const all = [...leaderTargets, ...thingList.map(({ target }) => target)];
  const ids: AgentId[] = [];
  for (let i = 0; i < followers; i++) {
    const id = addCharacter(set, near(), body);
    ids.push(id);
    followTarget(set, id, all[i % all.length]);
    if (random() < 0.2) setCharacterRunning(set, id, true);
  }

  let isOver = false;
  const before = (time: number): void => {
    if (time >= movingSeconds) {
      // Each goes to a position of its own, and stays there.
      if (!isOver) {
        const rest = PLACES.map((place) => ({ place, key: random() }))
          .sort((a, b) => a.key - b.key)
          .map(({ place }) => place);
        leaderIds.forEach((id, i) => moveAgentTo(crowd, id, rest[i]));
        thingList.forEach(({ target }, i) => setTargetPosition(targets, target, rest[leaders + i]));
      }
      isOver = true;
      return;
    }
    for (const id of leaderIds) {
      const { status } = getCharacter(set, id)!;
      if (status === 'idle' || status === 'arrived' || status === 'settled' || status === 'gave-up')
        moveAgentTo(crowd, id, near());
      else if (random() < 0.001) jumpCharacter(set, id, 3);
    }
    for (const thing of thingList) moveThing(thing, time);
    if (random() < 0.05) jumpCharacter(set, pick(ids), 2.5);
  };
  // On one floor at a time it glides; to another it jumps at once. Now and then it is thrown up.
  const moveThing = (thing: Thing, time: number): void => {
    if (time >= thing.start + thing.seconds) {
      thing.from = thing.to;
      thing.to = near();
      thing.start = time;
      const length = Math.hypot(thing.to[0] - thing.from[0], thing.to[2] - thing.from[2]);
      thing.seconds = thing.to[1] === thing.from[1] && random() < 0.9 ? Math.max(length / 0.8, 1) : 0;
      thing.hop = random() < 0.2 ? 3 : 0;
      if (thing.seconds === 0) thing.seconds = 10 + 20 * random();
      else return glide(thing, time);
      thing.from = thing.to;
    }
    glide(thing, time);
  };
  const glide = (thing: Thing, time: number): void => {
    const t = Math.min(1, (time - thing.start) / thing.seconds);
    const at = thing.from.map((value, k) => value + t * (thing.to[k] - value));
    if (thing.hop > 0 && t > 0.3 && t < 0.5) at[1] += thing.hop;
    setTargetPosition(targets, thing.target, at);
  };

  const { agents } = crowd;
  const slots = ids.map((id) => agentSlotOf(crowd, id));
  const count = followers;
  const turned = new Float64Array(count);
  const walked = new Float64Array(count);
  const swings = new Float64Array(count);
  const swing = new Float64Array(count);
  const searches = new Float64Array(count);
  const lastFeet = new Float64Array(count).fill(NaN);
  const lastFacing = new Float64Array(2 * count);
  const report: RunReport = {
    samples: [],
    worstOffFloor: 0,
    worstFeetStep: 0,
    turnPerMetre: { worst: 0, mean: 0 },
    swingsPerMetre: { worst: 0, mean: 0 },
    searchesPerSecond: 0,
    worstSearchesPerSecond: 0,
    metres: 0,
    events: new Map(),
    notThere: [],
    msPerTick: 0,
  };
  const out = new Float64Array(6);
  const measure = (): void => {
    for (let i = 0; i < count; i++) {
      const slot = slots[i];
      const [x, y, z] = [agents.position[3 * slot], agents.position[3 * slot + 1], agents.position[3 * slot + 2]];
      const inAir = agents.state[slot] === STATE_AIR;
      // Checked in turn: no character gets to another floor and back in four ticks.
      if (!inAir && (crowd.tick + i) % 4 === 0) {
        report.worstOffFloor = Math.max(report.worstOffFloor, offFloor(x, y, z, 0.35));
      }
      const feet = y + set.stepOffset[slot];
      if (!inAir) report.worstFeetStep = Math.max(report.worstFeetStep, Math.abs(feet - lastFeet[i]) || 0);
      lastFeet[i] = inAir ? NaN : feet;
      walked[i] += Math.hypot(x - agents.previous[3 * slot], z - agents.previous[3 * slot + 2]);
      const [fx, fz, gx, gz] = [
        set.facing[2 * slot],
        set.facing[2 * slot + 1],
        lastFacing[2 * i],
        lastFacing[2 * i + 1],
      ];
      const angle =
        (gx === 0 && gz === 0) || (gx === fx && gz === fz)
          ? 0
          : (Math.atan2(gz * fx - gx * fz, gx * fx + gz * fz) * 180) / Math.PI;
      turned[i] += Math.abs(angle);
      if (angle !== 0) {
        // A swing ends where the turn reverses.
        if (swing[i] * angle < 0) {
          if (Math.abs(swing[i]) > 20) swings[i]++;
          swing[i] = 0;
        }
        swing[i] += angle;
      }
      lastFacing.set([fx, fz], 2 * i);
      if (agents.searchTick[slot] === crowd.tick) searches[i]++;
    }
  };
  /** 1: it touches its target, or others of the same target that are there: a pile that has grown from the target outwards. */
  const reachedTargets = (): Uint8Array => {
    const there = new Uint8Array(count);
    const touches = (i: number, x: number, y: number, z: number, reach: number): boolean => {
      const at = 3 * slots[i];
      const [dx, dy, dz] = [agents.position[at] - x, agents.position[at + 1] - y, agents.position[at + 2] - z];
      return Math.hypot(dx, dz) < reach && Math.abs(dy) < 1;
    };
    const queue: number[] = [];
    for (let i = 0; i < count; i++) {
      const [x, y, z] = getTarget(targets, all[i % all.length])!.ground!;
      if (touches(i, x, y, z, 1.5)) queue.push(i);
    }
    for (let i = queue.pop(); i !== undefined; i = queue.pop()) {
      there[i] = 1;
      const [x, y, z] = agents.position.subarray(3 * slots[i], 3 * slots[i] + 3) as unknown as [number, number, number];
      for (let j = i % all.length; j < count; j += all.length)
        if (there[j] === 0 && touches(j, x, y, z, 0.9)) queue.push(j);
    }
    return there;
  };
  const seconds = Math.min(movingSeconds + restSeconds, untilSeconds);
  const frames = Math.round(seconds * framesPerSecond);
  let spent = 0;
  let alpha = 0;
  for (let frame = 1; frame <= frames; frame++) {
    const tick = crowd.tick;
    const then = performance.now();
    let first = true;
    alpha = advanceCharacters(set, 1 / framesPerSecond, (time) => {
      // Each tick of a frame is measured, not only the last.
      if (!first) measure();
      first = false;
      before(time);
    });
    spent += performance.now() - then;
    if (crowd.tick > tick) measure();
    for (const { kind } of listCharacterEvents(set)) report.events.set(kind, (report.events.get(kind) ?? 0) + 1);
    if (frame % (10 * framesPerSecond) === 0) {
      const sample = new Float64Array(3 * count);
      for (let i = 0; i < count; i++) {
        interpolateCharacterInto(out, set, ids[i], alpha);
        sample.set(out.subarray(0, 3), 3 * i);
      }
      report.samples.push(sample);
    }
  }
  report.msPerTick = spent / crowd.tick;
  for (let i = 0; i < count; i++) {
    const metres = Math.max(walked[i], 1);
    report.metres += walked[i];
    report.turnPerMetre.worst = Math.max(report.turnPerMetre.worst, turned[i] / metres);
    report.swingsPerMetre.worst = Math.max(report.swingsPerMetre.worst, swings[i] / metres);
    report.turnPerMetre.mean += turned[i];
    report.swingsPerMetre.mean += swings[i];
    report.searchesPerSecond += searches[i];
    report.worstSearchesPerSecond = Math.max(report.worstSearchesPerSecond, searches[i] / seconds);
  }
  for (const id of leaderIds) {
    const { status, position } = getCharacter(set, id)!;
    if (status !== 'arrived' && status !== 'settled')
      report.notThere.push(`leader ${status} at ${position.map((v) => v.toFixed(2))}`);
  }
  const there = reachedTargets();
  for (let i = 0; i < count; i++) {
    const { status, standing, position } = getCharacter(set, ids[i])!;
    if (there[i] === 1 && (status === 'arrived' || status === 'settled')) continue;
    const { ground } = getTarget(targets, all[i % all.length])!;
    const { message: text, speed } = explainAgent(crowd, ids[i]);
    const [from, to] = [position, ground!].map((point) => point.map((value) => value.toFixed(2)));
    report.notThere.push(`${text} ${speed.toFixed(2)} ${i} ${status} ${standing} at ${from}, target ${to}`);
  }
  report.turnPerMetre.mean /= report.metres;
  report.swingsPerMetre.mean /= report.metres;
  report.searchesPerSecond /= count * seconds;
  return report;
}
