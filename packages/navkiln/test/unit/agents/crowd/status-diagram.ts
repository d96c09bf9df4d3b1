/** The table of changes of status as a picture and as rows of Markdown, for docs/crowd.md. */
import { AGENT_STATUSES } from '../../../../src/agents/crowd/orders/agents.ts';
import type { StatusChange } from '../../../../src/agents/crowd/state/status.ts';

type Box = readonly [x: number, y: number, width: number, height: number];

/** Groups of statuses: an arrow that starts at a group stands for one from each of its statuses. */
const GROUPS: Readonly<Record<string, { box: Box; members: readonly string[] }>> = {
  'any status': { box: [20, 330, 110, 30], members: AGENT_STATUSES },
  'under way': { box: [190, 56, 330, 256], members: ['searching', 'moving', 'queueing', 'yielding'] },
  done: { box: [590, 56, 150, 224], members: ['arrived', 'settled', 'gave-up'] },
};
const BOXES: Readonly<Record<string, Box>> = {
  idle: [20, 100, 110, 34],
  searching: [206, 100, 110, 34],
  moving: [390, 100, 110, 34],
  queueing: [206, 236, 110, 34],
  yielding: [390, 236, 110, 34],
  arrived: [605, 92, 120, 34],
  settled: [605, 160, 120, 34],
  'gave-up': [605, 228, 120, 34],
  blocked: [605, 326, 120, 34],
};

const nameOf = ({ change }: StatusChange): string => AGENT_STATUSES[change & 15];

/** Returns the statuses of a change as names, with groups for those that are in it as a whole. */
function sourcesOf({ from }: StatusChange): string[] {
  let rest = from.map((status) => AGENT_STATUSES[status] as string);
  const out: string[] = [];
  for (const [group, { members }] of Object.entries(GROUPS)) {
    if (!members.every((member) => rest.includes(member))) continue;
    out.push(group);
    rest = rest.filter((name) => !members.includes(name));
  }
  return [...out, ...rest];
}

/** Returns the rows of a table: number, cause, statuses before, status after. */
export function statusRows(changes: readonly StatusChange[]): string[] {
  return changes.map(
    (change, i) => `| ${i + 1} | ${change.cause} | ${sourcesOf(change).join(', ')} | \`${nameOf(change)}\` |`,
  );
}

/** Returns where the line from the middle of a box towards a point leaves the box. */
function exit([x, y, width, height]: Box, toX: number, toY: number): [number, number] {
  const mx = x + width / 2;
  const my = y + height / 2;
  const dx = toX - mx;
  const dy = toY - my;
  const t = Math.min(width / 2 / Math.max(Math.abs(dx), 1e-9), height / 2 / Math.max(Math.abs(dy), 1e-9));
  return [mx + t * dx, my + t * dy];
}

/** Returns an SVG picture: boxes for statuses, arrows with the numbers of their changes. */
export function statusPicture(changes: readonly StatusChange[]): string {
  const arrows = new Map<string, number[]>();
  changes.forEach((change, i) => {
    for (const source of sourcesOf(change)) {
      const key = `${source}>${nameOf(change)}`;
      arrows.set(key, [...(arrows.get(key) ?? []), i + 1]);
    }
  });
  const lines: string[] = [];
  const labels: string[] = [];
  const taken: [number, number][] = [];
  for (const [key, numbers] of arrows) {
    const [source, target] = key.split('>');
    if (source === target) continue;
    const from = GROUPS[source]?.box ?? BOXES[source];
    const to = BOXES[target];
    const isInside = GROUPS[source]?.members.includes(target) === true;
    // An arrow of a group to one of its own statuses starts above or below it.
    const start: [number, number] =
      isInside && source !== 'any status'
        ? [to[0] + to[2] - 16, to[1] - from[1] < from[3] / 2 ? from[1] : from[1] + from[3]]
        : exit(from, to[0] + to[2] / 2, to[1] + to[3] / 2);
    const end = exit(to, start[0], start[1]);
    const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
    // Two arrows between the same boxes lie beside each other.
    const shift = arrows.has(`${target}>${source}`) ? 12 : 0;
    const sx = (-(end[1] - start[1]) / length) * shift;
    const sy = ((end[0] - start[0]) / length) * shift;
    const [x1, y1, x2, y2] = [start[0] + sx, start[1] + sy, end[0] + sx, end[1] + sy].map((value) => value.toFixed(1));
    lines.push(`<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" marker-end="url(#end)"/>`);
    // The first of these places on the arrow that no other label covers.
    const places = [source === 'any status' ? 0.3 : 0.5, 0.35, 0.65, 0.2, 0.8].map((at): [number, number] => [
      start[0] + sx + at * (end[0] - start[0]),
      start[1] + sy + at * (end[1] - start[1]),
    ]);
    const isFree = ([px, py]: [number, number]): boolean =>
      taken.every(([ox, oy]) => Math.abs(px - ox) > 28 || Math.abs(py - oy) > 18);
    const [x, y] = places.find(isFree) ?? places[0];
    taken.push([x, y]);
    const text = numbers.join(' ');
    const width = 8 + 7 * text.length;
    labels.push(
      `<rect x="${(x - width / 2).toFixed(1)}" y="${(y - 9).toFixed(1)}" width="${width}" height="17" rx="8"/>`,
      `<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}">${text}</text>`,
    );
  }
  const box = (name: string, [x, y, width, height]: Box, kind: string, textY: number): string =>
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/><text class="name" x="${x + width / 2}" y="${textY}">${name}</text>`;
  return `${[
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 396" font-family="sans-serif" font-size="12">',
    '<style>.status{fill:#fff;stroke:#333}.group{fill:#f2f5f8;stroke:#b6c2cc}text{text-anchor:middle;fill:#222}.name{font-size:13px}line{stroke:#0072b2;stroke-width:1.3}.labels rect{fill:#fff;stroke:#0072b2}</style>',
    '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#0072b2"/></marker></defs>',
    '<rect width="760" height="396" fill="#fff"/>',
    ...Object.entries(GROUPS).map(([name, { box: of }]) => box(name, of, 'group', of[1] + 18)),
    ...Object.entries(BOXES).map(([name, of]) => box(name, of, 'status', of[1] + 22)),
    ...lines,
    `<g class="labels">${labels.join('')}</g>`,
    '</svg>',
  ].join('\n')}\n`;
}
