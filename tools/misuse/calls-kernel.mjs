/** Valid calls of `navkiln/kernel`, whose functions check nothing: no fault may leave an invalid mesh behind. */

const point = (x, y, z) => Float64Array.of(x, y, z);
const search = (f, out) => {
  const { start, end, filter, maxNodes } = f.query();
  return { start, end, filter, maxNodes, out: f.own(out), state: f.own(f.m.kernel.createSearchState()) };
};
const scene = (f) => f.own(f.m.kernel.createAvoidanceScene(4, 4));
const flood = (f, mesh) => {
  const out = f.m.kernel.createFlood();
  const bounds = f.m.kernel.createFloodBounds();
  const state = f.m.kernel.createFloodState();
  f.m.kernel.floodInto(out, state, mesh, f.filter(), 0, point(1, 0, 1), bounds);
  return { out: f.own(out), state: f.own(state), bounds: f.own(bounds) };
};
const sampler = (f, mesh) => {
  const out = f.m.kernel.createGroundSampler();
  f.m.kernel.sampleMesh(out, mesh, f.filter());
  return f.own(out);
};

const NOTHING = [
  'createCorridor',
  'createFlood',
  'createFloodBounds',
  'createFloodState',
  'createGroundSampler',
  'createNearestHit',
  'createNeighborhood',
  'createCheapestBuffer',
  'createCheapestState',
  'createOptimalBuffer',
  'createOptimalState',
  'createPathBuffer',
  'createPathLine',
  'createPolyList',
  'createRandomHit',
  'createRayHit',
  'createSearchState',
  'createMove',
  'createSlide',
  'createWallHit',
  'createWallSegments',
];

export const kernelCalls = {
  ...Object.fromEntries(NOTHING.map((name) => [name, () => []])),
  addWallSegments: (f) => [f.own(f.m.kernel.createWallSegments()), f.mesh(), 0, f.filter(), true],
  agentIdOf: (f) => [f.crowd(), 0],
  agentSlotOf: (f) => [f.crowd(), 1],
  avoidByOrca: (f) => [point(0, 0, 0), scene(f)],
  avoidBySampling: (f) => [point(0, 0, 0), scene(f), f.own(f.m.kernel.createSampledParams())],
  createAvoidanceScene: () => [4, 4],
  createSampledParams: () => [{ velocityBias: 0.4 }],
  decodeRef: (f) => [f.polyRef(f.mesh())],
  defaultHalfExtents: (f) => [point(0, 0, 0), f.mesh()],
  drawPointInto: (f) => {
    const mesh = f.mesh();
    return [f.own(f.m.kernel.createRandomHit()), sampler(f, mesh), mesh, f.filter(), () => 0.5];
  },
  findCorridor: (f) => {
    const { start, end, filter, maxNodes, out, state } = search(f, f.m.kernel.createCorridor());
    return [out, state, f.mesh(), filter, 0, start, 1, end, maxNodes];
  },
  findDistanceToWallInto: (f) => {
    const { start, filter, out, state } = search(f, f.m.kernel.createWallHit());
    return [out, state, f.mesh(), 0, start, 5, filter];
  },
  findLocalNeighborhoodInto: (f) => {
    const { start, filter, out, state } = search(f, f.m.kernel.createNeighborhood());
    return [out, state, f.mesh(), 0, start, 2, filter];
  },
  findMidpointPathInto: (f) => [
    f.own(f.m.kernel.createPathBuffer()),
    f.own(f.m.kernel.createSearchState()),
    f.mesh(),
    f.query(),
  ],
  findCheapestPathInto: (f) => [
    f.own(f.m.kernel.createCheapestBuffer()),
    f.own(f.m.kernel.createCheapestState()),
    f.mesh(),
    f.query(),
    0.05,
  ],
  findNearestInto: (f) => [f.own(f.m.kernel.createNearestHit()), f.mesh(), point(1, 0, 1), point(1, 1, 1), f.filter()],
  findOptimalPathInto: (f) => [
    f.own(f.m.kernel.createOptimalBuffer()),
    f.own(f.m.kernel.createOptimalState()),
    f.mesh(),
    f.query(),
  ],
  findPathInto: (f) => [
    f.own(f.m.kernel.createPathBuffer()),
    f.own(f.m.kernel.createSearchState()),
    f.mesh(),
    f.query(),
  ],
  tautenPath: (f) => {
    const mesh = f.mesh();
    const out = f.own(f.m.kernel.createPathBuffer());
    f.m.kernel.findPathInto(out, f.m.kernel.createSearchState(), mesh, f.query());
    return [out, mesh, f.filter()];
  },
  findPolysInBoxInto: (f) => [f.own(f.m.kernel.createPolyList()), f.mesh(), point(1, 0, 1), point(1, 1, 1), f.filter()],
  findTile: (f) => [f.mesh(), 0, 0, 0],
  floodInto: (f) => {
    const mesh = f.mesh();
    const { out, state, bounds } = flood(f, mesh);
    return [out, state, mesh, f.filter(), 0, point(1, 0, 1), bounds];
  },
  linkIndexOf: (f) => {
    const mesh = f.mesh();
    return [mesh, f.m[''].listLinks(mesh)[0]];
  },
  linkRefOf: (f) => [f.mesh(), 0],
  loadShape: (f) => [
    f.own(f.m.kernel.createFloodBounds()),
    point(0, 0, 0),
    [
      [0, 0, 0],
      [0, 0, 4],
      [4, 0, 0],
    ],
  ],
  moveAlongSurfaceInto: (f) => {
    const { start, end, filter, out, state } = search(f, f.m.kernel.createSlide());
    return [out, state, f.mesh(), 0, start, end, filter];
  },
  validateMoveInto: (f) => [
    f.own(f.m.kernel.createMove()),
    f.mesh(),
    0,
    point(1, 0, 1),
    point(9, 0, 9),
    2,
    f.filter(),
    64,
  ],
  polyIndexOf: (f) => {
    const mesh = f.mesh();
    return [mesh, f.polyRef(mesh)];
  },
  pullString: (f) => {
    const mesh = f.mesh();
    return [f.own(f.m.kernel.createPathLine()), mesh, f.found(mesh), point(1, 0, 2), point(10, 0, 10)];
  },
  raycastInto: (f) => [f.own(f.m.kernel.createRayHit()), f.mesh(), 0, point(1, 0, 1), point(9, 0, 9), f.filter(), true],
  refOf: (f) => [f.mesh(), 0],
  sampleFlood: (f) => {
    const mesh = f.mesh();
    const { out, bounds } = flood(f, mesh);
    return [f.own(f.m.kernel.createGroundSampler()), mesh, out, bounds, f.filter()];
  },
  sampleMesh: (f) => [f.own(f.m.kernel.createGroundSampler()), f.mesh(), f.filter()],
};
