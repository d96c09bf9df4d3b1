/**
 * The worker that verifies a mesh: takes one task, answers with the result, then with its causes, or with the message of
 * an error. Its code is a bundle of its own, so that neither the page nor the worker of the bake grows.
 */
import { createVolumes, optionsFromSettings } from 'navkiln/build';
import type { NavMesh } from 'navkiln';
import type { TriangleInput } from 'navkiln/build';
import { explainFaults, verifyNavMesh } from 'navkiln/debug';
import type { VerifyResult } from 'navkiln/debug';
import { enableWideLinks } from 'navkiln/links';
import type { PolygonMap } from 'navkiln/polygon';
import { withParts } from '../state/parts.ts';
import { bakeOptions } from '../state/settings.ts';
import type { Edits, Settings } from '../state/state.ts';

export interface VerifyTask {
  /** The level without the shapes that the user added, or the 2D map. */
  level: { positions: Float32Array | Float64Array; indices: Uint32Array; areas?: Uint8Array } | PolygonMap;
  navMesh: NavMesh;
  settings: Settings;
  edits: Edits;
  /** Whether the mesh was baked here: causes are found with the settings. */
  isBaked: boolean;
}

/** The result; with `isFinal`, causes are in it, and no other answer follows. */
export type VerifyAnswer = { result: VerifyResult; isFinal: boolean } | string;

const answer = (message: VerifyAnswer): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<VerifyTask>) => {
  const { navMesh, settings, edits, isBaked } = data;
  enableWideLinks();
  try {
    const level: TriangleInput | PolygonMap =
      'positions' in data.level ? withParts(data.level, edits.parts ?? []) : data.level;
    const result = verifyNavMesh(level, navMesh, { volumes: createVolumes(edits.volumes) });
    if (!isBaked || 'polygons' in level || result.places.length === 0) {
      answer({ result, isFinal: true });
      return;
    }
    answer({ result, isFinal: false });
    answer({
      result: explainFaults(level, navMesh, result, { bake: optionsFromSettings(bakeOptions(settings, edits)) }),
      isFinal: true,
    });
  } catch (error) {
    answer((error as Error).message);
  }
});
