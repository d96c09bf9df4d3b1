/**
 * The behaviors of crowds. `createCrowd` has all but `spacing` and `sampling` from the beginning; `createCoreCrowd` has none.
 *
 * In, out, cost, based on: those of the files they come from.
 */
import { passStanding, takeDetour } from './avoidance/detour.ts';
import { followMesh } from './follow-mesh.ts';
import { skipAtEase } from './motion/ease.ts';
import { keepSpacing } from './motion/spacing.ts';
import { isUnhindered } from './motion/unhindered.ts';
import { standsStill } from './motion/stop-and-go.ts';
import { noteSight, seesCorner } from './nearby/corner-sight.ts';
import { knowsOfCounterflow } from './nearby/counterflow.ts';
import { measureRoom, polyRoomsOf } from './nearby/poly-room.ts';
import { areAllAsleep, markSleepers } from './nearby/sleepers.ts';
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
export const lanes: Behavior = { keepLanes, noteNarrow: noteNarrowPortals, knowsOfCounterflow, standsStill };

/** Agents enter passages that are too narrow for two in turns. */
export const passages: Behavior = { takeTurns, noteNarrow: noteNarrowPortals, standsStill };

/** Agents cross links. Without it, a crowd takes no mesh with links. */
export const links: Behavior = { useLinks };

/** Agents with one goal share a search. */
export const goalFields: Behavior = { countGoals, chooseField, answerByField };

/** Agents that were pushed aside, or whose goal has moved, find shorter paths without a search. */
export const shortcuts: Behavior = { shortenPath };

/**
 * The mesh may change: agents find their polygons again, and paths that a change has cut are repaired around the gap. With
 * `meshChanges` alone, they are searched again.
 */
export const repairs: Behavior = { followMesh, keepPath, repairPath };

/** Agents at rest sleep, which takes no time, while no awake agent is near. */
export const sleeping: Behavior = { areAllAsleep, markSleepers };

/**
 * Agents in open space take less time: they, and agents at rest, decide less often, keep their next corner while they see it, and
 * skip avoidance and surface tests that change nothing.
 */
export const throttling: Behavior = { skipAtEase, noteSight, seesCorner, polyRoomsOf, measureRoom, isUnhindered };

/** Agents that are held up steer around agents that stand or move slowly, and pass between standing bodies. */
export const detours: Behavior = { takeDetour, passStanding };

/** Agents may have a `separationWeight`. */
export const spacing: Behavior = { keepSpacing };

/** Agents may have `avoidance: 'sampled'`. */
export const sampling: Behavior = { sample: avoidBySampling, resolveSampled, storeSampled };
