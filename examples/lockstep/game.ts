/** The game that all machines simulate: two teams of 100 agents in a yard, and a door. Nothing here knows of a network. */
import { createMeshOverlay } from 'navkiln/share';
import { isEnabled, setEnabled } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { addAgent, createCrowd, hashCrowd, moveAgentTo, restoreCrowd, saveCrowd, stepCrowd } from 'navkiln/crowd';
import type { AgentId, Crowd } from 'navkiln/crowd';
import { buildFromPolygons, findNearest2d, mapToMesh } from 'navkiln/polygon';

export const TICKS_PER_SECOND = 60;
export const [WIDTH, HEIGHT] = [48, 30];
export const RADIUS = 0.34;
/** Left, top, width and height. */
export const DOOR = [23, 11, 2, 6] as const;
export const WALLS = [
  [23, 0, 2, 11],
  [23, 17, 2, 8],
  [10, 6, 3, 3],
  [10, 21, 3, 3],
  [35, 6, 3, 3],
  [35, 21, 3, 3],
] as const;

/** What a player wants: its team at a point of the map, or the door opened or closed. */
export interface Order {
  /** The tick before which it is given, on all machines. */
  tick: number;
  player: number;
  /** Numbers the orders of a player. */
  sequence: number;
  kind: 'send' | 'door';
  x: number;
  y: number;
}

export interface Game {
  mesh: NavMesh;
  crowd: Crowd;
  teams: AgentId[][];
}

const rectangle = ([x, y, width, height]: readonly number[]): [number, number][] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/** Builds the level: the same bytes on every machine. */
export function createLevel(): NavMesh {
  const map = {
    polygons: [{ outline: rectangle([0, 0, WIDTH, HEIGHT]) }],
    obstacles: WALLS.map(rectangle),
    areas: [{ name: 'door', outline: rectangle(DOOR) }],
    yAxis: 'down' as const,
  };
  return buildFromPolygons(map, { radius: RADIUS }).navMesh;
}

/** Starts a game. Games on one level share all but their door. */
export function createGame(level: NavMesh): Game {
  const mesh = createMeshOverlay(level);
  const crowd = createCrowd(mesh, { maxAgents: 200, stepSeconds: 1 / TICKS_PER_SECOND });
  const teams = [1.5, WIDTH - 10.5].map((left) =>
    Array.from({ length: 100 }, (_, i) => {
      const place = mapToMesh(mesh, [left + (i % 10), 10.5 + Math.floor(i / 10)]);
      return addAgent(crowd, place, { radius: RADIUS, maxSpeed: 3.5 });
    }),
  );
  return { mesh, crowd, teams };
}

/** Players with even numbers command the team on the left. */
export const teamOf = (player: number): number => player % 2;

/** Gives the orders of a tick, and simulates it. */
export function stepGame({ mesh, crowd, teams }: Game, orders: readonly Order[]): void {
  for (const { player, kind, x, y } of orders) {
    if (kind === 'door') setEnabled(mesh, 'door', !isEnabled(mesh, 'door'));
    else {
      const { point } = findNearest2d(mesh, [x, y], { halfExtents: WIDTH });
      for (const agent of teams[teamOf(player)]) moveAgentTo(crowd, agent, mapToMesh(mesh, point));
    }
  }
  stepCrowd(crowd);
}

/** Orders of one tick are given in this order on all machines. */
export const compareOrders = (a: Order, b: Order): number => a.player - b.player || a.sequence - b.sequence;

/** Returns a hash of the state of a game. */
export const hashGame = ({ mesh, crowd }: Game): number => (hashCrowd(crowd) ^ (isEnabled(mesh, 'door') ? 1 : 0)) >>> 0;

/** Returns the state of a game for a machine that joins late: the door, and the crowd as bytes. */
export const saveGame = ({ mesh, crowd }: Game): { isDoorOpen: boolean; bytes: Uint8Array } => ({
  isDoorOpen: isEnabled(mesh, 'door'),
  bytes: saveCrowd(crowd),
});

/** Brings a game to a saved state. Throws an Error for bytes of another level or version. */
export function restoreGame({ mesh, crowd }: Game, isDoorOpen: boolean, bytes: Uint8Array): void {
  setEnabled(mesh, 'door', isDoorOpen);
  restoreCrowd(crowd, bytes);
}
