/**
 * Babylon.js: a river with two bridges. The mesh is baked from the scene and drawn over it, and a crowd crosses where you click.
 */
import * as BABYLON from '@babylonjs/core';
import { createKeepReachable, createRandom, findRandomPoint } from 'navkiln';
import { createAgentNode, drawGeometry, levelFromMeshes, placeAgentNode } from 'navkiln/babylon';
import { buildNavMesh } from 'navkiln/build';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines, navMeshTriangles } from 'navkiln/debug';

const { Color3, Color4, Vector3, MeshBuilder } = BABYLON;
const canvas = document.querySelector('canvas');
const engine = new BABYLON.Engine(canvas, true);
const scene = new BABYLON.Scene(engine);
scene.clearColor = Color4.FromHexString('#f4f1eaff');
const camera = new BABYLON.ArcRotateCamera(
  'camera',
  -1.9,
  0.8,
  39 * Math.max(1, (1.25 * innerHeight) / innerWidth),
  new Vector3(0, 0, 0),
  scene,
);
camera.attachControl(canvas, true);
new BABYLON.HemisphericLight('sky', new Vector3(0.4, 1, -0.3), scene).groundColor = Color3.FromHexString('#8a93a0');

const materials = new Map();
function materialOf(color) {
  if (!materials.has(color)) {
    const material = new BABYLON.StandardMaterial(color, scene);
    material.diffuseColor = Color3.FromHexString(color);
    material.specularColor = Color3.Black();
    materials.set(color, material);
  }
  return materials.get(color);
}
/** Places a mesh; `y` is its lower side. */
function place(mesh, height, [x, y, z], color) {
  mesh.position.set(x, y + height / 2, z);
  mesh.material = materialOf(color);
}
const addBox = (width, height, depth, at, color) =>
  place(MeshBuilder.CreateBox('box', { width, height, depth }, scene), height, at, color);

// Two banks, and an island with a hut.
place(MeshBuilder.CreateGround('water', { width: 26, height: 24 }, scene), 0, [0, -0.8, 0], '#6fb1d6');
addBox(26, 2, 9, [0, -2, -7.5], '#a7c48b');
addBox(26, 2, 8, [0, -2, 8], '#a7c48b');
addBox(7, 2, 3.4, [7.5, -2, 0.5], '#b7cf9c');
addBox(2.4, 2.2, 1.6, [9, 0, 0.7], '#a9764f');
addBox(2.8, 0.3, 2, [9, 2.2, 0.7], '#6d3f2b');
// A bridge of stone that rises to its middle, and planks to the island.
for (let k = -4; k <= 4; k++) addBox(3, 0.5, 1, [-6, 0.8 - 0.05 * k * k - 0.5, 0.5 + 0.95 * k], '#c4bcab');
for (const side of [-1.6, 1.6]) addBox(0.25, 1.6, 7, [-6 + side, 0, 0.5], '#a89f8d');
addBox(1.8, 0.3, 3, [6, -0.25, -2.3], '#94714d');
addBox(1.8, 0.3, 3, [6, -0.25, 3.2], '#94714d');
// Trees.
const trees = [
  [-11, -9],
  [-3, -10],
  [2, -6],
  [11, -10],
  [-10, 9],
  [-1, 6],
  [3, 10],
  [11, 8],
];
for (const [x, z] of trees) {
  place(MeshBuilder.CreateCylinder('trunk', { diameter: 0.6, height: 2 }, scene), 2, [x, 0, z], '#7b5a3c');
  place(MeshBuilder.CreateSphere('crown', { diameter: 2.8, segments: 8 }, scene), 2.8, [x, 1.7, z], '#5f8f4e');
}

// Bake what is drawn, and draw the mesh over it.
const level = levelFromMeshes(scene.meshes, { filter: ({ name }) => name !== 'water' });
const { navMesh } = buildNavMesh(level, {
  agent: { radius: 0.35, height: 1.8, maxClimb: 0.45 },
  keepReachable: createKeepReachable([[0, 0, -8]]),
});
// Roofs and other surface that nothing leads to has the flags 0.
const reachable = { filter: (poly) => navMesh.polyFlags[poly] !== 0 };
drawGeometry(BABYLON, scene, navMeshTriangles(navMesh, reachable), { opacity: 0.6 });
drawGeometry(BABYLON, scene, navMeshOutlines(navMesh, reachable));

// Thirty agents, each with a capsule that follows it.
const crowd = createCrowd(navMesh, { maxAgents: 30 });
const random = createRandom(7);
const colors = ['#d55e00', '#0072b2', '#cc79a7'].map(materialOf);
const agents = Array.from({ length: 30 }, (_, i) => {
  const id = addAgent(crowd, findRandomPoint(navMesh, random).point, { radius: 0.35, maxSpeed: 2.5 });
  moveAgentTo(crowd, id, findRandomPoint(navMesh, random).point);
  const node = new BABYLON.TransformNode('agent', scene);
  const body = MeshBuilder.CreateCapsule('body', { radius: 0.3, height: 1.6 }, scene);
  body.parent = node;
  body.position.y = 0.8;
  body.material = colors[i % 3];
  body.isPickable = false;
  return { id, bound: createAgentNode((out, alpha) => interpolateAgentInto(out, crowd, id, alpha), node) };
});

scene.onPointerDown = (_, pick) => {
  if (!pick.hit) return;
  for (const { id } of agents) moveAgentTo(crowd, id, pick.pickedPoint);
  document.querySelector('#status').textContent = 'All agents walk there.';
};

scene.onBeforeRenderObservable.add(() => {
  const alpha = advanceCrowd(crowd, engine.getDeltaTime() / 1000);
  for (const { bound } of agents) placeAgentNode(bound, alpha);
});
engine.runRenderLoop(() => scene.render());
addEventListener('resize', () => engine.resize());
document.querySelector('#status').textContent = `${navMesh.polyCount} polygons. Click to send the crowd.`;
