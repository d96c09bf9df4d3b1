/**
 * Misuse: every exported function is called with wrong arguments. Each call returns a valid result or throws in the library's
 * words, and one that throws changes nothing. Another seed picks other trials; `npm run soak -- misuse` runs all of them, and random
 * pairs of faults.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { listCalls } from '../../../../tools/misuse/calls.mjs';
import { createFixtures } from '../../../../tools/misuse/fixtures.mjs';
import { loadModules } from '../../../../tools/misuse/load.mjs';
import { createRunner, functionsOf } from '../../../../tools/misuse/run.mjs';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
/** Trials of each function. */
const TRIALS = Number(process.env['NAVKILN_MISUSE'] ?? 2);

type Modules = Awaited<ReturnType<typeof loadModules>>;
type Fixtures = ReturnType<typeof createFixtures>;
let modules: Modules;
beforeAll(async () => {
  modules = await loadModules();
});

describe('misuse', () => {
  it('each exported function has a valid call, and a function without one is noticed', () => {
    const calls = listCalls(modules, functionsOf);
    expect(calls.length).toBeGreaterThan(300);
    const more = { ...modules, crowd: { ...modules.crowd, newFunction: () => {} } };
    expect(() => listCalls(more, functionsOf)).toThrow(/no valid call in tools\/misuse for newFunction/);
  });

  it(
    `${TRIALS} wrong calls of each function are answered in the library's words (seed ${SEED})`,
    { timeout: 120_000 },
    async () => {
      const calls = listCalls(modules, functionsOf);
      const runner = createRunner(modules, createFixtures(modules));
      const next = seeded(SEED);
      const failures: string[] = [];
      const counts: Record<string, number> = {};
      for (const call of calls) {
        const problem = await runner.runValid(call);
        if (problem !== '') failures.push(problem);
        if (problem !== '') continue;
        const faults = runner.faultsOf(call);
        for (let i = 0; i < Math.min(TRIALS, faults.length); i++) {
          const { outcome, text } = await runner.run(call, [faults[Math.floor(next() * faults.length)]]);
          counts[outcome] = (counts[outcome] ?? 0) + 1;
          if (outcome.startsWith('FAIL')) failures.push(text);
        }
      }
      console.info(`misuse: ${JSON.stringify(counts)}`);
      expect(failures).toEqual([]);
    },
  );
});

