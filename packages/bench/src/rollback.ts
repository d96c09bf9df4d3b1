/**
 * Measures rollback: captures and rewinds of a crowd on a town, compared with a tick of it, and eight ticks back and forward across an
 * obstacle that is added, a door that is closed and a link that is added.
 *
 * Agreement: after each rollback, the hash equals that of a run that never went back.
 */
import { addLink, createRandom, findRandomPoint, nextRandom, removeLink, setEnabled } from 'navkiln';
import type { LinkRef } from 'navkiln';
import { createVolumes } from 'navkiln/build';
import {
  addAgent,
  createCrowd,
  hashCrowd,
  listAgents,
  moveAgentTo,
  restoreCrowd,
  saveCrowd,
  stepCrowd,
} from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import { captureCrowd, createSnapshotRing, rewindCrowd } from 'navkiln/rollback';
import { addLevel, addObstacle, createWorld, listObstacles, removeObstacle, updateWorld } from 'navkiln/world';
import type { World } from 'navkiln/world';
import { spreadOf, waitedMs } from './harness.ts';
import type { Spread } from './harness.ts';

const AGENTS = 500;
/** Buildings along a side, distance between their middles in meters. */
const SIDE = 30;
const PITCH = 14;
/** Ticks before the first measurement, and ticks that a rollback goes back. */
const WARM_TICKS = 600;
const BACK = 8;
/** Ticks without changes of the mesh in each round. */
const PLAIN = 5;

export interface RollbackRow {
  what: string;
  polygons: number;
  agents: number;
  /** Milliseconds of CPU time of a tick without changes of the mesh. */
  tickMs: Spread;
  /** The tick after a door was opened or closed, in ticks of the same round. */
  door: Spread;
  /** Shares of the tick in the same round. */
  capture: Spread;
  rewind: Spread;
  /**
   * A capture after obstacles, a door and a link have changed the mesh, and one after the next tick, in ticks in which the mesh
   * changes.
   */
  changed: Spread;
  followed: Spread;
  /** `saveCrowd` and `restoreCrowd`. */
  save: Spread;
  restore: Spread;
  /** Eight ticks back and forward, with a capture for each, in ticks of the same eight. */
  rollback: Spread;
}

/** Measures a crowd that walks, and one whose agents get new goals all the time. */
export function benchRollback(rounds: number, seed: number): RollbackRow[] {
  return [benchOrders('walking', 0, rounds, seed), benchOrders('ten new goals a tick', 10, rounds, seed)];
}

/** A town of turned houses, whose gate is an area with a name. */
export function createTown(seed: number): World {
  const random = createRandom(seed);
  const size = SIDE * PITCH;
  const positions: number[] = [];
  const indices: number[] = [];
  const addHouse = (x: number, z: number, halfX: number, halfZ: number, height: number, turn: number): void => {
    // A rotation from a rational point of the circle, so that it is equal everywhere.
    const [c, s] = [(1 - turn * turn) / (1 + turn * turn), (2 * turn) / (1 + turn * turn)];
    const first = positions.length / 3;
    for (const y of [0, height]) {
      for (const [u, v] of [
        [-halfX, -halfZ],
        [-halfX, halfZ],
        [halfX, halfZ],
        [halfX, -halfZ],
      ])
        positions.push(x + c * u - s * v, y, z + s * u + c * v);
    }
    const at = (k: number): number => first + k;
    indices.push(at(4), at(5), at(6), at(4), at(6), at(7));
    for (let k = 0; k < 4; k++) {
      const next = (k + 1) % 4;
      indices.push(at(k), at(next), at(4 + next), at(k), at(4 + next), at(4 + k));
    }
  };
  positions.push(0, 0, 0, 0, 0, size, size, 0, size, size, 0, 0);
  indices.push(0, 1, 2, 0, 2, 3);
  for (let ix = 0; ix < SIDE; ix++) {
    for (let iz = 0; iz < SIDE; iz++) {
      const [x, z] = [(ix + 0.5) * PITCH, (iz + 0.5) * PITCH];
      const next = (): number => nextRandom(random);
      addHouse(x, z, 2 + 2 * next(), 2 + 2 * next(), 3 + 4 * next(), next());
      for (let crate = 0; crate < 3; crate++)
        addHouse(x + PITCH * (next() - 0.5), z + PITCH * (next() - 0.5), 0.3 + 0.5 * next(), 0.4, 1, next());
    }
  }
  const middle = size / 2;
  const world = createWorld({
    agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 },
    cellSize: 0.2,
    cellHeight: 0.2,
    tileSize: 9.6,
    bounds: { min: [0, -1, 0], max: [size, 8, size] },
    volumes: createVolumes([
      { type: 'box', name: 'gate', min: [middle - 8, -1, middle - 8], max: [middle + 8, 1, middle + 8] },
    ]),
  });
  addLevel(world, { positions, indices });
  updateWorld(world);
  return world;
}

