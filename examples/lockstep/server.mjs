/**
 * The server of the game: rooms over WebSocket, all on one level. `npm run example -- lockstep` attaches it to the server of the page;
 * alone, it runs with Node 22.18 or newer: PORT=8080 node examples/lockstep/server.mjs
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { TICKS_PER_SECOND, createLevel } from './game.ts';
import { advanceRoom, createRoom, hearPlayer, joinRoom } from './room.ts';

const [MOST_ROOMS, MOST_PLAYERS, MOST_WAITING_BYTES] = [20, 8, 4e6];

/** Answers WebSockets of an HTTP server at the addresses /rooms/NAME. Returns the rooms by name. */
export function attach(httpServer) {
  const level = createLevel();
  /** By name: the room and the time of its tick 0. */
  const rooms = new Map();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1000 });
  const tickNow = ({ start }) => Math.floor(((performance.now() - start) * TICKS_PER_SECOND) / 1000);

  httpServer.on('upgrade', (request, socket, head) => {
    const name = /^\/rooms\/([\w-]{1,40})$/.exec(new URL(request.url, 'http://localhost').pathname)?.[1];
    // The page's own server may have sockets of its own.
    if (name === undefined) return;
    const isFull = rooms.has(name) ? rooms.get(name).room.players.size >= MOST_PLAYERS : rooms.size >= MOST_ROOMS;
    if (isFull) return void socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (webSocket) => enter(name, webSocket));
  });

  function enter(name, webSocket) {
    if (!rooms.has(name)) rooms.set(name, { room: createRoom(level), start: performance.now() });
    const { room } = rooms.get(name);
    const player = joinRoom(room, (data) => {
      // A client that does not read would fill the memory of the server.
      if (webSocket.bufferedAmount > MOST_WAITING_BYTES) webSocket.terminate();
      else webSocket.send(data);
    });
    webSocket.on('message', (data, isBinary) => hearPlayer(room, player, isBinary ? data : String(data)));
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('close', () => {
      room.players.delete(player);
      if (room.players.size === 0) rooms.delete(name);
    });
  }

  const timer = setInterval(() => {
    for (const each of rooms.values()) advanceRoom(each.room, tickNow(each));
  }, 1000 / TICKS_PER_SECOND);
  httpServer.on('close', () => {
    clearInterval(timer);
    for (const webSocket of sockets.clients) webSocket.terminate();
  });
  return rooms;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = createServer((_, response) => response.writeHead(404).end());
  attach(server);
  server.listen(Number(process.env.PORT ?? 0), () => console.log(`ws://localhost:${server.address().port}/rooms/yard`));
}
