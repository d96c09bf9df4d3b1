/**
 * A drawing of the agent beside its settings: radius, height, the step that it climbs and the slope that it walks, to
 * scale. The setting that has the focus is marked.
 */
import { h } from '../dom/dom.ts';

export interface AgentSizes {
  radius: number;
  height: number;
  maxClimb: number;
  maxSlopeDegrees: number;
}

export interface AgentDiagram {
  element: HTMLElement;
  show: (agent: AgentSizes) => void;
  /** Marks the part of a setting such as 'agent.radius', or none. */
  mark: (setting: string) => void;
}

const WIDTH = 280;
const HEIGHT = 104;
const GROUND = 82;
/** The largest size of the body, pixels. */
const MAX_BODY = { width: 66, height: 70 };

export function createAgentDiagram(): AgentDiagram {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  const element = h('div', { class: 'agent-diagram', 'aria-hidden': 'true' });
  element.append(svg);
  let marked = '';
  const markParts = (): void => {
    for (const part of svg.querySelectorAll('[data-part]'))
      part.classList.toggle('is-marked', part.getAttribute('data-part') === marked);
  };
  return {
    element,
    show({ radius, height, maxClimb, maxSlopeDegrees }) {
      const scale = Math.min(MAX_BODY.height / height, MAX_BODY.width / (2 * radius || 1e-9));
      const [r, tall] = [radius * scale, height * scale];
      const climb = Math.min(maxClimb * scale, MAX_BODY.height);
      const bend = Math.min(r, tall / 2);
      const x = 82;
      const top = GROUND - tall;
      const [stepX, slopeX] = [142, 192];
      const angle = (Math.min(90, maxSlopeDegrees) * Math.PI) / 180;
      const slope = Math.min(64, 66 / Math.max(Math.sin(angle), 1e-9));
      const [endX, endY] = [slopeX + slope * Math.cos(angle), GROUND - slope * Math.sin(angle)];
      const arc = 26;
      const number = (value: number): string => String(Number(value.toPrecision(3)));
      svg.replaceChildren(
        draw('line', 'ground', { x1: 8, y1: GROUND, x2: WIDTH - 8, y2: GROUND }),
        draw('rect', 'body', { x: x - r, y: top, width: 2 * r, height: tall, rx: bend }),
        part('agent.height', [
          ...dimension(x - r - 12, GROUND, x - r - 12, top),
          text(number(height), x - r - 17, (GROUND + top) / 2 + 4, 'end'),
        ]),
        part('agent.radius', [
          ...dimension(x, GROUND + 7, x + r, GROUND + 7),
          text(number(radius), x + r / 2, GROUND + 20, 'middle'),
        ]),
        part('agent.maxClimb', [
          draw('rect', 'block', { x: stepX, y: GROUND - climb, width: 22, height: climb }),
          ...dimension(stepX - 7, GROUND, stepX - 7, GROUND - climb),
          text(number(maxClimb), stepX + 11, GROUND + 20, 'middle'),
        ]),
        part('agent.maxSlopeDegrees', [
          draw('path', 'block', { d: `M${slopeX} ${GROUND}L${endX} ${endY}V${GROUND}Z` }),
          draw('path', 'size', {
            d: `M${slopeX + arc} ${GROUND}A${arc} ${arc} 0 0 0 ${slopeX + arc * Math.cos(angle)} ${GROUND - arc * Math.sin(angle)}`,
          }),
          text(`${number(maxSlopeDegrees)}°`, slopeX + 30, GROUND + 20, 'middle'),
        ]),
      );
      markParts();
    },
    mark(setting) {
      marked = setting;
      markParts();
    },
  };
}

function draw(tag: string, look: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const shape = document.createElementNS('http://www.w3.org/2000/svg', tag);
  shape.setAttribute('class', look);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value));
  return shape;
}

function part(setting: string, shapes: readonly SVGElement[]): SVGElement {
  const group = draw('g', 'part', { 'data-part': setting });
  group.append(...shapes);
  return group;
}

function text(content: string, x: number, y: number, anchor: string): SVGElement {
  const label = draw('text', 'label', { x, y, 'text-anchor': anchor });
  label.textContent = content;
  return label;
}

/** Returns a line with a short bar at each end. */
function dimension(x1: number, y1: number, x2: number, y2: number): SVGElement[] {
  const isUpright = x1 === x2;
  const bar = (x: number, y: number): string => (isUpright ? `M${x - 3} ${y}h6` : `M${x} ${y - 3}v6`);
  return [draw('path', 'size', { d: `M${x1} ${y1}L${x2} ${y2}${bar(x1, y1)}${bar(x2, y2)}` })];
}
