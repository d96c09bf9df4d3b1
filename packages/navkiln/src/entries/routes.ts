/**
 * `navkiln/routes`: routes over large worlds in tiles, even over tiles that are not loaded, and paths that are refined
 * while an agent walks.
 */
export { buildRouteGraph, updateRouteGraph } from '../query/routes/build.ts';
export type { RouteBuildOptions, RouteUpdate } from '../query/routes/build.ts';
export { continueRoutedPath, findRoute, findRoutedPath } from '../query/routes/find.ts';
export type { RouteOptions, RoutedPath, RoutedPathOptions, WorldRoute } from '../query/routes/find.ts';
export * as routeKernels from './groups/route-kernels.ts';
export type { RouteMemory, RoutedPathBuffer } from '../query/routes/path.ts';
export { openRouteGraph } from '../world/streaming/routes/open-routes.ts';
export type { RouteGraphOptions } from '../world/streaming/routes/open-routes.ts';
export { routeGraphBytes } from '../query/routes/bytes.ts';
export type { RouteGraphBytes } from '../query/routes/bytes.ts';
export type { RouteGraph } from '../query/routes/types.ts';
