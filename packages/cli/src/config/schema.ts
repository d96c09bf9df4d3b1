/**
 * What a bake can be told, once: this schema checks configuration files and flags, writes the flags' help, and is what
 * `navkiln schema` prints for editors. Names and meanings are those of the library's `BuildOptions`.
 */
import { z } from 'zod';
import type { LinkOptions } from 'navkiln';
import type { BuildOptions, SurfaceOptions } from 'navkiln/build';
import type { PolygonOptions } from 'navkiln/polygon';
import type { MapReadOptions } from '../loaders/map-options.ts';
import type { LevelSpec } from '../loaders/placement.ts';

/** What a field's `meta` may hold. `flag` makes it an option of the command line. */
export interface FieldMeta {
  description?: string;
  flag?: string;
  /** Shown in help; the library itself fills it in. */
  default?: string;
  /** What a number counts; metres stand for world units. */
  unit?: FieldUnit;
}

export type FieldUnit = 'm' | 'm²' | '°' | 'corners' | 'bytes' | 'share' | 'px' | 'm/px';

export const point: z.ZodTuple<[z.ZodNumber, z.ZodNumber, z.ZodNumber], null> = z.tuple([
  z.number(),
  z.number(),
  z.number(),
]);
const nonZero = z.number().refine((value) => value !== 0, { error: 'must not be 0' });
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
    description: 'lowest ceiling passed under',
  }),
  maxClimb: notNegative.optional().meta({
    unit: 'm',
    flag: '--agent-max-climb',
    default: '0.4',
    description: 'highest step climbed',
  }),
  maxSlopeDegrees: z
    .number()
    .min(0)
    .max(90)
    .optional()
    .meta({ unit: '°', flag: '--agent-max-slope', default: '45', description: 'steepest ground walked on, degrees' }),
});

const level = z.strictObject({
  file: z.string().min(1).meta({ description: 'path of a level or a 2D map, from the folder of the configuration' }),
  position: point.optional().meta({ description: 'moves the level, world units' }),
  rotationDegrees: z
    .union([z.number(), point])
    .optional()
    .meta({ description: 'turns the level about the y axis, or about x, then y, then z' }),
  scale: z
    .union([nonZero, z.tuple([nonZero, nonZero, nonZero])])
    .optional()
    .meta({ description: 'a number or [x, y, z]; negative numbers mirror' }),
  up: z.enum(['y', 'z']).optional().meta({ description: 'axis that points up in the file; default y' }),
});

const volume = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('box'), area, min: point, max: point }),
  z.strictObject({ type: z.literal('cylinder'), area, center: point, radius: positive, height: positive }),
  z.strictObject({
    type: z.literal('prism'),
    area,
    outline: z
      .array(z.tuple([z.number(), z.number()]))
      .min(3)
      .meta({ description: 'convex, [x, z] points' }),
    minY: z.number(),
    maxY: z.number(),
  }),
]);

const linkEnd = z.union([point, z.tuple([point, point])], {
  error: 'must be [x, y, z], or a segment of two such points',
});
const link = z.strictObject({
  start: linkEnd.meta({ description: 'a point, or the two ends of a segment' }),
  end: linkEnd,
  bothWays: z.boolean().optional().meta({ default: 'false' }),
  radius: notNegative
    .optional()
    .meta({ default: 'that of the agent', description: 'how far an end may be from its ground' }),
  area: z.int().min(1).max(63).optional().meta({ default: '63' }),
  cost: notNegative.optional().meta({ default: 'its length', description: 'the length it counts as' }),
  flags: z.int().min(0).max(0xffff).optional().meta({ default: '1' }),
  userId: z.number().optional().meta({ default: '0', description: 'any number; comes back with paths' }),
  enabled: z.boolean().optional().meta({ default: 'true' }),
});

/** A link without what only programs read. */
export type LinkFields = Omit<LinkOptions, 'flags' | 'userId'>;

