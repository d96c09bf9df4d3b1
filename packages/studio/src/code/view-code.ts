/**
 * Writes what the page shows as a program: the bake with its settings and edits, and what the active tool does with the mesh. Query
 * tools write their own code. Loaded when the card's code is opened.
 *
 * In: the state, the active tool, and the data that the tool provides. Out: TypeScript, or '' when there is nothing to show.
 * Cost: linear in what is written; long lists are cut short with a comment.
 * Based on: own.
 */
import { listNames, isEnabled } from 'navkiln';
import { getAgent, listAgents } from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import { meshToMap } from 'navkiln/polygon';
import type { ParsedMap } from 'navkiln/polygon';
import { partTriangles } from '../state/parts.ts';
import { sceneOf } from '../state/scene.ts';
import { bakeOptions, mapOptions, surfaceOptions } from '../state/settings.ts';
import { isPoint, mapOf } from '../state/state.ts';
import type { StudioState, Vec3 } from '../state/state.ts';
import type { Live, LiveObstacle } from '../crowd/live/types.ts';
import { codeOf, literal } from './literal.ts';

/** Agents and tiles that are written. */
const MOST_AGENTS = 12;
/** Corners of maps that are written; larger maps are `map`. */
const MOST_CORNERS = 200;

/** A program in the making: imports by module, and lines. */
interface Program {
  imports: Map<string, Set<string>>;
  lines: string[];
}

type Writer = (program: Program, state: StudioState, data: unknown) => void;

/** Returns the program of a view. Unbound names are explained by comments: `positions`, `indices`, `map`, `bytes`, `text`. */
export function viewCode(state: StudioState, tool: string, data: unknown): string {
  const program: Program = { imports: new Map(), lines: [] };
  const writer = WRITERS[tool];
  if (writer === undefined || (state.level === undefined && state.map === undefined && state.mesh === undefined))
    return '';
  writer(program, state, data);
  const imports = [...program.imports].map(
    ([module, names]) => `import { ${[...names].sort().join(', ')} } from '${module}';`,
  );
  return [...imports.sort(), '', ...program.lines].join('\n');
}

function use({ imports }: Program, module: string, ...names: string[]): void {
  const known = imports.get(module) ?? new Set();
  for (const name of names) known.add(name);
  imports.set(module, known);
}

const WRITERS: Readonly<Record<string, Writer>> = {
  look: writeMesh,
  volume: writeMesh,
  link: writeMesh,
  parts: writeMesh,
  draw: writeMesh,
  prune: writeMesh,
  tiles: writeMesh,
  stages: writeStage,
  why: writeWhy,
  walk: writeWalk,
  scene: writeScene,
  crowd: writeCrowd,
};

/** Writes how the mesh is made. */
function writeMesh(program: Program, state: StudioState): void {
  const { lines } = program;
  const { level, edits } = state;
  if (level === undefined) {
    if (state.map === undefined) return writeLoad(program, state);
    writeMap(program, state);
    return writeTypes(program, state);
  }
  const { build, surface } = sceneOf(state);
  if (build === 'surface') {
    use(program, 'navkiln/build', 'buildFromSurface');
    lines.push(...levelNote(state));
    lines.push(
      `const { navMesh } = buildFromSurface({ positions, indices }, ${literal(surfaceOptions(state.settings, surface))});`,
    );
    if (edits.links.length > 0) {
      use(program, 'navkiln', 'addLink');
      lines.push(`for (const link of ${literal(edits.links)}) addLink(navMesh, link);`);
    }
    return writeTypes(program, state);
  }
  if ((edits.parts ?? []).length > 0) writeWorld(program, state);
  else {
    use(program, 'navkiln/build', 'buildNavMesh');
    lines.push(...levelNote(state));
    lines.push(`const { navMesh, report } = buildNavMesh({ positions, indices }, ${optionsOf(program, state)});`);
  }
  writeTiles(program, state);
  if (edits.seeds.length > 0) {
    use(program, 'navkiln', 'pruneUnreachable');
    lines.push('', `pruneUnreachable(navMesh, ${literal(edits.seeds)});`);
  }
  writeDoors(program, state);
}

/** Writes the types that a mesh of one agent keeps. */
function writeTypes(program: Program, { settings: { agentTypes = [] } }: StudioState): void {
  if (agentTypes.length === 0) return;
  use(program, 'navkiln', 'setAgentTypes');
  const rules = agentTypes.map(({ radius: _, height: __, maxClimb: ___, maxSlopeDegrees: ____, ...rest }) => rest);
  program.lines.push(`setAgentTypes(navMesh, ${literal(rules)});`);
}

