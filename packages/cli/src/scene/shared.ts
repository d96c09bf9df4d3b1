/**
 * `navkiln-cli/scene`: scene files as text, and their people on a mesh, for programs with a user interface.
 * No Node.
 */
export { InputError } from '../errors.ts';
export { createSceneRun } from './drive.ts';
export type { SceneRun } from './drive.ts';
export { parseSceneText } from './parse.ts';
export type { SceneDocument } from './parse.ts';
export { castScene } from './people.ts';
export type { CastOptions, Errand, Person, SceneCast } from './people.ts';
export { sceneJsonSchema } from './schema.ts';
export { SCENE_VERSION } from './types.ts';
export type {
  SceneAgent,
  SceneFile,
  SceneLevel,
  SceneLink,
  ScenePoint,
  SceneRegion,
  SceneRespawn,
  SceneTarget,
} from './types.ts';
export { formatScene, writeScene } from './write.ts';
