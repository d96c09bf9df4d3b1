/** The code of each view: it runs, and gives what the page shows. No browser. */
import * as navkiln from 'navkiln';
import { parseSceneText } from 'navkiln-cli/scene';
import * as scene from 'navkiln-cli/scene';
import { findLevelScene } from 'navkiln-scenes';
import * as build from 'navkiln/build';
import { addAgent, createCrowd, listAgents, moveAgentTo } from 'navkiln/crowd';
import * as crowd from 'navkiln/crowd';
import * as debug from 'navkiln/debug';
import * as kernel from 'navkiln/kernel';
import * as polygon from 'navkiln/polygon';
import * as world from 'navkiln/world';
import { describe, expect, it } from 'vitest';
import { viewCode } from '../src/code/view-code.ts';
import { runnableText } from '../src/files/scene-text.ts';
import { NO_EDITS, createState } from '../src/state/state.ts';
import type { Edits, StudioState } from '../src/state/state.ts';

const MODULES: Readonly<Record<string, object>> = {
  navkiln,
  'navkiln/build': build,
  'navkiln/crowd': crowd,
  'navkiln/debug': debug,
  'navkiln/kernel': kernel,
  'navkiln/polygon': polygon,
  'navkiln/world': world,
  'navkiln-cli/scene': scene,
};
const { options: given, create } = findLevelScene('slope-limits');
const options = given as StudioState['settings'];
const { positions, indices } = create();
const OUTLINE = [
  [0, 0],
  [20, 0],
  [20, 10],
  [0, 10],
] as const;
const PILLAR = [
  [4, 4],
  [6, 4],
  [5, 6],
] as const;

/** Runs a program with the given names, and returns one of its values. */
function run(code: string, given: object, result: string): unknown {
  const names: string[] = [];
  const body = code.replace(/^import \{ (.*) \} from '(.*)';$/gm, (_, list: string, module: string) => {
    for (const name of list.split(', ')) expect(Object.keys(MODULES[module]), module).toContain(name);
    names.push(`const { ${list} } = modules['${module}'];`);
    return '';
  });
  const all = { modules: MODULES, ...given };
  return new Function(...Object.keys(all), `${names.join('\n')}\n${body}\nreturn ${result};`)(...Object.values(all));
}

/** Returns a state as the page has it after a bake. */
function levelState(edits: Partial<Edits> = {}, settings: StudioState['settings'] = options): StudioState {
  const all = { ...NO_EDITS, ...edits };
  const { navMesh, report } = build.buildNavMesh(
    { positions, indices },
    build.optionsFromSettings({ ...settings, volumes: all.volumes, links: all.links }),
  );
  const level = { positions, indices } as unknown as StudioState['level'];
  const mesh = { id: 1, navMesh, report, bounds: { min: [0, 0, 0], max: [30, 9, 20] } } as const;
  return { ...createState(), source: { kind: 'scene', name: 'slope-limits' }, settings, edits: all, level, mesh };
}

function mapState(): StudioState {
  const map = { polygons: [{ outline: OUTLINE, holes: [PILLAR] }] };
  const { navMesh, report } = polygon.buildFromPolygons(map, { agent: { radius: 0.2 } });
  const bounds = { min: [0, 0, -10], max: [20, 0, 0] } as const;
  return {
    ...createState(),
    source: { kind: 'new' },
    settings: { agent: { radius: 0.2 } },
    map: { id: 1, title: 'map', map, bounds, warnings: [] },
    mesh: { id: 1, navMesh, report, bounds },
  };
}

const bytesOf = (mesh: unknown): string => Buffer.from(navkiln.saveNavMesh(mesh as never)).toString('base64');

