/**
 * A game server in Node: each room has a level of its own, baked in worker threads while other rooms keep running. Rooms tick at 30 Hz, and
 * clients use HTTP.
 *
 *   POST /rooms                      a new room; answers { id }
 *   POST /rooms/1/agents             [x, y, z] -> { agent }
 *   POST /rooms/1/agents/1/goal      [x, y, z] -> { result }
 *   GET  /rooms/1                    { tick, agents: [[id, x, y, z], …] }
 *   GET  /rooms/1/path?from=x,y,z&to=x,y,z
 *   GET  /rooms/1/mesh               the mesh as bytes, for loadNavMesh in the client
 *
 * Run: npm run example -- node-server, or PORT=8080 node examples/node-server/main.mjs
 */
import { createServer } from 'node:http';
import { findPath, saveNavMesh } from 'navkiln';
import { bakeNavMesh } from 'navkiln/build';
import { addAgent, createCrowd, getAgent, listAgents, moveAgentTo, stepCrowd } from 'navkiln/crowd';
import { createBakePool } from 'navkiln/worker';

const TICK = 1 / 30;
/** One pool for all rooms: its workers wait between bakes. */
const pool = createBakePool({ workers: 2 });
const rooms = new Map();
let lastId = 0;

/** Returns a level: ground with rows of pillars that depend on the room. */
function createLevel(seed) {
  const positions = [0, 0, 0, 0, 0, 60, 60, 0, 60, 60, 0, 0];
  const indices = [0, 1, 2, 0, 2, 3];
  for (let i = 0; i < 40; i++) {
    const [x, z, v] = [4 + ((i * 17 + seed * 7) % 52), 4 + ((i * 29 + seed * 3) % 52), positions.length / 3];
    const corners = [
      [x, z],
      [x, z + 1],
      [x + 1, z + 1],
      [x + 1, z],
    ];
    for (const [cx, cz] of corners) positions.push(cx, -1, cz, cx, 3, cz);
    for (let k = 0; k < 4; k++) {
      const [a, b] = [v + 2 * k, v + 2 * ((k + 1) % 4)];
      indices.push(a, b, b + 1, a, b + 1, a + 1);
    }
  }
  // Typed arrays are shared with the workers instead of copied.
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

async function createRoom() {
  const id = ++lastId;
  const { navMesh } = await bakeNavMesh(createLevel(id), { tileSize: 12, agent: { radius: 0.4 }, pool });
  rooms.set(id, { navMesh, crowd: createCrowd(navMesh, { maxAgents: 64, stepSeconds: TICK }), tick: 0 });
  return { id };
}

const timer = setInterval(() => {
  for (const room of rooms.values()) {
    stepCrowd(room.crowd);
    room.tick++;
  }
}, 1000 * TICK);

/** What a request asks for: an object to send as JSON, bytes, or undefined. */
async function answer(method, { pathname, searchParams }, body) {
  const [, first, id, part, agent, order] = pathname.split('/');
  if (first !== 'rooms') return undefined;
  if (method === 'POST' && id === undefined) return createRoom();
  const room = rooms.get(Number(id));
  if (room === undefined) return undefined;
  const { navMesh, crowd } = room;
  const point = (text) => text?.split(',').map(Number);
  if (method === 'GET' && part === undefined)
    return { tick: room.tick, agents: listAgents(crowd).map((each) => [each, ...getAgent(crowd, each).position]) };
  if (method === 'GET' && part === 'path') {
    const { status, points } = findPath(navMesh, point(searchParams.get('from')), point(searchParams.get('to')));
    return { status, points };
  }
  if (method === 'GET' && part === 'mesh') return saveNavMesh(navMesh);
  if (method === 'POST' && part === 'agents' && agent === undefined)
    return { agent: addAgent(crowd, JSON.parse(body)) };
  if (method === 'POST' && order === 'goal') return { result: moveAgentTo(crowd, Number(agent), JSON.parse(body)) };
  return undefined;
}

export const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  try {
    const found = await answer(request.method, new URL(request.url, 'http://localhost'), body);
    const isBytes = found instanceof Uint8Array;
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': isBytes ? 'application/octet-stream' : 'application/json',
    });
    response.end(isBytes ? found : JSON.stringify(found ?? { error: 'not found' }));
  } catch (error) {
    // Wrong input, such as a point that is no point: the message says what must be.
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: error.message }));
  }
});
server.on('close', () => clearInterval(timer));
server.listen(Number(process.env.PORT ?? 0), () => console.log(`http://localhost:${server.address().port}`));