describe('calls that showed text of the engine, named another function or did not end', () => {
  type Setup = Parameters<Modules['debug']['crowdRuns']['runCrowdScene']>[0];
  const setupOf = (f: Fixtures): Setup => f.setup() as never;
  const cases: readonly [name: string, call: (f: Fixtures) => unknown, message: string][] = [
    [
      'findRandomPoint without a mesh',
      () => modules[''].findRandomPoint('x' as never, () => 0.5),
      'findRandomPoint: mesh is "x"; must be a NavMesh',
    ],
    [
      'findSmoothPath without a mesh',
      () => modules[''].findSmoothPath(null as never, [0, 0, 0], [1, 0, 1]),
      'findSmoothPath: mesh is null; must be a NavMesh',
    ],
    [
      'placementMatrix with a symbol for a name',
      () => modules.world.placementMatrix({ scale: NaN }, Symbol('s') as never),
      'placementMatrix: caller is Symbol(s); must be a string',
    ],
    [
      'parseObj with a list for a name',
      () => modules.io.parseObj('f', [Symbol('s')] as never),
      'parseObj: name is [Symbol(s)]; must be a string',
    ],
    [
      'resolvePolygonOptions',
      () => modules.polygon.mapStages.resolvePolygonOptions({ radius: -1 }),
      'resolvePolygonOptions: options.radius is -1; must be finite and >= 0',
    ],
    [
      'readPolygonMap',
      () =>
        modules.polygon.mapStages.readPolygonMap(
          { polygons: [] },
          modules.polygon.mapStages.resolvePolygonOptions(),
          () => {},
        ),
      'readPolygonMap: map.polygons is empty; must have at least one outline',
    ],
    [
      'explainEmptySurface without a level',
      () => modules.debug.explainEmptySurface(Symbol('s') as never),
      'explainEmptySurface: level is Symbol(s); must be { positions, indices? } or an array of them',
    ],
    [
      'explainEmptySurface with null for options',
      () => modules.debug.explainEmptySurface({ positions: [] }, null as never),
      'explainEmptySurface: options is null; must be an object',
    ],
    [
      'runCrowdScene with a clock that returns no number',
      (f) => modules.debug.crowdRuns.runCrowdScene(setupOf(f), { now: () => 'x' as never }),
      'runCrowdScene: the result of options.now() is "x"; must be a finite number',
    ],
    [
      'runCrowdScene with an invalid agent',
      (f) =>
        modules.debug.crowdRuns.runCrowdScene({ ...setupOf(f), agents: [{ ...setupOf(f).agents[0], radius: -1 }] }),
      'runCrowdScene: setup.agents[0]: addAgent: options.radius is -1; must be ',
    ],
    [
      'startCrowdRun with an unknown order, which removed the agent',
      (f) =>
        modules.debug.crowdRuns.startCrowdRun({
          ...setupOf(f),
          script: [{ atSecond: 0, do: 'fly' as 'stop', agent: 0 }],
        }),
      "startCrowdRun: setup.script[0].do is \"fly\"; must be 'move-to', 'follow', 'stop', 'remove', 'rebuild-tile'",
    ],
    [
      'startCrowdRun with a variant that is not there',
      (f) =>
        modules.debug.crowdRuns.startCrowdRun({
          ...setupOf(f),
          script: [{ atSecond: 0, do: 'rebuild-tile', x: 0, z: 0, variant: 1 }],
        }),
      'startCrowdRun: setup.script[0].variant is 1; must be a whole number up to 0, the number of variants',
    ],
    [
      'sceneSvg with a line without a name',
      () => modules.debug.sceneSvg({ lines: [{ points: [[0, 0, 0]] } as never] }),
      'sceneSvg: input.lines[0].name is undefined; must be a string',
    ],
    [
      'voxelBoxes with a callback that returns a BigInt',
      (f) => modules.debug.stageDrawings.voxelBoxes(f.stage('solid'), () => 1n as never),
      'color: the result is 1; must be a number 0xrrggbbaa',
    ],
    [
      'voxelFloors with a symbol for a limit',
      (f) => modules.debug.stageDrawings.voxelFloors(f.stage('field'), () => 1, { limit: [Symbol('s')] as never }),
      'voxelFloors: options.limit is [Symbol(s)]; must be a number',
    ],
    [
      'findPaths with an end that is NaN, which changed the batch',
      (f) =>
        modules.index.findPaths(modules.index.createPathBatch(), modules.index.buildPathIndex(f.mesh()), f.mesh(), [
          1,
          0,
          1,
          2,
          0,
          NaN,
        ]),
      'findPaths: ends[5] is NaN; must be a finite number',
    ],
    [
      'savePathIndex of an index that went through JSON',
      (f) => modules.index.savePathIndex(JSON.parse(JSON.stringify(modules.index.buildPathIndex(f.mesh())))),
      'savePathIndex: index is an object; must be a PathIndex',
    ],
    [
      'buildFromLevels with a map without polygons',
      () => modules.polygon.buildFromLevels({ levels: [{ name: '0', height: 0, map: { polygons: [null as never] } }] }),
      'buildFromLevels: map.levels[0].map.polygons[0].outline is undefined; must be an array of points [x, y]',
    ],
    [
      'buildFromLevels with an option out of range',
      () =>
        modules.polygon.buildFromLevels(
          {
            levels: [
              {
                name: '0',
                height: 0,
                map: {
                  polygons: [
                    {
                      outline: [
                        [0, 0],
                        [1, 0],
                        [0, 1],
                      ],
                    },
                  ],
                },
              },
            ],
          },
          { radius: -1 },
        ),
      'buildFromLevels: options.radius is -1; must be finite and >= 0',
    ],
    [
      'buildFromLevels with null for options',
      () => modules.polygon.buildFromLevels({ levels: [] }, null as never),
      'buildFromLevels: options is null; must be an object',
    ],
    [
      'parseSvg with names of claimed length',
      () => modules.polygon.parseSvg('<svg/>', { walls: Object.assign(['a'], { length: 1e9 }) }),
      'parseSvg: options.walls is an array of 1000000000; must be an array of names',
    ],
    [
      'pickMapReadOptions without a record',
      () => modules.polygon.pickMapReadOptions(null as never),
      'pickMapReadOptions: settings is null; must be an object',
    ],
    [
      'explainSurfaceFaults without a level',
      (f) =>
        modules.debug.explainSurfaceFaults(
          undefined as never,
          f.mesh(),
          modules.debug.verifyNavMesh(f.level() as never, f.mesh()),
        ),
      'explainSurfaceFaults: level is undefined; must be an object',
    ],
  ];
  it.each(cases)('%s', (_, call, message) => {
    const fixtures = createFixtures(modules);
    let thrown = '';
    try {
      call(fixtures);
    } catch (error) {
      thrown = (error as Error).message;
    }
    expect(thrown.slice(0, message.length)).toBe(message);
  });
});

