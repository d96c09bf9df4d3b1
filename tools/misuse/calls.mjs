/**
 * A valid call of each exported function, by subpath: `(fixtures) => arguments`. A function without a call fails the test,
 * and so does a call without a function.
 */
import { buildCalls, polygonCalls } from './calls-build.mjs';
import { babylonCalls, phaserCalls, playcanvasCalls } from './calls-engines.mjs';
import { debugCalls, ioCalls, loaderCalls, shareCalls, threeCalls, workerCalls } from './calls-outer.mjs';
import { kernelCalls } from './calls-kernel.mjs';

const A = () => [1, 0, 2];
const B = () => [10, 0, 10];

/** Returns [mesh, ref, ...rest]. */
const withRef = (f, ...rest) => {
  const mesh = f.mesh();
  return [mesh, f.polyRef(mesh), ...rest];
};
const withLink = (f, ...rest) => {
  const mesh = f.mesh();
  return [mesh, f.m[''].listLinks(mesh)[0], ...rest];
};
const pathOptions = (f) => ({ filter: f.filter(), halfExtents: [1, 2, 1], maxNodes: 500 });
const walkOptions = (f) => ({ filter: f.filter(), halfExtents: 2 });

const runtimeCalls = {
  addLink: (f) => [
    f.mesh(),
    {
      start: A(),
      end: [B(), [10, 0, 9]],
      bothWays: true,
      radius: 1,
      area: 3,
      cost: 4,
      flags: 1,
      userId: 7,
      enabled: true,
      name: 'ladder',
      kind: 'climb',
      crossing: 'any',
    },
  ],
  addTile: (f) => {
    const mesh = f.mesh();
    f.m[''].removeTile(mesh, 0);
    return [mesh, f.tile()];
  },
  advancePathWalker: (f) => [f.own(f.m[''].createPathWalker([A(), B()], 2)), 0.5],
  areOnOneIsland: (f) => [f.mesh(), 0, 1],
  skipDeadEnds: (f) => [f.mesh()],
  trackSizeIslands: (f) => [f.mesh()],
  continuePathSearch: (f) => [f.own(f.m[''].startPathSearch(f.mesh(), A(), B())), 100],
  createFilter: () => [
    {
      areaCosts: { 1: 2, 63: 1 },
      includeFlags: 1,
      excludeFlags: 0,
      heuristicScale: 1,
      passes: () => true,
      cost: (mesh, segment) => segment.length,
      closedLinks: ['climb', 'other'],
    },
  ],
  createNavMesh: () => [
    {
      agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
      cellSize: 0.4,
      cellHeight: 0.2,
      origin: [0, 0, 0],
      tileSize: 8,
    },
  ],
  createAgentTypes: (f) => [
    f.sizedMesh(),
    [
      {
        name: 'a',
        size: { radius: 0.4 },
        areaCosts: { 5: 2 },
        closedAreas: [7],
        excludeFlags: 2,
        closedLinks: ['jump'],
      },
    ],
  ],
  setAgentTypes: (f) => [f.mesh(), [{ name: 'a', areaCosts: { 5: 2 }, closedAreas: [7], closedLinks: ['jump'] }]],
  createPathWalker: () => [[A(), B()], 2],
  createRandom: () => [5],
  explainPath: (f) => [f.mesh(), A(), B(), pathOptions(f)],
  findDetailedPath: (f) => [f.mesh(), A(), B(), { ...pathOptions(f), crossings: 'all' }],
  findDistanceToWall: (f) => [f.mesh(), A(), 5, walkOptions(f)],
  findIslands: (f) => [f.mesh(), f.filter()],
  findLocalNeighborhood: (f) => [f.mesh(), A(), 2, walkOptions(f)],
  findMidpointPath: (f) => [f.mesh(), A(), B(), pathOptions(f)],
  findSize: (f) => [f.mesh(), { radius: 0.4, height: 1.8 }],
  findNearest: (f) => [f.mesh(), A(), { halfExtents: [1, 1, 1], filter: f.filter() }],
  findNearestOf: (f) => [f.mesh(), A(), [B(), [3, 0, 3]], pathOptions(f)],
  findCheapestPath: (f) => [f.mesh(), A(), B(), { ...pathOptions(f), maxError: 0.05 }],
  findOptimalPath: (f) => [f.mesh(), A(), B(), { ...pathOptions(f), tauten: f.m.kernel.tautenPath }],
  findPath: (f) => [f.mesh(), A(), { x: 10, y: 0, z: 10 }, pathOptions(f)],
  findPolysInBox: (f) => [f.mesh(), A(), [2, 2, 2], { filter: f.filter() }],
  findPolysInCircle: (f) => [f.mesh(), A(), 3, walkOptions(f)],
  findPolysInShape: (f) => [
    f.mesh(),
    [
      [0, 0, 0],
      [0, 0, 4],
      [4, 0, 4],
      [4, 0, 0],
    ],
    walkOptions(f),
  ],
  findRandomPoint: (f) => [f.mesh(), f.m[''].createRandom(1), { from: A(), maxDistance: 9, ...walkOptions(f) }],
  findRandomPointInCircle: (f) => [f.mesh(), () => 0.5, A(), 3, walkOptions(f)],
  findReachable: (f) => [f.mesh(), A(), { maxCost: 9, ...walkOptions(f) }],
  findSmoothPath: (f) => [f.mesh(), A(), B(), { ...pathOptions(f), crossings: 'all', step: 0.5 }],
  getArea: (f) => withRef(f),
  getCorridorLine: (f) => {
    const mesh = f.mesh();
    return [mesh, f.m[''].findPath(mesh, A(), B()), 'centers'];
  },
  getGroundLine: (f) => {
    const mesh = f.mesh();
    return [mesh, f.m[''].findPath(mesh, A(), B()), { maxError: 0.1 }];
  },
  getFlags: (f) => withRef(f),
  getHeight: (f) => withRef(f, 1, 1),
  getLink: (f) => withLink(f),
  getPathSearchResult: (f) => [f.own(f.m[''].startPathSearch(f.mesh(), A(), B()))],
  getWallSegments: (f) => withRef(f, { filter: f.filter(), withPortals: true }),
  isEnabled: (f) => [f.mesh(), 'gate'],
  listLinks: (f) => [f.mesh()],
  listNames: (f) => [f.mesh()],
  loadNavMesh: (f) => [f.own(f.bytes()), { copy: true }],
  openNavMesh: (f) => [f.own(f.m[''].packNavMesh(f.mesh()))],
  packNavMesh: (f) => [f.mesh()],
  moveAlongSurface: (f) => [f.mesh(), A(), B(), walkOptions(f)],
  validateMove: (f) => {
    const mesh = f.mesh();
    const { ref, point } = f.m[''].findNearest(mesh, A());
    const limits = { maxDistance: 2, maxSpeed: 4, seconds: 0.5, maxSeconds: 1, maxPolys: 64 };
    return [mesh, ref, point, B(), { ...limits, filter: f.filter() }];
  },
  nextRandom: (f) => [f.own(f.m[''].createRandom(1))],
  pathTo: (f) => {
    const mesh = f.mesh();
    const reached = f.m[''].findReachable(mesh, A());
    return [mesh, f.own(reached), reached.polys[0], [1, 0, 1]];
  },
  createKeepReachable: () => [[A()], {}],
  pruneUnreachable: (f) => [f.mesh(), [A(), B()], { filter: f.filter(), flags: 0, halfExtents: [1, 1, 1] }],
  raycast: (f) => [f.mesh(), A(), B(), { ...walkOptions(f), withCost: true, withPolys: true }],
  removeLink: (f) => withLink(f),
  removeTile: (f) => [f.mesh(), 0],
  restoreFlags: (f) => {
    const mesh = f.mesh();
    return [mesh, f.m[''].pruneUnreachable(mesh, [A()]).backup];
  },
  restoreTileState: (f) => {
    const mesh = f.mesh();
    return [mesh, 0, f.m[''].saveTileState(mesh, 0)];
  },
  saveNavMesh: (f) => [f.mesh()],
  saveTileState: (f) => [f.mesh(), 0],
  setArea: (f) => withRef(f, 3),
  setEnabled: (f) => [f.mesh(), 'gate', false],
  setFlags: (f) => withRef(f, 3),
  setLinkEnabled: (f) => withLink(f, false),
  setPathWalkerPoints: (f) => [f.own(f.m[''].createPathWalker([A(), B()], 2)), [B(), A()]],
  startPathSearch: (f) => [
    f.mesh(),
    A(),
    B(),
    { ...pathOptions(f), crossings: 'area', reuse: f.own(f.m[''].startPathSearch(f.mesh(), A(), B())) },
  ],
  typeFilter: (f) => [f.m[''].createAgentTypes(f.mesh(), [{ name: 'a' }]), 'a'],
};

