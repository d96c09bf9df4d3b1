/** Crowds saved, restored and hashed: the same future, refusals, damage. NAVKILN_SEED, NAVKILN_CORRUPTIONS (default 2000). */
import { describe, expect, it } from 'vitest';
import { addAgent, listAgents, removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { AGENT_LAYOUT } from '../../../../src/agents/crowd/state/layout.ts';
import { setLinkTraffic } from '../../../../src/agents/crowd/links/link-traffic.ts';
import type { CrowdOptions } from '../../../../src/agents/crowd/state/options.ts';
import { followAgent, moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { SEARCH_CORRIDOR, SEARCH_FIELD } from '../../../../src/agents/crowd/search/record.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import type { Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { linkRefOf } from '../../../../src/mesh/link-ref.ts';
import { setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { setArea, setFlags } from '../../../../src/query/area.ts';
import { gridTile, meshOf } from '../../meshes.ts';
import { squaresTile } from '../../mesh/tiled-meshes.ts';
import { searchWorld } from './search-worlds.ts';
import type { SearchWorld } from './search-worlds.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const CORRUPTIONS = Number(process.env.NAVKILN_CORRUPTIONS ?? 1000);

function busyCrowd(world: SearchWorld, agents: number, options: CrowdOptions): Crowd {
  const { mesh, filter, spot, random } = world;
  const crowd = createCrowd(mesh, { maxAgents: agents + 5, filters: [filter], ...options });
  for (let i = 0; i < agents; i++) addAgent(crowd, spot().point, { radius: 0.2, maxSpeed: 1 + random() });
  for (const id of listAgents(crowd).filter((_, i) => i % 9 === 4)) removeAgent(crowd, id);
  addAgent(crowd, spot().point, { radius: 0.3 });
  return crowd;
}

function giveOrders(crowd: Crowd, { spot, random, below }: SearchWorld): void {
  const ids = listAgents(crowd);
  const { point } = spot();
  for (const id of ids) {
    const kind = random();
    if (kind < 0.4) moveAgentTo(crowd, id, spot().point);
    else if (kind < 0.7) moveAgentTo(crowd, id, point);
    else if (kind < 0.8) {
      const other = ids[below(ids.length)];
      if (other !== id) followAgent(crowd, id, other);
    }
  }
}

function trace(crowd: Crowd, ticks: number): number[] {
  return Array.from({ length: ticks }, () => {
    stepCrowd(crowd);
    return hashCrowd(crowd);
  });
}

describe('a saved crowd', () => {
  it('has the same future, whatever is in progress', () => {
    const kinds = { corridor: 0, field: 0, fields: 0, queued: 0, barred: 0 };
    for (let seed = SEED; seed < SEED + 3; seed++) {
      const world = searchWorld(seed, { size: 3, isPlain: seed % 3 === 0, links: seed % 3 === 2 ? 0 : 6 });
      const crowd = busyCrowd(world, 40, { searchBudget: 6 });
      for (let round = 0; round < 8; round++) {
        if (round % 2 === 0) giveOrders(crowd, world);
        for (let i = 0; i < 3 + round; i++) stepCrowd(crowd);
        const { searches } = crowd;
        if (searches.current.kind === SEARCH_CORRIDOR) kinds.corridor++;
        if (searches.current.kind === SEARCH_FIELD) kinds.field++;
        if (searches.fields.length > 0) kinds.fields++;
        if (searches.queueCount > 0) kinds.queued++;
        if (searches.unreachable.some(({ revision }) => revision === crowd.mesh.revision)) kinds.barred++;
        const bytes = saveCrowd(crowd);
        const hash = hashCrowd(crowd);
        const future = trace(crowd, 12);
        restoreCrowd(crowd, bytes);
        expect(hashCrowd(crowd), `seed ${seed}`).toBe(hash);
        expect(Buffer.compare(saveCrowd(crowd), bytes), `seed ${seed}`).toBe(0);
        expect(trace(crowd, 12), `seed ${seed}`).toEqual(future);
        const fresh = createCrowd(world.mesh, { maxAgents: crowd.maxAgents, filters: crowd.filters });
        restoreCrowd(fresh, bytes);
        expect(trace(fresh, 12), `seed ${seed}, fresh`).toEqual(future);
      }
    }
    console.log(`Saved while searching, seeds from ${SEED}: ${JSON.stringify(kinds)}`);
    for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(0);
  });

  it('continues on its mesh saved and loaded, which has other dense indices', () => {
    for (let seed = SEED; seed < SEED + 3; seed++) {
      const world = searchWorld(seed, { size: 3, links: 4 });
      const { mesh } = world;
      // Holes in the pools, portals in another order.
      for (const slot of [0, 3, 5]) {
        const [x, z, layer] = [mesh.tileX[slot], mesh.tileZ[slot], mesh.tileLayer[slot]];
        removeTile(mesh, slot);
        if (slot !== 3)
          addTile(
            mesh,
            squaresTile(
              x,
              z,
              layer,
              4,
              () => true,
              (a) => 0.1 * a + 4 * layer,
            ),
          );
      }
      const crowd = busyCrowd(world, 30, { searchBudget: 5 });
      giveOrders(crowd, world);
      for (let i = 0; i < 10; i++) stepCrowd(crowd);
      const loaded = loadNavMesh(saveNavMesh(mesh));
      const other = createCrowd(loaded, { maxAgents: crowd.maxAgents, filters: crowd.filters });
      restoreCrowd(other, saveCrowd(crowd));
      expect(Array.from(other.agents.poly.subarray(0, 30))).not.toEqual(Array.from(crowd.agents.poly.subarray(0, 30)));
      expect(hashCrowd(other)).toBe(hashCrowd(crowd));
      expect(trace(other, 60), `seed ${seed}`).toEqual(trace(crowd, 60));
    }
  });

  it('follows a mesh that has changed since the last tick', () => {
    const world = searchWorld(SEED, { size: 3 });
    const crowd = busyCrowd(world, 30, { searchBudget: 8 });
    giveOrders(crowd, world);
    for (let i = 0; i < 20; i++) stepCrowd(crowd);
    removeTile(world.mesh, 2);
    const bytes = saveCrowd(crowd);
    const future = trace(crowd, 30);
    restoreCrowd(crowd, bytes);
    expect(trace(crowd, 30)).toEqual(future);
  });

  it('keeps link traffic, Infinity, -0 and the NaN of a corridor', () => {
    const world = searchWorld(SEED, { links: 8 });
    const crowd = busyCrowd(world, 10, {});
    setLinkTraffic(crowd, linkRefOf(world.mesh, 1), { capacity: 2, seconds: 3 });
    crowd.agents.maxTurn[0] = Infinity;
    crowd.agents.velocity[0] = -0;
    const bytes = saveCrowd(crowd);
    const other = createCrowd(world.mesh, { maxAgents: crowd.maxAgents, filters: crowd.filters });
    restoreCrowd(other, bytes);
    expect(other.linkTraffic).toEqual(crowd.linkTraffic);
    expect([other.agents.maxTurn[0], other.agents.velocity[0]]).toEqual([Infinity, -0]);
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
    // Another NaN is the same.
    const [one, two] = [crowd.agents.desired, other.agents.desired];
    one[0] = NaN;
    two[0] = NaN;
    new Uint32Array(two.buffer)[1] = 0xfff80000;
    expect(two[0]).toBeNaN();
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
    // No tick makes it, so it is refused in an agent.
    expect(() => restoreCrowd(other, saveCrowd(crowd))).toThrow(
      'agents.desired[0] in the bytes is NaN; must be part of a vector of length 0 .. 40000000000000000',
    );
  });
});

describe('the hash of a crowd', () => {
  const made = (): Crowd => {
    const world = searchWorld(SEED, { size: 3 });
    const crowd = busyCrowd(world, 20, { searchBudget: 4 });
    giveOrders(crowd, world);
    for (let i = 0; i < 30; i++) stepCrowd(crowd);
    return crowd;
  };

  it('is equal for equal crowds', () => {
    expect(hashCrowd(made())).toBe(hashCrowd(made()));
  });

  it('sees every change', () => {
    const crowd = made();
    const hash = hashCrowd(crowd);
    const changed = (what: string, change: () => () => void): void => {
      const undo = change();
      expect(hashCrowd(crowd), what).not.toBe(hash);
      undo();
      expect(hashCrowd(crowd), what).toBe(hash);
    };
    const slot = 7;
    for (const [name, , stride] of AGENT_LAYOUT) {
      changed(name, () => {
        const array = crowd.agents[name];
        const at = slot * stride + stride - 1;
        const was = array[at];
        array[at] =
          name === 'poly' || name === 'goalPoly' || name === 'wallPoly'
            ? was <= 0
              ? 1
              : was - 1
            : was === Infinity
              ? 1
              : was + 1;
        return () => (array[at] = was);
      });
    }
    const { corridor, left, refs, target } = crowd.corridors[slot];
    const { queue, turn } = crowd.searches;
    for (const [what, array] of Object.entries({ crossings: corridor.crossings, left, refs, target, queue, turn })) {
      if (what === 'crossings' && corridor.count < 2) continue;
      changed(what, () => {
        array[0] += 1;
        return () => (array[0] -= 1);
      });
    }
    for (const name of ['tick', 'searchBudget', 'passingSide', 'searchCount', 'freeSlot'] as const) {
      changed(name, () => {
        crowd[name]++;
        return () => crowd[name]--;
      });
    }
  });

  it('ignores what the last tick left behind', () => {
    const crowd = made();
    const hash = hashCrowd(crowd);
    crowd.events.count = 3;
    crowd.activeCount = 0;
    crowd.searches.left = -77;
    expect(hashCrowd(crowd)).toBe(hash);
  });
});

describe('restoreCrowd refuses', () => {
  const mesh = (): NavMesh => meshOf(gridTile(6, 6));
  const crowdOn = (on: NavMesh, options: CrowdOptions = {}): Crowd => {
    const crowd = createCrowd(on, { maxAgents: 8, ...options });
    for (let i = 0; i < 4; i++) addAgent(crowd, [i + 0.5, 0, 0.5], { radius: 0.2 });
    for (const id of listAgents(crowd)) moveAgentTo(crowd, id, [5.5, 0, 5.5]);
    for (let i = 0; i < 5; i++) stepCrowd(crowd);
    return crowd;
  };

  it('another crowd', () => {
    const bytes = saveCrowd(crowdOn(mesh()));
    expect(() => restoreCrowd(crowdOn(mesh(), { maxAgents: 9 }), bytes)).toThrow('crowd.maxAgents is 9; must be 8');
    expect(() => restoreCrowd(crowdOn(mesh(), { stepSeconds: 0.02 }), bytes)).toThrow(
      'crowd.stepSeconds is 0.02; must be 0.0166',
    );
    const one = crowdOn(mesh());
    expect(() => restoreCrowd(crowdOn(mesh(), { filters: [...one.filters, ...one.filters] }), bytes)).toThrow(
      'filters.length is 2; must be 1',
    );
    restoreCrowd(one, bytes);
  });

  it('another mesh', () => {
    const bytes = saveCrowd(crowdOn(mesh()));
    const others: [RegExp, (m: NavMesh) => void][] = [
      [/: polygons, areas or flags differ in tile \(0, 0\); must be as in the mesh/, (m) => setArea(m, refOf(m, 3), 5)],
      [/: polygons, areas or flags differ in tile \(0, 0\)/, (m) => setFlags(m, refOf(m, 3), 5)],
      [/: the mesh has 0 tiles, the saved one 1, and they differ after the first tile/, (m) => removeTile(m, 0)],
    ];
    for (const [message, change] of others) {
      const on = mesh();
      const crowd = createCrowd(on, { maxAgents: 8 });
      change(on);
      expect(() => restoreCrowd(crowd, bytes)).toThrow(message);
    }
    expect(() => restoreCrowd(createCrowd(meshOf(gridTile(6, 7)), { maxAgents: 8 }), bytes)).toThrow(
      'differ in tile (0, 0)',
    );
    const world = searchWorld(SEED, { links: 5 });
    const crowd = busyCrowd(world, 5, {});
    const saved = saveCrowd(crowd);
    const isOpen = (world.mesh.linkState[2] & 2) !== 0;
    setLinkEnabled(world.mesh, linkRefOf(world.mesh, 2), !isOpen);
    expect(() => restoreCrowd(crowd, saved)).toThrow('links differ, or were added in another order');
    setLinkEnabled(world.mesh, linkRefOf(world.mesh, 2), isOpen);
    restoreCrowd(crowd, saved);
  });

  it('bytes that are not a saved crowd', () => {
    const crowd = crowdOn(mesh());
    const bytes = saveCrowd(crowd);
    expect(() => restoreCrowd(crowd, new Uint8Array(0))).toThrow('not a saved crowd');
    expect(() => restoreCrowd(crowd, saveNavMesh(crowd.mesh))).toThrow('not a saved crowd');
    expect(() => restoreCrowd(crowd, bytes.subarray(0, bytes.length - 8))).toThrow(
      `bytes.length is ${bytes.length - 8}; must be ${bytes.length}`,
    );
    const newer = bytes.slice();
    newer[8] = 8;
    expect(() => restoreCrowd(crowd, newer)).toThrow('version is 8; must be 6 or 7');
    // The bytes start at an odd offset of their buffer.
    const odd = new Uint8Array(bytes.length + 3);
    odd.set(bytes, 3);
    restoreCrowd(crowd, odd.subarray(3));
  });

  it(`damaged bytes, ${CORRUPTIONS} times`, () => {
    const world = searchWorld(SEED);
    const crowd = busyCrowd(world, 12, { searchBudget: 5 });
    giveOrders(crowd, world);
    for (let i = 0; i < 10; i++) stepCrowd(crowd);
    const bytes = saveCrowd(crowd);
    const hash = hashCrowd(crowd);
    const { below, random } = world;
    for (let i = 0; i < CORRUPTIONS; i++) {
      let bad = bytes.slice();
      const kind = random();
      if (kind < 0.2) bad = bad.slice(0, below(bad.length));
      else if (kind < 0.25) bad = Uint8Array.from([...bad.subarray(0, 100), ...bad]);
      else for (let n = below(4); n >= 0; n--) bad[below(bad.length)] ^= 1 << below(8);
      if (bad.length === bytes.length && bad.every((byte, k) => byte === bytes[k])) continue;
      let error: unknown;
      try {
        restoreCrowd(crowd, bad);
      } catch (caught) {
        error = caught;
      }
      expect(error, `seed ${SEED}, corruption ${i}`).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(/^restoreCrowd: /);
      if (i % 50 === 0) expect(hashCrowd(crowd)).toBe(hash);
    }
    expect(hashCrowd(crowd)).toBe(hash);
  });
});
