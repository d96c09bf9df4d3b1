/** Moves a scene's crowd with navkiln: what `crowd-run.ts` asks of it, in terms of the crowd's own functions. Based on: own. */
import { addAgent, removeAgent } from '../../crowd/orders/agents.ts';
import { createCrowd } from '../../crowd/create.ts';
import { agentSlotOf } from '../../crowd/state/ids.ts';
import { setLinkTraffic } from '../../crowd/link-traffic.ts';
import { followAgent, moveAgentTo, stopAgent } from '../../crowd/orders/orders.ts';
import { hashCrowd } from '../../crowd/save/save.ts';
import { isRestStatus } from '../../crowd/state/rest.ts';
import { stepCrowd } from '../../crowd/step.ts';
import {
  STATE_LINK,
  STATUS_ARRIVED,
  STATUS_GAVE_UP,
  STATUS_QUEUEING,
  STATUS_SETTLED,
} from '../../crowd/state/types.ts';
import type { AgentId, Crowd } from '../../crowd/state/types.ts';
import {
  BODY_ARRIVED,
  BODY_GAVE_UP,
  BODY_GONE,
  BODY_MOVING,
  BODY_ON_LINK,
  BODY_QUEUEING,
  BODY_SETTLED,
} from './metrics.ts';
import type { CrowdDriver, CrowdWorld } from './types.ts';

/** Also the crowd itself, for who wants to look into it. */
export interface NavkilnDriver extends CrowdDriver {
  crowd: Crowd;
  /** By the agent's number. */
  ids: AgentId[];
}

export function createCrowdDriver(world: CrowdWorld, stepSeconds: number): NavkilnDriver {
  const { mesh, setup, links } = world;
  const crowd = createCrowd(mesh, {
    maxAgents: Math.max(1, setup.agents.length),
    stepSeconds,
    ...(setup.searchBudget === undefined ? {} : { searchBudget: setup.searchBudget }),
  });
  links.forEach((ref, i) => {
    const { capacity, seconds } = setup.links![i];
    setLinkTraffic(crowd, ref, { capacity, seconds });
  });
  const ids: AgentId[] = [];
  const bodyOf = new Uint8Array(16).fill(BODY_MOVING);
  bodyOf[STATUS_QUEUEING] = BODY_QUEUEING;
  bodyOf[STATUS_ARRIVED] = BODY_ARRIVED;
  bodyOf[STATUS_SETTLED] = BODY_SETTLED;
  bodyOf[STATUS_GAVE_UP] = BODY_GAVE_UP;
  return {
    crowd,
    ids,
    knowsRest: true,
    add({ position, radius, height, maxSpeed, maxAcceleration, priority, ghost }, index) {
      ids[index] = addAgent(crowd, position, {
        radius,
        height,
        maxSpeed,
        maxAcceleration,
        arriveDistance: setup.goalRadius,
        ...(priority === undefined ? {} : { priority }),
        ...(ghost === true ? { layers: 0, mask: 0, avoidance: 'none' as const } : {}),
      });
      return ids[index] !== 0;
    },
    moveTo(index, point) {
      moveAgentTo(crowd, ids[index], point);
    },
    follow(index, target, distance) {
      followAgent(crowd, ids[index], ids[target], { distance });
    },
    stop(index) {
      stopAgent(crowd, ids[index]);
    },
    remove(index) {
      removeAgent(crowd, ids[index]);
    },
    step() {
      stepCrowd(crowd);
    },
    read({ position, state }) {
      const { agents } = crowd;
      for (let i = 0; i < ids.length; i++) {
        const slot = agentSlotOf(crowd, ids[i]);
        if (slot < 0) {
          state[i] = BODY_GONE;
          continue;
        }
        for (let k = 0; k < 3; k++) position[3 * i + k] = agents.position[3 * slot + k];
        // Who is out of its place for another's sake, or on its way back, does not rest.
        const isAway = isRestStatus(agents.status[slot]) && agents.yieldTo[slot] >= 0;
        state[i] =
          agents.state[slot] === STATE_LINK ? BODY_ON_LINK : isAway ? BODY_MOVING : bodyOf[agents.status[slot]];
      }
    },
    searches: () => crowd.searchCount,
    hash: () => hashCrowd(crowd).toString(16).padStart(8, '0'),
  };
}
