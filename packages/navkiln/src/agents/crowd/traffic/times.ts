/**
 * The times after which agents without progress change what they do, in seconds.
 *
 * One table, because the times belong together: an agent settles, stands in line and asks for room before it searches
 * again, goes around others, and gives up last.
 *
 * Based on: own; scenes of docs/crowd-scenes.md decide between values.
 */

// Seconds without progress until an agent ...
/** ... asks other agents to step aside, in the queue of a link. */
export const ASK_AT_LINK_SECONDS = 0.15;
/** ... settles, if agents rest at its goal. */
export const SETTLE_SECONDS = 0.4;
/** ... counts as standing in line, when an agent ahead has the same direction. */
export const LINE_SECONDS = 0.5;
/** ... asks other agents to step aside. */
export const ASK_SECONDS = 0.6;
/** ... is blocked again behind another agent, if it cannot reach its goal and has been blocked before. */
export const BLOCKED_AGAIN_SECONDS = 1;
/**
 * ... and another one that meets it head-on count as wedged. Sampled avoidance forbids no velocity and may lead each into
 * the other.
 */
export const HEAD_ON_SECONDS = 1.5;
/** ... looks for a detour around a standing body, or gives a detour up. */
export const HELD_UP_SECONDS = 2;
/** ... asks all neighbors at rest to step aside, and not only those ahead. */
export const CORNERED_SECONDS = 3;
/** ... settles outside the radius of the cluster at its goal. */
export const LOOSE_SECONDS = 3;
/** ... searches for another path. Also the shortest time between two such searches. */
export const SEARCH_AGAIN_SECONDS = 3;
/** ... and another one with the same direction that blocks it count as wedged. */
export const WEDGED_SECONDS = 4;
/** ... gives up. */
export const GIVE_UP_SECONDS = 30;
/** ... gives up next to other moving agents. This is longer, because jams resolve. */
export const JAM_GIVE_UP_SECONDS = 120;

// Other times:
/** Time after an order for which an agent may stand in line, or be carried away, without giving up. */
export const MAX_LINE_SECONDS = 600;
/** Time for which an agent stays aside. */
export const YIELD_SECONDS = 1.5;
/** Shortest time between two requests of an agent at rest that yields and finds no space. */
export const PASS_ON_SECONDS = 0.2;
/** Time after which an agent gives a detour up even if it makes progress. */
export const MAX_WAY_SECONDS = 20;
/** Shortest time between two searches of one agent for a detour. */
export const AGAIN_SECONDS = 4;
/** Time without progress after which an agent that goes back to its resting position stays where it is. */
export const RETURN_SECONDS = 20;
/** The same for an agent without an order, for which any position is as good. */
export const RETURN_ANYWHERE_SECONDS = 4;
/** Length of one attempt to go back, and of the pause after it. */
export const TRY_SECONDS = 1;
/** Time at rest before a settled agent compares its distance from the goal with its cluster, which may still grow. */
export const OUTSIDE_SECONDS = 10;
