/**
 * Avoidance compared with brute force: the linear program with all crossings and a grid, the least miss with
 * a nested search, velocity obstacles and walls with simulated motion. Seeded; NAVKILN_SEED takes another
 * sequence, NAVKILN_CROWD=1 a longer one and 250 agents on a circle.
 */
import { describe, expect, it } from 'vitest';
import { createRandom, nextFloat, nextInt } from '../../../scenes/src/random.ts';
import type { Random } from '../../../scenes/src/random.ts';
import { LINE_STRIDE, SELF_SIDE, createAvoidanceScene } from '../../src/agents/crowd/avoidance/scene.ts';
import type { AvoidanceScene } from '../../src/agents/crowd/avoidance/scene.ts';
import { avoidByOrca } from '../../src/agents/crowd/avoidance/orca.ts';
import { circleAgents, crosses, runPlane } from '../unit/agents/crowd/plane.ts';
import type { PlaneWall } from '../unit/agents/crowd/plane.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 5);
const isLong = Boolean(process.env.NAVKILN_CROWD);
const CASES = isLong ? 40_000 : 1500;

const out = new Float64Array(2);

function randomScene(random: Random, neighbors: number, walls: readonly PlaneWall[], side: number): AvoidanceScene {
  const scene = createAvoidanceScene(neighbors, walls.length);
  const max = 0.5 + 2 * nextFloat(random);
  const velocity = (): [number, number] => {
    const angle = 2 * Math.PI * nextFloat(random);
    const speed = max * Math.sqrt(nextFloat(random)) * (nextInt(random, 0, 9) === 0 ? 0 : 1);
    return [speed * Math.cos(angle), speed * Math.sin(angle)];
  };
  scene.self.set([...velocity(), ...velocity(), 0.4, max, 0.5 + 3 * nextFloat(random), 0.3, 1 / 60, side]);
  scene.neighborCount = neighbors;
  const spread = 0.3 + 4 * nextFloat(random);
  for (let k = 0; k < neighbors; k++) {
    const angle = 2 * Math.PI * nextFloat(random);
    const distance = 0.6 + spread * nextFloat(random);
    const share = [0.5, 0.5, 1, 0.3][nextInt(random, 0, 3)];
    scene.neighbors.set([distance * Math.cos(angle), distance * Math.sin(angle), ...velocity(), 0.4, share], 6 * k);
  }
  scene.wallCount = walls.length;
  walls.forEach((wall, k) => scene.walls.set(wall, 4 * k));
  return scene;
}

interface Line {
  nx: number;
  nz: number;
  c: number;
  ease: number;
}

/** Returns the half-planes of neighbors that the kernel has left. */
function linesOf({ lines, wallCount, neighborCount }: AvoidanceScene): Line[] {
  return Array.from({ length: neighborCount }, (_, k) => {
    const at = LINE_STRIDE * (wallCount + k);
    return { nx: lines[at], nz: lines[at + 1], c: lines[at + 2], ease: lines[at + 3] };
  });
}

/** Returns all points where the nearest allowed velocity may be, plus a grid. */
function candidates(lines: readonly Line[], max: number, x: number, z: number): [number, number][] {
  const list: [number, number][] = [[x, z]];
  lines.forEach((line, i) => {
    const off = line.c - (line.nx * x + line.nz * z);
    list.push([x + off * line.nx, z + off * line.nz]);
    const half = Math.sqrt(Math.max(0, max * max - line.c * line.c));
    list.push([line.c * line.nx - half * line.nz, line.c * line.nz + half * line.nx]);
    list.push([line.c * line.nx + half * line.nz, line.c * line.nz - half * line.nx]);
    for (const other of lines.slice(i + 1)) {
      const det = line.nx * other.nz - line.nz * other.nx;
      if (Math.abs(det) > 1e-12) {
        list.push([(line.c * other.nz - other.c * line.nz) / det, (line.nx * other.c - other.nx * line.c) / det]);
      }
    }
  });
  for (let ring = 0; ring <= 12; ring++) {
    for (let i = 0; i < 48; i++) {
      const angle = (2 * Math.PI * i) / 48;
      list.push([(max * ring * Math.cos(angle)) / 12, (max * ring * Math.sin(angle)) / 12]);
    }
  }
  return list;
}

