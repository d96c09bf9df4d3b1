/** Crowds on worlds that change: agents beneath an obstacle are moved and reported, and paths are repaired where they were cut. */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, getAgent, listAgents } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { listEvents } from '../../../../src/agents/crowd/state/events.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { setEnabled } from '../../../../src/mesh/change/enable.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { createWorld } from '../../../../src/world/levels/create.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { addObstacle, removeObstacle } from '../../../../src/world/levels/obstacles.ts';
import type { World, WorldOptions } from '../../../../src/world/levels/types.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { box } from '../../world/levels/level-cases.ts';

const OPTIONS: WorldOptions = {
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 },
  cellSize: 0.25,
  cellHeight: 0.125,
  tileSize: 8,
  regionMinArea: 0.5,
};

/** Agents of the large crowd. `npm run soak` runs 200. */
const AGENTS = process.env.NAVKILN_CROWDS === undefined ? 100 : 200;

function yard(size: number, options: WorldOptions = OPTIONS): World {
  const world = createWorld(options);
  addLevel(world, box(size, 0.5, size), { position: [0, -0.5, 0] });
  return world;
}

/** Checks that each agent stands on the mesh. */
function expectOnMesh(crowd: Crowd, what: string): void {
  for (const id of listAgents(crowd)) {
    const { position } = getAgent(crowd, id)!;
    const { distance } = findNearest(crowd.mesh, position, { halfExtents: [1, 2, 1] });
    expect(distance, `${what}, agent ${id} at ${position.join()}`).toBeLessThan(0.01);
  }
}

