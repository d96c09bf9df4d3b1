/** Turns loaded content into a change of the state. */
import type { Loaded } from '../bake/protocol.ts';
import { NO_EDITS } from '../state/state.ts';
import type { MapData, Settings, Source, StudioState } from '../state/state.ts';

type LoadedMap = Extract<Loaded, { kind: 'map' }>;

/** Returns what changes when content opens. `adjust` changes the settings that come with a scene. */
export function patchOf(
  before: StudioState,
  source: Source,
  loaded: Loaded,
  id: number,
  adjust: (base: Settings) => Settings,
): Partial<StudioState> {
  const { warnings } = loaded;
  // A scene's own settings are dropped with the scene. Settings for files, or from before anything was open,
  // stay for the next file.
  const isKept = source.kind === 'files' && before.source?.kind !== 'scene' && loaded.settings === undefined;
  const base = loaded.settings ?? (isKept ? before.baseSettings : {});
  const patch: Partial<StudioState> = {
    source,
    baseSettings: base,
    settings: isKept ? before.settings : adjust(base),
    selection: undefined,
    edits: isKept && before.source === undefined ? before.edits : NO_EDITS,
    level: undefined,
    map: undefined,
    sceneFile: undefined,
    mesh: undefined,
    shell: undefined,
    cut: undefined,
    world: undefined,
  };
  if (loaded.kind === 'level') {
    const { kind: _kind, settings: _settings, warnings: _warnings, scene: _scene, ...triangles } = loaded;
    const { positions, indices } = triangles;
    const opened = { positions, indices };
    patch.level = {
      id,
      ...triangles,
      warnings,
      opened,
      correction: undefined,
    };
    if (loaded.scene !== undefined) {
      patch.sceneFile = loaded.scene.file;
      patch.edits = { ...NO_EDITS, ...loaded.scene.edits };
    }
  } else if (loaded.kind === 'map') patch.map = mapData(loaded, id);
  else patch.mesh = { id, navMesh: loaded.navMesh, bounds: loaded.bounds, report: undefined };
  if (before.source !== undefined) patch.toolStates = {};
  return patch;
}

/** Returns a map as the state has it. */
export function mapData({ title, map, bounds, warnings, levels, choices }: LoadedMap, id: number): MapData {
  const more = { ...(levels === undefined ? {} : { levels }), ...(choices === undefined ? {} : { choices }) };
  return { id, title, map, bounds, warnings, ...more };
}
