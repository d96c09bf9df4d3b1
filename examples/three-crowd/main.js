/**
 * three.js: a market square. The mesh is baked from the scene and drawn over it, and a crowd walks where you click, around stalls and up
 * the stairs.
 */
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { createKeepReachable, createRandom, findRandomPoint } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines, navMeshTriangles } from 'navkiln/debug';
import { createAgentObject, drawLines, drawMesh, levelFromObject3D, placeAgentObject, polyOfHit } from 'navkiln/three';

const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas'), antialias: true });
const scene = new THREE.Scene();
scene.background = new THREE.Color('#f4f1ea');
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
// Farther away on narrow screens.
camera.position.set(-10, 17, 22).multiplyScalar(Math.max(1, (1.25 * innerHeight) / innerWidth));
const controls = new OrbitControls(camera, renderer.domElement);
scene.add(new THREE.HemisphereLight('#ffffff', '#8a93a0', 2.2));
const sun = new THREE.DirectionalLight('#ffffff', 1.5);
sun.position.set(4, 10, 6);
scene.add(sun);

const level = new THREE.Group();
/** Adds a solid to the level; `y` is its lower side. */
function add(geometry, height, [x, y, z], color) {
  const solid = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color }));
  solid.position.set(x, y + height / 2, z);
  level.add(solid);
}
const addBox = (width, height, depth, at, color) => add(new THREE.BoxGeometry(width, height, depth), height, at, color);
const addRound = (radius, height, at, color) =>
  add(new THREE.CylinderGeometry(radius, radius, height, 24), height, at, color);

addBox(26, 1, 26, [0, -1, 0], '#d9c8a5');
// Houses, and a terrace with stairs.
addBox(6, 4.5, 4, [-9.5, 0, -10.5], '#e0a58a');
addBox(6.6, 0.5, 4.6, [-9.5, 4.5, -10.5], '#8c4a3a');
addBox(5, 6, 4, [-3.5, 0, -10.5], '#b9c79a');
addBox(5.6, 0.5, 4.6, [-3.5, 6, -10.5], '#5e6b52');
addBox(8, 2, 8, [7.5, 0, -7.5], '#b39b80');
for (let k = 1; k <= 5; k++) addBox(0.5, 0.4 * k, 3, [0.75 + 0.5 * k, 0, -7], '#c9b291');
// A fountain.
addRound(2.4, 0.7, [1, 0, 1.5], '#9aa7ad');
addRound(2, 0.05, [1, 0.7, 1.5], '#4d9fc9');
addRound(0.5, 2, [1, 0.7, 1.5], '#9aa7ad');
// Stalls with awnings.
const stalls = [
  [-8, -2, '#c8553d'],
  [-8, 3, '#3d7ea6'],
  [6, 6, '#e0b13c'],
  [10, 2, '#c8553d'],
  [-2, 9.5, '#5a9367'],
];
for (const [x, z, color] of stalls) {
  addBox(2.6, 1, 1.2, [x, 0, z], '#8b6a4a');
  addBox(3, 0.15, 1.9, [x, 2.2, z], color);
  for (const side of [-1.3, 1.3]) addBox(0.15, 2.2, 0.15, [x + side, 0, z - 0.7], '#6e5239');
}
scene.add(level);

// Bake what is drawn, and draw the mesh over it.
// Nothing leads from the square to roofs and tables, so no path and no random point is there.
const { navMesh } = buildNavMesh(levelFromObject3D(level), {
  agent: { radius: 0.35, height: 1.8, maxClimb: 0.45 },
  keepReachable: createKeepReachable([[-4, 0, 2]]),
});
// Roofs and other surface that nothing leads to has the flags 0.
const reachable = { filter: (poly) => navMesh.polyFlags[poly] !== 0 };
const surface = drawMesh(navMeshTriangles(navMesh, reachable), { opacity: 0.6 });
scene.add(surface, drawLines(navMeshOutlines(navMesh, reachable)));

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
