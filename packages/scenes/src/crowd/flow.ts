/**
 * Crowd scenes with a steady flow: each agent that reaches a goal gets another one, until a given time. An open
 * field, rooms joined by ramps, four storeys joined by stairs.
 */
import { addBox, addColumn, addRamp, addStairs, createBuilder, finishMesh } from '../builder.ts';
import type { MeshBuilder, Rectangle } from '../builder.ts';
import { createRandom, nextInt, nextRange } from '../random.ts';
import type { Random } from '../random.ts';
import type { Point } from '../scene.ts';
import { RADIUS, addGround, crowdOptions, gridPoints, person, shuffle } from './people.ts';
import type { CrowdScene, CrowdSceneAgent, CrowdSceneTweaks, CrowdSetup } from './scene.ts';

/** Goals of each agent. It starts over when it has reached all of them. */
const ERRANDS = 40;
/** Time after the last errand within which all agents come to rest, seconds. */
const LAST_SECONDS = 120;

/** The parts of a scene with a steady flow. */
interface Flow {
  builder: MeshBuilder;
  people: readonly CrowdSceneAgent[];
  /** Returns a random goal. */
  goalOf: () => Point;
  /** Time during which agents get goals, seconds. */
  errandSeconds: number;
}

/** Returns a scene in which each agent has a goal and errands. */
function flowSetup({ builder, people, goalOf, errandSeconds }: Flow): CrowdSetup {
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: people.map((one) => ({
      ...one,
      goal: goalOf(),
      errands: Array.from({ length: ERRANDS }, () => goalOf()),
    })),
    seconds: errandSeconds + LAST_SECONDS,
    errandSeconds,
    goalRadius: 0.3,
    searchBudget: 10_000,
  };
}

/** A square without walls in which all agents go to random positions, over and over. */
function createOpenFlow(seed: number = 1, agents: number = 300, { density = 0.5 }: CrowdSceneTweaks = {}): CrowdSetup {
  const random = createRandom(seed);
  const half = Math.sqrt(agents / density) / 2;
  const builder = createBuilder();
  addGround(builder, [-half - RADIUS, -half - RADIUS, half + RADIUS, half + RADIUS]);
  const spacing = (2 * half) / Math.ceil(Math.sqrt(agents));
  const places = shuffle(random, gridPoints(random, [-half, -half, half, half], 0, spacing, 0.1));
  const people = places.slice(0, agents).map((position, i) => person(random, position, i % 4));
  const goalOf = (): Point => [nextRange(random, -half, half), 0, nextRange(random, -half, half)];
  return flowSetup({ builder, people, goalOf, errandSeconds: 120 });
}

const ROOM = 10;
const GAP = 3;
const COLUMNS = 4;
const ROWS = 3;

/** Rooms on a grid, at different heights, with pillars, joined by ramps between walls. */
function createRoomsFlow(seed: number = 1, agents: number = 300): CrowdSetup {
  const random = createRandom(seed);
  const builder = createBuilder();
  const pitch = ROOM + GAP;
  const heights = Array.from({ length: COLUMNS * ROWS }, () => 0.5 * nextInt(random, 0, 3));
  const pillars = heights.map((_, i): [number, number][] => {
    const x = (i % COLUMNS) * pitch;
    const z = Math.floor(i / COLUMNS) * pitch;
    return Array.from({ length: 2 }, (_, k) => [x + 3 + 4 * k, z + nextRange(random, 3, 7)]);
  });
  heights.forEach((y, i) => addRoom(builder, i, y, pillars[i], random));
  for (let i = 0; i < heights.length; i++) {
    if (i % COLUMNS < COLUMNS - 1) addPassage(builder, random, i, true, heights[i], heights[i + 1]);
    if (i + COLUMNS < heights.length) addPassage(builder, random, i, false, heights[i], heights[i + COLUMNS]);
  }
  const isFree = ([x, , z]: Point, i: number): boolean =>
    pillars[i].every(([px, pz]) => (x - px) * (x - px) + (z - pz) * (z - pz) > 1.2 * 1.2);
  const placeIn = (i: number): Rectangle => {
    const x = (i % COLUMNS) * pitch;
    const z = Math.floor(i / COLUMNS) * pitch;
    return [x + 0.8, z + 0.8, x + ROOM - 0.8, z + ROOM - 0.8];
  };
  const places = heights.flatMap((y, i) =>
    gridPoints(random, placeIn(i), y, 1.05, 0.05).filter((point) => isFree(point, i)),
  );
  const goalOf = (): Point => {
    for (;;) {
      const i = nextInt(random, 0, heights.length - 1);
      const [x0, z0, x1, z1] = placeIn(i);
      const point: Point = [nextRange(random, x0, x1), heights[i], nextRange(random, z0, z1)];
      if (isFree(point, i)) return point;
    }
  };
  const people = shuffle(random, places)
    .slice(0, agents)
    .map((position, i) => person(random, position, i % 4));
  return flowSetup({ builder, people, goalOf, errandSeconds: 180 });
}

