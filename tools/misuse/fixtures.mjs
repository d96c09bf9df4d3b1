/**
 * The records that the calls of calls.mjs are made with: a tiled level, a 2D map, a crowd, characters, stages of a bake.
 *
 * Each function of the result returns a fresh record, since a call may change it. All of them are small, since a trial is
 * one call.
 */

export const level = () => ({
  positions: [0, 0, 0, 0, 0, 12, 12, 0, 12, 12, 0, 0, 5, 0, 5, 5, 2, 7, 7, 2, 5],
  indices: [0, 1, 2, 0, 2, 3, 4, 5, 6],
});
export const bakeOptions = () => ({
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
  cellSize: 0.4,
  cellHeight: 0.2,
  tileSize: 8,
});
/** Returns a store in memory with these files. */
export function storeOf(files) {
  return {
    get: async (name) => files.get(name),
    set: async (name, bytes) => void files.set(name, bytes),
    delete: async (name) => void files.delete(name),
    keys: async () => [...files.keys()],
  };
}

const map = () => ({
  polygons: [
    {
      outline: [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ],
      holes: [
        [
          [4, 4],
          [4, 6],
          [6, 6],
          [6, 4],
        ],
      ],
    },
  ],
  obstacles: [
    [
      [1, 7],
      [2, 7],
      [2, 8],
    ],
  ],
});
const setup = () => ({
  level: level(),
  options: bakeOptions(),
  links: [{ start: [1, 0, 1], end: [11, 0, 11], bothWays: true, radius: 1, capacity: 1, seconds: 1 }],
  agents: [
    { position: [1, 0, 2], goal: [10, 0, 2], radius: 0.4, height: 1.8, maxSpeed: 2, maxAcceleration: 8, group: 0 },
    { position: [2, 0, 4], follow: 0, radius: 0.4, height: 1.8, maxSpeed: 2, maxAcceleration: 8, group: 0 },
  ],
  script: [{ atSecond: 0.1, do: 'move-to', agent: 0, point: [10, 0, 10] }],
  seconds: 0.2,
  goalRadius: 1,
});
const agentSource = () => ({ position: (out) => void out.fill(0), heading: (out) => void (out[0] = 1) });

function makeCharacters({ world, crowd }, mesh) {
  const made = world.createCharacters(
    crowd.createCrowd(mesh, { maxAgents: 8, behaviors: [crowd.sampling, crowd.spacing] }),
    {
      fallLimit: 20,
    },
  );
  const a = world.addCharacter(made, [1, 0, 2]);
  world.addCharacter(made, [2, 0, 2]);
  const targets = world.createTargets(made);
  world.followTarget(made, a, world.addTarget(targets, [10, 0, 10]));
  world.addTarget(targets, [3, 0, 3]);
  world.stepCharacters(made);
  return made;
}

function bakingFixtures({ build, worker }, own) {
  const sizes = build.createAgentSizes([{ name: 'small', radius: 0.4, height: 1.8 }]);
  return {
    sizedMesh: () => own(build.buildNavMesh(level(), { ...bakeOptions(), agent: { maxClimb: 0.4 }, sizes }).navMesh),
    pool: () => own(worker.createBakePool({ workers: 0 })),
    signal: () => own(new AbortController().signal),
    tileCache: () => own(worker.createMemoryCache()),
  };
}

function streamedFixtures({ streamed, planned }, own) {
  return {
    plan: () => own(structuredClone(planned.plan)),
    plannedStore: () => own(storeOf(new Map(planned.files))),
    store: () => own({ ...streamed.store }),
    streamedWorld: () =>
      own({
        ...streamed,
        navMesh: structuredClone(streamed.navMesh),
        slots: new Map(),
        arrived: new Map(),
        requests: new Map(),
        failures: new Map(),
        bytes: 0,
      }),
  };
}

const mapOptions = ({ cutByDiagonals }, mode) => ({ mode, radius: 0.2, cutByDiagonals });

