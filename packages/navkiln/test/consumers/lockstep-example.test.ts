/**
 * examples/lockstep without a page: a room and two clients over lines with a delay of 150 ms and 5 % of lost messages, in virtual time.
 * The oracle is a game that gets the orders of the room's log in order, and never goes back.
 *
 * NAVKILN_SEED: the seed of the lines and of the players. NAVKILN_LOCKSTEP_TICKS: ticks of the game (default 240).
 */
import { createRandom, isEnabled, nextRandom } from 'navkiln';
import { expect, it } from 'vitest';
import { advanceClient, createClient, giveOrder, hearServer } from '../../../../examples/lockstep/client.ts';
import type { Client } from '../../../../examples/lockstep/client.ts';
import {
  HEIGHT,
  TICKS_PER_SECOND,
  WIDTH,
  compareOrders,
  createGame,
  createLevel,
  hashGame,
  stepGame,
} from '../../../../examples/lockstep/game.ts';
import type { Order } from '../../../../examples/lockstep/game.ts';
import { createLine } from '../../../../examples/lockstep/line.ts';
import type { Line } from '../../../../examples/lockstep/line.ts';
import { advanceRoom, createRoom, hearPlayer, joinRoom } from '../../../../examples/lockstep/room.ts';
import type { Player, Room } from '../../../../examples/lockstep/room.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const TICKS = Number(process.env.NAVKILN_LOCKSTEP_TICKS ?? 240);
const level = createLevel();

interface Seat {
  client: Client;
  player: Player;
  up: Line;
  down: Line;
}

/** A room whose players sit behind slow lines. `now` is the tick of all clocks. */
function createTable() {
  const room: Room = createRoom(level);
  const seats: Seat[] = [];
  let seconds = 0;
  return {
    room,
    seats,
    sit(seed: number): Seat {
      const [up, down] = [0, 1].map((k) => createLine({ seconds: 0.15, loss: 0.05, seed: 2 * seed + k }));
      const client = createClient(level, (data) => up.send(data, seconds));
      const player = joinRoom(room, (data) => down.send(data, seconds));
      const seat = { client, player, up, down };
      seats.push(seat);
      return seat;
    },
    tick(now: number): void {
      seconds = now / TICKS_PER_SECOND;
      advanceRoom(room, now);
      for (const { client, player, up, down } of seats) {
        for (const data of down.receive(seconds)) hearServer(client, data, seconds);
        for (const data of up.receive(seconds)) hearPlayer(room, player, data);
        advanceClient(client, seconds);
      }
    },
  };
}

it(`clients and server play the same ${TICKS} ticks at 150 ms and 5 % loss, seed ${SEED}`, () => {
  const table = createTable();
  const { room, seats } = table;
  table.sit(SEED);
  table.sit(SEED + 1);
  const log: Order[] = [];
  room.players.add({
    number: 9,
    budget: 0,
    send(data) {
      const { kind, order } = JSON.parse(String(data)) as { kind: string; order: Order };
      if (kind === 'order') log.push(order);
    },
  });
  const random = createRandom(SEED);
  for (let now = 1; now <= TICKS; now++) {
    table.tick(now);
    if (now === TICKS / 2) table.sit(SEED + 2); // joins late, and gets the game as bytes
    // Nothing is ordered near the end, so that all orders arrive.
    for (const { client } of now < TICKS - 110 ? seats : []) {
      if (nextRandom(random) > 0.06) continue;
      const kind = nextRandom(random) < 0.3 ? 'door' : 'send';
      giveOrder(client, kind, WIDTH * nextRandom(random), HEIGHT * nextRandom(random));
    }
  }
  // Clients see the clock of the server as late as its messages arrive. Both end at the last tick.
  for (const { client } of seats) {
    expect(client.game.crowd.tick).toBeGreaterThan(TICKS - 12);
    client.clockStart = 0;
    advanceClient(client, TICKS / TICKS_PER_SECOND);
    expect(client.game.crowd.tick).toBe(TICKS);
  }
  const straight = createGame(level);
  const hashes: number[] = [];
  log.sort(compareOrders);
  while (straight.crowd.tick <= TICKS) {
    hashes[straight.crowd.tick] = hashGame(straight);
    stepGame(
      straight,
      log.filter(({ tick }) => tick === straight.crowd.tick),
    );
  }
  expect(new Set(log.map(({ kind }) => kind)).size).toBe(2);
  expect(hashGame(room.game)).toBe(hashes[room.game.crowd.tick]);
  expect(seats.map(({ client }) => hashGame(client.game))).toEqual(seats.map(() => hashes[TICKS]));
  expect(seats.reduce((sum, { up, down }) => sum + up.lost + down.lost, 0)).toBeGreaterThan(0);
  for (const [i, { client }] of seats.entries()) {
    const { counts } = client;
    if (i < 2) expect(counts.rollbacks).toBeGreaterThan(1);
    expect(counts.repeated).toBeGreaterThanOrEqual(10 * counts.rollbacks);
    expect(counts.agreed).toBeGreaterThan(2);
    expect(counts.differed).toBe(0);
  }
});

it('moves orders that are too late, and refuses what is none', () => {
  const { room, sit, tick } = createTable();
  const { player, client } = sit(SEED);
  for (let now = 1; now <= 90; now++) tick(now);
  const order = { tick: 3, player: 7, sequence: 0, kind: 'send', x: 5, y: 5 };
  const hear = (more: object): void =>
    hearPlayer(room, player, JSON.stringify({ kind: 'order', order: { ...order, ...more } }));
  hear({});
  hear({ tick: 1e9, sequence: 1 });
  expect([...room.orders.values()].flat()).toEqual([
    { ...order, tick: room.game.crowd.tick, player: player.number },
    { ...order, tick: room.now, player: player.number, sequence: 1 },
  ]);
  hearPlayer(room, player, 'x'.repeat(1000));
  for (const wrong of [undefined, '', 'null', '[]', '{"kind":"order"}', new Uint8Array(9)])
    hearPlayer(room, player, wrong);
  for (const more of [{ tick: 0.5 }, { x: null }, { y: -1 }, { y: 'a' }, { kind: 'win' }, { sequence: 1e300 }])
    hear(more);
  expect(room.refused).toBe(13);
  for (let i = 2; i < 40; i++) hear({ sequence: i });
  expect(room.refused).toBe(13 + 20);
  for (let now = 91; now <= 180; now++) tick(now);
  expect(client.counts).toMatchObject({ differed: 0, rollbacks: expect.any(Number) });
  expect(hashGame(client.game)).not.toBe(hashGame(createGame(level)));
});

it('gives a client that went apart the game again', () => {
  const { sit, tick } = createTable();
  const { client } = sit(SEED);
  for (let now = 1; now <= 120; now++) tick(now);
  client.game.crowd.agents.position[0] += 1e-9;
  for (let now = 121; now <= 270; now++) tick(now);
  expect(client.counts.differed).toBe(1);
  expect(client.counts.agreed).toBeGreaterThan(3);
  expect(client.isWaiting).toBe(false);
});

it('stays in step when an order takes longer than the server waits', () => {
  const { room, sit, tick } = createTable();
  const { client, up } = sit(SEED);
  up.options.seconds = 1.5;
  for (let now = 1; now <= 220; now++) {
    tick(now);
    if (now === 70) giveOrder(client, 'door');
  }
  const [{ mesh }, own] = [room.game, client.game.mesh];
  expect([isEnabled(mesh, 'door'), isEnabled(own, 'door'), client.open.size]).toEqual([false, false, 0]);
  expect(client.counts).toMatchObject({ differed: 0, agreed: expect.any(Number) });
});
