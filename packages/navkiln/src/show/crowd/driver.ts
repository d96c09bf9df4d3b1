/**
 * Drives a crowd scene with navkiln's own crowd: implements the interface of run.ts with the crowd's functions.
 *
 * In: a world of a scene. Out: a driver.
 * Cost: the crowd.
 * Based on: own.
 */
import { checkArray, checkObject } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { addAgent, removeAgent } from '../../agents/crowd/orders/agents.ts';
import { createCrowd } from '../../agents/crowd/create.ts';
import { agentSlotOf } from '../../agents/crowd/state/ids.ts';
import { setLinkTraffic } from '../../agents/crowd/links/link-traffic.ts';
import { followAgent, moveAgentTo, stopAgent } from '../../agents/crowd/orders/orders.ts';
import { hashCrowd } from '../../agents/crowd/save/save.ts';
import { isRestStatus } from '../../agents/crowd/state/rest.ts';
import { stepCrowd } from '../../agents/crowd/step.ts';
import {
  STATE_LINK,
  STATUS_ARRIVED,
  STATUS_GAVE_UP,
  STATUS_IDLE,
  STATUS_QUEUEING,
  STATUS_SETTLED,
} from '../../agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../agents/crowd/state/types.ts';
import {
  BODY_ARRIVED,
  BODY_GAVE_UP,
  BODY_GONE,
  BODY_IDLE,
  BODY_MOVING,
  BODY_ON_LINK,
  BODY_QUEUEING,
  BODY_SETTLED,
} from './metrics.ts';
import { locating } from './locating.ts';
import type { CrowdDriver, CrowdWorld } from './types.ts';

/** A driver that also gives access to its crowd. */
export interface NavkilnDriver extends CrowdDriver {
  crowd: Crowd;
  /** Ids, indexed by the agent's index in the scene. */
  ids: AgentId[];
}

/**
 * Creates a driver of navkiln's crowd for a scene.
 *
 * @param stepSeconds time step of the crowd, seconds
 */
export function createCrowdDriver(world: CrowdWorld, stepSeconds: number): NavkilnDriver {
  checkNavMesh('createCrowdDriver', world?.mesh, 'world.mesh');
  checkObject('createCrowdDriver', 'world.setup', world.setup);
  checkArray('createCrowdDriver', 'world.setup.agents', world.setup.agents);
  return makeDriver('createCrowdDriver', world, stepSeconds);
}

/** Creates a driver for a world that was checked. Messages begin with `caller`. */
export function makeDriver(caller: string, { mesh, setup, links }: CrowdWorld, stepSeconds: number): NavkilnDriver {
  const maxAgents = Math.max(1, setup.agents.length);
  const { searchBudget } = setup;
  const types = [...new Set(setup.agents.flatMap(({ type }) => (type === undefined ? [] : [type])))];
  const crowd = locating(caller, '', () => createCrowd(mesh, { maxAgents, stepSeconds, searchBudget, types }));
  links.forEach((ref, i) => {
    const { capacity, seconds } = setup.links![i];
    locating(caller, `setup.links[${i}]`, () => setLinkTraffic(crowd, ref, { capacity, seconds }));
  });
  const ids: AgentId[] = [];
  const bodyOf = new Uint8Array(16).fill(BODY_MOVING);
  bodyOf[STATUS_IDLE] = BODY_IDLE;
  bodyOf[STATUS_QUEUEING] = BODY_QUEUEING;
  bodyOf[STATUS_ARRIVED] = BODY_ARRIVED;
  bodyOf[STATUS_SETTLED] = BODY_SETTLED;
  bodyOf[STATUS_GAVE_UP] = BODY_GAVE_UP;
  return {
    crowd,
    ids,
    knowsRest: true,
    add({ position, radius, height, maxSpeed, maxAcceleration, priority, type, ghost }, index) {
      ids[index] = addAgent(crowd, position, {
        radius,
        height,
        maxSpeed,
        maxAcceleration,
        arriveDistance: setup.goalRadius,
        ...(priority === undefined ? {} : { priority }),
        ...(type === undefined ? {} : { type: type.name }),
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
        // An agent that yields to another one, or returns from that, is not at rest.
        const isAway = isRestStatus(agents.status[slot]) && agents.yieldTo[slot] >= 0;
        state[i] =
          agents.state[slot] === STATE_LINK ? BODY_ON_LINK : isAway ? BODY_MOVING : bodyOf[agents.status[slot]];
      }
    },
    searches: () => crowd.searchCount,
    hash: () => hashCrowd(crowd).toString(16).padStart(8, '0'),
  };
}
