/**
 * Draws the paths of a crowd as SVG, seen from above: the walkable surface, and per agent a line in the color of its
 * group. A dot marks its start, a cross its goal, and a circle of its size its end (filled at rest, red after giving
 * up). Floors above each other overlap.
 *
 * In: a mesh, agents, positions recorded by `noteCrowdTrail` every few ticks. Out: an SVG document, 1200
 * wide.
 * Cost: linear in polygons and positions.
 * Based on: own.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkOptions } from '../check-options.ts';
import {
  checkArray,
  checkFinite,
  checkKeys,
  checkMutable,
  checkObject,
  checkRecord,
  refuse,
} from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { BODY_ARRIVED, BODY_GAVE_UP, BODY_GONE, BODY_ON_LINK, BODY_QUEUEING, BODY_SETTLED } from './metrics.ts';
import type { CrowdFrame } from './metrics.ts';
import { escapeXml } from '../format.ts';
import { GROUND_EDGE, GROUND_FILL, INK, PAPER, areaFill } from '../palette.ts';

/** Recorded positions of a run. */
export interface CrowdTrail {
  /** xyz of all agents, one array per record. */
  positions: Float64Array[];
  /** The last record. */
  last: CrowdFrame | undefined;
}

/** Input of `crowdSvg`. */
export interface CrowdSvgInput {
  navMesh: NavMesh;
  trail: CrowdTrail;
  agents: readonly { radius: number; group: number }[];
  /** Default 'navkiln'. */
  title?: string;
  /** Index of the first record to draw lines from. Default 0. */
  from?: number;
}

const WIDTH = 1200;
const MARGIN = 24;
const HEADER = 44;
const STATE_FILL = new Map([
  [BODY_ARRIVED, '#2f6f4f'],
  [BODY_SETTLED, '#7fb08f'],
  [BODY_GAVE_UP, '#d02020'],
  [BODY_QUEUEING, '#f0e442'],
  [BODY_ON_LINK, '#cc79a7'],
]);

const KEYS: readonly (keyof CrowdSvgInput)[] = ['navMesh', 'trail', 'agents', 'title', 'from'];

/** Creates an empty trail. */
export function createCrowdTrail(): CrowdTrail {
  return { positions: [], last: undefined };
}

/** Records the positions of all agents. */
export function noteCrowdTrail(trail: CrowdTrail, frame: CrowdFrame): void {
  checkObject('noteCrowdTrail', 'trail', trail);
  checkMutable('noteCrowdTrail', 'trail', trail);
  checkArray('noteCrowdTrail', 'trail.positions', trail.positions);
  checkRecord('noteCrowdTrail', 'frame', frame, 'state', 'a CrowdFrame');
  trail.positions.push(frame.position.slice());
  trail.last = { position: frame.position.slice(), state: frame.state.slice(), goal: frame.goal.slice() };
}

/**
 * Draws the paths of a crowd as an SVG document.
 *
 * @throws RangeError, TypeError for unknown fields of `input`
 */
