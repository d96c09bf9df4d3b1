/** Controls of callers besides orders: paths, stopping distances, brakes, pauses, links by hand, filters, warnings. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { explainAgent } from '../../../../src/agents/crowd/explain.ts';
import { addAgent, getAgent, removeAgent, setAgentOptions } from '../../../../src/agents/crowd/orders/agents.ts';
import { setCrowdFilter } from '../../../../src/agents/crowd/orders/filter.ts';
import { moveAgentTo, setAgentPosition, stopAgent } from '../../../../src/agents/crowd/orders/orders.ts';
import { getAgentPath } from '../../../../src/agents/crowd/orders/path-info.ts';
import { patrolAgent } from '../../../../src/agents/crowd/orders/patrol.ts';
import { completeLink, pauseAgent, resumeAgent } from '../../../../src/agents/crowd/orders/pause.ts';
import { listCrowdWarnings } from '../../../../src/agents/crowd/orders/warnings.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { listEvents } from '../../../../src/agents/crowd/state/events.ts';
import { NULL_AGENT } from '../../../../src/agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { addLink, removeLink } from '../../../../src/mesh/change/links.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { gridTile, meshOf } from '../../meshes.ts';

const plain = (): Crowd => createCrowd(meshOf(gridTile(20, 20)), { maxAgents: 16 });
/** Two halves of a floor, apart, joined by a link. */
const halves = (): Crowd => {
  const mesh = meshOf(gridTile(20, 20, (x) => x !== 10));
  addLink(mesh, { start: [9.5, 0, 10.5], end: [11.5, 0, 10.5] });
  return createCrowd(mesh, { maxAgents: 16 });
};

const step = (crowd: Crowd, ticks: number): string[] => {
  const kinds: string[] = [];
  for (let i = 0; i < ticks; i++) {
    stepCrowd(crowd);
    for (const { kind } of listEvents(crowd)) kinds.push(kind);
  }
  return kinds;
};
const distanceTo = (crowd: Crowd, id: AgentId, x: number, z: number): number => {
  const { position } = getAgent(crowd, id)!;
  return Math.hypot(position[0] - x, position[2] - z);
};
/** Saves and restores into another crowd on the same mesh, and expects the same future. */
function expectSameFuture(crowd: Crowd, ticks: number): void {
  const other = createCrowd(crowd.mesh, { maxAgents: crowd.maxAgents, filters: crowd.filters });
  restoreCrowd(other, saveCrowd(crowd));
  expect(hashCrowd(other)).toBe(hashCrowd(crowd));
  step(crowd, ticks);
  step(other, ticks);
  expect(hashCrowd(other)).toBe(hashCrowd(crowd));
}

