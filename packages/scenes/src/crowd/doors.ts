/** Crowd scenes with doors and junctions: an evacuation, a junction of corridors, people who stand in a door. */
import { addBox, createBuilder, finishMesh } from '../builder.ts';
import { createRandom } from '../random.ts';
import type { Point } from '../scene.ts';
import { RADIUS, addGround, crowdOptions, gridPoints, person, shuffle, sortByDistance } from './people.ts';
import type { CrowdScene, CrowdSceneAgent, CrowdSceneTweaks, CrowdSetup } from './scene.ts';

/** The agents are slightly narrower than usual, as in a bottleneck. */
const SLIM = 0.3;
const WALL = 0.3;

/** A hall with two doors of 1.2 m (or `width`) in one wall, and a goal outside for each agent. */
function createEvacuation(seed: number = 1, agents: number = 400, { width = 1.2 }: CrowdSceneTweaks = {}): CrowdSetup {
  const random = createRandom(seed);
  const columns = Math.max(4, Math.ceil(Math.sqrt(2 * agents)));
  const half = Math.max(6, columns * 0.45 + 1);
  const depth = Math.ceil(agents / columns) * 0.9 + 4;
  const spacing = 1.5;
  const endDepth = Math.ceil(agents / Math.floor((2 * half - 1) / spacing)) * spacing + 5;
  const door = half / 2;
  const builder = createBuilder();
  addGround(builder, [-depth, -half, endDepth, half]);
  for (const [from, to] of [
    [-half, -door - width / 2],
    [-door + width / 2, door - width / 2],
    [door + width / 2, half],
  ])
    addBox(builder, [0, 0, from!], [WALL, 2.5, to!]);
  const starts = gridPoints(random, [-depth + 0.5, -half + 0.5, -1.5, half - 0.5], 0, 0.9, 0.1);
  const ends = shuffle(random, gridPoints(random, [3, -half + 0.4, endDepth - 0.4, half - 0.4], 0, spacing, 0));
  const people = shuffle(random, starts)
    .slice(0, agents)
    .map((position, i): CrowdSceneAgent => ({
      ...person(random, position, i % 2),
      radius: SLIM,
      goal: ends[i],
    }));
  return {
    level: finishMesh(builder),
    options: crowdOptions(SLIM, 0.1),
    agents: people,
    seconds: 60 + agents / 2,
    goalRadius: 0.3,
    gate: { normal: [1, 0, 0], offset: WALL },
    searchBudget: 10_000,
  };
}

/**
 * Corridors of 4 radii (or `width`) that meet in a T, or in a cross with `arms` 4, with a hall at each end. The
 * people of each hall go to the others.
 */
function createJunction(
  seed: number = 1,
  agents: number = 45,
  { width = 4 * SLIM + 0.1, arms = 3 }: CrowdSceneTweaks = {},
): CrowdSetup {
  const random = createRandom(seed);
  const each = Math.max(1, Math.round(agents / arms));
  const spacing = 1.3;
  // Starts and goals alternate, so that nobody stands on the goal of another.
  const columns = Math.max(4, 2 * Math.ceil(Math.sqrt(each / 2)));
  const half = (columns * spacing) / 2 + 0.6;
  const depth = Math.ceil((2 * each) / columns + 1) * spacing + 3;
  const reach = Math.max(6, half + 1);
  const builder = createBuilder();
  /** Maps a point of the arm along +x to another arm. */
  const turn = (arm: number, x: number, z: number): [number, number] =>
    arm === 0 ? [x, z] : arm === 1 ? [-x, -z] : arm === 2 ? [-z, x] : [z, -x];
  const addFloor = (arm: number, x0: number, z0: number, x1: number, z1: number): void => {
    const [ax, az] = turn(arm, x0, z0);
    const [bx, bz] = turn(arm, x1, z1);
    addGround(builder, [Math.min(ax, bx), Math.min(az, bz), Math.max(ax, bx), Math.max(az, bz)]);
  };
  addGround(builder, [-width / 2, -width / 2, width / 2, width / 2]);
  const starts: Point[][] = [];
  const ends: Point[][] = [];
  for (let arm = 0; arm < arms; arm++) {
    addFloor(arm, width / 2, -width / 2, reach, width / 2);
    addFloor(arm, reach, -half, reach + depth, half);
    const cells = gridPoints(random, [reach + 2, -half + 0.3, reach + depth - 0.3, half - 0.3], 0, spacing, 0.05);
    const row = Math.floor((depth - 2.3) / spacing + 1e-9);
    const isStart = (_: Point, k: number): boolean => ((k % row) + Math.floor(k / row)) % 2 === 0;
    const place = ([x, y, z]: Point): Point => {
      const [px, pz] = turn(arm, x, z);
      return [px, y, pz];
    };
    starts.push(sortByDistance(cells.filter(isStart), reach, 0).slice(0, each).map(place));
    ends.push(
      sortByDistance(
        cells.filter((cell, k) => !isStart(cell, k)),
        reach,
        0,
      )
        .slice(0, each)
        .map(place),
    );
  }
  // The first out of a hall take the farthest goals of the next one.
  const taken = new Array<number>(arms).fill(0);
  const people: CrowdSceneAgent[] = [];
  for (let k = 0; k < each; k++) {
    for (let arm = 0; arm < arms; arm++) {
      const to = (arm + 1 + (k % (arms - 1))) % arms;
      const goals = ends[to];
      const goal = goals[(((goals.length - 1 - taken[to]++) % goals.length) + goals.length) % goals.length];
      people.push({ ...person(random, starts[arm][k], arm), radius: SLIM, goal });
    }
  }
  return {
    level: finishMesh(builder),
    options: crowdOptions(SLIM, 0.1),
    agents: people,
    seconds: 60 + 4 * agents,
    goalRadius: 0.3,
  };
}

