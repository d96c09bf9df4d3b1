/** Buildings: rooms with doors along a corridor around them, storeys, and straight, L or U stairs between storeys. */
import { addBox } from '../builder.ts';
import type { Rectangle } from '../builder.ts';
import { nextFloat, nextInt, nextRange } from '../random.ts';
import { addFlight } from './flights.ts';
import { CLEAR, addGroundPlace, addPassage, addPlace, chance, sureHeadroom, sureStep } from './sketch.ts';
import type { Feature, Frame, PassageNeeds, Sketch } from './sketch.ts';

interface Door {
  /** Along the wall. */
  at: number;
  width: number;
  headroom: number;
}

/** A wall along x or z, from its floor to its ceiling. */
interface Wall {
  alongX: boolean;
  /** Its middle on the other axis. */
  middle: number;
  from: number;
  to: number;
  bottom: number;
  top: number;
  thickness: number;
}

/** Adds a wall with openings for doors, in pieces between and above them. */
export function addWallWithDoors({ builder }: Sketch, wall: Wall, doors: readonly Door[]): void {
  const { alongX, middle, thickness, bottom, top } = wall;
  const addPiece = (from: number, to: number, foot: number): void => {
    if (to <= from || top <= foot) return;
    const side0 = middle - thickness / 2;
    const side1 = middle + thickness / 2;
    if (alongX) addBox(builder, [from, foot, side0], [to, top, side1]);
    else addBox(builder, [side0, foot, from], [side1, top, to]);
  };
  let from = wall.from;
  for (const { at, width, headroom } of [...doors].sort((a, b) => a.at - b.at)) {
    addPiece(from, at - width / 2, bottom);
    addPiece(at - width / 2, at + width / 2, bottom + headroom);
    from = at + width / 2;
  }
  addPiece(from, wall.to, bottom);
}

/** Adds a slab with a rectangular hole. */
function addSlab(
  { builder }: Sketch,
  [x0, z0, x1, z1]: Rectangle,
  [low, high]: [number, number],
  hole?: Rectangle,
): void {
  if (hole === undefined) {
    addBox(builder, [x0, low, z0], [x1, high, z1]);
    return;
  }
  const [hx0, hz0, hx1, hz1] = hole;
  for (const [a, b, c, d] of [
    [x0, z0, x1, hz0],
    [x0, hz1, x1, z1],
    [x0, hz0, hx0, hz1],
    [hx1, hz0, x1, hz1],
  ]) {
    if (c > a && d > b) addBox(builder, [a, low, b], [c, high, d]);
  }
}

interface House {
  area: Rectangle;
  storeys: number;
  /** Distance between two floors. */
  rise: number;
  slab: number;
  wall: number;
  stair: { width: number; steps: number; riser: number; run: number; isU: boolean };
  /** Depth of the strip with stairs on either side, and of the corridor at either end. */
  strip: number;
  end: number;
}

function nextHouse(sketch: Sketch, x: number, z: number): House {
  const { random, agent } = sketch;
  const { radius } = agent;
  const unit = radius / 0.4;
  const slab = unit * nextRange(random, 0.15, 0.4);
  const rise = sureHeadroom(agent) + slab + radius * nextRange(random, 0.3, 3);
  const steps = 2 * Math.ceil(rise / nextRange(random, 0.45 * sureStep(agent), sureStep(agent)) / 2);
  const width = radius * nextRange(random, CLEAR, 6);
  const run = unit * nextRange(random, 0.22, 0.34);
  const isU = chance(random, 0.5);
  const end = radius * nextRange(random, 6, 8);
  const stairLength = isU ? (steps / 2) * run + width : steps * run;
  const strip = (isU ? 2 * width + 0.5 * radius : width) + radius * nextRange(random, 4.8, 6);
  const x1 = x + 2 * end + Math.max(stairLength, radius * nextRange(random, 20, 40));
  const z1 = z + 2 * strip + radius * nextRange(random, 10, 18);
  return {
    area: [x, z, x1, z1],
    storeys: nextInt(random, 1, 3),
    rise,
    slab,
    wall: unit * nextRange(random, 0.1, 0.3),
    stair: { width, steps, riser: rise / steps, run, isU },
    strip,
    end,
  };
}

/** Returns the width of a door: mostly wide enough, sometimes too narrow, sometimes about as wide as an agent. */
function nextDoorWidth({ random, agent }: Sketch): number {
  const kind = nextFloat(random);
  if (kind < 0.7) return agent.radius * nextRange(random, CLEAR, 6);
  if (kind < 0.85) return agent.radius * nextRange(random, 0.3, 0.98);
  return agent.radius * nextRange(random, 0.9, CLEAR);
}

