/**
 * Decides which walks of a random level are possible for sure, and which are impossible for sure, from its passages
 * alone.
 *
 * The margins are those of a bake with cells of half a radius and half as high, rounded to the safe side: a
 * finer bake must agree, too. Walks between the margins are left out.
 *
 * Based on: own.
 */
import { nextFloat } from '../random.ts';
import type { Point } from '../scene.ts';
import { tanDegrees } from './sketch.ts';
import type { PassageNeeds, RandomLevelAgent, Sketch } from './sketch.ts';

/** A walk between two places that is known by construction. */
export interface RandomWalk {
  from: Point;
  to: Point;
  /** 'none': no path leads to `to`, or nothing can stand there. */
  expect: 'complete' | 'none';
  /** A shorter path goes through a floor or a wall. 0: not known. */
  leastLength: number;
}

/** Walks of a level: more are drawn from all pairs of places. */
const MOST_WALKS = 16;

/** Returns whether a bake must keep the passage. */
export function isSure(needs: PassageNeeds, { radius, height, maxClimb, maxSlopeDegrees }: RandomLevelAgent): boolean {
  const cell = radius / 2;
  const voxel = cell / 2;
  const { width = Infinity, step = 0, tread = Infinity, headroom = Infinity, slopeDegrees = 0 } = needs;
  // A column takes the highest point in it, so narrow steps add up.
  const rise = step * Math.ceil(cell / tread + 0.05) + cell * tanDegrees(slopeDegrees);
  return (
    needs.isUnsure !== true &&
    width >= 2 * (radius + 2 * cell) &&
    rise <= maxClimb - voxel &&
    headroom >= height + 3 * voxel + rise &&
    slopeDegrees <= maxSlopeDegrees - 1
  );
}

/** Returns whether a bake must not have the passage. */
export function isImpossible(needs: PassageNeeds, agent: RandomLevelAgent): boolean {
  const cell = agent.radius / 2;
  const voxel = cell / 2;
  const { width = Infinity, step = 0, headroom = Infinity, slopeDegrees = 0 } = needs;
  return (
    width <= 2 * (agent.radius - cell) ||
    step >= agent.maxClimb + 2 * voxel ||
    headroom <= agent.height - voxel ||
    slopeDegrees >= agent.maxSlopeDegrees + 1
  );
}

/** Returns for each place the smallest place that the passages connect it to. */
function groupsOf(count: number, passages: readonly { a: number; b: number }[]): number[] {
  const group = Array.from({ length: count }, (_, i) => i);
  for (let changed = true; changed;) {
    changed = false;
    for (const { a, b } of passages) {
      const least = Math.min(group[a], group[b]);
      if (group[a] !== least || group[b] !== least) changed = true;
      group[a] = least;
      group[b] = least;
    }
  }
  return group;
}

/** Returns up to sixteen walks between the places of a sketch, in its own coordinates. */
export function walksOf({ agent, places, passages, leastLengths, random }: Sketch): RandomWalk[] {
  const sure = groupsOf(
    places.length,
    passages.filter(({ needs }) => isSure(needs, agent)),
  );
  const possible = groupsOf(
    places.length,
    passages.filter(({ needs }) => !isImpossible(needs, agent)),
  );
  const walks: { order: number; walk: RandomWalk }[] = [];
  for (let a = 0; a < places.length; a++) {
    for (let b = a + 1; b < places.length; b++) {
      const expect = sure[a] === sure[b] ? 'complete' : possible[a] === possible[b] ? undefined : 'none';
      if (expect === undefined) continue;
      const least = leastLengths.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
      const [from, to] = nextFloat(random) < 0.5 ? [a, b] : [b, a];
      walks.push({
        // Walks with a least length come first, since each stands for a bug of its own.
        order: nextFloat(random) - (least === undefined ? 0 : 1),
        walk: { from: places[from], to: places[to], expect, leastLength: least?.length ?? 0 },
      });
    }
  }
  walks.sort((p, q) => p.order - q.order);
  return walks.slice(0, MOST_WALKS).map(({ walk }) => walk);
}
