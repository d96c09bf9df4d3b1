/**
 * A lockstep game: two teams of 100 agents and a door that any player opens and closes. Only orders are sent. Each page simulates the game at once, and
 * goes back when the order of another player arrives late. Hashes show that all machines have the same game.
 *
 * With ?room=NAME, the page plays in a room of the server (server.mjs): open it twice. Without it, the page plays against a player of its
 * own, over the same slow lines.
 */
import { createRandom, isEnabled, nextRandom } from 'navkiln';
import { interpolateAgentInto } from 'navkiln/crowd';
import { createView, drawDiscs, drawMesh, everyFrame, showStatus } from '../shared/view.ts';
import { advanceClient, createClient, giveOrder, hearServer } from './client.ts';
import { DOOR, HEIGHT, RADIUS, WALLS, WIDTH, createLevel, teamOf } from './game.ts';
import { createLine } from './line.ts';
import type { Data } from './messages.ts';
import { advanceRoom, createRoom, hearPlayer, joinRoom } from './room.ts';

const TEAMS = [
  { name: 'orange', color: '#d55e00' },
  { name: 'blue', color: '#0072b2' },
];
const find = <T extends Element>(selector: string): T => document.querySelector<T>(selector)!;
/** On a tall page, the yard is drawn with x and y exchanged. */
const isTall = innerHeight > innerWidth;
const view = isTall ? createView(HEIGHT, WIDTH) : createView(WIDTH, HEIGHT);
const level = createLevel();
const now = (): number => performance.now() / 1000;
const roomName = new URLSearchParams(location.search).get('room');

/** A client behind two lines. `forward` takes what has come through the line to the server. */
function createSeat(seed: number) {
  const [up, down] = [0, 1].map((k) => createLine({ seconds: 0.15, loss: 0.05, seed: 2 * seed + k }));
  const client = createClient(level, (data) => up.send(data, now()));
  return {
    client,
    lines: [up, down],
    hear: (data: Data): void => down.send(data, now()),
    advance(forward: (data: Data) => void): void {
      for (const data of up.receive(now())) forward(data);
      for (const data of down.receive(now())) hearServer(client, data, now());
      advanceClient(client, now());
    },
  };
}

const seat = createSeat(roomName === null ? 1 : Math.floor(performance.timeOrigin % 1e6));
const { client } = seat;
let hint = '';
const advance = roomName === null ? playAlone() : playInRoom(roomName);

/** Connects to a room of the server. Returns what each frame does. */
function playInRoom(name: string): () => void {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/rooms/${encodeURIComponent(name)}`);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }) =>
    seat.hear(typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer)),
  );
  socket.addEventListener('close', () => {
    hint = ' The connection has ended: reload the page.';
    client.isWaiting = true;
  });
  return () => seat.advance((data) => socket.readyState === WebSocket.OPEN && socket.send(data as string));
}

/** Plays a room in this page, with a second player that gives an order each second. */
function playAlone(): () => void {
  const room = createRoom(level);
  const other = createSeat(2);
  const seats = [seat, other].map((each) => ({ seat: each, player: joinRoom(room, each.hear) }));
  const random = createRandom(3);
  const start = now();
  let next = 2;
  hint = ' Blue is played by the page.';
  return () => {
    advanceRoom(room, Math.floor(60 * (now() - start)));
    for (const { seat: each, player } of seats) each.advance((data) => hearPlayer(room, player, data));
    if (now() - start < next) return;
    next = now() - start + 1;
    giveOrder(other.client, 'send', WIDTH * nextRandom(random), HEIGHT * nextRandom(random));
  };
}

find('#door').addEventListener('click', () => giveOrder(client, 'door'));
find('canvas').addEventListener('pointerdown', (event) => {
  const point = view.pointOf(event as PointerEvent);
  const [x, y] = isTall ? point.reverse() : point;
  const [left, top, width, height] = DOOR;
  const isDoor = x > left && x < left + width && y > top && y < top + height;
  giveOrder(client, isDoor ? 'door' : 'send', Math.min(Math.max(x, 0), WIDTH), Math.min(Math.max(y, 0), HEIGHT));
});
find<HTMLSelectElement>('#line').addEventListener('change', ({ target }) => {
  const [seconds, loss] = (target as HTMLSelectElement).value.split(' ').map(Number);
  for (const line of seat.lines) Object.assign(line.options, { seconds, loss });
});

/** Where agents are drawn: x and y of each. A rollback moves agents; the picture follows within a few frames. */
const shown = client.game.teams.map((team) => new Float64Array(2 * team.length).fill(NaN));
const at = new Float64Array(3);

everyFrame((seconds) => {
  advance();
  const { mesh, crowd, teams } = client.game;
  const isOpen = isEnabled(mesh, 'door');
  const share = 1 - 0.75 ** (60 * seconds);
  view.begin();
  if (isTall) view.context.transform(0, 1, 1, 0, 0, 0);
  view.context.fillStyle = '#d5dfd5';
  view.context.fillRect(0, 0, WIDTH, HEIGHT);
  drawMesh(view, mesh, '#e6eee6', '#e6eee6');
  view.context.fillStyle = '#5b4b3f';
  for (const wall of WALLS) view.context.fillRect(wall[0], wall[1], wall[2], wall[3]);
  view.context.fillStyle = isOpen ? '#c9a22744' : '#a0522d';
  view.context.fillRect(DOOR[0], DOOR[1], DOOR[2], DOOR[3]);
  for (const [k, team] of teams.entries()) {
    for (const [i, agent] of team.entries()) {
      interpolateAgentInto(at, crowd, agent, 1);
      for (const axis of [0, 1]) {
        const before = shown[k][2 * i + axis];
        const delta = at[2 * axis] - before;
        shown[k][2 * i + axis] = Math.abs(delta) < 5 ? before + share * delta : at[2 * axis];
      }
    }
    drawDiscs(view, shown[k], 0, 2, RADIUS, TEAMS[k].color);
  }
  showState(isOpen);
});

function showState(isOpen: boolean): void {
  const { player, counts, game } = client;
  const { name, color } = TEAMS[teamOf(Math.max(0, player))];
  find('#name').textContent = player < 0 ? 'Joining …' : `You command ${name}`;
  find<HTMLElement>('#team').style.background = player < 0 ? '#99a3a9' : color;
  find('#door').textContent = isOpen ? 'Close the door' : 'Open the door';
  const { rollbacks, repeated, agreed, differed } = counts;
  const hashes = differed === 0 ? `${agreed} hashes equal` : `${differed} hashes differ`;
  showStatus(
    `Tick ${game.crowd.tick}, ${rollbacks} rollbacks of ${(repeated / Math.max(1, rollbacks)).toFixed(0)} ticks, ${hashes}.${hint} Click to send your team.`,
  );
}
