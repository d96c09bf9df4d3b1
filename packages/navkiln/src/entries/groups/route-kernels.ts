/** `routeKernels` of `navkiln/routes`: routed paths into the caller's records, without allocation. */
export {
  continueRoutedPathInto,
  createRouteMemory,
  createRoutedPathBuffer,
  findRoutedPathInto,
} from '../../query/routes/path.ts';