/** Steps a crowd a few times: its agents must stay finite. */
function stepCrowd(f, args) {
  const crowd = args.find((arg) => arg?.corridors !== undefined && arg.agents !== undefined);
  if (crowd === undefined) return undefined;
  for (let i = 0; i < 3; i++) f.m.crowd.stepCrowd(crowd);
  for (const id of f.m.crowd.listAgents(crowd)) {
    const { position, velocity } = f.m.crowd.getAgent(crowd, id);
    if (![...position, ...velocity].every(Number.isFinite)) return 'an agent is not at a finite position';
  }
  return undefined;
}

const withAgent = (f, ...rest) => {
  const crowd = f.crowd();
  return [crowd, f.idsOf(crowd)[0], ...rest];
};
const agentOptions = () => ({
  radius: 0.4,
  height: 1.8,
  maxSpeed: 2,
  maxAcceleration: 8,
  maxTurnDegrees: 360,
  priority: 0.5,
  avoidance: 'sampled',
  horizon: 2,
  sampled: { velocityBias: 0.4, divisions: 7, rings: 2, depth: 3, horizon: 2 },
  separationWeight: 1,
  queryRange: 5,
  pathOptimizationRange: 10,
  arriveDistance: 0.2,
  autoBrake: false,
  linkTraversal: 'manual',
  avoidOnly: false,
  layers: 1,
  mask: 1,
  filter: 0,
});

