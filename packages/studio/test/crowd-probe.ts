/** The data of `window.studio.tool()` while the crowd tool is active. */
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
  /** Returns the target of the camera. */
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
