/**
 * Crowd scenes in narrow spaces: a door, a corridor used in both directions, a ladder for one agent at a
 * time.
 * Based on: the door and its widths are those of laboratory experiments with people (Seyfried and others,
 * Jülich, 2009).
 */
import { addBox, createBuilder, finishMesh } from '../builder.ts';
import { RADIUS, addGround, crowdOptions, gridPoints, person, shuffle, sortByDistance } from './people.ts';
import type { CrowdScene, CrowdSceneAgent, CrowdSceneTweaks, CrowdSetup } from './scene.ts';
import { createRandom, nextRange } from '../random.ts';
import type { Point } from '../scene.ts';

/** The agents are slightly narrower than usual, so that one of them fits through a door of 0.7 m. */
const SLIM = 0.3;

/** A hall with a door of 1.2 m (or `width`) and goals behind it. Agents near the door go furthest. */
function createBottleneck(seed: number = 1, agents: number = 150, { width = 1.2 }: CrowdSceneTweaks = {}): CrowdSetup {
  const random = createRandom(seed);
  const columns = Math.max(3, Math.ceil(Math.sqrt(agents)));
  const depth = columns * 0.9 + 3;
  const half = Math.max(4, columns * 0.45 + 1);
  const spacing = 1.6;
  const endColumns = Math.floor((2 * Math.max(half, 8) - 1) / spacing);
  const endHalf = Math.max(half, 8);
  const endDepth = Math.ceil(agents / endColumns) * spacing + 4;
  const builder = createBuilder();
  addGround(builder, [-depth, -half, 0.3, half]);
  addGround(builder, [0.3, -endHalf, endDepth, endHalf]);
  addBox(builder, [0, 0, -endHalf], [0.3, 2.5, -width / 2]);
  addBox(builder, [0, 0, width / 2], [0.3, 2.5, endHalf]);
  const starts = sortByDistance(gridPoints(random, [-depth + 0.5, -half + 0.5, -1.5, half - 0.5], 0, 0.9, 0.1), 0, 0);
  const ends = sortByDistance(
    gridPoints(random, [3, -endHalf + 0.4, endDepth - 0.4, endHalf - 0.4], 0, spacing, 0),
    0,
    0,
  );
  const people = starts.slice(0, agents).map((position, i): CrowdSceneAgent => ({
    ...person(random, position, i % 2),
    radius: SLIM,
    goal: ends[Math.min(agents, ends.length) - 1 - i],
  }));
  return {
    level: finishMesh(builder),
    options: crowdOptions(SLIM, 0.1),
    agents: people,
    seconds: 40 + agents * (1.2 / Math.min(width, 2.4)),
    goalRadius: 0.3,
    gate: { normal: [1, 0, 0], offset: 0.3 },
  };
}

/** Two halls and a corridor as wide as two people, entered from both ends. */
function createCounterflow(
  seed: number = 1,
  agents: number = 40,
  { width = 4 * SLIM + 0.1 }: CrowdSceneTweaks = {},
): CrowdSetup {
  const random = createRandom(seed);
  const each = Math.max(1, Math.round(agents / 2));
  const spacing = 1.3;
  const columns = Math.max(3, Math.ceil(Math.sqrt(each)));
  const half = (columns * spacing) / 2 + 0.6;
  const reach = 6;
  const depth = Math.ceil(each / columns) * spacing + 3;
  const builder = createBuilder();
  addGround(builder, [-reach - depth, -half, -reach, half]);
  addGround(builder, [reach, -half, reach + depth, half]);
  addGround(builder, [-reach, -half, reach, half]);
  addBox(builder, [-reach, 0, -half], [reach, 2.5, -width / 2]);
  addBox(builder, [-reach, 0, width / 2], [reach, 2.5, half]);
  const places = gridPoints(random, [reach + 2, -half + 0.3, reach + depth - 0.3, half - 0.3], 0, spacing, 0.05);
  const right = sortByDistance(places, reach, 0).slice(0, each);
  const people: CrowdSceneAgent[] = [];
  right.forEach(([x, y, z], i) => {
    const [endX, endY, endZ] = right[each - 1 - i];
    const there: Point = [-endX, endY, endZ];
    people.push({ ...person(random, [x, y, z], 0), radius: SLIM, goal: there });
    people.push({ ...person(random, [-x, y, z], 1), radius: SLIM, goal: [endX, endY, endZ] });
  });
  return {
    level: finishMesh(builder),
    options: crowdOptions(SLIM, 0.1),
    agents: people,
    seconds: 60 + 3 * each,
    goalRadius: 0.3,
    gate: { normal: [1, 0, 0], offset: 0 },
  };
}

