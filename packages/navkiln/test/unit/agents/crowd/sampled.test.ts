import { describe, expect, it } from 'vitest';
import { SELF_SIDE, createAvoidanceScene } from '../../../../src/agents/crowd/avoidance/scene.ts';
import type { AvoidanceScene } from '../../../../src/agents/crowd/avoidance/scene.ts';
import {
  SAMPLED_DEFAULTS,
  avoidBySampling,
  createSampledParams,
} from '../../../../src/agents/crowd/avoidance/sampled.ts';
import { planeAgent, runPlane } from './plane.ts';
import type { PlaneWall } from './plane.ts';

const out = new Float64Array(2);
const kernel = (result: Float64Array, scene: AvoidanceScene): void => avoidBySampling(result, scene, SAMPLED_DEFAULTS);

function sceneOf(neighbors: readonly (readonly number[])[], walls: readonly PlaneWall[] = []): AvoidanceScene {
  const scene = createAvoidanceScene(8, 8);
  scene.self.set([1.4, 0, 1.4, 0, 0.4, 1.4, 2, 0.3, 1 / 60, -1]);
  scene.neighborCount = neighbors.length;
  neighbors.forEach((row, k) => scene.neighbors.set(row, 6 * k));
  scene.wallCount = walls.length;
  walls.forEach((row, k) => scene.walls.set(row, 4 * k));
  return scene;
}

describe('sampled avoidance', () => {
  it('returns a desired velocity that meets nothing', () => {
    const scene = sceneOf(
      [
        [-2, 0, 0, 0, 0.4, 0.5],
        [3, 0, 0, 0, 0.4, 0],
      ],
      [
        [-5, 2, 5, 2],
        [0.5, -2, 0.5, 2],
      ],
    );
    scene.self[2] = 1.1234567890123;
    kernel(out, scene);
    expect([...out]).toEqual([1.1234567890123, 0]);
    kernel(out, sceneOf([]));
    expect([...out]).toEqual([1.4, 0]);
  });

  it('is never faster than the maximum, whatever is in the way', () => {
    for (let k = 0; k < 32; k++) {
      const scene = sceneOf(
        [
          [0.1 * k - 1.6, 0.3, 0, 0, 0.4, 0.5],
          [0.9, 0.05 * k, -1, 0, 0.4, 1],
        ],
        [[0.5, 3, 0.5, -3]],
      );
      scene.self[2] = 0.5 * k;
      kernel(out, scene);
      expect(Math.hypot(out[0], out[1])).toBeLessThanOrEqual(1.4 * (1 + 1e-8));
    }
    const still = sceneOf([[0.5, 0, 0, 0, 0.4, 0.5]]);
    still.self[5] = 0;
    kernel(out, still);
    expect(Math.hypot(out[0], out[1])).toBe(0);
  });

  it('passes on the passing side', () => {
    const scene = sceneOf([[3, 0, -1.4, 0, 0.4, 0.5]]);
    kernel(out, scene);
    expect(out[1]).toBeGreaterThan(0.05);
    scene.self[SELF_SIDE] = 1;
    kernel(out, scene);
    expect(out[1]).toBeLessThan(-0.05);
  });

  it('slows down before a wall and before a standing agent', () => {
    kernel(out, sceneOf([], [[0.3, 5, 0.3, -5]]));
    expect(out[0]).toBeLessThan(0.7);
    kernel(out, sceneOf([-1.4, -0.7, 0, 0.7, 1.4].map((z) => [0.9, z, 0, 0, 0.4, 1])));
    expect(out[0]).toBeLessThan(0.7);
  });

  it('leads two agents past each other, from four sides, and around a standing one', () => {
    const headOn = [planeAgent(-8, 0, 8, 0), planeAgent(8, 0, -8, 0)];
    const crossing = [planeAgent(-8, 0, 8, 0), planeAgent(0, -8, 0, 8)];
    const standing = [planeAgent(-8, 0, 8, 0), { ...planeAgent(0, 0, 0, 0), share: 1 }];
    for (const agents of [headOn, crossing, standing]) {
      const result = runPlane(agents, kernel, 30, { step: 1 / 60 });
      expect(result.arrived).toBe(2);
      expect(result.maxOverlap).toBeLessThan(0.05);
      expect(result.seconds).toBeLessThan((16 / 1.4) * 1.15);
    }
  });

  it('takes parameters, and refuses unknown and invalid ones', () => {
    const params = createSampledParams({ divisions: 5, rings: 3, depth: 2 });
    expect(params.pattern.length).toBe(2 * 16);
    expect(Math.max(...params.pattern)).toBe(1);
    for (let i = 2; i < params.pattern.length; i += 2) {
      const radius = Math.hypot(params.pattern[i], params.pattern[i + 1]);
      expect(Math.abs(radius * 3 - Math.round(radius * 3))).toBeLessThan(1e-12);
    }
    expect(SAMPLED_DEFAULTS).toMatchObject({
      velocityBias: 0.4,
      weightDesired: 2,
      weightImpact: 2.5,
      divisions: 7,
      rings: 2,
      depth: 5,
    });
    expect(() => createSampledParams({ divisions: 2 })).toThrow(
      'createSampledParams: options.divisions is 2; must be a whole number, 3 .. 64',
    );
    expect(() => createSampledParams({ depth: 1.5 })).toThrow(RangeError);
    expect(() => createSampledParams({ horizon: Number.NaN })).toThrow('options.horizon is NaN');
    expect(() => createSampledParams({ weight: 1 } as never)).toThrow(
      'createSampledParams: options.weight is unknown; known keys: velocityBias',
    );
  });
});
