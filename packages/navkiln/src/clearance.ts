/** `navkiln/clearance`: paths on 2D maps for agents of any radius. */
export { createClearance } from './clearance/create.ts';
export type { ClearanceOptions } from './clearance/create.ts';
export { findClearPath2d } from './clearance/find.ts';
export type { ClearPath2d, ClearPathOptions, ClearPathReason, NarrowPassage, PathArc } from './clearance/find.ts';
export type { Clearance } from './clearance/types.ts';
export { validateClearance } from './clearance/validate.ts';
