/** Reads edits from text: from a link, or from the studio's own line in settings. Damaged entries are ignored. */
import { AREA_COUNT } from 'navkiln';
import { parsePolygonMap } from 'navkiln/polygon';
import type { SceneContent } from '../state/scene-content.ts';
import { LEFT_OUT, NO_EDITS, isPoint } from '../state/state.ts';
import type { Edits, LevelCorrection, LevelPart, MapDraft } from '../state/state.ts';

export function readEdits(text: string): Edits {
  try {
    const { volumes, links, seeds, tiles, parts, correction, map, mapLevels, draft, scene, areaNames } = JSON.parse(
      text,
    ) as Partial<Edits>;
    return {
      // The bake checks volumes and links, and reports what is wrong.
      volumes: Array.isArray(volumes) ? volumes : [],
      links: Array.isArray(links) ? links : [],
      seeds: Array.isArray(seeds) ? seeds.filter(isPoint) : [],
      ...(typeof tiles?.all === 'boolean' && Array.isArray(tiles.except) ? { tiles } : {}),
      ...(Array.isArray(parts) ? { parts: parts.filter(isPart) } : {}),
      ...(isCorrection(correction) ? { correction } : {}),
      ...(map === undefined ? {} : readMap(map)),
      ...(isLevelsChoice(mapLevels) ? { mapLevels } : {}),
      ...(isDraft(draft) ? { draft } : {}),
      ...(isScene(scene) ? { scene } : {}),
      ...(isNames(areaNames) ? { areaNames } : {}),
    };
  } catch {
    return NO_EDITS;
  }
}

function readMap(map: object): Pick<Edits, 'map'> {
  const { warnings: _warnings, ...own } = parsePolygonMap(map);
  return { map: own };
}

function isLevelsChoice(value: Edits['mapLevels']): value is NonNullable<typeof value> {
  if (typeof value !== 'object' || value === null) return false;
  const { property = 'level', levelHeight = 1 } = value;
  return isName(property) && levelHeight > 0 && Number.isFinite(levelHeight);
}

function isDraft(draft: MapDraft | undefined): draft is MapDraft {
  const isPair = (point: unknown): boolean =>
    Array.isArray(point) && point.length === 2 && point.every((value) => Number.isFinite(value));
  return (
    ['outline', 'hole', 'obstacle', 'area'].includes(draft?.kind ?? '') &&
    Array.isArray(draft?.points) &&
    draft.points.length > 0 &&
    draft.points.every(isPair)
  );
}

/** Checks names and places, which the page draws. The rest is checked when the scene runs or is saved. */
function isScene(scene: SceneContent | undefined): boolean {
  const { targets, agents, levels = [] } = scene ?? {};
  if (!Array.isArray(targets) || !Array.isArray(agents) || !Array.isArray(levels)) return false;
  return (
    targets.every(({ name, position, path = [] }) => isName(name) && [position ?? path[0], ...path].every(isPoint)) &&
    agents.every(({ position, within }) => isPoint(position ?? within?.center ?? within?.min)) &&
    levels.every(({ scene: bundled, file }) => isName(bundled ?? file))
  );
}

const isName = (name: unknown): boolean => typeof name === 'string' && name !== '';

function isPart({ id, shape, position, rotation, scale }: LevelPart): boolean {
  return (
    Number.isInteger(id) && ['box', 'ramp', 'stairs'].includes(shape) && [position, rotation, scale].every(isPoint)
  );
}

function isCorrection(value: LevelCorrection | undefined): value is LevelCorrection {
  return (
    typeof value === 'object' &&
    value !== null &&
    [-90, 0, 90].includes(value.turn) &&
    value.scale > 0 &&
    Number.isFinite(value.scale) &&
    typeof value.isFlipped === 'boolean' &&
    typeof value.isTwoSided === 'boolean' &&
    Object.values(value.objects ?? {}).every((area) => area === LEFT_OUT || isArea(area))
  );
}

const isArea = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < AREA_COUNT;

function isNames(value: Edits['areaNames']): value is NonNullable<typeof value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([area, name]) => isArea(Number(area)) && isName(name))
  );
}