describe('lengths that are only claimed, deep and frozen records', () => {
  const sparse = (): number[] => {
    const list = [0, 0, 0];
    list.length = 1e9;
    return list;
  };
  const withHole = (): number[][] => {
    const list = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ];
    delete list[1];
    return list;
  };
  const deep = (): unknown[] => {
    let list: unknown[] = [0];
    for (let depth = 0; depth < 1e5; depth++) list = [list];
    return list;
  };
  const cases: readonly [name: string, call: (f: Fixtures) => unknown, message: RegExp][] = [
    [
      'an outline with a hole',
      () => modules.polygon.buildFromPolygons({ polygons: [{ outline: withHole() as never }] }),
      /\[1\] is undefined; must be \[x, y\]/,
    ],
    [
      'an outline of claimed length',
      () => modules.polygon.buildFromPolygons({ polygons: [{ outline: sparse() as never }] }),
      /outline\.length is 1000000000/,
    ],
    [
      'radii of claimed length',
      () => modules.polygon.mapStages.resolvePolygonOptions({ radii: sparse() }),
      /options\.radii is/,
    ],
    [
      'features of claimed length',
      () => modules.polygon.parseGeoJson({ type: 'FeatureCollection', features: sparse() }),
      /claims to be an array of 1000000000/,
    ],
    [
      'seeds of claimed length',
      (f) => modules[''].pruneUnreachable(f.mesh(), sparse() as never),
      /seeds is \[.*without gaps/s,
    ],
    ['types of claimed length', () => modules[''].typeFilter(sparse() as never, 'x'), /types is \[.*without gaps/s],
    [
      'positions of claimed length',
      () => modules.build.buildNavMesh({ positions: { length: 1e9, 0: 0 } as never, indices: [0, 1, 2] }, {}),
      /input\.positions\[999999999\] is undefined/,
    ],
    [
      'a position of claimed length',
      () => modules.build.createObstacles([{ type: 'box', size: [1, 1, 1], position: { length: 1e9, 0: 0 } as never }]),
      /position is an object; must be 3 finite numbers/,
    ],
    ['a deep mesh', () => modules[''].findIslands(deep() as never), /mesh is \[\[\[an object\]\]\]; must be a NavMesh/],
    [
      'a frozen mesh',
      (f) => modules[''].addLink(Object.freeze({ ...f.mesh() }), { start: [0, 0, 0], end: [1, 0, 0] }),
      /mesh is an object; must be not frozen/,
    ],
    [
      'a link whose end is too far away for its mesh to load again',
      (f) => modules[''].addLink(f.mesh(), { start: [0, 0, 0], end: [1e150, 0, 0] }),
      /options.end is 1e\+150; must be below 1e100/,
    ],
    [
      'a link with a cost that its mesh could not load',
      (f) => modules[''].addLink(f.mesh(), { start: [0, 0, 0], end: [1, 0, 0], cost: 1e100 }),
      /options.cost is 1e\+100; must be >= 0, below 1e100/,
    ],
    [
      'layer names of claimed length',
      () => modules.polygon.parseTiled('{}', { walkable: sparse() as never }),
      /options.walkable is .* array of layer names without gaps/,
    ],
    [
      'points of claimed length',
      () => modules.debug.sceneSvg({ path: { points: [sparse(), sparse()] } }),
      /input.path.points\[0\] is .*; must be an array without gaps/,
    ],
    [
      'a fault place of negative size',
      () =>
        modules.debug.lineDrawings.faultLines({
          spacing: 1,
          places: [{ kind: 'lost', area: -1, position: [0, 0, 0] } as never],
        }),
      /result.places\[0\].area is -1; must be an area >= 0/,
    ],
    [
      'ids of claimed length',
      (f) => modules.links.addAutoLinks(f.mesh(), f.level() as never, { jump: { maxDistance: 1 }, except: sparse() }),
      /options.except is .*; must be an array without gaps/,
    ],
    [
      'a frozen crowd',
      (f) => modules.crowd.stepCrowd(Object.freeze({ ...f.crowd() })),
      /crowd is an object; must be not frozen/,
    ],
  ];
  it.each(cases)('%s', (_, call, message) => {
    expect(() => call(createFixtures(modules))).toThrow(message);
  });

  it('the limits of a body that is larger than any level are found in a bounded number of trials', () => {
    const level = createFixtures(modules).level() as never;
    const agent = { radius: 1e300 };
    const { limits } = modules.debug.explainAgentLimits(level, { agent, cellSize: 0.5 }, [6, 0, 6], [8, 0, 8]);
    expect(limits.length).toBe(0);
  });
});
