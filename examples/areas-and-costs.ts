/**
 * Marks an area of mud, saves and loads the mesh, and finds a path around the mud when mud is expensive. Then two types of agents with rules
 * of their own use one mesh.
 */
import {
  createAgentTypes,
  createFilter,
  findCheapestPath,
  findPath,
  loadNavMesh,
  saveNavMesh,
  typeFilter,
} from 'navkiln';
import { buildNavMesh, createAgentSizes, createVolumes } from 'navkiln/build';

const MUD = 1;
const floor = { positions: [0, 0, 0, 0, 0, 20, 30, 0, 20, 30, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
const volumes = createVolumes([{ type: 'box', area: MUD, min: [10, -1, 4], max: [20, 1, 20] }]);

const { navMesh, report } = buildNavMesh(floor, { agent: { radius: 0.5, height: 2 }, volumes });
if (report.warnings.length > 0) console.log(report.warnings);

// Bytes for a file or the network. Loading creates views of them and copies nothing.
const loaded = loadNavMesh(saveNavMesh(navMesh));

const from = [3, 0, 10];
const to = [27, 0, 10];
const straight = findPath(loaded, from, to);
const filter = createFilter({ areaCosts: { [MUD]: 5 } });
const around = findPath(loaded, from, to, { filter });
console.log(`through the mud: ${straight.length.toFixed(1)} m, around it: ${around.length.toFixed(1)} m`);

// The cheapest path bends at the border of the mud, and takes the corner that costs least.
const cheapest = findCheapestPath(loaded, from, to, { filter });
console.log(`cheapest: cost ${cheapest.cost.toFixed(1)}, at most ${100 * cheapest.bound} % above the least`);

// An agent type is a size with rules, which are saved with the mesh.
const sizes = createAgentSizes([
  { name: 'walker', radius: 0.5, height: 2, areaCosts: { [MUD]: 1.1 } },
  { name: 'cart', radius: 1, height: 2, closedAreas: [MUD] },
]);
const shared = loadNavMesh(saveNavMesh(buildNavMesh(floor, { sizes, volumes }).navMesh));
const types = createAgentTypes(shared);
for (const { name } of types) {
  const { length } = findPath(shared, from, to, { filter: typeFilter(types, name) });
  console.log(`${name}: ${length.toFixed(1)} m`);
}