const crowdCalls = {
  addAgent: (f) => [f.crowd(), A(), { ...agentOptions(), owner: 'crowd' }],
  advanceCrowd: (f) => [f.crowd(), 0.05],
  createCoreCrowd: (f) => [
    f.mesh(),
    { maxAgents: 8, stepSeconds: 0.02, passingSide: 'left', behaviors: [f.m.crowd.links, f.m.crowd.lanes] },
  ],
  createCrowd: (f) => [
    f.mesh(),
    { maxAgents: 8, stepSeconds: 0.02, searchBudget: 100, passingSide: 'left', filters: [f.filter()] },
  ],
  explainAgent: (f) => withAgent(f),
  followAgent: (f) => withAgent(f, 2, { distance: 1 }),
  getAgent: (f) => withAgent(f),
  hasAgent: (f) => withAgent(f),
  hashCrowd: (f) => [f.crowd()],
  interpolateAgentInto: (f) => [new Float64Array(8), ...withAgent(f), 0.5],
  listAgents: (f) => [f.crowd()],
  listEvents: (f) => [f.crowd()],
  completeLink: (f) => withAgent(f),
  getAgentPath: (f) => withAgent(f),
  listCrowdWarnings: (f) => [f.crowd()],
  moveAgentTo: (f) => withAgent(f, B(), { stoppingDistance: 1 }),
  pauseAgent: (f) => withAgent(f),
  resumeAgent: (f) => withAgent(f),
  setCrowdFilter: (f) => [f.crowd(), 0, f.filter()],
  moveAgentAlong: (f) => withAgent(f, [A(), B()]),
  queueAgentMove: (f) => withAgent(f, B(), { waitSeconds: 1 }),
  moveGroupTo: (f) => {
    const crowd = f.crowd();
    return [crowd, f.idsOf(crowd), B(), { formation: 'line', spacing: 1 }];
  },
  patrolAgent: (f) => withAgent(f, [A(), B()], { mode: 'loop', waitSeconds: [1, 2] }),
  removeAgent: (f) => withAgent(f),
  restoreCrowd: (f) => {
    const crowd = f.crowd();
    return [crowd, f.own(f.m.crowd.saveCrowd(crowd))];
  },
  saveCrowd: (f) => [f.crowd()],
  setAgentOptions: (f) => withAgent(f, agentOptions()),
  setAgentPosition: (f) => {
    const crowd = f.crowd();
    return [crowd, f.idsOf(crowd)[1], A()];
  },
  setAgentVelocity: (f) => {
    const crowd = f.crowd();
    return [crowd, f.idsOf(crowd)[1], [1, 0, 0]];
  },
  setLinkTraffic: (f) => {
    const crowd = f.crowd();
    return [crowd, f.m[''].listLinks(crowd.mesh)[0], { capacity: 1, seconds: 2 }];
  },
  stepCrowd: (f) => [f.crowd()],
  stopAgent: (f) => withAgent(f),
  teleportAgent: (f) => withAgent(f, B()),
};

/** Returns [corridor, mesh, ...rest]. */
const onCorridor = (f, rest) => {
  const mesh = f.mesh();
  return [f.corridorOn(mesh), mesh, ...rest(mesh)];
};
const follower = (f, mesh) => f.own(f.m.corridor.followPath(mesh, A(), B()));

