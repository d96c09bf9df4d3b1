/** Extracts the settings and edits of a scene file, and writes them back into its text. Loaded on demand. */
import type { LinkOptions } from 'navkiln';
import { SCENE_VERSION, formatScene, parseSceneText, writeScene } from 'navkiln-cli/scene';
import type { SceneFile, SceneLink } from 'navkiln-cli/scene';
import { levelsOf } from '../state/scene.ts';
import type { SceneContent } from '../state/scene-content.ts';
import type { Edits, SceneFileData, Settings, StudioState } from '../state/state.ts';

export function sceneSettings({ slope, step, bake = {}, agentTypes }: SceneFile): Settings {
  const { agent: body, surface, volumes, ...rest } = bake;
  void [surface, volumes];
  const agent = {
    ...body,
    ...(slope === undefined ? {} : { maxSlopeDegrees: slope }),
    ...(step === undefined ? {} : { maxClimb: step }),
  };
  return {
    ...rest,
    ...(Object.keys(agent).length === 0 ? {} : { agent }),
    ...(agentTypes === undefined ? {} : { agentTypes }),
  };
}

export function sceneEdits({ bake, links = [] }: SceneFile): Pick<Edits, 'volumes' | 'links'> {
  return { volumes: bake?.volumes ?? [], links: links.map(plainLink) };
}

function plainLink({ capacity, seconds, ...link }: SceneLink): LinkOptions {
  void [capacity, seconds];
  return link;
}

/** Converts links to scene links. Links that the scene already has keep their capacity and duration. */
export function sceneLinks(links: readonly LinkOptions[], before: readonly SceneLink[]): SceneLink[] {
  const keyOf = (link: LinkOptions): string => JSON.stringify([link.start, link.end]);
  return links.map((link, i) => {
    const own =
      links.length === before.length ? before[i] : before.find((old) => keyOf(plainLink(old)) === keyOf(link));
    const { capacity, seconds } = own ?? {};
    const use = { ...(capacity === undefined ? {} : { capacity }), ...(seconds === undefined ? {} : { seconds }) };
    return { ...link, ...use } as SceneLink;
  });
}

/** Extracts the parts of a scene that the scene tool edits. */
export function sceneContent(scene: SceneFile): SceneContent {
  const { levels, build, bake, targets = [], agents = [], seconds, seed } = scene;
  return {
    levels,
    ...(build === undefined ? {} : { build }),
    ...(bake?.surface === undefined ? {} : { surface: bake.surface }),
    targets,
    agents,
    ...(seconds === undefined ? {} : { seconds }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/**
 * Returns the text of the file with the current settings, volumes, links, targets, agents and levels. Everything else stays,
 * including comments.
 */
export function sceneText(
  { name, text }: Pick<SceneFileData, 'name' | 'text'>,
  settings: Settings,
  edits: Edits,
): string {
  const document = parseSceneText(text, name);
  return writeScene(document, withEdits(document.scene, settings, edits));
}

/** Returns the text of a scene that was made here, as YAML. Throws an error for edits that a scene file does not have. */
export function newSceneText(state: StudioState): string {
  const { edits, source } = state;
  const { correction, parts = [], tiles, seeds } = edits;
  const lost = [
    correction === undefined
      ? ''
      : 'the correction of the level (export it corrected, or scale it in the list of levels)',
    parts.length > 0 ? 'added shapes' : '',
    tiles === undefined ? '' : 'removed tiles',
    seeds.length > 0 ? 'pruning' : '',
    source?.kind === 'scene' && (source.seed !== undefined || source.scale !== undefined) ? 'a seed of the level' : '',
  ].filter((what) => what !== '');
  if (lost.length > 0) throw new Error(`A scene file cannot hold ${lost.join(', ')}. Undo that, then save the scene.`);
  return freshText(state);
}

/** Returns the text that runs: as it is saved, but also with edits that cannot be saved. */
export function runnableText(state: StudioState): string {
  const { sceneFile, settings, edits } = state;
  return sceneFile === undefined ? freshText(state) : sceneText(sceneFile, settings, edits);
}

function freshText(state: StudioState): string {
  const { settings, edits } = state;
  const scene = withEdits({ version: SCENE_VERSION, levels: [...levelsOf(state)] }, settings, edits);
  const { version, levels, build, bake, links, ...rest } = scene;
  return formatScene(withoutEmpty({ version, levels, build, bake, links, ...rest }));
}

/** Settings of a bake that a surface mesh has, too. */
const SURFACE_SETTINGS = ['agent', 'strict', 'tileSize', 'maxVerticesPerPoly', 'surface'];

/** Returns a scene with the current settings and edits. */
export function withEdits(scene: SceneFile, settings: Settings, edits: Edits): SceneFile {
  const { slope, step, bake, links, agentTypes: _, ...before } = scene;
  const { agent = {}, map, agentTypes, ...rest } = settings;
  void map;
  const { maxSlopeDegrees, maxClimb, ...body } = agent;
  // A value stays where the file has it: on the top level or under `bake`.
  const [ownSlope, ownStep] = [slope !== undefined, step !== undefined];
  const baked = {
    ...body,
    ...(ownSlope || maxSlopeDegrees === undefined ? {} : { maxSlopeDegrees }),
    ...(ownStep || maxClimb === undefined ? {} : { maxClimb }),
  };
  const own = withoutEmpty({ ...before, ...contentKeys(edits.scene) });
  const isSurface = own.build === 'surface';
  const all = {
    ...rest,
    ...(Object.keys(baked).length > 0 || bake?.agent !== undefined ? { agent: baked } : {}),
    ...(bake?.surface === undefined || !isSurface ? {} : { surface: bake.surface }),
    ...(edits.volumes.length > 0 || bake?.volumes !== undefined ? { volumes: [...edits.volumes] } : {}),
  };
  const next = Object.fromEntries(
    Object.entries(all).filter(([key]) => !isSurface || SURFACE_SETTINGS.includes(key)),
  ) as NonNullable<SceneFile['bake']>;
  return {
    ...own,
    ...(agentTypes === undefined ? {} : { agentTypes }),
    ...(ownSlope && maxSlopeDegrees !== undefined ? { slope: maxSlopeDegrees } : {}),
    ...(ownStep && maxClimb !== undefined ? { step: maxClimb } : {}),
    ...(Object.keys(next).length > 0 || bake !== undefined ? { bake: next } : {}),
    ...(edits.links.length > 0 || links !== undefined ? { links: sceneLinks(edits.links, links ?? []) } : {}),
  };
}

/** Returns the keys of a scene file that the scene tool has changed. Empty lists have no key. */
function contentKeys(content: SceneContent | undefined): Partial<SceneFile> {
  if (content === undefined) return {};
  const { surface: _surface, targets, agents, levels, ...own } = structuredClone(content);
  const listed = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined);
  const lists = { targets: listed(targets), agents: listed(agents) };
  return { ...own, ...lists, ...(levels === undefined ? {} : { levels: [...levels] }) };
}

/** Returns a record without keys that have no value. */
function withoutEmpty<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
