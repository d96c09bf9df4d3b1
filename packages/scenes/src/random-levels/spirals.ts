/** Spirals: ramps and stairs around a free middle or a newel, with or without a wall, car parks and towers. */
import { addColumn, addSector } from '../builder.ts';
import { nextInt, nextRange } from '../random.ts';
import { cosTurn, sinTurn } from '../turn.ts';
import { addGroundPlace, addPassage, addPlace, chance, sureHeadroom, sureStep, tanDegrees } from './sketch.ts';
import { CLEAR } from './sketch.ts';
import type { Feature, PassageNeeds, Sketch } from './sketch.ts';

const TAU = 6.283185307179586;

interface Spiral {
  center: [x: number, z: number];
  inner: number;
  outer: number;
  pitch: number;
  turns: number;
  thickness: number;
  /** Pieces per turn; steps if `isStair`. */
  pieces: number;
  isStair: boolean;
  /** Handedness: the angle grows upward, or falls. */
  sign: 1 | -1;
  needs: PassageNeeds;
}

/** Adds a piece of a ring between two angles of the spiral, whatever its handedness. */
function addPiece(
  sketch: Sketch,
  { center, sign }: Spiral,
  ring: { inner: number; outer: number },
  from: { angle: number; bottom: number; top: number },
  to: { angle: number; bottom: number; top: number },
): void {
  const a = { ...from, angle: sign * from.angle };
  const b = { ...to, angle: sign * to.angle };
  if (sign > 0) addSector(sketch.builder, center, ring, a, b);
  else addSector(sketch.builder, center, ring, b, a);
}

function pointOn({ center, sign }: Spiral, radius: number, angle: number): [x: number, z: number] {
  return [center[0] + radius * cosTurn(sign * angle), center[1] - radius * sinTurn(sign * angle)];
}

/** Adds a flat piece of a ring in `parts` parts. */
function addFlat(
  sketch: Sketch,
  spiral: Spiral,
  ring: { inner: number; outer: number },
  { from, to, parts }: { from: number; to: number; parts: number },
  y: number,
): void {
  const ends = { bottom: y - spiral.thickness, top: y };
  for (let i = 0; i < parts; i++) {
    addPiece(
      sketch,
      spiral,
      ring,
      { angle: from + ((to - from) * i) / parts, ...ends },
      { angle: from + ((to - from) * (i + 1)) / parts, ...ends },
    );
  }
}

function addWinding(sketch: Sketch, spiral: Spiral): void {
  const { inner, outer, pitch, turns, pieces, isStair, thickness } = spiral;
  const count = Math.round(turns * pieces);
  for (let i = 0; i < count; i++) {
    const low = (pitch * (isStair ? i + 1 : i)) / pieces;
    const high = (pitch * (i + 1)) / pieces;
    addPiece(
      sketch,
      spiral,
      { inner, outer },
      { angle: i / pieces, bottom: low - thickness, top: low },
      { angle: (i + 1) / pieces, bottom: high - thickness, top: high },
    );
  }
}

/** Adds a wall around the spiral with an opening at its foot. */
function addWall(sketch: Sketch, spiral: Spiral, opening: number): void {
  const { outer, pitch, turns } = spiral;
  const thickness = 0.5 * sketch.agent.radius;
  const parts = 32;
  for (let i = 0; i < parts; i++) {
    const isOpen = i / parts > 1 - opening;
    const ends = { bottom: isOpen ? pitch - spiral.thickness : -thickness, top: pitch * turns + sketch.agent.height };
    addPiece(
      sketch,
      spiral,
      { inner: outer, outer: outer + thickness },
      { angle: i / parts, ...ends },
      { angle: (i + 1) / parts, ...ends },
    );
  }
}

function nextSpiral(sketch: Sketch): Spiral {
  const { random, agent } = sketch;
  const { radius, maxSlopeDegrees } = agent;
  const isStair = chance(random, 0.5);
  const width = radius * nextRange(random, CLEAR, 8);
  const thickness = radius * nextRange(random, 0.3, 1);
  const pitch = sureHeadroom(agent) + thickness + radius * nextRange(random, 0.3, 4);
  const turns = nextInt(random, 4, 20) / 4;
  const steepest = tanDegrees(maxSlopeDegrees - 2);
  // The slope at the inner edge of a ramp, and the tread of a stair there, decide the least inner radius.
  let inner = pitch / (TAU * steepest);
  let pieces = 32;
  let needs: PassageNeeds;
  if (isStair) {
    pieces = Math.ceil(pitch / nextRange(random, 0.4 * sureStep(agent), 0.95 * sureStep(agent)));
    inner = Math.max(inner, (pieces * 0.54 * radius) / TAU) * nextRange(random, 1, 1.6);
    needs = { width, step: pitch / pieces, tread: (TAU * inner) / pieces };
  } else {
    inner *= nextRange(random, 1.05, 2);
    // Pieces are chords: their inner edges are shorter than the arc.
    const chord = (2 * sinTurn(0.5 / pieces) * pieces) / TAU;
    let slopeDegrees = 1;
    while (tanDegrees(slopeDegrees) < pitch / (TAU * inner * chord * cosTurn(0.5 / pieces))) slopeDegrees += 0.5;
    needs = { width, slopeDegrees };
  }
  return {
    center: [0, 0],
    inner,
    outer: inner + width,
    pitch,
    turns,
    thickness,
    pieces,
    isStair,
    sign: chance(random, 0.5) ? 1 : -1,
    needs: { ...needs, headroom: pitch - thickness },
  };
}