describe('the path of an agent', () => {
  it('has a status, a length that shrinks as it walks, and all corners', () => {
    const crowd = createCrowd(meshOf(gridTile(20, 20, (x, z) => x !== 10 || z < 2)), { maxAgents: 4 });
    const id = addAgent(crowd, [5.5, 0, 15.5], { radius: 0.3, maxSpeed: 3 });
    expect(getAgent(crowd, id)).toMatchObject({ pathStatus: 'none', isPathPending: false, remainingDistance: null });
    expect(getAgentPath(crowd, id)).toEqual({ status: 'none', points: [], length: 0 });
    moveAgentTo(crowd, id, [15.5, 0, 15.5]);
    expect(getAgent(crowd, id)).toMatchObject({ pathStatus: 'none', isPathPending: true });
    step(crowd, 2);
    for (let i = 0; i < 20; i++) {
      const { position, remainingDistance, pathStatus } = getAgent(crowd, id)!;
      expect(pathStatus).toBe('complete');
      const path = getAgentPath(crowd, id)!;
      const wanted = findPath(crowd.mesh, position, [15.5, 0, 15.5]).length;
      // A* and the crowd's search may choose different polygons.
      expect(Math.abs(path.length / wanted - 1)).toBeLessThan(0.03);
      // Measured over the middles of portals beyond the next two corners, and at the last corners.
      expect(remainingDistance).toBeGreaterThan(wanted - 0.1);
      expect(remainingDistance).toBeLessThan(1.1 * wanted + 0.4);
      expect(path.points[0]).toEqual(position);
      expect(path.points.at(-1)).toEqual([15.5, 0, 15.5]);
      step(crowd, 15);
    }
    moveAgentTo(crowd, id, [15.5, 0, 15.5]);
    step(crowd, 600);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
    expect(getAgent(crowd, id)!.remainingDistance).toBeLessThan(0.16);
  });

  it('leads over links, and is partial where the goal is unreachable', () => {
    const crowd = halves();
    const id = addAgent(crowd, [4.5, 0, 10.5], { radius: 0.3, maxSpeed: 3 });
    moveAgentTo(crowd, id, [15.5, 0, 10.5]);
    step(crowd, 2);
    const { points, length, status } = getAgentPath(crowd, id)!;
    expect(status).toBe('complete');
    expect(points.slice(1).map(([x]) => x)).toEqual([9.5, 11.5, 15.5]);
    expect(length).toBeCloseTo(15.5 - points[0]![0], 6);
    const wall = createCrowd(meshOf(gridTile(20, 20, (x) => x !== 10)), { maxAgents: 4 });
    const blocked = addAgent(wall, [4.5, 0, 10.5], { radius: 0.3, maxSpeed: 3 });
    moveAgentTo(wall, blocked, [15.5, 0, 10.5]);
    step(wall, 3);
    expect(getAgent(wall, blocked)!.pathStatus).toBe('partial');
    expect(getAgentPath(wall, blocked)!.points.at(-1)![0]).toBeCloseTo(10, 6);
  });
});

describe('the stopping distance of an order', () => {
  it.each([0.05, 1, 4])('of %f ends there, and the next order has that of the agent', (stoppingDistance) => {
    const crowd = plain();
    const id = addAgent(crowd, [2.5, 0, 10.5], { radius: 0.3, maxSpeed: 3, maxAcceleration: 4 });
    moveAgentTo(crowd, id, [16.5, 0, 10.5], { stoppingDistance });
    expectSameFuture(crowd, 60);
    expect(step(crowd, 500)).toContain('arrived');
    expect(explainAgent(crowd, id).message).toBe('It is within the stopping distance of its goal.');
    const left = distanceTo(crowd, id, 16.5, 10.5);
    expect(left).toBeLessThan(stoppingDistance + 0.01);
    expect(left).toBeGreaterThan(stoppingDistance - 0.16);
    moveAgentTo(crowd, id, [4.5, 0, 10.5]);
    step(crowd, 500);
    expect(distanceTo(crowd, id, 4.5, 10.5)).toBeLessThan(0.16);
    setAgentOptions(crowd, id, { arriveDistance: 2 });
    moveAgentTo(crowd, id, [16.5, 0, 10.5], { stoppingDistance });
    setAgentOptions(crowd, id, { arriveDistance: 3 });
    step(crowd, 500);
    expect(distanceTo(crowd, id, 16.5, 10.5)).toBeLessThan(stoppingDistance + 0.01);
    moveAgentTo(crowd, id, [4.5, 0, 10.5]);
    step(crowd, 500);
    expect(distanceTo(crowd, id, 4.5, 10.5)).toBeGreaterThan(2.5);
  });
});

describe('an agent without auto-brake', () => {
  it('keeps its speed at the points of a patrol, as one with it does not', () => {
    const slowest = [true, false].map((autoBrake) => {
      const crowd = plain();
      const id = addAgent(crowd, [2.5, 0, 10.5], { radius: 0.3, maxSpeed: 3, autoBrake });
      patrolAgent(crowd, id, [
        [8.5, 0, 10.5],
        [16.5, 0, 10.5],
        [16.5, 0, 11],
      ]);
      let least = Infinity;
      for (let i = 0; i < 240; i++) {
        stepCrowd(crowd);
        const { velocity, patrolPoint } = getAgent(crowd, id)!;
        if (i > 60 && patrolPoint! < 2 && distanceTo(crowd, id, 8.5, 10.5) < 1)
          least = Math.min(least, Math.hypot(velocity[0], velocity[2]));
      }
      return least;
    });
    expect(slowest[0]).toBeLessThan(2);
    expect(slowest[1]).toBeGreaterThan(2.9);
  });

  it.each([2, 8, 30])('comes to rest at its last goal, also at a speed of %f that cannot turn there', (maxSpeed) => {
    const crowd = plain();
    const id = addAgent(crowd, [2.5, 0, 10.5], {
      radius: 0.3,
      maxSpeed,
      maxAcceleration: 2 * maxSpeed,
      autoBrake: false,
    });
    moveAgentTo(crowd, id, [14.5, 0, 12.5]);
    expect(step(crowd, 1200).filter((kind) => kind === 'arrived')).toHaveLength(1);
    expect(getAgent(crowd, id)).toMatchObject({ status: 'arrived', velocity: [0, 0, 0] });
  });
});

