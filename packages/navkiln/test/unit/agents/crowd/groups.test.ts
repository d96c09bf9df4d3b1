/** Groups that move in formation and arrive together. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { explainAgent } from '../../../../src/agents/crowd/explain.ts';
import { addAgent, getAgent, removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveGroupTo } from '../../../../src/agents/crowd/orders/group.ts';
import { moveAgentTo, stopAgent } from '../../../../src/agents/crowd/orders/orders.ts';
import { queueAgentMove } from '../../../../src/agents/crowd/orders/patrol.ts';
import { pauseAgent } from '../../../../src/agents/crowd/orders/pause.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { listEvents } from '../../../../src/agents/crowd/state/events.ts';
import { NULL_AGENT } from '../../../../src/agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { gridTile, meshOf } from '../../meshes.ts';

const plain = (maxAgents = 16): Crowd => createCrowd(meshOf(gridTile(40, 20)), { maxAgents });
const placeOf = (crowd: Crowd, id: AgentId): [number, number] => {
  const { position } = getAgent(crowd, id)!;
  return [position[0], position[2]];
};
/** Runs until all agents have reported, and returns the tick of each. */
function run(crowd: Crowd, ids: AgentId[], ticks = 3000): number[] {
  const at = new Map<AgentId, number>();
  for (let i = 0; i < ticks && at.size < ids.length; i++) {
    stepCrowd(crowd);
    for (const { kind, agent } of listEvents(crowd)) if (kind === 'arrived') at.set(agent, crowd.tick);
  }
  return ids.map((id) => at.get(id) ?? Infinity);
}
const spread = (ticks: number[]): number => Math.max(...ticks) - Math.min(...ticks);

/** Six agents at different distances and speeds. */
function six(crowd: Crowd): AgentId[] {
  return [0, 1, 2, 3, 4, 5].map((k) =>
    addAgent(crowd, [2 + 1.7 * k, 0, 10 + (k % 3) * 1.4 - 3 * Math.floor(k / 3)], {
      radius: 0.3,
      maxSpeed: 2 + 0.3 * k,
    }),
  );
}

