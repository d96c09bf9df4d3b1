/** A round tower: a spiral stair inside, floors around it, a wall with a door a storey, and a helical ramp outside. */
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
/** The door, in turns, on either side of angle 0. */
const DOOR = 1.5 / SIDES;

function addStorey(builder: MeshBuilder, y: number, top: boolean): void {
  for (let i = 0; i < SIDES; i++) {
    const a = i / SIDES;
    const b = (i + 1) / SIDES;
    addSector(builder, 0, 0, STAIR, WALL_IN, a, b, y - 0.3, y, y - 0.3, y);
    const middle = (a + b) / 2;
    const atDoor = middle < DOOR || middle > 1 - DOOR;
    if (atDoor) addSector(builder, 0, 0, WALL_IN, WALL_OUT, a, b, y - 0.3, y, y - 0.3, y);
    const foot = atDoor ? y + 2.4 : y - 0.3;
    const head = top ? (atDoor ? 0 : y + 1) : y + RISE - 0.3;
    if (head > foot) addSector(builder, 0, 0, WALL_IN, WALL_OUT, a, b, foot, head, foot, head);
  }
}

function addSpiralStair(builder: MeshBuilder, y: number): void {
  for (let i = 0; i < STEPS; i++) {
    const top = y + (RISE * i) / STEPS;
    addSector(builder, 0, 0, CORE, STAIR, i / STEPS, (i + 1) / STEPS, top - 0.3, top, top - 0.3, top);
  }
}

function addHelix(builder: MeshBuilder, y: number): void {
  for (let i = 0; i < SIDES; i++) {
    const a = y + (RISE * i) / SIDES;
    const b = y + (RISE * (i + 1)) / SIDES;
    addSector(builder, 0, 0, WALL_OUT, RAMP, i / SIDES, (i + 1) / SIDES, a - 0.3, a, b - 0.3, b);
    // A parapet along the outside, so that the ramp is a corridor.
    addSector(builder, 0, 0, RAMP, RAMP + 0.2, i / SIDES, (i + 1) / SIDES, a - 0.3, a + 1, b - 0.3, b + 1);
  }
}

function createTower(seed: number = 3): LevelMesh {
  const random = createRandom(seed);
  const builder = createBuilder();
  addColumn(builder, 0, 0, 22, -1, 0, 64);
  addColumn(builder, 0, 0, CORE, 0, STOREYS * RISE + 3, 24);
  for (let storey = 0; storey <= STOREYS; storey++) addStorey(builder, storey * RISE, storey === STOREYS);
  for (let storey = 0; storey < STOREYS; storey++) {
    addSpiralStair(builder, storey * RISE);
    addHelix(builder, storey * RISE);
  }
  // The landing at the head of the stair and of the ramp.
  const y = STOREYS * RISE;
  addSector(builder, 0, 0, CORE, STAIR, 0, 2 / STEPS, y - 0.3, y, y - 0.3, y);
  addSector(builder, 0, 0, WALL_OUT, RAMP, 0, 2 / SIDES, y - 0.3, y, y - 0.3, y);
  for (let storey = 0; storey < STOREYS; storey++) {
    for (let i = 0; i < 5; i++) {
      const a = nextRange(random, 0.12, 0.85);
      addSector(
        builder,
        0,
        0,
        8.2,
        9.2,
        a,
        a + 0.02,
        storey * RISE,
        storey * RISE + 1.2,
        storey * RISE,
        storey * RISE + 1.2,
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
