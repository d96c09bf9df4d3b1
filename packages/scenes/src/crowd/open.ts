/**
 * Crowd scenes in open space: across a circle, between blocks, over crossroads, to one goal.
 * Based on: the circle and the blocks are those of RVO2's examples (van den Berg, Guy, Snape, Lin, Manocha),
 * scaled from its radius to a person's; crossroads of four streams are van den Berg, Lin, Manocha, Reciprocal
 * Velocity Obstacles, 2008.
 */
import { addBox, createBuilder, finishMesh } from '../builder.ts';
import { RADIUS, addGround, crowdOptions, gridPoints, person, shuffle, sortByDistance } from './people.ts';
import type { CrowdScene, CrowdSceneAgent, CrowdSetup } from './scene.ts';
import { createRandom, nextFloat, nextRange } from '../random.ts';
import type { Point } from '../scene.ts';
import { cosTurn, sinTurn } from '../turn.ts';

/**
 * The ring of RVO2's example, 200 for 250 agents of radius 1.5, scaled so that each agent has as much space
 * for any count.
 */
function createCircle(seed: number = 1, agents: number = 250): CrowdSetup {
  const random = createRandom(seed);
  const ring = Math.max(2.5, ((200 * RADIUS) / 1.5) * (agents / 250));
  const side = ring + 4;
  const builder = createBuilder();
  addGround(builder, [-side, -side, side, side]);
  const turn = nextFloat(random);
  const people: CrowdSceneAgent[] = [];
  for (let i = 0; i < agents; i++) {
    const x = ring * cosTurn(turn + i / agents),
      z = ring * sinTurn(turn + i / agents);
    people.push({ ...person(random, [x, 0, z], i % 4), maxSpeed: 1.5, goal: [-x, 0, -z] });
  }
  return {
    level: finishMesh(builder),
    options: crowdOptions(RADIUS, side > 30 ? 0.35 : RADIUS / 2),
    agents: people,
    seconds: 40 + (4 * ring) / 1.5,
    goalRadius: 0.3,
  };
}

/**
 * Four groups in the corners of a square with four blocks and streets between them. Each group goes to the
 * opposite corner.
 */
function createBlocks(seed: number = 1, agents: number = 100): CrowdSetup {
  const random = createRandom(seed);
  const scale = RADIUS / 2;
  const side = 120 * scale;
  const builder = createBuilder();
  addGround(builder, [-side, -side, side, side]);
  for (const sx of [-1, 1]) {
    for (const sz of [-1, 1]) {
      const [x0, x1] = sx < 0 ? [-40, -10] : [10, 40];
      const [z0, z1] = sz < 0 ? [-40, -10] : [10, 40];
      addBox(builder, [x0 * scale, 0, z0 * scale], [x1 * scale, 3, z1 * scale]);
    }
  }
  const each = Math.max(1, Math.round(agents / 4));
  const rows = Math.ceil(Math.sqrt(each));
  const people: CrowdSceneAgent[] = [];
  [
    [1, 1],
    [-1, 1],
    [1, -1],
    [-1, -1],
  ].forEach(([sx, sz], group) => {
    for (let k = 0; k < each; k++) {
      const at = (n: number, sign: number): number => sign * (55 + 10 * n) * scale + nextRange(random, -0.02, 0.02);
      const position: Point = [at(Math.floor(k / rows), sx!), 0, at(k % rows, sz!)];
      people.push({ ...person(random, position, group), goal: [-sx! * 75 * scale, 0, -sz! * 75 * scale] });
    }
  });
  return { level: finishMesh(builder), options: crowdOptions(), agents: people, seconds: 110, goalRadius: 0.5 };
}

/**
 * Two crossing streets with a stream from each end to the opposite one. Ranks keep their order: the first go
 * furthest.
 */
function createCrossroads(seed: number = 1, agents: number = 400): CrowdSetup {
  const random = createRandom(seed);
  const spacing = 1.5;
  const each = Math.max(1, Math.round(agents / 4));
  const columns = Math.max(2, Math.min(9, Math.round(Math.sqrt(each))));
  const rows = Math.ceil(each / columns);
  const half = (columns * spacing) / 2 + 1;
  const near = half + 3;
  const far = near + rows * spacing + 1;
  const builder = createBuilder();
  addGround(builder, [-far - 1, -half, far + 1, half]);
  addGround(builder, [-half, -far - 1, half, -half]);
  addGround(builder, [-half, half, half, far + 1]);
  const people: CrowdSceneAgent[] = [];
  for (let group = 0; group < 4; group++) {
    for (let k = 0; k < each; k++) {
      const along = near + (Math.floor(k / columns) + 0.5) * spacing;
      const across = ((k % columns) - (columns - 1) / 2) * spacing;
      const end = near + rows * spacing - (Math.floor(k / columns) + 0.5) * spacing;
      const place = (distance: number, side: number): Point => {
        const x = group === 0 ? -distance : group === 1 ? distance : side;
        const z = group === 2 ? -distance : group === 3 ? distance : side;
        return [x, 0, z];
      };
      const position = place(along, across);
      position[0] += nextRange(random, -0.1, 0.1);
      position[2] += nextRange(random, -0.1, 0.1);
      people.push({ ...person(random, position, group), goal: place(-end, across) });
    }
  }
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: people,
    seconds: 60 + 5 * far,
    goalRadius: 0.3,
  };
}

/** Agents of two sizes, all around a square, go to its center. */
function createSameGoal(seed: number = 1, agents: number = 200): CrowdSetup {
  const random = createRandom(seed);
  const pile = 0.8 * Math.sqrt(agents) * RADIUS;
  const side = Math.ceil(pile + 0.85 * Math.sqrt(agents) + 6);
  const builder = createBuilder();
  addGround(builder, [-side, -side, side, side]);
  const away = sortByDistance(gridPoints(random, [-side + 1, -side + 1, side - 1, side - 1], 0, 1.2, 0.2), 0, 0).filter(
    (point) => point[0] * point[0] + point[2] * point[2] > (pile + 2) * (pile + 2),
  );
  const people = shuffle(random, away.slice(0, agents + (agents >> 1)))
    .slice(0, agents)
    .map((position, i): CrowdSceneAgent => ({
      ...person(random, position, i % 2),
      radius: i % 2 === 0 ? RADIUS : 0.3,
      goal: [0, 0, 0],
    }));
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: people,
    seconds: 40 + 2 * side,
    goalRadius: 0.3,
  };
}

export const circleScene: CrowdScene = {
  name: 'circle',
  kind: 'crowd',
  title: 'Circle: all agents cross to the opposite side',
  agents: 250,
  create: createCircle,
};

export const blocksScene: CrowdScene = {
  name: 'blocks',
  kind: 'crowd',
  title: 'Blocks: four groups cross between four blocks',
  agents: 100,
  create: createBlocks,
};

export const crossroadsScene: CrowdScene = {
  name: 'crossroads',
  kind: 'crowd',
  title: 'Crossroads: four streams of agents cross',
  agents: 400,
  create: createCrossroads,
};

export const sameGoalScene: CrowdScene = {
  name: 'same-goal',
  kind: 'crowd',
  title: 'Same goal: all agents go to one position',
  agents: 200,
  create: createSameGoal,
};