/** Adds the rooms of a storey between its corridors, and their doors. */
function addRooms(sketch: Sketch, house: House, y: number, ring: number): void {
  const { random, agent } = sketch;
  const { area, strip, end, wall } = house;
  const top = y + house.rise - house.slab;
  const [x0, x1] = [area[0] + end, area[2] - end];
  const [z0, z1] = [area[1] + strip, area[3] - strip];
  const count = Math.max(1, Math.min(4, Math.floor((x1 - x0) / (9 * agent.radius))));
  const headroom = Math.min(top - y - 0.1 * agent.radius, sureHeadroom(agent));
  const shell = { bottom: y, top, thickness: wall };
  const northDoors: Door[] = [];
  const southDoors: Door[] = [];
  let before: number | undefined;
  for (let i = 0; i <= count; i++) {
    const at = x0 + ((x1 - x0) * i) / count;
    const between: Door[] = [];
    const room = i < count ? addPlace(sketch, at + (x1 - x0) / count / 2, y, (z0 + z1) / 2) : undefined;
    if (room !== undefined && before !== undefined && chance(random, 0.4)) {
      const door = { at: (z0 + z1) / 2, width: nextDoorWidth(sketch), headroom };
      between.push(door);
      addPassage(sketch, before, room, door);
    }
    addWallWithDoors(sketch, { alongX: false, middle: at, from: z0, to: z1, ...shell }, between);
    if (room !== undefined && chance(random, 0.7)) {
      const door = { at: at + (x1 - x0) / count / 2, width: nextDoorWidth(sketch), headroom };
      (chance(random, 0.5) ? northDoors : southDoors).push(door);
      addPassage(sketch, room, ring, door);
    }
    before = room;
  }
  addWallWithDoors(sketch, { alongX: true, middle: z0, from: x0, to: x1, ...shell }, northDoors);
  addWallWithDoors(sketch, { alongX: true, middle: z1, from: x0, to: x1, ...shell }, southDoors);
}

/** Adds the stair from a storey to the next one. Returns the hole that it needs in the slab above it. */
function addStair(sketch: Sketch, house: House, storey: number): Rectangle {
  const { area, stair, wall, end, rise } = house;
  const { width, steps, riser, run, isU } = stair;
  const y = storey * rise;
  const isSouth = !isU && storey % 2 === 1;
  const middle = isSouth ? area[3] - wall - width / 2 : area[1] + wall + width / 2;
  const first: Frame = { x: area[0] + end, y, z: middle, up: 2 };
  const flight = { width, steps, rise: riser, run, thickness: isU ? 1.2 * riser : 0, bottom: y };
  if (!isU) {
    addFlight(sketch, first, flight);
    return [first.x, middle - width / 2, first.x + steps * run, middle + width / 2];
  }
  const half = { ...flight, steps: steps / 2 };
  const landing = addFlight(sketch, first, half);
  const back = middle + width + 0.4 * sketch.agent.radius;
  addBox(
    sketch.builder,
    [landing.x, landing.y - half.thickness, middle - width / 2],
    [landing.x + width, landing.y, back + width / 2],
  );
  addFlight(sketch, { x: landing.x, y: landing.y, z: back, up: 0 }, half);
  return [first.x, middle - width / 2, landing.x + width, back + width / 2];
}

/** A building of one to three storeys. */
export const rooms: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius } = agent;
  const margin = 8 * radius;
  const house = nextHouse(sketch, x + margin, z + margin);
  const { area, storeys, rise, slab, wall, stair, strip } = house;
  const [x0, z0, x1, z1] = area;
  const needs: PassageNeeds = {
    width: stair.width,
    step: stair.riser,
    tread: stair.run,
    headroom: rise - slab - stair.riser,
  };
  let below: number | undefined;
  let hole: Rectangle | undefined;
  for (let storey = 0; storey < storeys; storey++) {
    const y = storey * rise;
    const top = y + rise - slab;
    const ring = addPlace(sketch, (x0 + x1) / 2, y, z0 + strip - 2.3 * radius);
    if (storey > 0) addSlab(sketch, area, [y - slab, y], hole);
    if (below !== undefined) {
      addPassage(sketch, below, ring, needs);
    }
    const entrance = {
      at: (z0 + z1) / 2,
      width: nextDoorWidth(sketch),
      headroom: Math.min(sureHeadroom(agent), top - y),
    };
    const hasEntrance = storey === 0 && chance(random, 0.8);
    const shell = { bottom: y, top, thickness: wall };
    addWallWithDoors(
      sketch,
      { alongX: false, middle: x0 + wall / 2, from: z0, to: z1, ...shell },
      hasEntrance ? [entrance] : [],
    );
    addWallWithDoors(sketch, { alongX: false, middle: x1 - wall / 2, from: z0, to: z1, ...shell }, []);
    addWallWithDoors(sketch, { alongX: true, middle: z0 + wall / 2, from: x0, to: x1, ...shell }, []);
    addWallWithDoors(sketch, { alongX: true, middle: z1 - wall / 2, from: x0, to: x1, ...shell }, []);
    if (hasEntrance) addPassage(sketch, ring, addGroundPlace(sketch, x0 - 4 * radius, (z0 + z1) / 2), entrance);
    addRooms(sketch, house, y, ring);
    hole = storey + 1 < storeys ? addStair(sketch, house, storey) : undefined;
    below = ring;
  }
  addSlab(sketch, area, [storeys * rise - slab, storeys * rise]);
  addPlace(sketch, (x0 + x1) / 2, storeys * rise, (z0 + z1) / 2);
  return [x, z, x1 + margin, z1 + margin];
};
