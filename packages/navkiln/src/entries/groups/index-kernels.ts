/** `indexKernels` of `navkiln/index`: a single indexed path into the caller's records, without allocation. */
export { createIndexedBuffer, createIndexedState, findIndexedPathInto } from '../../query/index/find.ts';
