/** Orders of several points: queued moves and paths given from outside. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { explainAgent } from '../../../../src/agents/crowd/explain.ts';
import { addAgent, getAgent, removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { followAgent, moveAgentTo, setAgentVelocity, stopAgent } from '../../../../src/agents/crowd/orders/orders.ts';
import { moveAgentAlong, patrolAgent, queueAgentMove } from '../../../../src/agents/crowd/orders/patrol.ts';
import { pauseAgent, resumeAgent } from '../../../../src/agents/crowd/orders/pause.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { listEvents } from '../../../../src/agents/crowd/state/events.ts';
import { agentSlotOf } from '../../../../src/agents/crowd/state/ids.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { gridTile, meshOf } from '../../meshes.ts';

type Point = [number, number, number];
const plain = (): Crowd => createCrowd(meshOf(gridTile(20, 20)), { maxAgents: 16 });
const runner = (crowd: Crowd, at: Point = [2.5, 0, 2.5]): AgentId => addAgent(crowd, at, { radius: 0.3, maxSpeed: 3 });

/** Steps, and returns where an agent reported 'arrived', to a tenth. */
function arrivals(crowd: Crowd, id: AgentId, ticks: number): [number, number][] {
  const list: [number, number][] = [];
  for (let i = 0; i < ticks; i++) {
    stepCrowd(crowd);
    for (const { kind, agent } of listEvents(crowd)) {
      const { position } = getAgent(crowd, agent)!;
      if (kind === 'arrived' && agent === id) list.push([Math.round(position[0]), Math.round(position[2])]);
    }
  }
  return list;
}

describe('queued moves', () => {
  it('follow each other, each with its wait, and end', () => {
    const crowd = plain();
    const id = runner(crowd);
    expect(queueAgentMove(crowd, id, [6, 0, 3], { waitSeconds: 2 })).toBe('accepted');
    expect(getAgent(crowd, id)!.queuedCount).toBe(0);
    queueAgentMove(crowd, id, [6, 0, 9]);
    queueAgentMove(crowd, id, [12, 0, 9], { waitSeconds: 1 });
    expect(getAgent(crowd, id)!.queuedCount).toBe(2);
    expect(arrivals(crowd, id, 150)).toEqual([[6, 3]]);
    expect(explainAgent(crowd, id)).toMatchObject({
      reason: 'patrol-wait',
      message: expect.stringContaining('point 1 of 3 of its route'),
    });
    const other = createCrowd(crowd.mesh, { maxAgents: 16 });
    restoreCrowd(other, saveCrowd(crowd));
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
    expect(arrivals(crowd, id, 600)).toEqual([
      [6, 9],
      [12, 9],
    ]);
    expect(arrivals(other, id, 600)).toEqual([
      [6, 9],
      [12, 9],
    ]);
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
    expect(getAgent(crowd, id)).toMatchObject({ status: 'arrived', patrolPoint: null, queuedCount: 0 });
    // At once, since it has nothing to do.
    queueAgentMove(crowd, id, [12, 0, 3]);
    expect(arrivals(crowd, id, 300)).toEqual([[12, 3]]);
  });

  it('come after a move in progress, whose stopping distance holds for it alone', () => {
    const crowd = plain();
    const id = runner(crowd);
    moveAgentTo(crowd, id, [10, 0, 3], { stoppingDistance: 3 });
    queueAgentMove(crowd, id, [7, 0, 9]);
    expect(arrivals(crowd, id, 500)).toEqual([
      [7, 3],
      [7, 9],
    ]);
  });

  it('grow while the agent waits or walks, and end with any other order', () => {
    const crowd = plain();
    const id = runner(crowd);
    queueAgentMove(crowd, id, [6, 0, 3], { waitSeconds: 3 });
    expect(arrivals(crowd, id, 120)).toEqual([[6, 3]]);
    queueAgentMove(crowd, id, [6, 0, 6]);
    expect(arrivals(crowd, id, 60)).toEqual([]);
    expect(arrivals(crowd, id, 200)).toEqual([[6, 6]]);
    for (let k = 0; k < 50; k++) queueAgentMove(crowd, id, [k % 2 === 0 ? 6 : 9, 0, 9]);
    arrivals(crowd, id, 700);
    queueAgentMove(crowd, id, [3, 0, 3]);
    // Points behind it are dropped.
    expect(crowd.patrols[0]!.waits.length).toBeLessThan(50);
    moveAgentTo(crowd, id, [12, 0, 12]);
    expect(getAgent(crowd, id)).toMatchObject({ queuedCount: 0, patrolPoint: null });
    expect(arrivals(crowd, id, 600)).toEqual([[12, 12]]);
  });

  it('leave out what cannot be reached, and pause', () => {
    const mesh = meshOf(gridTile(20, 20, (x) => x !== 10));
    const crowd = createCrowd(mesh, { maxAgents: 4 });
    const id = runner(crowd);
    queueAgentMove(crowd, id, [15, 0, 3]);
    queueAgentMove(crowd, id, [3, 0, 6]);
    pauseAgent(crowd, id);
    expect(arrivals(crowd, id, 300)).toEqual([]);
    resumeAgent(crowd, id);
    expect(arrivals(crowd, id, 900)).toEqual([[3, 6]]);
  });

  it('are refused after an order that never ends, and off the mesh', () => {
    const crowd = plain();
    const [id, other] = [runner(crowd), runner(crowd, [8, 0, 8])];
    const gone = runner(crowd, [12, 0, 12]);
    removeAgent(crowd, gone);
    expect([queueAgentMove(crowd, gone, [3, 0, 3]), moveAgentAlong(crowd, gone, [[3, 0, 3]])]).toEqual([
      'no-agent',
      'no-agent',
    ]);
    for (const order of [
      () => followAgent(crowd, id, other),
      () => setAgentVelocity(crowd, id, [1, 0, 0]),
      () =>
        patrolAgent(crowd, id, [
          [3, 0, 3],
          [6, 0, 6],
        ]),
    ]) {
      order();
      expect(queueAgentMove(crowd, id, [3, 0, 3])).toBe('endless');
    }
    stopAgent(crowd, id);
    expect(queueAgentMove(crowd, id, [300, 0, 3])).toBe('off-mesh');
    expect(
      moveAgentAlong(crowd, id, [
        [3, 0, 3],
        [300, 0, 3],
      ]),
    ).toBe('off-mesh');
    expect(getAgent(crowd, id)!.goal).toBe(null);
    expect(() => queueAgentMove(crowd, id, [3, 0, 3], { wait: 1 } as never)).toThrow(
      /^queueAgentMove: options\.wait is unknown/,
    );
    expect(() => queueAgentMove(crowd, id, [3, 0, 3], { waitSeconds: -1 })).toThrow(
      /^queueAgentMove: options\.waitSeconds is -1/,
    );
    expect(() => moveAgentAlong(crowd, id, [])).toThrow(/^moveAgentAlong: points/);
    expect(() =>
      moveAgentAlong(crowd, id, [
        [3, 0, 3],
        [NaN, 0, 3],
      ]),
    ).toThrow(/^moveAgentAlong: points\[1\]/);
  });
});