const IDLE = 4;

/** A door of 1.2 m (or `width`) in which people stand without an order; twenty others go through. */
function createIdleDoor(seed: number = 1, agents: number = 24, { width = 1.2 }: CrowdSceneTweaks = {}): CrowdSetup {
  const random = createRandom(seed);
  const walkers = Math.max(1, agents - IDLE);
  const columns = Math.max(3, Math.ceil(Math.sqrt(walkers)));
  const half = columns * 0.65 + 2;
  const depth = Math.ceil(walkers / columns) * 1.3 + 5;
  const builder = createBuilder();
  addGround(builder, [-depth, -half, depth, half]);
  addBox(builder, [-WALL, 0, -half], [WALL, 2.5, -width / 2]);
  addBox(builder, [-WALL, 0, width / 2], [WALL, 2.5, half]);
  const people: CrowdSceneAgent[] = [];
  const places: Point[] = [
    [0, 0, -0.2],
    [-0.75, 0, 0.2],
    [0.75, 0, 0.1],
    [1.5, 0, -0.1],
  ];
  for (let k = 0; k < Math.min(IDLE, agents - 1); k++) {
    people.push({ ...person(random, places[k], 1), radius: SLIM });
  }
  const starts = sortByDistance(gridPoints(random, [-depth + 0.4, -half + 0.4, -3, half - 0.4], 0, 1.3, 0.1), 0, 0);
  for (let k = 0; k < walkers; k++) {
    const [x, y, z] = starts[k];
    people.push({ ...person(random, [x, y, z], 0), radius: SLIM, goal: [x + depth + 1, y, z] });
  }
  return {
    level: finishMesh(builder),
    options: crowdOptions(SLIM, 0.1),
    agents: people,
    seconds: 60 + 2 * walkers,
    goalRadius: 0.3,
    gate: { normal: [1, 0, 0], offset: WALL },
  };
}

/** All agents begin at one position. Every second agent stands there, and the others go to a ring around it. */
function createSpawnPile(seed: number = 1, agents: number = 100): CrowdSetup {
  const random = createRandom(seed);
  const ring = 6 + 0.3 * Math.sqrt(agents);
  const side = ring + 3 + 0.25 * agents * 0.2;
  const builder = createBuilder();
  addGround(builder, [-side, -side, side, side]);
  const goals = shuffle(random, gridPoints(random, [-side + 1, -side + 1, side - 1, side - 1], 0, 1.2, 0.1)).filter(
    ([x, , z]) => x * x + z * z > ring * ring,
  );
  const people = Array.from({ length: agents }, (_, i): CrowdSceneAgent => ({
    ...person(random, [0, 0, 0], i % 2),
    ...(i % 2 === 1 ? { goal: goals[i >> 1] } : {}),
  }));
  return {
    level: finishMesh(builder),
    options: crowdOptions(RADIUS),
    agents: people,
    seconds: 60,
    goalRadius: 0.3,
  };
}

export const evacuationScene: CrowdScene = {
  name: 'evacuation',
  kind: 'crowd',
  title: 'Evacuation: a hall empties through two doors',
  agents: 400,
  create: createEvacuation,
};

export const junctionScene: CrowdScene = {
  name: 'junction',
  kind: 'crowd',
  title: 'Junction: three narrow corridors meet',
  agents: 45,
  create: createJunction,
};

export const idleDoorScene: CrowdScene = {
  name: 'idle-door',
  kind: 'crowd',
  title: 'Idle door: agents without an order stand in a doorway',
  agents: 24,
  create: createIdleDoor,
};

export const spawnPileScene: CrowdScene = {
  name: 'spawn-pile',
  kind: 'crowd',
  title: 'Spawn pile: all agents are added at one position',
  agents: 100,
  create: createSpawnPile,
};