describe('a group', () => {
  it.each([
    ['line', 1, 6],
    ['block', 2, 3],
    ['column', 6, 1],
  ] as const)('arrives together in a %s', (formation, rows, columns) => {
    const crowd = plain();
    const ids = six(crowd);
    expect(moveGroupTo(crowd, ids, [32, 0, 10], { formation, spacing: 1.5 })).toEqual(ids.map(() => 'accepted'));
    const ticks = run(crowd, ids);
    // Alone, the nearest and fastest one takes 7 s and the farthest and slowest one 15 s.
    expect(spread(ticks)).toBeLessThan(60);
    const places = ids.map((id) => placeOf(crowd, id));
    const distinct = (values: number[]): number => new Set(values.map((value) => Math.round(value / 0.75))).size;
    // It faces almost along x.
    expect([distinct(places.map(([x]) => x)), distinct(places.map(([, z]) => z))]).toEqual(
      [rows, columns].map((count) => expect.toSatisfy((value: number) => value >= count && value <= count + 1)),
    );
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b < a; b++) {
        expect(Math.hypot(places[a]![0] - places[b]![0], places[a]![1] - places[b]![1])).toBeGreaterThan(1.1);
      }
    }
  });

  it('arrives much less together without the order', () => {
    const crowd = plain();
    const ids = six(crowd);
    ids.forEach((id, k) => moveAgentTo(crowd, id, [32, 0, 5 + 2 * k]));
    expect(spread(run(crowd, ids))).toBeGreaterThan(240);
  });

  it('keeps its shape on the way', () => {
    const crowd = plain();
    const offsets = [
      [0, 0],
      [1.5, 1.5],
      [0, 3],
      [-1.5, 1.5],
    ] as const;
    const ids = offsets.map(([x, z]) => addAgent(crowd, [4 + x, 0, 8 + z], { radius: 0.3, maxSpeed: 1 + (x + 2) / 2 }));
    moveGroupTo(crowd, ids, [30, 0, 9.5], { formation: 'keep' });
    let most = 0;
    for (let i = 0; i < 600; i++) {
      stepCrowd(crowd);
      const places = ids.map((id) => placeOf(crowd, id));
      const mid = [0, 1].map((k) => places.reduce((sum, place) => sum + place[k]!, 0) / 4);
      places.forEach(([x, z], k) => {
        const [ox, oz] = offsets[k]!;
        most = Math.max(most, Math.hypot(x - mid[0]! - ox, z - mid[1]! - (oz - 1.5)));
      });
    }
    expect(most).toBeLessThan(0.6);
    expect(placeOf(crowd, ids[0]!)[0]).toBeGreaterThan(10);
  });

  it('waits for the last agent and reports it, but not for one that cannot come', () => {
    const crowd = plain();
    const ids = [4, 12].map((x) => addAgent(crowd, [x, 0, 10], { radius: 0.3, maxSpeed: 2 }));
    moveGroupTo(crowd, ids, [30, 0, 10], { formation: 'line' });
    for (let i = 0; i < 60; i++) stepCrowd(crowd);
    expect(explainAgent(crowd, ids[1]!)).toMatchObject({ reason: 'keeps-pace' });
    expect(explainAgent(crowd, ids[0]!)).toMatchObject({ reason: 'moving' });
    expect(getAgent(crowd, ids[1]!)!.velocity[0]).toBeLessThan(1.5);
    pauseAgent(crowd, ids[0]!);
    for (let i = 0; i < 60; i++) stepCrowd(crowd);
    expect(getAgent(crowd, ids[1]!)!.velocity[0]).toBeGreaterThan(1.95);
    removeAgent(crowd, ids[0]!);
    expect(run(crowd, [ids[1]!])[0]).toBeLessThan(Infinity);
    expect(crowd.hasGroups).toBe(true);
    stopAgent(crowd, ids[1]!);
    stepCrowd(crowd);
    expect(crowd.hasGroups).toBe(false);
  });

  it('does not clog a door by waiting right behind it', () => {
    // The first slowed down before the last had passed: a group of ten took 57 s where single agents took 24 s.
    const [alone, together] = [false, true].map((isGroup) => {
      const crowd = createCrowd(meshOf(gridTile(32, 20, (x, z) => x !== 14 || z === 9 || z === 10)), { maxAgents: 16 });
      const ids = Array.from({ length: 10 }, (_, k) =>
        addAgent(crowd, [3 + (k % 4) * 1.2, 0, 8 + 1.2 * Math.floor(k / 4)], {
          radius: 0.3,
          maxSpeed: 1.5 + (k % 4) / 10,
        }),
      );
      if (isGroup) moveGroupTo(crowd, ids, [27, 0, 10]);
      else ids.forEach((id, k) => moveAgentTo(crowd, id, [25 + (k % 4), 0, 9 + Math.floor(k / 4)]));
      return run(crowd, ids);
    });
    expect(Math.max(...together!)).toBeLessThan(1.3 * Math.max(...alone!));
    expect(spread(together!)).toBeLessThan(spread(alone!) / 2);
  });

  it('takes another path when the gap ahead closes, and arrives together', () => {
    const crowd = createCrowd(meshOf(gridTile(40, 20, (x, z) => x !== 20 || (z > 3 && z < 7) || z > 15)), {
      maxAgents: 8,
    });
    const ids = six(crowd);
    moveGroupTo(crowd, ids, [34, 0, 6]);
    for (let i = 0; i < 200; i++) stepCrowd(crowd);
    for (let z = 4; z < 7; z++) {
      let poly = -1;
      const { mesh } = crowd;
      for (let p = 0; p < mesh.tilePolyCount[0]; p++) {
        const corner = 3 * mesh.edgeVertex[mesh.polyEdgeStart[p]];
        if (Math.floor(mesh.vertices[corner]) === 20 && Math.floor(mesh.vertices[corner + 2]) === z) poly = p;
      }
      setFlags(mesh, refOf(mesh, poly), 0);
    }
    const ticks = run(crowd, ids, 4000);
    expect(spread(ticks)).toBeLessThan(240);
  });

  it('is saved, restored and hashed', () => {
    const crowd = plain();
    const ids = six(crowd);
    const before = hashCrowd(crowd);
    moveGroupTo(crowd, ids, [32, 0, 10]);
    for (let i = 0; i < 100; i++) stepCrowd(crowd);
    const other = plain();
    restoreCrowd(other, saveCrowd(crowd));
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
    expect(run(other, ids)).toEqual(run(crowd, ids));
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
    expect(hashCrowd(crowd)).not.toBe(before);
  });

  it('is left by any other order, and groups do not mix', () => {
    const crowd = plain(6);
    const ids = six(crowd);
    for (const id of ids) moveGroupTo(crowd, [id], [32, 0, 10]);
    expect(new Set(crowd.agents.group).size).toBe(6);
    moveGroupTo(crowd, ids.slice(0, 3), [32, 0, 14]);
    moveGroupTo(crowd, ids.slice(3), [32, 0, 5]);
    expect(new Set(crowd.agents.group).size).toBe(2);
    expect(Math.max(...crowd.agents.group)).toBeLessThanOrEqual(6);
    queueAgentMove(crowd, ids[3]!, [20, 0, 5]);
    moveAgentTo(crowd, ids[0]!, [20, 0, 10]);
    expect(crowd.agents.group[0]).toBe(0);
    run(crowd, ids);
    for (let i = 0; i < 900; i++) stepCrowd(crowd);
    expect([Math.round(placeOf(crowd, ids[3]!)[0]), crowd.agents.group[3]]).toEqual([20, 0]);
  });

  it('answers for each id, and refuses what is wrong', () => {
    const crowd = plain();
    const ids = six(crowd);
    const player = addAgent(crowd, [3, 0, 3], { avoidOnly: true });
    removeAgent(crowd, ids[5]!);
    expect(moveGroupTo(crowd, [ids[0]!, ids[5]!, player, ids[0]!, NULL_AGENT, ids[1]!], [30, 0, 10])).toEqual([
      'accepted',
      'no-agent',
      'avoid-only',
      'no-agent',
      'no-agent',
      'accepted',
    ]);
    expect(moveGroupTo(crowd, [ids[2]!, player], [300, 0, 10])).toEqual(['off-mesh', 'avoid-only']);
    expect([getAgent(crowd, ids[2]!)!.goal, moveGroupTo(crowd, [], [3, 0, 3])]).toEqual([null, []]);
    for (const [options, message] of [
      [{ formation: 'wedge' }, /options\.formation is "wedge"; must be 'block'/],
      [{ spacing: 0 }, /options\.spacing is 0/],
      [{ gap: 1 }, /options\.gap is unknown/],
    ] as const) {
      expect(() => moveGroupTo(crowd, ids, [3, 0, 3], options as never)).toThrow(message);
    }
    expect(() => moveGroupTo(crowd, 5 as never, [3, 0, 3])).toThrow(/^moveGroupTo: ids/);
  });
});
