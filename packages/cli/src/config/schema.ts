/**
 * The schema of bake settings. It checks configuration files and flags, provides the help of the flags, and
 * is printed by `navkiln schema` for editors. Names and meanings equal those of the library's `BuildOptions`.
 */
import { z } from 'zod';
import { LINK_KINDS, MAX_SIZES } from 'navkiln';
import type { LinkOptions } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
import type { BakeFields, Config } from './settings.ts';

/** Metadata of a field. `flag` makes it an option of the command line. */
export interface FieldMeta {
  description?: string;
  flag?: string;
  /** Default as text, for help. The library applies it. */
  default?: string;
  /** Unit of a number. Meters stand for world units. */
  unit?: FieldUnit;
  /** True: the fields in it are not listed as settings, because its presence alone has a meaning. */
  isWhole?: boolean;
}

export type FieldUnit = 'm' | 'm²' | '°' | 'corners' | 'bytes' | 'share' | 'px' | 'm/px';

export const point: z.ZodTuple<[z.ZodNumber, z.ZodNumber, z.ZodNumber], null> = z.tuple([
  z.number(),
  z.number(),
  z.number(),
]);
/** A factor, or one factor per axis. One axis may have the factor 0: a flat floor keeps its shape. */
export const scale: z.ZodUnion<[z.ZodNumber, typeof point]> = z.union([
  z.number().refine((value) => value !== 0, { error: 'must not be 0' }),
  point.refine((factors) => factors.filter((value) => value === 0).length < 2, {
    error: 'must not be 0 along more than one axis',
  }),
]);
export const positive: z.ZodNumber = z.number().gt(0);
export const notNegative: z.ZodNumber = z.number().min(0);
const partition = z.enum(['watershed', 'monotone', 'layers']);
const area = z.int().min(0).max(63);

const agent = z.strictObject({
  radius: notNegative.optional().meta({
    unit: 'm',
    flag: '--agent-radius',
    default: '0.4',
    description: 'distance kept from walls',
  }),
  height: positive.optional().meta({
    unit: 'm',
    flag: '--agent-height',
    default: '1.8',
    description: 'clearance needed under a ceiling',
  }),
  maxClimb: notNegative.optional().meta({
    unit: 'm',
    flag: '--agent-max-climb',
    default: '0.4',
    description: 'highest step that can be climbed',
  }),
  maxSlopeDegrees: z
    .number()
    .min(0)
    .max(90)
    .optional()
    .meta({ unit: '°', flag: '--agent-max-slope', default: '45', description: 'steepest walkable slope, in degrees' }),
});

const areaId = z.int().min(1).max(63);
/** An agent type: a body, and rules about areas and flags. */
const agentType = z.strictObject({
  name: z.string().min(1).meta({ description: 'name in queries, scenes and crowds' }),
  radius: notNegative.meta({ description: 'distance kept from walls' }),
  height: positive.meta({ description: 'clearance needed under a ceiling' }),
  maxClimb: notNegative.optional().meta({ default: 'that of agent', description: 'highest step that can be climbed' }),
  maxSlopeDegrees: z
    .number()
    .min(0)
    .max(90)
    .optional()
    .meta({ default: 'that of agent', description: 'steepest walkable slope; up to four different ones' }),
  areaCosts: z
    .record(z.string().regex(/^([1-9]|[1-5]\d|6[0-3])$/, { error: 'must be an area id, 1 to 63' }), positive)
    .optional()
    .meta({ default: '1 for each area', description: 'cost per unit of length by area id' }),
  closedAreas: z.array(areaId).optional().meta({ description: 'ids of areas that these agents may not enter' }),
  includeFlags: z
    .int()
    .min(0)
    .max(0xffff)
    .optional()
    .meta({ default: '65535', description: 'polygons and links need one of these flags' }),
  excludeFlags: z
    .int()
    .min(0)
    .max(0xffff)
    .optional()
    .meta({ default: '0', description: 'polygons and links must have none of these flags' }),
  closedLinks: z
    .array(z.enum(LINK_KINDS))
    .optional()
    .meta({ description: 'kinds of links that these agents may not use' }),
});

