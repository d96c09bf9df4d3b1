/**
 * A player's side of a game. It simulates at the tick of the server's clock, gives its own orders at once, and goes back when an order
 * for a tick that has passed arrives.
 */
import { createSnapshotRing } from 'navkiln/rollback';
import type { SnapshotRing } from 'navkiln/rollback';
import { TICKS_PER_SECOND, compareOrders, createGame, hashGame, restoreGame, stepGame } from './game.ts';
import type { Game, Order } from './game.ts';
import type { Data, Send, ToClient, ToServer } from './messages.ts';
import { CLOCK_TICKS } from './room.ts';
import type { NavMesh } from 'navkiln';

/** Ticks that the client can go back: twice the lateness that the server allows. */
const RING_TICKS = 128;
/** A client that is more ticks behind, such as a tab in the background, asks for the game again. */
const MOST_BEHIND = 5 * TICKS_PER_SECOND;

export interface Client {
  send: Send;
  game: Game;
  ring: SnapshotRing;
  /** Its number in the room; -1 until the game has arrived. */
  player: number;
  /** Orders by tick. */
  orders: Map<number, Order[]>;
  /** Own orders that the server has not passed on yet, by their sequence. */
  open: Map<number, Order>;
  sequence: number;
  /** The earliest tick whose orders have changed since it was simulated. */
  changed: number;
  /** The tick of the server's clock at time 0 of the caller's, as far as it is known. */
  clockStart: number;
  isWaiting: boolean;
  welcome: (ToClient & { kind: 'welcome' }) | undefined;
  /** Own hashes of ticks, and the last one of the server. */
  hashes: Map<number, number>;
  check: { tick: number; hash: number } | undefined;
  /** Rollbacks, ticks that they repeated, hashes that agreed, and hashes that did not. */
  counts: { rollbacks: number; repeated: number; agreed: number; differed: number };
}

export function createClient(level: NavMesh, send: Send): Client {
  return {
    send,
    game: createGame(level),
    ring: createSnapshotRing({ ticks: RING_TICKS }),
    player: -1,
    orders: new Map(),
    open: new Map(),
    sequence: 0,
    changed: Infinity,
    clockStart: -Infinity,
    isWaiting: true,
    welcome: undefined,
    hashes: new Map(),
    check: undefined,
    counts: { rollbacks: 0, repeated: 0, agreed: 0, differed: 0 },
  };
}

/** Gives an order of the player: now in its own game, and soon on all other machines. */
export function giveOrder(client: Client, kind: Order['kind'], x: number = 0, y: number = 0): void {
  if (client.player < 0 || client.isWaiting) return;
  const { tick } = client.game.crowd;
  const order = { tick, player: client.player, sequence: client.sequence++, kind, x, y };
  addOrder(client, order);
  client.open.set(order.sequence, order);
  say(client, { kind: 'order', order });
}

/** Takes a message of the server. `seconds` is the time of the caller's clock. */
export function hearServer(client: Client, data: Data, seconds: number): void {
  if (typeof data !== 'string') return begin(client, data);
  const message = JSON.parse(data) as ToClient;
  if (message.kind === 'order') {
    if (message.order.player === client.player) client.open.delete(message.order.sequence);
    return addOrder(client, message.order);
  }
  if (message.kind === 'refused') {
    const order = client.open.get(message.sequence);
    client.open.delete(message.sequence);
    return order && removeOrder(client, order);
  }
  // The message that took least time tells the clock best. Clocks drift, so earlier ones are slowly forgotten.
  client.clockStart = Math.max(client.clockStart - 0.02, message.now - seconds * TICKS_PER_SECOND);
  if (message.kind === 'welcome') client.welcome = message;
  else {
    client.check = message;
    // The server did not have these orders at their ticks, and will give them later.
    for (const order of client.open.values()) {
      if (order.tick >= message.tick) continue;
      const moved = { ...order, tick: message.tick };
      addOrder(client, moved);
      client.open.set(order.sequence, moved);
    }
  }
}

/** Simulates up to the tick of the clock; first goes back to the earliest tick with other orders than it was simulated with. */
export function advanceClient(client: Client, seconds: number): void {
  const { game, ring, counts, hashes, orders } = client;
  if (client.isWaiting) return;
  const { crowd } = game;
  const now = Math.max(crowd.tick, Math.floor(client.clockStart + seconds * TICKS_PER_SECOND));
  if (client.changed < crowd.tick) {
    counts.rollbacks++;
    counts.repeated += crowd.tick - client.changed;
    if (!ring.rewind(crowd, client.changed)) return askAgain(client);
  }
  if (now - crowd.tick > MOST_BEHIND) return askAgain(client);
  client.changed = Infinity;
  while (crowd.tick < now) {
    stepGame(game, orders.get(crowd.tick) ?? []);
    ring.capture(crowd);
    if (crowd.tick % CLOCK_TICKS === 0) hashes.set(crowd.tick, hashGame(game));
    orders.delete(crowd.tick - RING_TICKS);
  }
  compareHashes(client);
}

/** Starts from the state that the server has sent. */
function begin(client: Client, bytes: Uint8Array): void {
  const { game, orders, hashes, welcome } = client;
  if (welcome === undefined) return;
  restoreGame(game, welcome.isDoorOpen, bytes);
  orders.clear();
  hashes.clear();
  client.open.clear();
  for (const order of welcome.orders) orders.set(order.tick, [...(orders.get(order.tick) ?? []), order]);
  client.ring = createSnapshotRing({ ticks: RING_TICKS });
  client.ring.capture(game.crowd);
  Object.assign(client, { player: welcome.player, isWaiting: false, changed: Infinity, welcome: undefined });
}

/** Adds an order, or moves it to the tick that the server has chosen. */
function addOrder(client: Client, order: Order): void {
  const list = client.orders.get(order.tick) ?? [];
  if (list.some((other) => compareOrders(order, other) === 0)) return;
  removeOrder(client, order);
  client.orders.set(order.tick, [...list, order].sort(compareOrders));
  client.changed = Math.min(client.changed, order.tick);
}

/** Removes the order with the same player and sequence, at whatever tick it is. */
function removeOrder(client: Client, order: Order): void {
  for (const [tick, list] of client.orders) {
    const left = list.filter((other) => compareOrders(order, other) !== 0);
    if (left.length === list.length) continue;
    client.orders.set(tick, left);
    client.changed = Math.min(client.changed, tick);
  }
}

/** Compares the hash of the server with the own one of that tick. All orders before that tick have arrived before the hash. */
function compareHashes(client: Client): void {
  const { check, hashes, counts } = client;
  const own = check === undefined ? undefined : hashes.get(check.tick);
  if (check === undefined || own === undefined) return;
  client.check = undefined;
  for (const tick of hashes.keys()) if (tick <= check.tick) hashes.delete(tick);
  if (own === check.hash) counts.agreed++;
  else {
    counts.differed++;
    askAgain(client);
  }
}

function askAgain(client: Client): void {
  client.isWaiting = true;
  say(client, { kind: 'join' });
}

const say = (client: Client, message: ToServer): void => client.send(JSON.stringify(message));
