/** Characters: gravity against the formula, floors against the plan, facing against exact decay, events, policies. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { followAgent, moveAgentTo, setAgentVelocity } from '../../../../src/agents/crowd/orders/orders.ts';
import type { AgentId } from '../../../../src/agents/crowd/state/types.ts';
import { atan2Degrees } from '../../../../src/base/math/angle.ts';
import { decay } from '../../../../src/base/math/decay.ts';
import { addLink, setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import {
  turnCharacterToMovement,
  jumpCharacter,
  teleportCharacter,
  pushCharacter,
  turnCharacterTo,
  setCharacterRunning,
} from '../../../../src/agents/characters/body/actions.ts';
import {
  advanceCharacters,
  interpolateCharacterInto,
  stepCharacters,
} from '../../../../src/agents/characters/advance.ts';
import { listCharacterEvents } from '../../../../src/agents/characters/body/events.ts';
import type { CharacterOptions } from '../../../../src/agents/characters/body/options.ts';
import type { CharacterSet } from '../../../../src/agents/characters/types/characters.ts';
import {
  addCharacter,
  createCharacters,
  getCharacter,
  listCharacters,
  removeCharacter,
  setCharacterOptions,
} from '../../../../src/agents/characters/body/characters.ts';
import { gridTile, meshOf, seeded, tileOf } from '../../meshes.ts';

const flat = (size = 20): NavMesh => meshOf(gridTile(size, size));

/** A floor of 20 x 20 at 0, one of 4 x 4 at 3 over its middle, one at 6 over that. */
const storeys = (): NavMesh => {
  const square = (low: number, high: number, y: number): number[][] => [
    [low, y, low],
    [low, y, high],
    [high, y, high],
    [high, y, low],
  ];
  return meshOf(
    tileOf(
      [...square(-5, 15, 0), ...square(3, 7, 3), ...square(3, 7, 6)],
      [0, 4, 8].map((v) => ({ corners: [v, v + 1, v + 2, v + 3] })),
    ),
  );
};

/** Terraces 3 m wide along x, each `rise` above the last, with risers of 1 cm so that they are one ground. */
const terraces = (rise: number): NavMesh => {
  const vertices: number[][] = [];
  const polys: { corners: number[] }[] = [];
  const xs = [0, 3, 3.01, 6, 6.01, 9];
  const ys = [0, 0, rise, rise, 2 * rise, 2 * rise];
  xs.forEach((x, i) => vertices.push([x, ys[i], 0], [x, ys[i], 6]));
  for (let i = 0; i < 5; i++) polys.push({ corners: [2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2] });
  return meshOf(tileOf(vertices, polys));
};

function world(mesh: NavMesh, step = 1 / 60): CharacterSet {
  return createCharacters(createCrowd(mesh, { maxAgents: 16, stepSeconds: step }));
}

/** Runs for some seconds and returns the kinds of events of one character. */
function run(set: CharacterSet, seconds: number, id?: AgentId): string[] {
  const kinds: string[] = [];
  for (let i = Math.round(seconds / set.crowd.stepSeconds); i > 0; i--) {
    stepCharacters(set);
    for (const { kind, character } of listCharacterEvents(set))
      if (id === undefined || character === id) kinds.push(kind);
  }
  return kinds;
}

const at = (set: CharacterSet, id: AgentId): [number, number, number] => getCharacter(set, id)!.position;

describe('math', () => {
  it('angles and decay agree with Math', () => {
    const random = seeded(7);
    for (let i = 0; i < 2000; i++) {
      const [y, x] = [random() * 2 - 1, random() * 2 - 1];
      expect(Math.abs(atan2Degrees(y, x) - (Math.atan2(y, x) * 180) / Math.PI)).toBeLessThan(1e-12);
      const t = random() * 30;
      expect(Math.abs(decay(t) / Math.exp(-t) - 1)).toBeLessThan(1e-13);
    }
    expect([atan2Degrees(0, 0), atan2Degrees(0, -1), atan2Degrees(1, 0), atan2Degrees(-1, -1)]).toEqual([
      0, 180, 90, -135,
    ]);
    expect([decay(0), decay(Infinity), decay(800)]).toEqual([1, 0, 0]);
  });
});

