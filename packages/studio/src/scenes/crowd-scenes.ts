/**
 * The names of the crowd scenes. This table lets the page list them without loading the code that creates
 * them. A test compares it with the scenes.
 */
import type { Source } from '../state/state.ts';

export interface CrowdSceneEntry {
  name: string;
  title: string;
  /** Default number of agents. */
  agents: number;
}

export const CROWD_SCENES: readonly CrowdSceneEntry[] = [
  { name: 'circle', title: 'Circle: everyone to the place opposite', agents: 250 },
  { name: 'blocks', title: 'Blocks: four groups through two streets', agents: 100 },
  { name: 'crossroads', title: 'Crossroads: four streams', agents: 400 },
  { name: 'bottleneck', title: 'Bottleneck: a hall empties through one door', agents: 150 },
  { name: 'counterflow', title: 'Counterflow: a corridor two people wide, both ways', agents: 40 },
  { name: 'same-goal', title: 'One place for all', agents: 200 },
  { name: 'storeys', title: 'Storeys: people go round on two floors', agents: 80 },
  { name: 'chase', title: 'Chase: all after one, up and down', agents: 101 },
  { name: 'tile-swap', title: 'Tile swap: the ground is baked again under people', agents: 80 },
  { name: 'link-jam', title: 'Link jam: many, and a ladder for one at a time', agents: 40 },
  { name: 'town', title: 'Town: errands near and far', agents: 1000 },
];

export const MAX_AGENTS = 20_000;

export function findCrowdEntry(source: Source | undefined): CrowdSceneEntry | undefined {
  return source?.kind === 'scene' ? CROWD_SCENES.find(({ name }) => name === source.name) : undefined;
}

/** Returns the number of agents of a source, whose scale is a factor on the default number. */
export function agentsOf(entry: CrowdSceneEntry, scale: number | undefined): number {
  return Math.max(2, Math.min(MAX_AGENTS, Math.round(entry.agents * (scale ?? 1))));
}

/** Returns the link that opens a crowd scene with a number of agents. */
export function crowdSceneHash(entry: CrowdSceneEntry, agents: number = entry.agents, seed?: number): string {
  const scale = agents === entry.agents ? '' : `&scale=${agents / entry.agents}`;
  return `#scene=${entry.name}${seed === undefined ? '' : `&seed=${seed}`}${scale}&tool=crowd`;
}
