/**
 * A round tower: a spiral stair inside, floors around it, a wall with a door on each storey, and a helical
 * ramp outside.
 */
import { addColumn, addSector, createBuilder, finishMesh } from './builder.ts';
import type { MeshBuilder } from './builder.ts';
import { createRandom, nextRange } from './random.ts';
import type { LevelMesh, LevelScene } from './scene.ts';

const STOREYS = 5;
const RISE = 4;
const CORE = 1.5;
const STAIR = 4.5;
const WALL_IN = 10;
const WALL_OUT = 10.5;
const RAMP = 13.5;
const STEPS = 24;
const SIDES = 48;
/** Half the width of the door, in turns around angle 0. */
const DOOR = 1.5 / SIDES;

function addStorey(builder: MeshBuilder, y: number, top: boolean): void {
  for (let i = 0; i < SIDES; i++) {
    const a = i / SIDES;
    const b = (i + 1) / SIDES;
    addSector(
      builder,
      [0, 0],
      { inner: STAIR, outer: WALL_IN },
      { angle: a, bottom: y - 0.3, top: y },
      { angle: b, bottom: y - 0.3, top: y },
    );
    const middle = (a + b) / 2;
    const atDoor = middle < DOOR || middle > 1 - DOOR;
    if (atDoor)
      addSector(
        builder,
        [0, 0],
        { inner: WALL_IN, outer: WALL_OUT },
        { angle: a, bottom: y - 0.3, top: y },
        { angle: b, bottom: y - 0.3, top: y },
      );
    const foot = atDoor ? y + 2.4 : y - 0.3;
    const head = top ? (atDoor ? 0 : y + 1) : y + RISE - 0.3;
    if (head > foot)
      addSector(
        builder,
        [0, 0],
        { inner: WALL_IN, outer: WALL_OUT },
        { angle: a, bottom: foot, top: head },
        { angle: b, bottom: foot, top: head },
      );
  }
}

function addSpiralStair(builder: MeshBuilder, y: number): void {
  for (let i = 0; i < STEPS; i++) {
    const top = y + (RISE * i) / STEPS;
    addSector(
      builder,
      [0, 0],
      { inner: CORE, outer: STAIR },
      { angle: i / STEPS, bottom: top - 0.3, top },
      { angle: (i + 1) / STEPS, bottom: top - 0.3, top },
    );
  }
}

function addHelix(builder: MeshBuilder, y: number): void {
  for (let i = 0; i < SIDES; i++) {
    const a = y + (RISE * i) / SIDES;
    const b = y + (RISE * (i + 1)) / SIDES;
    addSector(
      builder,
      [0, 0],
      { inner: WALL_OUT, outer: RAMP },
      { angle: i / SIDES, bottom: a - 0.3, top: a },
      { angle: (i + 1) / SIDES, bottom: b - 0.3, top: b },
    );
    // A parapet along the outside makes the ramp a corridor.
    addSector(
      builder,
      [0, 0],
      { inner: RAMP, outer: RAMP + 0.2 },
      { angle: i / SIDES, bottom: a - 0.3, top: a + 1 },
      { angle: (i + 1) / SIDES, bottom: b - 0.3, top: b + 1 },
    );
  }
}

function createTower(seed: number = 3): LevelMesh {
  const random = createRandom(seed);
  const builder = createBuilder();
  addColumn(builder, [0, 0], 22, [-1, 0], 64);
  addColumn(builder, [0, 0], CORE, [0, STOREYS * RISE + 3], 24);
  for (let storey = 0; storey <= STOREYS; storey++) addStorey(builder, storey * RISE, storey === STOREYS);
  for (let storey = 0; storey < STOREYS; storey++) {
    addSpiralStair(builder, storey * RISE);
    addHelix(builder, storey * RISE);
  }
  // The landing at the top of the stair and the ramp.
  const y = STOREYS * RISE;
  addSector(
    builder,
    [0, 0],
    { inner: CORE, outer: STAIR },
    { angle: 0, bottom: y - 0.3, top: y },
    { angle: 2 / STEPS, bottom: y - 0.3, top: y },
  );
  addSector(
    builder,
    [0, 0],
    { inner: WALL_OUT, outer: RAMP },
    { angle: 0, bottom: y - 0.3, top: y },
    { angle: 2 / SIDES, bottom: y - 0.3, top: y },
  );
  for (let storey = 0; storey < STOREYS; storey++) {
    for (let i = 0; i < 5; i++) {
      const a = nextRange(random, 0.12, 0.85);
      addSector(
        builder,
        [0, 0],
        { inner: 8.2, outer: 9.2 },
        { angle: a, bottom: storey * RISE, top: storey * RISE + 1.2 },
        { angle: a + 0.02, bottom: storey * RISE, top: storey * RISE + 1.2 },
      );
    }
  }
  return finishMesh(builder);
}

export const towerScene: LevelScene = {
  name: 'tower',
  kind: 'level',
  title: 'Tower: spiral stair, helical ramp, storeys',
  create: createTower,
  scalable: false,
  options: { agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }, cellSize: 0.2, cellHeight: 0.1 },
  path: { from: [19, 0, 2], to: [-7, STOREYS * RISE, 3] },
};