/** A list of agent types with names of their own. */
export const agentTypes: z.ZodType<AgentSize[]> = z
  .array(agentType)
  .min(1)
  .max(MAX_SIZES)
  .superRefine((types, context) => {
    types.forEach(({ name: own }, i) => {
      const first = types.findIndex((one) => one.name === own);
      if (first < i)
        context.addIssue({
          code: 'custom',
          path: [i, 'name'],
          message: `must not be the name of entry ${first} as well`,
        });
    });
    if (new Set(types.map(({ maxSlopeDegrees }) => maxSlopeDegrees)).size > 4)
      context.addIssue({ code: 'custom', path: [], message: 'must have at most four different slopes' });
  });

const level = z.strictObject({
  file: z.string().min(1).meta({ description: 'path of a level or a 2D map, relative to the configuration file' }),
  position: point.optional().meta({ description: 'moves the level, in world units' }),
  rotationDegrees: z
    .union([z.number(), point])
    .optional()
    .meta({ description: 'rotates the level about the y axis, or about x, then y, then z' }),
  scale: scale.optional().meta({ description: 'a number or [x, y, z]; negative numbers mirror' }),
  up: z.enum(['y', 'z']).optional().meta({ description: 'axis that points up in the file; default y' }),
  twoSided: z
    .boolean()
    .optional()
    .meta({ description: 'whether triangles count from both sides; default: as the materials say' }),
});

const name = z
  .string()
  .min(1)
  .optional()
  .meta({ description: 'enables and disables all areas and links of this name at run time (setEnabled)' });
const volumeArea = {
  area: area.optional().meta({ default: 'with a name: unchanged; otherwise required', description: '0 cuts a hole' }),
  name,
  enabled: z
    .boolean()
    .optional()
    .meta({ default: 'true', description: 'false: its name is disabled at first, such as a closed door' }),
};
const volume = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('box'), ...volumeArea, min: point, max: point }),
    z.strictObject({ type: z.literal('cylinder'), ...volumeArea, center: point, radius: positive, height: positive }),
    z.strictObject({
      type: z.literal('prism'),
      ...volumeArea,
      outline: z
        .array(z.tuple([z.number(), z.number()]))
        .min(3)
        .meta({ description: 'convex, [x, z] points' }),
      minY: z.number(),
      maxY: z.number(),
    }),
  ])
  .refine(({ area: id, name: own }) => (own === undefined ? id !== undefined : id !== 0), {
    error: 'must have an area or a name; with a name the area is not 0',
  })
  .refine(({ enabled, name: own }) => enabled === undefined || own !== undefined, {
    error: 'must have a name when it has enabled',
  });

const linkEnd = z.union([point, z.tuple([point, point])], {
  error: 'must be [x, y, z], or a segment of two such points',
});
const link = z.strictObject({
  start: linkEnd.meta({ description: 'a point, or the two ends of a segment' }),
  end: linkEnd,
  bothWays: z.boolean().optional().meta({ default: 'false' }),
  radius: notNegative
    .optional()
    .meta({ default: 'radius of the agent', description: 'search distance from an end to the mesh' }),
  area: z.int().min(1).max(63).optional().meta({ default: '63' }),
  cost: notNegative.optional().meta({ default: 'its length', description: 'length that it counts as' }),
  flags: z.int().min(0).max(0xffff).optional().meta({ default: '1' }),
  sizes: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .meta({ default: 'all', description: 'names of the agent types that can use it' }),
  userId: z.number().optional().meta({ default: '0', description: 'any number; paths return it' }),
  kind: z.enum(LINK_KINDS).optional().meta({ default: 'other', description: 'closed to types by closedLinks' }),
  enabled: z.boolean().optional().meta({ default: 'true' }),
  crossing: z
    .enum(['any', 'straight'])
    .optional()
    .meta({ default: 'any', description: 'straight: agents land opposite to where they took off' }),
  name,
});

/** A link without the fields that only programs use. */
export type LinkFields = Omit<LinkOptions, 'flags' | 'userId'>;

/** Adds fields to a link, for files that also describe its traffic. */
export function linkFieldsWith<Shape extends z.ZodRawShape>(
  more: Shape,
): z.ZodType<LinkFields & z.output<z.ZodObject<Shape>>> {
  return link.omit({ flags: true, userId: true }).extend(more) as unknown as ReturnType<typeof linkFieldsWith<Shape>>;
}