describe('a paused agent', () => {
  it('stands with its path, is saved, takes orders and goes on', () => {
    const crowd = plain();
    const id = addAgent(crowd, [2.5, 0, 10.5], { radius: 0.3, maxSpeed: 2 });
    moveAgentTo(crowd, id, [16.5, 0, 10.5]);
    step(crowd, 120);
    expect(pauseAgent(crowd, id)).toBe(true);
    expect(pauseAgent(crowd, id)).toBe(true);
    step(crowd, 60);
    const { position, remainingDistance, isPaused, maxSpeed } = getAgent(crowd, id)!;
    expect([isPaused, maxSpeed, explainAgent(crowd, id).reason]).toEqual([true, 2, 'paused']);
    const searches = crowd.searchCount;
    expectSameFuture(crowd, 4000);
    expect(getAgent(crowd, id)).toMatchObject({ position, status: 'moving' });
    setAgentOptions(crowd, id, { maxSpeed: 4 });
    step(crowd, 60);
    expect(getAgent(crowd, id)).toMatchObject({ position, maxSpeed: 4 });
    expect(resumeAgent(crowd, id)).toBe(true);
    step(crowd, Math.ceil((60 * remainingDistance!) / 4) + 60);
    expect(getAgent(crowd, id)).toMatchObject({ status: 'arrived', isPaused: false, maxSpeed: 4 });
    expect(crowd.searchCount).toBe(searches);
    pauseAgent(crowd, id);
    moveAgentTo(crowd, id, [10.5, 0, 2.5]);
    step(crowd, 60);
    expect(distanceTo(crowd, id, 16.5, 10.5)).toBeLessThan(0.2);
    resumeAgent(crowd, id);
    step(crowd, 600);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
  });
});

describe('links that the caller traverses', () => {
  it('begin with an event, hold the agent, and end with completeLink', () => {
    const crowd = halves();
    const id = addAgent(crowd, [8.5, 0, 10.5], { radius: 0.3, linkTraversal: 'manual' });
    const other = addAgent(crowd, [3.5, 0, 10.5], { radius: 0.3, maxSpeed: 3 });
    expect(completeLink(crowd, id)).toBe(false);
    for (const one of [id, other]) moveAgentTo(crowd, one, [15.5, 0, 8.5]);
    expect(step(crowd, 120)).toContain('link-entered');
    expect(getAgent(crowd, id)!.place).toBe('link');
    const link = getAgent(crowd, id)!.link!;
    expect(link.to).toEqual([11.5, 0, 10.5]);
    expect(Math.hypot(link.from[0] - 9.5, link.from[2] - 10.5)).toBeLessThan(0.3);
    expect(explainAgent(crowd, id)).toMatchObject({
      reason: 'on-link',
      message: expect.stringContaining('completeLink'),
    });
    expect(getAgentPath(crowd, id)!.points[1]).toEqual(link.to);
    // The other one crosses by itself meanwhile.
    expect(step(crowd, 500)).toContain('arrived');
    expect(getAgent(crowd, other)!.status).toBe('arrived');
    expect(setAgentPosition(crowd, id, [10.5, 1.5, 10.5])).toBe('accepted');
    expectSameFuture(crowd, 60);
    expect(getAgent(crowd, id)!.position).toEqual([10.5, 1.5, 10.5]);
    expect(completeLink(crowd, other)).toBe(false);
    expect(completeLink(crowd, id)).toBe(true);
    expect(step(crowd, 2)).toEqual(['link-left']);
    expect(distanceTo(crowd, id, 11.5, 10.5)).toBeLessThan(0.3);
    expect(setAgentPosition(crowd, id, [10.5, 1.5, 10.5])).toBe('crowd-owned');
    step(crowd, 600);
    expect(['arrived', 'settled']).toContain(getAgent(crowd, id)!.status);
  });

  it('may be removed meanwhile', () => {
    const crowd = halves();
    const id = addAgent(crowd, [8.5, 0, 10.5], { radius: 0.3, linkTraversal: 'manual' });
    moveAgentTo(crowd, id, [15.5, 0, 8.5]);
    step(crowd, 120);
    removeLink(crowd.mesh, getAgent(crowd, id)!.link!.ref);
    step(crowd, 30);
    expect(getAgent(crowd, id)!.place).toBe('link');
    completeLink(crowd, id);
    step(crowd, 500);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
  });
});

