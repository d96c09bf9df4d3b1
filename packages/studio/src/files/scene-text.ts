/** Extracts the settings and edits of a scene file, and writes them back into its text. Loaded on demand. */
import type { LinkOptions } from 'navkiln';
import { parseSceneText, writeScene } from 'navkiln-cli/scene';
import type { SceneFile, SceneLink } from 'navkiln-cli/scene';
import type { Edits, SceneFileData, Settings } from '../state/state.ts';

export function sceneSettings({ slope, step, bake = {} }: SceneFile): Settings {
  const { agent: body, surface, volumes, ...rest } = bake;
  void [surface, volumes];
  const agent = {
    ...body,
    ...(slope === undefined ? {} : { maxSlopeDegrees: slope }),
    ...(step === undefined ? {} : { maxClimb: step }),
  };
  return { ...rest, ...(Object.keys(agent).length === 0 ? {} : { agent }) };
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

/**
 * Returns the text of the file with the current settings, volumes and links. Everything else stays, including
 * comments.
 */
export function sceneText({ name, text }: SceneFileData, settings: Settings, edits: Edits): string {
  const document = parseSceneText(text, name);
  const { slope, step, bake, links, ...scene } = document.scene;
  const { agent = {}, map, ...rest } = settings;
  void map;
  const { maxSlopeDegrees, maxClimb, ...body } = agent;
  // A value stays where the file has it: on the top level or under `bake`.
  const [ownSlope, ownStep] = [slope !== undefined, step !== undefined];
  const baked = {
    ...body,
    ...(ownSlope || maxSlopeDegrees === undefined ? {} : { maxSlopeDegrees }),
    ...(ownStep || maxClimb === undefined ? {} : { maxClimb }),
  };
  const next = {
    ...rest,
    ...(Object.keys(baked).length > 0 || bake?.agent !== undefined ? { agent: baked } : {}),
    ...(bake?.surface === undefined ? {} : { surface: bake.surface }),
    ...(edits.volumes.length > 0 || bake?.volumes !== undefined ? { volumes: [...edits.volumes] } : {}),
  } as NonNullable<SceneFile['bake']>;
  return writeScene(document, {
    ...scene,
    ...(ownSlope && maxSlopeDegrees !== undefined ? { slope: maxSlopeDegrees } : {}),
    ...(ownStep && maxClimb !== undefined ? { step: maxClimb } : {}),
    ...(Object.keys(next).length > 0 || bake !== undefined ? { bake: next } : {}),
    ...(edits.links.length > 0 || links !== undefined ? { links: sceneLinks(edits.links, links ?? []) } : {}),
  });
}