const corridorCalls = {
  copyCorridor: (f) => [f.own(f.m.corridor.createPathCorridor()), f.corridorOn(f.mesh())],
  createCorridorCorners: () => [4],
  createPathCorridor: () => [],
  crossLink: (f) => {
    const mesh = f.mesh();
    return [follower(f, mesh), mesh];
  },
  findCorridorCorners: (f) => [f.own(f.m.corridor.createCorridorCorners(4)), ...onCorridor(f, () => [4])],
  fixCorridorStart: (f) => onCorridor(f, () => [0, Float64Array.of(1, 0, 1), f.filter()]),
  followPath: (f) => [f.mesh(), A(), B(), { ...pathOptions(f), arriveDistance: 0.2 }],
  isCorridorValid: (f) => onCorridor(f, () => [4, f.filter()]),
  moveCorridorOverLink: (f) => onCorridor(f, () => [0, new Float64Array(3)]),
  moveCorridorPosition: (f) =>
    onCorridor(f, () => [
      f.own(f.m.kernel.createSlide()),
      f.own(f.m.kernel.createSearchState()),
      Float64Array.of(2, 0, 2),
      f.filter(),
    ]),
  moveCorridorTarget: (f) =>
    onCorridor(f, () => [
      f.own(f.m.kernel.createSlide()),
      f.own(f.m.kernel.createSearchState()),
      Float64Array.of(10, 0, 9),
      f.filter(),
    ]),
  moveFollowerGoal: (f) => {
    const mesh = f.mesh();
    return [follower(f, mesh), mesh, [3, 0, 3]];
  },
  optimizeCorridorTopology: (f) => onCorridor(f, () => [f.own(f.m.kernel.createSearchState()), f.filter(), 50]),
  optimizeCorridorVisibility: (f) =>
    onCorridor(f, () => [f.own(f.m.kernel.createRayHit()), Float64Array.of(3, 0, 3), 9, f.filter()]),
  rebaseCorridor: (f) => onCorridor(f, () => [f.filter()]),
  resetCorridor: (f) => onCorridor(f, () => [0, Float64Array.of(1, 0, 1)]),
  setCorridor: (f) => onCorridor(f, (mesh) => [f.found(mesh), Float64Array.of(10, 0, 10)]),
  steerAlong: (f) => {
    const mesh = f.mesh();
    return [follower(f, mesh), mesh, [1.1, 0, 2]];
  },
  trimCorridor: (f) => onCorridor(f, () => [f.filter()]),
};

const withCharacter = (f, ...rest) => {
  const set = f.characters();
  return [set, f.m.world.listCharacters(set)[0], ...rest];
};
const withTarget = (f, ...rest) => {
  const targets = f.targets();
  return [targets, f.m.world.listTargets(targets)[0], ...rest];
};
const characterOptions = () => ({
  radius: 0.4,
  height: 1.8,
  priority: 0.5,
  avoidance: 'orca',
  horizon: 2,
  arriveDistance: 0.2,
  layers: 1,
  mask: 1,
  filter: 0,
  walkSpeed: 2,
  runSpeed: 4,
  acceleration: 8,
  deceleration: 8,
  gravity: 10,
  terminalSpeed: 50,
  stepRate: 8,
  deadZoneDegrees: 5,
  turnRate: 8,
  maxTurnDegrees: 360,
  respawn: 'nearest',
  facing: [0, 1],
  isRunning: true,
});
const placement = () => ({ position: [1, 0, 1], rotation: [0, 0, 0, 1], scale: [1, 1, 1], swapYZ: false });
/** Steps characters, or rebuilds tiles. */
function stepWorld(f, args) {
  const set = args[0];
  if (set?.marked instanceof Set) {
    f.m.world.updateWorld(set);
    return f.m.debug.validateNavMesh(set.navMesh)[0]?.message;
  }
  if (set?.smoothVelocity === undefined) return undefined;
  for (let i = 0; i < 3; i++) f.m.world.stepCharacters(set);
  for (const id of f.m.world.listCharacters(set)) {
    const { feet, facing } = f.m.world.getCharacter(set, id);
    if (![...feet, ...facing].every(Number.isFinite)) return 'a character is not at a finite position';
  }
  return undefined;
}

const mapWorld = (f) => {
  const outline = [
    [2, 1],
    [3, 1],
    [3, 3],
  ];
  const door = { name: 'door', enabled: false, obstacles: [outline] };
  return f.own(f.m.world.createMapWorld({ ...f.map(), layers: [door] }, { tileSize: 4 }));
};

