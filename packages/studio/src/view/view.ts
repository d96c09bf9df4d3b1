/**
 * The view: a canvas, a camera with controls, a scene that is drawn when something has changed and only then.
 * Without WebGL it does all but draw: camera, picking and counting go on, so that baking and saving do.
 */
import CameraControls from 'camera-controls';
import {
  Box3,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Matrix4,
  PerspectiveCamera,
  Plane,
  Quaternion,
  Raycaster,
  Scene,
  Sphere,
  Spherical,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderer,
} from 'three';
import type { Object3D } from 'three';
import type { Bounds, CameraPose, Vec3 } from '../state/state.ts';
import { frameBesideCard } from './framing.ts';
import type { Place, Size } from './framing.ts';
import type { Palette } from './palette.ts';

export interface Ray {
  /** World units, not relative to the origin. */
  origin: Vec3;
  direction: Vec3;
}

export interface View {
  canvas: HTMLCanvasElement;
  /** For gizmos; moved by the controls alone. */
  camera: PerspectiveCamera;
  /** Layers and tools put their objects here: coordinates relative to the origin. */
  root: Object3D;
  /** Why nothing is drawn, undefined: all is well. */
  trouble: string | undefined;
  /** Draws in the next frame. */
  invalidate: () => void;
  setOrigin: (origin: Vec3) => void;
  setPalette: (palette: Palette) => void;
  /** Nothing above this height of the world is drawn. */
  setCut: (height: number | undefined) => void;
  pose: () => CameraPose;
  setPose: (pose: CameraPose, isSmooth: boolean) => void;
  /**
   * Shows all of a box, from a little above or, `fromTop`, from right above, beside or below a card in the
   * left top corner, and left of what covers so much of the view from the right.
   */
  fit: (bounds: Bounds, fromTop: boolean, isSmooth: boolean, card: Size, coveredWidth: number) => void;
  /**
   * Makes the graphics card's programs of objects that look like those that will come, before they are
   * needed.
   */
  prepare: (objects: readonly Object3D[]) => void;
  /** Through a place of the page. */
  rayAt: (clientX: number, clientY: number) => Ray;
  /** Where a place of the world is on the page; undefined: behind the camera. */
  project: (point: Vec3) => [clientX: number, clientY: number] | undefined;
  /** Off while a tool has the pointer. */
  setControls: (areOn: boolean) => void;
  /** Called after the camera has come to rest, and while it moves. */
  onCamera: (listener: (isAtRest: boolean) => void) => void;
  /**
   * Before each frame, with the seconds since the last. Returns true when something moves: then the next
   * frame is drawn too.
   */
  onFrame: (step: (seconds: number) => boolean) => () => void;
  /** What is seen, as a PNG; undefined without WebGL. */
  capture: () => Promise<Blob | undefined>;
  /** Frames drawn so far, and how long drawing took, ms, of the last ones. */
  frames: () => { count: number; ms: readonly number[] };
}

/** Left free around a box that is shown, of half the view. */
const RIM = 0.06;
/** A face right at the cut is above it, and not half of its pixels. World units. */
const CUT_SLACK = 0.003;

const NO_WEBGL =
  'This browser shows no WebGL, so nothing can be drawn. Switch on hardware acceleration, update the graphics driver, or open ' +
  'the studio in another browser. Baking and saving work all the same.';