describe('a path given from outside', () => {
  const zigzag: Point[] = [
    [4, 0, 3],
    [4, 0, 15],
    [8, 0, 15],
    [8, 0, 3],
    [12, 0, 3],
    [12, 0, 15],
  ];

  it('is walked point by point, without stops and with one event', () => {
    const crowd = plain();
    const id = runner(crowd);
    moveAgentAlong(crowd, id, zigzag);
    const missed = new Set(zigzag.keys());
    let slowest = Infinity;
    const list: string[] = [];
    for (let i = 0; i < 1200; i++) {
      stepCrowd(crowd);
      for (const { kind } of listEvents(crowd)) list.push(kind);
      const { position, velocity, status } = getAgent(crowd, id)!;
      for (const k of missed)
        if (Math.hypot(position[0] - zigzag[k]![0], position[2] - zigzag[k]![2]) < 0.4) missed.delete(k);
      if (i > 60 && missed.size > 1 && status === 'moving')
        slowest = Math.min(slowest, Math.hypot(velocity[0], velocity[2]));
    }
    expect([...missed]).toEqual([]);
    expect(list).toEqual(['arrived']);
    expect(slowest).toBeGreaterThan(1);
    expect(getAgent(crowd, id)).toMatchObject({ status: 'arrived', queuedCount: 0 });
  });

  it('may be that of findPath, and as dense as a curve', () => {
    const crowd = createCrowd(meshOf(gridTile(20, 20, (x, z) => x !== 10 || z > 17)), { maxAgents: 4 });
    const id = runner(crowd);
    const { points, length } = findPath(crowd.mesh, [2.5, 0, 2.5], [17.5, 0, 2.5]);
    moveAgentAlong(crowd, id, points);
    let walked = 0;
    for (let i = 0; i < 1200 && getAgent(crowd, id)!.status !== 'arrived'; i++) {
      stepCrowd(crowd);
      const { velocity } = getAgent(crowd, id)!;
      walked += Math.hypot(velocity[0], velocity[2]) / 60;
    }
    expect(walked).toBeLessThan(1.03 * length);
    expect(walked).toBeGreaterThan(0.97 * length);
    const arc = Array.from({ length: 200 }, (_, k): Point => [15.5 + 2 * Math.sin(k / 20), 0, 5 + k / 20]);
    moveAgentAlong(crowd, id, arc);
    let far = 0;
    for (let i = 0; i < 1200; i++) {
      stepCrowd(crowd);
      const { position } = getAgent(crowd, id)!;
      if (i > 90) far = Math.max(far, Math.min(...arc.map(([x, , z]) => Math.hypot(x - position[0], z - position[2]))));
    }
    expect(far).toBeLessThan(0.35);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
  });

  it('leads around what has changed meanwhile', () => {
    const crowd = plain();
    const id = runner(crowd);
    moveAgentAlong(crowd, id, zigzag);
    arrivals(crowd, id, 30);
    const { mesh } = crowd;
    // Closes the line z = 8 except at x = 0 and x = 19.
    for (let x = 1; x < 19; x++) setFlags(mesh, refOf(mesh, 8 * 20 + x), 0);
    expect(arrivals(crowd, id, 2400)).toEqual([[12, 15]]);
  });

  it('is saved in the middle', () => {
    const crowd = plain();
    const id = runner(crowd);
    moveAgentAlong(crowd, id, zigzag);
    arrivals(crowd, id, 250);
    const other = createCrowd(crowd.mesh, { maxAgents: 16 });
    restoreCrowd(other, saveCrowd(crowd));
    expect(getAgent(other, id)!.queuedCount).toBe(getAgent(crowd, id)!.queuedCount);
    expect(getAgent(other, id)!.queuedCount).toBeGreaterThan(0);
    for (const one of [crowd, other]) expect(arrivals(one, id, 900)).toEqual([[12, 15]]);
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
  });
});