describe('gravity', () => {
  it('falls by the formula up to the terminal speed and lands on the floor below', () => {
    const set = world(flat());
    const id = addCharacter(set, [10, 500, 10]);
    const { stepSeconds } = set.crowd;
    expect(getCharacter(set, id)!).toMatchObject({ standing: 'falling', place: 'air', groundRef: 0 });
    for (let i = 1; i <= 300; i++) {
      stepCharacters(set);
      expect(at(set, id)[1]).toBeCloseTo(500 - (9.81 / 2) * (i * stepSeconds) ** 2, 9);
    }
    expect(run(set, 20, id)).toEqual(['landed']);
    expect(at(set, id)).toEqual([10, 0, 10]);
    const fast = addCharacter(set, [3, 900, 3], { terminalSpeed: 20, gravity: 50 });
    run(set, 5);
    expect(getCharacter(set, fast)!.velocity[1]).toBe(-20);
  });

  it.each([1 / 30, 1 / 60, 1 / 144, 0.25])('never passes through a floor (ticks of %d s)', (step) => {
    const set = world(storeys(), step);
    const high = addCharacter(set, [5, 400, 5]);
    const between = addCharacter(set, [5, 5.5, 4]);
    const beside = addCharacter(set, [1, 400, 1]);
    run(set, 15);
    expect([high, between, beside].map((id) => at(set, id)[1])).toEqual([6, 3, 0]);
    expect(new Set([high, between, beside].map((id) => getCharacter(set, id)!.groundRef)).size).toBe(3);
  });

  it('stands on the nearest floor within a step', () => {
    const set = world(storeys());
    const on = (y: number): number => at(set, addCharacter(set, [5, y, 5]))[1];
    expect([on(3.2), on(3), on(2.95), on(6.39)]).toEqual([3, 3, 3, 6]);
    const low = addCharacter(set, [5, 2.5, 5]);
    expect(getCharacter(set, low)!.standing).toBe('falling');
    run(set, 2);
    expect(at(set, low)[1]).toBe(0);
  });

  it('can be switched off', () => {
    const set = world(flat());
    const id = addCharacter(set, [10, 5, 10], { gravity: 0 });
    run(set, 1);
    expect(at(set, id)).toEqual([10, 5, 10]);
    setCharacterOptions(set, id, { gravity: 9.81 });
    expect(run(set, 2, id)).toEqual(['landed']);
  });

  it('jumps as high as the formula says and keeps its goal', () => {
    const set = world(flat());
    const id = addCharacter(set, [2, 0, 10]);
    moveAgentTo(set.crowd, id, [18, 0, 10]);
    run(set, 1);
    const [before] = at(set, id);
    expect(jumpCharacter(set, id, 4)).toBe(true);
    expect(jumpCharacter(set, id, 4)).toBe(false);
    let highest = 0;
    let searches = set.crowd.searchCount;
    const kinds: string[] = [];
    for (let i = 0; i < 120; i++) {
      stepCharacters(set);
      highest = Math.max(highest, at(set, id)[1]);
      kinds.push(...listCharacterEvents(set).map(({ kind }) => kind));
    }
    expect(highest).toBeCloseTo(16 / (2 * 9.81), 2);
    expect(kinds).toEqual(['landed']);
    expect(at(set, id)[0] - before).toBeCloseTo(1.4 * 2, 1);
    // The path was kept.
    expect(set.crowd.searchCount).toBe(searches);
    searches = 0;
    expect(run(set, 12, id)).toEqual(['arrived']);
  });

  it('stops jumps at ceilings and edges', () => {
    const set = world(storeys());
    const id = addCharacter(set, [5, 0, 5]);
    jumpCharacter(set, id, 12);
    let highest = 0;
    for (let i = 0; i < 200; i++) {
      stepCharacters(set);
      highest = Math.max(highest, at(set, id)[1]);
    }
    expect(highest).toBeGreaterThan(1.1);
    expect(highest).toBeLessThanOrEqual(3 - 1.8);
    expect(at(set, id)[1]).toBe(0);
    const above = addCharacter(set, [6, 3, 5]);
    setAgentVelocity(set.crowd, above, [1.4, 0, 0]);
    run(set, 0.4);
    jumpCharacter(set, above, 2);
    run(set, 2);
    expect(at(set, above)).toEqual([7, 3, expect.closeTo(5, 6)]);
  });

  it('falls when it is pushed over a ledge', () => {
    const set = world(storeys());
    const id = addCharacter(set, [6, 3, 5]);
    pushCharacter(set, id, [5, 2, 0]);
    const kinds = run(set, 3, id);
    expect(kinds).toEqual(['landed']);
    expect(at(set, id)[1]).toBe(0);
    expect(at(set, id)[0]).toBeGreaterThan(7);
  });

  it('falls when its floor is removed, but not when it is rebuilt', () => {
    const mesh = storeys();
    const upper = tileOf(
      [
        [3, 3, 3],
        [3, 3, 7],
        [7, 3, 7],
        [7, 3, 3],
      ],
      [{ corners: [0, 1, 2, 3] }],
      { layer: 1 },
    );
    const lower = tileOf(
      [
        [0, 0, 0],
        [0, 0, 10],
        [10, 0, 10],
        [10, 0, 0],
      ],
      [{ corners: [0, 1, 2, 3] }],
    );
    const own = meshOf(lower);
    const slot = addTile(own, upper);
    const set = world(own);
    const id = addCharacter(set, [5, 3, 5]);
    removeTile(own, slot);
    addTile(own, upper);
    expect(run(set, 0.5, id)).toEqual([]);
    expect(at(set, id)[1]).toBe(3);
    removeTile(own, 1);
    expect(run(set, 2, id)).toEqual(['fell', 'landed']);
    expect(at(set, id)[1]).toBe(0);
    expect(mesh.polyCount).toBe(3);
  });

  it('does not sink into a slope that it is pushed up', () => {
    const set = world(
      meshOf(
        gridTile(
          20,
          6,
          () => true,
          (x) => 0.8 * x,
        ),
      ),
    );
    const id = addCharacter(set, [2, 1.6, 3]);
    pushCharacter(set, id, [8, 3, 0]);
    expect(run(set, 3, id)).toEqual(['landed']);
    const [x, y] = at(set, id);
    expect(y).toBeCloseTo(0.8 * x, 9);
  });
});

