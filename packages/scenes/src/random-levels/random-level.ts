/**
 * Random levels, each decided by its kind and seed: closed solids with walks that are known by construction to be possible or
 * impossible. They are turned by any angle, and some lie far from the origin.
 *
 * Based on: own.
 */
import { addBox, addTrianglePoints, finishMesh } from '../builder.ts';
import type { Rectangle } from '../builder.ts';
import { nextFloat, nextInt, nextRange } from '../random.ts';
import type { Point } from '../scene.ts';
import { cosTurn, sinTurn } from '../turn.ts';
import { arches, bridges, doors, gables, row, tunnels } from './crossings.ts';
import { ramps, stairs } from './flights.ts';
import { boxes, terraces, terrain } from './outdoors.ts';
import { rooms } from './rooms.ts';
import { addPlace, chance, createSketch } from './sketch.ts';
import type { Feature, RandomLevelAgent, Sketch } from './sketch.ts';
import { carParks, spirals } from './spirals.ts';
import { walksOf } from './walks.ts';
import type { RandomWalk } from './walks.ts';

type FeatureKind =
  | 'stairs'
  | 'ramps'
  | 'spirals'
  | 'car-parks'
  | 'rooms'
  | 'terraces'
  | 'boxes'
  | 'tunnels'
  | 'bridges'
  | 'arches'
  | 'gables'
  | 'doors';

const FEATURES: Readonly<Record<FeatureKind, Feature>> = {
  stairs,
  ramps,
  spirals,
  'car-parks': carParks,
  rooms,
  terraces,
  boxes,
  tunnels,
  bridges,
  arches,
  gables,
  doors,
};

export type RandomLevelKind = FeatureKind | 'terrain' | 'mixed';

/** All kinds of random levels. `mixed` puts several others next to each other, with clutter between them. */
export const RANDOM_LEVEL_KINDS: readonly RandomLevelKind[] = [
  ...(Object.keys(FEATURES) as FeatureKind[]),
  'terrain',
  'mixed',
];

export interface RandomLevel {
  kind: RandomLevelKind;
  seed: number;
  /** The agent that the walks are for. */
  agent: RandomLevelAgent;
  /** Doubles where the level lies far from the origin. */
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  walks: RandomWalk[];
  /** Where the level lies: its rotation about y in turns, and its offset. */
  turn: number;
  offset: Point;
}

/** Returns the level of that kind and seed. */
export function randomLevel(kind: RandomLevelKind, seed: number): RandomLevel {
  const sketch = createSketch(Math.imul(seed, 0x9e3779b1) ^ RANDOM_LEVEL_KINDS.indexOf(kind));
  addPlace(sketch, 0, 0, 0);
  if (kind === 'terrain') {
    terrain(sketch, 0, 0);
    // There is no flat ground around hills.
    sketch.places[0] = [...sketch.places[1]];
    sketch.passages.push({ a: 0, b: 1, needs: {} });
  } else {
    const area = kind === 'mixed' ? addMixed(sketch) : FEATURES[kind](sketch, 0, 0);
    addGround(sketch, area);
  }
  return place(kind, seed, sketch);
}

function addGround(sketch: Sketch, area: Rectangle): void {
  const margin = 7 * sketch.agent.radius;
  const [x0, z0, x1, z1] = [area[0] - margin, area[1] - margin, area[2] + margin, area[3] + margin];
  sketch.places[0] = [x0 + margin / 2, 0, z0 + margin / 2];
  addBox(sketch.builder, [x0, -2 * sketch.agent.radius, z0], [x1, 0, z1]);
}

/** Draws two to four features and loose clutter: low and high boxes, posts, and triangles. */
function addMixed(sketch: Sketch): Rectangle {
  const { random, agent } = sketch;
  const { radius, maxClimb } = agent;
  const kinds = Object.values(FEATURES);
  const features = Array.from({ length: nextInt(random, 2, 4) }, () => kinds[nextInt(random, 0, kinds.length - 1)]);
  const area = row(sketch, features, 0, 0);
  if (!chance(random, 0.6)) return area;
  // Clutter may stand in any way and be a step to anything: only the triangles know.
  sketch.passages.splice(0, sketch.passages.length);
  sketch.leastLengths.splice(0, sketch.leastLengths.length);
  sketch.places.splice(1, sketch.places.length);
  for (let i = nextInt(random, 5, 40); i > 0; i--) {
    const x = nextRange(random, area[0], area[2]);
    const z = nextRange(random, area[1], area[3]);
    const y = chance(random, 0.7) ? 0 : nextRange(random, 0, 2 * agent.height);
    const size = radius * nextRange(random, 0.05, 4);
    if (chance(random, 0.7)) {
      const high = y + maxClimb * nextRange(random, 0.1, 6);
      addBox(sketch.builder, [x, y - 0.1 * radius, z], [x + size, high, z + radius * nextRange(random, 0.05, 4)]);
    } else {
      const corner = (): number[] => [
        x + size * nextFloat(random),
        y + size * nextRange(random, -0.3, 0.3),
        z + size * nextFloat(random),
      ];
      addTrianglePoints(sketch.builder, [...corner(), ...corner(), ...corner()]);
    }
  }
  return area;
}

/** Turns and moves a sketch to where the level lies. */
function place(kind: RandomLevelKind, seed: number, sketch: Sketch): RandomLevel {
  const { random, agent } = sketch;
  const turn = chance(random, 0.12) ? nextInt(random, 0, 3) / 4 : nextFloat(random);
  const far = nextFloat(random);
  const reach = far < 0.7 ? 50 : far < 0.85 ? 1e4 : 1e7;
  const offset: Point = [nextRange(random, -reach, reach), nextRange(random, -5, 5), nextRange(random, -reach, reach)];
  if (kind !== 'mixed' && chance(random, 0.1)) offset.fill(0);
  const [c, s] = [cosTurn(turn), sinTurn(turn)];
  const moved = ([x, y, z]: Point): Point => [c * x + s * z + offset[0], y + offset[1], c * z - s * x + offset[2]];
  const walks = walksOf(sketch).map((walk) => ({ ...walk, from: moved(walk.from), to: moved(walk.to) }));
  const mesh = finishMesh(sketch.builder);
  const positions =
    far < 0.7 && chance(random, 0.5)
      ? new Float32Array(mesh.positions.length)
      : new Float64Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    positions.set(moved([mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]]), i);
  }
  return { kind, seed, agent, positions, indices: mesh.indices, walks, turn, offset };
}
