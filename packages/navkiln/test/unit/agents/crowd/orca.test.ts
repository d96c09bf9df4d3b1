import { describe, expect, it } from 'vitest';
import {
  SELF_DESIRED_X,
  SELF_DESIRED_Z,
  SELF_SIDE,
  createAvoidanceScene,
} from '../../../../src/agents/crowd/avoidance/scene.ts';
import type { AvoidanceScene } from '../../../../src/agents/crowd/avoidance/scene.ts';
import { takeDetour } from '../../../../src/agents/crowd/avoidance/detour.ts';
import { aimByOrca, avoidByOrca } from '../../../../src/agents/crowd/avoidance/orca.ts';
import { circleAgents, planeAgent, runPlane } from './plane.ts';
import type { PlaneAgent, PlaneWall } from './plane.ts';

const out = new Float64Array(2);

/**
 * Returns the view of an agent that walks along +x at 1.4, next to `neighbors` (rows of 6) and `walls` (rows
 * of 4).
 */
function sceneOf(neighbors: readonly (readonly number[])[], walls: readonly PlaneWall[] = []): AvoidanceScene {
  const scene = createAvoidanceScene(Math.max(8, neighbors.length), Math.max(8, walls.length));
  scene.self.set([1.4, 0, 1.4, 0, 0.4, 1.4, 2, 0.3, 1 / 60, -1]);
  scene.neighborCount = neighbors.length;
  neighbors.forEach((row, k) => scene.neighbors.set(row, 6 * k));
  scene.wallCount = walls.length;
  walls.forEach((row, k) => scene.walls.set(row, 4 * k));
  return scene;
}

/** Returns the walls of a rectangle that agents are inside of, or outside of (a block). */
function rectangle(x1: number, z1: number, x2: number, z2: number, inside: boolean): PlaneWall[] {
  // Counter-clockwise seen from above: x to the right, z down the page.
  const corners = [
    [x1, z2],
    [x2, z2],
    [x2, z1],
    [x1, z1],
  ] as const;
  return corners.map(([ax, az], k) => {
    const [bx, bz] = corners[(k + 1) % 4];
    return inside ? [ax, az, bx, bz] : [bx, bz, ax, az];
  });
}