describe('an obstacle that lands among agents', () => {
  it('moves agents beneath it to the nearest free position, and reports them', () => {
    const world = yard(20);
    const { navMesh } = updateWorld(world);
    const crowd = createCrowd(navMesh, { maxAgents: 50 });
    const spots = [6, 8, 9.5, 10, 10.4, 11, 12.5, 14];
    const ids = spots.map((x) => addAgent(crowd, [x, 0, 10]));
    stepCrowd(crowd);
    addObstacle(world, { type: 'box', size: [4, 2, 4], position: [10, 1, 10] });
    updateWorld(world);
    stepCrowd(crowd);
    expectOnMesh(crowd, 'after the obstacle');
    const relocated = listEvents(crowd).filter(({ kind }) => kind === 'relocated');
    expect(relocated.map(({ agent }) => agent)).toEqual(ids.filter((_, i) => Math.abs(spots[i]! - 10) < 2.3));
    // No farther than to the border of the hole, half of 4 and the radius, and the room that they make for each other.
    ids.forEach((id, i) => {
      const { position } = getAgent(crowd, id)!;
      const moved = Math.hypot(position[0] - spots[i]!, position[2] - 10);
      expect(moved, `agent ${i}`).toBeLessThan(Math.max(0, 2.4 - Math.abs(spots[i]! - 10)) + 0.9);
    });
  });

  it('moves nobody through a wall or to another storey', () => {
    const world = yard(20);
    // A wall at z = 10, and a platform above the room behind it.
    addLevel(world, box(20, 2.5, 0.3), { position: [0, 0, 9.85] });
    addLevel(world, box(6, 0.2, 4), { position: [7, 2.3, 4] });
    const { navMesh } = updateWorld(world);
    const crowd = createCrowd(navMesh, { maxAgents: 8 });
    const id = addAgent(crowd, [10, 0, 9.3]);
    stepCrowd(crowd);
    // The nearest place is behind the wall, 1.3 away.
    addObstacle(world, { type: 'box', size: [9, 2, 3], position: [10, 1, 8] });
    updateWorld(world);
    stepCrowd(crowd);
    const { position } = getAgent(crowd, id)!;
    expect(position[2]).toBeLessThan(9.7);
    expect(Math.abs(position[1])).toBeLessThan(0.3);
    expect(listEvents(crowd)).toEqual([{ kind: 'relocated', agent: id }]);
    expectOnMesh(crowd, 'after the obstacle');
  });

  it('reports an agent as lost when its room is full, and finds it when there is room again', () => {
    const world = yard(20);
    for (const [x, z, w, d] of [
      [8.5, 8.5, 3, 0.3],
      [8.5, 11.2, 3, 0.3],
      [8.5, 8.5, 0.3, 3],
      [11.2, 8.5, 0.3, 3],
    ] as const)
      addLevel(world, box(w, 2.5, d), { position: [x, 0, z] });
    const { navMesh } = updateWorld(world);
    const crowd = createCrowd(navMesh, { maxAgents: 8 });
    const id = addAgent(crowd, [10, 0, 10]);
    for (let i = 0; i < 5; i++) stepCrowd(crowd);
    const stone = addObstacle(world, { type: 'box', size: [3, 2, 3], position: [10, 1, 10] });
    updateWorld(world);
    stepCrowd(crowd);
    expect(listEvents(crowd)).toEqual([{ kind: 'lost', agent: id }]);
    removeObstacle(world, stone);
    updateWorld(world);
    stepCrowd(crowd);
    expect(listEvents(crowd)).toEqual([{ kind: 'found', agent: id }]);
    expectOnMesh(crowd, 'after the stone is gone');
  });

  it(`costs few searches among ${AGENTS} agents, and all arrive`, { timeout: 900_000 }, () => {
    const world = yard(64);
    for (let i = 0; i < 3; i++) addLevel(world, box(0.5, 2, 40), { position: [16 + 16 * i, 0, i % 2 === 0 ? 0 : 24] });
    const { navMesh } = updateWorld(world);
    const crowd = createCrowd(navMesh, { maxAgents: AGENTS });
    const goals = new Map<AgentId, number[]>();
    for (let i = 0; i < AGENTS; i++) {
      const [x, z] = [1.5 + 1.2 * (i % 4), 2 + 1.2 * Math.floor(i / 4)];
      const isForward = i % 2 === 0;
      const id = addAgent(crowd, [isForward ? x : 64 - x, 0, z], { maxSpeed: 3 });
      const goal = [isForward ? 64 - x : x, 0, z];
      expect(moveAgentTo(crowd, id, goal)).toBe('accepted');
      goals.set(id, goal);
    }
    for (let tick = 0; tick < 300; tick++) stepCrowd(crowd);
    const before = crowd.searchCount;
    const at = getAgent(crowd, listAgents(crowd)[50]!)!.position;
    addObstacle(world, { type: 'box', size: [4, 2, 4], position: [at[0], 1, at[2]] });
    const { changedTileCount } = updateWorld(world);
    expect(changedTileCount).toBeGreaterThan(0);
    let relocated = 0;
    for (let tick = 0; tick < 120; tick++) {
      stepCrowd(crowd);
      relocated += listEvents(crowd).filter(({ kind }) => kind === 'relocated').length;
    }
    const searches = crowd.searchCount - before;
    console.info(
      `one obstacle among ${AGENTS} agents: ${changedTileCount} tiles, ${searches} searches, ${relocated} relocated`,
    );
    expect(searches).toBeLessThanOrEqual(20);
    expect(relocated).toBeGreaterThan(0);
    expectOnMesh(crowd, 'two seconds later');
    const isAtRest = (id: AgentId): boolean => ['arrived', 'settled'].includes(getAgent(crowd, id)!.status);
    for (let tick = 0; tick < 60 * 180 && !listAgents(crowd).every(isAtRest); tick++) stepCrowd(crowd);
    for (const id of listAgents(crowd))
      expect(['arrived', 'settled'], `agent ${id}`).toContain(getAgent(crowd, id)!.status);
    expectOnMesh(crowd, 'at the end');
  });
});

it('a bridge that is disabled beneath agents moves them to its nearer end', () => {
  const options: WorldOptions = {
    ...OPTIONS,
    volumes: createVolumes([{ type: 'box', name: 'bridge', min: [6, -1, -1], max: [26, 1, 5] }]),
  };
  const world = createWorld(options);
  addLevel(world, box(32, 0.5, 4), { position: [0, -0.5, 0] });
  const { navMesh } = updateWorld(world);
  const crowd = createCrowd(navMesh, { maxAgents: 8 });
  const ids = [8, 12, 20, 24].map((x) => addAgent(crowd, [x, 0, 2]));
  stepCrowd(crowd);
  setEnabled(navMesh, 'bridge', false);
  stepCrowd(crowd);
  const sides = ids.map((id) => getAgent(crowd, id)!.position[0]);
  expect(sides.map((x) => (x < 6.4 ? 'near' : x > 25.6 ? 'far' : 'on it'))).toEqual(['near', 'near', 'far', 'far']);
  expect(listEvents(crowd).filter(({ kind }) => kind === 'relocated').length).toBe(4);
});
