/** Runs of scenes through a driver made by hand: orders in time, goals that move, rest guessed from positions, tiles baked again. */
import { describe, expect, it } from 'vitest';
import { findCrowdScene } from 'navkiln-scenes';
import { createCrowdTrail, crowdSvg, noteCrowdTrail } from '../../../src/show/crowd/svg.ts';
import {
  createCrowdWorld,
  finishCrowdRun,
  runCrowdScene,
  startCrowdRun,
  stepCrowdRun,
} from '../../../src/show/crowd/run.ts';
import type { CrowdSceneAgent, CrowdSetup } from '../../../src/show/crowd/types.ts';
import type { CrowdDriver } from '../../../src/show/crowd/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';

const FLOOR = {
  level: { positions: [-10, 0, -10, -10, 0, 10, 10, 0, 10, 10, 0, -10], indices: [0, 1, 2, 0, 2, 3] },
  options: { agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }, cellSize: 0.2, cellHeight: 0.1 },
};
const person = (x: number, z: number, more: Partial<CrowdSceneAgent>): CrowdSceneAgent => ({
  position: [x, 0, z],
  radius: 0.4,
  height: 1.8,
  maxSpeed: 1,
  maxAcceleration: 8,
  group: 0,
  ...more,
});

/** A driver whose agents walk straight to their goal, through each other. Records all orders. */
function straightDriver(stepSeconds: number, refused: readonly number[] = []): CrowdDriver & { told: string[] } {
  const at: number[][] = [];
  const to: (readonly number[] | undefined)[] = [];
  const follows = new Map<number, number>();
  const told: string[] = [];
  let ticks = 0;
  return {
    told,
    knowsRest: false,
    add({ position }, index) {
      at[index] = [...position];
      return !refused.includes(index);
    },
    moveTo(index, point) {
      told.push(`${ticks} move ${index} ${point.join()}`);
      to[index] = point;
      follows.delete(index);
    },
    follow(index, target, distance) {
      told.push(`${ticks} follow ${index} ${target} ${distance}`);
      follows.set(index, target);
    },
    stop(index) {
      told.push(`${ticks} stop ${index}`);
      to[index] = undefined;
    },
    remove(index) {
      told.push(`${ticks} remove ${index}`);
    },
    setTile(x, z, tile, variant) {
      told.push(`${ticks} tile ${x} ${z} ${tile === null ? 'none' : 'some'} ${variant}`);
    },
    step() {
      ticks++;
      for (const [index, target] of follows) to[index] = at[target];
      at.forEach((p, i) => {
        const goal = to[i];
        if (goal === undefined) return;
        const [dx, dz] = [goal[0] - p[0], goal[2] - p[2]];
        const share = Math.min(1, stepSeconds / Math.max(1e-9, Math.sqrt(dx * dx + dz * dz)));
        p[0] += dx * share;
        p[2] += dz * share;
      });
    },
    read({ position }) {
      at.forEach((p, i) => position.set(p, 3 * i));
    },
    searches: () => NaN,
    hash: () => '',
  };
}

function run(
  setup: CrowdSetup,
  refused: readonly number[] = [],
): { driver: ReturnType<typeof straightDriver>; result: ReturnType<typeof finishCrowdRun> } {
  const driver = straightDriver(0.1, refused);
  const started = startCrowdRun(setup, { stepSeconds: 0.1 }, createCrowdWorld(setup), driver);
  while (stepCrowdRun(started));
  return { driver, result: finishCrowdRun(started) };
}

