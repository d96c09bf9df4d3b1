/**
 * Runs a task. The same code runs in the worker and, where workers are blocked, on the page. Large modules
 * (glTF, the bounding volume hierarchy) are loaded on demand.
 */
import { loadNavMesh } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { levelScenes, mapScenes } from 'navkiln-scenes';
import type { LevelMesh, LevelSceneOptions } from 'navkiln-scenes';
import { bakeNavMesh, buildNavMesh } from 'navkiln/build';
import type { BuildOptions, BuildReport, BuildSettings } from 'navkiln/build';
import type { LevelGroup } from 'navkiln/io';
import { findBeside } from '../files/beside.ts';
import type { FileBytes } from '../files/kinds.ts';
import { farOrigin } from '../state/state.ts';
import type { LevelEdits, Settings } from '../state/state.ts';
import { messageOf } from '../state/message-of.ts';
import { boundsOfMesh, boundsOfPoints } from './bounds.ts';
import { hold } from './context.ts';
import { measureLevel } from './measure.ts';
import type { TaskContext } from './context.ts';
import type { About, Baked, Loaded, LoadedTriangles, Outcome, Task } from './protocol.ts';

/** Above this number of triangles the bounding volume hierarchy is built here and not on the page. */
const MANY_TRIANGLES = 20_000;

export async function runTask(task: Task, context: TaskContext): Promise<Outcome> {
  if (mayHaveWideLinks(task)) (await import('./auto-links.ts')).allowWideLinks();
  const outcome = await outcomeOf(task, context);
  if (
    outcome.kind === 'baked' &&
    !context.polite &&
    Math.max(outcome.navMesh.detailTriCount, outcome.navMesh.polyCount) > MANY_TRIANGLES
  ) {
    outcome.tree = (await import('./level-tree.ts')).buildMeshTree(outcome.navMesh);
  }
  const id = 'holdAs' in task ? task.holdAs : undefined;
  if (id !== undefined && (outcome.kind === 'level' || outcome.kind === 'corrected') && !context.polite) {
    // Copies: the message to the page takes the arrays themselves.
    const { positions, indices, areas } = outcome;
    hold({ id, positions: positions.slice(), indices: indices.slice(), areas: areas?.slice() }, context);
  }
  return outcome;
}

/** Returns whether the mesh of a task may have links with segments as ends. Their code is loaded when it is needed. */
function mayHaveWideLinks(task: Task): boolean {
  if (task.type === 'files') return task.kind === 'navmesh';
  const level = task.type === 'ask' ? task.subject : task;
  if (!('edits' in level)) return false;
  return level.edits.autoLinks !== undefined || (level.options.links ?? []).length > 0;
}

async function outcomeOf(task: Task, context: TaskContext): Promise<Outcome> {
  switch (task.type) {
    case 'scene':
      return loadScene(task.name, task.seed, task.scale);
    case 'files':
      return loadFiles(task, context).catch((error: unknown) => {
        // Readers of bytes alone begin with the name of their function.
        const text = messageOf(error).replace(/^[a-z]\w*: /, '');
        throw new Error(text.includes(task.main) ? text : `${task.main}: ${text}`);
      });
    case 'correct': {
      const { correctLevel } = await import('./correct-level.ts');
      const { positions, indices, areas } = correctLevel(task.level, task.correction, task.objects);
      return { kind: 'corrected', ...(await trianglesOf(positions, indices)), areas };
    }
    case 'place': {
      const { placeLevels } = await import('./read-scene.ts');
      const { levels, from, files } = task;
      const placed = await placeLevels(levels, { from, files, readLevel: (file) => readLevel(file, files) });
      const { positions, indices, starts, warnings } = placed;
      return { kind: 'corrected', ...(await trianglesOf(positions, indices)), levels, starts, warnings };
    }
    case 'bake-level':
      if (task.surface !== undefined)
        return (await import('./bake-surface.ts')).bakeSurface(task, task.surface, context);
      return bakeLevel(task, context);
    case 'bake-map':
      if (task.levels !== undefined)
        return (await import('./bake-levels.ts')).bakeLevels({ ...task, levels: task.levels });
      return (await import('./bake-map.ts')).bakeMap(task);
    case 'diagnose': {
      const { diagnose } = await import('./diagnose.ts');
      return diagnose({ ...task, options: await withTypes(task.options, task.edits) }, context);
    }
    case 'ask':
      return (await import('./answer.ts')).answer(await withTypesOf(task), context);
  }
}

