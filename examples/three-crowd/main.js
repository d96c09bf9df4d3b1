/**
 * three.js: a mesh baked from the scene, drawn over it, and a crowd that walks where you click.
 */
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { createRandom, findRandomPoint } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines, navMeshTriangles } from 'navkiln/debug';
import { createAgentObject, drawLines, drawMesh, levelFromObject3D, placeAgentObject, polyOfHit } from 'navkiln/three';

const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas'), antialias: true });
const scene = new THREE.Scene();
scene.background = new THREE.Color('#f4f1ea');
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(-10, 17, 22);
const controls = new OrbitControls(camera, renderer.domElement);
scene.add(new THREE.HemisphereLight('#ffffff', '#8a93a0', 2.2));
const sun = new THREE.DirectionalLight('#ffffff', 1.5);
sun.position.set(4, 10, 6);
scene.add(sun);

// The level: a floor, walls, and stairs to a platform. Sizes and centers.
const level = new THREE.Group();
const stone = new THREE.MeshLambertMaterial({ color: '#d9d4c8' });
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
  const box = new THREE.Mesh(new THREE.BoxGeometry(...size), stone);
  box.position.set(...at);
  level.add(box);
}
scene.add(level);

// Bake what is drawn, and draw the mesh over it.
const { navMesh } = buildNavMesh(levelFromObject3D(level), { agent: { radius: 0.35, height: 1.8, maxClimb: 0.45 } });
const surface = drawMesh(navMeshTriangles(navMesh), { opacity: 0.6 });
scene.add(surface, drawLines(navMeshOutlines(navMesh)));

// Thirty agents, each with a capsule that follows it.
const crowd = createCrowd(navMesh, { maxAgents: 30 });
const random = createRandom(7);
const body = new THREE.CapsuleGeometry(0.3, 1).translate(0, 0.8, 0);
const colors = ['#d55e00', '#0072b2', '#cc79a7'].map((color) => new THREE.MeshLambertMaterial({ color }));
const agents = Array.from({ length: 30 }, (_, i) => {
  const id = addAgent(crowd, findRandomPoint(navMesh, random).point, { radius: 0.35, maxSpeed: 2.5 });
  moveAgentTo(crowd, id, findRandomPoint(navMesh, random).point);
  const object = new THREE.Mesh(body, colors[i % 3]);
  scene.add(object);
  return { id, bound: createAgentObject((out, alpha) => interpolateAgentInto(out, crowd, id, alpha), { object }) };
});

const status = document.querySelector('#status');
const raycaster = new THREE.Raycaster();
renderer.domElement.addEventListener('click', ({ offsetX, offsetY }) => {
  const { clientWidth, clientHeight } = renderer.domElement;
  raycaster.setFromCamera(new THREE.Vector2((2 * offsetX) / clientWidth - 1, 1 - (2 * offsetY) / clientHeight), camera);
  const [hit] = raycaster.intersectObject(surface);
  if (hit === undefined) return;
  for (const { id } of agents) moveAgentTo(crowd, id, hit.point);
  status.textContent = `All agents walk to polygon ${polyOfHit(hit)}.`;
});
status.textContent = `${navMesh.polyCount} polygons. Click the mesh to send the crowd.`;

const clock = new THREE.Timer();
renderer.setAnimationLoop(() => {
  const { clientWidth, clientHeight } = renderer.domElement;
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  camera.updateProjectionMatrix();
  controls.update();
  clock.update();
  const alpha = advanceCrowd(crowd, clock.getDelta());
  for (const { bound } of agents) placeAgentObject(bound, alpha);
  renderer.render(scene, camera);
});
