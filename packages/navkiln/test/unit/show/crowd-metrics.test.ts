/** The measures of crowds on frames made by hand, and overlaps compared with all pairs. */
import { describe, expect, it } from 'vitest';
import { createOverlapOracle } from './overlap-oracle.ts';
import { createRandom, nextRandom } from '../../../src/base/data/random.ts';
import {
  BODY_ARRIVED,
  BODY_GAVE_UP,
  BODY_GONE,
  BODY_IDLE,
  BODY_MOVING,
  BODY_ON_LINK,
  BODY_QUEUEING,
  BODY_SETTLED,
  createCrowdMetrics,
  listBrokenPromises,
  noteCrowdOrder,
  recordCrowdTick,
  summarizeCrowd,
} from '../../../src/show/crowd/metrics.ts';
import type { CrowdFrame, CrowdMetrics, CrowdMetricsOptions, CrowdReport } from '../../../src/show/crowd/metrics.ts';
import { createCrowdOverlap, recordOverlaps } from '../../../src/show/crowd/overlap.ts';
import { findNearest } from '../../../src/query/nearest/nearest.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';

const STEP = 0.1;
/** A floor of 20 by 20 about the origin. */
const { navMesh: mesh } = buildNavMesh(
  { positions: [-10, 0, -10, -10, 0, 10, 10, 0, 10, 10, 0, -10], indices: [0, 1, 2, 0, 2, 3] },
  {
    agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
    cellSize: 0.2,
    cellHeight: 0.1,
  },
);

const EDGE = findNearest(mesh, [9.9, 0, 0]).point[0];

interface Body {
  at: (tick: number) => [number, number, number];
  state?: (tick: number) => number;
  goal?: [number, number, number];
  radius?: number;
}

/** Bodies move as given, tick by tick. */
function measure(
  bodies: Body[],
  ticks: number,
  options: Partial<CrowdMetricsOptions> = {},
): { report: CrowdReport; metrics: CrowdMetrics } {
  const n = bodies.length;
  const frame: CrowdFrame = {
    position: new Float64Array(3 * n),
    state: new Uint8Array(n),
    goal: new Float64Array(3 * n),
  };
  const put = (tick: number): void =>
    bodies.forEach(({ at, state, goal = [0, 0, 0] }, i) => {
      frame.position.set(at(tick), 3 * i);
      frame.goal.set(goal, 3 * i);
      frame.state[i] = state?.(tick) ?? BODY_MOVING;
    });
  put(0);
  const metrics = createCrowdMetrics(mesh, frame, {
    radius: Float64Array.from(bodies, (body) => body.radius ?? 0.4),
    height: new Float64Array(n).fill(1.8),
    stepSeconds: STEP,
    ...options,
  });
  bodies.forEach((_, i) => noteCrowdOrder(metrics, frame, i));
  for (let tick = 1; tick <= ticks; tick++) {
    put(tick);
    recordCrowdTick(metrics, frame);
  }
  return { report: summarizeCrowd(metrics, frame, () => 1), metrics };
}

const stands = (x: number, z: number, state: number, goal?: [number, number, number]): Body => ({
  at: () => [x, 0, z],
  state: () => state,
  goal: goal ?? [x, 0, z],
});

