/** Crowd scenes on floors above each other: people who circle on both, and a chase over ramps. */
import { addBox, addRamp, createBuilder, finishMesh } from '../builder.ts';
import type { MeshBuilder } from '../builder.ts';
import { addGround, crowdOptions, gridPoints, person, shuffle } from './people.ts';
import type { CrowdScene, CrowdSceneAgent, CrowdSceneStep, CrowdSetup } from './scene.ts';
import { createRandom, nextRange } from '../random.ts';
import type { Point } from '../scene.ts';

const RISE = 3.2;
/** Half the outer and half the inner side of the ring that people circle in. */
const OUTER = 12;
const INNER = 7;
const LEGS = 5;
const LEG_SECONDS = 12;

function addGallery(builder: MeshBuilder, y: number, thickness: number): void {
  addBox(builder, [-OUTER, y - thickness, -OUTER], [OUTER, y, -INNER]);
  addBox(builder, [-OUTER, y - thickness, INNER], [OUTER, y, OUTER]);
  addBox(builder, [-OUTER, y - thickness, -INNER], [-INNER, y, INNER]);
  addBox(builder, [INNER, y - thickness, -INNER], [OUTER, y, INNER]);
}

/** Returns a position in the ring, by quarters of a round, `out` beyond its center line. */
function onRing(quarters: number, out: number, y: number): Point {
  const side = ((Math.floor(quarters) % 4) + 4) % 4;
  const along = (quarters - Math.floor(quarters)) * 2 - 1;
  const middle = (OUTER + INNER) / 2;
  const reach = middle + out;
  const a = along * middle;
  if (side === 0) return [a, y, -reach];
  if (side === 1) return [reach, y, a];
  if (side === 2) return [-a, y, reach];
  return [-reach, y, -a];
}

/**
 * Puts the same number on both floors, the lower ones first. On each floor, half go one way round and half
 * the other.
 */
function createStoreys(seed: number = 1, agents: number = 80): CrowdSetup {
  const random = createRandom(seed);
  const builder = createBuilder();
  addGallery(builder, 0, 1);
  addGallery(builder, RISE, 0.3);
  addBox(builder, [-INNER, -1, -INNER], [INNER, 2 * RISE, INNER]);
  addGround(builder, [OUTER, -OUTER, OUTER + 3, OUTER]);
  addRamp(builder, [OUTER, -7, OUTER + 3, 4], { bottom: 0, low: 0, high: RISE, up: 3 });
  addBox(builder, [OUTER, 0, -OUTER], [OUTER + 3, RISE, -7]);
  const each = Math.max(1, Math.round(agents / 2));
  const people: CrowdSceneAgent[] = [];
  const script: CrowdSceneStep[] = [];
  for (let storey = 0; storey < 2; storey++) {
    const y = storey * RISE;
    for (let k = 0; k < each; k++) {
      const agent = people.length;
      const way = k % 2 === 0 ? 1 : -1;
      const begin = (4 * k) / each;
      const out = way * nextRange(random, 0.2, 1.6);
      const at = (leg: number): Point => onRing(begin + way * leg * 0.9, out, y);
      people.push({ ...person(random, at(0), storey), goal: at(1) });
      for (let leg = 2; leg <= LEGS; leg++) {
        // At the end, the people of either direction stand on their side of the ring.
        const point = leg === LEGS ? onRing(begin + way * LEGS * 0.9, way * 1.2, y) : at(leg);
        script.push({ atSecond: (leg - 1) * LEG_SECONDS, do: 'move-to', agent, point });
      }
    }
  }
  script.sort((a, b) => a.atSecond - b.atSecond);
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: people,
    script,
    seconds: LEGS * LEG_SECONDS + 50,
    goalRadius: 0.3,
    searchBudget: 100_000,
  };
}

/**
 * A floor, a deck over a part of it, and two ramps. One agent that cannot be stopped runs over all of it. The
 * others follow it and gather around it when it stops.
 */
function createChase(seed: number = 1, agents: number = 101): CrowdSetup {
  const random = createRandom(seed);
  const side = 22;
  const builder = createBuilder();
  addGround(builder, [-side, -side, side, side]);
  addBox(builder, [-14, RISE - 0.3, -8], [14, RISE, 8]);
  // Ramps down to the floor on the deck's two short sides.
  addRamp(builder, [-14, -18, -10, -8], { bottom: 0, low: 0, high: RISE, up: 1 });
  addRamp(builder, [10, 8, 14, 18], { bottom: 0, low: 0, high: RISE, up: 3 });
  for (const [x, z] of [
    [-18, 4],
    [18, -5],
    [3, 14],
    [-4, -14],
  ])
    addBox(builder, [x! - 1, 0, z! - 1], [x! + 1, 2, z! + 1]);
  const route: Point[] = [
    [-12, 0, -20],
    [-12, RISE, -4],
    [0, RISE, 3],
    [12, RISE, 4],
    [12, 0, 20],
    [-10, 0, 12],
    [-2, 0, 0],
    [16, 0, -14],
    [0, 0, -17],
  ];
  const quarry: CrowdSceneAgent = { ...person(random, [-19, 0, -19], 1), maxSpeed: 2, ghost: true, goal: route[0] };
  const script = route
    .slice(1)
    .map((point, i): CrowdSceneStep => ({ atSecond: 7 * (i + 1), do: 'move-to', agent: 0, point }));
  const ground = gridPoints(random, [-4, -20, 20, 20], 0, 1.6, 0.2).filter(
    ([x, , z]) =>
      (z > 9.5 || z < -9.5) &&
      !(x > 8.5 && z > 6 && x < 15.5) &&
      Math.abs(x - 3) + Math.abs(z - 14) > 3.2 &&
      Math.abs(x + 4) + Math.abs(z + 14) > 3.2,
  );
  const deck = gridPoints(random, [-9, -7, 9, 7], RISE, 1.6, 0.2);
  const hunters = shuffle(random, [...ground, ...deck])
    .slice(0, Math.max(1, agents - 1))
    .map((position): CrowdSceneAgent => ({
      ...person(random, position, 0),
      maxSpeed: nextRange(random, 1.4, 1.8),
      follow: 0,
      followDistance: 0.9,
    }));
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: [quarry, ...hunters],
    script,
    seconds: 7 * route.length + 75,
    goalRadius: 1,
    searchBudget: 4000,
  };
}

export const storeysScene: CrowdScene = {
  name: 'storeys',
  kind: 'crowd',
  title: 'Storeys: agents circulate on two floors',
  agents: 80,
  create: createStoreys,
};

export const chaseScene: CrowdScene = {
  name: 'chase',
  kind: 'crowd',
  title: 'Chase: a hundred agents follow one agent up and down ramps',
  agents: 101,
  create: createChase,
};