describe('falling out of the world', () => {
  const fall = (respawn: CharacterOptions['respawn']): { set: CharacterSet; id: AgentId; kinds: string[] } => {
    const set = world(flat());
    const id = addCharacter(set, [5, 0, 5], { respawn: respawn! });
    moveAgentTo(set.crowd, id, [18, 0, 5]);
    run(set, 3);
    pushCharacter(set, id, [60, 5, 0]);
    return { set, id, kinds: run(set, 5, id) };
  };

  it.each([
    ['nearest', ['world-edge', 'out-of-world', 'respawned', 'arrived']],
    ['spawn', ['world-edge', 'out-of-world', 'respawned']],
    ['remove', ['world-edge', 'out-of-world', 'removed']],
    ['none', ['world-edge', 'out-of-world']],
  ] as const)('%s', (policy, expected) => {
    const { set, id, kinds } = fall(policy);
    if (policy === 'nearest') kinds.push(...run(set, 12, id));
    expect(kinds).toEqual(expected);
    if (policy === 'nearest') expect(at(set, id)[0]).toBeCloseTo(18, 0);
    if (policy === 'spawn') {
      expect(at(set, id)[0]).toBeLessThan(8);
      expect(run(set, 15, id)).toEqual(['arrived']);
    }
    if (policy === 'remove') expect([getCharacter(set, id), listCharacters(set)]).toEqual([null, []]);
    if (policy === 'none') expect(at(set, id)[1]).toBeLessThan(-50);
  });
});

