/** Numbers in the arrays of a crowd, for callers that read these. The steps of a tick use the constants themselves. */
import { MAX_NEIGHBORS, MAX_WALLS, STATE_AIR, STATE_FREE, STATE_GROUND, STATE_LINK, STATE_LOST } from './types.ts';

/**
 * Values of `AgentArrays.state`: `free`, an unused slot; `ground`, on a polygon; `link`, between the ends of a link; `lost`, without a
 * polygon; `air`, falling or jumping.
 */
export const AGENT_STATES: Readonly<Record<'free' | 'ground' | 'link' | 'lost' | 'air', number>> = {
  free: STATE_FREE,
  ground: STATE_GROUND,
  link: STATE_LINK,
  lost: STATE_LOST,
  air: STATE_AIR,
};

/** Number of rows that an agent has in `AgentArrays.neighbors` and in `AgentArrays.walls`. */
export const AGENT_ROWS: Readonly<Record<'neighbors' | 'walls', number>> = {
  neighbors: MAX_NEIGHBORS,
  walls: MAX_WALLS,
};
