/**
 * A character of Rapier on a mesh: navkiln suggests a velocity (owner: 'user'), Rapier's character controller moves the body, and the page
 * reports its position to navkiln. Both use the same triangles.
 */
import RAPIER from '@dimforge/rapier3d-compat';
import * as THREE from 'three';
import { buildNavMesh } from 'navkiln/build';
import { addAgent, createCrowd, getAgent, listEvents, moveAgentTo, setAgentPosition, stepCrowd } from 'navkiln/crowd';
import { navMeshOutlines, pathLines } from 'navkiln/debug';
import { getAgentPath } from 'navkiln/crowd';
import { drawLines, levelFromObject3D, updateDrawn } from 'navkiln/three';

const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas'), antialias: true });
const scene = new THREE.Scene();
scene.background = new THREE.Color('#f4f1ea');
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(-8, 15, 18).multiplyScalar(Math.max(1, (1.25 * innerHeight) / innerWidth));
camera.lookAt(0, 0, 0);
scene.add(new THREE.HemisphereLight('#ffffff', '#8a93a0', 2.2));
const sun = new THREE.DirectionalLight('#ffffff', 1.5);
sun.position.set(4, 10, 6);
scene.add(sun);

// A warehouse: a shelf, and a ramp of steps to a platform with goods.
const level = new THREE.Group();
/** Adds a box; `y` is its lower side. */
function addBox(width, height, depth, [x, y, z], color) {
  const box = new THREE.Mesh(new THREE.BoxGeometry(width, height, depth), new THREE.MeshLambertMaterial({ color }));
  box.position.set(x, y + height / 2, z);
  level.add(box);
}
addBox(20, 1, 20, [0, -1, 0], '#b9bec2');
addBox(7, 2, 7, [6, 0, -6], '#7f8d99');
for (let k = 1; k <= 8; k++) addBox(0.5, 0.25 * k, 3, [-1.75 + 0.5 * k, 0, -6], k % 2 === 0 ? '#e8c547' : '#5a6068');
addBox(1, 0.6, 9, [-3.5, 0, 2], '#3d6fa5');
addBox(1, 1.4, 9, [-3.5, 0.6, 2], '#c08a52');
addBox(1.1, 0.1, 9.2, [-3.5, 2, 2], '#3d6fa5');
addBox(1.5, 1.5, 1.5, [8.4, 2, -4], '#c08a52');
addBox(1.2, 1.2, 1.2, [8.4, 3.5, -4], '#a8743f');
for (const z of [3, 5.5, 8]) addBox(2.4, 1.6, 1.4, [3.5, 0, z], '#5f8f6d');
scene.add(level);

// The same triangles for the bake and for physics.
const triangles = levelFromObject3D(level);
const [RADIUS, HEIGHT] = [0.35, 1.7];
const { navMesh } = buildNavMesh(triangles, { agent: { radius: RADIUS + 0.05, height: HEIGHT, maxClimb: 0.35 } });
await RAPIER.init();
const physics = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
physics.createCollider(RAPIER.ColliderDesc.trimesh(Float32Array.from(triangles.positions), triangles.indices));
const controller = physics.createCharacterController(0.02);
controller.enableAutostep(0.35, 0.15, true);
controller.enableSnapToGround(0.4);

// The capsule's center is half its height above the feet.
const half = HEIGHT / 2;
const start = [-8, 0, 7];
const body = physics.createRigidBody(
  RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(start[0], half, start[2]),
);
const collider = physics.createCollider(RAPIER.ColliderDesc.capsule(half - RADIUS, RADIUS), body);
// Loose crates that the character pushes aside.
const crates = [
  [-6, 2],
  [-5, 4],
  [2, 3],
  [3, 0],
  [-2.5, -6],
].map(([x, z]) => {
  const crate = physics.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, 1, z));
  physics.createCollider(RAPIER.ColliderDesc.cuboid(0.3, 0.3, 0.3).setDensity(0.2), crate);
  const view = new THREE.Mesh(
    new THREE.BoxGeometry(0.6, 0.6, 0.6),
    new THREE.MeshLambertMaterial({ color: '#e69f00' }),
  );
  scene.add(view);
  return { crate, view };
});
controller.setApplyImpulsesToDynamicBodies(true);
physics.step();

const crowd = createCrowd(navMesh, { maxAgents: 1 });
const hero = addAgent(crowd, start, { radius: RADIUS, maxSpeed: 3, owner: 'user' });
const goals = [
  [7, 2, -7],
  [7, 0, 7],
  [-8, 0, -7],
  [-8, 0, 7],
];
let goal = 0;
moveAgentTo(crowd, hero, goals[goal]);

const capsule = new THREE.Mesh(
  new THREE.CapsuleGeometry(RADIUS, HEIGHT - 2 * RADIUS),
  new THREE.MeshLambertMaterial({ color: '#0072b2' }),
);
const line = drawLines(pathLines([]), { onTop: true });
scene.add(capsule, line, drawLines(navMeshOutlines(navMesh)));

let falling = 0;
let arrivals = 0;
/** One tick: the wish of the agent moves the body as far as physics lets it. */
function tick() {
  stepCrowd(crowd);
  for (const { kind } of listEvents(crowd)) {
    if (kind !== 'arrived') continue;
    arrivals++;
    goal = (goal + 1) % goals.length;
    moveAgentTo(crowd, hero, goals[goal]);
  }
  const seconds = crowd.stepSeconds;
  const { wish } = getAgent(crowd, hero);
  falling = controller.computedGrounded() ? 0 : falling - 9.81 * seconds;
  controller.computeColliderMovement(collider, {
    x: wish[0] * seconds,
    y: falling * seconds - 0.01,
    z: wish[1] * seconds,
  });
  const moved = controller.computedMovement();
  const { x, y, z } = body.translation();
  const next = { x: x + moved.x, y: y + moved.y, z: z + moved.z };
  body.setNextKinematicTranslation(next);
  physics.timestep = seconds;
  physics.step();
  setAgentPosition(crowd, hero, [next.x, next.y - half, next.z]);
}

let rest = 0;
const timer = new THREE.Timer();
renderer.setAnimationLoop(() => {
  timer.update();
  rest = Math.min(rest + timer.getDelta(), 0.1);
  for (; rest >= crowd.stepSeconds; rest -= crowd.stepSeconds) tick();
  capsule.position.copy(body.translation());
  for (const { crate, view } of crates) {
    view.position.copy(crate.translation());
    view.quaternion.copy(crate.rotation());
  }
  updateDrawn(line, pathLines(getAgentPath(crowd, hero)?.points ?? []));
  const { clientWidth, clientHeight } = renderer.domElement;
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  camera.updateProjectionMatrix();
  renderer.render(scene, camera);
  const { y } = body.translation();
  document.querySelector('#status').textContent = `Feet at ${(y - half).toFixed(2)}, goals: ${arrivals}.`;
});
