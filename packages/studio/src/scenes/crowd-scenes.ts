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
  { name: 'circle', title: 'Circle: all agents cross to the opposite side', agents: 250 },
  { name: 'blocks', title: 'Blocks: four groups cross between four blocks', agents: 100 },
  { name: 'crossroads', title: 'Crossroads: four streams of agents cross', agents: 400 },
  { name: 'bottleneck', title: 'Bottleneck: a hall empties through one door', agents: 150 },
  { name: 'counterflow', title: 'Counterflow: two groups meet in a corridor two agents wide', agents: 40 },
  { name: 'same-goal', title: 'Same goal: all agents go to one position', agents: 200 },
  { name: 'storeys', title: 'Storeys: agents circulate on two floors', agents: 80 },
  { name: 'chase', title: 'Chase: a hundred agents follow one agent up and down ramps', agents: 101 },
  { name: 'tile-swap', title: 'Tile swap: tiles are rebuilt below walking agents', agents: 80 },
  { name: 'link-jam', title: 'Link jam: forty agents and a ladder for one at a time', agents: 40 },
  { name: 'link-landing', title: 'Link landing: agents jump to where others stand', agents: 40 },
  { name: 'town', title: 'Town: a thousand agents on errands near and far', agents: 1000 },
];

/** The village of the first page, which only the studio has. */
export const VILLAGE: CrowdSceneEntry = { name: 'village', title: 'Village: people on errands', agents: 48 };

/** All crowd scenes of the studio, in the order of its menus. */
export const ALL_CROWDS: readonly CrowdSceneEntry[] = [VILLAGE, ...CROWD_SCENES];

export const MAX_AGENTS = 20_000;

export function findCrowdEntry(source: Source | undefined): CrowdSceneEntry | undefined {
  return source?.kind === 'scene' ? ALL_CROWDS.find(({ name }) => name === source.name) : undefined;
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
