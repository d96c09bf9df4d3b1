/**
 * PlayCanvas: a mesh baked from entities, drawn over them, and a crowd that walks between random goals.
 */
import * as pc from 'playcanvas';
import { createRandom, findRandomPoint } from 'navkiln';
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
camera.setPosition(-11, 22, 22);
camera.lookAt(0, 0, 0);
add('sun', { light: { type: 'directional', intensity: 0.9 } }).setEulerAngles(40, 35, 0);

// The scene: a floor, walls, and stairs to a platform. Sizes and centers.
const stone = material('#d9d4c8');
const boxes = [
  [
    [24, 1, 24],
    [0, -0.5, 0],
  ],
  [
    [8, 2, 8],
    [7, 1, -7],
  ],
  [
    [1, 2, 11],
    [-4, 1, 2],
  ],
  [
    [9, 2, 1],
    [3, 1, 5],
  ],
  ...[1, 2, 3, 4, 5].map((k) => [
    [0.5, 0.4 * k, 3],
    [0.25 + 0.5 * k, 0.2 * k, -7],
  ]),
];
for (const [size, at] of boxes) {
  const box = add('box', { render: { type: 'box', material: stone } });
  box.setLocalScale(...size);
  box.setPosition(...at);
}

// Bake what is drawn, and draw the mesh over it.
const { navMesh } = buildNavMesh(levelFromEntity(app.root), { agent: { radius: 0.35, height: 1.8, maxClimb: 0.45 } });
app.root.addChild(drawGeometry(pc, app.graphicsDevice, navMeshTriangles(navMesh), { opacity: 0.6 }));
app.root.addChild(drawGeometry(pc, app.graphicsDevice, navMeshOutlines(navMesh)));

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
