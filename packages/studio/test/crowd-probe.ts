/** What `window.studio.tool()` gives while the crowd tool is active. */
import type { AgentId, Crowd } from 'navkiln/crowd';

export interface CrowdProbe {
  crowd: Crowd;
  ids: AgentId[];
  tick: number;
  first: number;
  last: number;
  msPerTick: number;
  isPlaying: boolean;
  isPicture: boolean;
  hash: () => number;
  /** What the camera looks at. */
  target: () => number[];
  redraw: () => void;
  bodies: {
    object: { visible: boolean };
    count: number;
    slots: Int32Array;
    mesh: { count: number; instanceMatrix: { array: Float32Array } };
  };
  overlays: Record<string, number>;
  clear: () => void;
  play: (isPlaying: boolean) => void;
  step: (ticks: number) => void;
  seek: (tick: number, isFinal: boolean) => void;
  select: (id: AgentId | undefined) => void;
}
