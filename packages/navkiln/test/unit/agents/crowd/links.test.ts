/**
 * Links in a crowd: limited capacity, turns, both ends, landings, agents removed while they wait, and
 * settings.
 */
import { describe, expect, it } from 'vitest';
import { explainAgent } from '../../../../src/agents/crowd/explain.ts';
import { removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { setLinkTraffic } from '../../../../src/agents/crowd/links/link-traffic.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import type { AgentId } from '../../../../src/agents/crowd/state/types.ts';
import { addLink, removeLink } from '../../../../src/mesh/change/links.ts';
import type { LinkRef } from '../../../../src/mesh/types.ts';
import { distance, eventsOf, hall, info, put, run, startRun } from './traffic-run.ts';
import type { Run } from './traffic-run.ts';

/** Returns two halls of 10 x 10 with a gap of 2 between them, and a link over the gap. */
function gapRun(bothWays = false): { target: Run; link: LinkRef } {
  const mesh = hall(22, 10, (x) => x < 10 || x > 11);
  const link = addLink(mesh, { start: [9.5, 0, 5], end: [12.5, 0, 5], bothWays });
  return { target: startRun(mesh), link };
}

function crowdAt(target: Run, count: number, x0: number, goalX: number): AgentId[] {
  return Array.from({ length: count }, (_, i) => {
    const id = put(target, [x0 + (i % 4), 0, 1 + Math.floor(i / 4)]);
    moveAgentTo(target.crowd, id, [goalX + (i % 4), 0, 1 + Math.floor(i / 4)]);
    return id;
  });
}

/** Returns the largest number of agents on a link at a time, checked in each tick. */
function runCounting(target: Run, ids: readonly AgentId[], seconds: number): number {
  let most = 0;
  run(target, seconds, () => {
    most = Math.max(most, ids.filter((id) => info(target, id).place === 'link').length);
    return ids.every((id) => info(target, id).status === 'arrived');
  });
  return most;
}

describe('a link of capacity 1', () => {
  it('lets one agent after the other cross, as fast as a traversal takes', () => {
    const { target, link } = gapRun();
    setLinkTraffic(target.crowd, link, { capacity: 1, seconds: 1 });
    const ids = crowdAt(target, 20, 1, 14);
    expect(runCounting(target, ids, 90)).toBe(1);
    for (const id of ids) expect(eventsOf(target, id)).toEqual(['link-entered', 'link-left', 'arrived']);
    const left = target.events.filter(({ kind }) => kind === 'link-left').map(({ tick }) => tick);
    const seconds = (left[19] - left[0]) / 60;
    expect(19 / seconds).toBeGreaterThan(0.97);
    expect(19 / seconds).toBeLessThan(1.01);
  });

  it('serves both of its ends', () => {
    const { target, link } = gapRun(true);
    setLinkTraffic(target.crowd, link, { capacity: 1, seconds: 1 });
    const ids = [...crowdAt(target, 8, 1, 14), ...crowdAt(target, 8, 17, 4)];
    expect(runCounting(target, ids, 90)).toBe(1);
    for (const id of ids) expect(info(target, id).status).toBe('arrived');
  });

  it('goes on when the agent on it and a waiting one are removed', () => {
    const { target, link } = gapRun();
    setLinkTraffic(target.crowd, link, { capacity: 1, seconds: 1 });
    const ids = crowdAt(target, 8, 1, 14);
    run(target, 30, () => ids.some((id) => info(target, id).place === 'link'));
    const removed = (['link', 'ground'] as const).map((place) => ids.find((id) => info(target, id).place === place)!);
    for (const id of removed) removeAgent(target.crowd, id);
    const rest = ids.filter((id) => !removed.includes(id));
    expect(runCounting(target, rest, 60)).toBe(1);
    for (const id of rest) expect(info(target, id).status).toBe('arrived');
  });

  it('gives waiting agents the status queueing', () => {
    const { target, link } = gapRun();
    setLinkTraffic(target.crowd, link, { capacity: 1, seconds: 5 });
    const ids = crowdAt(target, 6, 6, 14);
    run(target, 9);
    expect(ids.filter((id) => info(target, id).status === 'queueing').length).toBeGreaterThanOrEqual(2);
    expect(target.events.filter(({ kind }) => kind === 'gave-up')).toEqual([]);
  });
});

describe('links', () => {
  it('hold as many agents as their capacity', () => {
    const { target, link } = gapRun();
    setLinkTraffic(target.crowd, link, { capacity: 3, seconds: 3 });
    const ids = crowdAt(target, 12, 1, 14);
    expect(runCounting(target, ids, 90)).toBe(3);
    for (const id of ids) expect(info(target, id).status).toBe('arrived');
  });

  it('without settings are entered at once and crossed at the agent’s speed', () => {
    const { target } = gapRun();
    const id = put(target, [8, 0, 5]);
    moveAgentTo(target.crowd, id, [15, 0, 5]);
    run(target, 20, () => info(target, id).status === 'arrived');
    const [entered, left] = target.events.map(({ tick }) => tick);
    // Three units, plus the distance to the near end.
    expect((left! - entered!) / 60).toBeGreaterThan(2);
    expect((left! - entered!) / 60).toBeLessThan(2.5);
  });

  it('wait twenty seconds for a landing on which a body stands that does not step aside', () => {
    const { target, link } = gapRun();
    setLinkTraffic(target.crowd, link, { capacity: 1, seconds: 1 });
    put(target, [12.5, 0, 5], { avoidOnly: true });
    const id = put(target, [8, 0, 5]);
    moveAgentTo(target.crowd, id, [15, 0, 5]);
    run(target, 40, () => info(target, id).status === 'arrived');
    const [entered, left] = target.events.map(({ tick }) => tick);
    expect((left! - entered!) / 60).toBeGreaterThan(20.9);
    expect((left! - entered!) / 60).toBeLessThan(21.2);
    expect(distance(target, id, [15, 0, 5])).toBeLessThan(0.2);
  });

  it('keep other agents out while one waits to leave, and explain it', () => {
    const { target } = gapRun();
    put(target, [12.5, 0, 5], { avoidOnly: true });
    const ids = [put(target, [8, 0, 5]), put(target, [6, 0, 5])];
    moveAgentTo(target.crowd, ids[0], [15, 0, 5]);
    run(target, 8);
    moveAgentTo(target.crowd, ids[1], [15, 0, 5]);
    run(target, 8);
    expect(ids.map((id) => explainAgent(target.crowd, id).reason)).toEqual(['on-link', 'link-queue']);
    expect(explainAgent(target.crowd, ids[1]).message).toContain('far end');
    const isDone = (id: AgentId): boolean => ['arrived', 'settled'].includes(info(target, id).status);
    run(target, 60, () => ids.every(isDone));
    expect(ids.map(isDone)).toEqual([true, true]);
  });

  it('let agents that stand at the landing step aside', () => {
    const { target } = gapRun();
    const standing = put(target, [12.5, 0, 5]);
    const id = put(target, [8, 0, 5]);
    moveAgentTo(target.crowd, id, [15, 0, 5]);
    let closest = Infinity;
    run(target, 40, () => {
      if (info(target, id).place === 'ground')
        closest = Math.min(closest, distance(target, id, [...info(target, standing).position]));
      return info(target, id).status === 'arrived';
    });
    expect(info(target, id).status).toBe('arrived');
    expect(closest).toBeGreaterThan(0.9 * 2 * target.crowd.agents.radius[0]);
  });

  it('refuse bad capacities and times, and unknown keys', () => {
    const {
      target: { crowd },
      link,
    } = gapRun();
    expect(() => setLinkTraffic(crowd, link, { capacity: 0 })).toThrow(
      'setLinkTraffic: options.capacity is 0; must be a number of agents, 1 or more',
    );
    expect(() => setLinkTraffic(crowd, link, { seconds: -1 })).toThrow(RangeError);
    expect(() => setLinkTraffic(crowd, link, { seconds: NaN })).toThrow(RangeError);
    expect(() => setLinkTraffic(crowd, link, { limit: 1 } as never)).toThrow(
      'setLinkTraffic: options.limit is unknown; known keys: capacity, seconds',
    );
    expect(crowd.linkTraffic).toEqual([]);
  });

  it('report a stale ref by false, and refuse a ref that is not a number', () => {
    const {
      target: { crowd },
      link,
    } = gapRun();
    expect(setLinkTraffic(crowd, link, { capacity: 2 })).toBe(true);
    expect(setLinkTraffic(crowd, link, { seconds: 3 })).toBe(true);
    expect(crowd.linkTraffic).toEqual([{ ref: link, capacity: Infinity, seconds: 3 }]);
    removeLink(crowd.mesh, link);
    expect(setLinkTraffic(crowd, link, { capacity: 1 })).toBe(false);
    expect(setLinkTraffic(crowd, 12345 as LinkRef, {})).toBe(false);
    expect(crowd.linkTraffic).toEqual([{ ref: link, capacity: Infinity, seconds: 3 }]);
    expect(() => setLinkTraffic(crowd, 'ladder' as never, {})).toThrow(TypeError);
  });
});
