/** Valid calls of `navkiln/build` and `navkiln/polygon`. */

const volumes = () => [
  { type: 'box', area: 2, min: [1, -1, 1], max: [2, 1, 2] },
  { type: 'cylinder', area: 3, center: [8, 0, 8], radius: 1, height: 2 },
];
const buildOptions = (f) => ({
  ...f.bakeOptions(),
  partition: 'watershed',
  maxEdgeLength: 4,
  maxEdgeError: 0.5,
  regionMinArea: 1,
  regionMergeArea: 4,
  maxVerticesPerPoly: 6,
  detailSampleDistance: 2,
  detailMaxError: 0.2,
  filterLedges: true,
  volumes: f.m.build.createVolumes(volumes()),
  links: f.m.build.createLinks([{ start: [1, 0, 1], end: [11, 0, 11] }]),
  bounds: { min: [0, -1, 0], max: [12, 4, 12] },
  memoryLimitBytes: 1e8,
  onProgress: () => {},
});
const tileOptions = (f) => {
  const { onProgress: _onProgress, links: _links, ...rest } = buildOptions(f);
  return rest;
};
const workspace = (f) => f.own(f.m.build.createWorkspace());
const input = (f) => ({ ...f.level(), areas: [63, 63, 1], twoSided: [0, 0, 1] });

/** Accessors of packed spans, called once a span: they take any number and check nothing. */
const UNCHECKED = () => [];

export const buildCalls = {
  bakeNavMesh: (f) => [
    input(f),
    {
      ...buildOptions(f),
      pool: f.pool(),
      cache: f.tileCache(),
      signal: f.signal(),
      onTiles: () => {},
    },
  ],
  buildCompactField: (f) => [f.stage('solid'), f.config(), workspace(f)],
  buildContours: (f) => [f.stage('field'), f.config(), { holesNotMerged: 0 }, workspace(f)],
  buildDetailMesh: (f) => [f.stage('polyMesh'), f.stage('field'), f.config(), { polygonsLimited: 0 }, workspace(f)],
  buildDistanceField: (f) => [f.stage('field'), workspace(f)],
  buildFromSurface: (f) => [
    [{ ...f.level(), areas: [63, 63, 1], twoSided: false }],
    {
      agent: f.bakeOptions().agent,
      weldTolerance: 0.01,
      clearance: true,
      islandMinArea: 0,
      maxVerticesPerPoly: 6,
      mergeDegrees: 5,
      tileSize: 8,
      strict: false,
      memoryLimitBytes: 1e8,
      onProgress: () => {},
    },
  ],
  buildNavMesh: (f) => [input(f), buildOptions(f)],
  createLinks: () => [[{ start: [1, 0, 1], end: [11, 0, 11] }]],
  createVolumes: () => [volumes()],
  optionsFromSettings: (f) => [{ ...f.bakeOptions(), partition: 'layers', volumes: volumes(), dynamic: true }],
  createObstacles: () => [[{ type: 'box', size: [1, 2, 1], position: [1, 0, 1], rotation: 30, effect: 'hole' }]],
  createAgentSizes: () => [
    [
      {
        name: 'a',
        radius: 0.4,
        height: 1.8,
        maxClimb: 0.4,
        maxSlopeDegrees: 30,
        closedAreas: [5],
        closedLinks: ['vault'],
      },
    ],
  ],
  buildNavMeshes: (f) => [input(f), buildOptions(f), [{ name: 'a', radius: 0.4, height: 1.8, maxClimb: 0.4 }]],
  splitConcavePolys: (f) => [f.stage('polyMesh'), f.stage('contours'), { polygonsSplit: 0 }],
  buildPolyMesh: (f) => [f.stage('contours'), f.config(), { contoursNotTriangulated: 0 }, workspace(f)],
  buildPreparedTile: (f) => [f.prepared(), 0, 0],
  buildRegionsLayers: (f) => [f.stage('field'), 4, workspace(f)],
  buildRegionsMonotone: (f) => [f.stage('field'), 4, 16, workspace(f)],
  buildRegionsWatershed: (f) => [f.stage('field'), 4, 16, workspace(f)],
  buildTile: (f) => [input(f), tileOptions(f), 0, 0],
  countWalkableSpans: (f) => [f.stage('solid')],
  createTileData: (f) => [f.stage('polyMesh'), f.stage('detail'), f.config(), 0, 0],
  createWorkspace: () => [],
  erodeArea: (f) => [f.stage('field'), 1, workspace(f)],
  filterLedges: (f) => [f.stage('solid'), 9, 2],
  filterLowCeilings: (f) => [f.stage('solid'), 9],
  filterLowHangingObstacles: (f) => [f.stage('solid'), 2],
  filterSpans: (f) => [f.stage('solid'), f.config()],
  markBySlope: (f) => [f.own(f.m.build.prepareInput(f.level())), 45, 'markBySlope'],
  markVolume: (f) => [
    f.stage('field'),
    {
      type: 'prism',
      area: 4,
      outline: [
        [1, 1],
        [3, 1],
        [3, 3],
      ],
      minY: -1,
      maxY: 2,
    },
  ],
  medianFilterAreas: (f) => [f.stage('field')],
  prepareInput: (f) => [input(f), { min: [0, -1, 0], max: [12, 4, 12] }, 'prepareInput'],
  prepareTiles: (f) => [input(f), tileOptions(f)],
  rasterize: (f) => {
    const { positions, indices, areas } = f.stages().triangles;
    return [positions, indices, areas, f.config(), workspace(f)];
  },
  resolveBake: (f) => [input(f), tileOptions(f)],
  resolveConfig: (f) => [f.own(f.m.build.prepareInput(f.level())), tileOptions(f), 'resolveConfig'],
  validateCompactField: (f) => [f.stage('field')],
  validateContourSet: (f) => [f.stage('contours')],
  validateDetailMesh: (f) => [f.stage('detail'), f.stage('polyMesh')],
  validateHeightfield: (f) => [f.stage('solid')],
  validatePolyMesh: (f) => [f.stage('polyMesh')],
  spanArea: UNCHECKED,
  spanBottom: UNCHECKED,
  spanTop: UNCHECKED,
  workspaceBytes: (f) => [workspace(f)],
};

