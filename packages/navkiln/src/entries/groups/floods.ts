/** `floods` of `navkiln/kernel`: searches outward from a point, within bounds. */
export { createFlood, createFloodBounds, createFloodState, floodInto } from '../../query/flood/flood.ts';
export { loadShape } from '../../query/flood/polys-in-shape.ts';
