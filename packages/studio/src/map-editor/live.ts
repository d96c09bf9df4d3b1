/**
 * The build of a 2D map on the page, stage by stage, while a corner is dragged. Loaded with the draw tool.
 *
 * In: a map and the options of its build. Out: drawings of one stage.
 * Cost: a build for each map that is drawn; maps of more corners than `MAX_CORNERS` are left to the worker.
 * Based on: own.
 */
import { findOptimalPath } from 'navkiln';
import { stageDrawings } from 'navkiln/debug';
import type { StageInfo } from 'navkiln/debug';
import { buildFromPolygons, cutByDiagonals, findClosedPassages } from 'navkiln/polygon';
import type { PolygonBuild, PolygonMap } from 'navkiln/polygon';
import { messageOf } from '../state/message-of.ts';
import { mapOptions } from '../state/settings.ts';
import { isPoint, originOf } from '../state/state.ts';
import type { StudioState } from '../state/state.ts';
import { drawingOf } from '../view/debug-geometry.ts';
import type { Drawing } from '../view/drawing.ts';
import { createMarks } from '../view/marks.ts';
import type { Palette } from '../view/palette.ts';
import { cornersOf } from '../state/map-shapes.ts';

export const MAX_CORNERS = 2000;
export const PATH_STAGE = 'path';

export interface LiveStages {
  /** Lists the stages in order: those of the build, then the path between the ends of the path tool. */
  list: (state: StudioState) => readonly Pick<StageInfo, 'id' | 'title'>[];
  /** Draws a stage of a map, and says in a sentence what it shows. */
  draw: (state: StudioState, map: PolygonMap, stage: string, palette: Palette) => { drawings: Drawing[]; text: string };
}

export function createLiveStages(): LiveStages {
  let last: { map: PolygonMap; settings: StudioState['settings']; build: PolygonBuild | string } | undefined;
  const buildOf = (state: StudioState, map: PolygonMap): PolygonBuild | string => {
    if (last?.map === map && last.settings === state.settings) return last.build;
    let build: PolygonBuild | string;
    try {
      build = isLarge(map)
        ? `Stages are drawn here for up to ${MAX_CORNERS} corners; the tool Stages draws larger maps.`
        : buildFromPolygons(map, { ...mapOptions(state.settings), cutByDiagonals, findClosedPassages });
    } catch (error) {
      build = messageOf(error).replace(/^\w+: /, '');
    }
    last = { map, settings: state.settings, build };
    return build;
  };
  return {
    list: ({ settings }) => [
      ...stageDrawings.listMapStages(settings.map?.mode ?? 'delaunay'),
      { id: PATH_STAGE, title: 'Path' },
    ],
    draw(state, map, stage, palette) {
      if (map.polygons.length === 0) return { drawings: [], text: 'Draw an outline first.' };
      const build = buildOf(state, map);
      if (typeof build === 'string') return { drawings: [], text: build };
      const origin = originOf(state);
      if (stage === PATH_STAGE) return drawPath(state, build, palette);
      const view = stageDrawings.viewMapStage(build, stage);
      const drawings = view.lists
        .filter(({ positions }) => positions.length > 0)
        .map((list) =>
          drawingOf(list, origin, (list.kind === 'lines' ? { width: 2, order: 2 } : {}) as Partial<Drawing>),
        );
      const counts = Object.entries(view.counts).map(([name, value]) => `${value} ${name}`);
      return { drawings, text: `${view.text} ${counts.join(', ')}.` };
    },
  };
}

function isLarge(map: PolygonMap): boolean {
  return cornersOf(map) > MAX_CORNERS;
}

function drawPath(state: StudioState, build: PolygonBuild, palette: Palette): { drawings: Drawing[]; text: string } {
  const { from, to } = state.toolStates['path'] ?? {};
  if (!isPoint(from) || !isPoint(to)) return { drawings: [], text: 'Set both ends with the tool Path first.' };
  const path = findOptimalPath(build.navMesh, from, to, { halfExtents: Infinity });
  const marks = createMarks(originOf(state), palette);
  marks.polys(
    build.navMesh,
    Array.from({ length: build.navMesh.polyCount }, (_, poly) => poly),
    palette.ground,
    110,
  );
  marks.line(path.points, marks.colors.main);
  marks.dots([from, to], marks.colors.second, 7);
  const text = path.status === 'none' ? `No path: ${path.reason}.` : `${path.status}, ${path.length.toFixed(2)} long.`;
  return { drawings: marks.list, text };
}
