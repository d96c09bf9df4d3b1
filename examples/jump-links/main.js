/**
 * Automatic jumps: addAutoLinks finds where agents can jump, drop and climb in a level of platforms, and the crowd uses these links.
 */
import * as THREE from 'three';
import { createRandom, findRandomPoint, getLink } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import {
  addAgent,
  advanceCrowd,
  createCrowd,
  getAgent,
  interpolateAgentInto,
  listEvents,
  moveAgentTo,
} from 'navkiln/crowd';
import { lineDrawings, navMeshTriangles } from 'navkiln/debug';
import { addAutoLinks } from 'navkiln/links';
import { createAgentObject, drawLines, drawMesh, levelFromObject3D, placeAgentObject } from 'navkiln/three';

const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas'), antialias: true });
const scene = new THREE.Scene();
scene.background = new THREE.Color('#9fd0e0');
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 200);
camera.position.set(-9, 17, 25).multiplyScalar(Math.max(1, (1.25 * innerHeight) / innerWidth));
camera.lookAt(0, 0, 0);
scene.add(new THREE.HemisphereLight('#ffffff', '#8a93a0', 2.2));
const sun = new THREE.DirectionalLight('#ffffff', 1.5);
sun.position.set(4, 10, 6);
scene.add(sun);

// Rocks with grass in a lake, of several heights. Sizes and centers.
const level = new THREE.Group();
const [rock, grass] = ['#a98f74', '#8fbf6a'].map((color) => new THREE.MeshLambertMaterial({ color }));
const platforms = [
  [
    [8, 4, 16],
    [-9, -2, 0],
  ],
  [
    [5, 4, 5],
    [-1, -1.6, -5],
  ],
  [
    [5, 4, 5],
    [-1, -2, 3],
  ],
  [
    [5, 4, 5],
    [5.5, -0.8, -5],
  ],
  [
    [5, 4, 5],
    [5.5, -2.3, 4],
  ],
  [
    [4, 4, 14],
    [11.5, -1.4, 0],
  ],
  [
    [2, 1, 2],
    [-9, 0.5, -4],
  ],
];
for (const [size, at] of platforms) {
  const box = new THREE.Mesh(new THREE.BoxGeometry(...size), [rock, rock, grass, rock, rock, rock]);
  box.position.set(...at);
  level.add(box);
}
scene.add(level);
const water = new THREE.Mesh(new THREE.PlaneGeometry(200, 200), new THREE.MeshLambertMaterial({ color: '#4d9fc9' }));
water.rotation.x = -Math.PI / 2;
water.position.y = -3;
scene.add(water);

const triangles = levelFromObject3D(level);
const { navMesh } = buildNavMesh(triangles, { agent: { radius: 0.35, height: 1.8, maxClimb: 0.4 }, regionMinArea: 0 });
const { links } = addAutoLinks(navMesh, triangles, {
  jump: { maxDistance: 3.2, maxRise: 0.8, maxDrop: 1.5 },
  drop: { maxHeight: 3 },
  climb: { maxHeight: 1.3 },
});
scene.add(drawMesh(navMeshTriangles(navMesh), { opacity: 0.6 }), drawLines(lineDrawings.linksLines(navMesh)));

const crowd = createCrowd(navMesh, { maxAgents: 24 });
const random = createRandom(3);
const somewhere = () => findRandomPoint(navMesh, random).point;
const body = new THREE.CapsuleGeometry(0.3, 1).translate(0, 0.8, 0);
const colors = ['#d55e00', '#0072b2', '#cc79a7'].map((color) => new THREE.MeshLambertMaterial({ color }));
const agents = Array.from({ length: 24 }, (_, i) => {
  const id = addAgent(crowd, somewhere(), { radius: 0.35, maxSpeed: 3 });
  moveAgentTo(crowd, id, somewhere());
  const object = new THREE.Group().add(new THREE.Mesh(body, colors[i % 3]));
  scene.add(object);
  return {
    id,
    object,
    bound: createAgentObject((out, alpha) => interpolateAgentInto(out, crowd, id, alpha), { object }),
  };
});

/** Raises the drawn body of an agent on a link along the arc of a jump. The crowd moves it in a straight line. */
function raise({ id, object }) {
  const { link } = getAgent(crowd, id);
  object.children[0].position.y = 0;
  if (link === null || getLink(navMesh, link.ref) === null) return;
  const [ax, , az] = link.from;
  const [bx, , bz] = link.to;
  const length = Math.hypot(bx - ax, bz - az);
  const share = Math.min(1, Math.hypot(object.position.x - ax, object.position.z - az) / length);
  object.children[0].position.y = 4 * 0.6 * share * (1 - share);
}

let jumps = 0;
const timer = new THREE.Timer();
renderer.setAnimationLoop(() => {
  timer.update();
  const alpha = advanceCrowd(crowd, timer.getDelta());
  for (const { kind, agent } of listEvents(crowd)) {
    if (kind === 'link-left') jumps++;
    if (kind === 'arrived' || kind === 'settled') moveAgentTo(crowd, agent, somewhere());
  }
  for (const agent of agents) {
    placeAgentObject(agent.bound, alpha);
    raise(agent);
  }
  const { clientWidth, clientHeight } = renderer.domElement;
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  camera.updateProjectionMatrix();
  renderer.render(scene, camera);
  document.querySelector('#status').textContent = `${links.length} links found, ${jumps} crossed.`;
});