describe('limits of routes', () => {
  const spot = (i: number): Point => [1 + ((7 * i) % 18), 0, 1 + ((5 * i) % 17)];
  const pointsOf = (crowd: Crowd, id: AgentId): number[] => [...crowd.patrols[agentSlotOf(crowd, id)]!.points];

  it('queues many points in few buffers, and keeps a route that was rewound', () => {
    const crowd = createCrowd(meshOf(gridTile(20, 20)), {
      maxAgents: 4,
      behaviors: [{ maxRoutePoints: () => 16_000 }],
    });
    const id = runner(crowd);
    const slot = agentSlotOf(crowd, id);
    const buffers = new Set<ArrayBufferLike>();
    const kept: number[] = [];
    let early = crowd.patrols[slot];
    for (let i = 0; i < 16_000; i++) {
      expect(queueAgentMove(crowd, id, spot(i), { waitSeconds: i })).toBe('accepted');
      kept.push(...spot(i));
      buffers.add(crowd.patrols[slot]!.points.buffer);
      if (i === 99) early = crowd.patrols[slot];
    }
    expect(queueAgentMove(crowd, id, spot(0))).toBe('too-many-points');
    expect(getAgent(crowd, id)!.queuedCount).toBe(15_999);
    expect(pointsOf(crowd, id)).toEqual(kept);
    expect([...crowd.patrols[slot]!.waits]).toEqual(kept.flatMap((_, i) => (i % 3 === 0 ? [i / 3] : [])));
    expect(buffers.size).toBeLessThan(20);
    // Two futures of one past.
    const late = crowd.patrols[slot]!;
    crowd.patrols[slot] = early;
    expect(queueAgentMove(crowd, id, spot(500))).toBe('accepted');
    expect(pointsOf(crowd, id)).toEqual([...kept.slice(0, 300), ...spot(500)]);
    expect([...late.points]).toEqual(kept);
  });

  it('counts only points that are not done, and refuses longer routes by name', () => {
    const crowd = createCrowd(meshOf(gridTile(20, 20)), { maxAgents: 4, behaviors: [{ maxRoutePoints: () => 3 }] });
    const id = runner(crowd);
    for (let i = 0; i < 3; i++) expect(queueAgentMove(crowd, id, [4, 0, 4 + i])).toBe('accepted');
    expect(queueAgentMove(crowd, id, [9, 0, 9])).toBe('too-many-points');
    expect(arrivals(crowd, id, 90)).toContainEqual([4, 4]);
    expect(queueAgentMove(crowd, id, [9, 0, 9])).toBe('accepted');
    const four = [0, 1, 2, 3].map(spot);
    expect(patrolAgent(crowd, id, four)).toBe('too-many-points');
    expect(moveAgentAlong(crowd, id, four)).toBe('too-many-points');
    expect(pointsOf(crowd, id).slice(-3)).toEqual([9, 0, 9]);
    expect(patrolAgent(crowd, id, four.slice(1))).toBe('accepted');
    // Without a limit of its own, a crowd takes 1024 points, and looks at none of more.
    expect(patrolAgent(plain(), 1 as AgentId, new Array<Point>(1e6).fill(spot(0)))).toBe('too-many-points');
  });
});