function benchOrders(what: string, orders: number, rounds: number, seed: number): RollbackRow {
  const world = createTown(seed);
  const mesh = world.navMesh;
  const random = createRandom(seed);
  const crowd = createCrowd(mesh, { maxAgents: 1024 });
  const somewhere = (source = random): [number, number, number] => findRandomPoint(mesh, source)!.point;
  while (crowd.agentCount < AGENTS) moveAgentTo(crowd, addAgent(crowd, somewhere(), { radius: 0.35 }), somewhere());
  const ids = listAgents(crowd);
  const step = (): void => {
    const source = createRandom(seed + crowd.tick);
    for (let k = 0; k < orders; k++) moveAgentTo(crowd, ids[(crowd.tick * orders + k) % AGENTS], somewhere(source));
    // Arrived agents get new goals, so that all walk.
    if (crowd.tick % 60 === 0)
      for (let slot = 0; slot < AGENTS; slot++)
        if (crowd.agents.status[slot] >= 5) moveAgentTo(crowd, ids[slot], somewhere(source));
    stepCrowd(crowd);
  };
  for (let tick = 0; tick < WARM_TICKS; tick++) step();
  const ring = createSnapshotRing({ ticks: BACK + 2, world });
  const snapshot = captureCrowd(crowd);
  const [tick, door, capture, rewind, changed, followed, save, restore, rollback]: number[][] = [
    [],
    [],
    [],
    [],
    [],
    [],
    [],
    [],
    [],
  ];
  for (let round = -Math.ceil(rounds / 2); round < rounds; round++) {
    const changedMs = timeOf(() => captureCrowd(crowd, snapshot));
    step();
    // The crowd has followed the change, so all corridors have changed.
    const followedMs = timeOf(() => captureCrowd(crowd, snapshot));
    const plain = Array.from({ length: PLAIN }, () => {
      const tickMs = timeOf(step);
      const captureMs = timeOf(() => captureCrowd(crowd, snapshot));
      step();
      return [tickMs, captureMs, timeOf(() => rewindCrowd(crowd, snapshot))];
    });
    const [tickMs, captureMs, rewindMs] = [0, 1, 2].map((k) => spreadOf(plain.map((row) => row[k])).median);
    setEnabled(mesh, 'gate', round % 2 !== 0);
    const doorMs = timeOf(step);
    let bytes: Uint8Array;
    const saveMs = timeOf(() => (bytes = saveCrowd(crowd)));
    step();
    const restoreMs = timeOf(() => restoreCrowd(crowd, bytes));
    const { forwardMs, backMs } = goBack(world, crowd, ring, step, round);
    if (round < 0) continue;
    tick.push(tickMs);
    door.push(doorMs / tickMs);
    capture.push(captureMs / tickMs);
    rewind.push(rewindMs / tickMs);
    changed.push(changedMs / (forwardMs / BACK));
    followed.push(followedMs / (forwardMs / BACK));
    save.push(saveMs / tickMs);
    restore.push(restoreMs / tickMs);
    rollback.push(backMs / (forwardMs / BACK));
  }
  return {
    what,
    polygons: mesh.polyCount,
    agents: AGENTS,
    tickMs: spreadOf(tick),
    door: spreadOf(door),
    capture: spreadOf(capture),
    rewind: spreadOf(rewind),
    changed: spreadOf(changed),
    followed: spreadOf(followed),
    save: spreadOf(save),
    restore: spreadOf(restore),
    rollback: spreadOf(rollback),
  };
}

/**
 * Steps eight ticks with an obstacle, a door and a link among them, without captures, then goes back and steps them again with captures.
 */
function goBack(
  world: World,
  crowd: Crowd,
  ring: ReturnType<typeof createSnapshotRing>,
  step: () => void,
  round: number,
): { forwardMs: number; backMs: number } {
  const mesh = world.navMesh;
  const middle = (SIDE * PITCH) / 2;
  let link = 0 as LinkRef;
  const simulate = (isCaptured: boolean): void => {
    for (let k = 0; k < BACK; k++) {
      if (k === 1) addObstacle(world, { type: 'box', size: [2, 2, 2], position: [middle + (round % 5), 1, middle] });
      if (k === 3) setEnabled(mesh, 'gate', round % 2 === 0);
      if (k === 5) link = addLink(mesh, { start: [middle, 0, middle - 6], end: [middle, 0, middle + 6] });
      updateWorld(world);
      step();
      if (isCaptured) ring.capture(crowd);
    }
  };
  const { tick } = crowd;
  ring.capture(crowd);
  const forwardMs = timeOf(() => simulate(false));
  const expected = hashCrowd(crowd);
  const backMs = timeOf(() => {
    ring.rewind(crowd, tick);
    simulate(true);
  });
  if (hashCrowd(crowd) !== expected) throw new Error(`rollback: round ${round} leads elsewhere`);
  removeLink(mesh, link);
  for (const id of listObstacles(world)) removeObstacle(world, id);
  updateWorld(world);
  return { forwardMs, backMs };
}

/** Returns milliseconds, without those in which the thread has waited for a core. */
export function timeOf(run: () => void): number {
  const begin = performance.now();
  const waited = waitedMs();
  run();
  const waits = waitedMs() - waited;
  return performance.now() - begin - waits;
}

export function rollbackTable(rows: readonly RollbackRow[]): string[][] {
  const show = ({ q1, median, q3 }: Spread): string => `${median.toFixed(2)} (${q1.toFixed(2)}-${q3.toFixed(2)})`;
  return [
    [
      'in ticks',
      'polygons',
      'agents',
      'tick ms',
      'tick after a door',
      'capture',
      'rewind',
      'capture of a changed mesh',
      'and after the next tick',
      'save',
      'restore',
      `${BACK} ticks back and forward`,
    ],
    ...rows.map((row) => [
      row.what,
      String(row.polygons),
      String(row.agents),
      show(row.tickMs),
      ...[row.door, row.capture, row.rewind, row.changed, row.followed, row.save, row.restore, row.rollback].map(show),
    ]),
  ];
}
