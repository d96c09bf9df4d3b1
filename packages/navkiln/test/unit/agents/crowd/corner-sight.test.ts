/** Corners that are kept while agents see them, compared with those of the whole string. */
import { describe, expect, it } from 'vitest';
import { createCorridorCorners, findCorridorCorners } from '../../../../src/agents/corridor/corners.ts';
import { seesCorner } from '../../../../src/agents/crowd/nearby/corner-sight.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { syncCorridorStart } from '../../../../src/agents/crowd/state/position.ts';
import { AGENT_STALE_CORNERS, STATE_GROUND, STATUS_MOVING } from '../../../../src/agents/crowd/state/types.ts';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import { hall, put, run, startRun } from './traffic-run.ts';

const WIDTH = 20;
const DEPTH = 14;

describe('the corners of an agent that sees the next one', () => {
  it.each([1, 2])('are those of the string from where it is now, among random pillars (seed %i)', (seed) => {
    const random = createRandom(seed);
    const isPillar = Array.from({ length: WIDTH * DEPTH }, () => nextRandom(random) < 0.2);
    const mesh = hall(WIDTH, DEPTH, (x, z) => !isPillar[WIDTH * Math.floor(z) + Math.floor(x)]);
    const target = startRun(mesh);
    const { crowd } = target;
    const place = (): [number, number, number] => [
      1 + nextRandom(random) * (WIDTH - 2),
      0,
      1 + nextRandom(random) * (DEPTH - 2),
    ];
    const ids = Array.from({ length: 30 }, () => put(target, place()));
    const corners = createCorridorCorners(2);
    const { agents } = crowd;
    const wrong: string[] = [];
    let turns = 0;
    let goals = 0;
    run(target, 10, () => {
      if (crowd.tick % 240 === 1) for (const id of ids) moveAgentTo(crowd, id, place());
      for (let slot = 0; slot < crowd.slotCount; slot++) {
        const isStale = (agents.flags[slot] & AGENT_STALE_CORNERS) !== 0;
        if (isStale || agents.state[slot] !== STATE_GROUND || agents.status[slot] !== STATUS_MOVING) continue;
        if (!seesCorner(crowd, slot)) continue;
        const at = 6 * slot;
        const dx = agents.corners[at] - agents.position[3 * slot];
        const dz = agents.corners[at + 2] - agents.position[3 * slot + 2];
        // Next to a corner, agents find it again in each turn.
        if (dx * dx + dz * dz < 0.04) continue;
        syncCorridorStart(crowd, slot);
        findCorridorCorners(corners, crowd.corridors[slot], mesh, 2);
        let isSame = corners.kinds[0] === agents.cornerKind[slot];
        for (let k = 0; k < 3 * corners.count; k++) isSame &&= corners.points[k] === agents.corners[at + k];
        if (!isSame) wrong.push(`tick ${crowd.tick}, slot ${slot}`);
        if (corners.count === 1) goals++;
        else turns++;
      }
      return false;
    });
    expect(wrong).toEqual([]);
    expect(Math.min(turns, goals)).toBeGreaterThan(1000);
  });
});