describe('the velocity of one agent', () => {
  it('is the desired one, bit for bit, when nothing is in the way', () => {
    const scene = sceneOf(
      [
        [-1, 0.1, 0, 0, 0.4, 0.5],
        [3, 3, 0, 1, 0.4, 1],
      ],
      [[-5, 2, 5, 2]],
    );
    scene.self[SELF_DESIRED_X] = 1.1234567890123;
    scene.self[SELF_DESIRED_Z] = 0.3456789012345;
    expect(avoidByOrca(out, scene)).toBe(true);
    expect([...out]).toEqual([1.1234567890123, 0.3456789012345]);
  });

  it('is never faster than the maximum', () => {
    const scene = sceneOf([]);
    scene.self[SELF_DESIRED_X] = 30;
    scene.self[SELF_DESIRED_Z] = 40;
    avoidByOrca(out, scene);
    expect(out[0]).toBeCloseTo(0.84, 12);
    expect(out[1]).toBeCloseTo(1.12, 12);
    scene.self[5] = 0;
    scene.neighborCount = 1;
    scene.neighbors.set([0.5, 0, 0, 0, 0.4, 0.5]);
    avoidByOrca(out, scene);
    expect(Math.hypot(out[0], out[1])).toBe(0);
  });

  it('passes an agent in front on the passing side, and mirrored on the other one', () => {
    const scene = sceneOf([[2, 0, 0, 0, 0.4, 1]]);
    avoidByOrca(out, scene);
    expect(out[0]).toBeGreaterThan(1);
    // Right of +x is +z: down the page.
    expect(out[1]).toBeGreaterThan(0.1);
    const right = [...out];
    scene.self[SELF_SIDE] = 1;
    avoidByOrca(out, scene);
    expect(out[0]).toBe(right[0]);
    expect(out[1]).toBe(-right[1]);
  });

  it('is the nearest allowed one to another aim, too, as if that were desired', () => {
    const scene = sceneOf(
      [
        [0.85, 0.1, 0, 0, 0.4, 1],
        [0.2, -0.9, 0.3, 0.5, 0.4, 0.5],
      ],
      [[-5, 0.5, 5, 0.5]],
    );
    scene.self[SELF_SIDE] = 0;
    avoidByOrca(out, scene);
    aimByOrca(out, scene, Float64Array.of(0.3, 1.2));
    const again = [...out];
    scene.self[SELF_DESIRED_X] = 0.3;
    scene.self[SELF_DESIRED_Z] = 1.2;
    avoidByOrca(out, scene);
    expect(again).toEqual([...out]);
  });

  it('leads around others that stand ahead, on the free side, and stays the desired one otherwise', () => {
    for (const side of [-1, 1]) {
      // Two agents ahead, and one on the other side.
      const scene = sceneOf([
        [0.82, 0, 0, 0, 0.4, 1],
        [0.3, -0.8 * side, 0, 0, 0.4, 1],
      ]);
      scene.self[SELF_SIDE] = 0;
      avoidByOrca(out, scene);
      const before = out[0];
      takeDetour(out, scene);
      expect(out[1] * side).toBeGreaterThan(0.7);
      expect(out[0]).toBeGreaterThanOrEqual(before - 0.2);
    }
    const free = sceneOf([[0.3, -1.5, 0, 0, 0.4, 1]]);
    avoidByOrca(out, free);
    takeDetour(out, free);
    expect([...out]).toEqual([1.4, 0]);
  });

  it('ignores a neighbor of share 0, and stops for a wall of neighbors with a share below 1', () => {
    expect(avoidByOrca(out, sceneOf([[0.8, 0, 0, 0, 0.4, 0]]))).toBe(true);
    expect([...out]).toEqual([1.4, 0]);
    const row = [-2, -1, 0, 1, 2].map((k) => [0.9, 0.7 * k, 0, 0, 0.4, 1]);
    avoidByOrca(out, sceneOf(row));
    expect(out[0]).toBeLessThan(0.7);
  });

  it('parts from an overlapping agent, faster for deeper overlaps, never above the maximum', () => {
    let before = 0;
    for (const dx of [0.79, 0.7, 0.5, 0.1, 1e-9]) {
      const scene = sceneOf([[dx, 0, 0, 0, 0.4, 0.5]]);
      scene.self.fill(0, 0, 4);
      avoidByOrca(out, scene);
      expect(-out[0]).toBeGreaterThanOrEqual(before);
      expect(Math.hypot(out[0], out[1])).toBeLessThanOrEqual(1.4 + 1e-9);
      before = -out[0];
    }
    expect(before).toBeCloseTo(1.4, 6);
  });

  it('parts two agents at exactly the same position', () => {
    const scene = sceneOf([
      [0, 0, 0, 0, 0.4, 0.5],
      [0, 0, 0, 0, 0.4, 0.5],
    ]);
    scene.self.fill(0, 0, 4);
    avoidByOrca(out, scene);
    expect(Number.isFinite(out[0] + out[1])).toBe(true);
    const one = sceneOf([[0, 0, 0, 0, 0.4, 0.5]]);
    one.self.fill(0, 0, 2);
    avoidByOrca(out, one);
    expect(Math.hypot(out[0], out[1])).toBeGreaterThan(0.5);
  });

  it('reports when no velocity satisfies all, and then keeps the walls', () => {
    const scene = sceneOf(
      [
        [0.5, 0.2, -1, 0, 0.4, 1],
        [-0.5, 0.2, 1, 0, 0.4, 1],
        [0, 0.3, 0, -1, 0.4, 1],
      ],
      [[2, 0, -2, 0]],
    );
    expect(avoidByOrca(out, scene)).toBe(false);
    expect(out[1]).toBeGreaterThanOrEqual(-1e-9);
  });

  it('passes close to the end of a wall, and turns away from its middle', () => {
    // A wall across the way, to the agent's left from z = 0 on: the agent goes exactly past its end.
    const beside: PlaneWall = [0.2, 0, 0.2, -3];
    avoidByOrca(out, sceneOf([], [beside]));
    expect([...out]).toEqual([1.4, 0]);
    // An epsilon into it: past the end, at full speed.
    const scene = sceneOf([], [[0.02, 0.01, 0.02, -3]]);
    avoidByOrca(out, scene);
    expect(Math.hypot(out[0], out[1])).toBeGreaterThan(1.2);
    expect(out[1] * 0.02).toBeGreaterThanOrEqual(out[0] * 0.01 - 1e-9);
    // Into the middle: the agent does not reach the wall.
    avoidByOrca(out, sceneOf([], [[0.02, 3, 0.02, -3]]));
    expect(out[0]).toBeCloseTo(0.02 * 30, 9);
    expect(out[1]).toBe(0);
  });

  it('does not lead through the seam of two walls', () => {
    const seam: PlaneWall[] = [
      [0.02, 3, 0.02, 0],
      [0.02, 0, 0.02, -3],
    ];
    for (const z of [0, 1e-3, -1e-3, 1e-12]) {
      const scene = sceneOf(
        [],
        seam.map(([a, b, c, d]) => [a, b + z, c, d + z]),
      );
      avoidByOrca(out, scene);
      expect(out[0]).toBeLessThan(0.61);
    }
  });

  it('on the corner of a block, leads along either wall: the nearest velocity that is not behind both', () => {
    // The corner of a block: its walls come down the page to the agent and go on to the left, at several angles.
    for (const turnDegrees of [30, 83, 90, 120]) {
      const turn = (turnDegrees * Math.PI) / 180;
      const [u, w] = [
        [0, 1],
        [-Math.sin(turn), Math.cos(turn)],
      ];
      for (const short of [0, 0.0005, 0.0011, 0.0015]) {
        // The agent is that much before the corner, on the first wall; 0.4 / 256 is 0.00156.
        const scene = sceneOf(
          [],
          [
            [0, -5, 0, short],
            [0, short, 3 * w[0], short + 3 * w[1]],
          ],
        );
        for (let degrees = 0; degrees < 360; degrees += 5) {
          const angle = (degrees * Math.PI) / 180;
          const desired = [1.4 * Math.cos(angle), 1.4 * Math.sin(angle)];
          scene.self[SELF_DESIRED_X] = desired[0];
          scene.self[SELF_DESIRED_Z] = desired[1];
          avoidByOrca(out, scene);
          // The component towards the walkable side of a wall: of the direction (ux, uz), left is (uz, -ux).
          const misses = [u, w].map(([x, z]) => Math.max(0, -(z * desired[0] - x * desired[1])));
          const label = `turn ${turnDegrees}, ${short} before the corner, ${degrees} degrees`;
          expect(Math.hypot(out[0] - desired[0], out[1] - desired[1]), label).toBeCloseTo(Math.min(...misses), 9);
        }
      }
    }
  });

  it('ignores walls seen from behind', () => {
    avoidByOrca(out, sceneOf([], [[0.2, -3, 0.2, 3]]));
    expect([...out]).toEqual([1.4, 0]);
  });

  it('refuses invalid sizes of scenes', () => {
    expect(() => createAvoidanceScene(-1, 2)).toThrow(
      'createAvoidanceScene: maxNeighbors is -1; must be a whole number',
    );
    expect(() => createAvoidanceScene(2, 0.5)).toThrow(RangeError);
  });
});

