/**
 * Crowd scene: all agents go to one position where there is little ground: in a corner of 30 to 90 degrees, at the end of
 * a corridor, behind a bend of one, or at the top of a ramp. The seed chooses the kind, and turns the level.
 */
import { addPrism, createBuilder, finishMesh } from '../builder.ts';
import { RADIUS, crowdOptions, gridPoints, person, shuffle } from './people.ts';
import type { CrowdScene, CrowdSetup } from './scene.ts';
import { createRandom, nextFloat, nextRange } from '../random.ts';
import type { Point } from '../scene.ts';
import { cosTurn, sinTurn } from '../turn.ts';

/** Width and length of the corridor, and rise of the ramp. */
const WIDTH = 2.4;
const LENGTH = 8;
const RISE = 0.9;
/** Share of the ground that agents fill where they rest. */
const DENSITY = 0.5;
/** Distance of the goal from the walls beside it. */
const NEAR = RADIUS + 0.1;

function createCornerGoal(seed: number = 1, agents: number = 60): CrowdSetup {
  const random = createRandom(seed);
  const turn = nextFloat(random);
  const cos = cosTurn(turn);
  const sin = sinTurn(turn);
  const place = (x: number, y: number, z: number): Point => [cos * x - sin * z, y, sin * x + cos * z];
  const builder = createBuilder();
  /** Adds a floor over an outline (x, z, …, counter-clockwise seen from below), at the heights of its corners. */
  const addGround = (outline: number[], tops: number[]): void => {
    const turned: number[] = [];
    for (let i = 0; i < outline.length; i += 2) {
      const [x, , z] = place(outline[i], 0, outline[i + 1]);
      turned.push(x, z);
    }
    addPrism(builder, turned, tops.map((top) => top - 1), tops); // prettier-ignore
  };
  const side = Math.max(6, 1.6 * Math.sqrt(agents) + 2);
  const middle = side / 2;
  const near = middle - WIDTH / 2;
  const far = middle + WIDTH / 2;
  const hall = [0, 0, 0, side, side, side, side, 0];
  const flat = [0, 0, 0, 0];
  const kind = seed % 4;
  const bodies = agents * Math.PI * RADIUS * RADIUS;
  let goal: Point;
  let restRadius: number;
  let spots = gridPoints(random, [1, 1, side - 1, side - 1], 0, 1.2, 0.04);
  if (kind === 0) {
    // A corner at the origin, and its bisector.
    const angle = nextRange(random, 30, 90) / 360;
    const long = 1.8 * side;
    addGround([0, 0, long * cosTurn(angle), long * sinTurn(angle), long, 0], [0, 0, 0]);
    const away = NEAR / sinTurn(angle / 2);
    goal = [away * cosTurn(angle / 2), 0, away * sinTurn(angle / 2)];
    restRadius = Math.sqrt(bodies / DENSITY / (Math.PI * angle));
    spots = gridPoints(random, [0, 0, long, long], 0, 1.1, 0.01).filter(([x, , z]) => {
      const inside = cosTurn(angle / 2) * x + sinTurn(angle / 2) * z < long * cosTurn(angle / 2) - 1;
      return inside && z > 1 && sinTurn(angle) * x - cosTurn(angle) * z > 1;
    });
  } else {
    addGround(hall, flat);
    const end = side + LENGTH;
    const up = kind === 3 ? RISE : 0;
    addGround([side, near, side, far, end, far, end, near], [0, 0, up, up]);
    goal = [end - NEAR, 0, middle];
    // Those that find no place in the corridor stand in a half circle in front of it.
    const outside = Math.max(0, bodies / DENSITY - WIDTH * LENGTH);
    restRadius = LENGTH + Math.sqrt((2 * outside) / Math.PI);
    if (kind > 1) {
      // A bend, or a landing at the top.
      addGround([end, near, end, far + 4, end + WIDTH, far + 4, end + WIDTH, near], [up, up, up, up]);
      goal = [end + WIDTH / 2, up, far + 4 - NEAR];
      restRadius += 2;
    }
  }
  const people = shuffle(random, spots)
    .slice(0, agents)
    .map(([x, y, z], i) => ({ ...person(random, place(x, y, z), i % 2), goal: place(...goal) }));
  return {
    level: finishMesh(builder),
    options: crowdOptions(),
    agents: people,
    seconds: 30 + 2 * side,
    goalRadius: 0.3,
    restRadius,
  };
}

export const cornerGoalScene: CrowdScene = {
  name: 'corner-goal',
  kind: 'crowd',
  title: 'Corner goal: all agents go to one position with little ground around it',
  agents: 60,
  create: createCornerGoal,
};