describe('feet and ground', () => {
  it('are exactly on slopes and smooth over steps', () => {
    const set = world(terraces(0.3));
    const id = addCharacter(set, [1, 0, 3]);
    moveAgentTo(set.crowd, id, [8, 0.6, 3]);
    let last = 0;
    let worst = 0;
    for (let i = 0; i < 500; i++) {
      stepCharacters(set);
      const { feet, position } = getCharacter(set, id)!;
      worst = Math.max(worst, Math.abs(feet[1] - last));
      last = feet[1];
      expect(Math.abs(feet[1] - position[1])).toBeLessThan(0.31);
    }
    expect(worst).toBeLessThan(0.1);
    expect(getCharacter(set, id)!.feet).toEqual(getCharacter(set, id)!.position);
    expect(last).toBeCloseTo(0.6, 9);
  });

  it('know their slope and the neighbors of their polygon', () => {
    const set = world(
      meshOf(
        gridTile(
          4,
          4,
          () => true,
          (x) => x * Math.tan(Math.PI / 6),
        ),
      ),
    );
    const id = addCharacter(set, [1.5, 1.5 * Math.tan(Math.PI / 6), 1.5]);
    const { slopeDegrees, groundNeighbors, groundRef, ref } = getCharacter(set, id)!;
    expect(slopeDegrees).toBeCloseTo(30, 9);
    expect(groundNeighbors.length).toBe(4);
    expect(groundNeighbors).not.toContain(groundRef);
    expect(groundRef).toBe(ref);
    const corner = addCharacter(set, [0.5, 0.3, 0.5]);
    expect(getCharacter(set, corner)!.groundNeighbors.length).toBe(2);
  });

  it('have neighbors across enabled links in their direction only', () => {
    const mesh = storeys();
    const set = world(mesh);
    const below = addCharacter(set, [1, 0, 1]);
    const above = addCharacter(set, [5, 3, 5]);
    const neighbors = (): boolean[] => {
      const [from, to] = [getCharacter(set, below)!, getCharacter(set, above)!];
      return [from.groundNeighbors.includes(to.groundRef), to.groundNeighbors.includes(from.groundRef)];
    };
    expect(neighbors()).toEqual([false, false]);
    const link = addLink(mesh, { start: [1, 0, 1], end: [5, 3, 5], bothWays: false });
    expect(neighbors()).toEqual([true, false]);
    setLinkEnabled(mesh, link, false);
    expect(neighbors()).toEqual([false, false]);
  });
});