function addRoom(
  builder: MeshBuilder,
  i: number,
  y: number,
  pillars: readonly (readonly [number, number])[],
  random: Random,
): void {
  const x = (i % COLUMNS) * (ROOM + GAP);
  const z = Math.floor(i / COLUMNS) * (ROOM + GAP);
  addBox(builder, [x, -1, z], [x + ROOM, y, z + ROOM]);
  for (const at of pillars) addColumn(builder, at, nextRange(random, 0.3, 0.5), [y, y + 3], 8);
}

/** Adds a ramp of 2 to 3 m between room i and the next one, in x or in z. */
function addPassage(
  builder: MeshBuilder,
  random: Random,
  i: number,
  isAlongX: boolean,
  from: number,
  to: number,
): void {
  const x = (i % COLUMNS) * (ROOM + GAP);
  const z = Math.floor(i / COLUMNS) * (ROOM + GAP);
  const width = nextRange(random, 2, 3);
  const at = nextRange(random, 1, ROOM - 1 - width);
  const [low, high] = from < to ? [from, to] : [to, from];
  if (isAlongX) {
    const up = from < to ? 2 : 0;
    addRamp(builder, [x + ROOM, z + at, x + ROOM + GAP, z + at + width], { bottom: -1, low, high, up });
  } else {
    const up = from < to ? 1 : 3;
    addRamp(builder, [x + at, z + ROOM, x + at + width, z + ROOM + GAP], { bottom: -1, low, high, up });
  }
}

const STOREYS = 4;
const RISE = 3.2;
const SLAB = 0.3;
const STAIRS = 2.4;
const FLOOR_X = 12;
const FLOOR_Z = 8;
const FLIGHT = 4;

/** Four storeys joined by stairs of 2.4 m (or `width`); three goals in four are on another storey. */
function createStoreysFlow(
  seed: number = 1,
  agents: number = 160,
  { width = STAIRS }: CrowdSceneTweaks = {},
): CrowdSetup {
  const random = createRandom(seed);
  const builder = createBuilder();
  for (let storey = 0; storey < STOREYS; storey++) addStorey(builder, storey, width);
  const placeIn: Rectangle = [-FLOOR_X + 0.6, -FLOOR_Z + width + 0.6, FLOOR_X - 0.6, FLOOR_Z - width - 0.6];
  const each = Math.ceil(agents / STOREYS);
  const places = Array.from({ length: STOREYS }, (_, storey) =>
    shuffle(random, gridPoints(random, placeIn, storey * RISE, 1.2, 0.1)).slice(0, each),
  );
  const people: CrowdSceneAgent[] = [];
  for (let i = 0; i < agents; i++) {
    const storey = i % STOREYS;
    people.push(person(random, places[storey][Math.floor(i / STOREYS)], storey));
  }
  const goalOf = (): Point => [
    nextRange(random, placeIn[0], placeIn[2]),
    RISE * nextInt(random, 0, STOREYS - 1),
    nextRange(random, placeIn[1], placeIn[3]),
  ];
  return flowSetup({ builder, people, goalOf, errandSeconds: 240 });
}

/**
 * Adds a floor with an opening for the stairs from below, and the stairs up from it. Stairs are at z > 0 and z < 0
 * in turn.
 */
function addStorey(builder: MeshBuilder, storey: number, width: number): void {
  const y = storey * RISE;
  const bottom = storey === 0 ? -1 : y - SLAB;
  const strip = (side: number): [number, number] =>
    side > 0 ? [FLOOR_Z - width, FLOOR_Z] : [-FLOOR_Z, -FLOOR_Z + width];
  const below = strip(storey % 2 === 0 ? -1 : 1);
  const above = strip(storey % 2 === 0 ? 1 : -1);
  addBox(builder, [-FLOOR_X, bottom, -FLOOR_Z + width], [FLOOR_X, y, FLOOR_Z - width]);
  addBox(builder, [-FLOOR_X, bottom, above[0]], [FLOOR_X, y, above[1]]);
  if (storey === 0) addBox(builder, [-FLOOR_X, bottom, below[0]], [FLOOR_X, y, below[1]]);
  else {
    addBox(builder, [-FLOOR_X, bottom, below[0]], [-FLIGHT, y, below[1]]);
    addBox(builder, [FLIGHT, bottom, below[0]], [FLOOR_X, y, below[1]]);
  }
  if (storey === STOREYS - 1) return;
  addStairs(builder, [-FLIGHT, above[0], FLIGHT, above[1]], { bottom: y, low: y, high: y + RISE, up: 2 }, 16);
}

export const openFlowScene: CrowdScene = {
  name: 'open-flow',
  kind: 'crowd',
  title: 'Open flow: random goals in a dense open space',
  agents: 300,
  create: createOpenFlow,
};

export const roomsFlowScene: CrowdScene = {
  name: 'rooms-flow',
  kind: 'crowd',
  title: 'Rooms: random goals in rooms joined by ramps',
  agents: 300,
  create: createRoomsFlow,
};

export const storeysFlowScene: CrowdScene = {
  name: 'storeys-flow',
  kind: 'crowd',
  title: 'Storeys with flow: random goals on four storeys joined by stairs',
  agents: 160,
  create: createStoreysFlow,
};
