/** Bakes the levels of a scene file to a mesh, or reads the mesh from the cache, and reports warnings. */
import { loadNavMesh, saveNavMesh } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { buildFromSurface, buildNavMesh, createAgentSizes, optionsFromSettings } from 'navkiln/build';
import type { AgentSize, BuildOptions, SurfaceOptions } from 'navkiln/build';
import { enableWideLinks } from 'navkiln/links';
import type { AutoLinker } from 'navkiln/links';
import type { AutoLinkSettings } from '../config/settings.ts';
import { keepTypes, sharedAgent } from '../config/shared-agent.ts';
import { InputError, blameInput } from '../errors.ts';
import { keyOfScene, openCache, readCache, writeCache } from './cache.ts';
import { loadPlacedLevel } from './levels.ts';
import type { PlacedLevel } from './levels.ts';
import type { SceneDocument } from './parse.ts';
import type { SceneFile } from './types.ts';

export interface BakeSceneOptions {
  /** Default true: reads the mesh next to the scene file, and saves it there. */
  cache?: boolean;
  /** Whether levels may name files outside of their folders. Default false. */
  allowOutside?: boolean;
  note: (message: string) => void;
  onProgress?: (progress: { stage: string; done: number; total: number }) => void;
}

/** Returns the mesh without the scene's links. Throws an `InputError` when nothing is walkable. */
export async function bakeScene(document: SceneDocument, options: BakeSceneOptions): Promise<NavMesh> {
  const { note, allowOutside = false } = options;
  const memoryLimitBytes = document.scene.bake?.memoryLimitBytes;
  const limits = { allowOutside, ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }) };
  const cache = options.cache === false ? undefined : openCache(document, limits);
  const kept = cache === undefined ? undefined : readCache(cache, note);
  if (kept !== undefined) return kept;
  const levels: PlacedLevel[] = [];
  for (let i = 0; i < document.scene.levels.length; i++) levels.push(await loadPlacedLevel(document, i, note, limits));
  const { agentTypes = [{}], bake } = document.scene;
  const ownSlope = document.scene.slope ?? bake?.agent?.maxSlopeDegrees ?? 45;
  const slope = Math.max(...agentTypes.map(({ maxSlopeDegrees = ownSlope }: Partial<AgentSize>) => maxSlopeDegrees));
  const flipped = levels.filter((level) => isUpsideDown(level, slope));
  for (const { label } of flipped) {
    const remedy = 'flip its faces, or set twoSided: true';
    note(`${label}: no triangle faces up, some face down: the winding is flipped; ${remedy}`);
  }
  enableWideLinks();
  const { navMesh, warnings } = await build(document, levels, options);
  for (const { message } of warnings) note(`warning: ${message}`);
  if (navMesh.polyCount === 0) {
    const why = flipped.length > 0 ? 'the winding is flipped' : warnings.map(({ message }) => message).join('; ');
    throw new InputError(`${document.path}: nothing is walkable${why === '' ? '' : `: ${why}`}`);
  }
  const bytes = saveNavMesh(navMesh);
  // When a level changed during the bake, the key no longer describes it.
  if (cache !== undefined && keyOfScene(document, limits) === cache.key) await writeCache(cache, bytes, note);
  // Loads the bytes, as a later run does from the cache: the same numbers in the same order give the same
  // run.
  return loadNavMesh(bytes);
}

/** Returns the builder's options for a scene, without its automatic links. */
export function sceneBuildOptions({
  build = 'voxel',
  slope,
  step,
  bake = {},
  agentTypes,
}: SceneFile): BuildOptions | SurfaceOptions {
  const { surface, agent: body, ...others } = bake;
  const { autoLinks: _, ...rest } = others;
  const agent = {
    ...body,
    ...(slope === undefined ? {} : { maxSlopeDegrees: slope }),
    ...(step === undefined ? {} : { maxClimb: step }),
    ...(build === 'voxel' || agentTypes === undefined ? {} : sharedAgent(agentTypes)),
  };
  if (build === 'voxel')
    return {
      ...optionsFromSettings(rest),
      agent,
      ...(agentTypes === undefined ? {} : { sizes: createAgentSizes(agentTypes) }),
    };
  const { strict, tileSize, maxVerticesPerPoly } = rest;
  return { ...surface, agent, strict, tileSize, maxVerticesPerPoly };
}

async function build(
  { scene, path }: SceneDocument,
  levels: readonly PlacedLevel[],
  { onProgress }: BakeSceneOptions,
): Promise<{ navMesh: NavMesh; warnings: readonly { message: string }[] }> {
  const isSurface = scene.build === 'surface';
  try {
    const limits = scene.bake?.autoLinks;
    const options = {
      ...sceneBuildOptions(scene),
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(limits === undefined ? {} : { autoLinks: await linkerOf(limits, path) }),
    };
    const { navMesh, report } = isSurface
      ? buildFromSurface([...levels], options as SurfaceOptions)
      : buildNavMesh(join(levels), options as BuildOptions);
    if (isSurface && scene.agentTypes !== undefined) keepTypes(navMesh, scene.agentTypes);
    return { navMesh, warnings: report.warnings };
  } catch (error) {
    throw blameInput(error, isSurface ? 'buildFromSurface' : 'buildNavMesh', `${path}: bake: `);
  }
}

async function linkerOf(limits: AutoLinkSettings, path: string): Promise<AutoLinker> {
  const { createAutoLinker } = await import('navkiln/links');
  try {
    return createAutoLinker(limits);
  } catch (error) {
    throw blameInput(error, 'createAutoLinker', `${path}: bake.autoLinks: `);
  }
}

function join(levels: readonly PlacedLevel[]): { positions: Float64Array; indices: Uint32Array } {
  const positions = new Float64Array(levels.reduce((sum, level) => sum + level.positions.length, 0));
  const indices = new Uint32Array(levels.reduce((sum, level) => sum + level.indices.length, 0));
  let coordinate = 0;
  let corner = 0;
  for (const level of levels) {
    positions.set(level.positions, coordinate);
    for (let i = 0; i < level.indices.length; i++) indices[corner + i] = level.indices[i] + coordinate / 3;
    coordinate += level.positions.length;
    corner += level.indices.length;
  }
  return { positions, indices };
}

/** Returns whether no triangle faces up and some that are not too steep face down. */
function isUpsideDown({ positions: p, indices }: PlacedLevel, slopeDegrees: number): boolean {
  const least = Math.cos((slopeDegrees * Math.PI) / 180);
  let down = 0;
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const a = 3 * indices[i],
      b = 3 * indices[i + 1],
      c = 3 * indices[i + 2];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy,
      ny = uz * vx - ux * vz,
      nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (ny > 0 && ny >= least * length) return false;
    if (ny < 0 && -ny >= least * length) down++;
  }
  return down > 0;
}