describe('a filter that changes', () => {
  /** The middle third of the floor is area 1, up to z = 15. */
  const floor = (): Crowd => {
    const mesh = meshOf(gridTile(20, 20));
    for (let p = 0; p < 400; p++) if (p % 20 >= 8 && p % 20 < 12 && p < 300) mesh.polyArea[p] = 1;
    return createCrowd(mesh, { maxAgents: 8, filters: [createFilter(), createFilter({ areaCosts: { 1: 30 } })] });
  };
  const highest = (crowd: Crowd, id: AgentId, change: () => void): number => {
    moveAgentTo(crowd, id, [17.5, 0, 4.5]);
    step(crowd, 20);
    change();
    let most = 0;
    for (let i = 0; i < 900; i++) {
      stepCrowd(crowd);
      most = Math.max(most, getAgent(crowd, id)!.position[2]);
    }
    expect(getAgent(crowd, id)!.status).toBe('arrived');
    return most;
  };

  it('gives a new path to its agents on their way, and to no others', () => {
    const crowd = floor();
    const [a, b] = [4.5, 6.5].map((z) => addAgent(crowd, [2.5, 0, z], { radius: 0.3, maxSpeed: 3 }));
    setAgentOptions(crowd, b!, { filter: 1 });
    expect(highest(crowd, a!, () => undefined)).toBeLessThan(6);
    const again = floor();
    const c = addAgent(again, [2.5, 0, 4.5], { radius: 0.3, maxSpeed: 3 });
    const costs = createFilter();
    setCrowdFilter(again, 0, costs);
    const most = highest(again, c, () => {
      costs.areaCosts[1] = 30;
      setCrowdFilter(again, 0, costs);
      expect(getAgent(again, c)!.isPathPending).toBe(true);
    });
    expect(most).toBeGreaterThan(14.5);
    const last = floor();
    const d = addAgent(last, [2.5, 0, 4.5], { radius: 0.3, maxSpeed: 3 });
    expect(highest(last, d, () => setAgentOptions(last, d, { filter: 1 }))).toBeGreaterThan(14.5);
    const before = getAgent(last, d)!.isPathPending;
    setCrowdFilter(last, 1, createFilter());
    expect([before, getAgent(last, d)!.isPathPending]).toEqual([false, false]);
  });

  it('opens a path for a blocked agent without delay', () => {
    const mesh = meshOf(gridTile(20, 20));
    for (let p = 0; p < 400; p++) if (p % 20 === 10) mesh.polyFlags[p] = 2;
    const crowd = createCrowd(mesh, { maxAgents: 4, filters: [createFilter({ excludeFlags: 2 })] });
    const id = addAgent(crowd, [8.5, 0, 10.5], { radius: 0.3, maxSpeed: 3 });
    moveAgentTo(crowd, id, [15.5, 0, 10.5]);
    step(crowd, 400);
    expect(getAgent(crowd, id)!.status).toBe('blocked');
    setCrowdFilter(crowd, 0, createFilter());
    step(crowd, 3);
    expect(getAgent(crowd, id)!.status).toBe('moving');
    step(crowd, 500);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
  });

  it('gives new paths to agents that shared a search, also when only the answers of a method have changed', () => {
    const crowd = floor();
    let isOpen = true;
    const filter = createFilter({ passes: (mesh, poly) => isOpen || mesh.polyArea[poly] !== 1 });
    setCrowdFilter(crowd, 0, filter);
    const ids = [3, 4, 5, 6, 7, 8].map((z) => addAgent(crowd, [2.5, 0, z], { radius: 0.3, maxSpeed: 3 }));
    for (const id of ids) moveAgentTo(crowd, id, [17.5, 0, 5.5]);
    step(crowd, 3);
    expect(crowd.searches.fields.some(({ goalPoly }) => goalPoly >= 0)).toBe(true);
    isOpen = false;
    setCrowdFilter(crowd, 0, filter);
    expectSameFuture(crowd, 3);
    for (const id of ids) {
      const { points } = getAgentPath(crowd, id)!;
      expect(Math.max(...points.map(([, , z]) => z))).toBeGreaterThan(14.9);
    }
  });

  it('refuses an invalid filter or index', () => {
    const crowd = floor();
    expect(() => setCrowdFilter(crowd, 2, createFilter())).toThrow(/^setCrowdFilter: index is 2/);
    expect(() => setCrowdFilter(crowd, 0, {} as never)).toThrow(/^setCrowdFilter: filter/);
  });
});