describe('crowd metrics', () => {
  it('counts agents by their final state', () => {
    const { report } = measure(
      [
        stands(0, 0, BODY_ARRIVED),
        stands(2, 0, BODY_SETTLED),
        stands(4, 0, BODY_SETTLED, [7, 0, 0]),
        stands(0, 4, BODY_GAVE_UP),
        stands(4, 4, BODY_MOVING),
        stands(-4, 0, BODY_GONE),
      ],
      40,
    );
    expect(report).toMatchObject({
      agents: 6,
      arrived: 1,
      settled: 2,
      gaveUp: 1,
      atGoal: 2,
      offMesh: 0,
      maxOverlap: 0,
    });
    expect(report.seconds).toBeCloseTo(4, 9);
    expect(report.settlingTime).toBeNaN();
    expect(listBrokenPromises(report)).toEqual([
      '1 arrived and 2 settled of 6; 1 gave up, 2 are stuck',
      '1 rest far from their goal',
    ]);
  });

  it('count agents without an order as at rest, and not as at a goal', () => {
    const { report } = measure([stands(0, 0, BODY_ARRIVED), stands(3, 0, BODY_IDLE, [9, 0, 0])], 20);
    expect(report).toMatchObject({ agents: 2, arrived: 1, idle: 1, atGoal: 1, stuck: 0 });
    expect(listBrokenPromises(report)).toEqual([]);
  });

  it('measure the share of agents that overlap deeply', () => {
    // Three bodies of radius 0.4; two of them are 0.7 apart in every second tick, and 0.79 in the others.
    const near = (tick: number): [number, number, number] => [tick % 2 === 0 ? 0.7 : 0.79, 0, 0];
    const { report } = measure([stands(0, 0, BODY_MOVING), { at: near }, stands(5, 0, BODY_MOVING)], 40);
    expect(report.overlapShare).toBeCloseTo(2 / 3 / 2, 9);
  });

  it('report when agents last came to rest', () => {
    const restFrom =
      (tick: number) =>
      (now: number): number =>
        now >= tick ? BODY_ARRIVED : BODY_MOVING;
    const twice = (now: number): number => (now >= 30 || (now >= 5 && now < 20) ? BODY_SETTLED : BODY_MOVING);
    const { report } = measure(
      [
        { at: () => [0, 0, 0], state: restFrom(10) },
        { at: () => [3, 0, 0], state: restFrom(20), goal: [3, 0, 0] },
        { at: () => [6, 0, 0], state: twice, goal: [6, 0, 0] },
      ],
      60,
    );
    expect(report.arrivalP50).toBeCloseTo(2, 9);
    expect(report.settlingTime).toBeCloseTo(3, 9);
    expect(listBrokenPromises(report)).toEqual([]);
  });

  it('count positions off the mesh by more than a centimeter, except on links', () => {
    const along = (x: number, state: number): Body => ({ at: () => [x, 0, 0], state: () => state });
    expect(measure([along(EDGE - 0.01, BODY_MOVING)], 10).report.offMesh).toBe(0);
    expect(measure([along(EDGE + 0.005, BODY_MOVING)], 10).report.offMesh).toBe(0);
    const { report } = measure([along(EDGE + 0.05, BODY_MOVING)], 10);
    expect(report.offMesh).toBe(10);
    expect(report.offMeshWorst).toBeCloseTo(0.05, 6);
    expect(measure([along(EDGE + 0.05, BODY_ON_LINK)], 10).report.offMesh).toBe(0);
    expect(measure([along(12, BODY_MOVING)], 10).report.offMesh).toBe(10);
    // Above the ground is no ground either.
    expect(measure([{ at: () => [0, 5, 0] }], 10).report.offMesh).toBe(10);
    const other = measure([along(0, BODY_MOVING)], 10, { distanceToGround: () => 0.3 });
    expect(other.report).toMatchObject({ offMesh: 10, offMeshWorst: 0.3 });
  });

  it('measure the longest overlap deeper than a twentieth of a radius', () => {
    const meets = (gap: (tick: number) => number): Body[] => [
      stands(0, 0, BODY_ARRIVED),
      { at: (tick) => [0.8 - 0.4 * gap(tick), 0, 0], goal: [1, 0, 0] },
    ];
    const { report } = measure(
      meets((tick) => (tick < 10 ? 0 : tick < 17 ? 0.06 : tick < 20 ? 0.04 : tick < 25 ? 0.2 : 0)),
      40,
    );
    expect(report.longestOverlap).toBeCloseTo(0.7, 9);
    expect(report.longestOverlapPair).toEqual([0, 1]);
    expect(report.maxOverlap).toBeCloseTo(0.2, 9);
    // They touched once, for two agents and four seconds.
    expect(report.collisions).toBeCloseTo(1 / ((2 * 4) / 60), 9);
    expect(listBrokenPromises(report).join()).toContain('0 and 1 overlap for 0.7');
    expect(
      measure(
        meets(() => 0.049),
        40,
      ).report.longestOverlap,
    ).toBe(0);
  });

  it('count stalls, except of queueing and resting agents', () => {
    const goal: [number, number, number] = [8, 0, 0];
    const body = (at: Body['at'], state: number): Body => ({ at, state: () => state, goal });
    const { report } = measure(
      [
        body(() => [0, 0, 0], BODY_MOVING),
        body(() => [0, 0, 2], BODY_QUEUEING),
        body(() => [0, 0, 4], BODY_ARRIVED),
        body((tick) => [Math.min(8, 0.1 * tick), 0, 6], BODY_MOVING),
        // To and fro.
        body((tick) => [Math.abs((tick % 10) - 5) * 0.1, 0, -4], BODY_MOVING),
      ],
      70,
    );
    expect(report.stuck).toBe(2);
    expect(report.stalls).toBe(2);
  });

  it('measure the speed of resting agents in the last second', () => {
    const creep = (from: number): Body => ({
      at: (tick) => [tick > from ? 0.01 * (tick - from) : 0, 0, 0],
      state: () => BODY_ARRIVED,
    });
    expect(measure([creep(5)], 40).report.residualSpeed).toBeCloseTo(0.1, 9);
    const stopped: Body = { at: (tick) => [tick < 25 ? 0.01 * tick : 0.25, 0, 0], state: () => BODY_ARRIVED };
    expect(measure([stopped], 40).report.residualSpeed).toBe(0);
    const walker: Body = { at: (tick) => [0.1 * tick, 0, 0] };
    expect(measure([walker], 40).report.residualSpeed).toBe(0);
  });

  it('count each agent that passes a gate once, and the throughput', () => {
    const gate = { normal: [1, 0, 0], offset: 0 };
    const passes = (tick: number, z: number): Body => ({ at: (now) => [0.5 * (now - tick), 0, z] });
    const { report } = measure([passes(5, 0), passes(15, 2), passes(25, 4), stands(3, 6, BODY_MOVING)], 30, { gate });
    expect(report.passed).toBe(3);
    expect(report.throughput).toBeCloseTo(1, 9);
    expect(measure([passes(5, 0)], 10).report.throughput).toBeNaN();
  });

  it('compare walked distances with path lengths, and measure turns', () => {
    // A square's three sides in place of the fourth: 3 times 6 m for 6.
    const square = (tick: number): [number, number, number] => {
      const s = Math.min(18, 0.2 * tick);
      return s < 6 ? [-3, 0, s] : s < 12 ? [-3 + s - 6, 0, 6] : [3, 0, 18 - s];
    };
    const { report } = measure(
      [{ at: square, state: (tick) => (tick > 92 ? BODY_ARRIVED : BODY_MOVING), goal: [3, 0, 0] }],
      100,
    );
    expect(report.pathOverhead).toBeCloseTo(3, 6);
    // Two right angles, each a chord of the square root of 2, over a little less than 18 m.
    expect(report.jitter).toBeCloseTo((2 * Math.SQRT2) / 17.8, 6);
  });

  it('hash the recorded positions', () => {
    const run = (x: number): string => measure([stands(x, 0, BODY_MOVING)], 5).report.hash;
    expect(run(1)).toBe(run(1));
    expect(run(1)).not.toBe(run(1 + 1e-12));
  });
});

