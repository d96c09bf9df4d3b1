/** Crowd scenes in changing worlds: tiles that are rebuilt under people, and a town. */
import { addBox, createBuilder, finishMesh } from '../builder.ts';
import { RADIUS, addGround, crowdOptions, gridPoints, person, shuffle } from './people.ts';
import type { CrowdScene, CrowdSceneAgent, CrowdSceneStep, CrowdSetup } from './scene.ts';
import { createRandom, nextFloat, nextInt, nextRange } from '../random.ts';
import type { LevelMesh, Point } from '../scene.ts';

const HALL_X = 24;
const HALL_Z = 12;
const TILE = 8;
const SWAP_SECONDS = 70;

function createHall(crates: readonly Point[]): LevelMesh {
  const builder = createBuilder();
  addGround(builder, [-HALL_X, -HALL_Z, HALL_X, HALL_Z]);
  for (const [x, z] of [
    [-9, -3],
    [-2, 5],
    [6, -6],
    [11, 4],
  ])
    addBox(builder, [x! - 0.6, 0, z! - 0.6], [x! + 0.6, 2.5, z! + 0.6]);
  for (const [x, , z] of crates) addBox(builder, [x - 0.3, 0, z - 0.3], [x + 0.3, 1, z + 0.3]);
  return finishMesh(builder);
}

/**
 * Two streams cross a hall while one of its tiles is rebuilt every second, alternately with a crate and
 * without.
 */
function createTileSwap(seed: number = 1, agents: number = 80): CrowdSetup {
  const random = createRandom(seed);
  const tiles: [number, number][] = [];
  for (let x = -HALL_X + TILE / 2; x < HALL_X; x += TILE) {
    for (let z = -HALL_Z + TILE / 2; z < HALL_Z; z += TILE) tiles.push([x, z]);
  }
  const crates = tiles
    .filter(([x]) => Math.abs(x) < HALL_X - TILE)
    .map(([x, z]): Point => [x + nextRange(random, -2, 2), 0, z + nextRange(random, -2, 2)]);
  const script: CrowdSceneStep[] = [];
  for (let second = 1, variant = 1; second < SWAP_SECONDS; variant = 1 - variant) {
    for (const [x, z] of shuffle(random, [...tiles])) {
      if (second < SWAP_SECONDS) script.push({ atSecond: second++, do: 'rebuild-tile', x, z, variant });
    }
  }
  const each = Math.max(1, Math.round(agents / 2));
  const places = shuffle(
    random,
    gridPoints(random, [HALL_X - 7.5, -HALL_Z + 1, HALL_X - 0.5, HALL_Z - 1], 0, 1.5, 0.1),
  );
  const people: CrowdSceneAgent[] = [];
  for (let k = 0; k < Math.min(each, places.length); k++) {
    const [x, y, z] = places[k];
    const [endX, , endZ] = places[places.length - 1 - k];
    people.push({ ...person(random, [x, y, z], 0), goal: [-endX, 0, endZ] });
    people.push({ ...person(random, [-x, y, z], 1), goal: [endX, 0, endZ] });
  }
  const bounds = { min: [-HALL_X, -1, -HALL_Z] as Point, max: [HALL_X, 2.5, HALL_Z] as Point };
  return {
    level: createHall([]),
    variants: [createHall(crates)],
    options: { ...crowdOptions(), tileSize: TILE, bounds },
    agents: people,
    script,
    seconds: 110,
    goalRadius: 0.3,
  };
}

const PITCH = 20;
const BLOCK = 12;
const TOWN_SECONDS = 60;

/** Streets between buildings. Four in five agents stay near home; the others cross the town. */
function createTown(seed: number = 270, agents: number = 1000): CrowdSetup {
  const random = createRandom(seed);
  const blocks = Math.max(2, Math.min(20, Math.round(Math.sqrt(agents / 40))));
  const side = (blocks * PITCH) / 2 + 3;
  const builder = createBuilder();
  addGround(builder, [-side, -side, side, side]);
  const corner = (k: number): number => (k - blocks / 2) * PITCH + (PITCH - BLOCK) / 2;
  for (let ix = 0; ix < blocks; ix++) {
    for (let iz = 0; iz < blocks; iz++) {
      addBox(builder, [corner(ix), 0, corner(iz)], [corner(ix) + BLOCK, nextRange(random, 4, 12), corner(iz) + BLOCK]);
    }
  }
  const isFree = (v: number): boolean => {
    const t = v + (blocks * PITCH) / 2,
      within = t - Math.floor(t / PITCH) * PITCH,
      gap = (PITCH - BLOCK) / 2 - 0.7;
    return t < 0 || t > blocks * PITCH || within < gap || within > PITCH - gap;
  };
  const place = (x0: number, z0: number, reach: number): Point => {
    for (;;) {
      const x = Math.max(-side + 1, Math.min(side - 1, x0 + nextRange(random, -reach, reach)));
      const z = Math.max(-side + 1, Math.min(side - 1, z0 + nextRange(random, -reach, reach)));
      if (isFree(x) || isFree(z)) return [x, 0, z];
    }
  };
  const taken = new Set<string>();
  /** Returns a random position in a street, in a cell of 1.5 m that no other agent has. */
  const placeAlone = (x0: number, z0: number, reach: number, suffix: string): Point => {
    for (let wide = reach; ; wide += 0.5) {
      const [x, y, z] = place(x0, z0, wide);
      const cx = Math.round(x / 1.5),
        cz = Math.round(z / 1.5);
      const key = `${cx} ${cz} ${suffix}`;
      if (taken.has(key) || !(isFree(cx * 1.5) || isFree(cz * 1.5))) continue;
      if (Math.abs(cx * 1.5) > side - 1 || Math.abs(cz * 1.5) > side - 1) continue;
      taken.add(key);
      return [cx * 1.5, y, cz * 1.5];
    }
  };
  const people: CrowdSceneAgent[] = [];
  const script: CrowdSceneStep[] = [];
  for (let agent = 0; agent < agents; agent++) {
    const travels = agent % 5 === 4;
    const home = placeAlone(0, 0, side, 'start');
    const radius = nextRange(random, 0.3, RADIUS + 1e-9);
    const goals: Point[] = [];
    const times: number[] = [0];
    if (travels) goals.push(place(-home[0], -home[2], 10), placeAlone(home[0], -home[2], 10, 'end'));
    else {
      for (let k = nextInt(random, 2, 4); k > 0; k--) goals.push(place(home[0], home[2], 15));
      goals.push(placeAlone(home[0], home[2], 15, 'end'));
    }
    for (let k = 1; k < goals.length; k++) times.push((TOWN_SECONDS * (k - 0.5 + nextFloat(random))) / goals.length);
    people.push({
      ...person(random, home, travels ? 1 : 0),
      radius,
      maxSpeed: nextRange(random, 1.3, travels ? 2 : 1.6),
      goal: goals[0],
    });
    for (let k = 1; k < goals.length; k++) script.push({ atSecond: times[k], do: 'move-to', agent, point: goals[k] });
  }
  script.sort((a, b) => a.atSecond - b.atSecond);
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: people,
    script,
    seconds: TOWN_SECONDS + 60 + 3 * side,
    goalRadius: 0.3,
  };
}

export const tileSwapScene: CrowdScene = {
  name: 'tile-swap',
  kind: 'crowd',
  title: 'Tile swap: tiles are rebuilt below walking agents',
  agents: 80,
  create: createTileSwap,
};

export const townScene: CrowdScene = {
  name: 'town',
  kind: 'crowd',
  title: 'Town: a thousand agents on errands near and far',
  agents: 1000,
  create: createTown,
};