const worldCalls = {
  addCharacter: (f) => [f.characters(), A(), characterOptions()],
  addLevel: (f) => [f.liveWorld(), { ...f.level(), areas: [63, 63, 1], twoSided: [0, 0, 1] }, placement()],
  addObstacle: (f) => [
    f.liveWorld(),
    { type: 'box', size: [1, 1, 1], position: A(), rotation: 30, effect: 'area', area: 3, carveAfterSeconds: 0.5 },
  ],
  addTarget: (f) => [f.targets(), A()],
  advanceCharacters: (f) => [f.characters(), 0.05, () => {}],
  clearTarget: (f) => withCharacter(f),
  createCharacters: (f) => [f.crowd(), { bounds: { min: [0, -5, 0], max: [12, 9, 12] }, fallLimit: 9 }],
  createWorld: (f) => [
    {
      ...f.bakeOptions(),
      bounds: { min: [0, -1, 0], max: [12, 5, 12] },
      links: f.m.build.createLinks([{ start: A(), end: B() }]),
      build: 'voxel',
      pathIndex: f.m.index.createWorldIndex(),
    },
  ],
  createMapWorld: (f) => [
    { ...f.map(), yAxis: 'up' },
    {
      agent: { height: 2 },
      radius: 0.2,
      tileSize: 4,
      maxVertices: 6,
      fillRule: 'nonzero',
      arcTolerance: 0.01,
      strict: false,
      pathIndex: f.m.index.createWorldIndex(),
    },
  ],
  getMapAreas: (f) => [mapWorld(f)],
  listMapLayers: (f) => [mapWorld(f)],
  setMapLayers: (f) => [mapWorld(f), { door: true }],
  createSurfaceWorld: (f) => [
    {
      tileSize: 8,
      agent: f.bakeOptions().agent,
      links: f.m.build.createLinks([{ start: A(), end: B() }]),
      pathIndex: undefined,
    },
  ],
  createTargets: (f) => [f.characters()],
  followTarget: (f) => withCharacter(f, f.m.world.listTargets(f.targets())[0], { distance: 1 }),
  getCharacter: (f) => withCharacter(f),
  getLevelBounds: (f) => [f.liveWorld(), 1],
  getObstacle: (f) => [f.liveWorld(), 1],
  getTarget: (f) => withTarget(f),
  getTargetOf: (f) => withCharacter(f),
  hashCharacters: (f) => [f.characters()],
  interpolateCharacterInto: (f) => [new Float64Array(8), ...withCharacter(f), 0.5],
  isMirrored: (f) => [f.own(f.m.world.placementMatrix({}, 'test'))],
  jumpCharacter: (f) => withCharacter(f, 4),
  listCharacterEvents: (f) => [f.characters()],
  listCharacters: (f) => [f.characters()],
  listLevels: (f) => [f.liveWorld()],
  listObstacles: (f) => [f.liveWorld()],
  listTargets: (f) => [f.targets()],
  moveLevel: (f) => [f.liveWorld(), 1, { matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1] }],
  moveObstacle: (f) => [f.liveWorld(), 1, { position: B(), rotation: [10, 20, 30] }],
  openWorld: (f) => [f.dynamicMesh(), { pathIndex: f.m.index.createWorldIndex() }],
  orientTwoSided: (f) => [f.level().positions, f.level().indices, [1, 0, 1]],
  pickRandomTarget: (f) => [f.targets(), () => 0.5, 0],
  placePositions: (f) => [f.level().positions, f.own(f.m.world.placementMatrix({ position: [1, 2, 3] }, 'test'))],
  placementMatrix: () => [placement(), 'placementMatrix'],
  pushCharacter: (f) => withCharacter(f, [1, 2, 0]),
  removeCharacter: (f) => withCharacter(f),
  resolveTwoSided: (f) => [{ ...f.level(), twoSided: [1, 0, 1] }],
  removeLevel: (f) => [f.liveWorld(), 1],
  removeObstacle: (f) => [f.liveWorld(), 1],
  removeTarget: (f) => withTarget(f),
  restoreCharacters: (f) => {
    const set = f.characters();
    return [set, f.own(f.m.world.saveCharacters(set))];
  },
  saveCharacters: (f) => [f.characters()],
  setCharacterOptions: (f) => withCharacter(f, characterOptions()),
  setCharacterRunning: (f) => withCharacter(f, true),
  setTargetPosition: (f) => withTarget(f, B()),
  stepCharacters: (f) => [f.characters()],
  teleportCharacter: (f) => withCharacter(f, B()),
  turnCharacterTo: (f) => withCharacter(f, B()),
  turnCharacterToMovement: (f) => withCharacter(f),
  bakeWorld: (f) => [f.liveWorld(), { seconds: 0.1, pool: f.pool(), signal: f.signal(), onProgress: () => {} }],
  publishWorld: (f) => [
    f.store(),
    f.level(),
    { ...f.bakeOptions(), tileSize: 8 },
    { onProgress: () => {}, routes: true, signal: f.signal() },
  ],
  createKeptStore: (f) => [f.store(), f.store()],
  collectWorld: (f) => [f.store(), { keep: 2 }],
  streamAround: (f) => [
    f.streamedWorld(),
    [A(), { position: B(), velocity: [1, 0, 0], path: [A()] }],
    { radius: 20, ahead: 30, keepRadius: 30, maxBytes: 1e6, maxRequests: 4, maxMs: 5, timeoutMs: 1000 },
  ],
  stopStreaming: (f) => [f.streamedWorld()],
  createProvisionalTiles: () => [{ settleUpdates: 2 }],
  updateWorld: (f) => [f.liveWorld(), { maxMs: 9, maxTiles: 3, isTimeUp: () => false, seconds: 0.1 }],
};