/** Those, and more, for files that also say how links are used. */
export function linkFieldsWith<Shape extends z.ZodRawShape>(
  more: Shape,
): z.ZodType<LinkFields & z.output<z.ZodObject<Shape>>> {
  return link.omit({ flags: true, userId: true }).extend(more) as unknown as ReturnType<typeof linkFieldsWith<Shape>>;
}

const map = z.strictObject({
  mode: z
    .enum(['delaunay', 'diagonal'])
    .optional()
    .meta({ flag: '--map-mode', default: 'delaunay', description: 'how the ground of a 2D map is cut into pieces' }),
  maxVertices: z.int().min(3).max(255).optional().meta({
    unit: 'corners',
    default: '10',
    description: 'corners a piece may have',
  }),
  fillRule: z
    .enum(['nonzero', 'evenodd'])
    .optional()
    .meta({ default: 'nonzero', description: 'inside of crossing rings' }),
  gridSize: positive.optional().meta({
    unit: 'm',
    default: 'from the extent',
    description: 'step of the grid points are moved to',
  }),
  arcTolerance: positive.max(1).optional().meta({
    unit: 'share',
    default: '0.02',
    description: 'precision of round corners, share of radius',
  }),
  projection: z
    .enum(['local', 'none'])
    .optional()
    .meta({ flag: '--map-projection', default: 'local', description: 'GeoJSON: degrees to metres, or as they are' }),
  scale: positive
    .optional()
    .meta({ unit: 'm/px', flag: '--map-scale', default: '1', description: 'Tiled: world units a pixel' }),
  walkable: z
    .array(z.string())
    .optional()
    .meta({ description: 'Tiled: layers that are ground; without: the whole map' }),
  collisionProperty: z
    .string()
    .optional()
    .meta({ default: 'collides', description: 'Tiled: the property of what blocks' }),
  tolerance: positive.optional().meta({
    unit: 'px',
    default: '0.5',
    description: 'Tiled: how far polygons stray from ellipses, pixels',
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
    description: 'with --surface: how far apart corners and edges are that should be one',
  }),
  islandMinArea: notNegative.optional().meta({
    unit: 'm²',
    flag: '--island-min-area',
    default: '0',
    description: 'with --surface: smaller separate ground is dropped, square units',
  }),
  mergeDegrees: notNegative.max(30).optional().meta({
    unit: '°',
    default: '1',
    description: 'how much slopes in one polygon may differ',
  }),
  clearance: z.boolean().optional().meta({
    default: 'true, unless all is ground',
    description: 'cut out of the ground what stands on it or hangs low over it',
  }),
});

const CONFIG_SCHEMA = z.strictObject({
  $schema: z.string().optional().meta({ description: 'address of this schema, for editors' }),
  levels: z
    .array(z.union([z.string().min(1), level]))
    .min(1)
    .optional()
    .meta({ description: 'level files, alone or with a place in the world; files on the command line replace them' }),
  output: z.string().min(1).optional().meta({ description: 'the file to write, from the folder of the configuration' }),
  agent: agent.optional().meta({ description: 'the body the mesh is baked for' }),
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
    description: 'side of a square tile, rounded to whole voxels',
  }),
  partition: partition
    .optional()
    .meta({ flag: '--partition', default: 'watershed', description: 'how the ground is cut into regions' }),
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
    description: 'how far a border may stray from the voxels',
  }),
  regionMinArea: notNegative.optional().meta({
    unit: 'm²',
    flag: '--region-min-area',
    default: '64 cells',
    description: 'smaller separate ground is dropped, square units',
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
    description: 'corners a polygon may have',
  }),
  detailSampleDistance: notNegative.optional().meta({
    unit: 'm',
    flag: '--detail-sample-distance',
    default: '6 cell sizes',
    description: 'distance of height samples; 0: none',
  }),
  detailMaxError: notNegative.optional().meta({
    unit: 'm',
    flag: '--detail-max-error',
    default: '1 cell height',
    description: 'how far heights may stray from the voxels',
  }),
  filterLowHangingObstacles: z
    .boolean()
    .optional()
    .meta({ default: 'true', description: 'kerbs and stairs become walkable' }),
  filterLedges: z.boolean().optional().meta({ default: 'true', description: 'ground at a deep drop is not walkable' }),
  filterLowCeilings: z
    .boolean()
    .optional()
    .meta({ default: 'true', description: 'ground under a low ceiling is not walkable' }),
  medianAreas: z
    .boolean()
    .optional()
    .meta({ default: 'false', description: '3 x 3 median over area ids, against speckles' }),
  tessellateWallEdges: z.boolean().optional().meta({ default: 'true', description: 'split long edges along walls' }),
  tessellateAreaEdges: z
    .boolean()
    .optional()
    .meta({ default: 'false', description: 'split long edges between areas too' }),
  volumes: z
    .array(volume)
    .optional()
    .meta({ description: 'regions of space whose ground gets an area id; 0 cuts a hole' }),
  links: z.array(link).optional().meta({ description: 'ways off the ground: jumps, ladders, doors' }),
  map: map.optional().meta({ description: 'what is only for 2D maps' }),
  surface: surface
    .optional()
    .meta({ description: 'take the triangles as they are, without voxels; and what is only for that' }),
  bounds: z.strictObject({ min: point, max: point }).optional().meta({ description: 'only bake within this box' }),
  strict: z.boolean().optional().meta({ default: 'false', description: 'stop at the first warning' }),
  memoryLimitBytes: positive.optional().meta({
    unit: 'bytes',
    default: 'what this machine has',
    description: 'bytes a bake may take',
  }),
});