/** A ladder up a wall for one agent at a time, two seconds each. Agents near it go furthest. */
function createLinkJam(seed: number = 1, agents: number = 40): CrowdSetup {
  const random = createRandom(seed);
  const spacing = 1.6;
  const columns = Math.max(3, Math.ceil(Math.sqrt(agents)));
  const half = (columns * spacing) / 2 + 1;
  const depth = columns * spacing + 4;
  const builder = createBuilder();
  addGround(builder, [-depth, -half, 0, half]);
  addBox(builder, [0, -1, -half], [depth + 1, 4, half]);
  const starts = sortByDistance(gridPoints(random, [-depth + 0.4, -half + 0.4, -2.5, half - 0.4], 0, 1.2, 0.15), 0, 0);
  const ends = sortByDistance(gridPoints(random, [3, -half + 0.4, depth + 0.4, half - 0.4], 4, spacing, 0), 0, 0);
  const people = starts.slice(0, agents).map((position, i): CrowdSceneAgent => ({
    ...person(random, position, i % 2),
    goal: ends[Math.min(agents, ends.length) - 1 - i],
  }));
  const seconds = 2;
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: people,
    seconds: 40 + 1.25 * seconds * agents,
    goalRadius: 0.3,
    links: [{ start: [-0.6, 0, 0], end: [0.9, 4, 0], bothWays: false, radius: 2 * RADIUS, capacity: 1, seconds }],
    gate: { normal: [0, 1, 0], offset: 3.5 },
  };
}

/**
 * Agents jump down from a ledge and go to one position near the landing, where others already stand without an order. The seed chooses
 * how many may jump at a time.
 */
function createLinkLanding(seed: number = 1, agents: number = 40): CrowdSetup {
  const random = createRandom(seed);
  const builder = createBuilder();
  const depth = Math.max(8, 1.6 * Math.sqrt(agents) + 3);
  const half = depth / 2;
  addGround(builder, [0, -half, depth, half]);
  addBox(builder, [-depth, -1, -half], [0, 2, half]);
  const landing: Point = [1.2, 0, nextRange(random, -half + 2, half - 2)];
  const away = nextRange(random, 0.3, 2);
  const goal: Point = [landing[0] + away, 0, landing[2] + nextRange(random, -away, away) / 2];
  const idle = Math.floor(agents / 4);
  const starts = shuffle(random, gridPoints(random, [-depth + 0.5, -half + 0.5, -1, half - 0.5], 2, 1.1, 0.1));
  const stands = sortByDistance(
    gridPoints(random, [0.8, -half + 0.8, depth, half - 0.8], 0, 0.85, 0.04),
    landing[0],
    landing[2],
  );
  const people = starts.slice(0, agents - idle).map((position, i): CrowdSceneAgent => ({
    ...person(random, position, i % 2),
    goal,
  }));
  for (const position of stands.slice(0, idle)) people.push(person(random, position, 2));
  const capacity = [Infinity, 1, 3][seed % 3];
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: people,
    seconds: 60 + 4 * agents,
    goalRadius: 0.3,
    restRadius: 2 + 1.2 * Math.sqrt(agents),
    links: [
      { start: [-0.6, 2, landing[2]], end: landing, bothWays: false, radius: 2 * RADIUS, capacity, seconds: 0.6 },
    ],
  };
}

export const linkLandingScene: CrowdScene = {
  name: 'link-landing',
  kind: 'crowd',
  title: 'Link landing: agents jump to where others stand',
  agents: 40,
  create: createLinkLanding,
};

export const bottleneckScene: CrowdScene = {
  name: 'bottleneck',
  kind: 'crowd',
  title: 'Bottleneck: a hall empties through one door',
  agents: 150,
  create: createBottleneck,
};

export const counterflowScene: CrowdScene = {
  name: 'counterflow',
  kind: 'crowd',
  title: 'Counterflow: two groups meet in a corridor two agents wide',
  agents: 40,
  create: createCounterflow,
};

export const linkJamScene: CrowdScene = {
  name: 'link-jam',
  kind: 'crowd',
  title: 'Link jam: forty agents and a ladder for one at a time',
  agents: 40,
  create: createLinkJam,
};
