/**
 * The server's side of a game. It decides the tick of each order and passes it on. It simulates one second behind the clock, where no
 * order can arrive any more, so it never goes back; its hashes show each client whether it still plays the same game.
 *
 * Clients are not trusted: it drops messages that are not valid orders, and orders beyond a limit per player.
 */
import {
  HEIGHT,
  TICKS_PER_SECOND,
  WIDTH,
  compareOrders,
  createGame,
  hashGame,
  saveGame,
  stepGame,
  teamOf,
} from './game.ts';
import type { Game, Order } from './game.ts';
import type { Send, ToClient, ToServer } from './messages.ts';
import type { NavMesh } from 'navkiln';

/** How late an order may arrive, in ticks. Later ones are given at the earliest tick that is still open. */
export const MOST_LATE = TICKS_PER_SECOND;
/** Ticks from one clock message to the next. */
export const CLOCK_TICKS = 15;
/** Orders that a player may give at once, and ticks until it may give one more. A saved game counts as `JOIN_COST`. */
const [BURST, TICKS_PER_ORDER, JOIN_COST] = [20, 6, 10];

export interface Player {
  number: number;
  send: Send;
  /** Orders that the player may give now. */
  budget: number;
}

export interface Room {
  game: Game;
  /** The tick of the clock. */
  now: number;
  players: Set<Player>;
  /** The number of the next player. Numbers are not given again, since orders of players that have left are still simulated. */
  nextNumber: number;
  /** By tick, for ticks that are not simulated yet. */
  orders: Map<number, Order[]>;
  /** Messages that were no orders, or too many. */
  refused: number;
}

export const createRoom = (level: NavMesh): Room => ({
  game: createGame(level),
  now: 0,
  players: new Set(),
  nextNumber: 0,
  orders: new Map(),
  refused: 0,
});

const say = ({ send }: Player, message: ToClient): void => send(JSON.stringify(message));

/** Adds a player to the smaller team, and sends it the game. */
export function joinRoom(room: Room, send: Send): Player {
  const teams = [0, 0];
  for (const { number } of room.players) teams[teamOf(number)]++;
  while (teams[teamOf(room.nextNumber)] > teams[1 - teamOf(room.nextNumber)]) room.nextNumber++;
  const player = { number: room.nextNumber++, send, budget: BURST };
  room.players.add(player);
  welcome(room, player);
  return player;
}

function welcome({ game, now, orders }: Room, player: Player): void {
  const { isDoorOpen, bytes } = saveGame(game);
  const { tick } = game.crowd;
  const open = [...orders.values()].flat();
  say(player, { kind: 'welcome', player: player.number, now, tick, isDoorOpen, orders: open });
  player.send(bytes);
}

/** Takes a message of a player. */
export function hearPlayer(room: Room, player: Player, data: unknown): void {
  const message = parse(data);
  const cost = message?.kind === 'join' ? JOIN_COST : 1;
  if (message === undefined) return void room.refused++;
  if (player.budget < cost) {
    room.refused++;
    if (message.kind === 'order') say(player, { kind: 'refused', sequence: message.order.sequence });
    return;
  }
  player.budget -= cost;
  if (message.kind === 'join') return welcome(room, player);
  const { sequence, kind, x, y } = message.order;
  const tick = Math.min(Math.max(message.order.tick, room.game.crowd.tick), room.now);
  const order = { tick, player: player.number, sequence, kind, x, y };
  room.orders.set(tick, [...(room.orders.get(tick) ?? []), order].sort(compareOrders));
  for (const each of room.players) say(each, { kind: 'order', order });
}

/** Advances a room to the tick of the clock. */
export function advanceRoom(room: Room, now: number): void {
  const { game, orders, players } = room;
  while (room.now < now) {
    room.now++;
    for (const player of players) player.budget = Math.min(BURST, player.budget + 1 / TICKS_PER_ORDER);
    if (room.now <= MOST_LATE) continue;
    const { tick } = game.crowd;
    stepGame(game, orders.get(tick) ?? []);
    orders.delete(tick);
    if (game.crowd.tick % CLOCK_TICKS !== 0) continue;
    const hash = hashGame(game);
    for (const player of players) say(player, { kind: 'clock', now: room.now, tick: game.crowd.tick, hash });
  }
}

/** Reads a message of a client; undefined when it is none. */
function parse(data: unknown): ToServer | undefined {
  if (typeof data !== 'string' || data.length > 500) return undefined;
  try {
    const message = JSON.parse(data) as ToServer;
    if (message?.kind === 'join') return message;
    const { tick, sequence, kind, x, y } = message.order;
    const isOrder = [tick, sequence].every(Number.isSafeInteger) && (kind === 'send' || kind === 'door');
    const isPlace = [x, y].every(Number.isFinite) && x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT;
    return isOrder && isPlace ? message : undefined;
  } catch {
    return undefined;
  }
}
