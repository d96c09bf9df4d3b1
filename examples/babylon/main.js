/**
 * Babylon.js: a mesh baked from the scene, drawn over it, and a crowd that walks where you click.
 */
import * as BABYLON from '@babylonjs/core';
import { createRandom, findRandomPoint } from 'navkiln';
import { createAgentNode, drawGeometry, levelFromMeshes, placeAgentNode } from 'navkiln/babylon';
import { buildNavMesh } from 'navkiln/build';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines, navMeshTriangles } from 'navkiln/debug';

const { Color3, Color4, Vector3, MeshBuilder } = BABYLON;
const canvas = document.querySelector('canvas');
const engine = new BABYLON.Engine(canvas, true);
const scene = new BABYLON.Scene(engine);
scene.clearColor = Color4.FromHexString('#f4f1eaff');
const camera = new BABYLON.ArcRotateCamera('camera', -1.9, 0.8, 39, new Vector3(0, 0, 0), scene);
camera.attachControl(canvas, true);
new BABYLON.HemisphericLight('sky', new Vector3(0.4, 1, -0.3), scene).groundColor = Color3.FromHexString('#8a93a0');

const stone = new BABYLON.StandardMaterial('stone', scene);
stone.diffuseColor = Color3.FromHexString('#d9d4c8');
stone.specularColor = Color3.Black();

// The scene: a floor, walls, and stairs to a platform. Sizes and centers.
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
for (const [[width, height, depth], at] of boxes) {
  const box = MeshBuilder.CreateBox('box', { width, height, depth }, scene);
  box.position.set(...at);
  box.material = stone;
}

// Bake what is drawn, and draw the mesh over it.
const { navMesh } = buildNavMesh(levelFromMeshes(scene.meshes), {
  agent: { radius: 0.35, height: 1.8, maxClimb: 0.45 },
});
drawGeometry(BABYLON, scene, navMeshTriangles(navMesh), { opacity: 0.6 });
drawGeometry(BABYLON, scene, navMeshOutlines(navMesh));

// Thirty agents, each with a capsule that follows it.
const crowd = createCrowd(navMesh, { maxAgents: 30 });
const random = createRandom(7);
const colors = ['#d55e00', '#0072b2', '#cc79a7'].map((color, i) => {
  const material = new BABYLON.StandardMaterial(`agent ${i}`, scene);
  material.diffuseColor = Color3.FromHexString(color);
  material.specularColor = Color3.Black();
  return material;
});
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
