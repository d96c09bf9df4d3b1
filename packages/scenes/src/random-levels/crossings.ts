/** Ways over and under: bridges, arches, tunnels, gables; doors about as wide and ceilings about as high as an agent. */
import { addBox, addPrism } from '../builder.ts';
import type { Rectangle } from '../builder.ts';
import { nextFloat, nextInt, nextRange } from '../random.ts';
import { addFlight } from './flights.ts';
import { addWallWithDoors } from './rooms.ts';
import { CLEAR, addGroundPlace, addPassage, addPlace, chance, sureHeadroom, sureStep, tanDegrees } from './sketch.ts';
import type { Feature, Sketch } from './sketch.ts';

/** A bridge with ramps or stairs at one end or both. Its deck is reached only over them. */
export const bridges: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, maxSlopeDegrees } = agent;
  const unit = radius / 0.4;
  const width = radius * nextRange(random, CLEAR, 8);
  const thickness = radius * nextRange(random, 0.2, 1.2);
  const high = sureHeadroom(agent) + thickness + radius * nextRange(random, -1, 3);
  const span = radius * nextRange(random, 14, 30);
  const isStair = chance(random, 0.5);
  const slopeDegrees = nextRange(random, 15, maxSlopeDegrees - 1.5);
  const steps = Math.ceil(high / nextRange(random, 0.4 * sureStep(agent), sureStep(agent)));
  const tread = unit * nextRange(random, 0.215, 0.4);
  const run = isStair ? tread : high / tanDegrees(slopeDegrees);
  const length = isStair ? steps * run : run;
  const shape = {
    width,
    steps: isStair ? steps : 0,
    rise: isStair ? high / steps : high,
    run,
    thickness: chance(random, 0.5) ? 0 : thickness,
    bottom: -0.5 * radius,
  };
  const margin = 9 * radius;
  const middle = z + margin + width / 2;
  const deck0 = x + margin + length;
  const deck1 = deck0 + span;
  addFlight(sketch, { x: deck0 - length, y: 0, z: middle, up: 2 }, shape);
  const isTwoEnded = chance(random, 0.6);
  if (isTwoEnded) addFlight(sketch, { x: deck1 + length, y: 0, z: middle, up: 0 }, shape);
  addBox(sketch.builder, [deck0, high - thickness, middle - width / 2], [deck1, high, middle + width / 2]);
  const deck = addPlace(sketch, (deck0 + deck1) / 2, high, middle);
  const needs = isStair ? { width, step: high / steps, tread } : { width, slopeDegrees };
  const foot = addGroundPlace(sketch, x + margin - 5 * radius, middle);
  addPassage(sketch, foot, deck, needs);
  const under = addPlace(sketch, (deck0 + deck1) / 2, 0, middle);
  addPassage(sketch, foot, under, { headroom: high - thickness });
  sketch.leastLengths.push({ a: under, b: deck, length: span + 0.9 * length });
  return [x, z, deck1 + length + margin, middle + width / 2 + margin];
};

/** A vaulted bridge that rises from the ground and comes down again. */
export const arches: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, maxClimb, maxSlopeDegrees } = agent;
  const width = radius * nextRange(random, CLEAR + 1, 12);
  const thickness = radius * nextRange(random, 0.03, 0.8);
  const high = agent.height + thickness + radius * nextRange(random, 0.5, 5);
  // The ends of a parabola are steepest: 4 high / span.
  const slopeDegrees = nextRange(random, 18, maxSlopeDegrees - 2);
  const span = (4 * high) / tanDegrees(slopeDegrees);
  const pieces = nextInt(random, 12, 32);
  const margin = 9 * radius;
  const x0 = x + margin;
  const [z0, z1] = [z + margin, z + margin + width];
  const heightAt = (i: number): number => high * (1 - (2 * (i / pieces) - 1) * (2 * (i / pieces) - 1));
  for (let i = 0; i < pieces; i++) {
    const a = x0 + (span * i) / pieces;
    const b = x0 + (span * (i + 1)) / pieces;
    const [ya, yb] = [heightAt(i), heightAt(i + 1)];
    addPrism(
      sketch.builder,
      [a, z0, a, z1, b, z1, b, z0],
      [ya, ya, yb, yb].map((y) => y - thickness),
      [ya, ya, yb, yb],
    );
  }
  const middle = (z0 + z1) / 2;
  const [west, east] = [
    addGroundPlace(sketch, x0 - 5 * radius, middle),
    addGroundPlace(sketch, x0 + span + 5 * radius, middle),
  ];
  const top = addPlace(sketch, x0 + span / 2, heightAt(pieces >> 1), middle);
  if (pieces % 2 === 1) sketch.places[top][1] = heightAt((pieces - 1) / 2);
  addPassage(sketch, west, top, { width, slopeDegrees });
  addPassage(sketch, east, top, { width, slopeDegrees });
  const under = addPlace(sketch, x0 + span / 2, 0, middle);
  // The middle can be entered from the side, where it is high for some width.
  const side = (2 * CLEAR * radius) / span;
  addPassage(sketch, west, under, {
    headroom: high - thickness,
    isUnsure: high * (1 - side * side) - thickness < sureHeadroom(agent),
  });
  // From where the arch is a step above the ground to its middle, and back below it.
  const far = (span / 2) * Math.sqrt(Math.max(0, 1 - (maxClimb + 0.5 * radius) / high));
  sketch.leastLengths.push({ a: under, b: top, length: 1.6 * far });
  return [x, z, x0 + span + margin, z1 + margin];
};