export function createView(container: HTMLElement): View {
  CameraControls.install({
    THREE: { Vector2, Vector3, Vector4, Quaternion, Matrix4, Spherical, Box3, Sphere, Raycaster },
  });
  const { renderer, canvas, trouble } = createRenderer();
  canvas.className = 'view-canvas';
  canvas.tabIndex = 0;
  canvas.setAttribute('aria-label', 'The level and its navigation mesh, in 3D');
  container.append(canvas);
  const scene = new Scene();
  const root = new Group();
  const sky = new HemisphereLight('#ffffff', '#6f6a60', 1.7);
  const sun = new DirectionalLight('#ffffff', 1.7);
  sun.position.set(0.4, 1, 0.25);
  scene.add(root, sky, sun);
  const camera = new PerspectiveCamera(50, 1, 0.1, 5000);
  const controls = new CameraControls(camera, canvas);
  controls.maxPolarAngle = 0.56 * Math.PI;
  controls.smoothTime = 0.12;
  controls.draggingSmoothTime = 0.05;
  controls.dollyToCursor = true;
  controls.mouseButtons.left = CameraControls.ACTION.ROTATE;
  controls.mouseButtons.right = CameraControls.ACTION.TRUCK;
  controls.mouseButtons.middle = CameraControls.ACTION.TRUCK;
  controls.touches.one = CameraControls.ACTION.TOUCH_ROTATE;
  controls.touches.two = CameraControls.ACTION.TOUCH_DOLLY_TRUCK;

  let origin: Vec3 = [0, 0, 0];
  let isDirty = true;
  let count = 0;
  const ms: number[] = [];
  const steps: ((seconds: number) => boolean)[] = [];
  const cameraListeners: ((isAtRest: boolean) => void)[] = [];
  const tell = (isAtRest: boolean): void => cameraListeners.forEach((listener) => listener(isAtRest));
  controls.addEventListener('update', () => tell(false));
  controls.addEventListener('rest', () => tell(true));
  controls.addEventListener('sleep', () => tell(true));

  const resize = (): void => {
    const width = Math.max(1, container.clientWidth);
    const height = Math.max(1, container.clientHeight);
    renderer?.setPixelRatio(Math.min(2, globalThis.devicePixelRatio));
    renderer?.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    isDirty = true;
  };
  new ResizeObserver(resize).observe(container);
  resize();

  let last = performance.now();
  const frame = (now: number): void => {
    requestAnimationFrame(frame);
    const seconds = Math.min(0.1, (now - last) / 1000);
    last = now;
    if (controls.update(seconds)) isDirty = true;
    for (const step of steps.slice()) if (step(seconds)) isDirty = true;
    if (isDirty) draw();
  };
  const draw = (): void => {
    isDirty = false;
    const distance = Math.max(0.5, controls.distance);
    camera.near = distance / 500;
    camera.far = distance * 60 + 500;
    camera.updateProjectionMatrix();
    const start = performance.now();
    renderer?.render(scene, camera);
    ms.push(performance.now() - start);
    if (ms.length > 240) ms.shift();
    count++;
  };
  requestAnimationFrame(frame);

  const world = (v: Vector3): Vec3 => [v.x + origin[0], v.y + origin[1], v.z + origin[2]];
  const toLocal = (p: Vec3): Vec3 => [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
  const scratch = new Vector3();
  return {
    canvas,
    root,
    camera,
    trouble,
    invalidate: () => void (isDirty = true),
    setOrigin(next) {
      origin = next;
      isDirty = true;
    },
    setPalette(palette) {
      scene.background = new Color(palette.background);
      isDirty = true;
    },
    setCut(height) {
      if (renderer !== undefined) {
        renderer.clippingPlanes =
          height === undefined ? [] : [new Plane(new Vector3(0, -1, 0), height - origin[1] - CUT_SLACK)];
      }
      isDirty = true;
    },
    pose: () => ({
      position: world(controls.getPosition(new Vector3())),
      target: world(controls.getTarget(new Vector3())),
    }),
    setPose(pose, isSmooth) {
      void controls.setLookAt(...toLocal(pose.position), ...toLocal(pose.target), isSmooth);
      isDirty = true;
    },
    fit(bounds, fromTop, isSmooth, card, coveredWidth) {
      const [min, max] = [toLocal(bounds.min), toLocal(bounds.max)];
      const middle = new Vector3(...min.map((value, axis) => (value + max[axis]) / 2));
      const towards = new Vector3(...(fromTop ? [0, 1, 0.001] : [0.36, 0.68, 0.64])).normalize();
      const right = new Vector3(0, 1, 0).cross(towards).normalize();
      const up = towards.clone().cross(right);
      const corners = Array.from({ length: 8 }, (_, corner): Place => {
        const [x, y, z] = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? max : min)[axis]) as Place;
        scratch.set(x, y, z).sub(middle);
        return [scratch.dot(right), scratch.dot(up), scratch.dot(towards)];
      });
      const half = Math.tan((camera.fov * Math.PI) / 360);
      const view = { width: container.clientWidth, height: container.clientHeight };
      const tangents = [half * camera.aspect, half] as const;
      const [a, b, distance] = frameBesideCard(corners, view, card, tangents, RIM, 2, coveredWidth / view.width);
      const target = middle.addScaledVector(right, a).addScaledVector(up, b);
      const place = target.clone().addScaledVector(towards, distance);
      void controls.setLookAt(place.x, place.y, place.z, target.x, target.y, target.z, isSmooth);
      isDirty = true;
    },
    prepare(objects) {
      // Not disposed of: programs live until the last material that uses them is. Not waited for: a first
      // frame of many triangles is, when its programs are only asked for with it.
      void renderer?.compileAsync(new Group().add(...objects), camera, scene);
    },
    rayAt(clientX, clientY) {
      const box = canvas.getBoundingClientRect();
      const x = (2 * (clientX - box.left)) / box.width - 1;
      const y = 1 - (2 * (clientY - box.top)) / box.height;
      camera.updateMatrixWorld();
      scratch.set(x, y, 0.5).unproject(camera).sub(camera.position).normalize();
      return { origin: world(camera.position), direction: [scratch.x, scratch.y, scratch.z] };
    },
    project(point) {
      const box = canvas.getBoundingClientRect();
      camera.updateMatrixWorld();
      scratch.set(...toLocal(point)).project(camera);
      if (scratch.z > 1) return undefined;
      return [box.left + ((scratch.x + 1) / 2) * box.width, box.top + ((1 - scratch.y) / 2) * box.height];
    },
    setControls: (areOn) => void (controls.enabled = areOn),
    onCamera: (listener) => void cameraListeners.push(listener),
    onFrame(step) {
      steps.push(step);
      return () => void steps.splice(steps.indexOf(step), 1);
    },
    capture() {
      if (renderer === undefined) return Promise.resolve(undefined);
      // Drawn and read in one go: the buffer is not kept after a frame.
      draw();
      return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
    },
    frames: () => ({ count, ms }),
  };
}

function createRenderer(): {
  renderer: WebGLRenderer | undefined;
  canvas: HTMLCanvasElement;
  trouble: string | undefined;
} {
  const canvas = document.createElement('canvas');
  // Asked first, because the renderer prints when there is none.
  const probe = document.createElement('canvas').getContext('webgl2');
  if (probe === null) return { renderer: undefined, canvas, trouble: NO_WEBGL };
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  try {
    const renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    return { renderer, canvas, trouble: undefined };
  } catch {
    return { renderer: undefined, canvas, trouble: NO_WEBGL };
  }
}