/** Returns comments that explain `positions` and `indices`. */
function levelNote({ source, edits, level }: StudioState): string[] {
  const what =
    level?.levels !== undefined
      ? 'the levels of the scene at their places'
      : source?.kind === 'files'
        ? source.names[0]
        : 'the level';
  const corrected = edits.correction === undefined ? '' : ', corrected as in the studio';
  return [`// positions, indices: the triangles of ${what}${corrected}`];
}

function optionsOf(program: Program, { settings, edits }: StudioState): string {
  const { volumes = [], links = [], partition, dynamic, ...options } = bakeOptions(settings, edits);
  const { agentTypes } = settings;
  const made = (name: string, list?: readonly unknown[]): unknown => {
    use(program, 'navkiln/build', name);
    return codeOf(name, list);
  };
  return literal({
    ...options,
    ...(partition === undefined
      ? {}
      : { partition: partition === 'watershed' ? partition : made(`${partition}Partition`) }),
    ...(dynamic === true ? { dynamic: made('dynamicLayers') } : {}),
    ...(volumes.length > 0 ? { volumes: made('createVolumes', volumes) } : {}),
    ...(links.length > 0 ? { links: made('createLinks', links) } : {}),
    ...(agentTypes === undefined ? {} : { sizes: made('createAgentSizes', agentTypes) }),
  });
}

function writeLoad(program: Program, { mesh }: StudioState): void {
  use(program, 'navkiln', 'loadNavMesh');
  if ((mesh?.navMesh.linkCount ?? 0) > 0) {
    use(program, 'navkiln/links', 'enableWideLinks');
    program.lines.push('// The mesh may have links with segments as ends.', 'enableWideLinks();');
  }
  program.lines.push('// bytes: the saved mesh (.navmesh)', 'const navMesh = loadNavMesh(bytes);');
}

/** Writes a world with obstacles. Added shapes are levels of it. */
function writeWorld(program: Program, state: StudioState, obstacles: readonly LiveObstacle[] = []): void {
  const { lines } = program;
  use(program, 'navkiln/world', 'addLevel', 'createWorld', 'updateWorld');
  const { settings, edits, mesh } = state;
  const tileSize = settings.tileSize || Number((48 * (mesh?.navMesh.cellSize || 0.2)).toFixed(6));
  lines.push(`const world = createWorld(${optionsOf(program, { ...state, settings: { ...settings, tileSize } })});`);
  lines.push(...levelNote(state), 'addLevel(world, { positions, indices });');
  for (const part of edits.parts ?? []) {
    const { shape, position, rotation, scale } = part;
    const unit = partTriangles({ ...part, position: [0, 0, 0], rotation: [0, 0, 0], scale: [1, 1, 1] });
    const name = `${shape}${part.id}`;
    lines.push('', `const ${name} = ${literal({ positions: [...unit] })};`);
    lines.push(`addLevel(world, ${name}, ${literal({ position, rotation, scale })});`);
  }
  if (obstacles.length > 0) use(program, 'navkiln/world', 'addObstacle');
  for (const { shape, width, height, position } of obstacles) {
    const [x, y, z] = position;
    const size = shape === 'box' ? { size: [width, height, width] } : { radius: width / 2, height };
    lines.push(`addObstacle(world, ${literal({ type: shape, ...size, position: [x, y + height / 2, z] })});`);
  }
  lines.push('const { navMesh } = updateWorld(world);');
}

function writeTiles(program: Program, { edits: { tiles }, mesh }: StudioState): void {
  if (tiles === undefined) return;
  use(program, 'navkiln', 'removeTile');
  use(program, 'navkiln/kernel', 'findTile');
  const { lines } = program;
  if (tiles.all) {
    lines.push('', `for (const [x, z] of ${literal(tiles.except)}) removeTile(navMesh, findTile(navMesh, x, z));`);
    return;
  }
  const config = mesh?.report?.config as { tileCountX?: number; tileCountZ?: number } | undefined;
  const kept = literal(tiles.except.map(([x, z]) => `${x},${z}`));
  lines.push(
    '',
    `const kept = ${kept};`,
    `for (let z = 0; z < ${config?.tileCountZ ?? 0}; z++) {`,
    `  for (let x = 0; x < ${config?.tileCountX ?? 0}; x++) {`,
    '    const slot = findTile(navMesh, x, z);',
    // oxlint-disable-next-line no-template-curly-in-string -- it is code that is shown
    '    if (slot >= 0 && !kept.includes(`${x},${z}`)) removeTile(navMesh, slot);',
    '  }',
    '}',
  );
}

