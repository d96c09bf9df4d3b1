/** `bestPaths` of `navkiln/kernel`: the shortest path, and the cheapest across areas with costs. */
export { createCheapestBuffer, findCheapestPathInto } from '../../query/cheapest/cheapest.ts';
export { createCheapestState } from '../../query/cheapest/state.ts';
export { createOptimalBuffer, findOptimalPathInto } from '../../query/optimal/optimal.ts';
export { createOptimalState } from '../../query/optimal/state.ts';