/** A house under a gable roof: its attic and its roof are not connected, nor are the ground and either of them. */
export const gables: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, height, maxClimb, maxSlopeDegrees } = agent;
  const slopeDegrees = chance(random, 0.7)
    ? nextRange(random, 20, maxSlopeDegrees - 2)
    : nextRange(random, maxSlopeDegrees + 2, 60);
  const slope = tanDegrees(slopeDegrees);
  const thickness = radius * nextRange(random, 0.02, 0.8);
  const floor = sureHeadroom(agent) + radius * nextRange(random, 0, 3);
  const eaves = radius * nextRange(random, 0, 2.5);
  const half = (height + radius * nextRange(random, 4, 8) + thickness) / slope;
  const length = radius * nextRange(random, 16, 50);
  const margin = 8 * radius;
  const [x0, x1] = [x + margin, x + margin + length];
  const middle = z + margin + half + eaves;
  const wall = 0.5 * radius;
  const hasWalls = chance(random, 0.5);
  addBox(sketch.builder, [x0, floor - 0.5 * radius, middle - half], [x1, floor, middle + half]);
  if (hasWalls) addBox(sketch.builder, [x0, -radius, middle - half], [x1, floor - 0.5 * radius, middle + half]);
  const low = floor - eaves * slope;
  const ridge = floor + half * slope;
  const [out0, out1] = [x0 - eaves, x1 + eaves];
  for (const side of [-1, 1]) {
    const edge = middle + side * (half + eaves);
    const [za, zb] = side < 0 ? [edge, middle] : [middle, edge];
    const [ya, yb] = side < 0 ? [low, ridge] : [ridge, low];
    addPrism(
      sketch.builder,
      [out0, za, out0, zb, out1, zb, out1, za],
      [ya, yb, yb, ya],
      [ya, yb, yb, ya].map((y) => y + thickness),
    );
  }
  if (chance(random, 0.5)) {
    // Gable walls close the attic.
    for (const at of [x0, x1 - wall]) {
      for (const side of [-1, 1]) {
        const outline =
          side < 0
            ? [at, middle - half, at, middle, at + wall, middle, at + wall, middle - half]
            : [at, middle, at, middle + half, at + wall, middle + half, at + wall, middle];
        const tops = side < 0 ? [floor, ridge, ridge, floor] : [ridge, floor, floor, ridge];
        addPrism(sketch.builder, outline, [floor, floor, floor, floor], tops);
      }
    }
  }
  addGroundPlace(sketch, x0 - eaves - 4 * radius, middle);
  addPlace(sketch, (x0 + x1) / 2, floor, middle);
  const quarter = (half * slope) / 2;
  const roofs = [-1, 1].map((side) =>
    addPlace(sketch, (x0 + x1) / 2, floor + quarter + thickness, middle + side * (half / 2)),
  );
  if (roofs.length === 2) addPassage(sketch, roofs[0], roofs[1], { slopeDegrees, width: length });
  // A low eave could be stepped on.
  if (low + thickness < maxClimb + radius) addPassage(sketch, 0, roofs[0], { isUnsure: true });
  return [x, z, x1 + margin, middle + half + eaves + margin];
};