/** Settings that only apply to 2D maps. */
export interface MapSettings
  extends Pick<PolygonOptions, 'mode' | 'maxVertices' | 'fillRule' | 'gridSize' | 'arcTolerance'>, MapReadOptions {}

/** What is only for levels taken as they are. */
export type SurfaceSettings = Pick<SurfaceOptions, 'weldTolerance' | 'islandMinArea' | 'mergeDegrees' | 'clearance'>;

/** What the schema lets through. Assigning a parsed value to it proves that the schema keeps to the library's options. */
export interface Config extends Omit<BuildOptions, 'onProgress'> {
  $schema?: string;
  levels?: (string | LevelSpec)[];
  output?: string;
  map?: MapSettings;
  surface?: SurfaceSettings;
}

/** Settings of a bake alone, for files that hold more than that. */
export type BakeFields = Omit<Config, '$schema' | 'levels' | 'output' | 'map' | 'links'>;

export function bakeFieldsSchema(): z.ZodType<BakeFields> {
  return CONFIG_SCHEMA.omit({ $schema: true, levels: true, output: true, map: true, links: true });
}

export function parseConfig(value: unknown): { config: Config } | { issues: readonly z.core.$ZodIssue[] } {
  const result = CONFIG_SCHEMA.safeParse(value);
  return result.success ? { config: result.data } : { issues: result.error.issues };
}

/** A checked configuration. `levels` are records here, with paths that can be opened. */
export interface BakeSettings {
  levels: LevelSpec[];
  output: string | undefined;
  options: BuildOptions;
  map?: MapSettings;
  surface?: SurfaceSettings;
}

/** An option of the command line that a field of the schema makes. */
export interface FieldFlag {
  /** With two dashes. */
  flag: string;
  /** Into the configuration. */
  path: readonly string[];
  kind: 'number' | 'choice';
  choices: readonly string[];
  description: string;
}

/** All fields that hold no others, in the schema's order: where they are, of which type, what is said of them. */
function leavesOf(
  schema: z.ZodObject,
  path: readonly string[] = [],
): { path: string[]; type: z.core.$ZodType; meta: FieldMeta }[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const type = field instanceof z.ZodOptional ? field.unwrap() : field;
    return type instanceof z.ZodObject
      ? leavesOf(type, [...path, key])
      : [{ path: [...path, key], type, meta: metaOf(field) }];
  });
}

function choicesOf(type: z.core.$ZodType): string[] {
  return type instanceof z.ZodEnum ? type.options.map(String) : [];
}

