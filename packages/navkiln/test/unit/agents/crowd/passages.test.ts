/** Turns in narrow passages, in which no two agents fit beside each other. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { explainAgent } from '../../../../src/agents/crowd/explain.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import type { AgentId } from '../../../../src/agents/crowd/state/types.ts';
import { hall, info, put, run, startRun } from './traffic-run.ts';
import type { Run } from './traffic-run.ts';

const RADIUS = 0.55;
const [WEST, EAST] = [9, 19];

/** Two halls, and between them a corridor of 10 x 1, in which agents of radius 0.55 cannot pass each other. */
const corridor = (): Run['crowd']['mesh'] => hall(28, 9, (x, z) => x < WEST || x >= EAST || z === 4);

/** Adds agents in the western or the eastern hall, with goals in the other one. */
function walkers(target: Run, count: number, isWest: boolean): AgentId[] {
  const across = (x: number): number => (isWest ? x : 28 - x);
  return Array.from({ length: count }, (_, i) => {
    const [along, z] = [1 + 2 * Math.floor(i / 3), 1 + 3 * (i % 3)];
    const id = put(target, [across(7 - along), 0, z], { radius: RADIUS });
    moveAgentTo(target.crowd, id, [across(21 + along), 0, z + 0.7]);
    return id;
  });
}

describe('a corridor in which one agent fits', () => {
  it('is passed in turns: nobody goes back in it, and those that wait say why', () => {
    const target = startRun(corridor());
    const groups = [walkers(target, 9, true), walkers(target, 9, false)];
    const ids = groups.flat();
    // How far each has come, and the sides from which agents are in the corridor.
    const best = new Map<AgentId, number>();
    const reasons = new Set<string>();
    let [back, mixed, changes, last] = [0, 0, 0, -1];
    run(target, 90, () => {
      const sides = [0, 0];
      groups.forEach((group, side) => {
        for (const id of group) {
          const [x] = info(target, id).position;
          const way = side === 0 ? x : -x;
          if (x > WEST + 1 && x < EAST - 1) {
            sides[side]++;
            back = Math.max(back, (best.get(id) ?? way) - way);
            best.set(id, Math.max(best.get(id) ?? way, way));
          }
        }
      });
      if (sides[0] > 0 && sides[1] > 0) mixed++;
      else if (sides[0] + sides[1] > 0 && last !== Math.sign(sides[1])) {
        last = Math.sign(sides[1]);
        changes++;
      }
      if (target.crowd.tick % 30 === 0) for (const id of ids) reasons.add(explainAgent(target.crowd, id).reason);
      return ids.every((id) => info(target, id).status === 'arrived');
    });
    for (const id of ids) expect(info(target, id).status).toBe('arrived');
    expect(back).toBeLessThan(RADIUS);
    expect(mixed).toBe(0);
    expect(changes).toBeGreaterThan(1);
    expect(reasons).toContain('passage-queue');
    // 54 s here; 97 s without turns.
    expect(target.crowd.tick / 60).toBeLessThan(70);
  });

  it('holds up nobody when all go the same way', () => {
    const alone = startRun(corridor());
    const first = walkers(alone, 1, true)[0];
    const seconds = run(alone, 60, () => info(alone, first).status === 'arrived');
    const target = startRun(corridor());
    const ids = walkers(target, 3, true);
    // The second and the third come when those before are in the middle, and out.
    let waits = 0;
    run(target, 60, () => {
      for (const id of ids) if (explainAgent(target.crowd, id).reason === 'passage-queue') waits++;
      return ids.every((id) => info(target, id).status === 'arrived');
    });
    expect(waits).toBe(0);
    expect(target.crowd.tick / 60).toBeLessThan(seconds + 4);
  });

  it('goes on from a save as the saved crowd does', () => {
    const target = startRun(corridor());
    walkers(target, 6, true);
    walkers(target, 6, false);
    run(target, 9);
    const copy = createCrowd(target.crowd.mesh, { maxAgents: 128 });
    restoreCrowd(copy, saveCrowd(target.crowd));
    for (let tick = 0; tick < 600; tick++) {
      stepCrowd(target.crowd);
      stepCrowd(copy);
    }
    expect(hashCrowd(copy)).toBe(hashCrowd(target.crowd));
  });
});
