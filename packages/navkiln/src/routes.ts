/**
 * `navkiln/routes`: routes over large worlds in tiles, even over tiles that are not loaded, and paths that are refined
 * while an agent walks.
 */
export { buildRouteGraph, updateRouteGraph } from './routes/build.ts';
export type { RouteBuildOptions, RouteUpdate } from './routes/build.ts';
export { continueRoutedPath, findRoute, findRoutedPath } from './routes/find.ts';
export type { RouteOptions, RoutedPath, RoutedPathOptions, WorldRoute } from './routes/find.ts';
export {
  continueRoutedPathInto,
  createRouteMemory,
  createRoutedPathBuffer,
  findRoutedPathInto,
} from './routes/path.ts';
export type { RouteMemory, RoutedPathBuffer } from './routes/path.ts';
export { openRouteGraph } from './streaming/routes/open-routes.ts';
export type { RouteGraphOptions } from './streaming/routes/open-routes.ts';
export { routeGraphBytes } from './routes/bytes.ts';
export type { RouteGraphBytes } from './routes/bytes.ts';
export type { RouteGraph } from './routes/types.ts';
