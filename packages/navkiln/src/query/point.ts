/** Points as users give them: see math/point.ts. */
export { readPoint } from '../math/point.ts';
export type { PointLike } from '../math/point.ts';