describe('walking, running, turning', () => {
  it('runs, walks, and reports its speed fraction', () => {
    const set = world(flat());
    const id = addCharacter(set, [1, 0, 10], { walkSpeed: 1, runSpeed: 3 });
    setAgentVelocity(set.crowd, id, [3, 0, 0]);
    run(set, 1);
    expect(getCharacter(set, id)!).toMatchObject({ isRunning: false, speedFraction: expect.closeTo(1 / 3, 3) });
    setCharacterRunning(set, id, true);
    run(set, 1.5);
    expect(getCharacter(set, id)!.speedFraction).toBeCloseTo(1, 3);
    expect(getCharacter(set, id)!.velocity[0]).toBeCloseTo(3, 9);
  });

  it('stands at speed 0 and keeps its order until it gets a speed', () => {
    const set = world(flat());
    const id = addCharacter(set, [2, 0, 10], { walkSpeed: 0, runSpeed: 0 });
    moveAgentTo(set.crowd, id, [8, 0, 10]);
    run(set, 60);
    expect(getCharacter(set, id)!).toMatchObject({ position: [2, 0, 10], speedFraction: 0 });
    setCharacterOptions(set, id, { walkSpeed: 2, runSpeed: 2 });
    run(set, 10);
    expect(getCharacter(set, id)!.position[0]).toBeCloseTo(8, 0);
  });

  it('accelerates and brakes at its limits', () => {
    const set = world(flat());
    const id = addCharacter(set, [2, 0, 10], { walkSpeed: 2, acceleration: 4, deceleration: 1 });
    moveAgentTo(set.crowd, id, [14, 0, 10]);
    let speed = 0;
    let most = 0;
    let least = 0;
    for (let i = 0; i < 700; i++) {
      stepCharacters(set);
      const now = getCharacter(set, id)!.velocity[0];
      most = Math.max(most, (now - speed) * 60);
      // The last hundredth of its speed goes at once.
      if (now > 0) least = Math.min(least, (now - speed) * 60);
      speed = now;
    }
    expect(most).toBeCloseTo(4, 6);
    expect(least).toBeGreaterThan(-1.001);
    expect(least).toBeLessThan(-0.4);
    expect(getCharacter(set, id)!.status).toBe('arrived');
  });

  it('turns by exact decay with any tick length, but not within the dead zone', () => {
    for (const step of [1 / 30, 1 / 60, 1 / 144]) {
      const set = world(flat(), step);
      const id = addCharacter(set, [10, 0, 10], { turnRate: 2, maxTurnDegrees: Infinity });
      turnCharacterTo(set, id, [20, 0, 10]);
      run(set, 1);
      const [x, z] = getCharacter(set, id)!.facing;
      expect((Math.atan2(z, x) * 180) / Math.PI).toBeCloseTo(90 * Math.exp(-2), 6);
      run(set, 4);
      expect(getCharacter(set, id)!.facing).toEqual([1, 0]);
      // 5 degrees off, then 7.
      turnCharacterTo(set, id, [20, 0, 10 + 10 * Math.tan((5 * Math.PI) / 180)]);
      run(set, 1);
      expect(getCharacter(set, id)!.facing).toEqual([1, 0]);
      turnCharacterTo(set, id, [20, 0, 10 + 10 * Math.tan((7 * Math.PI) / 180)]);
      run(set, 4);
      expect(getCharacter(set, id)!.facing[1]).toBeCloseTo(Math.sin((7 * Math.PI) / 180), 9);
    }
  });

  it.each(['new', 'aligned', 'turning the other way'])(
    'has one dead zone for turning to a point and for turning while walking: %s',
    (state) => {
      const facingAfter = (how: 'point' | 'walk', degrees: number): number => {
        const set = world(flat(80));
        const id = addCharacter(set, [20, 0, 40]);
        const order = (to: 'point' | 'walk', angle: number): void => {
          const [x, z] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
          if (to === 'walk') turnCharacterToMovement(set, id);
          if (to === 'walk') setAgentVelocity(set.crowd, id, [x, 0, z]);
          else turnCharacterTo(set, id, [20 + 1e4 * x, 0, 40 + 1e4 * z]);
        };
        const angle = (): number => {
          const [x, z] = getCharacter(set, id)!.facing;
          return (Math.atan2(x, z) * 180) / Math.PI;
        };
        const other = how === 'walk' ? 'point' : 'walk';
        if (state !== 'new') {
          const before = state === 'aligned' ? how : other;
          order(before, 90);
          run(set, 4);
          order(before, 0);
          if (state === 'aligned') run(set, 8);
          else for (let i = 0; i < 400 && angle() > 1; i++) stepCharacters(set);
        }
        const from = angle();
        order(how, from + degrees);
        run(set, 6);
        return angle() - from;
      };
      for (const how of ['point', 'walk'] as const) {
        for (const degrees of [1, 3, 5.5, -5.5]) expect(facingAfter(how, degrees), `${how} ${degrees}`).toBe(0);
        for (const degrees of [6.5, 9, -6.5]) expect(facingAfter(how, degrees), how).toBeCloseTo(degrees, 0);
      }
    },
  );

  it('aligns with a point that is ordered again before each tick', () => {
    const set = world(flat());
    const id = addCharacter(set, [10, 0, 10]);
    for (let i = 0; i < 240; i++) {
      turnCharacterTo(set, id, [20, 0, 10]);
      stepCharacters(set);
    }
    expect(getCharacter(set, id)!.facing).toEqual([1, 0]);
  });

  it('turns within its limit, and back to its movement', () => {
    const set = world(flat());
    const id = addCharacter(set, [10, 0, 2], { turnRate: Infinity, maxTurnDegrees: 90 });
    turnCharacterTo(set, id, [10, 0, -5]);
    run(set, 1);
    const [x, z] = getCharacter(set, id)!.facing;
    expect(Math.abs((Math.atan2(x, z) * 180) / Math.PI)).toBeCloseTo(90, 6);
    turnCharacterToMovement(set, id);
    moveAgentTo(set.crowd, id, [10, 0, 18]);
    run(set, 5);
    expect(getCharacter(set, id)!.facing[1]).toBeCloseTo(1, 2);
  });

  it('reports once per contact that it presses against a wall', () => {
    const set = world(flat());
    const id = addCharacter(set, [17, 0, 10]);
    setAgentVelocity(set.crowd, id, [1.4, 0, 0]);
    expect(run(set, 5, id)).toEqual(['wall']);
    setAgentVelocity(set.crowd, id, [-1.4, 0, 0]);
    expect(run(set, 1, id)).toEqual([]);
    setAgentVelocity(set.crowd, id, [1.4, 0, 0.1]);
    expect(run(set, 4, id)).toEqual(['wall']);
  });

  it('reports that it leaves given bounds', () => {
    const crowd = createCrowd(flat());
    const set = createCharacters(crowd, { bounds: { min: [0, -1, 0], max: [12, 5, 20] } });
    const id = addCharacter(set, [10, 0, 10]);
    moveAgentTo(crowd, id, [16, 0, 10]);
    expect(run(set, 8, id)).toEqual(['world-edge', 'arrived']);
  });
});

