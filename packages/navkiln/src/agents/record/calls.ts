/**
 * The functions whose calls a recording stores under their names: all that change a crowd or its mesh between ticks.
 *
 * Based on: own.
 */
import { setEnabled } from '../../mesh/change/enable.ts';
import { addLink, removeLink, setLinkEnabled } from '../../mesh/change/links.ts';
import { addTile, removeTile } from '../../mesh/change/tiles.ts';
import { restoreTileState, setArea, setFlags } from '../../query/area.ts';
import { setLinkTraffic } from '../crowd/links/link-traffic.ts';
import { addAgent, removeAgent, setAgentOptions, teleportAgent } from '../crowd/orders/agents.ts';
import { setCrowdFilter } from '../crowd/orders/filter.ts';
import { moveGroupTo } from '../crowd/orders/group.ts';
import { followAgent, moveAgentTo, setAgentPosition, setAgentVelocity, stopAgent } from '../crowd/orders/orders.ts';
import { moveAgentAlong, patrolAgent, queueAgentMove } from '../crowd/orders/patrol.ts';
import { completeLink, pauseAgent, resumeAgent } from '../crowd/orders/pause.ts';
import { restoreCrowd } from '../crowd/save/save.ts';
import { advanceCrowd, stepCrowd } from '../crowd/step.ts';

/** The calls that every recorder has. `Recorder.calls` has each with the parameters and the result that it has here. */
export interface CrowdCalls {
  addAgent: typeof addAgent;
  removeAgent: typeof removeAgent;
  setAgentOptions: typeof setAgentOptions;
  teleportAgent: typeof teleportAgent;
  moveAgentTo: typeof moveAgentTo;
  followAgent: typeof followAgent;
  setAgentVelocity: typeof setAgentVelocity;
  setAgentPosition: typeof setAgentPosition;
  stopAgent: typeof stopAgent;
  patrolAgent: typeof patrolAgent;
  moveAgentAlong: typeof moveAgentAlong;
  queueAgentMove: typeof queueAgentMove;
  moveGroupTo: typeof moveGroupTo;
  setCrowdFilter: typeof setCrowdFilter;
  pauseAgent: typeof pauseAgent;
  resumeAgent: typeof resumeAgent;
  completeLink: typeof completeLink;
  setLinkTraffic: typeof setLinkTraffic;
  restoreCrowd: typeof restoreCrowd;
  addLink: typeof addLink;
  removeLink: typeof removeLink;
  setLinkEnabled: typeof setLinkEnabled;
  setEnabled: typeof setEnabled;
  setArea: typeof setArea;
  setFlags: typeof setFlags;
  addTile: typeof addTile;
  removeTile: typeof removeTile;
  restoreTileState: typeof restoreTileState;
  stepCrowd: typeof stepCrowd;
  advanceCrowd: typeof advanceCrowd;
}

/** A function whose calls are recorded. */
export type RecordedCall = (...args: never[]) => unknown;

/** Calls that advance the crowd; a recording stores their ticks in place of them. */
export const TICK_CALLS: readonly string[] = ['stepCrowd', 'advanceCrowd'];

/** Returns the functions of `CrowdCalls`. */
export function crowdCalls(): CrowdCalls {
  return {
    addAgent,
    removeAgent,
    setAgentOptions,
    teleportAgent,
    moveAgentTo,
    followAgent,
    setAgentVelocity,
    setAgentPosition,
    stopAgent,
    patrolAgent,
    moveAgentAlong,
    queueAgentMove,
    moveGroupTo,
    setCrowdFilter,
    pauseAgent,
    resumeAgent,
    completeLink,
    setLinkTraffic,
    restoreCrowd,
    addLink,
    removeLink,
    setLinkEnabled,
    setEnabled,
    setArea,
    setFlags,
    addTile,
    removeTile,
    restoreTileState,
    stepCrowd,
    advanceCrowd,
  };
}
