/** Valid calls of `navkiln/io`, `navkiln/debug`, `navkiln/three`, `navkiln/share`, `navkiln/worker` and `navkiln-loaders`. */

const OBJ = 'v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n';

export const ioCalls = {
  parseDetourBin: (f) => [
    f.own(f.m.io.writeDetourBin(f.mesh()).bytes),
    { areaOfZero: 1, maxSlopeDegrees: 45, cellHeight: 0.2 },
  ],
  findJsonFault: () => ['{"a": 1,}'],
  parseObj: () => [OBJ, 'a.obj', { memoryLimitBytes: 1e6 }],
  writeDetourBin: (f) => [f.mesh(), { areaOfZero: 2, maxTiles: 64, maxPolys: 256, offset: [0, 0, 0] }],
  writeGlb: (f) => [f.mesh(), { lines: true }],
  writeObj: (f) => [f.mesh(), { detail: true }],
};

const rgba = () => 0xff0000ff;
const crowdOptions = () => ({ stepSeconds: 0.05, seconds: 0.2, now: () => 0, onTick: () => {}, unmeasured: false });
const metrics = (f, ...rest) => {
  const run = f.crowdRun();
  return [f.own(run.metrics), f.own(run.frame), ...rest];
};

export const debugCalls = {
  explainFaults: (f) => [
    f.level(),
    f.mesh(),
    f.m.debug.verifyNavMesh(f.level(), f.mesh(), { pairs: 9, spacing: 1 }),
    {},
  ],
  explainMapFaults: (f) => [
    f.map(),
    f.mapMesh(),
    f.m.debug.verifyNavMesh(f.map(), f.mapMesh(), { pairs: 9, spacing: 1 }),
    { radius: 0.2 },
  ],
  explainSurfaceFaults: (f) => [
    f.level(),
    f.mesh(),
    f.m.debug.verifyNavMesh(f.level(), f.mesh(), { pairs: 9, spacing: 1 }),
    {},
  ],
  verifyNavMesh: (f) => [
    f.level(),
    f.mesh(),
    {
      seed: 2,
      pairs: 9,
      spacing: 0.5,
      maxColumns: 1e4,
      maxPlaces: 9,
      agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
      margins: { radius: 0.2, height: 0.1, slopeDegrees: 1 },
    },
  ],
  faultLines: () => [{ places: [{ kind: 'overreach', position: [1, 0, 1], area: 1 }], spacing: 0.5 }],
  agentLines: () => [[0, 0, 0, 1, 0, 1], { radius: 0.4, height: 1.8, headings: [0, 1, 1, 0], color: rgba }],
  boxLines: () => [[0, 0, 0, 1, 1, 1], 0xff0000ff],
  bvTreeBoxes: (f) => [f.mesh(), { depth: 2, slots: [0] }],
  compactFloors: (f) => [f.stage('field'), { color: 'region', offset: [0, 0, 0] }],
  contourLines: (f) => [f.stage('contours'), { raw: true, offset: [0, 0, 0] }],
  createCrowdDriver: (f) => [f.crowdWorld(), 0.05],
  createCrowdMetrics: (f) => {
    const run = f.crowdRun();
    return [f.own(run.world.mesh), f.own(run.frame), f.own(run.metrics.options)];
  },
  createCrowdTrail: () => [],
  createCrowdWorld: (f) => [f.setup()],
  crowdSvg: (f) => {
    const run = f.crowdRun();
    const trail = f.m.debug.createCrowdTrail();
    f.m.debug.noteCrowdTrail(trail, run.frame);
    return [
      {
        navMesh: f.own(run.world.mesh),
        trail: f.own(trail),
        agents: [
          { radius: 0.4, group: 0 },
          { radius: 0.4, group: 1 },
        ],
        title: 't',
        from: 0,
      },
    ];
  },
  createLimitExplainer: (f) => [f.level(), { agent: { radius: 0.4 }, cellSize: 0.5 }],
  explainAgentLimits: (f) => [f.level(), { agent: { radius: 0.4 }, cellSize: 0.5 }, [6, 0, 6], [8, 0, 8]],
  explainMapPosition: (f) => [f.map(), f.mapBuild(), [5, 5]],
  explainEmptySurface: (f) => [f.level(), { agent: { radius: 0.3 } }],
  diagnoseBake: (f) => [f.level(), { agent: { radius: 0.3 } }, f.mesh()],
  measureBake: (f) => [f.level(), { cellSize: 0.2 }],
  explainPosition: (f) => [f.own(f.stages()), [6, 0, 6]],
  finishCrowdRun: (f) => [f.crowdRun()],
  formatReport: (f) => [f.report()],
  isAtRest: () => [2],
  levelTriangles: (f) => [
    { ...f.level(), twoSided: [0, 0, 1] },
    { maxSlopeDegrees: 45, color: rgba },
  ],
  linksLines: (f) => [f.mesh(), { lift: 0.1 }],
  listBrokenPromises: (f) => [f.own(f.m.debug.finishCrowdRun(f.crowdRun()))],
  listMapStages: () => ['diagonal'],
  listStages: () => [],
  navMeshOutlines: (f) => [f.mesh(), { lift: 0.1, slots: [0], edges: ['wall', 'inner'], filter: () => true }],
  navMeshPortals: (f) => [f.mesh(), { lift: 0.1, slots: [0] }],
  navMeshTriangles: (f) => [f.mesh(), { lift: 0.1, slots: [0], color: rgba, filter: () => true }],
  neighborsOfPoly: (f) => {
    const mesh = f.mesh();
    return [mesh, f.polyRef(mesh), { lift: 0.1 }];
  },
  noteCrowdOrder: (f) => metrics(f, 0),
  noteCrowdTrail: (f) => [f.own(f.m.debug.createCrowdTrail()), f.own(f.crowdRun().frame)],
  pathLines: () => [
    [
      [0, 0, 0],
      [1, 0, 1],
    ],
    { lift: 0.1, color: 0xff0000ff },
  ],
  polyNormals: (f) => [f.mesh(), { lift: 0.1, length: 1, filter: () => true }],
  polygonSvg: (f) => [
    {
      build: f.mapBuild(),
      path: {
        points: [
          [1, 1],
          [9, 9],
        ],
      },
      lines: [
        {
          name: 'a',
          points: [
            [1, 1],
            [9, 9],
          ],
        },
      ],
      title: 't',
    },
  ],
  recordCrowdTick: (f) => metrics(f),
  recordOptimalSearch: (f) => [f.mesh(), [1, 0, 2], [9, 0, 9], { filter: f.filter(), halfExtents: [1, 2, 1] }, 100],
  recordStages: (f) => [f.prepared(), 0, 0],
  rgba: () => ['#ff0000', 255],
  runCrowdScene: (f) => [f.setup(), crowdOptions()],
  sceneSvg: (f) => [
    {
      level: f.level(),
      navMesh: f.mesh(),
      path: {
        points: [
          [1, 0, 1],
          [9, 0, 9],
        ],
        status: 'complete',
      },
      lines: [
        {
          name: 'a',
          points: [
            [1, 0, 1],
            [9, 0, 9],
          ],
        },
      ],
      title: 't',
      cutAbove: 3,
      maxLevelBytes: 10000,
    },
  ],
  solidSpans: (f) => [f.stage('solid'), { offset: [0, 0, 0] }],
  startCrowdRun: (f) => [f.setup(), crowdOptions()],
  stepCrowdRun: (f) => [f.crowdRun()],
  summarizeCrowd: (f) => metrics(f, () => 0),
  tileOfPlace: (f) => [f.prepared(), [1, 0, 1]],
  validateCorridor: (f) => {
    const mesh = f.mesh();
    return [f.corridorOn(mesh), mesh, f.filter()];
  },
  validateNavMesh: (f) => [f.mesh()],
  viewMapStage: (f) => [f.mapBuild('diagonal'), 'cuts'],
  viewStage: (f) => [f.own(f.stages()), 'solid', { navMesh: f.mesh(), limit: 100, center: [6, 0, 6] }],
  voxelBoxes: (f) => [f.stage('solid'), rgba, { offset: [0, 0, 0], limit: 100, center: [6, 0, 6] }],
  voxelFloors: (f) => [f.stage('field'), rgba, { offset: [0, 0, 0], limit: 100, center: [6, 0, 6] }],
};