const map = z.strictObject({
  mode: z
    .enum(['delaunay', 'diagonal'])
    .optional()
    .meta({ flag: '--map-mode', default: 'delaunay', description: 'how a 2D map is divided into convex pieces' }),
  maxVertices: z.int().min(3).max(255).optional().meta({
    unit: 'corners',
    default: '10',
    description: 'largest number of corners of a piece',
  }),
  fillRule: z
    .enum(['nonzero', 'evenodd'])
    .optional()
    .meta({ default: 'nonzero', description: 'which side of crossing rings is inside' }),
  gridSize: positive.optional().meta({
    unit: 'm',
    default: 'from the extent',
    description: 'step of the grid that points are snapped to',
  }),
  arcTolerance: positive.max(1).optional().meta({
    unit: 'share',
    default: '0.1',
    description: 'precision of round corners, as a share of the radius',
  }),
  precision: positive.optional().meta({
    unit: 'm',
    flag: '--map-precision',
    default: 'from the file',
    description: 'distance at which corners and sides that should touch are joined',
  }),
  yAxis: z.enum(['up', 'down']).optional().meta({
    flag: '--map-y-axis',
    default: 'up; down for Tiled, SVG',
    description: 'direction of the y axis of a 2D map on a screen',
  }),
  projection: z
    .enum(['local', 'none'])
    .optional()
    .meta({ flag: '--map-projection', default: 'local', description: 'GeoJSON: degrees to meters, or unchanged' }),
  scale: positive.optional().meta({
    unit: 'm/px',
    flag: '--map-scale',
    default: '1',
    description: 'Tiled, SVG: world units per pixel',
  }),
  layers: z
    .record(z.string(), z.boolean())
    .optional()
    .meta({ default: 'as in the file', description: 'which layers of the map are on, by name' }),
  walkable: z.array(z.string()).optional().meta({
    flag: '--map-floor',
    description: 'Tiled, SVG: walkable layers; GeoJSON: conditions of walkable features; if omitted, all are walkable',
  }),
  walls: z
    .array(z.string())
    .optional()
    .meta({ flag: '--map-walls', description: 'Tiled, SVG: layers whose shapes and tiles all block' }),
  where: z
    .array(z.string())
    .optional()
    .meta({ flag: '--map-where', description: 'GeoJSON: conditions that features must meet, such as level=0' }),
  obstacles: z
    .array(z.string())
    .optional()
    .meta({ flag: '--map-obstacles', description: 'GeoJSON: conditions of obstacles, such as building' }),
  obstacleFiles: z
    .array(z.string())
    .optional()
    .meta({ flag: '--map-obstacle-files', description: 'files of GeoJSON whose shapes are all obstacles' }),
  lineWidth: positive.optional().meta({
    unit: 'm',
    flag: '--map-line-width',
    default: 'lines are left out',
    description: 'GeoJSON: width of lines without the property width',
  }),
  ignore: z
    .array(z.string())
    .optional()
    .meta({ flag: '--map-ignore', description: 'Tiled, SVG: layers that are left out' }),
  collisionProperty: z
    .string()
    .optional()
    .meta({ default: 'collides', description: 'Tiled: property of blocking tiles and objects' }),
  tolerance: positive.optional().meta({
    unit: 'px',
    default: '0.5; SVG: 1/2000 of the extent',
    description: 'Tiled, SVG: deviation of polygons from curves, in pixels',
  }),
  space: z
    .enum(['screen', 'grid'])
    .optional()
    .meta({ default: 'screen', description: 'Tiled: axes of isometric maps' }),
});