describe('a run of a crowd scene', () => {
  it('ends two seconds after all agents are at rest and reports that time', () => {
    const { result } = run({
      ...FLOOR,
      seconds: 60,
      goalRadius: 0.2,
      agents: [person(-5, 0, { goal: [0, 0, 0] }), person(0, 5, { goal: [0, 0, 4] })],
    });
    expect(result).toMatchObject({
      agents: 2,
      arrived: 2,
      settled: 0,
      gaveUp: 0,
      stuck: 0,
      atGoal: 2,
      offMesh: 0,
      residualSpeed: 0,
    });
    expect(result.settlingTime).toBeCloseTo(5.1, 6);
    expect(result.seconds).toBeCloseTo(7, 6);
    expect(result.pathOverhead).toBeCloseTo(1, 6);
  });

  it('gives orders at their time to agents that exist', () => {
    const { driver, result } = run(
      {
        ...FLOOR,
        seconds: 30,
        goalRadius: 0.2,
        agents: [
          person(-5, 0, { goal: [5, 0, 0] }),
          person(0, 5, { follow: 0 }),
          person(3, 3, { goal: [4, 0, 4] }),
          person(6, 6, { goal: [7, 0, 7] }),
        ],
        script: [
          { atSecond: 0, do: 'move-to', agent: 3, point: [6, 0, 6] },
          { atSecond: 1, do: 'move-to', agent: 0, point: [0, 0, 0] },
          { atSecond: 2, do: 'remove', agent: 2 },
          { atSecond: 2.5, do: 'move-to', agent: 2, point: [0, 0, 0] },
          { atSecond: 3, do: 'follow', agent: 1, target: 0, distance: 1.5 },
        ],
      },
      [3],
    );
    expect(driver.told).toEqual([
      '0 move 0 5,0,0',
      '0 follow 1 0 1',
      '0 move 2 4,0,4',
      '10 move 0 0,0,0',
      '20 remove 2',
      '30 follow 1 0 1.5',
    ]);
    // Followers have arrived near the followed agent. Removed and refused agents have no position.
    expect(result).toMatchObject({ agents: 4, arrived: 2, atGoal: 2 });
  });

  it('treats agents that stand around a shared goal as settled', () => {
    const stands = (x: number, z: number, goal: [number, number, number]): CrowdSceneAgent => person(x, z, { goal });
    const setup: CrowdSetup = {
      ...FLOOR,
      seconds: 10,
      goalRadius: 0.2,
      agents: [stands(0, 0, [0, 0, 0]), stands(0.9, 0, [0, 0, 0]), stands(0, 0.9, [0, 0, 0]), stands(7, 0, [0, 0, 0])],
    };
    const driver = straightDriver(0.1);
    const started = startCrowdRun(setup, { stepSeconds: 0.1 }, createCrowdWorld(setup), {
      ...driver,
      moveTo: () => {},
    });
    while (stepCrowdRun(started));
    expect(finishCrowdRun(started)).toMatchObject({ arrived: 1, settled: 2, atGoal: 3, stuck: 1 });
  });

  it('refuses invalid times and unknown variants', () => {
    const setup: CrowdSetup = { ...FLOOR, seconds: 5, goalRadius: 0.2, agents: [person(0, 0, { goal: [1, 0, 0] })] };
    for (const seconds of [0, -1, NaN, Infinity])
      expect(() => runCrowdScene(setup, { seconds })).toThrow(/^runCrowdScene: options\.seconds is/);
    const script = [{ atSecond: 0, do: 'rebuild-tile', x: 0, z: 0, variant: 1 }] as const;
    expect(() => runCrowdScene({ ...setup, script })).toThrow(
      /^runCrowdScene: setup\.script\[0\]\.variant is 1; must be a whole number up to 0/,
    );
  });

  it('rebuilds tiles as the script says and keeps the mesh valid', () => {
    const setup = findCrowdScene('tile-swap').create(2, 4);
    const world = createCrowdWorld(setup);
    const driver = straightDriver(1 / 60);
    let revision = world.mesh.revision;
    let changes = 0;
    const started = startCrowdRun(
      setup,
      {
        unmeasured: true,
        seconds: 40,
        onTick: () => {
          if (world.mesh.revision === revision) return;
          revision = world.mesh.revision;
          changes++;
          expect(validateNavMesh(world.mesh)).toEqual([]);
        },
      },
      world,
      driver,
    );
    while (stepCrowdRun(started));
    const swaps = driver.told.filter((line) => line.includes(' tile '));
    expect(changes).toBe(39);
    expect(swaps.length).toBe(39);
    expect(swaps[0]).toMatch(/^60 tile [0-5] [0-2] some 1$/);
    expect(new Set(swaps.slice(0, 18).map((line) => line.split(' ').slice(2, 4).join())).size).toBe(18);
  });
});

describe('crowdSvg', () => {
  it('draws a line, a start, a body and a goal for each agent', () => {
    const agents = [person(-2, 0, { goal: [2, 0, 0] }), person(0, 3, { goal: [0, 0, 0] })];
    const setup: CrowdSetup = { ...FLOOR, seconds: 5, goalRadius: 0.2, agents };
    const trail = createCrowdTrail();
    const world = createCrowdWorld(setup);
    expect(crowdSvg({ navMesh: world.mesh, trail, agents: setup.agents })).not.toContain('<circle');
    const started = startCrowdRun(setup, { onTick: (frame) => noteCrowdTrail(trail, frame) }, world);
    while (stepCrowdRun(started));
    const picture = crowdSvg({ navMesh: world.mesh, trail, agents: setup.agents, title: 'a < b' });
    expect(picture.match(/<circle /g)!.length).toBe(4);
    expect(picture).toContain('a &lt; b');
    expect(picture).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('errands', () => {
  // A straight way of 4 m and back, at 1 m/s: each trip of 3.9 m takes 3.9 s, whatever the library.
  const setup = (seconds: number, maxSpeed: number): CrowdSetup => ({
    ...FLOOR,
    agents: [
      person(-2, 0, {
        maxSpeed,
        goal: [2, 0, 0],
        errands: [
          [-2, 0, 0],
          [2, 0, 0],
        ],
      }),
      person(0, 5, { goal: [1, 0, 5] }),
      person(0, -5, {}),
    ],
    seconds,
    errandSeconds: 18,
    goalRadius: 0.1,
  });

  it('send agents on from goal to goal until the given time, and then back to where they began', () => {
    const driver = straightDriver(0.1);
    const run = startCrowdRun(setup(60, 1), { stepSeconds: 0.1 }, undefined, driver);
    while (stepCrowdRun(run));
    const report = finishCrowdRun(run);
    const moves = driver.told.filter((line) => line.includes(' move 0 '));
    expect(moves.map((line) => line.split(' ')[3])).toEqual(['2,0,0', '-2,0,0', '2,0,0', '-2,0,0', '2,0,0', '-2,0,0']);
    expect(report).toMatchObject({ trips: 4, lateTrips: 0, arrived: 2, idle: 1 });
    expect(driver.told.filter((line) => line.includes(' move 1 '))).toHaveLength(1);
    expect(report.seconds).toBeGreaterThan(18);
    expect(report.seconds).toBeLessThan(30);
  });

  it('count trips as late after twice their shortest time and ten seconds', () => {
    // It could walk at 8 m/s, so a trip of 4 m is late after 11 s.
    const lateWithin = (seconds: number): number => {
      const slow = straightDriver(0.1);
      const stuck: CrowdDriver = { ...slow, step: () => {} };
      const run = startCrowdRun(setup(seconds, 8), { stepSeconds: 0.1 }, undefined, stuck);
      while (stepCrowdRun(run));
      return finishCrowdRun(run).lateTrips;
    };
    expect([lateWithin(10.8), lateWithin(11.4)]).toEqual([0, 1]);
  });
});
