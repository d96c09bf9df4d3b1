/**
 * Refused saves: each number of a save is made wrong in turn, and a refusal changes nothing. Accepted saves: the largest numbers that
 * calls accept, and any number of ticks.
 *
 * NAVKILN_SEED; NAVKILN_REFUSALS: in how many of 5 ways each number is made wrong. By default in one, and of a column that was refused
 * six times only every second number.
 */
import { describe, expect, it } from 'vitest';
import { sampling, spacing } from '../../../../src/agents/crowd/behaviors.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { setLinkTraffic } from '../../../../src/agents/crowd/links/link-traffic.ts';
import { addAgent, setAgentOptions } from '../../../../src/agents/crowd/orders/agents.ts';
import {
  followAgent,
  moveAgentTo,
  setAgentPosition,
  setAgentVelocity,
} from '../../../../src/agents/crowd/orders/orders.ts';
import { moveGroupTo } from '../../../../src/agents/crowd/orders/group.ts';
import { moveAgentAlong, patrolAgent, queueAgentMove } from '../../../../src/agents/crowd/orders/patrol.ts';
import { pauseAgent, resumeAgent } from '../../../../src/agents/crowd/orders/pause.ts';
import { restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { LAST_TICK } from '../../../../src/agents/crowd/state/clock.ts';
import { agentSlotOf } from '../../../../src/agents/crowd/state/ids.ts';
import { AGENT_LAYOUT } from '../../../../src/agents/crowd/state/layout.ts';
import type { AgentOptions } from '../../../../src/agents/crowd/state/options.ts';
import type { AgentId } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { linkRefOf } from '../../../../src/mesh/link-ref.ts';
import type { LinkRef } from '../../../../src/mesh/types.ts';
import { stepCharacters } from '../../../../src/agents/characters/advance.ts';
import {
  jumpCharacter,
  pushCharacter,
  teleportCharacter,
  turnCharacterTo,
} from '../../../../src/agents/characters/body/actions.ts';
import { addCharacter, createCharacters } from '../../../../src/agents/characters/body/characters.ts';
import {
  CHARACTER_COLUMNS,
  TARGET_COLUMNS,
  hashCharacters,
  restoreCharacters,
  saveCharacters,
} from '../../../../src/agents/characters/save.ts';
import {
  addTarget,
  createTargets,
  followTarget,
  setTargetPosition,
} from '../../../../src/agents/characters/targets/targets.ts';
import type { CharacterOptions } from '../../../../src/agents/characters/body/options.ts';
import type { CharacterSet } from '../../../../src/agents/characters/types/characters.ts';
import { searchWorld } from '../crowd/search-worlds.ts';
import { gridTile, meshOf } from '../../meshes.ts';
import { HEADER_WORDS, busySet, repair } from '../../world/levels/busy-set.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
/** At 5, each number is made wrong in all ways. */
const WAYS = Number(process.env.NAVKILN_REFUSALS ?? 1);
const IS_WHOLE = process.env.NAVKILN_REFUSALS !== undefined;
const MOST = 1e12;

/** The high and the low word of wrong numbers: NaN, -1, 1e300, and the largest and the smallest integers in each column of integers. */
const WRONG: readonly (readonly [number, number])[] = [
  [0x7ff80000, 0],
  [0xbff00000, 0],
  [0x7e37e43c, 0x8800759c],
  [0x7fffffff, 0x7fffffff],
  [0xffffffff, 0xffffffff],
];
/** Columns in which each value is valid. */
const NEVER_REFUSED = ['flags', 'layers', 'mask'];
/** Columns that have the names of options in messages. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  maxTurn: 'maxTurnDegrees',
  ownArriveDistance: 'arriveDistance',
  sampled: 'sampled.velocityBias',
};
/** Columns of characters and targets in which each value is valid. */
const ANY_VALUE = ['marks', 'wallTicks', 'generation'];

describe('a refused save', () => {
  it(`changes nothing, whatever number of it is wrong, seed ${SEED}`, () => {
    const set = busySet(searchWorld(SEED, { size: 3, links: 6 }));
    const own = saveCharacters(set);
    const crowdFrom = own.length - saveCrowd(set.crowd).length;
    const refused = new Map<string, number>();
    let last = '';
    for (let at = HEADER_WORDS / 2; at < own.length / 8; at++) {
      const isCrowd = 8 * at >= crowdFrom;
      if (isCrowd && 8 * at < crowdFrom + 4 * HEADER_WORDS) continue;
      if (!IS_WHOLE && at % 2 !== 0 && (refused.get(last) ?? 0) >= 6) continue;
      for (let way = 0; way < WAYS; way++) {
        const [high, low] = WRONG[(at + way + 3) % WRONG.length];
        const bad = own.slice();
        const words = new Uint32Array(bad.buffer);
        words[2 * at] = low;
        words[2 * at + 1] = high;
        if (isCrowd) {
          const inner = bad.slice(crowdFrom);
          repair(inner);
          bad.set(inner, crowdFrom);
        }
        repair(bad);
        let message = '';
        try {
          restoreCharacters(set, bad);
        } catch (error) {
          message = (error as Error).message;
        }
        if (message === '') {
          restoreCharacters(set, own);
          last = '';
          continue;
        }
        expect(message).toMatch(/^restoreCharacters: .*(must be|save them again|save it again)/);
        const kind = message
          .replace(/^restoreCharacters: /, '')
          .replace(/\[\d+\]/g, '')
          .replace(/ (in the bytes )?is .*/, '');
        refused.set(kind, (refused.get(kind) ?? 0) + 1);
        last = kind;
        if (refused.get(kind)! <= 5 || at % 7 === 0) expect(Buffer.compare(saveCharacters(set), own), message).toBe(0);
      }
    }
    console.info(`refused saves, seed ${SEED}: ${JSON.stringify(Object.fromEntries(refused))}`);
    expect(Buffer.compare(saveCharacters(set), own)).toBe(0);
    const missing = [
      ...AGENT_LAYOUT.map(([name]) => name)
        .filter((name) => !NEVER_REFUSED.includes(name))
        .map((name) => `agents.${OTHER_NAMES[name] ?? name}`),
      ...CHARACTER_COLUMNS.map(([name]) => name).filter((name) => !ANY_VALUE.includes(name)),
      ...TARGET_COLUMNS.map(([name]) => name)
        .filter((name) => !ANY_VALUE.includes(name))
        .map((name) => `targets.${name}`),
    ].filter((kind) => !refused.has(kind));
    expect(missing).toEqual([]);
  });
});

describe('restoring', () => {
  it('takes whatever calls accept, tick by tick', () => {
    const world = searchWorld(SEED, { size: 3, links: 6 });
    const { mesh, spot } = world;
    const make = (): CharacterSet =>
      createCharacters(createCrowd(mesh, { maxAgents: 24, stepSeconds: 1e-4, behaviors: [sampling, spacing] }), {
        fallLimit: Infinity,
      });
    const [set, other] = [make(), make()];
    const { crowd } = set;
    const targets = createTargets(set);
    const add = (options: AgentOptions): AgentId => addAgent(crowd, spot().point, options);
    const huge = {
      radius: MOST,
      height: MOST,
      maxSpeed: MOST,
      maxAcceleration: MOST,
      horizon: MOST,
      arriveDistance: MOST,
    };
    const [big, small, free, still, user] = [add(huge), add({}), add(huge), add({}), add({ avoidOnly: true })];
    const fast = { ...huge, radius: 0.2, walkSpeed: MOST, runSpeed: MOST, acceleration: MOST, deceleration: MOST };
    const ids = [{ gravity: MOST, terminalSpeed: MOST, respawn: 'none' }, { gravity: 0 }, {}, {}].map((options, i) =>
      addCharacter(set, i < 3 ? spot().point : [MOST, MOST, -MOST], {
        ...(({ maxSpeed: _, maxAcceleration: __, ...rest }) => rest)(fast),
        ...(options as CharacterOptions),
      }),
    );
    followAgent(crowd, small, big, { distance: MOST });
    followAgent(crowd, big, free);
    patrolAgent(crowd, still, [spot().point, spot().point], { waitSeconds: 1e9 });
    for (let link = 0; link < mesh.linkCount; link++)
      setLinkTraffic(crowd, linkRefOf(mesh, link), { capacity: 1, seconds: 1e9 });
    const aims = [addTarget(targets, [MOST, MOST, MOST]), addTarget(targets, { character: ids[1] })];
    followTarget(set, ids[2], aims[0], { distance: MOST });
    followTarget(set, ids[3], aims[1]);
    const more = Array.from({ length: 5 }, () => add({}));
    moveAgentTo(crowd, more[0], spot().point, { stoppingDistance: MOST });
    queueAgentMove(crowd, more[0], spot().point, { waitSeconds: 1e9 });
    moveAgentAlong(crowd, more[1], [spot().point, spot().point, spot().point]);
    moveGroupTo(crowd, more.slice(2), spot().point, { spacing: MOST });
    setAgentOptions(crowd, more[3], { autoBrake: false, linkTraversal: 'manual', maxSpeed: MOST });
    for (let tick = 0; tick < 120; tick++) {
      if (tick === 50) pauseAgent(crowd, more[3]);
      if (tick === 90) resumeAgent(crowd, more[3]);
      const sign = tick % 2 === 0 ? 1 : -1;
      setAgentPosition(crowd, user, [sign * MOST, sign * MOST, -sign * MOST]);
      setAgentVelocity(crowd, free, [MOST, MOST, sign * MOST]);
      setTargetPosition(targets, aims[0], [sign * MOST, 0, MOST]);
      turnCharacterTo(set, ids[0], [sign * MOST, 0, MOST]);
      if (tick === 20) pushCharacter(set, ids[0], [-MOST, MOST, MOST]);
      if (tick === 30) jumpCharacter(set, ids[1], MOST);
      if (tick === 40) pushCharacter(set, ids[1], [MOST, MOST, MOST]);
      if (tick === 60) teleportCharacter(set, ids[2], [MOST, -MOST, MOST]);
      if (tick === 80) setAgentOptions(crowd, free, { maxSpeed: 0 });
      if (tick === 100) setAgentOptions(crowd, user, { avoidOnly: false });
      stepCharacters(set);
      restoreCharacters(other, saveCharacters(set));
      expect(hashCharacters(other), `tick ${tick}, seed ${SEED}`).toBe(hashCharacters(set));
    }
  });

  it('is never needed for more: larger numbers are refused by the calls', () => {
    const { crowd, set, targets, agent, user, character, target } = smallSet();
    const far = 1.01 * MOST;
    const calls: (() => unknown)[] = [
      () => setAgentPosition(crowd, user, [far, 0, 0]),
      () => setAgentVelocity(crowd, agent, [0, 0, -far]),
      () => followAgent(crowd, agent, user, { distance: far }),
      () =>
        patrolAgent(
          crowd,
          agent,
          [
            [1, 0, 1],
            [2, 0, 2],
          ],
          { waitSeconds: 1.01e9 },
        ),
      () => setLinkTraffic(crowd, 1 as LinkRef, { seconds: 1.01e9 }),
      () => addCharacter(set, [0, far, 0]),
      () => addCharacter(set, [0, 0, 0], { gravity: far }),
      () => addCharacter(set, [0, 0, 0], { terminalSpeed: far }),
      () => addCharacter(set, [0, 0, 0], { deceleration: far }),
      () => createCharacters(crowd, { bounds: { min: [0, 0, 0], max: [far, 1, 1] } }),
      () => pushCharacter(set, character, [0, far, 0]),
      () => jumpCharacter(set, character, far),
      () => teleportCharacter(set, character, [0, 0, far]),
      () => turnCharacterTo(set, character, [far, 0, 0]),
      () => addTarget(targets, [0, 0, far]),
      () => setTargetPosition(targets, target, [-far, 0, 0]),
      () => followTarget(set, character, target, { distance: far }),
      () =>
        createCrowd(
          meshOf(
            gridTile(
              2,
              2,
              () => true,
              () => far,
            ),
          ),
        ),
    ];
    const before = saveCharacters(set);
    for (const call of calls) expect(call, String(call)).toThrow(RangeError);
    expect(Buffer.compare(saveCharacters(set), before)).toBe(0);
  });

  it('takes a character that falls without end, which stops at 1e12', () => {
    const { set, character } = smallSet();
    const { crowd } = set;
    pushCharacter(set, character, [MOST, 1, 0]);
    for (let i = 0; i < 80; i++) stepCharacters(set);
    const at = 3 * agentSlotOf(crowd, character);
    expect(crowd.agents.position[at]).toBe(MOST);
    const hash = hashCharacters(set);
    restoreCharacters(set, saveCharacters(set));
    expect(hashCharacters(set)).toBe(hash);
  });

  it('takes a character that was only avoided, off the mesh, when it was thrown', () => {
    const { set, crowd, character } = smallSet();
    setAgentOptions(crowd, character, { avoidOnly: true });
    setAgentPosition(crowd, character, [1e6, 0, 0]);
    pushCharacter(set, character, [0, 1, 0]);
    setAgentOptions(crowd, character, { avoidOnly: false, owner: 'crowd' });
    for (let i = 0; i < 20; i++) {
      stepCharacters(set);
      restoreCharacters(set, saveCharacters(set));
    }
    teleportCharacter(set, character, [1.5, 0, 1.5]);
    stepCharacters(set);
    restoreCharacters(set, saveCharacters(set));
    const at = 3 * agentSlotOf(crowd, character);
    expect([...crowd.agents.position.subarray(at, at + 3)]).toEqual([1.5, 0, 1.5]);
  });
});

describe('a crowd that has not followed a change of its mesh', () => {
  it('has agents in the box of the mesh, too, or is refused', () => {
    const { crowd, agent } = smallSet();
    crowd.mesh.revision++;
    restoreCrowd(crowd, saveCrowd(crowd));
    const at = 3 * agentSlotOf(crowd, agent) + 1;
    crowd.agents.position[at] = 2 ** 31;
    const bytes = saveCrowd(crowd);
    expect(() => restoreCrowd(crowd, bytes)).toThrow(/position\[1\] in the bytes is 2147483648; must be -\d/);
    crowd.agents.position[at] = 0;
    restoreCrowd(crowd, saveCrowd(crowd));
  });
});

describe('the clock', () => {
  it('goes back after the last tick, and changes nothing but numbers of ticks', () => {
    const start = LAST_TICK - 300;
    const traces = [start, start - 500 * 720_720].map((tick) => {
      const crowd = createCrowd(meshOf(gridTile(20, 20)), { maxAgents: 16 });
      crowd.tick = tick;
      const ids = Array.from({ length: 8 }, (_, i) => addAgent(crowd, [i + 1.5, 0, 1.5], { radius: 0.2 }));
      ids.forEach((id, i) => {
        if (i === 0)
          patrolAgent(
            crowd,
            id,
            [
              [1, 0, 1],
              [5, 0, 9],
            ],
            { waitSeconds: 1 },
          );
        else if (i === 1) followAgent(crowd, id, ids[0]);
        else moveAgentTo(crowd, id, [18 - 2 * i, 0, 17]);
      });
      return Array.from({ length: 900 }, (_, i) => {
        stepCrowd(crowd);
        if (i % 60 === 0) restoreCrowd(crowd, saveCrowd(crowd));
        return [crowd.tick, ...crowd.agents.status.subarray(0, 8), ...crowd.agents.position.subarray(0, 24)];
      });
    });
    const ticks = traces[0].map(([tick]) => tick);
    expect(Math.max(...ticks)).toBe(LAST_TICK);
    expect(ticks.at(-1)).toBe(traces[1].at(-1)![0]);
    expect(traces[0].map((row) => row.slice(1))).toEqual(traces[1].map((row) => row.slice(1)));
  });
});

function smallSet() {
  const crowd = createCrowd(meshOf(gridTile(6, 6)), { maxAgents: 8, stepSeconds: 1 / 20 });
  const set = createCharacters(crowd);
  const targets = createTargets(set);
  const agent = addAgent(crowd, [2.5, 0, 2.5]);
  const user = addAgent(crowd, [3.5, 0, 2.5], { avoidOnly: true });
  const character = addCharacter(set, [4.5, 0, 4.5], { respawn: 'none' });
  return { crowd, set, targets, agent, user, character, target: addTarget(targets, [1, 0, 1]) };
}