/** A wall with a door or a passage below a ceiling between two areas of ground; sizes are about those of the agent. */
export const doors: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, height } = agent;
  const depth = radius * nextRange(random, 24, 36);
  const count = nextInt(random, 1, 4);
  const thickness = radius * nextRange(random, 0.2, 1.5);
  const top = 2 * height + 2 * radius;
  const shell = { bottom: 0, top, thickness };
  let at = x + 6 * radius;
  const first = addPlace(sketch, at + 4.5 * radius, 0, z + depth / 2);
  const west = at;
  const isLow = chance(random, 0.5);
  // A yard with walls around it, so that only the doors connect its parts.
  addWallWithDoors(sketch, { alongX: false, middle: at, from: z, to: z + depth, ...shell }, []);
  let before = first;
  for (let i = 0; i < count; i++) {
    at += radius * 9 + thickness;
    const kind = nextFloat(random);
    const width =
      radius *
      (isLow ? nextRange(random, CLEAR, 8) : kind < 0.5 ? nextRange(random, CLEAR, 5) : nextRange(random, 0.3, CLEAR));
    const headroom = isLow
      ? height + radius * (kind < 0.4 ? nextRange(random, 0.76, 1.2) : nextRange(random, -0.8, 0.8))
      : sureHeadroom(agent);
    const middle = z + depth * nextRange(random, 0.3, 0.7);
    addWallWithDoors(sketch, { alongX: false, middle: at, from: z, to: z + depth, ...shell }, [
      { at: middle, width, headroom },
    ]);
    const place = addPlace(sketch, at + thickness / 2 + 4.5 * radius, 0, z + depth / 2);
    addPassage(sketch, before, place, { width, headroom });
    before = place;
  }
  at += radius * 9 + thickness;
  addWallWithDoors(sketch, { alongX: false, middle: at, from: z, to: z + depth, ...shell }, []);
  for (const side of [z, z + depth]) {
    addWallWithDoors(sketch, { alongX: true, middle: side, from: west, to: at, ...shell }, []);
  }
  return [x, z - 6 * radius, at + 6 * radius, z + depth + 6 * radius];
};

/** A hill with a tunnel through it; a stair leads onto the hill, or nothing does. */
export const tunnels: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, height } = agent;
  const kind = nextFloat(random);
  const width = radius * (kind < 0.6 ? nextRange(random, CLEAR, 8) : nextRange(random, 0.3, CLEAR));
  const headroom = kind < 0.3 || kind > 0.8 ? height + radius * nextRange(random, -1, 1.5) : sureHeadroom(agent);
  const high = headroom + radius * nextRange(random, 0.5, 4);
  const [length, side] = [radius * nextRange(random, 12, 30), radius * nextRange(random, 9, 14)];
  const margin = 9 * radius;
  const [x0, x1] = [x + margin, x + margin + length];
  const [z0, z1, z2, z3] = [z, z + side, z + side + width, z + 2 * side + width].map((value) => value + margin);
  const { builder } = sketch;
  addBox(builder, [x0, -radius, z0], [x1, high, z1]);
  addBox(builder, [x0, -radius, z2], [x1, high, z3]);
  addBox(builder, [x0, headroom, z1], [x1, high, z2]);
  const middle = (z1 + z2) / 2;
  const west = addGroundPlace(sketch, x0 - 5 * radius, middle);
  const inside = addPlace(sketch, (x0 + x1) / 2, 0, middle);
  addPassage(sketch, west, inside, { width, headroom });
  const top = addPlace(sketch, (x0 + x1) / 2, high, (z0 + z1) / 2);
  sketch.leastLengths.push({ a: inside, b: top, length: length / 2 });
  if (chance(random, 0.5)) {
    const steps = Math.ceil(high / nextRange(random, 0.5 * sureStep(agent), sureStep(agent)));
    const run = radius * nextRange(random, 0.54, 0.8);
    const stair = {
      width: radius * nextRange(random, CLEAR, 6),
      steps,
      rise: high / steps,
      run,
      thickness: 0,
      bottom: -radius,
    };
    addFlight(sketch, { x: x1 + steps * run, y: 0, z: (z0 + z1) / 2, up: 0 }, stair);
    const foot = addGroundPlace(sketch, x1 + steps * run + 5 * radius, (z0 + z1) / 2);
    addPassage(sketch, foot, top, { width: stair.width, step: stair.rise, tread: run });
    return [x, z, x1 + steps * run + margin, z3 + margin];
  }
  return [x, z, x1 + margin, z3 + margin];
};

/** Returns the union of features in a row, for levels with mixed difficulty. */
export function row(sketch: Sketch, features: readonly Feature[], x: number, z: number): Rectangle {
  let area: Rectangle | undefined;
  let at = x;
  for (const feature of features) {
    const drawn = feature(sketch, at, z);
    at = drawn[2];
    area =
      area === undefined
        ? drawn
        : [
            Math.min(area[0], drawn[0]),
            Math.min(area[1], drawn[1]),
            Math.max(area[2], drawn[2]),
            Math.max(area[3], drawn[3]),
          ];
  }
  return area ?? [x, z, x, z];
}