/** Flags of all fields that have one, in the schema's order. */
export function listFlags(): FieldFlag[] {
  return leavesOf(CONFIG_SCHEMA).flatMap(
    ({ path, type, meta: { flag, description = '', default: fallback } }): FieldFlag[] => {
      if (flag === undefined) return [];
      const choices = choicesOf(type);
      const told = fallback === undefined ? '' : ` (default: ${fallback})`;
      return [
        { flag, path, kind: choices.length > 0 ? 'choice' : 'number', choices, description: `${description}${told}` },
      ];
    },
  );
}

/** A setting for people to change: a number, a choice, or yes and no. */
export interface Field {
  /** Into the configuration. */
  path: readonly string[];
  kind: 'number' | 'choice' | 'boolean';
  choices: readonly string[];
  /** Whole numbers only. */
  whole: boolean;
  min: number | undefined;
  max: number | undefined;
  /** `min` itself is not allowed. */
  aboveMin: boolean;
  unit: FieldUnit | undefined;
  /** Words, not a value: what it is when it is not given. */
  default: string;
  description: string;
}

/** All fields that hold one value, in the schema's order: what a panel of settings is made from. */
export function listFields(): Field[] {
  return leavesOf(CONFIG_SCHEMA).flatMap(
    ({ path, type, meta: { unit, default: fallback = '', description = '' } }): Field[] => {
      const isNumber = type instanceof z.ZodNumber;
      const kind = isNumber
        ? 'number'
        : type instanceof z.ZodEnum
          ? 'choice'
          : type instanceof z.ZodBoolean
            ? 'boolean'
            : '';
      if (kind === '') return [];
      const limits = (isNumber ? z.toJSONSchema(type) : {}) as Record<string, number | undefined>;
      const { minimum, exclusiveMinimum, maximum } = limits;
      return [
        {
          path,
          kind,
          choices: choicesOf(type),
          whole: isNumber && type.format === 'safeint',
          min: exclusiveMinimum ?? minimum,
          max: maximum,
          aboveMin: exclusiveMinimum !== undefined,
          unit,
          default: fallback,
          description,
        },
      ];
    },
  );
}

/** Keys that the map at a path of a configuration may have; none when it is no map. */
export function knownKeys(path: readonly (string | number)[]): string[] {
  return keysAt(CONFIG_SCHEMA, path);
}

/** The same of any schema. */
export function keysAt(schema: z.core.$ZodType, path: readonly (string | number)[]): string[] {
  let types: z.core.$ZodType[] = [schema];
  const open = (type: z.core.$ZodType): z.core.$ZodType[] => {
    if (type instanceof z.ZodOptional) return open(type.unwrap());
    if (type instanceof z.ZodUnion) return type.options.flatMap(open);
    return [type];
  };
  for (const part of path) {
    types = types.flatMap(open).flatMap((type) => {
      if (type instanceof z.ZodObject)
        return type.shape[part] === undefined ? [] : [type.shape[part] as z.core.$ZodType];
      return type instanceof z.ZodArray ? [type.element] : [];
    });
  }
  const keys = types.flatMap(open).flatMap((type) => (type instanceof z.ZodObject ? Object.keys(type.shape) : []));
  return [...new Set(keys)].filter((key) => key !== '$schema');
}

function metaOf(field: z.core.$ZodType): FieldMeta {
  return (z.globalRegistry.get(field) ?? {}) as FieldMeta;
}

/** JSON Schema of a configuration file. */
export function configJsonSchema(): Record<string, unknown> {
  return jsonSchemaOf(CONFIG_SCHEMA, 'navkiln bake configuration');
}

/** JSON Schema without what only our programs read. */
export function jsonSchemaOf(from: z.core.$ZodType, title: string): Record<string, unknown> {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(
      ([key, inner]) => key !== 'flag' && key !== 'unit' && !(key === 'default' && typeof inner === 'string'),
    );
    return Object.fromEntries(entries.map(([key, inner]) => [key, strip(inner)]));
  };
  const schema = strip(z.toJSONSchema(from, { io: 'input' })) as Record<string, unknown>;
  return { ...schema, title };
}