/** Returns small uneven shares, as slots give them in a crowd. */
const shareOf = (i: number, j: number): number => (i > j ? 0.6 : 0.4);

function arrivals(agents: readonly PlaneAgent[]): number[] {
  return agents.map((agent) => agent.arrivedAt);
}

describe('a crowd in the plane', () => {
  it('two agents head-on pass on the right and lose next to no time, from afar and from rest', () => {
    for (const side of [-1, 1]) {
      for (const start of [8, 1]) {
        const agents = [planeAgent(-start, 0, 8, 0), planeAgent(start, 0, -8, 0)];
        let middle = 0;
        const result = runPlane(agents, avoidByOrca, 30, { side, step: 1 / 60 }, () => {
          if (agents[0].x < agents[1].x) middle = agents[0].z;
        });
        expect(result).toMatchObject({ arrived: 2, infeasible: 0 });
        expect(result.maxOverlap).toBeLessThan(0.01);
        expect(result.seconds).toBeLessThan(((8 + start) / 1.4) * 1.15);
        expect(-side * middle).toBeGreaterThan(0.3);
      }
    }
  });

  it('loses little time when crossing, overtaking and passing an obstacle', () => {
    const crossing = [planeAgent(-8, 0, 8, 0), planeAgent(0, -8, 0, 8)];
    const overtaking = [planeAgent(-8, 0, 8, 0), planeAgent(-6, 0, 14, 0, 0.4, 0.7)];
    const standing = [planeAgent(-8, 0, 8, 0), { ...planeAgent(0, 0, 0, 0), share: 1 }];
    for (const agents of [crossing, overtaking, standing]) {
      const result = runPlane(agents, avoidByOrca, 60, { step: 1 / 60 });
      expect(result.arrived).toBe(2);
      expect(result.maxOverlap).toBeLessThan(0.02);
      expect(arrivals(agents)[0]).toBeLessThan((16 / 1.4) * 1.15);
    }
  });

  it('crosses a circle with either passing side and none: all arrive, none overlap', () => {
    for (const [count, side, seconds] of [
      [6, -1, 10],
      [6, 1, 10],
      [20, -1, 40],
      [20, 0, 100],
      [60, -1, 60],
    ] as const) {
      const agents = circleAgents(count);
      const result = runPlane(agents, avoidByOrca, seconds, { step: 1 / 60, side, shareOf });
      expect(result, `${count} at side ${side}`).toMatchObject({ arrived: count });
      expect(result.maxOverlap).toBeLessThan(0.05);
    }
  });

  it('passes a door and a corner without losing time or leaking through a wall', () => {
    // Two blocks with a door of 0.1 between them; an agent that steers closely around a corner.
    const walls = [...rectangle(-0.5, -6, 0.5, -0.05, false), ...rectangle(-0.5, 0.05, 0.5, 6, false)];
    const straight = [planeAgent(-5, 0, 5, 0)];
    expect(runPlane(straight, avoidByOrca, 20, { walls, step: 1 / 60 })).toMatchObject({ arrived: 1, leaks: 0 });
    expect(arrivals(straight)[0]).toBeLessThan((10 / 1.4) * 1.02);
    const corner = [planeAgent(-5, -3, -0.5, -0.05)];
    const turn = runPlane(corner, avoidByOrca, 20, { walls, step: 1 / 60 }, () => {
      const agent = corner[0];
      if (agent.arrivedAt >= 0 && agent.goalX < 0) {
        agent.arrivedAt = -1;
        agent.goalX = 5;
        agent.goalZ = 0;
      }
    });
    expect(turn).toMatchObject({ arrived: 1, leaks: 0 });
    expect(turn.seconds).toBeLessThan(((Math.hypot(4.5, 2.95) + 5.5) / 1.4) * 1.05);
  });

  it('clears counterflow between two walls, two agents wide and wider, with next to no delay', () => {
    for (const half of [0.4, 0.6, 2]) {
      const walls: PlaneWall[] = [
        [-60, half, 60, half],
        [60, -half, -60, -half],
      ];
      const agents: PlaneAgent[] = [];
      for (let k = 0; k < 8; k++) {
        const z = ((k % 3) - 1) * 0.8 * half;
        agents.push(planeAgent(-3 - 1.1 * k, z, 34 - 1.1 * k, z), planeAgent(3 + 1.1 * k, -z, -34 + 1.1 * k, -z));
      }
      const result = runPlane(agents, avoidByOrca, 60, { walls, step: 1 / 60, shareOf, leave: true });
      expect(result, `half width ${half}`).toMatchObject({ arrived: 16, leaks: 0 });
      expect(result.maxOverlap).toBeLessThan(0.05);
      expect(result.seconds).toBeLessThan((37 / 1.4) * 1.35);
    }
  });

  it('is the same in every run', () => {
    const [a, b] = [circleAgents(30), circleAgents(30)];
    runPlane(a, avoidByOrca, 4, { step: 1 / 60 });
    runPlane(b, avoidByOrca, 4, { step: 1 / 60 });
    expect(a).toEqual(b);
  });
});