describe('warnings', () => {
  it('name agents that are wider or taller than the agent of the mesh', () => {
    const mesh = meshOf(gridTile(20, 20));
    Object.assign(mesh.agent, { radius: 0.4, height: 1.8 });
    const crowd = createCrowd(mesh, { maxAgents: 8 });
    addAgent(crowd, [2.5, 0, 2.5]);
    addAgent(crowd, [4.5, 0, 2.5], { radius: 2, avoidOnly: true });
    expect(listCrowdWarnings(crowd)).toEqual([]);
    const wide = addAgent(crowd, [6.5, 0, 2.5], { radius: 0.6 });
    const tall = addAgent(crowd, [8.5, 0, 2.5], { radius: 0.5, height: 2 });
    expect(listCrowdWarnings(crowd)).toEqual([
      {
        code: 'wider-than-mesh',
        agents: [wide, tall],
        message: expect.stringContaining('0.6 on a mesh for a radius of 0.4'),
      },
      { code: 'taller-than-mesh', agents: [tall], message: expect.stringContaining('2 on a mesh for a height of 1.8') },
    ]);
    removeAgent(crowd, tall);
    removeAgent(crowd, wide);
    expect(listCrowdWarnings(crowd)).toEqual([]);
  });
});

describe('stale handles and wrong arguments', () => {
  it('are answered, or refused by name', () => {
    const crowd = plain();
    const gone = addAgent(crowd, [2.5, 0, 2.5]);
    removeAgent(crowd, gone);
    for (const id of [gone, NULL_AGENT]) {
      expect([getAgentPath(crowd, id), pauseAgent(crowd, id), resumeAgent(crowd, id), completeLink(crowd, id)]).toEqual(
        [null, false, false, false],
      );
      expect(moveAgentTo(crowd, id, [3, 0, 3], { stoppingDistance: 1 })).toBe('no-agent');
    }
    const id = addAgent(crowd, [2.5, 0, 2.5]);
    expect(() => moveAgentTo(crowd, id, [3, 0, 3], { stopDistance: 1 } as never)).toThrow(
      /^moveAgentTo: options\.stopDistance is unknown/,
    );
    expect(() => moveAgentTo(crowd, id, [3, 0, 3], { stoppingDistance: -1 })).toThrow(
      /^moveAgentTo: options\.stoppingDistance is -1/,
    );
    expect(() => setAgentOptions(crowd, id, { autoBrake: 1 } as never)).toThrow(
      /^setAgentOptions: options\.autoBrake is 1/,
    );
    expect(() => addAgent(crowd, [1, 0, 1], { linkTraversal: 'hand' } as never)).toThrow(
      /^addAgent: options\.linkTraversal is "hand"/,
    );
    expect(() => pauseAgent(crowd, 'a' as never)).toThrow(/^pauseAgent: id/);
    stopAgent(crowd, id);
    expect(getAgent(crowd, id)).toMatchObject({ goal: null, status: 'idle' });
  });
});
