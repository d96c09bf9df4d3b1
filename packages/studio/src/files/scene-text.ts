/** Scene files: what the studio edits of them, and the same file with what has been changed. Loaded when it is needed. */
import { parseSceneText, writeScene } from 'navkiln-cli/scene';
import type { SceneFile, SceneLink } from 'navkiln-cli/scene';
import type { LinkOptions } from 'navkiln';
import type { Edits, SceneFileData, Settings } from '../app/state.ts';

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

/** Links of the studio as the scene has them: those that are still there keep how they are used. */
export function sceneLinks(links: readonly LinkOptions[], before: readonly SceneLink[]): SceneLink[] {
  const keyOf = (link: LinkOptions): string => JSON.stringify([link.start, link.end]);
  return links.map((link, i) => {
    const own =
      links.length === before.length ? before[i] : before.find((one) => keyOf(plainLink(one)) === keyOf(link));
    const { capacity, seconds } = own ?? {};
    const use = { ...(capacity === undefined ? {} : { capacity }), ...(seconds === undefined ? {} : { seconds }) };
    return { ...link, ...use } as SceneLink;
  });
}

/** The file's own text with settings, volumes and links as they are now: comments and the rest stay. */
export function sceneText({ name, text }: SceneFileData, settings: Settings, edits: Edits): string {
  const document = parseSceneText(text, name);
  const { slope, step, bake, links, ...scene } = document.scene;
  const { agent = {}, map, ...rest } = settings;
  void map;
  const { maxSlopeDegrees, maxClimb, ...body } = agent;
  // Where the file had it, there it stays.
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