describe('the code of a view on a level', () => {
  const volumes = [{ type: 'box', name: 'gate', min: [10, -1, 1], max: [12, 2, 4] }] as never;
  const links = [{ start: [11, 0, 1.5], end: [8.25, 2.31, 12], bothWays: true }] as never;

  it('bakes the same mesh, with areas, links and closed doors', () => {
    const state = levelState({ volumes, links });
    for (const tool of ['look', 'volume', 'link']) {
      expect(bytesOf(run(viewCode(state, tool, undefined), { positions, indices }, 'navMesh'))).toBe(
        bytesOf(state.mesh!.navMesh),
      );
    }
    navkiln.setEnabled(state.mesh!.navMesh, 'gate', false);
    const closed = run(viewCode(state, 'volume', undefined), { positions, indices }, 'navMesh');
    expect(navkiln.isEnabled(closed as never, 'gate')).toBe(false);
  });

  it('removes tiles and what cannot be reached', () => {
    const tiled = { ...options, tileSize: 5 };
    const all = levelState({}, tiled);
    const count = (code: string): number =>
      (run(code, { positions, indices }, 'navMesh') as navkiln.NavMesh).tileState.filter((state) => state === 1).length;
    const tiles = all.mesh!.navMesh.tileState.filter((state) => state === 1).length;
    const one = { ...all, edits: { ...all.edits, tiles: { all: true, except: [[2, 0]] as const } } };
    expect(count(viewCode(one, 'tiles', undefined))).toBe(tiles - 1);
    const only = { ...all, edits: { ...all.edits, tiles: { all: false, except: [[2, 0]] as const } } };
    expect(count(viewCode(only, 'tiles', undefined))).toBe(1);
    const pruned = { ...all, edits: { ...all.edits, seeds: [[15, 0, 2]] as const } };
    const mesh = run(viewCode(pruned, 'prune', undefined), { positions, indices }, 'navMesh') as navkiln.NavMesh;
    expect(mesh.polyFlags.filter((flags) => flags === 0).length).toBeGreaterThan(0);
  });

  it('adds shapes as levels of a world', () => {
    const part = { id: 1, shape: 'box', position: [12, 0, 2.5], rotation: [0, 30, 0], scale: [2, 1, 2] } as const;
    const state = levelState({ parts: [part] });
    const mesh = run(viewCode(state, 'parts', undefined), { positions, indices }, 'navMesh') as navkiln.NavMesh;
    const top = navkiln.findNearest(mesh, [12, 1, 2.5], { halfExtents: [0.1, 0.2, 0.1] });
    expect(top.found).toBe(true);
    const obstacle = { id: 1, shape: 'cylinder', width: 2, height: 1, position: [12, 0, 2.5] };
    const code = viewCode(levelState(), 'crowd', { live: { obstacles: [obstacle] } });
    const carved = run(code, { positions, indices }, 'navMesh') as navkiln.NavMesh;
    expect(navkiln.findNearest(carved, [12, 0, 2.5], { halfExtents: [0.5, 1, 0.5] }).found).toBe(false);
  });

  it('shows stages and explains positions', () => {
    const state = levelState();
    const view = run(viewCode(state, 'stages', { stage: 'regions' }), { positions, indices }, 'lists');
    expect(view).not.toEqual([]);
    const portals = viewCode(state, 'stages', { stage: 'portals' });
    expect(run(portals, { positions, indices }, 'counts')).toBeDefined();
    const why = { ...state, toolStates: { why: { at: [11, 0, 1.5] } } };
    expect(run(viewCode(why, 'why', undefined), { positions, indices }, 'message')).toMatch(/^Walkable/);
  });

  it('runs agents, and scenes as the command line does', () => {
    const state = levelState();
    const { navMesh } = state.mesh!;
    const own = createCrowd(navMesh, { maxAgents: 4 });
    const id = addAgent(own, [6, 0, 2], {});
    addAgent(own, [8, 0, 2], {});
    moveAgentTo(own, id, [12, 0, 2]);
    const after = run(viewCode(state, 'crowd', { crowd: own }), { positions, indices }, 'crowd') as crowd.Crowd;
    expect(listAgents(after).map((agent) => crowd.getAgent(after, agent)!.status)).toEqual(['arrived', 'idle']);
    const withScene = {
      ...state,
      edits: {
        ...state.edits,
        scene: {
          targets: [
            {
              name: 'cart',
              path: [
                [6, 0, 2],
                [13, 0, 2],
              ] as [number, number, number][],
              speed: 1,
            },
          ],
          agents: [{ name: 'guide', position: [3, 0, 3] as [number, number, number], follows: 'cart' }],
          seconds: 5,
        },
      },
    };
    const text = runnableText(withScene);
    const code = viewCode(withScene, 'scene', undefined);
    const given = { positions, indices, text, console };
    expect(run(code, given, 'driver.crowd.tick')).toBe(300);
    expect(viewCode(withScene, 'crowd', { isScene: true })).toBe(code);
    expect(parseSceneText(text, 'scene.yaml').scene.levels).toEqual([{ scene: 'slope-limits' }]);
  });

  it('builds surfaces, and loads saved meshes', () => {
    const state = levelState();
    const surface = {
      ...state,
      edits: { ...state.edits, scene: { targets: [], agents: [], build: 'surface' as const } },
    };
    const mesh = run(viewCode(surface, 'look', undefined), { positions, indices }, 'navMesh') as navkiln.NavMesh;
    expect(mesh.polyCount).toBeGreaterThan(0);
    const saved = { ...state, level: undefined };
    const bytes = navkiln.saveNavMesh(state.mesh!.navMesh);
    expect(bytesOf(run(viewCode(saved, 'look', undefined), { bytes }, 'navMesh'))).toBe(bytesOf(state.mesh!.navMesh));
  });
});

it('the code of a view on a 2D map builds it, shows stages, explains positions and walks', () => {
  const state = mapState();
  for (const tool of ['look', 'draw', 'walk']) {
    expect(bytesOf(run(viewCode(state, tool, undefined), {}, 'navMesh'))).toBe(bytesOf(state.mesh!.navMesh));
  }
  expect(run(viewCode(state, 'stages', { stage: 'outline' }), {}, 'text')).toEqual(expect.any(String));
  const why = { ...state, toolStates: { why: { at: [5, 0, -4.5] } } };
  expect(run(viewCode(why, 'why', undefined), {}, 'message')).toEqual(expect.any(String));
  const points = [
    [1, 1],
    [6, 5],
    [19, 9],
  ];
  expect(run(viewCode(state, 'walk', { points, speed: 3 }), {}, 'walker.done')).toBe(true);
});

it('without content there is no code', () => {
  expect(viewCode(createState(), 'look', undefined)).toBe('');
});
