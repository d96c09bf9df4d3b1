/** Doors, areas and links that change under a crowd: only agents whose path crosses them look at their paths again. */
import { expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import type { Random } from '../../../../src/base/data/random.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, listAgents } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { captureCrowd, rewindCrowd } from '../../../../src/agents/crowd/rollback/crowd-snapshot.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { STATUS_BLOCKED } from '../../../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { validateCorridor } from '../../../../src/agents/corridor/validate.ts';
import { addLink, setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import { MAX_LOCAL_POLYS } from '../../../../src/mesh/change/local-changes.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import type { LinkRef, NavMesh } from '../../../../src/mesh/types.ts';
import { getFlags, setArea, setFlags } from '../../../../src/query/area.ts';
import { TILE, squaresTile, tiledMesh } from '../../mesh/tiled-meshes.ts';

const SIDE = 5;
const AGENTS = 40;
const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const ROUNDS = Number(process.env['NAVKILN_LOCAL_CHANGES'] ?? 8);

const tileAt = (x: number, z: number): Parameters<typeof addTile>[1] =>
  squaresTile(
    x,
    z,
    0,
    4,
    (i, j) => (i * 7 + j * 3 + x + 2 * z) % 6 !== 0,
    () => 0,
  );

interface Town {
  mesh: NavMesh;
  crowd: Crowd;
  link: LinkRef;
  random: Random;
}

const somewhere = ({ random }: Pick<Town, 'random'>): [number, number, number] => [
  nextRandom(random) * SIDE * TILE,
  0,
  nextRandom(random) * SIDE * TILE,
];

/** Builds a crowd that walks on tiles of squares with holes. */
function createTown(seed: number): Town {
  const mesh = tiledMesh();
  for (let x = 0; x < SIDE; x++) for (let z = 0; z < SIDE; z++) addTile(mesh, tileAt(x, z));
  const link = addLink(mesh, { start: [TILE, 0, TILE], end: [3 * TILE, 0, 3 * TILE], radius: TILE, bothWays: true });
  const town = { mesh, link, random: createRandom(seed), crowd: createCrowd(mesh, { maxAgents: 128 }) };
  while (town.crowd.agentCount < AGENTS)
    moveAgentTo(
      town.crowd,
      addAgent(town.crowd, somewhere(town), { radius: 0.05 * TILE, maxSpeed: TILE }),
      somewhere(town),
    );
  for (let tick = 0; tick < 30; tick++) stepCrowd(town.crowd);
  return town;
}

/** Opens or closes a polygon, gives it an area, or switches the link. */
function change({ mesh, link, random }: Town): void {
  const kind = Math.floor(3 * nextRandom(random));
  const ref = refOf(mesh, Math.floor(mesh.polyCount * nextRandom(random)));
  if (kind === 0) setFlags(mesh, ref, getFlags(mesh, ref) === 0 ? 1 : 0);
  else if (kind === 1) setArea(mesh, ref, 1 + Math.floor(3 * nextRandom(random)));
  else setLinkEnabled(mesh, link, nextRandom(random) < 0.5);
}

const versionsOf = ({ corridors }: Crowd): number[] => corridors.map(({ version }) => version);

it('a closed polygon anywhere lets only agents look at their paths again whose path crosses it', () => {
  const town = createTown(SEED);
  const { mesh, crowd } = town;
  let touchedCount = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const poly = Math.floor(mesh.polyCount * nextRandom(town.random));
    const ref = refOf(mesh, poly);
    const touched = new Set<number>();
    const allowed = new Set<number>();
    for (let slot = 0; slot < AGENTS; slot++) {
      const { refs, corridor } = crowd.corridors[slot];
      if (refs.subarray(0, corridor.count).includes(ref)) touched.add(slot);
      else if (crowd.agents.status[slot] !== STATUS_BLOCKED && crowd.agents.state[slot] === 1) continue;
      allowed.add(slot);
    }
    // What changes in a tick without a change of the mesh.
    const snapshot = captureCrowd(crowd);
    const before = versionsOf(crowd);
    stepCrowd(crowd);
    const changesAnyway = versionsOf(crowd).map((version, slot) => version !== before[slot]);
    rewindCrowd(crowd, snapshot);
    const start = versionsOf(crowd);
    setFlags(mesh, ref, getFlags(mesh, ref) === 0 ? 1 : 0);
    stepCrowd(crowd);
    const looked = versionsOf(crowd)
      .map((version, slot) => (version !== start[slot] && !changesAnyway[slot] ? slot : -1))
      .filter((slot) => slot >= 0);
    expect(looked.filter((slot) => !allowed.has(slot))).toEqual([]);
    touchedCount += touched.size;
    expect([...touched].filter((slot) => crowd.corridors[slot].version === start[slot])).toEqual([]);
    for (let slot = 0; slot < AGENTS; slot++)
      if (crowd.agents.poly[slot] >= 0) expect(validateCorridor(crowd.corridors[slot], mesh)).toEqual([]);
    for (let tick = 0; tick < 5; tick++) stepCrowd(crowd);
    for (const id of listAgents(crowd)) if (nextRandom(town.random) < 0.1) moveAgentTo(crowd, id, somewhere(town));
  }
  expect(touchedCount).toBeGreaterThan(0);
  expect(touchedCount).toBeLessThan(0.5 * ROUNDS * AGENTS);
});

it.each([SEED, SEED + 1])(
  'a crowd that is saved or captured between local changes continues as if it was not (seed %i)',
  (seed) => {
    const saved = createTown(seed);
    const plain = createTown(seed);
    for (let round = 0; round < ROUNDS; round++) {
      const changes = [0, 1, 2].map(() => Math.floor(3 * nextRandom(saved.random)));
      for (let k = 0; k < 3; k++) nextRandom(plain.random);
      for (let k = 0; k < 3; k++) {
        for (let n = 0; n < changes[k]; n++) {
          change(saved);
          change(plain);
        }
        if (k === 0) restoreCrowd(saved.crowd, saveCrowd(saved.crowd));
        if (k === 1) rewindCrowd(saved.crowd, captureCrowd(saved.crowd));
      }
      for (let tick = 0; tick < 4; tick++) {
        stepCrowd(saved.crowd);
        stepCrowd(plain.crowd);
        expect(hashCrowd(saved.crowd), `round ${round}, tick ${tick}`).toBe(hashCrowd(plain.crowd));
      }
      for (const id of listAgents(plain.crowd)) {
        if (nextRandom(plain.random) >= 0.1) {
          nextRandom(saved.random);
          continue;
        }
        nextRandom(saved.random);
        moveAgentTo(plain.crowd, id, somewhere(plain));
        moveAgentTo(saved.crowd, id, somewhere(saved));
      }
    }
  },
);

it('tiles, and more local changes than are kept, let all agents follow', () => {
  const { mesh, crowd } = createTown(SEED);
  const looks = (act: () => void): number => {
    const before = versionsOf(crowd);
    act();
    stepCrowd(crowd);
    return versionsOf(crowd).filter((version, slot) => version !== before[slot]).length;
  };
  expect(looks(() => removeTile(mesh, findTile(mesh, 4, 4, 0)))).toBeGreaterThanOrEqual(AGENTS - 5);
  const flip = (): void => {
    setArea(mesh, refOf(mesh, 0), 2);
  };
  expect(looks(flip)).toBeLessThan(AGENTS / 2);
  expect(
    looks(() => {
      for (let i = 0; i <= MAX_LOCAL_POLYS; i++) flip();
    }),
  ).toBeGreaterThanOrEqual(AGENTS - 5);
});
