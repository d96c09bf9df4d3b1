/** Staircases and ramps of several flights: straight, turned at landings (L), and back beside themselves (U). */
import { addBox, addPrism, addRamp } from '../builder.ts';
import type { Direction, Rectangle } from '../builder.ts';
import { nextFloat, nextInt, nextRange } from '../random.ts';
import { addGroundPlace, addPassage, addPlace, chance, pointFrom, rectangleFrom, tanDegrees, union } from './sketch.ts';
import { CLEAR } from './sketch.ts';
import type { Feature, Frame, PassageNeeds, Sketch } from './sketch.ts';

/** One flight: steps of `rise` and `run`, or a ramp if `steps` is 0. */
export interface FlightShape {
  width: number;
  steps: number;
  rise: number;
  run: number;
  /** Thickness of steps or of the ramp. 0: solid down to `bottom`. */
  thickness: number;
  bottom: number;
}

/** Adds a flight and returns the frame at its upper end. The top of the last step lies at the upper end. */
export function addFlight(sketch: Sketch, frame: Frame, shape: FlightShape): Frame {
  const { builder } = sketch;
  const { width, steps, rise, run, thickness, bottom } = shape;
  const sides = [-width / 2, width / 2] as const;
  const count = Math.max(1, steps);
  const length = count * run;
  const high = frame.y + count * rise;
  for (let i = 0; i < steps; i++) {
    const [x0, z0, x1, z1] = rectangleFrom(frame, [i * run, (i + 1) * run], sides);
    const top = frame.y + (i + 1) * rise;
    addBox(builder, [x0, thickness > 0 ? top - thickness : bottom, z0], [x1, top, z1]);
  }
  if (steps === 0) addSlope(sketch, frame, shape, high);
  const [x, z] = pointFrom(frame, length, 0);
  return { x, y: high, z, up: frame.up };
}

function addSlope(sketch: Sketch, frame: Frame, { width, run, thickness, bottom }: FlightShape, high: number): void {
  const area = rectangleFrom(frame, [0, run], [-width / 2, width / 2]);
  if (thickness === 0) {
    addRamp(sketch.builder, area, { bottom, low: frame.y, high, up: frame.up });
    return;
  }
  const [x0, z0, x1, z1] = area;
  const tops = ['1100', '0110', '0011', '1001'][frame.up].split('').map((digit) => (digit === '1' ? high : frame.y));
  const bottoms = tops.map((top) => top - thickness);
  addPrism(sketch.builder, [x0, z0, x0, z1, x1, z1, x1, z0], bottoms, tops);
}

/** Adds a flat slab or block at the height of a frame. */
function addLanding(
  sketch: Sketch,
  frame: Frame,
  depth: number,
  sides: readonly [number, number],
  { thickness, bottom }: FlightShape,
): Rectangle {
  const area = rectangleFrom(frame, [0, depth], sides);
  const [x0, z0, x1, z1] = area;
  addBox(sketch.builder, [x0, thickness > 0 ? frame.y - thickness : bottom, z0], [x1, frame.y, z1]);
  return area;
}

/** Draws flights with landings between them from ground to a platform: the places at both ends, and what the way asks. */
function addFlights(
  sketch: Sketch,
  start: Frame,
  shape: FlightShape,
  turns: readonly number[],
  needs: PassageNeeds,
): Rectangle {
  const { width } = shape;
  const { radius } = sketch.agent;
  const half = width / 2;
  const sides = [-half, half] as const;
  let area = rectangleFrom(start, [-8 * radius, 0], sides);
  const [groundX, groundZ] = pointFrom(start, -4 * radius, 0);
  const foot = addGroundPlace(sketch, groundX, groundZ);
  let frame = start;
  for (const turn of [...turns, 0]) {
    const next = addFlight(sketch, frame, shape);
    area = union(area, rectangleFrom(frame, [0, Math.max(1, shape.steps) * shape.run], sides));
    frame = next;
    if (turn === 2) {
      const gap = nextRange(sketch.random, 0, radius);
      area = union(area, addLanding(sketch, frame, width, [-half, half + gap + width], shape));
      const [x, z] = pointFrom(frame, 0, width + gap);
      frame = { x, y: frame.y, z, up: ((frame.up + 2) & 3) as Direction };
    } else if (turn !== 0) {
      area = union(area, addLanding(sketch, frame, width, sides, shape));
      const [x, z] = pointFrom(frame, half, turn * half);
      frame = { x, y: frame.y, z, up: ((frame.up + turn + 4) & 3) as Direction };
    }
  }
  const depth = Math.max(width, 10 * radius);
  area = union(area, addLanding(sketch, frame, depth, sides, shape));
  const [x, z] = pointFrom(frame, depth / 2, 0);
  const top = addPlace(sketch, x, frame.y, z);
  addPassage(sketch, foot, top, needs);
  return area;
}