/** Returns [index, mesh, ...rest]. */
const withIndex = (f, ...rest) => {
  const mesh = f.mapMesh();
  return [f.own(f.m.index.buildPathIndex(mesh)), mesh, ...rest];
};

const indexCalls = {
  estimatePathIndex: (f) => [f.mapMesh(), { maxBytes: 1e6, tier: 'labels' }],
  buildPathIndex: (f) => [f.mapMesh(), { maxBytes: 1e6, tier: 'labels' }],
  createWorldIndex: (f) => [{ index: withIndex(f)[0], maxBytes: 1e6, tier: 'graph', maxCorners: 9 }],
  continuePathIndex: (f) => [f.own(f.m.index.startPathIndex(f.mapMesh())), 100],
  createIndexedBuffer: () => [],
  createIndexedState: () => [],
  createDistanceMatrix: () => [],
  createNearestTargets: () => [],
  createPathBatch: () => [],
  findDistances: (f) =>
    withIndex(f, [1, 0, -1], [[9, 0, -9], { x: 9, y: 0, z: -1 }], { ...pathOptions(f), nearest: 1 }),
  findDistanceMatrix: (f) => [
    f.own(f.m.index.createDistanceMatrix()),
    ...withIndex(f, [1, 0, -1], [9, 0, -9, 9, 0, -1], pathOptions(f)),
  ],
  findNearestTargets: (f) => [
    f.own(f.m.index.createNearestTargets()),
    ...withIndex(f, [1, 0, -1], [9, 0, -9, 9, 0, -1], { ...pathOptions(f), nearest: 1 }),
  ],
  findIndexedPath: (f) => withIndex(f, [1, 0, -1], [9, 0, -9], { ...pathOptions(f), withPolys: true }),
  findIndexedPathInto: (f) => {
    const { createIndexedBuffer, createIndexedState } = f.m.index;
    const query = { ...f.query(), start: Float64Array.of(1, 0, -1), end: Float64Array.of(9, 0, -9) };
    return [f.own(createIndexedBuffer()), f.own(createIndexedState()), ...withIndex(f, query)];
  },
  findPaths: (f) => [f.own(f.m.index.createPathBatch()), ...withIndex(f, [1, 0, -1, 9, 0, -9], pathOptions(f))],
  loadPathIndex: (f) => {
    const [index, mesh] = withIndex(f);
    return [f.own(f.m.index.savePathIndex(index)), mesh];
  },
  pathIndexBytes: (f) => withIndex(f).slice(0, 1),
  savePathIndex: (f) => withIndex(f).slice(0, 1),
  startPathIndex: (f) => [f.mapMesh(), { maxBytes: 1e6, tier: 'table' }],
  updatePathIndex: (f) => withIndex(f, { maxCorners: 4 }),
};

/** Kernels of other entries than `navkiln/kernel`. */
const KERNELS = [
  'findIndexedPathInto',
  'findRoutedPathInto',
  'continueRoutedPathInto',
  'findNearMisses',
  'findClosedPassages',
];

const linkOptions = () => ({
  jump: { maxDistance: 3, maxRise: 0.4, maxDrop: 1, peak: 0.5, area: 5, flags: 1, name: 'jumps' },
  drop: { maxHeight: 3, maxDistance: 2 },
  climb: { maxHeight: 2 },
  vault: { maxHeight: 1, maxDistance: 3 },
  sizes: {},
  gravity: 9.81,
  walkSpeed: 3.5,
  minDetour: 0,
  spacing: 0.8,
  except: [1, 2],
});

