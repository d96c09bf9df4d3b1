/**
 * The schema of scene files. It checks them, and `navkiln schema scene` prints it for editors. References
 * between names, and values that exclude each other, are checked in references.ts.
 */
import { z } from 'zod';
import { jsonSchemaOf, keysAt } from '../config/json-schema.ts';
import { agentTypes, bakeFieldsSchema, linkFieldsWith, notNegative, point, positive, scale } from '../config/schema.ts';
import { SCENE_VERSION } from './types.ts';
import type { SceneFile } from './types.ts';

const name = z.string().min(1);

const rotation = z.union([z.number(), point, z.tuple([z.number(), z.number(), z.number(), z.number()])], {
  error: 'must be degrees about y, [x, y, z] degrees, or a quaternion [x, y, z, w]',
});

const level = z.strictObject({
  file: name.optional().meta({ description: 'path of a .glb, .gltf or .obj file, relative to the scene file' }),
  scene: name.optional().meta({ description: 'name of a bundled level, instead of a file' }),
  position: point.optional().meta({ description: 'moves the level, in world units' }),
  rotation: rotation.optional().meta({
    description: 'degrees about y; [x, y, z] degrees about x, then y, then z; or a quaternion [x, y, z, w]',
  }),
  scale: scale.optional().meta({ description: 'a number or [x, y, z]; negative numbers mirror' }),
  swapYZ: z.boolean().optional().meta({ description: 'the level has z up' }),
  twoSided: z
    .boolean()
    .optional()
    .meta({ description: 'whether triangles count from both sides; default: as the materials say' }),
});

/** A link as in a configuration of `navkiln bake`, and its traffic. */
const link = linkFieldsWith({
  capacity: z
    .int()
    .min(1)
    .optional()
    .meta({ default: 'any number', description: 'number of agents that may be on it at a time' }),
  seconds: notNegative
    .optional()
    .meta({ default: "its length at the agent's speed", description: 'how long a traverse takes' }),
});

const target = z.strictObject({
  name,
  position: point.optional().meta({ description: 'position of a target that stands still' }),
  path: z.array(point).min(2).optional().meta({ description: 'points that it moves along, instead of a position' }),
  speed: positive.optional().meta({ description: 'speed along its path, in world units per second' }),
  loop: z.boolean().optional().meta({ default: 'false', description: 'after the last point, continue at the first' }),
  startsAt: notNegative.optional().meta({ default: '0', description: 'second at which it starts to move' }),
  endsAt: positive.optional().meta({ default: 'never', description: 'second at which it is removed' }),
});

const region = z.strictObject({
  center: point.optional().meta({ description: 'center of a circle' }),
  radius: positive.optional(),
  min: point.optional().meta({ description: 'lowest corner of a box' }),
  max: point.optional(),
});

const agent = z.strictObject({
  name: name.optional(),
  count: z
    .int()
    .min(1)
    .max(20_000)
    .optional()
    .meta({ default: '1', description: 'number of such agents; only applies with within' }),
  position: point.optional(),
  within: region.optional().meta({ description: 'anywhere in a circle { center, radius } or a box { min, max }' }),
  type: name.optional().meta({ description: 'name of one of agentTypes' }),
  radius: positive.optional().meta({ default: 'that of its type or the bake, or 0.4' }),
  height: positive.optional().meta({ default: 'that of its type or the bake' }),
  walkSpeed: notNegative.optional().meta({ default: '3.5 radii per second' }),
  runSpeed: notNegative.optional().meta({ default: 'twice walkSpeed' }),
  run: z.boolean().optional().meta({ default: 'false', description: 'runs instead of walking' }),
  acceleration: positive.optional(),
  deceleration: positive.optional(),
  maxTurnDegrees: positive.optional().meta({ description: 'largest turn, in degrees per second' }),
  priority: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ default: '0.5', description: 'agents with a higher priority yield less' }),
  avoidance: z
    .enum(['orca', 'sampled', 'none'])
    .optional()
    .meta({ default: 'orca', description: 'how it avoids other agents' }),
  separation: z
    .number()
    .min(0)
    .max(1000)
    .optional()
    .meta({ default: '0', description: 'how strongly it keeps its distance from agents that move' }),
  goal: z
    .union([point, name], { error: 'must be [x, y, z], the name of a target, or random' })
    .optional()
    .meta({ description: 'goal: a point, the name of a target, or random for any target' }),
  follows: name.optional().meta({ description: 'name of the target or agent to follow' }),
  distance: notNegative.optional().meta({ description: 'distance kept from what it follows' }),
});

const SCENE_SCHEMA = z.strictObject({
  $schema: z.string().optional().meta({ description: 'address of this schema, for editors' }),
  version: z.literal(SCENE_VERSION).meta({ description: 'version of the format' }),
  title: z.string().optional(),
  levels: z.array(level).min(1).max(256).meta({ description: 'levels, each with its placement in the world' }),
  build: z
    .enum(['voxel', 'surface'])
    .optional()
    .meta({ default: 'voxel', description: 'builder that turns levels into a mesh' }),
  slope: z
    .number()
    .min(0)
    .max(90)
    .optional()
    .meta({ default: '45', description: 'steepest walkable slope, in degrees' }),
  step: notNegative.optional().meta({ default: '0.4', description: 'highest step that can be climbed' }),
  gravity: notNegative
    .optional()
    .meta({ default: '9.81', description: 'gravity, in world units per second squared; 0: nobody falls' }),
  bake: bakeFieldsSchema()
    .optional()
    .meta({ description: 'settings of the bake, as in a configuration of navkiln bake' }),
  agentTypes: agentTypes
    .optional()
    .meta({ description: 'types of agents that the mesh serves: bodies, costs of areas, closed areas' }),
  links: z.array(link).optional().meta({ description: 'connections off the mesh: jumps, ladders, doors' }),
  keepReachable: z
    .array(point)
    .min(1)
    .optional()
    .meta({ description: 'leave out mesh that none of these positions leads to, over the links, too' }),
  targets: z.array(target).optional().meta({ description: 'points that agents can go to or follow' }),
  agents: z.array(agent).optional().meta({ description: 'agents, single or in groups' }),
  respawn: z
    .enum(['nearest', 'spawn', 'remove', 'none'])
    .optional()
    .meta({ default: 'nearest', description: 'what happens to an agent that falls out of the world' }),
  seconds: positive.max(1e5).optional().meta({ default: '60', description: 'duration of the run' }),
  seed: z.int().min(0).max(0xffffffff).optional().meta({ default: '1', description: 'random seed' }),
});

export function checkSceneShape(value: unknown): { scene: SceneFile } | { issues: readonly z.core.$ZodIssue[] } {
  const result = SCENE_SCHEMA.safeParse(value);
  return result.success ? { scene: result.data } : { issues: result.error.issues };
}

/** Lists the keys that the map at a path of a scene file may have. */
export function sceneKeys(path: readonly (string | number)[]): string[] {
  return keysAt(SCENE_SCHEMA, path);
}

/** Returns the JSON Schema of a scene file. */
export function sceneJsonSchema(): Record<string, unknown> {
  return jsonSchemaOf(SCENE_SCHEMA, 'navkiln scene');
}
