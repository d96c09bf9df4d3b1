/** Targets: positions, objects that move, jump, fly and disappear, other characters; and the number of searches for them. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import type { AgentId } from '../../../../src/agents/crowd/state/types.ts';
import { createRandom } from '../../../../src/base/data/random.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { jumpCharacter, teleportCharacter, pushCharacter } from '../../../../src/agents/characters/body/actions.ts';
import { stepCharacters } from '../../../../src/agents/characters/advance.ts';
import { listCharacterEvents } from '../../../../src/agents/characters/body/events.ts';
import type { CharacterSet } from '../../../../src/agents/characters/types/characters.ts';
import {
  addCharacter,
  createCharacters,
  getCharacter,
  removeCharacter,
} from '../../../../src/agents/characters/body/characters.ts';
import {
  addTarget,
  clearTarget,
  createTargets,
  followTarget,
  getTarget,
  getTargetOf,
  listTargets,
  pickRandomTarget,
  removeTarget,
  setTargetPosition,
} from '../../../../src/agents/characters/targets/targets.ts';
import type { TargetId, Targets } from '../../../../src/agents/characters/types/targets.ts';
import { gridTile, meshOf, tileOf } from '../../meshes.ts';

function world(mesh: NavMesh = meshOf(gridTile(20, 20))): { set: CharacterSet; targets: Targets } {
  const set = createCharacters(createCrowd(mesh, { maxAgents: 16 }));
  return { set, targets: createTargets(set) };
}

function run(set: CharacterSet, seconds: number, id: AgentId, before?: (time: number) => void): string[] {
  const kinds: string[] = [];
  const { stepSeconds } = set.crowd;
  for (let i = 0; i < Math.round(seconds / stepSeconds); i++) {
    before?.(i * stepSeconds);
    stepCharacters(set);
    for (const { kind, character } of listCharacterEvents(set)) if (character === id) kinds.push(kind);
  }
  return kinds;
}

const apart = (set: CharacterSet, id: AgentId, [x, , z]: readonly number[]): number => {
  const { position } = getCharacter(set, id)!;
  return Math.hypot(position[0] - x!, position[2] - z!);
};

describe('following', () => {
  it('goes to a position, and on when it moves, with two searches', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 2]);
    const target = addTarget(targets, [10, 0.7, 10]);
    expect(followTarget(set, id, target)).toBe(true);
    expect(getTargetOf(set, id)).toBe(target);
    expect(run(set, 10, id)).toEqual(['arrived']);
    expect(getTarget(targets, target)).toMatchObject({
      ground: [10, 0, 10],
      position: [10, 0.7, 10],
      isAirborne: false,
      character: 0,
    });
    expect(set.crowd.searchCount).toBe(1);
    setTargetPosition(targets, target, [18, 0, 3]);
    expect(run(set, 10, id)).toEqual(['arrived']);
    expect(apart(set, id, [18, 0, 3])).toBeLessThan(0.2);
    expect(set.crowd.searchCount).toBe(2);
  });

  it('follows an object that glides over polygons, with at most two searches', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 10], { walkSpeed: 2 });
    const target = addTarget(targets, [6, 0, 10]);
    followTarget(set, id, target, { distance: 1 });
    const place = [6, 0, 10];
    // 11 m over 11 squares and across rows.
    run(set, 10, id, (time) => {
      place[0] = 6 + 1.1 * time;
      place[2] = 10 + 0.4 * time;
      setTargetPosition(targets, target, place);
    });
    expect(set.crowd.searchCount).toBeLessThanOrEqual(2);
    expect(apart(set, id, place)).toBeLessThan(2.2);
    run(set, 2, id);
    expect(getCharacter(set, id)!.status).toBe('arrived');
    // It does not start again for less than two radii.
    expect(apart(set, id, place)).toBeLessThanOrEqual(1.85 + 0.1);
  });

  it('searches at most once per second for a target that jumps around, and reaches it when it stops', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 10]);
    const target = addTarget(targets, [6, 0, 10]);
    followTarget(set, id, target);
    run(set, 20, id, (time) => {
      const turn = Math.floor(time * 10);
      setTargetPosition(targets, target, [1 + ((7 * turn) % 18), 0, 1 + ((11 * turn) % 18)]);
    });
    expect(set.crowd.searchCount).toBeLessThanOrEqual(21);
    const { ground } = getTarget(targets, target)!;
    expect(run(set, 20, id)).toEqual(['arrived']);
    expect(apart(set, id, ground!)).toBeLessThan(0.2);
  });

  it('keeps its path while the target is in the air, and follows where it lands', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 2]);
    const target = addTarget(targets, [10, 0, 2]);
    followTarget(set, id, target);
    run(set, 1, id);
    setTargetPosition(targets, target, [10, 9, 15]);
    expect(run(set, 8, id)).toEqual(['arrived']);
    expect(apart(set, id, [10, 0, 2])).toBeLessThan(0.2);
    expect(getTarget(targets, target)).toMatchObject({ isAirborne: true, ground: [10, 0, 2] });
    setTargetPosition(targets, target, [10, 0, 15]);
    run(set, 10, id);
    expect(apart(set, id, [10, 0, 15])).toBeLessThan(0.2);
  });

  it('follows another character through jumps and falls and stops beside it', () => {
    const { set, targets } = world();
    const other = addCharacter(set, [15, 0, 15]);
    const id = addCharacter(set, [2, 0, 2]);
    const target = addTarget(targets, { character: other });
    followTarget(set, id, target);
    run(set, 14, id);
    expect(apart(set, id, [15, 0, 15])).toBeLessThan(1.05);
    expect(apart(set, id, [15, 0, 15])).toBeGreaterThan(0.75);
    jumpCharacter(set, other, 4);
    run(set, 0.2, id);
    expect(getTarget(targets, target)).toMatchObject({ isAirborne: true });
    run(set, 2, id);
    moveAgentTo(set.crowd, other, [3, 0, 15]);
    run(set, 14, id);
    expect(apart(set, id, [3, 0, 15])).toBeLessThan(1.6);
    expect(getCharacter(set, id)!.status).toBe('arrived');
  });

  it('gives a followed character priority as long as it is followed', () => {
    const { set, targets } = world();
    const other = addCharacter(set, [15, 0, 15], { priority: 0.3 });
    const target = addTarget(targets, { character: other });
    stepCharacters(set);
    expect(set.crowd.agents.priority[0]).toBe(1);
    removeTarget(targets, target);
    stepCharacters(set);
    expect(set.crowd.agents.priority[0]).toBe(0.3);
  });

  it('returns to its target after a push or a teleport', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 2]);
    const target = addTarget(targets, [10, 0, 10]);
    followTarget(set, id, target);
    run(set, 2, id);
    pushCharacter(set, id, [5, 6, -1]);
    expect(run(set, 14, id)).toEqual(['landed', 'arrived']);
    teleportCharacter(set, id, [18, 0, 18]);
    expect(run(set, 14, id)).toEqual(['arrived']);
    expect(apart(set, id, [10, 0, 10])).toBeLessThan(0.2);
  });
});

describe('targets that cannot be followed', () => {
  it('stop their followers with an event when they are removed', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 2]);
    const other = addCharacter(set, [18, 0, 18]);
    const target = addTarget(targets, [10, 0, 10]);
    followTarget(set, id, target);
    run(set, 1, id);
    expect(removeTarget(targets, target)).toBe(true);
    expect(run(set, 1, id)).toEqual(['target-lost']);
    expect([getTargetOf(set, id), getCharacter(set, id)!.status, getTarget(targets, target)]).toEqual([
      0,
      'idle',
      null,
    ]);
    expect([
      removeTarget(targets, target),
      followTarget(set, id, target),
      setTargetPosition(targets, target, [0, 0, 0]),
    ]).toEqual([false, false, false]);
    // The row is given out again, under another id.
    const next = addTarget(targets, { character: other });
    expect(next).not.toBe(target);
    followTarget(set, id, next);
    run(set, 1, id);
    removeCharacter(set, other);
    expect(run(set, 1, id)).toEqual(['target-lost']);
    expect(listTargets(targets)).toEqual([]);
  });

  it('are reported unreachable once off the mesh, and followed when they return to it', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 2]);
    const target = addTarget(targets, [100, 0, 0]);
    followTarget(set, id, target);
    expect(run(set, 3, id)).toEqual(['unreachable']);
    setTargetPosition(targets, target, [8, 0, 8]);
    expect(run(set, 8, id)).toEqual(['arrived']);
  });

  it('are approached as close as possible, retried, and reached when a path exists', () => {
    const left = gridTile(10, 10);
    const square = (x: number): number[][] => [
      [x, 0, 0],
      [x, 0, 10],
      [x + 2, 0, 10],
      [x + 2, 0, 0],
    ];
    const mesh = meshOf(left);
    const far = tileOf(square(14), [{ corners: [0, 1, 2, 3] }], { layer: 1 });
    addTile(mesh, far);
    const { set, targets } = world(mesh);
    const id = addCharacter(set, [2, 0, 5]);
    const target = addTarget(targets, [15, 0, 5]);
    followTarget(set, id, target);
    expect(run(set, 12, id)).toEqual(['unreachable']);
    expect(apart(set, id, [10, 0, 5])).toBeLessThan(0.3);
    const searches = set.crowd.searchCount;
    run(set, 6, id);
    expect(set.crowd.searchCount - searches).toBeGreaterThanOrEqual(2);
    expect(set.crowd.searchCount - searches).toBeLessThanOrEqual(4);
    // One connected surface, so that a path exists.
    const slot = set.crowd.mesh.tileLayer.indexOf(0);
    removeTile(mesh, slot);
    removeTile(mesh, mesh.tileLayer.indexOf(1));
    addTile(mesh, gridTile(16, 10));
    const kinds = run(set, 10, id);
    expect(kinds).toEqual(['arrived']);
    expect(apart(set, id, [15, 0, 5])).toBeLessThan(0.2);
  });
});

describe('orders', () => {
  it('picks a random target with equal probability, reproducibly', () => {
    const { targets } = world();
    expect(pickRandomTarget(targets, createRandom(1))).toBe(0);
    const ids = Array.from({ length: 40 }, (_, i) => addTarget(targets, [i % 20, 0, 1]));
    ids.slice(0, 36).forEach((id) => removeTarget(targets, id));
    const left = ids.slice(36);
    const random = createRandom(5);
    const picks = Array.from({ length: 4000 }, () => pickRandomTarget(targets, random));
    for (const id of left) expect(Math.abs(picks.filter((pick) => pick === id).length - 1000)).toBeLessThan(120);
    const other = createRandom(5);
    expect(Array.from({ length: 20 }, () => pickRandomTarget(targets, other))).toEqual(picks.slice(0, 20));
    for (let i = 0; i < 50; i++) expect(pickRandomTarget(targets, random, left[0])).not.toBe(left[0]);
  });

  it('clears a target and restores the arriveDistance', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 2], { arriveDistance: 0.5 });
    followTarget(set, id, addTarget(targets, [18, 0, 18]), { distance: 3 });
    run(set, 1, id);
    expect(set.crowd.agents.arriveDistance[0]).toBe(3);
    expect([clearTarget(set, id), clearTarget(set, id)]).toEqual([true, false]);
    expect(set.crowd.agents.arriveDistance[0]).toBe(0.5);
    expect(run(set, 2, id)).toEqual([]);
    expect(getCharacter(set, id)!.velocity).toEqual([0, 0, 0]);
  });

  it('refuses invalid options and values', () => {
    const { set, targets } = world();
    const id = addCharacter(set, [2, 0, 2]);
    const own = addTarget(targets, { character: id });
    expect(() => followTarget(set, id, own)).toThrow(/cannot follow itself/);
    expect(() => followTarget(set, id, own, { distance: -1 })).toThrow(/distance is -1/);
    expect(() => setTargetPosition(targets, own, [0, 0, 0])).toThrow(/attached to a character/);
    expect(addTarget(targets, { character: 0 as AgentId })).toBe(0);
    expect(() => addTarget(targets, { character: 'a' as never })).toThrow(/^addTarget: source\.character is "a"/);
    expect(() => followTarget(set, id, own, { near: 1 } as never)).toThrow(/^followTarget: options\.near is unknown/);
    expect(() => getTarget(targets, null as never)).toThrow(/^getTarget: id is null; must be a number$/);
    expect([getTarget(targets, 12345 as TargetId), getTargetOf(set, 99 as AgentId)]).toEqual([null, 0]);
    expect(() => addTarget(targets, [0, NaN, 0])).toThrow(/addTarget: source/);
    expect(followTarget(set, id, 12345 as TargetId)).toBe(false);
    expect(createTargets(set)).toBe(targets);
  });
});