const surface = z.strictObject({
  weldTolerance: positive.optional().meta({
    unit: 'm',
    flag: '--weld-tolerance',
    default: 'a thousandth of the height',
    description: 'with --surface: distance within which vertices and edges are merged',
  }),
  maxGap: notNegative.optional().meta({
    unit: 'm',
    flag: '--max-gap',
    default: 'half the radius or height / 20; 0 if everything is walkable',
    description: 'with --surface: wider gaps in the surface stay open',
  }),
  islandMinArea: notNegative.optional().meta({
    unit: 'm²',
    flag: '--island-min-area',
    default: '0',
    description: 'with --surface: smaller islands are removed, square units',
  }),
  mergeDegrees: notNegative.max(30).optional().meta({
    unit: '°',
    default: '1',
    description: 'how much slopes within one polygon may differ',
  }),
  clearance: z.boolean().optional().meta({
    default: 'true, unless everything is walkable',
    description: 'remove surface below obstacles and low ceilings',
  }),
});

const linkMarks = {
  area: z.int().min(1).max(63).optional().meta({ default: '63' }),
  flags: z.int().min(0).max(0xffff).optional().meta({ default: '1' }),
  name,
};
const ledgeLimits = z.strictObject({
  maxHeight: positive.optional().meta({ description: 'largest height' }),
  maxDistance: positive.optional().meta({ description: 'largest horizontal distance from take-off to landing' }),
  ...linkMarks,
});

const linkKinds = {
  jump: z
    .strictObject({
      maxDistance: positive
        .optional()
        .meta({ default: '2.5', description: 'largest horizontal distance from take-off to landing' }),
      maxRise: notNegative.optional().meta({ default: 'the climb of the agent' }),
      maxDrop: notNegative.optional().meta({ default: '1' }),
      peak: positive.optional().meta({ default: '0.5', description: 'height of the arc above the higher end' }),
      jumpSpeed: positive.optional().meta({ description: 'upward speed; with runSpeed, in place of lengths' }),
      runSpeed: positive.optional(),
      gravity: positive.optional(),
      ...linkMarks,
    })
    .optional(),
  drop: ledgeLimits.optional(),
  climb: ledgeLimits.optional(),
  vault: ledgeLimits.optional(),
};

const autoLinks = z.strictObject({
  ...linkKinds,
  sizes: z
    .record(z.string().min(1), z.strictObject(linkKinds))
    .optional()
    .meta({ description: 'kinds for agent types, by name, in place of those above' }),
  gravity: positive.optional().meta({ default: '9.81' }),
  walkSpeed: positive.optional().meta({ default: '3.5', description: 'turns the time of a link into its cost' }),
  minDetour: notNegative
    .optional()
    .meta({ default: '2', description: 'no link where a walk costs less than this times the link' }),
  spacing: notNegative.optional().meta({ default: '2 radii', description: 'distance between similar links' }),
  except: z.array(z.int()).optional().meta({ description: 'ids of links that stay out' }),
});

