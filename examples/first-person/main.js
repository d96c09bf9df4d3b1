/**
 * First-person walk: moveAlongSurface keeps the player on the mesh. It slides along walls and walks up stairs, without physics.
 */
import * as THREE from 'three';
import { findNearest, moveAlongSurface } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { levelFromObject3D } from 'navkiln/three';

const canvas = document.querySelector('canvas');
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
const scene = new THREE.Scene();
scene.background = new THREE.Color('#bcd3e6');
scene.fog = new THREE.Fog('#bcd3e6', 20, 70);
const camera = new THREE.PerspectiveCamera(70, 1, 0.05, 200);
camera.rotation.order = 'YXZ';
scene.add(new THREE.HemisphereLight('#ffffff', '#8f8a80', 2.4));
const sun = new THREE.DirectionalLight('#fff2d8', 1.6);
sun.position.set(8, 12, 4);
scene.add(sun);

const level = new THREE.Group();
const add = (size, at, color) => {
  const box = new THREE.Mesh(new THREE.BoxGeometry(...size), new THREE.MeshLambertMaterial({ color }));
  box.position.set(...at);
  level.add(box);
};
add([60, 1, 60], [0, -0.5, 0], '#cfc8b8');
add([12, 3, 10], [0, 1.5, -14], '#d8b28a');
for (let k = 1; k <= 10; k++) add([5, 0.3 * k, 0.5], [0, 0.15 * k, -3.5 - 0.5 * k], '#c29b76');
for (let i = 0; i < 14; i++) {
  const angle = (i / 14) * 2 * Math.PI;
  const height = 3 + (i % 4);
  add(
    [2 + (i % 3), height, 2],
    [20 * Math.cos(angle), height / 2, 20 * Math.sin(angle)],
    ['#9fb8a3', '#b9a3b8', '#a3adb8'][i % 3],
  );
}
for (const x of [-4, 4]) add([0.8, 3, 0.8], [x, 4.5, -17], '#e7ddd0');
scene.add(level);
const { navMesh } = buildNavMesh(levelFromObject3D(level), { agent: { radius: 0.4, height: 1.8, maxClimb: 0.4 } });

const EYES = 1.65;
const SPEED = 5;
const player = { position: findNearest(navMesh, [3, 0, 8]).point, height: 0, yaw: 0.25, pitch: 0.05 };
player.height = player.position[1];
const keys = new Set();
addEventListener('keydown', ({ code }) => keys.add(code));
addEventListener('keyup', ({ code }) => keys.delete(code));
canvas.addEventListener('click', () => void canvas.requestPointerLock?.());
addEventListener('pointermove', ({ movementX, movementY }) => {
  if (document.pointerLockElement !== canvas) return;
  player.yaw -= movementX / 400;
  player.pitch = Math.min(1.4, Math.max(-1.4, player.pitch - movementY / 400));
});

/** Moves the player on the mesh as far as walls let it. */
function walk(seconds) {
  const forward = Number(keys.has('KeyW') || keys.has('ArrowUp')) - Number(keys.has('KeyS') || keys.has('ArrowDown'));
  const right = Number(keys.has('KeyD') || keys.has('ArrowRight')) - Number(keys.has('KeyA') || keys.has('ArrowLeft'));
  const [sin, cos] = [Math.sin(player.yaw), Math.cos(player.yaw)];
  const length = Math.hypot(forward, right) || 1;
  const [x, y, z] = player.position;
  const step = (SPEED * seconds) / length;
  const wish = [x + step * (right * cos - forward * sin), y, z + step * (-right * sin - forward * cos)];
  player.position = moveAlongSurface(navMesh, player.position, wish).point;
  // Steps of stairs are smoothed for the eyes.
  player.height += Math.min(1, 12 * seconds) * (player.position[1] - player.height);
}

const timer = new THREE.Timer();
renderer.setAnimationLoop(() => {
  timer.update();
  walk(Math.min(timer.getDelta(), 0.1));
  const { clientWidth, clientHeight } = canvas;
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  camera.updateProjectionMatrix();
  camera.position.set(player.position[0], player.height + EYES, player.position[2]);
  camera.rotation.set(player.pitch, player.yaw, 0);
  renderer.render(scene, camera);
  const [x, y, z] = player.position.map((value) => value.toFixed(1));
  document.querySelector('#status').textContent = `At ${x}, ${y}, ${z}. Walk with W, A, S, D; click to look around.`;
});
