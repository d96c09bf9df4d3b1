/** `navkiln/clearance`: paths on 2D maps for agents of any radius. */
export { createClearance } from '../query/clearance/create.ts';
export type { ClearanceOptions } from '../query/clearance/create.ts';
export { findClearPath2d } from '../query/clearance/find.ts';
export type {
  ClearPath2d,
  ClearPathOptions,
  ClearPathReason,
  NarrowPassage,
  PathArc,
} from '../query/clearance/find.ts';
export type { Clearance } from '../query/clearance/types.ts';
export { validateClearance } from '../query/clearance/validate.ts';
