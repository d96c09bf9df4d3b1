/** The options of the crowd that the user chooses. Links keep some of them. */
import type { AgentOptions } from 'navkiln/crowd';
import type { ObstacleShape } from './live/types.ts';
import { OVERLAYS } from './drawing/overlays.ts';
import type { OverlayId } from './drawing/overlays.ts';

export const MIN_SPEED = 0.1;
export const MAX_SPEED = 8;

/** The action of a click on the surface: send agents there, add agents, or add an obstacle. */
export type ClickMode = 'send' | 'add' | 'obstacle';

export interface CrowdOptions {
  isPlaying: boolean;
  /** Seconds of simulation per second. */
  speed: number;
  mode: ClickMode;
  /** Number of agents that a click adds. */
  group: number;
  overlays: ReadonlySet<OverlayId>;
  /** Draws overlays of all agents instead of the selected one. */
  isForAll: boolean;
  hasSigns: boolean;
  /** Parameters of new agents. */
  parameters: AgentOptions;
  /** The agents that the parameters of the card apply to. */
  appliesTo: 'new' | 'one' | 'all';
  /** The next obstacle. */
  obstacle: ObstacleShape;
}

/** Returns the defaults with the options that a link has saved. */
export function readOptions(saved: Readonly<Record<string, unknown>>): CrowdOptions {
  const { play = true, speed = 1, show, signs = true } = saved;
  const names = Array.isArray(show) ? show : ['corridor', 'corners', 'avoidance'];
  return {
    isPlaying: play !== false,
    mode: 'send',
    group: 10,
    isForAll: false,
    hasSigns: signs !== false,
    parameters: {},
    appliesTo: 'new',
    obstacle: { shape: 'box', width: 1.5, height: 1.5 },
    speed: typeof speed === 'number' && speed >= MIN_SPEED && speed <= MAX_SPEED ? speed : 1,
    overlays: new Set(OVERLAYS.map(({ id }) => id).filter((id) => names.includes(id))),
  };
}

/** Returns the options that a link keeps. */
export function savedOptions({ isPlaying, speed, overlays, hasSigns }: CrowdOptions): Record<string, unknown> {
  return { ...(isPlaying ? {} : { play: false }), speed, show: [...overlays], ...(hasSigns ? {} : { signs: false }) };
}