/** Adds the agent types of a document to the options of its bake. Their code is loaded with the first types. */
async function withTypes(options: BuildSettings, edits: LevelEdits): Promise<BuildSettings> {
  return edits.agentTypes === undefined ? options : (await import('./with-sizes.ts')).withSizes(options, edits);
}

/** Returns a question about a level with agent types in the options of the bake. */
async function withTypesOf(task: Extract<Task, { type: 'ask' }>): Promise<Extract<Task, { type: 'ask' }>> {
  const { subject } = task;
  if (subject.kind === 'map') return task;
  return { ...task, subject: { ...subject, options: await withTypes(subject.options, subject.edits) } };
}

/** Returns the options of a scene as data. */
function settingsOfScene({ partition, ...options }: LevelSceneOptions): Settings {
  return partition === undefined || partition === 'watershed' ? options : { ...options, partition: partition.name };
}

async function loadScene(name: string, seed?: number, scale?: number): Promise<Loaded> {
  const scene = levelScenes.find((level) => level.name === name);
  if (scene !== undefined) {
    const { positions, indices } = scene.create(seed, scale);
    return levelOf(positions, indices, { title: scene.title, settings: settingsOfScene(scene.options), warnings: [] });
  }
  const crowd = (await import('../scenes/crowd-setup.ts')).createSetup(name, seed, scale);
  if (crowd !== undefined) {
    const { level, options } = crowd.setup;
    const { positions, indices, colors } = level as LevelMesh & { colors?: Uint8Array };
    const about = { title: crowd.title, settings: settingsOfScene(options as LevelSceneOptions), warnings: [] };
    return { ...(await levelOf(positions, indices, about)), ...(colors === undefined ? {} : { colors }) };
  }
  const map = mapScenes.find((entry) => entry.name === name);
  if (map === undefined) throw new Error(`There is no scene "${name}"; choose one from the "Scenes" menu.`);
  return (await import('./bake-map.ts')).mapOf(map.create(seed, scale), {
    title: map.title,
    settings: { agent: { radius: map.radius } },
    warnings: [],
  });
}

interface Level {
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  twoSided?: Uint8Array;
  groups: readonly LevelGroup[];
  warnings: readonly { message: string }[];
}

async function levelOf(
  positions: Float32Array | Float64Array,
  indices: Uint32Array,
  about: About,
): Promise<Extract<Loaded, { kind: 'level' }>> {
  return { kind: 'level', ...about, ...(await trianglesOf(positions, indices)) };
}

async function trianglesOf(positions: Float32Array | Float64Array, indices: Uint32Array): Promise<LoadedTriangles> {
  const bounds = boundsOfPoints(positions);
  const origin = farOrigin(bounds);
  const isPlain = positions instanceof Float32Array && origin.every((value) => value === 0);
  const display = isPlain
    ? positions
    : Float32Array.from(positions, (value, i) => value - origin[(i % 3) as 0 | 1 | 2]);
  const isLarge = indices.length / 3 > MANY_TRIANGLES;
  const tree = isLarge ? (await import('./level-tree.ts')).buildLevelTree(display, indices) : undefined;
  const measure = measureLevel(positions, indices, bounds);
  return { positions, indices, display, origin, bounds, tree, measure };
}

async function loadFiles(task: Extract<Task, { type: 'files' }>, context: TaskContext): Promise<Loaded> {
  const main = task.files.find(({ name }) => name === task.main);
  if (main === undefined) throw new Error(`${task.main}: the file is missing; open it again`);
  const about: About = { title: task.main, settings: undefined, warnings: [] };
  context.onProgress({ stage: 'reading', done: 0, total: 1 });
  switch (task.kind) {
    case 'gltf':
    case 'obj': {
      const level = await readLevel(main, task.files);
      const { orientTwoSided } = await import('navkiln/world');
      const indices = orientTwoSided(level.positions, level.indices, level.twoSided);
      const warnings = level.warnings.map(({ message }) => message);
      const { objectsOf } = await import('./objects.ts');
      return { ...(await levelOf(level.positions, indices, { ...about, warnings })), objects: objectsOf(level.groups) };
    }
    case 'scene': {
      const { readScene } = await import('./read-scene.ts');
      const read = await readScene(main, task.files, (file) => readLevel(file, task.files));
      const { positions, indices, edits, sceneFile, levels, starts, ...own } = read;
      return { ...(await levelOf(positions, indices, own)), levels, starts, scene: { file: sceneFile, edits } };
    }
    case 'navmesh':
      return meshOf(loadNavMesh(main.bytes), about);
    case 'detour': {
      const { parseDetourBin } = await import('navkiln/io');
      return meshOf(parseDetourBin(main.bytes).navMesh, about);
    }
    case 'map':
      return (await import('./bake-map.ts')).loadMap(main, task, about);
    default:
      throw new Error(`${task.main}: there is no reader for files of kind "${task.kind}"`);
  }
}

