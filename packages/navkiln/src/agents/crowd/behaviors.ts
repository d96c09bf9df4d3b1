/**
 * The behaviors of crowds. `createCrowd` has all but `sampling` from the beginning; `createCoreCrowd` has none.
 *
 * In, out, cost, based on: those of the files they come from.
 */
import { updateTraffic } from './traffic/traffic.ts';
import type { Behavior } from './state/types.ts';
import { avoidBySampling, resolveSampled, storeSampled } from './avoidance/sampled.ts';
import { staysBlocked } from './traffic/review.ts';
import { weighBodies } from './search/body-costs.ts';
import { staysSettled } from './rest/settled-by.ts';
import { takeTurns } from './narrow/passages.ts';
import { keepPath, repairPath } from './search/repair.ts';
import { answerByField, chooseField, countGoals } from './search/fields.ts';
import { steerAlongWay } from './traffic/go-around.ts';
import { noteNarrowPortals } from './nearby/narrow-portals.ts';
import { useLinks } from './links/use-links.ts';
import { keepPlace } from './traffic/keep-place.ts';
import { shortenPath } from './search/shorten.ts';
import { keepLanes } from './narrow/lanes.ts';

/**
 * Dense crowds come to rest: agents stand in line, ask others to make way, go around standing bodies, settle beside
 * agents at their goals, and continue when these leave.
 */
export const traffic: Behavior = {
  updateRest: updateTraffic,
  steerAlongWay,
  keepPlace,
  staysBlocked,
  staysSettled,
  weighBodies,
};

/** Agents keep to one side where others come towards them, and spread over the width of a door. */
export const lanes: Behavior = { keepLanes, noteNarrow: noteNarrowPortals };

/** Agents enter passages that are too narrow for two in turns. */
export const passages: Behavior = { takeTurns, noteNarrow: noteNarrowPortals };

/** Agents cross links. Without it, a crowd takes no mesh with links. */
export const links: Behavior = { useLinks };

/** Agents with one goal share a search. */
export const goalFields: Behavior = { countGoals, chooseField, answerByField };

/** Agents that were pushed aside, or whose goal has moved, find shorter paths without a search. */
export const shortcuts: Behavior = { shortenPath };

/** Paths that a change of the mesh has cut are repaired around the gap. Without it, they are searched again. */
export const repairs: Behavior = { keepPath, repairPath };

/** Agents may have `avoidance: 'sampled'`. */
export const sampling: Behavior = { sample: avoidBySampling, resolveSampled, storeSampled };
