/**
 * A random level while it is drawn: its triangles, places to stand, and passages between them. The passages say what
 * an agent must be able to do, so `walksOf` knows which places are connected without a bake.
 */
import type { Direction, MeshBuilder, Rectangle } from '../builder.ts';
import { createBuilder } from '../builder.ts';
import { createRandom, nextFloat, nextRange } from '../random.ts';
import type { Random } from '../random.ts';
import type { Point } from '../scene.ts';
import { cosTurn, sinTurn } from '../turn.ts';

export interface RandomLevelAgent {
  radius: number;
  height: number;
  maxClimb: number;
  maxSlopeDegrees: number;
}

/** What a passage asks of an agent. Fields left out ask for nothing. World units. */
export interface PassageNeeds {
  /** Width between walls or drops. */
  width?: number;
  /** Height of its highest step. */
  step?: number;
  /** Distance between two steps. Default: one step alone. */
  tread?: number;
  headroom?: number;
  slopeDegrees?: number;
  /** Whether the passage may fail for reasons that `needs` does not name: it is never taken as sure. */
  isUnsure?: boolean;
}

export interface Passage {
  a: number;
  b: number;
  needs: PassageNeeds;
}

/** Two places that no path shorter than `length` connects. */
export interface LeastLength {
  a: number;
  b: number;
  length: number;
}

export interface Sketch {
  builder: MeshBuilder;
  random: Random;
  agent: RandomLevelAgent;
  places: Point[];
  passages: Passage[];
  leastLengths: LeastLength[];
}

/** A part of a level: draws itself on ground at y = 0 from (x, z) on towards +x and +z, and returns its area. */
export type Feature = (sketch: Sketch, x: number, z: number) => Rectangle;

/** Radii that a passage must be wide to be surely open at cells of half a radius; see `isSure`. */
export const CLEAR = 4.1;

export function createSketch(seed: number): Sketch {
  const random = createRandom(seed);
  return {
    builder: createBuilder(),
    random,
    agent: nextAgent(random),
    places: [],
    passages: [],
    leastLengths: [],
  };
}

function nextAgent(random: Random): RandomLevelAgent {
  if (chance(random, 0.4)) return { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };
  const radius = chance(random, 0.15) ? nextRange(random, 0.05, 0.15) : nextRange(random, 0.25, 0.6);
  return {
    radius,
    height: radius * nextRange(random, 3.5, 6),
    maxClimb: radius * nextRange(random, 0.75, 1.2),
    maxSlopeDegrees: nextRange(random, 40, 50),
  };
}

export function chance(random: Random, share: number): boolean {
  return nextFloat(random) < share;
}

export function addPlace(sketch: Sketch, x: number, y: number, z: number): number {
  return sketch.places.push([x, y, z]) - 1;
}

export function addPassage(sketch: Sketch, a: number, b: number, needs: PassageNeeds = {}): void {
  sketch.passages.push({ a, b, needs });
}

/** Adds a place on the ground around features, where nothing stands within four radii. */
export function addGroundPlace(sketch: Sketch, x: number, z: number): number {
  const place = addPlace(sketch, x, 0, z);
  addPassage(sketch, 0, place);
  return place;
}

export function tanDegrees(degrees: number): number {
  return sinTurn(degrees / 360) / cosTurn(degrees / 360);
}

/** Returns the height of the highest step that a bake with cells of half a radius surely climbs. */
export function sureStep({ radius, maxClimb }: RandomLevelAgent): number {
  return maxClimb - radius / 4 - 1e-6 * radius;
}

/** Returns the room above a floor that is surely high enough, with cells of half a radius, on stairs and ramps too. */
export function sureHeadroom({ radius, height, maxClimb }: RandomLevelAgent): number {
  return height + 0.75 * radius + 2 * maxClimb;
}

/** A position and a direction, from which a flight goes on. */
export interface Frame {
  x: number;
  y: number;
  z: number;
  up: Direction;
}

const DX = [-1, 0, 1, 0] as const;
const DZ = [0, 1, 0, -1] as const;

/** Returns x and z of the point `ahead` of a frame and `left` of it. */
export function pointFrom({ x, z, up }: Frame, ahead: number, left: number): [x: number, z: number] {
  const side = (up + 1) & 3;
  return [x + DX[up] * ahead + DX[side] * left, z + DZ[up] * ahead + DZ[side] * left];
}

/** Returns the rectangle between two distances ahead of a frame and two to its left. */
export function rectangleFrom(
  frame: Frame,
  [ahead0, ahead1]: readonly [number, number],
  [left0, left1]: readonly [number, number],
): Rectangle {
  const [x0, z0] = pointFrom(frame, ahead0, left0);
  const [x1, z1] = pointFrom(frame, ahead1, left1);
  return [Math.min(x0, x1), Math.min(z0, z1), Math.max(x0, x1), Math.max(z0, z1)];
}

/** Returns the rectangle around both. */
export function union(a: Rectangle, b: Rectangle): Rectangle {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