describe('overlaps', () => {
  it.each([1, 2, 3])('equal those of all pairs, seed %i', (seed) => {
    const random = createRandom(seed);
    const n = 60;
    const radius = Float64Array.from({ length: n }, () => 0.2 + 0.5 * nextRandom(random));
    const height = Float64Array.from({ length: n }, () => 1 + nextRandom(random));
    const position = Float64Array.from({ length: 3 * n }, (_, k) => (k % 3 === 1 ? 3 : 9) * nextRandom(random));
    const isBody = Uint8Array.from({ length: n }, () => (nextRandom(random) < 0.9 ? 1 : 0));
    const overlap = createCrowdOverlap(n);
    const oracle = createOverlapOracle();
    for (let tick = 0; tick < 60; tick++) {
      for (let k = 0; k < 3 * n; k++) position[k] += 0.15 * (nextRandom(random) - 0.5);
      recordOverlaps(overlap, position, radius, height, isBody);
      oracle.record(position, radius, height, isBody);
    }
    expect(overlap.maxDepth).toBeGreaterThan(0.3);
    expect(overlap.maxDepth).toBe(oracle.maxDepth());
    expect(overlap.longestTicks).toBe(oracle.longestTicks());
    expect(overlap.collisions).toBe(oracle.collisions());
  });
});