const linkCalls = {
  addAutoLinks: (f) => [f.mesh(), f.level(), linkOptions()],
  addGapLinks: (f) => [
    f.mapMesh(),
    { maxDistance: 2, speed: 3, minDetour: 0, spacing: 1, except: [1, 2], area: 5, flags: 3, name: 'gap' },
  ],
  enableWideLinks: () => [],
  findLinkCandidates: (f) => [f.mesh(), f.level(), linkOptions()],
  createAutoLinker: () => [linkOptions()],
  createGapExplainer: (f) => [f.level(), linkOptions()],
  createWorldLinks: () => [linkOptions()],
  autoLinkKind: () => [4503599627370499],
  autoLinkPositions: () => [
    {
      id: 4503599627370499,
      kind: 'jump',
      start: [
        [0, 0, 0],
        [0, 0, 1],
      ],
      end: [
        [2, 0, 0],
        [2, 0, 1],
      ],
      bothWays: true,
      cost: 2,
      duration: 0.6,
      distance: 2,
      width: 1,
      peak: 0.5,
      walk: Infinity,
    },
    0.5,
    9,
  ],
};

/** Returns [graph, mesh, ...rest] of a mesh in tiles. */
const withRoutes = (f, ...rest) => {
  const mesh = f.dynamicMesh();
  return [f.own(f.m.routes.buildRouteGraph(mesh)), mesh, ...rest];
};

const plainMap = (f) =>
  f.own(
    f.m.polygon.buildFromPolygons({
      polygons: [
        {
          outline: [
            [0, 0],
            [10, 0],
            [10, 10],
            [0, 10],
          ],
        },
      ],
    }).navMesh,
  );

const clearanceOf = (f) => f.own(f.m.clearance.createClearance(plainMap(f)));

const clearanceCalls = {
  createClearance: (f) => [plainMap(f), { filter: f.filter(), maxRadius: 2 }],
  findClearPath2d: (f) => [clearanceOf(f), [1, 1], [9, 9], 0.5, { maxMove: 3, arcTolerance: 0.1 }],
  validateClearance: (f) => [clearanceOf(f)],
};

const routeOptions = (f) => ({ filter: f.filter(), halfExtents: [1, 2, 1] });

/** Arguments of the kernels. */
const routeKernel = (f) => {
  const { createRouteMemory, createRoutedPathBuffer } = f.m.routes;
  const query = { ...f.query(), start: Float64Array.from(A()), end: Float64Array.from(B()) };
  return [f.own(createRoutedPathBuffer()), f.own(createRouteMemory()), ...withRoutes(f, query, 10)];
};

const routeCalls = {
  buildRouteGraph: (f) => [f.dynamicMesh(), {}],
  updateRouteGraph: (f) => withRoutes(f),
  routeGraphBytes: (f) => withRoutes(f).slice(0, 1),
  findRoute: (f) => [withRoutes(f)[0], A(), B(), routeOptions(f)],
  findRoutedPath: (f) => withRoutes(f, A(), B(), { ...routeOptions(f), ahead: 10 }),
  continueRoutedPath: (f) => {
    const [graph, mesh] = withRoutes(f);
    return [f.own(f.m.routes.findRoutedPath(graph, mesh, A(), B())), graph, mesh, A()];
  },
  openRouteGraph: (f) => [f.streamedWorld(), { maxRequests: 2, signal: f.signal() }],
  createRouteMemory: () => [],
  createRoutedPathBuffer: () => [],
  findRoutedPathInto: routeKernel,
  continueRoutedPathInto: routeKernel,
};

const publishCalls = {
  planPublication: (f) => [
    f.store(),
    f.level(),
    f.bakeOptions(),
    { chunkTiles: 2, replace: true, routes: true, onProgress: () => {}, signal: f.signal() },
  ],
  createPlanBaker: (f) => [f.plannedStore(), f.plan(), { pool: f.pool() }],
  finishPublication: (f) => [f.plannedStore(), f.plan()],
  currentPlan: (f) => [f.plannedStore()],
  readPlan: (f) => [f.plannedStore()],
  listDoneChunks: (f) => [f.plannedStore()],
  readPlanParts: (f) => [f.plannedStore(), f.plan()],
};

/** Returns [state, snapshot] of a function that captures a state. */
const withSnapshot = (f, capture, state) => [state, f.own(f.m.rollback[capture](state))];