/** Returns makers of records. `m` has the modules by subpath: '' for navkiln, 'build', 'crowd', 'three', … */
export function createFixtures(m) {
  const { '': navkiln, build, polygon, crowd, corridor, world, kernel, debug, three } = m;
  const records = new WeakSet();
  /** Marks a record as made by the library: faults replace it as a whole. */
  const own = (record) => {
    records.add(record);
    return record;
  };
  const baked = build.buildNavMesh(level(), {
    ...bakeOptions(),
    links: build.createLinks([{ start: [1, 0, 1], end: [11, 0, 11], bothWays: true, name: 'gate' }]),
  });
  const bytes = navkiln.saveNavMesh(baked.navMesh);
  const mesh = () => own(navkiln.loadNavMesh(bytes.slice()));
  const mapBuild = (mode = 'delaunay') => own(polygon.buildFromPolygons(map(), mapOptions(polygon, mode)));
  const polyRef = (of) => navkiln.findNearest(of, [1, 0, 1]).ref;
  const filter = () => own(navkiln.createFilter({ areaCosts: { 1: 2 } }));
  const crowdOf = () => {
    const made = crowd.createCrowd(mesh(), { maxAgents: 8, behaviors: [crowd.sampling, crowd.spacing] });
    const a = crowd.addAgent(made, [1, 0, 2]);
    crowd.addAgent(made, [2, 0, 2], { owner: 'user' });
    crowd.addAgent(made, [10, 0, 2], { avoidance: 'sampled' });
    crowd.moveAgentTo(made, a, [10, 0, 10]);
    crowd.stepCrowd(made);
    return own(made);
  };
  const idsOf = (of) => crowd.listAgents(of);
  const charactersOf = () => own(makeCharacters(m, mesh()));
  const targetsOf = () => own(charactersOf().targets);
  const liveWorld = () => {
    const made = world.createWorld(bakeOptions());
    world.addLevel(made, level());
    world.addObstacle(made, { type: 'cylinder', radius: 1, height: 2, position: [6, 0, 6] });
    return own(made);
  };
  const dynamicMesh = () =>
    own(build.buildNavMesh(level(), { ...bakeOptions(), dynamic: build.dynamicLayers }).navMesh);
  const prepared = () => own(build.prepareTiles(level(), bakeOptions()));
  const stages = debug.recordStages(prepared());
  const stage = (name) => own(structuredClone(stages[name]));
  const config = () => own(stages.config);
  const mapStages = polygon.buildFromPolygons(map(), { radius: 0.2 });
  const mapStage = (name) => own(structuredClone(mapStages.stages[name]));
  const gridMap = () => own(polygon.readPolygonMap(map(), polygon.resolvePolygonOptions({}), () => {}));
  const corridorOn = (of) => {
    const made = corridor.createPathCorridor();
    const buffer = kernel.createPathBuffer();
    kernel.findPathInto(buffer, kernel.createSearchState(), of, query());
    corridor.setCorridor(made, of, buffer.corridor, Float64Array.of(10, 0, 10));
    corridor.resetCorridor(made, of, 0, buffer.start.point);
    corridor.setCorridor(made, of, buffer.corridor, Float64Array.of(10, 0, 10));
    return own(made);
  };
  const query = () => ({
    start: Float64Array.of(1, 0, 2),
    end: Float64Array.of(10, 0, 10),
    halfExtents: Float64Array.of(2, 2, 2),
    filter: own(navkiln.createFilter()),
    maxNodes: 1000,
  });
  const found = (of) => {
    const buffer = kernel.createPathBuffer();
    kernel.findPathInto(buffer, kernel.createSearchState(), of, query());
    return own(buffer.corridor);
  };
  const crowdRun = () => own(debug.crowdRuns.startCrowdRun(setup()));
  const crowdWorld = () => own(debug.crowdRuns.createCrowdWorld(setup()));
  const metricsOf = () => crowdRun().metrics;
  const geometry = () => own(debug.navMeshTriangles(mesh()));
  const lines = () => own(debug.navMeshOutlines(mesh()));
  const object3D = () => {
    const box = new m.THREE.Mesh(new m.THREE.BoxGeometry(9, 1, 9));
    box.updateMatrixWorld(true);
    return own(box);
  };
  const agentObject = () => own(three.createAgentObject(agentSource()));
  return {
    m,
    isRecord: (value) => records.has(value),
    own,
    ...bakingFixtures(m, own),
    level,
    bakeOptions,
    bytes: () => bytes.slice(),
    report: () => own(structuredClone(baked.report)),
    mesh,
    map,
    mapMesh: () => own(navkiln.loadNavMesh(navkiln.saveNavMesh(mapBuild().navMesh))),
    mapBuild,
    polyRef,
    filter,
    crowd: crowdOf,
    idsOf,
    characters: charactersOf,
    targets: targetsOf,
    liveWorld,
    ...streamedFixtures(m, own),
    dynamicMesh,
    prepared,
    stages: () => own(debug.recordStages(prepared())),
    stage,
    config,
    mapStage,
    mapFrame: () => own({ ...mapStages.report.frame }),
    gridMap,
    corridorOn,
    query,
    found,
    setup,
    crowdRun,
    crowdWorld,
    metricsOf,
    geometry,
    lines,
    object3D,
    agentSource,
    agentObject,
    tile: () => build.buildTile(level(), bakeOptions(), 0, 0),
  };
}
