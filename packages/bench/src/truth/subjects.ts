/** The levels that the truth matrix judges: scenes, levels in files next to the repository, and random levels. */
import type { BuildOptions } from 'navkiln/build';
import { RANDOM_LEVEL_KINDS, levelScenes, randomLevel } from 'navkiln-scenes';
import type { RandomLevelKind, RandomWalk } from 'navkiln-scenes';
import { loadLevels } from '../levels.ts';
import { SETTINGS, SURFACE_SETTINGS, VOXEL_SETTINGS } from './settings.ts';
import type { Setting, TruthLevel } from './settings.ts';

/** A level to judge, and the settings to judge it with. */
export interface Subject {
  /** A kind of random levels, 'scene' or 'file'. */
  kind: RandomLevelKind | 'scene' | 'file';
  name: string;
  settings: Setting[];
  /** Whether npm recast-navigation bakes the level, too: with the first setting, or with all settings of wider cells. */
  hasPeer: boolean;
  create: () => SubjectLevel;
}

export interface SubjectLevel extends TruthLevel {
  walks: RandomWalk[];
  /** Where a random level lies. */
  offset: readonly number[];
}

/** How many of 31 random levels in a row are of a kind; one if it is not listed. */
const WEIGHTS: Partial<Record<RandomLevelKind, number>> = { stairs: 10, ramps: 5, spirals: 5 };

const ROUND = RANDOM_LEVEL_KINDS.flatMap((kind) => new Array<RandomLevelKind>(WEIGHTS[kind] ?? 1).fill(kind));

/** Scenes whose surface is judged by what they are for: limits, and the smallest meshes. */
const WITHOUT_PROMISE = new Set(['single-triangle', 'one-cell', 'two-cells']);

/** Returns a whole number in [0, count) from a seed, by integer arithmetic. */
function drawn(seed: number, salt: number, count: number): number {
  let h = Math.imul(seed ^ Math.imul(salt, 0x9e3779b1), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return ((h ^ (h >>> 16)) >>> 0) % count;
}

/** One random level in so many is baked by npm recast-navigation, too. */
const PEER_EACH = 4;

/**
 * Returns `count` random levels from seed `first` on. Each is baked with one of the voxel settings, and with another one or a surface
 * setting. Its seed decides which.
 */
export function randomSubjects(count: number, first: number, kinds: readonly string[] = []): Subject[] {
  const round = ROUND.filter((kind) => kinds.length === 0 || kinds.includes(kind));
  return Array.from({ length: round.length === 0 ? 0 : count }, (_, i) => {
    const seed = first + i;
    const kind = round[i % round.length];
    const one = drawn(seed, 1, VOXEL_SETTINGS.length);
    const other = (one + 1 + drawn(seed, 2, VOXEL_SETTINGS.length - 1)) % VOXEL_SETTINGS.length;
    const surface = SURFACE_SETTINGS[drawn(seed, 3, SURFACE_SETTINGS.length)];
    return {
      kind,
      name: String(seed),
      settings: [VOXEL_SETTINGS[one], drawn(seed, 4, 2) === 0 ? surface : VOXEL_SETTINGS[other]],
      hasPeer: drawn(seed, 5, PEER_EACH) === 0,
      create: () => randomLevel(kind, seed),
    };
  });
}

/** Returns the scenes and the levels next to the repository, with all settings. */
export function fixedSubjects(root: string): Subject[] {
  const scenes = new Set(levelScenes.map(({ name }) => name));
  return loadLevels(root, [], 0)
    .filter(({ name }) => !WITHOUT_PROMISE.has(name))
    .map(({ name, positions, indices, options }) => ({
      kind: scenes.has(name) ? ('scene' as const) : ('file' as const),
      name,
      settings: [...SETTINGS],
      hasPeer: true,
      create: () => ({ positions, indices, agent: agentOf(options), walks: [], offset: [0, 0, 0] }),
    }));
}

function agentOf({ agent }: BuildOptions): TruthLevel['agent'] {
  return { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45, ...agent };
}

/** Returns the level moved to the origin, in float32, as libraries need it that know nothing else. */
export function nearOrigin({ positions, indices, agent, walks, offset }: SubjectLevel): SubjectLevel {
  const moved = (point: readonly number[]): [number, number, number] => [
    point[0] - offset[0],
    point[1] - offset[1],
    point[2] - offset[2],
  ];
  return {
    positions: Float32Array.from(positions, (value, i) => value - offset[i % 3]),
    indices,
    agent,
    walks: walks.map((walk) => ({ ...walk, from: moved(walk.from), to: moved(walk.to) })),
    offset: [0, 0, 0],
  };
}
