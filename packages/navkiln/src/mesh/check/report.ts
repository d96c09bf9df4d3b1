/** The codes of mesh violations, and the callbacks through which checks report them. */
export type ViolationCode =
  | 'version'
  | 'scalar'
  | 'size'
  | 'tile-state'
  | 'tile-generation'
  | 'tile-range'
  | 'tile-overlap'
  | 'tile-bounds'
  | 'tile-place'
  | 'tile-hash'
  | 'free-slots'
  | 'poly-tile'
  | 'poly-range'
  | 'poly-area'
  | 'poly-sizes'
  | 'edge-vertex'
  | 'edge-neighbor'
  | 'not-reciprocal'
  | 'not-convex'
  | 'not-finite'
  | 'detail-vertex'
  | 'tree-shape'
  | 'tree-item'
  | 'tree-bounds'
  | 'island'
  | 'link'
  | 'free-links'
  | 'link-list'
  | 'link-poly'
  | 'portal-list'
  | 'portal-edge'
  | 'portal-span'
  | 'portal-back'
  | 'portal-poly'
  | 'portal-order'
  | 'portal-place'
  | 'free-portals'
  | 'group'
  | 'island-parent'
  | 'islands-stale';

/** `field` is the name of a field, `index` the element in it or -1. validate.ts says what each code means. */
export type Report = (code: ViolationCode, field: string, index: number) => void;

/** Reports a violation unless `isGood` is true. Returns `isGood`. */
export type Expect = (isGood: boolean, code: ViolationCode, field: string, index: number) => boolean;
