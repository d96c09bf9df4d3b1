/**
 * Doors and keys: one mesh, and a filter for each key. Agents with the red key take the short path through the red door,
 * others walk around. A click on a door locks it for all.
 */
import { createFilter, findPolysInShape, isEnabled, setEnabled, setFlags } from 'navkiln';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, listEvents, moveAgentTo } from 'navkiln/crowd';
import { buildFromPolygons, mapToMesh } from 'navkiln/polygon';
import { createView, drawDisc, drawMesh, everyFrame, rectangle, showStatus } from '../shared/view.ts';
import type { Point } from '../shared/view.ts';

const view = createView(40, 24);
const doors = [
  { name: 'Red door', color: '#d55e00', flag: 2, at: rectangle(19, 4, 2, 4) },
  { name: 'Blue door', color: '#0072b2', flag: 4, at: rectangle(19, 12, 2, 3) },
];
const { navMesh } = buildFromPolygons(
  {
    polygons: [{ outline: rectangle(0, 0, 40, 24) }],
    // A wall with two doors, and a gap at the bottom.
    obstacles: [rectangle(19, 0, 2, 4), rectangle(19, 8, 2, 4), rectangle(19, 15, 2, 6)],
    areas: doors.map(({ name, at }) => ({ name, outline: at })),
    yAxis: 'down',
  },
  { radius: 0.5 },
);

// The polygons of a door have a flag of their own. All others have flag 1.
for (const { at, flag } of doors) {
  const inside = at.map(([x, y]): Point => [x + (x < 20 ? 0.1 : -0.1), y + (y === at[0][1] ? 0.6 : -0.6)]);
  for (const ref of findPolysInShape(
    navMesh,
    inside.map((point) => mapToMesh(navMesh, point)),
  ).polys)
    setFlags(navMesh, ref, flag);
}
const keys = [
  { name: 'no key', color: '#667788', filter: createFilter({ includeFlags: 1 }) },
  { name: 'red key', color: '#d55e00', filter: createFilter({ includeFlags: 1 | 2 }) },
  { name: 'blue key', color: '#0072b2', filter: createFilter({ includeFlags: 1 | 4 }) },
];
const crowd = createCrowd(navMesh, { maxAgents: 30, filters: keys.map(({ filter }) => filter) });
const agents = Array.from({ length: 30 }, (_, i) => {
  const ends: Point[] = [
    [2 + (i % 5) * 1.6, 3 + (i / 5) * 3],
    [38 - (i % 5) * 1.6, 3 + (i / 5) * 3],
  ];
  const id = addAgent(crowd, mapToMesh(navMesh, ends[0]), { radius: 0.45, maxSpeed: 3, filter: i % 3 });
  return { id, ends, next: 1 };
});
const send = (agent: (typeof agents)[number]): void => {
  moveAgentTo(crowd, agent.id, mapToMesh(navMesh, agent.ends[agent.next]));
  agent.next = 1 - agent.next;
};
agents.forEach(send);

document.querySelector('canvas')!.addEventListener('pointerdown', (event) => {
  const [x, y] = view.pointOf(event);
  for (const { name, at } of doors)
    if (x > 18 && x < 22 && y > at[0][1] && y < at[2][1]) setEnabled(navMesh, name, !isEnabled(navMesh, name));
});

const drawn = new Float64Array(5);
everyFrame((seconds) => {
  const alpha = advanceCrowd(crowd, Math.min(seconds, 0.1));
  for (const { kind, agent } of listEvents(crowd))
    if (kind === 'arrived' || kind === 'settled') send(agents.find(({ id }) => id === agent)!);
  view.begin();
  view.context.fillStyle = '#5b4b3f';
  view.context.fillRect(19, 0, 2, 21);
  drawMesh(view, navMesh);
  for (const { name, color, at } of doors) {
    view.context.fillStyle = isEnabled(navMesh, name) ? `${color}55` : color;
    view.context.fillRect(at[0][0], at[0][1], at[1][0] - at[0][0], at[2][1] - at[0][1]);
  }
  for (const [i, { id }] of agents.entries()) {
    interpolateAgentInto(drawn, crowd, id, alpha);
    drawDisc(view, drawn[0], drawn[2], 0.45, keys[i % 3].color, [drawn[3], drawn[4]]);
  }
  const states = doors.map(({ name }) => `${name}: ${isEnabled(navMesh, name) ? 'open to its keys' : 'locked'}`);
  showStatus(`${states.join('; ')}. Click a door to lock or open it.`);
});