describe('time', () => {
  it('gives the same result at 30, 60 and 144 frames per second', () => {
    const at10 = [30, 60, 144].map((rate) => {
      const set = world(flat());
      const id = addCharacter(set, [2, 6, 2]);
      const out = new Float64Array(6);
      let alpha = 0;
      for (let i = 0; i < 10 * rate; i++) {
        alpha = advanceCharacters(set, 1 / rate, (time) => {
          if (Math.abs(time - 3) < 1e-9) moveAgentTo(set.crowd, id, [18, 0, 15]);
          if (Math.abs(time - 5) < 1e-9) jumpCharacter(set, id, 4);
        });
        expect(alpha).toBeGreaterThanOrEqual(0);
        expect(alpha).toBeLessThan(1);
      }
      expect(set.crowd.tick).toBe(600);
      interpolateCharacterInto(out, set, id, alpha);
      return [...out];
    });
    for (const other of at10) other.forEach((value, k) => expect(value).toBeCloseTo(at10[0][k], 9));
  });

  it('interpolates no character that was removed', () => {
    const set = world(flat());
    const id = addCharacter(set, [2, 0, 2]);
    const out = new Float64Array(6).fill(7);
    expect(interpolateCharacterInto(out, set, id, 0.5)).toBe(true);
    expect(out[0]).toBeCloseTo(2, 9);
    out.fill(7);
    removeCharacter(set, id);
    expect(interpolateCharacterInto(out, set, id, 0.5)).toBe(false);
    expect([...out]).toEqual([7, 7, 7, 7, 7, 7]);
  });

  it('drops time beyond eight ticks', () => {
    const set = world(flat());
    addCharacter(set, [2, 0, 2]);
    advanceCharacters(set, 10);
    expect(set.crowd.tick).toBe(8);
    expect(() => advanceCharacters(set, -1)).toThrow(/advanceCharacters: seconds is -1/);
  });
});