/** Moves what `draw` draws so that its area begins at (x, z). It is drawn twice, from the same random numbers. */
function drawAt(sketch: Sketch, x: number, z: number, draw: (frame: Frame) => Rectangle): Rectangle {
  const { builder, random, places, passages } = sketch;
  const before = [builder.vertexCount, builder.indexCount, places.length, passages.length];
  const { state } = random;
  const up = nextInt(random, 0, 3) as Direction;
  const area = draw({ x: 0, y: 0, z: 0, up });
  [builder.vertexCount, builder.indexCount, places.length, passages.length] = before;
  random.state = state;
  nextInt(random, 0, 3);
  const margin = 4 * sketch.agent.radius;
  const moved = draw({ x: x - area[0] + margin, y: 0, z: z - area[1] + margin, up });
  return [x, z, moved[2] + margin, moved[3] + margin];
}

function nextTurns(sketch: Sketch): number[] {
  const { random } = sketch;
  const side = chance(random, 0.5) ? 1 : -1;
  return [[], [], [side], [2], [side, -side]][nextInt(random, 0, 4)];
}

/** A staircase on the ground: risers from 0.08 to above the climb, treads from 0.2, width from four radii. */
export const stairs: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, maxClimb } = agent;
  const unit = radius / 0.4;
  const turns = nextTurns(sketch);
  const sure = maxClimb - radius / 4 - 1e-6 * radius;
  const kind = nextFloat(random);
  let rise = nextRange(random, 0.08 * unit, sure);
  if (kind > 0.85) rise = maxClimb + radius * nextRange(random, 0.51, 1);
  else if (kind > 0.75) rise = nextRange(random, 0.9 * sure, maxClimb + 0.6 * radius);
  const run = nextRange(random, (kind > 0.7 ? 0.2 : 0.215) * unit, 0.5 * unit);
  const width = radius * nextRange(random, CLEAR, 9);
  const height = nextRange(random, 3 * maxClimb, Math.max(4 * maxClimb, 1.8 * agent.height));
  const steps = Math.max(3, Math.ceil(height / rise / (turns.length + 1)));
  const thickness = chance(random, 0.6) ? 0 : rise * nextRange(random, 0.4, 1.5);
  const shape = { width, steps, rise, run, thickness, bottom: -0.2 * unit };
  const needs = { width, step: rise, tread: run };
  return drawAt(sketch, x, z, (frame) => addFlights(sketch, frame, shape, turns, needs));
};

/** A ramp on the ground, solid or a slab, with slopes on both sides of the limit. */
export const ramps: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, maxClimb, maxSlopeDegrees } = agent;
  const kind = nextFloat(random);
  let slopeDegrees = nextRange(random, 5, maxSlopeDegrees - 1.5);
  if (kind > 0.85) slopeDegrees = nextRange(random, maxSlopeDegrees + 1.5, maxSlopeDegrees + 20);
  else if (kind > 0.75) slopeDegrees = nextRange(random, maxSlopeDegrees - 2, maxSlopeDegrees + 2);
  const turns = nextTurns(sketch);
  const rise = nextRange(random, 4 * maxClimb, Math.max(5 * maxClimb, 1.6 * agent.height));
  const run = rise / tanDegrees(slopeDegrees);
  const width = radius * nextRange(random, CLEAR, 9);
  const thickness = chance(random, 0.5) ? 0 : radius * nextRange(random, 0.2, 1);
  const shape = { width, steps: 0, rise, run, thickness, bottom: -radius };
  const needs = { width, slopeDegrees };
  return drawAt(sketch, x, z, (frame) => addFlights(sketch, frame, shape, turns, needs));
};
