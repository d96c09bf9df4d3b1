/**
 * The crowd tab of the side panel: agents by status, which also explains the signs; measurements; the values
 * of the selected agent.
 */
import { AGENT_STATUSES } from 'navkiln/crowd';
import { h, icon, row } from '../dom/dom.ts';
import { formatCount, formatMs, formatPoint } from '../state/format.ts';
import { LOOKS, inkOn } from './looks.ts';
import type { CrowdStatus } from './status.ts';

export function createNumbers(): { element: HTMLElement; refresh: (status: CrowdStatus | undefined) => void } {
  const counts = LOOKS.map(() => h('span', { class: 'note' }));
  const lines = LOOKS.map(({ id, title, color, sign }, i) =>
    h('div', { class: 'crowd-look', 'data-look': id }, swatch(color, sign), h('span', {}, title), counts[i]),
  );
  const rows = h('div', {});
  const selected = h('div', {});
  const element = h(
    'div',
    { class: 'report' },
    h('h3', {}, 'Status'),
    h('div', { class: 'crowd-looks' }, ...lines),
    h('h3', {}, 'Measurements'),
    rows,
    selected,
  );
  return {
    element,
    refresh(status) {
      if (status === undefined) return;
      const { numbers, msPerTick, searches, seconds, crowd } = status;
      numbers.counts.forEach((count, i) => {
        counts[i].textContent = formatCount(count);
        lines[i].classList.toggle('is-none', count === 0);
      });
      rows.replaceChildren(
        row('Time', `${seconds.toFixed(2)} s, tick ${status.tick}`),
        row('Agents', formatCount(numbers.agents)),
        row('Stuck', numbers.stuck === 0 ? 'none' : formatCount(numbers.stuck)),
        row('Deepest overlap', numbers.overlap === 0 ? 'none' : `${numbers.overlap.toFixed(3)} radii`),
        row('Path searches', formatCount(searches)),
        row('State hash', status.state ?? 'shown while paused'),
        row('Time per tick', crowd.tick === 0 ? '–' : msPerTick < 0.1 ? '< 0.1 ms' : formatMs(msPerTick)),
      );
      selected.replaceChildren(...(status.selected === undefined ? [] : describe(crowd, status.selected)));
    },
  };
}

type Selected = NonNullable<CrowdStatus['selected']>;

function describe({ agents, corridors }: CrowdStatus['crowd'], { slot, id, explanation }: Selected): HTMLElement[] {
  const at = (from: Float64Array): ArrayLike<number> => from.subarray(3 * slot, 3 * slot + 3);
  const { speed, secondsWithoutProgress, touching, reason } = explanation;
  return [
    h('h3', {}, `Agent ${slot}`),
    row('Id', String(id)),
    row('Status', `${AGENT_STATUSES[agents.status[slot]]} (${reason})`),
    row('Position', formatPoint(at(agents.position))),
    row('Goal', agents.goalKind[slot] === 0 ? 'none' : formatPoint(at(agents.goal))),
    row('Speed', `${speed.toFixed(2)} of ${agents.maxSpeed[slot].toFixed(2)} m/s`),
    row('Radius', `${agents.radius[slot].toFixed(2)} m`),
    row(
      'Corridor',
      `${corridors[slot]?.corridor.count ?? 0} polygons, ${(corridors[slot]?.left[0] ?? 0).toFixed(1)} m left`,
    ),
    row('Neighbors, walls', `${agents.neighborCount[slot]}, ${agents.wallCount[slot]}`),
    row('Touching', String(touching.length)),
    row('No progress for', `${secondsWithoutProgress.toFixed(1)} s`),
  ];
}

/** Shows a look as the status draws it: the color of the body and the sign. */
function swatch(color: string, sign: string): HTMLElement {
  const box = h('span', { class: 'crowd-swatch', style: `background:${color}` });
  if (sign !== '') {
    const drawing = icon(sign);
    drawing.setAttribute('viewBox', '0 0 16 16');
    drawing.setAttribute('style', `background:${color};color:${inkOn(color)}`);
    box.append(drawing);
  }
  return box;
}