export const threeCalls = {
  createAgentObject: (f) => [f.agentSource(), { snapDistance: 2 }],
  disposeDrawn: (f) => [f.own(f.m.three.drawMesh(f.geometry()))],
  drawLines: (f) => [f.lines(), { opacity: 0.5, onTop: true, name: 'n' }],
  drawMesh: (f) => [f.geometry(), { opacity: 0.5, onTop: true, name: 'n' }],
  levelFromObject3D: (f) => [f.object3D(), { filter: () => true, areaOf: () => 63, includeInvisible: true }],
  placeAgentObject: (f) => [f.agentObject(), 0.5],
  polyOfHit: (f) => [{ object: f.own(f.m.three.drawMesh(f.geometry())), faceIndex: 0 }],
  stepAgentObject: (f) => [f.agentObject()],
  updateDrawn: (f) => [f.own(f.m.three.drawMesh(f.geometry())), f.geometry()],
};

/** 60 tiles of a map. */
const ZSTD = 'KLUv/STw1QAAaAEAAAACAAAAAgAAAAEEAAwmMEulAHQHd4lInhKL';

export const loaderCalls = {
  unpackZstd: (f) => [f.own(Uint8Array.from(Buffer.from(ZSTD, 'base64'))), 240],
  readLevelFile: (f) => [f.own(new TextEncoder().encode(OBJ)), 'a.obj', { beside: () => new Uint8Array(0) }],
};

/** Returns the record of a shared mesh and its mesh. */
const shared = (f) => {
  const mesh = f.mesh();
  return [f.own(f.m.share.shareNavMesh(mesh)), mesh];
};
const reader = (f) => f.own(f.m.share.openSharedNavMesh(shared(f)[0]));

export const shareCalls = {
  closeSharedNavMesh: (f) => [reader(f)],
  createMeshOverlay: (f) => [f.mesh()],
  getSharedStatus: (f) => [shared(f)[0]],
  openSharedNavMesh: (f) => [shared(f)[0]],
  refreshSharedNavMesh: (f) => [reader(f)],
  shareNavMesh: (f) => [f.mesh(), { maxBytes: 1e7 }],
  sharePathIndex: (f) => [f.own(f.m.index.buildPathIndex(f.mapMesh()))],
  updateSharedNavMesh: (f) => shared(f),
};

export const workerCalls = {
  closeBakePool: (f) => [f.pool()],
  createBakePool: () => [{ workers: 0, createWorker: () => undefined }],
  createPathService: (f) => [
    { shared: shared(f)[0], threads: 1, maxQueue: 9, batchSize: 2, maxNodes: 50, createWorker: () => undefined },
  ],
  createHttpCache: () => ['https://localhost/tiles', { headers: { 'x-key': '1' }, readOnly: true, timeoutMs: 1000 }],
  createIndexedDbCache: () => ['tiles'],
  createMemoryCache: () => [],
};
