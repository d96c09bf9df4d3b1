/**
 * The looks of agents by status: a color and a sign above the head, so that the status is visible without
 * color vision. Each sign has a shape of its own.
 */
import { AGENT_STATUSES } from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import { AGENT_STATES } from 'navkiln/kernel';

export interface AgentLook {
  id: string;
  title: string;
  /** The color of the body. */
  color: string;
  /** SVG path data, 16 x 16, drawn as a line; empty: no sign. */
  sign: string;
}

/** In the order of AGENT_STATUSES, then on a link, then off the mesh. */
export const LOOKS: readonly AgentLook[] = [
  { id: 'idle', title: 'idle', color: '#8b959b', sign: '' },
  { id: 'searching', title: 'searching', color: '#c9d2d6', sign: 'M4 8h.01M8 8h.01M12 8h.01' },
  { id: 'moving', title: 'moving', color: '#fff8e0', sign: '' },
  { id: 'queueing', title: 'queueing', color: '#f5b301', sign: 'M5.5 4v8M10.5 4v8' },
  { id: 'yielding', title: 'yielding', color: '#e392c4', sign: 'M12.5 8h-9M7 4.5 3.5 8 7 11.5' },
  { id: 'arrived', title: 'arrived', color: '#0c6b4a', sign: 'M3.5 8.5 6.5 12l6-8' },
  { id: 'settled', title: 'settled nearby', color: '#2fb58a', sign: 'M8 4.2a3.8 3.8 0 1 0 .01 0' },
  { id: 'blocked', title: 'no path', color: '#c43d16', sign: 'M8 3v6.4M8 12.8v.01' },
  { id: 'gave-up', title: 'gave up', color: '#1d1512', sign: 'M4 4l8 8M12 4l-8 8' },
  { id: 'link', title: 'on a link', color: '#9a5fc4', sign: 'M8 13V3M4 7l4-4 4 4' },
  { id: 'lost', title: 'off the mesh', color: '#7a2540', sign: 'M5.6 5.6a2.4 2.4 0 1 1 2.4 3v1.2M8 12.8v.01' },
];

/** Colors of clothes, by the number of the agent. */
export const CLOTHES = [
  '#e8543f',
  '#2f7ebd',
  '#f2b134',
  '#3f9c6b',
  '#8e5bb5',
  '#e9e4d8',
  '#d9738f',
  '#4f6d7a',
] as const;

export const LOOK_NONE = 255;
const LOOK_LINK = AGENT_STATUSES.length;
const LOOK_LOST = AGENT_STATUSES.length + 1;

const REST = new Set(
  ['arrived', 'settled', 'blocked', 'gave-up'].map((status) => AGENT_STATUSES.indexOf(status as never)),
);
const STILL_MOVING = AGENT_STATUSES.indexOf('moving');

/** Returns the index of an agent's look, or LOOK_NONE for a free slot. */
export function lookOf({ agents: { state, status } }: Crowd, slot: number): number {
  const current = state[slot];
  if (current === AGENT_STATES.free) return LOOK_NONE;
  return current === AGENT_STATES.link ? LOOK_LINK : current === AGENT_STATES.lost ? LOOK_LOST : status[slot];
}

/** Returns white or near black, whichever is more readable on a color. */
export function inkOn(color: string): '#ffffff' | '#14191c' {
  const value = Number.parseInt(color.slice(1), 16);
  const light = 0.3 * (value >> 16) + 0.59 * ((value >> 8) & 255) + 0.11 * (value & 255);
  return light < 120 ? '#ffffff' : '#14191c';
}

/** Checks whether an agent has arrived, settled, or ended otherwise. */
export function isRest(crowd: Crowd, slot: number): boolean {
  return REST.has(lookOf(crowd, slot));
}

/** Checks whether a look is that of a moving agent. */
export function isMoving(look: number): boolean {
  return look === STILL_MOVING;
}