export function crowdSvg(input: CrowdSvgInput): string {
  checkObject('crowdSvg', 'input', input);
  checkKeys('crowdSvg', input, KEYS, 'input');
  checkOptions('crowdSvg', input, 'input');
  const { navMesh, trail, agents, title = 'navkiln', from = 0 } = input;
  checkNavMesh('crowdSvg', navMesh, 'input.navMesh');
  checkObject('crowdSvg', 'input.trail', trail);
  checkArray('crowdSvg', 'input.trail.positions', trail.positions);
  checkArray('crowdSvg', 'input.agents', agents);
  agents.forEach((agent, i) => {
    checkObject('crowdSvg', `input.agents[${i}]`, agent);
    checkFinite('crowdSvg', `input.agents[${i}].radius`, agent.radius);
    checkFinite('crowdSvg', `input.agents[${i}].group`, agent.group);
  });
  if (!(from >= 0 && from % 1 === 0)) refuse('crowdSvg', 'input.from', from, 'a whole number >= 0');
  const view = fitView(navMesh);
  const { px, pz, scale, height } = view;
  const ground = surfacePath(navMesh, view);
  let lines = '';
  let bodies = '';
  const { last, positions } = trail;
  agents.forEach(({ radius, group }, i) => {
    const state = last?.state[i] ?? BODY_GONE;
    if (last === undefined || state === BODY_GONE || positions.length === 0) return;
    const color = areaFill(1 + group);
    const begin = Math.min(from, positions.length - 1);
    let d = '';
    for (let k = begin; k < positions.length; k++) {
      d += `${k === begin ? 'M' : 'L'}${px(positions[k][3 * i])} ${pz(positions[k][3 * i + 2])}`;
    }
    const x0 = px(positions[begin][3 * i]);
    const z0 = pz(positions[begin][3 * i + 2]);
    lines += `<path d="${d}" stroke="${color}"/><circle cx="${x0}" cy="${z0}" r="2" fill="${color}" stroke="none"/>`;
    const x = px(last.position[3 * i]);
    const z = pz(last.position[3 * i + 2]);
    const fill = STATE_FILL.get(state) ?? 'none';
    bodies += `<circle cx="${x}" cy="${z}" r="${(radius * scale).toFixed(1)}" fill="${fill}" stroke="${color}"/>`;
    const gx = px(last.goal[3 * i]);
    const gz = pz(last.goal[3 * i + 2]);
    bodies += `<path d="M${gx} ${gz}m-3 -3l6 6m0 -6l-6 6" stroke="${INK}" stroke-width=".7"/>`;
    if (state === BODY_ARRIVED || state === BODY_SETTLED) return;
    bodies += `<text x="${x}" y="${z}" font-size="9" fill="${INK}" stroke="none">${i}</text>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">` +
    `<rect width="100%" height="100%" fill="${PAPER}"/>` +
    `<text x="${MARGIN}" y="32" font-family="sans-serif" font-size="18" fill="${INK}">${escapeXml(title)}</text>` +
    `<path d="${ground}" fill="${GROUND_FILL}" fill-opacity=".14" stroke="${GROUND_EDGE}" stroke-opacity=".25"/>` +
    `<g fill="none" stroke-width="1" stroke-opacity=".55">${lines}</g><g stroke-width="1.4">${bodies}</g></svg>\n`
  );
}

/** Converts world positions to pixels. */
interface View {
  px: (x: number) => string;
  pz: (z: number) => string;
  scale: number;
  height: number;
}

/** Fits the mesh to the page's width. */
function fitView({ tileSlotCount, tileState, tileBounds }: NavMesh): View {
  let minX = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxZ = -Infinity;
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (tileState[slot] !== 1) continue;
    minX = Math.min(minX, tileBounds[6 * slot]);
    minZ = Math.min(minZ, tileBounds[6 * slot + 2]);
    maxX = Math.max(maxX, tileBounds[6 * slot + 3]);
    maxZ = Math.max(maxZ, tileBounds[6 * slot + 5]);
  }
  if (!(maxX > minX)) minX = minZ = maxX = maxZ = 0;
  const scale = (WIDTH - 2 * MARGIN) / Math.max(maxX - minX, 1e-3);
  return {
    px: (x) => (MARGIN + (x - minX) * scale).toFixed(1),
    pz: (z) => (MARGIN + HEADER + (z - minZ) * scale).toFixed(1),
    scale,
    height: Math.ceil((maxZ - minZ) * scale) + 2 * MARGIN + HEADER,
  };
}

/** Returns the outlines of all polygons as path data. */
function surfacePath(navMesh: NavMesh, { px, pz }: View): string {
  const { vertices, tileSlotCount, tileState } = navMesh;
  let d = '';
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (tileState[slot] !== 1) continue;
    const first = navMesh.tilePolyStart[slot];
    for (let poly = first; poly < first + navMesh.tilePolyCount[slot]; poly++) {
      const edge = navMesh.polyEdgeStart[poly];
      for (let e = edge; e < edge + navMesh.polyVertexCount[poly]; e++) {
        const at = 3 * navMesh.edgeVertex[e];
        d += `${e === edge ? 'M' : 'L'}${px(vertices[at])} ${pz(vertices[at + 2])}`;
      }
      d += 'z';
    }
  }
  return d;
}
