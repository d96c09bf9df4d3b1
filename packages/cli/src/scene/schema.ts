/**
 * What a scene file may say, once: this schema checks scene files, and is what `navkiln schema scene` prints for editors. What
 * names refer to and what excludes each other is in references.ts.
 */
import { z } from 'zod';
import {
  bakeFieldsSchema,
  jsonSchemaOf,
  keysAt,
  linkFieldsWith,
  notNegative,
  point,
  positive,
} from '../config/schema.ts';
import { SCENE_VERSION } from './types.ts';
import type { SceneFile } from './types.ts';

const nonZero = z.number().refine((value) => value !== 0, { error: 'must not be 0: it would flatten the level' });
const name = z.string().min(1);

const rotation = z.union([z.number(), point, z.tuple([z.number(), z.number(), z.number(), z.number()])], {
  error: 'must be degrees about y, [x, y, z] degrees, or a quaternion [x, y, z, w]',
});

const level = z.strictObject({
  file: name.optional().meta({ description: 'path of a .glb, .gltf or .obj file, from the folder of the scene' }),
  scene: name.optional().meta({ description: 'instead of a file: the name of a bundled level' }),
  position: point.optional().meta({ description: 'moves the level, world units' }),
  rotation: rotation.optional().meta({
    description: 'degrees about y; [x, y, z] degrees about x, then y, then z; or a quaternion [x, y, z, w]',
  }),
  scale: z
    .union([nonZero, z.tuple([nonZero, nonZero, nonZero])])
    .optional()
    .meta({ description: 'a number or [x, y, z]; negative numbers mirror' }),
  swapYZ: z.boolean().optional().meta({ description: 'the level has z up' }),
});

/** As in a configuration of `navkiln bake`, and how it is used. */
const link = linkFieldsWith({
  capacity: z.int().min(1).optional().meta({ default: 'any number', description: 'how many may be on it at a time' }),
  seconds: notNegative
    .optional()
    .meta({ default: "its length at the agent's speed", description: 'how long a traverse takes' }),
});

const target = z.strictObject({
  name,
  position: point.optional().meta({ description: 'where it stands' }),
  path: z.array(point).min(2).optional().meta({ description: 'instead of a position: goes along these points' }),
  speed: positive.optional().meta({ description: 'world units a second along its path' }),
  loop: z.boolean().optional().meta({ default: 'false', description: 'from the last point to the first, and on' }),
  startsAt: notNegative.optional().meta({ default: '0', description: 'second at which it sets out' }),
  endsAt: positive.optional().meta({ default: 'never', description: 'second at which it is taken away' }),
});

const region = z.strictObject({
  center: point.optional().meta({ description: 'of a circle' }),
  radius: positive.optional(),
  min: point.optional().meta({ description: 'of a box' }),
  max: point.optional(),
});

const agent = z.strictObject({
  name: name.optional(),
  count: z
    .int()
    .min(1)
    .max(20_000)
    .optional()
    .meta({ default: '1', description: 'how many there are of it; goes with within' }),
  position: point.optional(),
  within: region.optional().meta({ description: 'anywhere in a circle { center, radius } or a box { min, max }' }),
  radius: positive.optional().meta({ default: 'that of the bake, or 0.4' }),
  height: positive.optional().meta({ default: 'that of the bake' }),
  walkSpeed: positive.optional().meta({ default: '3.5 radii a second' }),
  runSpeed: positive.optional().meta({ default: 'twice walkSpeed' }),
  run: z.boolean().optional().meta({ default: 'false', description: 'it runs' }),
  acceleration: positive.optional(),
  deceleration: positive.optional(),
  maxTurnDegrees: positive.optional().meta({ description: 'how fast it turns, degrees a second' }),
  priority: z.number().min(0).max(1).optional().meta({ default: '0.5', description: 'who has more makes less room' }),
  goal: z
    .union([point, name], { error: 'must be [x, y, z], the name of a target, or random' })
    .optional()
    .meta({ description: 'where it goes: a point, the name of a target, or random: any of the targets' }),
  follows: name.optional().meta({ description: 'the name of a target or an agent' }),
  distance: notNegative.optional().meta({ description: 'how near it comes to what it follows' }),
});

const SCENE_SCHEMA = z.strictObject({
  $schema: z.string().optional().meta({ description: 'address of this schema, for editors' }),
  version: z.literal(SCENE_VERSION).meta({ description: 'of the format' }),
  title: z.string().optional(),
  levels: z
    .array(level)
    .min(1)
    .meta({ description: 'what there is to walk on, each level with its place in the world' }),
  build: z.enum(['voxel', 'surface']).optional().meta({ default: 'voxel', description: 'how levels become a mesh' }),
  slope: z
    .number()
    .min(0)
    .max(90)
    .optional()
    .meta({ default: '45', description: 'steepest ground walked on, degrees' }),
  step: notNegative.optional().meta({ default: '0.4', description: 'highest step climbed' }),
  gravity: notNegative
    .optional()
    .meta({ default: '9.81', description: 'world units a second squared; 0: nobody falls' }),
  bake: bakeFieldsSchema()
    .optional()
    .meta({ description: 'settings of the bake, as in a configuration of navkiln bake' }),
  links: z.array(link).optional().meta({ description: 'ways off the ground: jumps, ladders, doors' }),
  targets: z.array(target).optional().meta({ description: 'what agents go to' }),
  agents: z.array(agent).optional().meta({ description: 'who goes' }),
  respawn: z
    .enum(['nearest', 'spawn', 'remove', 'none'])
    .optional()
    .meta({ default: 'nearest', description: 'what becomes of one that falls out of the world' }),
  seconds: positive.max(1e5).optional().meta({ default: '60', description: 'how long it runs' }),
  seed: z.int().min(0).max(0xffffffff).optional().meta({ default: '1', description: 'of what is left to chance' }),
});

export function checkSceneShape(value: unknown): { scene: SceneFile } | { issues: readonly z.core.$ZodIssue[] } {
  const result = SCENE_SCHEMA.safeParse(value);
  return result.success ? { scene: result.data } : { issues: result.error.issues };
}

/** Keys that the map at a path of a scene file may have. */
export function sceneKeys(path: readonly (string | number)[]): string[] {
  return keysAt(SCENE_SCHEMA, path);
}

/** JSON Schema of a scene file. */
export function sceneJsonSchema(): Record<string, unknown> {
  return jsonSchemaOf(SCENE_SCHEMA, 'navkiln scene');
}
