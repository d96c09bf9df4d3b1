/**
 * Random searches of a crowd, with a path index and without: orders, agents that are added, removed and teleported,
 * tiles, flags and links that change, small budgets, and crowds saved and restored in between. After every tick an
 * agent waits once or not at all, is answered in time, and has a valid corridor. NAVKILN_SEED, NAVKILN_OPERATIONS:
 * ticks per world (150).
 */
import { describe, expect, it } from 'vitest';
import { addAgent, listAgents, removeAgent, teleportAgent } from '../../src/agents/crowd/orders/agents.ts';
import { validateCorridor } from '../../src/agents/corridor/validate.ts';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { agentSlotOf } from '../../src/agents/crowd/state/ids.ts';
import { followAgent, moveAgentTo, stopAgent } from '../../src/agents/crowd/orders/orders.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../src/agents/crowd/save/save.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import {
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_FREE,
  STATE_GROUND,
} from '../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../src/agents/crowd/state/types.ts';
import { listLinks, setLinkEnabled } from '../../src/mesh/change/links.ts';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import { buildPathIndex } from '../../src/query/index/build.ts';
import { updatePathIndex } from '../../src/query/index/update.ts';
import { findCorridor } from '../../src/query/path/a-star.ts';
import { createCorridor } from '../../src/query/path/corridor.ts';
import { setFlags } from '../../src/query/area.ts';
import { createSearchState } from '../../src/query/search-state.ts';
import { squaresTile } from '../unit/mesh/tiled-meshes.ts';
import { searchWorld } from '../unit/agents/crowd/search-worlds.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const TICKS = Number(process.env.NAVKILN_OPERATIONS ?? 150);

/** Returns the violations of the queue. */
function queueProblem({ searches, agents, slotCount }: Crowd): string {
  const queued = Array.from(searches.queue.subarray(0, searches.queueCount)).filter(
    (slot) => searches.turn[slot] === 2,
  );
  if (new Set(queued).size !== queued.length) return 'somebody is in the queue twice';
  let asked = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    const turn = searches.turn[slot];
    if (turn === 1) asked++;
    const waits = agents.state[slot] !== STATE_FREE && (agents.flags[slot] & AGENT_AWAITS_PATH) !== 0;
    if (waits !== (turn !== 0))
      return `slot ${slot} ${waits ? 'waits without a turn' : 'has a turn and does not wait'}`;
    if (turn === 2 && !queued.includes(slot)) return `slot ${slot} is not in the queue`;
  }
  if (asked !== searches.askedCount) return `${asked} have asked, not ${searches.askedCount}`;
  return searches.goalCount.some((count) => count !== 0) ? 'goals are still counted' : '';
}

