/**
 * PlayCanvas: a station. The mesh is baked from entities and drawn over them, and a crowd walks between the platforms, over and below the
 * footbridge.
 */
import * as pc from 'playcanvas';
import { createKeepReachable, createRandom, findRandomPoint } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, listEvents, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines, navMeshTriangles } from 'navkiln/debug';
import { createAgentEntity, drawGeometry, levelFromEntity, placeAgentEntity } from 'navkiln/playcanvas';

const canvas = document.querySelector('canvas');
const app = new pc.Application(canvas, { graphicsDeviceOptions: { antialias: true } });
app.setCanvasFillMode(pc.FILLMODE_FILL_WINDOW);
app.setCanvasResolution(pc.RESOLUTION_AUTO);
addEventListener('resize', () => app.resizeCanvas());
app.start();

const add = (name, components, parent = app.root) => {
  const entity = new pc.Entity(name);
  for (const [type, data] of Object.entries(components)) entity.addComponent(type, data);
  parent.addChild(entity);
  return entity;
};
const material = (hex) => {
  const made = new pc.StandardMaterial();
  made.diffuse = new pc.Color().fromString(hex);
  made.update();
  return made;
};
app.scene.ambientLight = new pc.Color().fromString('#8a93a0');
const camera = add('camera', { camera: { clearColor: new pc.Color().fromString('#f4f1ea'), fov: 45 } });
const back = Math.max(1, (1.25 * innerHeight) / innerWidth);
camera.setPosition(-11 * back, 20 * back, 21 * back);
camera.lookAt(0, 0, 0);
add('sun', { light: { type: 'directional', intensity: 0.9 } }).setEulerAngles(40, 35, 0);

const materials = new Map();
/** Adds a box; `y` is its lower side. */
function addBox(width, height, depth, [x, y, z], color) {
  if (!materials.has(color)) materials.set(color, material(color));
  const box = add('box', { render: { type: 'box', material: materials.get(color) } });
  box.setLocalScale(width, height, depth);
  box.setPosition(x, y + height / 2, z);
}

// Two platforms, and rails between them.
addBox(28, 2, 8, [0, -2, -7], '#cfcac0');
addBox(28, 2, 8, [0, -2, 7], '#cfcac0');
addBox(28, 0.5, 6, [0, -2, 0], '#7c7268');
for (const z of [-1.9, -0.7, 0.9, 2.1]) addBox(28, 0.15, 0.12, [0, -1.5, z], '#4b4f55');
for (const z of [-3.3, 3.3]) addBox(28, 0.02, 0.3, [0, 0, z], '#e8c547');
// A train.
for (const x of [-11, -4.5]) {
  addBox(6, 1, 1.9, [x, -1.2, -1.3], '#b5433c');
  addBox(6, 1.1, 1.9, [x, -0.2, -1.3], '#e9e4da');
}
// A footbridge with stairs.
addBox(2.6, 0.3, 9, [5, 2.9, 0], '#8fa3b0');
for (const side of [-1.4, 1.4]) addBox(0.12, 1, 9, [5 + side, 3.2, 0], '#5d7382');
for (let k = 1; k <= 8; k++)
  for (const side of [-1, 1]) addBox(2.6, 0.4 * k, 0.5, [5, 0, side * (4.75 + 0.5 * (8 - k))], '#a9b8c1');
// Roofs on posts, benches and a kiosk.
for (const z of [-8.5, 8.5]) {
  addBox(10, 0.2, 3, [-6, 3, z], '#4f7f8f');
  for (const x of [-10, -6, -2]) addBox(0.2, 3, 0.2, [x, 0, z], '#3d5f6b');
  for (const x of [-8, -4]) addBox(2, 0.6, 0.6, [x, 0, z], '#8a6b4a');
}
addBox(3, 2.4, 2, [11, 0, -8], '#d98e4a');

// Bake what is drawn, and draw the mesh over it.
const { navMesh } = buildNavMesh(levelFromEntity(app.root), {
  agent: { radius: 0.35, height: 1.8, maxClimb: 0.45 },
  keepReachable: createKeepReachable([[0, 0, 5]]),
});
// Roofs and other surface that nothing leads to has the flags 0.
const reachable = { filter: (poly) => navMesh.polyFlags[poly] !== 0 };
app.root.addChild(drawGeometry(pc, app.graphicsDevice, navMeshTriangles(navMesh, reachable), { opacity: 0.6 }));
app.root.addChild(drawGeometry(pc, app.graphicsDevice, navMeshOutlines(navMesh, reachable)));

// Thirty agents, each with a capsule that follows it.
const crowd = createCrowd(navMesh, { maxAgents: 30 });
const random = createRandom(7);
const somewhere = () => findRandomPoint(navMesh, random).point;
const colors = ['#d55e00', '#0072b2', '#cc79a7'].map(material);
const agents = Array.from({ length: 30 }, (_, i) => {
  const id = addAgent(crowd, somewhere(), { radius: 0.35, maxSpeed: 2.5 });
  moveAgentTo(crowd, id, somewhere());
  const entity = add('agent', {});
  const body = add('body', { render: { type: 'capsule', material: colors[i % 3] } }, entity);
  body.setLocalPosition(0, 0.8, 0);
  body.setLocalScale(0.6, 0.8, 0.6);
  return createAgentEntity((out, alpha) => interpolateAgentInto(out, crowd, id, alpha), entity);
});

let arrivals = 0;
app.on('update', (seconds) => {
  const alpha = advanceCrowd(crowd, seconds);
  for (const { kind, agent } of listEvents(crowd)) {
    if (kind !== 'arrived') continue;
    arrivals++;
    moveAgentTo(crowd, agent, somewhere());
  }
  for (const agent of agents) placeAgentEntity(agent, alpha);
  document.querySelector('#status').textContent = `${navMesh.polyCount} polygons. Arrivals: ${arrivals}.`;
});