const rollbackCalls = {
  captureMesh: (f) => [f.mesh()],
  rewindMesh: (f) => withSnapshot(f, 'captureMesh', f.mesh()),
  captureCrowd: (f) => withSnapshot(f, 'captureCrowd', f.crowd()),
  rewindCrowd: (f) => withSnapshot(f, 'captureCrowd', f.crowd()),
  captureCharacters: (f) => withSnapshot(f, 'captureCharacters', f.characters()),
  rewindCharacters: (f) => withSnapshot(f, 'captureCharacters', f.characters()),
  captureWorld: (f) => withSnapshot(f, 'captureWorld', f.liveWorld()),
  rewindWorld: (f) => withSnapshot(f, 'captureWorld', f.liveWorld()),
  createSnapshotRing: (f) => [{ ticks: 8, world: f.liveWorld() }],
};

/** Returns a recording of a few ticks. */
const recorded = (f) => {
  const recorder = f.m.record.createRecorder(f.crowd(), { detailedChecks: 2 });
  recorder.calls.moveAgentTo(recorder.crowd, f.idsOf(recorder.crowd)[0], [10, 0, 2]);
  for (let tick = 0; tick < 3; tick++) recorder.calls.stepCrowd(recorder.crowd);
  return recorder;
};
const recording = (f) => f.own(f.m.record.finishRecording(recorded(f)));
const replayOptions = () => ({
  until: 2,
  calls: { wave: () => {} },
  crowd: { behaviors: [] },
  maxAgents: 100,
  maxTicks: 1000,
});
const recordCalls = {
  compareRecordings: (f) => [recording(f), recording(f), () => f.mesh(), replayOptions()],
  continueReplay: (f) => [f.own(f.m.record.replay(recording(f), f.mesh(), replayOptions())), 3],
  createRecorder: (f) => [
    f.crowd(),
    { calls: { wave: () => {} }, world: {}, info: { seed: 1 }, checkTicks: 2, check: 'full', detailedChecks: 9 },
  ],
  diffCrowds: (f) => [f.crowd(), f.crowd()],
  finishRecording: (f) => [f.own(recorded(f))],
  replay: (f) => [recording(f), f.mesh(), replayOptions()],
  rewindRecording: (f) => [f.own(recorded(f))],
};

/** The calls by subpath, and the checks after a call that changed something. */
const CALLS = {
  '': {
    calls: {
      ...runtimeCalls,
      bakeNavMesh: buildCalls.bakeNavMesh,
      buildNavMesh: buildCalls.buildNavMesh,
      formatReport: debugCalls.formatReport,
      navMeshOutlines: debugCalls.navMeshOutlines,
      navMeshTriangles: debugCalls.navMeshTriangles,
      pathLines: debugCalls.pathLines,
    },
  },
  build: { calls: buildCalls },
  polygon: { calls: polygonCalls },
  crowd: { calls: crowdCalls, after: stepCrowd },
  corridor: { calls: corridorCalls },
  world: { calls: worldCalls, after: stepWorld },
  io: { calls: ioCalls },
  debug: { calls: debugCalls },
  three: { calls: threeCalls },
  babylon: { calls: babylonCalls },
  playcanvas: { calls: playcanvasCalls },
  phaser: { calls: phaserCalls },
  loaders: { calls: loaderCalls },
  index: { calls: indexCalls },
  kernel: { calls: kernelCalls },
  publish: { calls: publishCalls },
  rollback: { calls: rollbackCalls },
  links: { calls: linkCalls },
  clearance: { calls: clearanceCalls },
  routes: { calls: routeCalls },
  share: { calls: shareCalls },
  record: { calls: recordCalls },
  worker: { calls: workerCalls },
};

/** Returns the calls of all functions that the modules export. Throws when a function has none, or a call no function. */
export function listCalls(modules, functionsOf) {
  return Object.entries(CALLS).flatMap(([subpath, { calls, after }]) => {
    const names = functionsOf(modules[subpath]);
    const missing = names.filter((name) => calls[name] === undefined);
    const unknown = Object.keys(calls).filter((name) => !names.includes(name));
    if (missing.length > 0) throw new Error(`${subpath}: no valid call in tools/misuse for ${missing.join(', ')}`);
    if (unknown.length > 0) throw new Error(`${subpath}: not exported: ${unknown.join(', ')}`);
    return names.map((name) => {
      const isKernel = subpath === 'kernel' || KERNELS.includes(name);
      return { subpath, name, isKernel, call: modules[subpath][name], args: calls[name], after };
    });
  });
}