const CONFIG_SCHEMA = z.strictObject({
  $schema: z.string().optional().meta({ description: 'URL of this schema, for editors' }),
  levels: z
    .array(z.union([z.string().min(1), level]))
    .min(1)
    .optional()
    .meta({ description: 'level files, optionally with a placement; files on the command line replace them' }),
  output: z.string().min(1).optional().meta({ description: 'file to write, relative to the configuration file' }),
  agent: agent.optional().meta({ description: 'the agent that the mesh is baked for' }),
  agentTypes: agentTypes
    .optional()
    .meta({ description: 'types of agents that the mesh serves, in place of one agent' }),
  cellSize: positive
    .optional()
    .meta({ unit: 'm', flag: '--cell-size', default: 'half the radius', description: 'side of a voxel in x and z' }),
  cellHeight: positive.optional().meta({
    unit: 'm',
    flag: '--cell-height',
    default: 'half a cell size',
    description: 'height of a voxel',
  }),
  tileSize: notNegative.optional().meta({
    unit: 'm',
    flag: '--tile-size',
    default: '0, one tile',
    description: 'side of a square tile, rounded to whole voxels; also for 2D maps',
  }),
  partition: partition.optional().meta({
    flag: '--partition',
    default: 'watershed',
    description: 'how walkable spans are partitioned into regions',
  }),
  maxEdgeLength: notNegative.optional().meta({
    unit: 'm',
    flag: '--max-edge-length',
    default: '20 radii',
    description: 'longest edge along a wall; 0: no limit',
  }),
  maxEdgeError: notNegative.optional().meta({
    unit: 'm',
    flag: '--max-edge-error',
    default: '1.3 cell sizes',
    description: 'largest deviation of a border from the voxels',
  }),
  regionMinArea: notNegative.optional().meta({
    unit: 'm²',
    flag: '--region-min-area',
    default: '64 cells',
    description: 'smaller islands are removed, square units',
  }),
  regionMergeArea: notNegative.optional().meta({
    unit: 'm²',
    flag: '--region-merge-area',
    default: '400 cells',
    description: 'smaller regions are merged, square units',
  }),
  maxVerticesPerPoly: z.int().min(3).max(12).optional().meta({
    unit: 'corners',
    default: '6',
    description: 'largest number of corners of a polygon',
  }),
  detailSampleDistance: notNegative.optional().meta({
    unit: 'm',
    flag: '--detail-sample-distance',
    default: '6 cell sizes',
    description: 'distance between height samples; 0: none',
  }),
  detailMaxError: notNegative.optional().meta({
    unit: 'm',
    flag: '--detail-max-error',
    default: '1 cell height',
    description: 'largest deviation of heights from the voxels',
  }),
  filterLowHangingObstacles: z
    .boolean()
    .optional()
    .meta({ default: 'true', description: 'kerbs and stairs become walkable' }),
  filterLedges: z
    .boolean()
    .optional()
    .meta({ default: 'true', description: 'spans next to a deep drop are not walkable' }),
  filterLowCeilings: z
    .boolean()
    .optional()
    .meta({ default: 'true', description: 'spans under a low ceiling are not walkable' }),
  medianAreas: z
    .boolean()
    .optional()
    .meta({ default: 'false', description: '3 x 3 median filter over area ids, removes speckles' }),
  tessellateWallEdges: z.boolean().optional().meta({ default: 'true', description: 'split long edges along walls' }),
  tessellateAreaEdges: z
    .boolean()
    .optional()
    .meta({ default: 'false', description: 'split long edges between areas, too' }),
  recast: z.boolean().optional().meta({
    flag: '--recast',
    default: 'false',
    description: 'the exact polygon mesh of Recast, also where it loses stairs and spirals',
  }),
  volumes: z.array(volume).optional().meta({ description: 'regions of space whose surface gets an area id or a name' }),
  dynamic: z.boolean().optional().meta({
    default: 'false',
    description: 'store the solid spans of each tile, so that obstacles can change the mesh',
  }),
  links: z.array(link).optional().meta({ description: 'connections off the mesh: jumps, ladders, doors' }),
  autoLinks: autoLinks.optional().meta({
    isWhole: true,
    description: 'adds links for the kinds given here, where they are clear; {} takes defaults',
  }),
  keepReachable: z
    .array(point)
    .min(1)
    .optional()
    .meta({ description: 'leave out mesh that none of these positions leads to' }),
  map: map.optional().meta({ description: 'settings of 2D maps' }),
  surface: surface
    .optional()
    .meta({ description: 'build from the triangles themselves, without voxels; settings of that' }),
  bounds: z.strictObject({ min: point, max: point }).optional().meta({ description: 'bake only within this box' }),
  strict: z.boolean().optional().meta({ default: 'false', description: 'fail at the first warning' }),
  memoryLimitBytes: positive.optional().meta({
    unit: 'bytes',
    flag: '--memory-limit',
    default: '1 GiB to read, the memory of this machine to bake',
    description: 'memory that reading and baking may use, in bytes or as 2GiB',
  }),
});

/** Returns the schema of a configuration file. */
export function configSchema(): z.ZodObject {
  return CONFIG_SCHEMA;
}

/** Returns the schema of the bake settings alone, for files that hold more than those. */
export function bakeFieldsSchema(): z.ZodType<BakeFields> {
  return CONFIG_SCHEMA.omit({
    $schema: true,
    levels: true,
    output: true,
    map: true,
    links: true,
    keepReachable: true,
    agentTypes: true,
  });
}

/** Checks a configuration. Returns its value, or zod's issues. */
export function parseConfig(value: unknown): { config: Config } | { issues: readonly z.core.$ZodIssue[] } {
  const result = CONFIG_SCHEMA.safeParse(value);
  return result.success ? { config: result.data } : { issues: result.error.issues };
}