describe('random searches', () => {
  it.each([0, 1, 2, 3].map((k) => SEED + k))('seed %d', (seed) => {
    const world = searchWorld(seed, { size: 3, links: seed % 2 === 0 ? 8 : 0 });
    const { mesh, filter, random, below, spot } = world;
    const pathIndex = seed % 4 > 1 ? buildPathIndex(mesh) : undefined;
    const searchBudget = [5, 12, 60, 400][seed % 4];
    const crowd = createCrowd(mesh, { maxAgents: 40, searchBudget, filters: [filter], pathIndex });
    const { agents, searches } = crowd;
    for (let i = 0; i < 30; i++) addAgent(crowd, spot().point, { radius: 0.2 });
    const counts = { answered: 0, partial: 0, changes: 0, restored: 0, compared: 0 };
    const state = createSearchState();
    const plain = createCorridor();
    // Ticks in the queue while it could have been answered.
    const waited = new Map<number, number>();
    for (let t = 0; t < TICKS; t++) {
      const ids = listAgents(crowd);
      for (let n = below(4); n > 0; n--) {
        const id = ids[below(ids.length)];
        const kind = random();
        const { point } = spot();
        if (kind < 0.45) moveAgentTo(crowd, id, point);
        else if (kind < 0.6) for (let i = 0; i < 8; i++) moveAgentTo(crowd, ids[below(ids.length)], point);
        else if (kind < 0.75) {
          const other = ids[below(ids.length)];
          if (other !== id) followAgent(crowd, id, other);
        } else if (kind < 0.8) stopAgent(crowd, id);
        else if (kind < 0.87) teleportAgent(crowd, id, point);
        else if (kind < 0.92 && ids.length > 10) removeAgent(crowd, id);
        else addAgent(crowd, point, { radius: 0.2 });
      }
      if (random() < 0.06) {
        counts.changes++;
        const kind = random();
        const poly = spot().poly;
        const isLive = polyIndexOf(mesh, refOf(mesh, poly)) === poly;
        if (kind < 0.4 && isLive) {
          setFlags(mesh, refOf(mesh, poly), [0, 1, 1, 2][below(4)]);
        } else if (kind < 0.6 && mesh.linkCount > 0) {
          const links = listLinks(mesh);
          setLinkEnabled(mesh, links[below(links.length)], random() < 0.6);
        } else {
          const slot = below(mesh.tileSlotCount);
          if (mesh.tileState[slot] === 1) {
            const [x, z, layer] = [mesh.tileX[slot], mesh.tileZ[slot], mesh.tileLayer[slot]];
            removeTile(mesh, slot);
            if (random() < 0.8)
              addTile(
                mesh,
                squaresTile(
                  x,
                  z,
                  layer,
                  2 + below(4),
                  () => random() < 0.9,
                  (a, b) => 0.1 * a + 0.05 * b + 4 * layer,
                ),
              );
          }
        }
      }
      if (random() < 0.1) {
        counts.restored++;
        const hash = hashCrowd(crowd);
        restoreCrowd(crowd, saveCrowd(crowd));
        expect(hashCrowd(crowd), `seed ${seed}, tick ${t}`).toBe(hash);
      }
      if (pathIndex !== undefined && random() < 0.5) updatePathIndex(pathIndex, mesh, { maxCorners: 1 + below(40) });
      const before = crowd.searchCount;
      const budget = crowd.searchBudget;
      stepCrowd(crowd);
      const what = `seed ${seed}, tick ${t}`;
      expect(queueProblem(crowd), what).toBe('');
      counts.answered += crowd.searchCount - before;
      // Over the budget by one agent's at most: ground on an island, a way back, and what is handed out.
      expect(budget - searches.left, what).toBeLessThanOrEqual(budget + 16 + 256 + 1 + mesh.polyCount / 4);
      for (let slot = 0; slot < crowd.slotCount; slot++) {
        if (agents.state[slot] !== STATE_GROUND) continue;
        const wrong = validateCorridor(crowd.corridors[slot], mesh);
        if (wrong.length > 0) expect(wrong, `${what}, slot ${slot}`).toEqual([]);
        const kind = agents.goalKind[slot];
        if (searches.turn[slot] === 0 || agents.goalPoly[slot] < 0 || (kind !== GOAL_POINT && kind !== GOAL_AGENT))
          waited.delete(slot);
        else waited.set(slot, (waited.get(slot) ?? 0) + 1);
        if (agents.searchTick[slot] !== crowd.tick || searches.turn[slot] !== 0 || agents.poly[slot] < 0) continue;
        if ((agents.flags[slot] & AGENT_PARTIAL) === 0) continue;
        counts.partial++;
        // A path is partial only if no path leads to the goal. (A follower's path may lead to the last position of its leader.)
        if (kind === GOAL_AGENT) continue;
        const goal = agents.goal.slice(3 * slot, 3 * slot + 3);
        findCorridor(
          plain,
          state,
          mesh,
          filter,
          agents.poly[slot],
          crowd.corridors[slot].position,
          agents.goalPoly[slot],
          goal,
          Infinity,
        );
        counts.compared++;
        expect(plain.outcome, what).not.toBe('complete');
      }
    }
    // All are answered once the orders stop: one per tick, except for searches that take longer.
    const most = 60 + 40 * Math.ceil(mesh.polyCount / crowd.searchBudget);
    for (let t = 0; t < most && searches.queueCount + searches.askedCount > 0; t++) stepCrowd(crowd);
    const stuck = Array.from(searches.queue.subarray(0, searches.queueCount)).filter(
      (slot) => agents.state[slot] === STATE_GROUND && agents.goalPoly[slot] >= 0,
    );
    expect(stuck, `seed ${seed}`).toEqual([]);
    const longest = Math.max(0, ...waited.values());
    console.log(
      `Searches at random, seed ${seed}, budget ${crowd.searchBudget}: ${JSON.stringify(counts)}, ${longest} ticks waited at the end`,
    );
    expect(counts.answered).toBeGreaterThan(TICKS / 50);
    expect(agentSlotOf(crowd, listAgents(crowd)[0])).toBeGreaterThanOrEqual(0);
  });
});
