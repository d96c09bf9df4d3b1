/** A mesh that changes under a crowd: no dense index of a removed tile is used, not even by orders between the change and the tick. */
import { expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { setLinkTraffic } from '../../../../src/agents/crowd/links/link-traffic.ts';
import { addAgent, getAgent, setAgentOptions } from '../../../../src/agents/crowd/orders/agents.ts';
import {
  followAgent,
  moveAgentTo,
  setAgentPosition,
  setAgentVelocity,
  stopAgent,
} from '../../../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { agentSlotOf } from '../../../../src/agents/crowd/state/ids.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { validateCorridor } from '../../../../src/agents/corridor/validate.ts';
import { areOnOneIsland } from '../../../../src/mesh/islands.ts';
import { addLink, removeLink } from '../../../../src/mesh/change/links.ts';
import { polyIndexOf } from '../../../../src/mesh/ref.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh, PolyRef } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { TILE, squaresTile, tiledMesh } from '../../mesh/tiled-meshes.ts';

const flat = (x: number, n: number = 3): Parameters<typeof addTile>[1] =>
  squaresTile(
    x,
    0,
    0,
    n,
    () => true,
    () => 0,
  );

/** Builds a mesh of tiles in a row. */
function row(positions: readonly number[]): NavMesh {
  const mesh = tiledMesh();
  for (const x of positions) addTile(mesh, flat(x));
  return mesh;
}

const middle = (x: number): [number, number, number] => [(x + 0.5) * TILE, 0, TILE / 2];
const remove = (mesh: NavMesh, x: number): boolean => removeTile(mesh, findTile(mesh, x, 0, 0));

/** Expects that an agent names polygons that exist, after a tick. */
function expectInStep(crowd: Crowd, id: AgentId): void {
  const { agents, mesh, corridors } = crowd;
  const slot = agentSlotOf(crowd, id);
  expect(polyIndexOf(mesh, agents.polyRef[slot] as PolyRef)).toBe(agents.poly[slot]);
  expect(validateCorridor(corridors[slot], mesh)).toEqual([]);
  expect(validateNavMesh(mesh)).toEqual([]);
}

it('areOnOneIsland answers 0 for polygons of removed tiles, and changes nothing', () => {
  const mesh = row([0, 1, 3, 5]);
  const first = mesh.tilePolyStart[findTile(mesh, 1, 0, 0)];
  remove(mesh, 1);
  for (const gone of [first, first + 8, mesh.polyCount, -1, 0.5, NaN]) {
    expect([areOnOneIsland(mesh, gone, 0), areOnOneIsland(mesh, 0, gone), areOnOneIsland(mesh, gone, gone)]).toEqual([
      0, 0, 0,
    ]);
  }
  expect(validateNavMesh(mesh)).toEqual([]);
});

it('a lost agent forgets the polygon of its goal with the tile', () => {
  const mesh = row([0, 1, 9, 20]);
  const crowd = createCrowd(mesh, { maxAgents: 4, stepSeconds: 0.1 });
  const id = addAgent(crowd, middle(0), { radius: 0.3 });
  moveAgentTo(crowd, id, middle(1));
  stepCrowd(crowd);
  remove(mesh, 0);
  setAgentOptions(crowd, id, { owner: 'user' });
  setAgentPosition(crowd, id, [500, 0, 500]);
  for (let i = 0; i < 3; i++) stepCrowd(crowd);
  expect(getAgent(crowd, id)!.place).toBe('lost');
  // The goal's polygon goes while the agent is lost. Another tile takes its place in the pools, then its own comes back.
  remove(mesh, 1);
  addTile(mesh, flat(30, 1));
  addTile(mesh, flat(0));
  expect(crowd.agents.goalPoly[0]).toBeGreaterThanOrEqual(0);
  for (let i = 0; i < 20; i++) stepCrowd(crowd);
  expect(crowd.agents.goalPoly[0]).toBe(-1);
  expect(setAgentPosition(crowd, id, middle(0))).toBe('accepted');
  for (let i = 0; i < 5; i++) stepCrowd(crowd);
  expectInStep(crowd, id);
});

it('orders between a change of the mesh and the tick use no removed polygon', () => {
  const mesh = row([0, 1, 2]);
  const crowd = createCrowd(mesh, { maxAgents: 8, stepSeconds: 0.1 });
  const [walker, leader, follower, stopper] = [0, 1, 2, 1].map((x) => addAgent(crowd, middle(x), { radius: 0.3 }));
  const player = addAgent(crowd, middle(1), { radius: 0.3, owner: 'user' });
  for (const id of [walker, stopper, player]) moveAgentTo(crowd, id, middle(2));
  for (let i = 0; i < 5; i++) stepCrowd(crowd);
  remove(mesh, 1);
  addTile(mesh, flat(1, 2));
  moveAgentTo(crowd, walker, [2 * TILE + 1, 0, 3]);
  followAgent(crowd, follower, leader);
  stopAgent(crowd, stopper);
  expect(setAgentPosition(crowd, player, [1.4 * TILE, 0, 5])).toBe('accepted');
  stepCrowd(crowd);
  for (const id of [walker, leader, follower, stopper, player]) expectInStep(crowd, id);
  expect(getAgent(crowd, stopper)!.status).toBe('idle');
});

it('an agent that is no longer only avoided stands on a polygon of the mesh', () => {
  const mesh = row([0, 1]);
  const crowd = createCrowd(mesh, { maxAgents: 4, stepSeconds: 0.1 });
  const id = addAgent(crowd, middle(0), { radius: 0.3, avoidOnly: true });
  stepCrowd(crowd);
  remove(mesh, 0);
  setAgentPosition(crowd, id, [1.2 * TILE, 0, 4]);
  stepCrowd(crowd);
  setAgentOptions(crowd, id, { avoidOnly: false, owner: 'crowd' });
  expect(moveAgentTo(crowd, id, middle(1))).toBe('accepted');
  for (let i = 0; i < 5; i++) stepCrowd(crowd);
  expectInStep(crowd, id);
  expect(getAgent(crowd, id)!.place).toBe('ground');
});

it('settings of removed links are forgotten', () => {
  const mesh = row([0, 2, 4]);
  const crowd = createCrowd(mesh, { maxAgents: 4 });
  addAgent(crowd, middle(0));
  const links = [0, 1, 2].map(() => addLink(mesh, { start: middle(0), end: middle(2), radius: 1 }));
  for (const link of links) setLinkTraffic(crowd, link, { capacity: 1 });
  removeLink(mesh, links[1]);
  stepCrowd(crowd);
  expect(crowd.linkTraffic.map(({ ref }) => ref)).toEqual([links[0], links[2]]);
});

it('another radius finds the walls again', () => {
  const mesh = row([0]);
  const crowd = createCrowd(mesh, { maxAgents: 4, stepSeconds: 0.1 });
  const id = addAgent(crowd, [2, 0, 6], { radius: 0.2, maxSpeed: 0.5 });
  // Awake, and nearly at rest.
  setAgentVelocity(crowd, id, [1e-6, 0, 0]);
  for (let i = 0; i < 12; i++) stepCrowd(crowd);
  expect(crowd.agents.wallCount[0]).toBe(0);
  setAgentOptions(crowd, id, { radius: 1.2 });
  for (let i = 0; i < 12; i++) stepCrowd(crowd);
  expect(crowd.agents.wallCount[0]).toBeGreaterThan(0);
});