describe('characters and agents', () => {
  it('keep their goal when they are teleported', () => {
    const set = world(flat());
    const id = addCharacter(set, [2, 0, 2]);
    moveAgentTo(set.crowd, id, [10, 0, 10]);
    run(set, 1);
    teleportCharacter(set, id, [18, 0, 18]);
    expect(at(set, id)).toEqual([18, 0, 18]);
    run(set, 1);
    teleportCharacter(set, id, [18, 4, 2]);
    expect(run(set, 14, id)).toEqual(['landed', 'arrived']);
    expect(at(set, id)[0]).toBeCloseTo(10, 0);
  });

  it('report an unreachable goal once per order and go to the closest point', () => {
    const set = world(storeys());
    const id = addCharacter(set, [1, 0, 1]);
    moveAgentTo(set.crowd, id, [5, 3, 5]);
    expect(run(set, 10, id)).toEqual(['unreachable']);
    expect(getCharacter(set, id)!).toMatchObject({ isPartial: true, status: 'blocked' });
    moveAgentTo(set.crowd, id, [5, 6, 4]);
    expect(run(set, 5, id)).toEqual(['unreachable']);
    moveAgentTo(set.crowd, id, [1, 0, 1]);
    expect(run(set, 8, id)).toEqual(['arrived']);
  });

  it('are agents: follow, options, removal, stale ids', () => {
    const set = world(flat());
    const first = addCharacter(set, [2, 0, 2]);
    const second = addCharacter(set, [15, 0, 15], { radius: 0.3, priority: 0.25, isRunning: true });
    followAgent(set.crowd, second, first);
    run(set, 14);
    expect(getCharacter(set, second)!.status).toBe('arrived');
    setCharacterOptions(set, second, { walkSpeed: 0.5 });
    expect(getCharacter(set, second)!).toMatchObject({ radius: 0.3, isRunning: true });
    expect(removeCharacter(set, first)).toBe(true);
    expect([
      removeCharacter(set, first),
      getCharacter(set, first),
      setCharacterRunning(set, first, true),
      jumpCharacter(set, first, 1),
    ]).toEqual([false, null, false, false]);
    expect(listCharacters(set)).toEqual([second]);
    expect(addCharacter(world(meshOf()), [0, 0, 0])).toBe(0);
  });

  it('refuses invalid options and values', () => {
    const set = world(flat());
    expect(() => addCharacter(set, [0, 0, 0], { walkspeed: 1 } as CharacterOptions)).toThrow(
      /^addCharacter: options\.walkspeed is unknown; known keys: .*\bwalkSpeed\b/,
    );
    expect(() => addCharacter(set, [0, 0, 0], { gravity: -1 })).toThrow(
      /^addCharacter: options\.gravity is -1; must be a number >= 0 and at most 1000000000000$/,
    );
    expect(() => addCharacter(set, [0, 0, 0], { walkSpeed: 2, runSpeed: 1 })).toThrow(
      /options\.runSpeed is 1; must be at least walkSpeed, 2/,
    );
    expect(() => addCharacter(set, [0, 0, 0], { respawn: 'later' as 'none' })).toThrow(
      /options\.respawn is "later"; must be one of 'nearest'/,
    );
    expect(() => addCharacter(set, [0, NaN, 0])).toThrow(/addCharacter: position/);
    expect(() => addCharacter(set, [0, 0, 0], { facing: [0, 0] })).toThrow(/^addCharacter: options\.facing/);
    expect(() => addCharacter(set, [0, 0, 0], { height: -1 })).toThrow(/^addCharacter: options\.height is -1/);
    expect(() => createCharacters(set.crowd, { fallLimits: 1 } as never)).toThrow(
      /^createCharacters: options\.fallLimits/,
    );
    expect(() => setCharacterOptions(set, 0 as AgentId, { wlakSpeed: 1 } as never)).toThrow(/^setCharacterOptions: /);
    expect(() => getCharacter(set, 'a' as never)).toThrow(/^getCharacter: id is "a"; must be a number$/);
    expect(() => jumpCharacter(set, undefined as never, 1)).toThrow(TypeError);
    expect(() => createCharacters(set.crowd, { bounds: { min: [1, 0, 0], max: [0, 0, 0] } })).toThrow(/bounds.min/);
    expect(() => jumpCharacter(set, 1 as AgentId, 0)).toThrow(/speed is 0/);
  });
});