/** Writes the doors that are closed now. */
function writeDoors(program: Program, { mesh }: StudioState): void {
  const navMesh = mesh?.navMesh;
  if (navMesh === undefined) return;
  const closed = listNames(navMesh).filter((name) => !isEnabled(navMesh, name));
  if (closed.length > 0) use(program, 'navkiln', 'setEnabled');
  for (const name of closed) program.lines.push(`setEnabled(navMesh, ${literal(name)}, false);`);
}

function writeMap(program: Program, state: StudioState, result = '{ navMesh, report }'): void {
  const options = literal(mapOptions(state.settings));
  const { mapLevels } = state.edits;
  if (mapLevels !== undefined && state.map?.levels !== undefined) {
    use(program, 'navkiln/polygon', 'buildFromLevels', 'parseGeoJsonLevels');
    const { where, obstacles, walkable, lineWidth, projection } = state.settings.map ?? {};
    const own = { ...mapLevels, where, obstacles, walkable, lineWidth, projection };
    program.lines.push(
      '// text: the file of GeoJSON',
      `const { navMesh } = buildFromLevels(parseGeoJsonLevels(text, ${literal(own)}), ${options});`,
    );
    return;
  }
  const isDiagonal = state.settings.map?.mode === 'diagonal';
  use(program, 'navkiln/polygon', 'buildFromPolygons', ...(isDiagonal ? ['cutByDiagonals'] : []));
  const map = mapOf(state)!;
  const { polygons, obstacles, areas, layers, links, precision, yAxis } = map as ParsedMap;
  const text = JSON.stringify(map);
  const isShort = (text.match(/\[-?[\d.e-]+,/g) ?? []).length <= MOST_CORNERS;
  program.lines.push(
    isShort
      ? `const map = ${literal({ polygons, obstacles, areas, layers, links, precision, yAxis })};`
      : '// map: the outlines, holes, obstacles and areas (Save, Map)',
    `const ${result} = buildFromPolygons(map, ${isDiagonal ? `{ ...${options}, cutByDiagonals }` : options});`,
  );
  if (links === undefined || result === 'build') return;
  use(program, 'navkiln', 'addLink');
  use(program, 'navkiln/polygon', 'mapToMesh');
  program.lines.push(
    'for (const { start, end } of map.links) {',
    '  addLink(navMesh, { start: mapToMesh(navMesh, start), end: mapToMesh(navMesh, end) });',
    '}',
  );
}

/** Writes what shows a stage of the bake. */
function writeStage(program: Program, state: StudioState, data: unknown): void {
  const { stage = '', tile } = (data ?? {}) as { stage?: string; tile?: [number, number] };
  const { lines } = program;
  if (state.level === undefined) {
    if (state.map === undefined) return writeLoad(program, state);
    writeMap(program, state, 'build');
    use(program, 'navkiln/debug', 'stageDrawings');
    lines.push('', `const { text, counts, lists } = stageDrawings.viewMapStage(build, ${literal(stage)});`);
    return;
  }
  writePrepared(program, state);
  use(program, 'navkiln/debug', 'recordStages', 'stageDrawings');
  lines.push(`const records = recordStages(prepared, ${(tile ?? [0, 0]).join(', ')});`);
  const needsMesh = ['portals', 'tree', 'links'].includes(stage);
  if (needsMesh) {
    use(program, 'navkiln/build', 'buildNavMesh');
    lines.push(`const { navMesh } = buildNavMesh({ positions, indices }, ${optionsOf(program, state)});`);
  }
  lines.push(
    `const { text, counts, lists } = stageDrawings.viewStage(records, ${literal(stage)}${needsMesh ? ', { navMesh }' : ''});`,
  );
}

function writePrepared(program: Program, state: StudioState): void {
  use(program, 'navkiln/build', 'prepareTiles');
  program.lines.push(
    ...levelNote(state),
    `const prepared = prepareTiles({ positions, indices }, ${optionsOf(program, { ...state, edits: { ...state.edits, links: [] } })});`,
  );
}

/** Writes what explains a position. */
function writeWhy(program: Program, state: StudioState): void {
  const { at } = state.toolStates['why'] ?? {};
  if (!isPoint(at)) return writeMesh(program, state);
  const { lines } = program;
  if (state.level === undefined) {
    if (state.map === undefined || state.mesh === undefined) return writeLoad(program, state);
    writeMap(program, state, 'build');
    use(program, 'navkiln/debug', 'explainMapPosition');
    lines.push(
      '',
      `const { message } = explainMapPosition(map, build, ${literal(meshToMap(state.mesh.navMesh, at))});`,
    );
    return;
  }
  writePrepared(program, state);
  use(program, 'navkiln/debug', 'explainPosition', 'recordStages', 'stageDrawings');
  lines.push(
    `const position = ${literal(at)};`,
    'const records = recordStages(prepared, ...stageDrawings.tileOfPlace(prepared, position));',
    'const { message, numbers } = explainPosition(records, position);',
  );
}

/** Writes the walk of the player on a 2D map. */
function writeWalk(program: Program, state: StudioState, data: unknown): void {
  const { points = [], speed = 1 } = (data ?? {}) as { points?: readonly (readonly number[])[]; speed?: number };
  writeMesh(program, state);
  const { lines } = program;
  if (points.length < 2) return;
  use(program, 'navkiln/polygon', 'findPath2d');
  use(program, 'navkiln', 'advancePathWalker', 'createPathWalker');
  lines.push(
    '',
    `const path = findPath2d(navMesh, ${literal(points[0])}, ${literal(points.at(-1))});`,
    `const walker = createPathWalker(path.points, ${literal(speed)});`,
    'while (!walker.done) advancePathWalker(walker, 1 / 60);   // in each frame: walker.position',
  );
}

/** Writes the run of a scene. */
function writeScene(program: Program, state: StudioState): void {
  writeMesh(program, state);
  const { agents, seed = 1 } = sceneOf(state);
  if (agents.length === 0) return;
  use(program, 'navkiln-cli/scene', 'castScene', 'createSceneRun', 'parseSceneText');
  use(program, 'navkiln/debug', 'crowdRuns');
  program.lines.push(
    '',
    '// text: the scene (Save, Scene); navkiln crowd runs the same',
    "const document = parseSceneText(text, 'scene.yaml');",
    ...(state.edits.links.length > 0
      ? ['for (const ref of listLinks(navMesh)) removeLink(navMesh, ref);   // the scene adds them']
      : []),
    `const cast = castScene(document, navMesh, { seed: ${seed}, note: (message) => console.warn(message) });`,
    'const { setup, world, createDriver } = createSceneRun(document.scene, navMesh, cast);',
    'const driver = createDriver(1 / 60);',
    'const run = crowdRuns.startCrowdRun(setup, { unmeasured: true }, world, driver);',
    'while (crowdRuns.stepCrowdRun(run));   // a tick each; driver.crowd has the agents',
  );
  if (state.edits.links.length > 0) use(program, 'navkiln', 'listLinks', 'removeLink');
}

/** Writes the agents of a crowd where they are now, with their goals. */
function writeCrowd(program: Program, state: StudioState, data: unknown): void {
  const { crowd, live, isScene = false } = (data ?? {}) as { crowd?: Crowd; live?: Live; isScene?: boolean };
  if (isScene) return writeScene(program, state);
  if (live !== undefined && state.level !== undefined) writeWorld(program, state, live.obstacles);
  else writeMesh(program, state);
  if (crowd === undefined) return;
  const ids = listAgents(crowd);
  const names = ['addAgent', 'createCrowd', 'stepCrowd'];
  const { lines } = program;
  const lists = ids.slice(0, MOST_AGENTS).map((id) => {
    const { position, goal, radius, maxSpeed } = getAgent(crowd, id)!;
    return { position: rounded(position), radius, maxSpeed, ...(goal === null ? {} : { goal: rounded(goal) }) };
  });
  const hasGoals = lists.some(({ goal }) => goal !== undefined);
  if (hasGoals) names.push('moveAgentTo');
  use(program, 'navkiln/crowd', ...names);
  lines.push('', `const crowd = createCrowd(navMesh, { maxAgents: ${Math.max(1, ids.length)} });`);
  if (ids.length > MOST_AGENTS) lines.push(`// ${MOST_AGENTS} of ${ids.length} agents:`);
  if (lists.length > 0) {
    lines.push(
      `for (const { position, goal, ...options } of ${literal(lists)}) {`,
      '  const agent = addAgent(crowd, position, options);',
      ...(hasGoals ? ['  if (goal !== undefined) moveAgentTo(crowd, agent, goal);'] : []),
      '}',
    );
  }
  lines.push('for (let tick = 0; tick < 600; tick++) stepCrowd(crowd);   // a tick is 1/60 s');
}

function rounded(point: Vec3): number[] {
  return point.map((value) => Number(value.toFixed(3)));
}
