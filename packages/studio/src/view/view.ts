/**
 * The view: a canvas, a camera with controls, and a scene that is drawn only when something has changed. Without
 * WebGL it draws nothing, but the camera, picking and counting work, so baking and saving do, too.
 */
import CameraControls from 'camera-controls';
import {
  Box3,
  CanvasTexture,
  DirectionalLight,
  Group,
  HemisphereLight,
  Matrix4,
  PerspectiveCamera,
  Plane,
  Quaternion,
  Raycaster,
  SRGBColorSpace,
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
import type { FramedView, Place, Size } from './framing.ts';
import type { Palette } from './palette.ts';
import type { Shadows } from './shadows.ts';

export interface Ray {
  /** World units, not relative to the origin of drawn coordinates. */
  origin: Vec3;
  direction: Vec3;
}

/** The content that `View.fit` shows, and the parts of the window that other elements cover. */
export interface FitOptions {
  bounds: Bounds;
  /** True: look straight down instead of from above at an angle. */
  fromTop: boolean;
  isSmooth: boolean;
  /** The card in the left top corner. */
  card: Size;
  /** Height that a sheet covers at the lower end, pixels. */
  sheetHeight: number;
  /** Width that the side panel covers on the right, pixels. */
  coveredWidth: number;
}

export interface View {
  canvas: HTMLCanvasElement;
  /** For gizmos. Only the controls move it. */
  camera: PerspectiveCamera;
  /** The parent of all objects of layers and tools. Their coordinates are relative to the origin. */
  root: Object3D;
  /** Why nothing can be drawn; undefined: drawing works. */
  trouble: string | undefined;
  /** Requests a new frame. */
  invalidate: () => void;
  setOrigin: (origin: Vec3) => void;
  setPalette: (palette: Palette) => void;
  /** Makes the sun shine on these bounds. */
  setSun: (bounds: Bounds) => void;
  /** Casts shadows again with the next frame, because objects that cast some have changed. */
  castShadows: () => void;
  /** Hides everything above a world height; undefined shows everything. */
  setCut: (height: number | undefined) => void;
  pose: () => CameraPose;
  setPose: (pose: CameraPose, isSmooth: boolean) => void;
  /** Moves the camera so that the bounds fit the free part of the view. */
  fit: (options: FitOptions) => void;
  /** Compiles the shaders of objects that will be drawn later. */
  prepare: (objects: readonly Object3D[]) => void;
  /** Returns the ray through a position on the page. */
  rayAt: (clientX: number, clientY: number) => Ray;
  /** Returns the position of a world point on the page, or undefined for a point behind the camera. */
  project: (point: Vec3) => [clientX: number, clientY: number] | undefined;
  /** Disables the camera controls while a tool has the pointer. */
  setControls: (areOn: boolean) => void;
  /** Calls the listener while the camera moves, and when it comes to rest. */
  onCamera: (listener: (isAtRest: boolean) => void) => void;
  /**
   * Calls `step` before each frame with the seconds since the last one. A step that returns true requests this
   * frame and the next; when none does, frames stop until `invalidate`. Returns a function that removes the step.
   */
  onFrame: (step: (seconds: number) => boolean) => () => void;
  /** Returns a screenshot as PNG, or undefined without WebGL. */
  capture: () => Promise<Blob | undefined>;
  /** Returns the number of frames drawn, and how long the last ones took to draw, ms. */
  frames: () => { count: number; ms: readonly number[] };
}

/** Share of half the view that stays free around the bounds that `fit` shows. */
const RIM = 0.06;
/** Smallest distance of the camera after `fit`, world units. */
const MIN_DISTANCE = 2;
/** Lowers the cut a little, so that a face exactly at its height is hidden entirely. World units. */
const CUT_SLACK = 0.003;
/** Number of frame times that are kept. */
const MAX_FRAME_TIMES = 240;

const NO_WEBGL =
  'WebGL is not available, so nothing can be drawn. Enable hardware acceleration, update the graphics driver, or open the ' +
  'studio in another browser. Baking and saving still work.';

export function createView(container: HTMLElement): View {
  const { renderer, canvas, trouble } = createRenderer();
  canvas.className = 'view-canvas';
  canvas.tabIndex = 0;
  canvas.setAttribute('aria-label', 'The level and its navigation mesh, in 3D');
  container.append(canvas);
  const { scene, root, sun } = createScene();
  const camera = new PerspectiveCamera(50, 1, 0.1, 5000);
  const controls = createControls(camera, canvas);
  const cameraListeners: ((isAtRest: boolean) => void)[] = [];
  const notify = (isAtRest: boolean): void => cameraListeners.forEach((listener) => listener(isAtRest));
  controls.addEventListener('update', () => notify(false));
  controls.addEventListener('rest', () => notify(true));
  controls.addEventListener('sleep', () => notify(true));
  const loop = createFrameLoop({ renderer, scene, camera, controls });
  resizeWith(container, camera, renderer, loop.invalidate);

  let shadows: Shadows | undefined;
  /** The bounds that the sun shines on. */
  let lit: Bounds | undefined;
  const shine = (): void => {
    if (lit !== undefined) shadows?.shineOn(toLocal(lit.min), toLocal(lit.max));
    loop.invalidate();
  };
  if (renderer !== undefined && !isSoftware(renderer)) {
    void import('./shadows.ts').then(({ createShadows }) => {
      shadows = createShadows(renderer, sun);
      shine();
    });
  }

  let origin: Vec3 = [0, 0, 0];
  const world = (v: Vector3): Vec3 => [v.x + origin[0], v.y + origin[1], v.z + origin[2]];
  const toLocal = (p: Vec3): Vec3 => [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
  const scratch = new Vector3();
  return {
    canvas,
    root,
    camera,
    trouble,
    invalidate: loop.invalidate,
    setOrigin(next) {
      origin = next;
      loop.invalidate();
    },
    setPalette(palette) {
      (scene.background as CanvasTexture | null)?.dispose();
      scene.background = skyOf(palette);
      loop.invalidate();
    },
    setSun(bounds) {
      lit = bounds;
      shine();
    },
    castShadows: () => shadows?.cast(),
    setCut(height) {
      if (renderer !== undefined) {
        renderer.clippingPlanes =
          height === undefined ? [] : [new Plane(new Vector3(0, -1, 0), height - origin[1] - CUT_SLACK)];
      }
      loop.invalidate();
    },
    pose: () => ({
      position: world(controls.getPosition(new Vector3())),
      target: world(controls.getTarget(new Vector3())),
    }),
    setPose(pose, isSmooth) {
      void controls.setLookAt(...toLocal(pose.position), ...toLocal(pose.target), isSmooth);
      loop.invalidate();
    },
    fit({ bounds, fromTop, isSmooth, card, sheetHeight, coveredWidth }) {
      const half = Math.tan((camera.fov * Math.PI) / 360);
      const view = { width: container.clientWidth, height: container.clientHeight };
      const { position, target } = fittingPose(toLocal(bounds.min), toLocal(bounds.max), fromTop, {
        view,
        card,
        tangents: [half * camera.aspect, half],
        rim: RIM,
        least: MIN_DISTANCE,
        covered: coveredWidth / view.width,
        sheet: Math.min(0.7, sheetHeight / view.height),
      });
      void controls.setLookAt(position.x, position.y, position.z, target.x, target.y, target.z, isSmooth);
      loop.invalidate();
    },
    prepare(objects) {
      // The objects are not disposed: a program lives as long as a material uses it. The compilation is not
      // awaited.
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
    onFrame: loop.onFrame,
    capture() {
      if (renderer === undefined) return Promise.resolve(undefined);
      // The drawing buffer is not preserved after a frame, so draw and read in the same turn.
      loop.draw();
      return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
    },
    frames: loop.frames,
  };
}

/** Towards the sun. */
const SUN: Vec3 = [-0.8, 1, 0.12];

function createScene(): { scene: Scene; root: Group; sun: DirectionalLight } {
  const scene = new Scene();
  const root = new Group();
  const sky = new HemisphereLight('#e8f1ff', '#8c7f6c', 1.75);
  const sun = new DirectionalLight('#fff1dc', 2.1);
  sun.position.set(...SUN);
  scene.add(root, sky, sun, sun.target);
  return { scene, root, sun };
}

/** Returns the background: a sky that grows lighter towards the ground. A canvas is 150 pixels high by default. */
function skyOf({ sky, background }: Palette): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  const context = canvas.getContext('2d')!;
  const gradient = context.createLinearGradient(0, 0, 0, 150);
  gradient.addColorStop(0, sky);
  gradient.addColorStop(1, background);
  context.fillStyle = gradient;
  context.fillRect(0, 0, 1, 150);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

function createControls(camera: PerspectiveCamera, canvas: HTMLCanvasElement): CameraControls {
  CameraControls.install({
    THREE: { Vector2, Vector3, Vector4, Quaternion, Matrix4, Spherical, Box3, Sphere, Raycaster },
  });
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
  return controls;
}

/** Keeps the size of the drawing buffer and the aspect of the camera equal to those of the container. */
function resizeWith(
  container: HTMLElement,
  camera: PerspectiveCamera,
  renderer: WebGLRenderer | undefined,
  invalidate: () => void,
): void {
  const resize = (): void => {
    const width = Math.max(1, container.clientWidth);
    const height = Math.max(1, container.clientHeight);
    renderer?.setPixelRatio(Math.min(2, globalThis.devicePixelRatio));
    renderer?.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    invalidate();
  };
  new ResizeObserver(resize).observe(container);
  resize();
}

interface FrameLoop extends Pick<View, 'invalidate' | 'onFrame' | 'frames'> {
  /** Draws immediately. */
  draw: () => void;
}

interface LoopParts {
  renderer: WebGLRenderer | undefined;
  scene: Scene;
  camera: PerspectiveCamera;
  controls: CameraControls;
}

/** Seconds of the first frame after a rest. */
const FIRST_SECONDS = 1 / 60;
const MAX_SECONDS = 0.1;

/** Draws frames while something changes, the camera moves or a step asks for more. Then it rests, and costs nothing. */
function createFrameLoop({ renderer, scene, camera, controls }: LoopParts): FrameLoop {
  let isDirty = true;
  let isDue = false;
  let count = 0;
  /** Time of the frame before; undefined: the loop rested. */
  let last: number | undefined;
  const ms: number[] = [];
  const steps: ((seconds: number) => boolean)[] = [];
  const draw = (): void => {
    isDirty = false;
    const distance = Math.max(0.5, controls.distance);
    camera.near = distance / 500;
    camera.far = distance * 60 + 500;
    camera.updateProjectionMatrix();
    const start = performance.now();
    renderer?.render(scene, camera);
    ms.push(performance.now() - start);
    if (ms.length > MAX_FRAME_TIMES) ms.shift();
    count++;
  };
  const request = (): void => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(frame);
  };
  const frame = (now: number): void => {
    isDue = false;
    const seconds = last === undefined ? FIRST_SECONDS : Math.min(MAX_SECONDS, (now - last) / 1000);
    last = undefined;
    if (controls.update(seconds)) isDirty = true;
    for (const step of steps.slice()) if (step(seconds)) isDirty = true;
    if (!isDirty) return;
    draw();
    last = now;
    // One frame more than is drawn: with it, camera and steps come to rest.
    request();
  };
  for (const type of ['controlstart', 'control', 'transitionstart'] as const) controls.addEventListener(type, request);
  request();
  return {
    draw,
    invalidate() {
      isDirty = true;
      request();
    },
    onFrame(step) {
      steps.push(step);
      request();
      return () => void steps.splice(steps.indexOf(step), 1);
    },
    frames: () => ({ count, ms }),
  };
}

/** Returns the pose of a camera that shows a box (drawn coordinates) in the free part of the view. */
function fittingPose(
  min: Vec3,
  max: Vec3,
  fromTop: boolean,
  framed: FramedView,
): { position: Vector3; target: Vector3 } {
  const center = new Vector3(...min.map((value, axis) => (value + max[axis]) / 2));
  const towards = new Vector3(...(fromTop ? [0, 1, 0.001] : [0.36, 0.68, 0.64])).normalize();
  const right = new Vector3(0, 1, 0).cross(towards).normalize();
  const up = towards.clone().cross(right);
  const offset = new Vector3();
  const corners = Array.from({ length: 8 }, (_, corner): Place => {
    const [x, y, z] = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? max : min)[axis]) as Place;
    offset.set(x, y, z).sub(center);
    return [offset.dot(right), offset.dot(up), offset.dot(towards)];
  });
  const [across, upward, distance] = frameBesideCard(corners, framed);
  const target = center.addScaledVector(right, across).addScaledVector(up, upward);
  return { position: target.clone().addScaledVector(towards, distance), target };
}

/** Checks whether the processor draws: shadows would take most of its time. */
function isSoftware(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext();
  const info = context.getExtension('WEBGL_debug_renderer_info');
  return info !== null && /swiftshader|llvmpipe|software|basic render/i.test(String(context.getParameter(info.UNMASKED_RENDERER_WEBGL))); // oxfmt-ignore
}

function createRenderer(): {
  renderer: WebGLRenderer | undefined;
  canvas: HTMLCanvasElement;
  trouble: string | undefined;
} {
  const canvas = document.createElement('canvas');
  // Probe first: the renderer prints to the console when there is no WebGL.
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