const warn = () => () => {};
const on = (f) => ({ halfExtents: 2, filter: f.filter() });
const geoJson = () => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { kind: 'wall' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    },
  ],
});
const tiled = () => ({
  type: 'map',
  version: '1.10',
  orientation: 'orthogonal',
  width: 2,
  height: 2,
  tilewidth: 16,
  tileheight: 16,
  infinite: false,
  layers: [
    {
      type: 'tilelayer',
      name: 'ground',
      width: 2,
      height: 2,
      x: 0,
      y: 0,
      opacity: 1,
      visible: true,
      data: [1, 1, 1, 0],
    },
    {
      type: 'objectgroup',
      name: 'walls',
      objects: [{ id: 1, name: '', type: '', x: 2, y: 2, width: 4, height: 4, rotation: 0, visible: true }],
    },
  ],
  tilesets: [
    {
      firstgid: 1,
      name: 't',
      tilewidth: 16,
      tileheight: 16,
      tilecount: 1,
      columns: 1,
      tiles: [{ id: 0, properties: [{ name: 'collides', type: 'bool', value: false }] }],
    },
  ],
});

const DEGREES = '{"type":"Polygon","coordinates":[[[10,50],[10.01,50],[10,50.01],[10,50]]]}';

export const polygonCalls = {
  readMap: (f) => [JSON.stringify(f.map()), { name: 'a.json', walkable: ['x'], precision: 0.1, memoryLimitBytes: 1e6 }],
  pickMapReadOptions: () => [{ walls: ['a'], scale: 2 }],
  readTmx: () => ['<map width="1" height="1" tilewidth="8" tileheight="8"></map>', 'a.tmx'],
  buildFromPolygons: (f) => [
    { ...f.map(), yAxis: 'up' },
    {
      agent: { height: 2 },
      radii: [0.2, 0.4],
      mode: 'delaunay',
      maxVertices: 6,
      fillRule: 'nonzero',
      gridSize: 0.001,
      arcTolerance: 0.01,
      strict: false,
    },
  ],
  cleanPolygons: (f) => [f.gridMap(), 'nonzero', warn()],
  cutByDiagonals: (f) => [f.mapStage('ground'), 6, { stillConcave: 1, curesBoth: 2, sharpest: 3, sharpSine: 0.1 }],
  findNearest2d: (f) => [f.mapMesh(), [1, 1], on(f)],
  findPath2d: (f) => [
    f.mapMesh(),
    [1, 1],
    { x: 9, y: 9 },
    { ...on(f), maxNodes: 99, mode: f.m.polygon.findMidpointPath },
  ],
  findWindings: (f) => [f.mapStage('triangulation')],
  insetWalkable: (f) => [f.mapStage('ground'), 10, 1],
  mapToMesh: (f) => [f.mapMesh(), [1, 2]],
  mergeTriangles: (f) => [f.mapStage('triangulation'), f.mapStage('winding'), 6],
  meshToMap: (f) => [f.mapMesh(), [1, 0, 2]],
  moveAlongSurface2d: (f) => [f.mapMesh(), [1, 1], [9, 9], on(f)],
  parseGeoJson: () => [geoJson(), { projection: 'none', isObstacle: () => false, name: 'a.geojson' }],
  parsePolygonMap: (f) => [f.map(), 'a.json'],
  polygonsFromMask: () => [
    { width: 2, height: 2, data: Uint8Array.of(255, 0, 255, 255) },
    { threshold: 0.4, scale: 2, origin: [1, 1], diagonal: true, name: 'a.png' },
  ],
  findClosedPassages: (f) => [f.mapStage('clean'), f.mapMesh(), f.mapFrame()],
  findNearMisses: (f) => [f.gridMap(), f.m.polygon.resolvePolygonOptions({})],
  buildFromLevels: (f) => [
    { levels: [{ name: '0', height: 0, map: f.map() }], connections: [] },
    { radius: 0.1, reach: 1 },
  ],
  parseGeoJsonLevels: () => [
    {
      type: 'FeatureCollection',
      features: [{ ...geoJson().features[0], properties: { level: '0' } }],
    },
    {
      levelHeight: 3,
      wallWidth: 0.1,
      doorWidth: 1,
      lineWidth: 1,
      costs: { lift: 1 },
      projection: 'none',
      name: 'a.geojson',
    },
  ],
  parseSvg: () => [
    '<svg viewBox="0 0 9 9"><g id="floor"><path d="M0 0h9v9H0z"/></g><g id="a"/><g id="b"/></svg>',
    {
      walkable: ['floor'],
      walls: ['a'],
      ignore: ['b'],
      scale: 2,
      tolerance: 0.1,
      memoryLimitBytes: 1e6,
      name: 'a.svg',
    },
  ],
  parseTiled: () => [
    tiled(),
    { walkable: ['ground'], collisionProperty: 'collides', scale: 1, tolerance: 0.1, space: 'screen', name: 'a.tmj' },
  ],
  polygonsFromGrid: () => [[1, 1, 0, true], 2, 2, { cellSize: 1, origin: [0, 0], diagonal: 0.5 }],
  raycast2d: (f) => [f.mapMesh(), [1, 1], [9, 9], { ...on(f), withCost: true, withPolys: true }],
  readPolygonMap: (f) => [f.map(), f.own(f.m.polygon.resolvePolygonOptions({})), warn()],
  resolvePolygonOptions: (f) => [
    { radius: 0.2, mode: 'diagonal', cutByDiagonals: f.m.polygon.cutByDiagonals, yAxis: 'down' },
  ],
  tileFromPieces: (f) => [f.mapStage('pieces'), f.mapFrame(), 'up'],
  triangulateRings: (f) => [f.mapStage('ground'), [1, 1, 1]],
  unprojectPoint: (f) => [f.m.polygon.parseGeoJson(DEGREES).projection, [100, 100]],
};