function missOf(lines: readonly Line[], x: number, z: number): number {
  return Math.max(...lines.map((line) => (line.c - line.nx * x - line.nz * z) / line.ease));
}

/** Returns the minimum of a convex function over an interval. */
function least(f: (t: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  for (let k = 0; k < 60; k++) {
    const [p, q] = [a + (b - a) / 3, b - (b - a) / 3];
    if (f(p) <= f(q)) b = q;
    else a = p;
  }
  return f((a + b) / 2);
}

describe(`avoidance, seed ${SEED}`, () => {
  it('takes the nearest allowed velocity, or the one that misses least', () => {
    const random = createRandom(SEED);
    let fits = 0;
    for (let n = 0; n < CASES; n++) {
      const scene = randomScene(random, nextInt(random, 1, 8), [], 0);
      const isFit = avoidByOrca(out, scene);
      const [x, z, max] = [scene.self[2], scene.self[3], scene.self[5]];
      const lines = linesOf(scene);
      const hint = `case ${n}`;
      expect(Math.hypot(out[0], out[1]), hint).toBeLessThanOrEqual(max * (1 + 1e-8));
      const allowed = candidates(lines, max, x, z).filter(
        ([a, b]) =>
          Math.hypot(a, b) <= max * (1 + 1e-9) && missOf(lines, a, b) * Math.max(...lines.map((l) => l.ease)) <= 1e-9,
      );
      const best = Math.min(...allowed.map(([a, b]) => Math.hypot(a - x, b - z)));
      if (isFit) {
        fits++;
        expect(missOf(lines, out[0], out[1]), hint).toBeLessThan(1e-7);
        expect(Math.hypot(out[0] - x, out[1] - z), hint).toBeLessThanOrEqual(best + 1e-6);
      } else {
        expect(best, hint).toBe(Infinity);
        if (n % 5 !== 0) continue;
        const lowest = least(
          (a) => {
            const half = Math.sqrt(Math.max(0, max * max - a * a));
            return least((b) => missOf(lines, a, b), -half, half);
          },
          -max,
          max,
        );
        expect(missOf(lines, out[0], out[1]), hint).toBeLessThanOrEqual(lowest + 1e-5);
      }
    }
    expect(fits).toBeGreaterThan(CASES / 3);
    expect(fits).toBeLessThan(CASES);
  }, 300_000);

  it('keeps two avoiding agents apart within the horizon, whatever their shares', () => {
    const random = createRandom(SEED + 1);
    const answer = [new Float64Array(2), new Float64Array(2)];
    let near = 0;
    for (let n = 0; n < 2 * CASES; n++) {
      const first = randomScene(random, 1, [], nextInt(random, -1, 1));
      const { neighbors, self } = first;
      const reach = 0.8;
      const share = [0.5, 0.3, 0.7, 1][nextInt(random, 0, 3)];
      neighbors[5] = share;
      const second = createAvoidanceScene(1, 0);
      second.neighborCount = 1;
      const wanted = 2 * Math.PI * nextFloat(random);
      second.self.set(self);
      second.self.set([neighbors[2], neighbors[3], self[5] * Math.cos(wanted), self[5] * Math.sin(wanted)]);
      second.neighbors.set([-neighbors[0], -neighbors[1], self[0], self[1], 0.4, 1 - share]);
      const distance = Math.hypot(neighbors[0], neighbors[1]);
      if (distance <= reach) continue;
      if (!avoidByOrca(answer[0], first)) continue;
      if (share === 1) answer[1].set([neighbors[2], neighbors[3]]);
      else if (!avoidByOrca(answer[1], second)) continue;
      const time = Math.min(self[6], Math.max(0.15, (2 * (distance - reach)) / self[5]));
      const vx = answer[0][0] - answer[1][0];
      const vz = answer[0][1] - answer[1][1];
      for (let t = 0; t <= time; t += time / 64) {
        const apart = Math.hypot(neighbors[0] - vx * t, neighbors[1] - vz * t);
        if (apart < reach + 0.01) near++;
        if (apart <= reach - 1e-6) expect.fail(`case ${n}: ${apart} apart after ${t} s`);
      }
    }
    expect(near).toBeGreaterThan(100);
  });

  it('leads through no wall, however agents are pushed', () => {
    const random = createRandom(SEED + 2);
    let kept = 0;
    let changed = 0;
    for (let n = 0; n < 2 * CASES; n++) {
      // A star-shaped room around the agent with blocks in it; some of its walls are unknown.
      const walls: PlaneWall[] = [];
      const corners = nextInt(random, 3, 7);
      const room = Array.from({ length: corners }, (_, k) => {
        const angle = (-2 * Math.PI * (k + 0.9 * nextFloat(random))) / corners;
        const distance = nextInt(random, 0, 3) === 0 ? 0.01 : 0.05 + nextFloat(random);
        return [distance * Math.cos(angle), distance * Math.sin(angle)] as const;
      });
      room.forEach(([ax, az], k) => {
        const [bx, bz] = room[(k + 1) % corners];
        // Counter-clockwise, seen from above with z down the page.
        if (nextInt(random, 0, 4) > 0 && bx * az - bz * ax > 0) walls.push([ax, az, bx, bz]);
      });
      if (nextInt(random, 0, 1) === 0) {
        const angle = 2 * Math.PI * nextFloat(random);
        const [cx, cz] = [0.3 * Math.cos(angle), 0.3 * Math.sin(angle)];
        const block = [
          [cx - 0.1, cz - 0.1],
          [cx + 0.1, cz - 0.1],
          [cx + 0.1, cz + 0.1],
          [cx - 0.1, cz + 0.1],
        ] as const;
        block.forEach(([ax, az], k) => walls.push([ax, az, ...block[(k + 1) % 4]]));
      }
      const scene = randomScene(random, nextInt(random, 0, 6), walls, nextInt(random, -1, 1));
      avoidByOrca(out, scene);
      const [x, z] = [scene.self[2], scene.self[3]];
      const epsilon = 0.4 / 256 + 1e-9;
      // The walls that the aimed velocity meets, or nearly meets.
      const wasWithin = walls.map((wall) =>
        [0, -epsilon].some((slack) => crosses(wall, 0, 0, 0.3 * x, 0.3 * z, slack)),
      );
      if (out[0] !== x || out[1] !== z) changed++;
      walls.forEach((wall, k) => {
        // Two ticks for a wall that the aimed velocity would meet, the whole horizon for others. Without a
        // passing side the aim is the desired velocity.
        const time = wasWithin[k] || scene.self[SELF_SIDE] !== 0 ? 2 / 60 : 0.3;
        const through = crosses(wall, 0, 0, time * out[0], time * out[1], epsilon);
        if (through) expect.fail(`case ${n}, wall ${k}`);
        kept++;
      });
      const isSoon = walls.some((wall) => [0, -epsilon].some((slack) => crosses(wall, 0, 0, x / 30, z / 30, slack)));
      if (scene.neighborCount === 0 && !isSoon) {
        expect([...out], `case ${n}`).toEqual([x, z]);
      }
    }
    expect(kept).toBeGreaterThan(CASES);
    expect(changed).toBeGreaterThan(CASES / 2);
  });

  it.runIf(isLong)(
    '250 on a circle arrive, and none overlap',
    () => {
      for (const jitter of [0, 0.1]) {
        for (const horizon of [1, 2, 4]) {
          const shareOf = (i: number, j: number): number => 0.5 + (i > j ? jitter : -jitter);
          const result = runPlane(circleAgents(250), avoidByOrca, 200, { step: 1 / 60, horizon, shareOf });
          expect(result, `horizon ${horizon}`).toMatchObject({ arrived: 250 });
          expect(result.longestOverlap).toBeLessThan(0.1);
        }
      }
    },
    600_000,
  );
});
