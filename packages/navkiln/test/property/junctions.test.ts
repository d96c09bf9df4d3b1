/**
 * Junctions of narrow corridors: everybody gets through, in a T and in a cross, where two agents fit beside each
 * other (4 radii) and where one does (2.5 and 3 radii). The oracle reads positions and goals alone.
 */
import { findCrowdScene } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { addAgent, getAgent } from '../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';

const IS_FULL = process.env.NAVKILN_FULL !== undefined;
const SEEDS = IS_FULL ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];
const SIZES = IS_FULL ? [8, 24, 45, 60] : [8];
const RADIUS = 0.3;
/** Width that the voxels of the bake take. */
const CELL = 0.1;
const TICKS_A_SECOND = 60;

/** Returns, from positions alone, the agents that are not at their goals, and the longest deep overlap. */
function cross(seed: number, size: number, radii: number, arms: number): { away: number[]; overlapSeconds: number } {
  const width = radii * RADIUS + CELL;
  const { level, options, agents, seconds } = findCrowdScene('junction').create(seed, size, { width, arms });
  const crowd = createCrowd(buildNavMesh(level, options).navMesh, { maxAgents: agents.length });
  const ids = agents.map(({ position, radius, maxSpeed }) => addAgent(crowd, position, { radius, maxSpeed }));
  agents.forEach(({ goal }, i) => expect(moveAgentTo(crowd, ids[i], goal!)).toBe('accepted'));
  const points = (): number[][] => ids.map((id) => [...getAgent(crowd, id)!.position]);
  const deep = new Map<string, number>();
  let overlapTicks = 0;
  let away: number[] = [];
  for (let tick = 0; tick < seconds * TICKS_A_SECOND; tick++) {
    stepCrowd(crowd);
    const now = points();
    for (let a = 0; a < now.length; a++) {
      for (let b = a + 1; b < now.length; b++) {
        const gap = Math.hypot(now[a][0] - now[b][0], now[a][2] - now[b][2]) - 2 * RADIUS;
        const key = `${a} ${b}`;
        const ticks = gap < -0.05 * RADIUS ? (deep.get(key) ?? 0) + 1 : 0;
        deep.set(key, ticks);
        overlapTicks = Math.max(overlapTicks, ticks);
      }
    }
    away = ids
      .map((_, i) => i)
      .filter((i) => {
        const goal = agents[i].goal!;
        return Math.hypot(now[i][0] - goal[0], now[i][2] - goal[2]) > RADIUS;
      });
    if (away.length === 0) break;
  }
  return { away, overlapSeconds: overlapTicks / TICKS_A_SECOND };
}

describe.each([
  ['T', 3],
  ['cross', 4],
] as const)('a %s of corridors', (_, arms) => {
  it.each([2.5, 3, 4])(
    'of %f radii: all arrive, nobody overlaps',
    { timeout: IS_FULL ? 1_200_000 : 60_000 },
    (radii) => {
      const missed: string[] = [];
      for (const size of SIZES) {
        for (const seed of SEEDS) {
          const { away, overlapSeconds } = cross(seed, size, radii, arms);
          const name = `seed ${seed}, ${size} agents`;
          if (away.length > 0) missed.push(`${name}: ${away.join()} are away from their goals`);
          if (overlapSeconds > 0.1) missed.push(`${name}: an overlap of ${overlapSeconds} s`);
        }
      }
      expect(missed).toEqual([]);
    },
  );
});
