/**
 * Step: finds the nearest neighbors of each agent on its floor, and marks the agents that sleep.
 *
 * The neighbors of an agent are the `MAX_NEIGHBORS` nearest agents that it senses, by the distance of centers in the
 * plane; at equal distance, lower slots come first. A sensed agent is on the mesh, stands on the same floor (floor.ts),
 * and is no farther away than the reach (reach.ts) plus both radii. Its `layers` share a bit with the first agent's
 * `mask`. Agents on links, in the air or lost neither sense nor are sensed. Agents asleep do not sense, but are sensed.
 *
 * Agents of one cell query one after the other. Each searches blocks of cells around it that double in size, until
 * everything outside is farther than its farthest neighbor so far. In a dense crowd the first block of 3 x 3 cells is
 * enough; where few agents are near, the reach ends the search. The neighbors of the last query give a first guess of
 * the distance to search. The result depends on neither the cells nor the guess.
 *
 * In: positions, bodies, layers and masks; `thinking`.
 * Out: `neighbors`, `neighborCount`, `neighborDistanceSq`; `AGENT_ASLEEP`.
 * Cost: constant per agent at a given density; agents on other floors are tested, too. No allocation after the first
 * tick with `maxAgents` slots.
 * Based on: own.
 * Tried: a search without the guess; collecting all candidates without branches and sorting by rank. Both are
 * slower (`npm run bench -- --only crowd`).
 */
import { AGENT_ASLEEP, MAX_NEIGHBORS, STATE_GROUND } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { indexBodies } from './bodies.ts';
import type { Bodies } from './bodies.ts';
import { FLOOR_CLIMB, FLOOR_SLOPE_SQ } from './floor.ts';
import { ALL_ENTRIES, SIZE_SIDE, blockRuns, cellOf, distanceToCellEdge, runsEnd } from './grid.ts';
import { reachOf } from './reach.ts';

/**
 * The first guess of the squared distance to search is this times the squared distance of the farthest neighbor in the
 * last query. When fewer than `MAX_NEIGHBORS` are found, the query runs again up to the reach.
 */
const GUESS = 1.2;

/**
 * Step: marks sleepers, then finds the neighbors of awake agents in `thinking`. Other awake agents keep the
 * neighbors and distances of their last turn; one of these may have left the mesh since.
 */
export function findNeighbors(crowd: Crowd): void {
  const { behaviors } = crowd;
  if (behaviors.areAllAsleep?.(crowd) === true) {
    for (let k = 0; k < crowd.activeCount; k++) crowd.agents.neighborCount[crowd.active[k]] = 0;
    return;
  }
  const bodies = indexBodies(crowd);
  behaviors.markSleepers?.(crowd);
  listNeighbors(crowd, bodies);
}

function listNeighbors(crowd: Crowd, bodies: Bodies): void {
  const { agents, active, activeCount, thinking, thinkingCount } = crowd;
  const { state, flags, mask, layers, position, radius, height: heights } = agents;
  const { neighbors, neighborCount, neighborDistanceSq } = agents;
  const { grid, floor } = bodies;
  const { slot: slotOf, xz, runs, ringRuns } = grid;
  const side = grid.size[SIZE_SIDE];
  const largest = bodies.largestRadius[0];
  const slopeSq = floor[FLOOR_SLOPE_SQ];
  const climb = floor[FLOOR_CLIMB];
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if (state[slot] !== STATE_GROUND || (flags[slot] & AGENT_ASLEEP) !== 0) neighborCount[slot] = 0;
  }
  const drift = bodies.drift[0];
  for (let k = 0; k < thinkingCount; k++) {
    const slot = thinking[k];
    if ((flags[slot] & AGENT_ASLEEP) !== 0 || state[slot] !== STATE_GROUND) continue;
    const x = position[3 * slot];
    const y = position[3 * slot + 1];
    const z = position[3 * slot + 2];
    const cx = cellOf(grid, x);
    const cz = cellOf(grid, z);
    const cellRuns = blockRuns(runs, grid, cx, cz, -1, 1);
    const height = heights[slot];
    const sensed = mask[slot];
    const reach = reachOf(agents, slot) + radius[slot];
    const base = MAX_NEIGHBORS * slot;
    const last = base + MAX_NEIGHBORS - 1;
    let found = base;
    const limit = (reach + largest) * (reach + largest);
    const guess = neighborCount[slot] === MAX_NEIGHBORS ? GUESS * neighborDistanceSq[last] : limit;
    // Nothing farther than `worst` can become a neighbor.
    let worst = guess < limit ? guess : limit;
    // Bodies outside of a block may have drifted into it.
    const toEdge = distanceToCellEdge(grid, x, z) - drift;

    let list = runs;
    let length = cellRuns;
    let outer = 1;
    for (;;) {
      const end = runsEnd(length);
      for (let n = 0; n < end; n += 2) {
        const to = list[n + 1];
        for (let j = list[n]; j < to; j++) {
          const dx = xz[2 * j] - x;
          const dz = xz[2 * j + 1] - z;
          const d = dx * dx + dz * dz;
          if (d > worst) continue;
          const other = slotOf[j];
          if (other === slot || (sensed & layers[other]) === 0) continue;
          const within = reach + radius[other];
          if (d > within * within) continue;
          // The test of `isOnFloor`, inlined.
          const dy = position[3 * other + 1] - y;
          if (dy !== 0) {
            const rise = dy < 0 ? -dy : dy;
            if (rise >= (dy < 0 ? heights[other] : height)) continue;
            const above = rise - climb;
            if (above > 0 && above * above > d * slopeSq) continue;
          }
          // Insert by distance, then slot. An entry that appears twice finds itself at its position.
          let at = found;
          while (at > base) {
            const before = neighborDistanceSq[at - 1];
            if (d > before || (d === before && other >= neighbors[at - 1])) break;
            at--;
          }
          if (at > base && neighbors[at - 1] === other) continue;
          if (at > last) continue;
          if (found <= last) found++;
          for (let m = found - 1; m > at; m--) {
            neighborDistanceSq[m] = neighborDistanceSq[m - 1];
            neighbors[m] = neighbors[m - 1];
          }
          neighborDistanceSq[at] = d;
          neighbors[at] = other;
          if (found > last) worst = neighborDistanceSq[last];
        }
      }
      const covered = toEdge + outer * side;
      if (length !== ALL_ENTRIES && (covered <= 0 || covered * covered <= worst)) {
        list = ringRuns;
        length = blockRuns(ringRuns, grid, cx, cz, outer, 2 * outer);
        outer *= 2;
        continue;
      }
      if (found > last || worst === limit) break;
      // The guess was too small: start over up to the reach.
      worst = limit;
      found = base;
      outer = 1;
      list = runs;
      length = cellRuns;
    }
    neighborCount[slot] = found - base;
  }
}