/** Draws the spiral, and returns the places of its foot and head and the place after each whole turn. */
function addSpiral(sketch: Sketch, spiral: Spiral, hasWall: boolean): { foot: number; top: number } {
  const { inner, outer, pitch, turns, pieces } = spiral;
  const { radius } = sketch.agent;
  const middle = (inner + outer) / 2;
  addWinding(sketch, spiral);
  const count = Math.round(turns * pieces);
  const end = count / pieces;
  const high = (pitch * count) / pieces;
  const landing = Math.min(0.2, (10 * radius) / (TAU * middle));
  const parts = Math.ceil(landing * pieces);
  // The winding below goes on rising under the landing.
  spiral.needs.headroom = pitch - spiral.thickness - (pitch * (parts + 1)) / pieces;
  addFlat(sketch, spiral, { inner, outer }, { from: end, to: end + parts / pieces, parts }, high);
  const [footX, footZ] = pointOn(spiral, middle, -(3.2 * radius) / (TAU * middle));
  const foot = hasWall ? addPlace(sketch, footX, 0, footZ) : addGroundPlace(sketch, footX, footZ);
  const [topX, topZ] = pointOn(spiral, middle, end + parts / pieces / 2);
  const top = addPlace(sketch, topX, high, topZ);
  addPassage(sketch, foot, top, spiral.needs);
  sketch.leastLengths.push({ a: foot, b: top, length: 0.9 * TAU * inner * turns });
  return { foot, top };
}

/** A spiral ramp or stair from the ground to a landing, free, around a newel, or in a round tower. */
export const spirals: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius } = agent;
  const spiral = nextSpiral(sketch);
  const { inner, outer, pitch, turns } = spiral;
  const hasWall = chance(random, 0.3);
  const reach = outer + 9 * radius;
  spiral.center = [x + reach, z + reach];
  if (chance(random, 0.5))
    addColumn(sketch.builder, spiral.center, inner, [-radius, pitch * turns + agent.height], 24, 0.01);
  const { foot } = addSpiral(sketch, spiral, hasWall);
  if (hasWall) {
    const opening = Math.min(0.3, (8 * radius) / (TAU * outer) + 2 / 32);
    addWall(sketch, spiral, opening);
    const width = outer * TAU * (opening - 2 / 32) * 0.95;
    const [groundX, groundZ] = pointOn(spiral, outer + 5 * radius, -opening / 2);
    addPassage(sketch, foot, addGroundPlace(sketch, groundX, groundZ), {
      width,
      headroom: pitch - spiral.thickness,
      isUnsure: true,
    });
  }
  return [x, z, x + 2 * reach, z + 2 * reach];
};

/** Floors around a spiral: a car park or a tower. Each turn meets its floor at one angle. */
export const carParks: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius } = agent;
  const spiral = nextSpiral(sketch);
  const { inner, outer, pitch, pieces } = spiral;
  spiral.turns = nextInt(random, 1, 4);
  const depth = radius * nextRange(random, 8, 14);
  // Half the angle along which the winding is less than a step away from the floor.
  const half = (sureStep(agent) - (spiral.isStair ? pitch / pieces : 0)) / pitch;
  const span = chance(random, 0.4) ? 0.5 : nextRange(random, 0.12, 0.4);
  // The chords of floors and windings meet, or miss each other by some centimeters.
  const isKit = chance(random, 0.2);
  const steps = Math.floor(span * pieces);
  const floors = isKit
    ? { from: -span, to: span, parts: Math.ceil(span * 48) }
    : { from: -steps / pieces, to: steps / pieces, parts: 2 * steps };
  const reach = outer + depth + 6 * radius;
  spiral.center = [x + reach, z + reach];
  if (chance(random, 0.5))
    addColumn(sketch.builder, spiral.center, inner, [-radius, pitch * spiral.turns + agent.height], 24);
  const { foot } = addSpiral(sketch, spiral, false);
  const isDoorSure = 2 * half * TAU * outer >= CLEAR * radius;
  let last = foot;
  for (let floor = 1; floor <= spiral.turns; floor++) {
    const y = pitch * floor;
    addFlat(sketch, spiral, { inner: outer, outer: outer + depth }, floors, y);
    const [placeX, placeZ] = pointOn(spiral, outer + depth / 2, 0);
    const place = addPlace(sketch, placeX, y, placeZ);
    addPassage(sketch, foot, place, isDoorSure ? spiral.needs : { ...spiral.needs, isUnsure: true });
    sketch.leastLengths.push({ a: last, b: place, length: 0.9 * TAU * inner * (floor === 1 ? 0.9 : 1) * 0.9 });
    last = place;
  }
  return [x, z, x + 2 * reach, z + 2 * reach];
};
