/** Core crowds: they arrive and come to rest, grow by behaviors and orders, and refuse what they cannot do. */
import { describe, expect, it } from 'vitest';
import {
  detours,
  lanes,
  links,
  passages,
  repairs,
  sleeping,
  spacing,
  throttling,
  traffic,
} from '../../../../src/agents/crowd/behaviors.ts';
import { createCoreCrowd } from '../../../../src/agents/crowd/create-core.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { meshChanges } from '../../../../src/agents/crowd/follow-mesh.ts';
import { setLinkTraffic } from '../../../../src/agents/crowd/links/link-traffic.ts';
import { addAgent, getAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveGroupTo } from '../../../../src/agents/crowd/orders/group.ts';
import { followAgent, moveAgentTo, setAgentPosition } from '../../../../src/agents/crowd/orders/orders.ts';
import { patrolAgent } from '../../../../src/agents/crowd/orders/patrol.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { AGENT_ASLEEP } from '../../../../src/agents/crowd/state/types.ts';
import type { AgentId, Behavior, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import type { AgentOptions } from '../../../../src/agents/crowd/state/options.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { hall } from './traffic-run.ts';

const step = (crowd: Crowd, ticks: number): void => {
  for (let i = 0; i < ticks; i++) stepCrowd(crowd);
};

/** A hall with a gap that only links cross. */
const gap = (): ReturnType<typeof hall> => hall(22, 10, (x) => x < 10 || x > 11);
const LINK = { start: [9.5, 0, 5], end: [12.5, 0, 5] } as const;

/** Agents in rows on the left, and their ids. */
function addRows(crowd: Crowd, count: number): AgentId[] {
  return Array.from({ length: count }, (_, i) => addAgent(crowd, [1 + (i % 4), 0, 1 + Math.floor(i / 4)]));
}

describe('a core crowd', () => {
  it('crosses a hall without overlaps, and all agents arrive', () => {
    const crowd = createCoreCrowd(
      hall(22, 10, () => true),
      { maxAgents: 24 },
    );
    const ids = addRows(crowd, 24);
    ids.forEach((id, i) => moveAgentTo(crowd, id, [14 + 2 * (i % 4), 0, 1 + 1.6 * Math.floor(i / 4)]));
    const { position, radius } = crowd.agents;
    let deepest = 0;
    for (let tick = 0; tick < 60 * 40; tick++) {
      stepCrowd(crowd);
      for (let a = 0; a < 24; a++) {
        for (let b = 0; b < a; b++) {
          const d = Math.hypot(position[3 * a] - position[3 * b], position[3 * a + 2] - position[3 * b + 2]);
          deepest = Math.max(deepest, (radius[a] + radius[b] - d) / radius[a]);
        }
      }
    }
    expect(ids.map((id) => getAgent(crowd, id)!.status)).toEqual(ids.map(() => 'arrived'));
    expect(deepest).toBeLessThan(0.05);
  });

  it('comes to rest around one goal', () => {
    const crowd = createCoreCrowd(
      hall(22, 10, () => true),
      { maxAgents: 16 },
    );
    const ids = addRows(crowd, 16);
    for (const id of ids) moveAgentTo(crowd, id, [15, 0, 5]);
    step(crowd, 60 * 40);
    for (const id of ids) expect(getAgent(crowd, id)!.status).toMatch(/^(arrived|settled)$/);
    const before = crowd.agents.position.slice();
    step(crowd, 60);
    expect(crowd.agents.position).toEqual(before);
  });

  it('sleeps with the behavior, at the same positions', () => {
    const make = (behaviors: Behavior[]): Crowd => {
      const crowd = createCoreCrowd(
        hall(22, 10, () => true),
        { maxAgents: 16, behaviors },
      );
      for (const id of addRows(crowd, 16)) moveAgentTo(crowd, id, [15, 0, 5]);
      step(crowd, 60 * 40);
      return crowd;
    };
    const [plain, drowsy] = [make([]), make([sleeping])];
    const asleep = ({ agents }: Crowd): number => agents.flags.filter((flags) => (flags & AGENT_ASLEEP) !== 0).length;
    expect([asleep(plain), asleep(drowsy)]).toEqual([0, 16]);
    expect(drowsy.agents.position).toEqual(plain.agents.position);
  });

  it.each([
    ['meshChanges', [meshChanges]],
    ['repairs', [repairs]],
    ['no behavior', []],
  ] as const)('on a mesh that changes, with %s, follows the change or refuses it', (_, behaviors) => {
    const mesh = hall(22, 10, () => true);
    const crowd = createCoreCrowd(mesh, { maxAgents: 4, behaviors });
    const id = addAgent(crowd, [2, 0, 5]);
    moveAgentTo(crowd, id, [19, 0, 5]);
    step(crowd, 60);
    addLink(mesh, { start: [1, 0, 1], end: [1, 0, 9] });
    if (behaviors.length === 0) {
      expect(() => stepCrowd(crowd)).toThrow(
        'createCoreCrowd: the mesh has changed; add meshChanges to options.behaviors',
      );
      return;
    }
    step(crowd, 60 * 20);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
  });

  it('refuses options of agents that need a behavior', () => {
    const mesh = hall(22, 10, () => true);
    const crowd = createCoreCrowd(mesh);
    const attempt = (options: AgentOptions) => () => addAgent(crowd, [2, 0, 2], options);
    expect(attempt({ separationWeight: 1 })).toThrow(
      'addAgent: agents with a separationWeight need createCrowd(mesh, { behaviors: [spacing] })',
    );
    expect(attempt({ detail: 'low' })).toThrow(
      "agents with detail 'low' need createCrowd(mesh, { behaviors: [throttling] })",
    );
    const able = createCoreCrowd(mesh, { behaviors: [spacing, throttling, detours] });
    expect(addAgent(able, [2, 0, 2], { separationWeight: 1, detail: 'low' })).not.toBe(0);
  });

  it('lets agents that the caller moves leave the mesh and return', () => {
    const crowd = createCoreCrowd(
      hall(22, 10, () => true),
      { maxAgents: 4 },
    );
    const id = addAgent(crowd, [2, 0, 2], { owner: 'user' });
    expect(setAgentPosition(crowd, id, [-50, 0, 2])).toBe('off-mesh');
    step(crowd, 60);
    expect(getAgent(crowd, id)!.place).toBe('ground');
  });

  it('takes orders that bring their own behavior', () => {
    const crowd = createCoreCrowd(
      hall(22, 10, () => true),
      { maxAgents: 4 },
    );
    const [a, b, c, d] = addRows(crowd, 4);
    patrolAgent(crowd, a, [
      [2, 0, 8],
      [8, 0, 8],
    ]);
    followAgent(crowd, b, a);
    moveGroupTo(crowd, [c, d], [18, 0, 2]);
    step(crowd, 60 * 20);
    expect(getAgent(crowd, c)!.status).toBe('arrived');
    expect(getAgent(crowd, a)!.patrolPoint).not.toBeNull();
    const [x, , z] = getAgent(crowd, a)!.position;
    const at = getAgent(crowd, b)!.position;
    expect(Math.hypot(at[0] - x, at[2] - z)).toBeLessThan(3);
  });

  it('refuses a mesh with links, and crosses them with the behavior', () => {
    const mesh = gap();
    const ref = addLink(mesh, LINK);
    expect(() => createCoreCrowd(mesh)).toThrow('createCoreCrowd: mesh.linkCount is 1; must be 0, or add links');
    const crowd = createCoreCrowd(mesh, { maxAgents: 4, behaviors: [links] });
    setLinkTraffic(crowd, ref, { capacity: 1 });
    const ids = [addAgent(crowd, [5, 0, 4]), addAgent(crowd, [5, 0, 6])];
    ids.forEach((id, i) => moveAgentTo(crowd, id, [18, 0, 3 + 3 * i]));
    step(crowd, 60 * 30);
    for (const id of ids) expect(getAgent(crowd, id)!.status).toBe('arrived');
  });
});

describe('saves', () => {
  const mesh = hall(22, 10, () => true);
  const LISTS: Behavior[][] = [[], [lanes], [passages, lanes], [traffic], [sleeping, throttling, detours, spacing]];

  it.each(LISTS.map((list, i) => [i, list] as const))('of list %i continue with the same list', (_, behaviors) => {
    const make = (): Crowd => createCoreCrowd(mesh, { maxAgents: 12, behaviors });
    const crowd = make();
    const ids = addRows(crowd, 12);
    for (const id of ids) moveAgentTo(crowd, id, [15, 0, 5]);
    step(crowd, 100);
    const other = make();
    restoreCrowd(other, saveCrowd(crowd));
    step(crowd, 300);
    step(other, 300);
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
  });

  it('are refused by crowds with other behaviors, which are named', () => {
    const full = saveCrowd(createCrowd(mesh, { maxAgents: 12 }));
    const core = createCoreCrowd(mesh, { maxAgents: 12, behaviors: [lanes] });
    addAgent(core, [2, 0, 2]);
    const before = hashCrowd(core);
    expect(() => restoreCrowd(core, full)).toThrow(
      /other behaviors \(traffic, passages, links, goalFields, shortcuts, repairs, sleeping, throttling, detours\)/,
    );
    expect(hashCrowd(core)).toBe(before);
    expect(() => restoreCrowd(createCrowd(mesh, { maxAgents: 12 }), saveCrowd(core))).toThrow('other behaviors');
  });

  it('a list of behaviors is checked', () => {
    expect(() => createCoreCrowd(mesh, { behaviors: 3 as never })).toThrow('createCoreCrowd: options.behaviors');
    expect(() => createCrowd(mesh, { behaviors: [null as never] })).toThrow('createCrowd: options.behaviors[0]');
    expect(() => createCrowd(mesh, { behaviors: [{ useLinks: 1 } as never] })).toThrow('a behavior of navkiln/crowd');
  });
});
