/** Every tolerance and limit in one place: unit, usual value, consequence of changing it. */

/**
 * Area of surface that is not walkable; a voxel span of this area is not part of the mesh. Volumes of this
 * area remove surface.
 */
export const AREA_NONE = 0;
/**
 * Area of walkable surface that no volume has marked. It is the highest id, so that it wins when spans merge
 * (as in Recast).
 */
export const AREA_GROUND = 63;
/** Number of area ids: 0 .. 63. An id fits into the six bits that a voxel span has for it. */
export const AREA_COUNT = 64;
/**
 * A level is reported as upside down if the flat area that faces up is less than this share of the area that
 * faces down.
 */
export const FLIPPED_SHARE = 0.5;
/** Polygon flags of a fresh bake: bit 0, "walk". */
export const FLAG_WALK = 1;

/** Highest voxel row of a solid span (13 bits). Levels taller than this many cell heights are clamped, with a warning. */
export const SPAN_MAX_HEIGHT = 8191;
/** Height of a span of a compact field that an obstacle has removed. It is above all other heights. */
export const REMOVED_Y = 0xffff;
/** Maximum number of sizes of agents, or agent types, of a mesh, because a mask of sizes has 16 bits. */
export const MAX_SIZES = 16;
/** Coordinates of a mesh are below this in size, since squares of lengths could overflow beyond it. */
export const MAX_COORDINATE = 1e100;
/** Maximum value of `maxVerticesPerPoly`: polygons of a voxel bake have 3 .. 12 vertices. */
export const MAX_VERTICES_PER_POLY = 12;

/**
 * Maximum number of spans for which watershed partitioning copies the neighbors of spans into reading order, at 16
 * bytes per span. Larger fields take 40 % longer in that stage, and two thirds of the memory.
 */
export const ORDERED_LINK_SPANS: number = 2 ** 22;

/**
 * Before positions in doubles become float32, the multiple of this nearest to the level's middle is subtracted on each
 * axis.
 */
export const REBASE_STEP = 1024;

/**
 * Factor of A*'s straight-line estimate, so that rounding never makes the estimate too large. The same as in Detour.
 */
export const HEURISTIC_SCALE = 0.999;

/**
 * Default of `memoryLimitBytes` for readers of levels and maps and for builds of 2D maps, bytes: 1 GiB. A level of 20
 * million triangles fits. Files that would take more cause an error.
 */
export const READ_LIMIT_BYTES: number = 2 ** 30;