async function readLevel(file: FileBytes, files: readonly FileBytes[]): Promise<Level> {
  const { readLevelFile } = await import('navkiln-loaders');
  const beside = (name: string, uri: string): FileBytes['bytes'] => besideOf(files, file.name, name, uri);
  // Only files that the user chose can be read, whatever names the level uses.
  return readLevelFile(file.bytes, file.name, { beside, allowOutside: true });
}

function besideOf(files: readonly FileBytes[], main: string, name: string, uri: string): Uint8Array<ArrayBuffer> {
  const found = findBeside(files, main, name);
  if (found === undefined) throw new Error(`${main}: needs "${uri}"; choose or drop both files together`);
  return found.bytes;
}

function meshOf(navMesh: NavMesh, about: About): Loaded {
  const { agent, cellSize, cellHeight } = navMesh;
  // Some files store these sizes as float32; seven digits give back the number that was meant.
  const plain = (value: number): number => Number(value.toPrecision(7));
  const settings = {
    agent,
    ...(cellSize > 0 ? { cellSize: plain(cellSize) } : {}),
    ...(cellHeight > 0 ? { cellHeight: plain(cellHeight) } : {}),
  };
  return { kind: 'mesh', ...about, settings, navMesh, bounds: boundsOfMesh(navMesh) };
}

async function bakeLevel(task: Extract<Task, { type: 'bake-level' }>, context: TaskContext): Promise<Baked> {
  const held = hold(task.level, context);
  const { edits } = task;
  const options = await withTypes(task.options, edits);
  const { parts, tiles, seeds, autoLinks } = edits;
  const isPlain = parts.length + seeds.length === 0 && tiles === undefined && autoLinks === undefined;
  // Without tiles and without edits to the mesh there is nothing to keep for the next bake.
  if (isPlain && !options.tileSize) {
    context.baked = undefined;
    const all = { ...(await withCode(options)), onProgress: context.onProgress };
    const result = context.polite
      ? await bakeNavMesh(held, { ...all, signal: context.signal })
      : buildNavMesh(held, all);
    if (lacksSurface(result.report)) {
      const { explainEmpty } = await import('./explain-empty.ts');
      explainEmpty(result.report, held, options, result.navMesh);
    }
    const baked = bakedOf(result);
    baked.mayHaveIslands = result.navMesh.polyIsland.includes(1);
    // A copy: the message to the page takes the mesh itself.
    if (baked.mayHaveIslands && !context.polite) context.islands = structuredClone(result.navMesh);
    return baked;
  }
  const { bakeEdited } = await import('./edit-bake.ts');
  const baked = bakedOf(await bakeEdited(held, options, edits, context));
  // Pruning has removed islands.
  baked.mayHaveIslands = seeds.length === 0;
  context.islands = context.baked?.navMesh;
  return baked;
}

/** Returns options with the functions that they need. The code of those is loaded on demand. */
async function withCode(settings: BuildSettings): Promise<BuildOptions> {
  const { partition = 'watershed', volumes = [], links = [], dynamic = false, ...own } = settings;
  if (partition === 'watershed' && volumes.length + links.length === 0 && !dynamic) return own;
  return (await import('./full-options.ts')).optionsFromSettings(settings);
}

/** Returns whether a mesh is empty or covers little. */
function lacksSurface({ warnings }: BuildReport): boolean {
  return warnings.some(({ code }) => /^empty|^low/.test(code));
}

function bakedOf({ navMesh, report, rebuilt }: Pick<Baked, 'navMesh' | 'report' | 'rebuilt'>): Baked {
  return { kind: 'baked', navMesh, report, rebuilt, bounds: boundsOfMesh(navMesh) };
}
