/** The signs above agents: points with a small image each, in one draw call. */
import { BufferAttribute, BufferGeometry, CanvasTexture, DynamicDrawUsage, Points, ShaderMaterial } from 'three';
import { LOOKS, inkOn } from '../looks.ts';

/** Pixels of a sign in the texture. */
const CELL = 64;

export interface Signs {
  points: Points;
  /** Starts a frame with room for a number of signs. */
  begin: (capacity: number) => void;
  /** Adds a sign at the top of a body. */
  add: (look: number, x: number, y: number, z: number) => void;
  end: () => void;
}

export function createSigns(): Signs {
  const points = createPoints();
  const { geometry } = points;
  let positions = new Float32Array(0);
  let looks = new Float32Array(0);
  let count = 0;
  return {
    points,
    begin(capacity) {
      count = 0;
      if (capacity <= looks.length) return;
      const size = Math.max(256, 2 * capacity);
      geometry.dispose();
      positions = new Float32Array(3 * size);
      looks = new Float32Array(size);
      geometry.setAttribute('position', new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage));
      geometry.setAttribute('look', new BufferAttribute(looks, 1).setUsage(DynamicDrawUsage));
    },
    add(look, x, y, z) {
      positions[3 * count] = x;
      positions[3 * count + 1] = y;
      positions[3 * count + 2] = z;
      looks[count++] = look;
    },
    end() {
      geometry.setDrawRange(0, count);
      for (const name of ['position', 'look']) {
        const attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
        if (attribute !== undefined) attribute.needsUpdate = true;
      }
    },
  };
}

/** Creates points that face the camera and shrink with the distance until they disappear. */
function createPoints(): Points {
  const material = new ShaderMaterial({
    uniforms: {
      picture: { value: signTexture() },
      cells: { value: LOOKS.length },
      pixels: { value: Math.min(2, globalThis.devicePixelRatio) },
    },
    transparent: true,
    depthTest: true,
    depthWrite: false,
    clipping: true,
    vertexShader: `
      #include <clipping_planes_pars_vertex>
      attribute float look;
      uniform float pixels;
      varying float vLook;
      void main() {
        vLook = look;
        vec4 mvPosition = modelViewMatrix * vec4(position + vec3(0.0, 0.35, 0.0), 1.0);
        #include <clipping_planes_vertex>
        gl_Position = projectionMatrix * mvPosition;
        float size = pixels * 420.0 / max(1.0, -mvPosition.z);
        gl_PointSize = clamp(size, 9.0 * pixels, 22.0 * pixels);
        if (size < 4.0 * pixels) gl_Position.z = 2.0 * gl_Position.w;
      }`,
    fragmentShader: `
      #include <clipping_planes_pars_fragment>
      uniform sampler2D picture;
      uniform float cells;
      varying float vLook;
      void main() {
        #include <clipping_planes_fragment>
        vec4 color = texture2D(picture, vec2((vLook + gl_PointCoord.x) / cells, 1.0 - gl_PointCoord.y));
        if (color.a < 0.05) discard;
        gl_FragColor = color;
        #include <colorspace_fragment>
      }`,
  });
  const points = new Points(new BufferGeometry(), material);
  points.frustumCulled = false;
  points.matrixAutoUpdate = false;
  points.renderOrder = 60;
  return points;
}

/** Draws all signs side by side, each on a disc in the color of the body. */
function signTexture(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = CELL * LOOKS.length;
  canvas.height = CELL;
  const pen = canvas.getContext('2d')!;
  LOOKS.forEach(({ sign, color }, i) => {
    if (sign === '') return;
    pen.setTransform(CELL / 16, 0, 0, CELL / 16, CELL * i, 0);
    pen.beginPath();
    pen.arc(8, 8, 7.6, 0, 7);
    const isDark = inkOn(color) === '#ffffff';
    pen.fillStyle = color;
    pen.fill();
    pen.lineWidth = 0.9;
    pen.strokeStyle = isDark ? '#ffffff' : '#14191c';
    pen.stroke();
    pen.lineWidth = 2.2;
    pen.lineCap = pen.lineJoin = 'round';
    pen.stroke(new Path2D(sign));
  });
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = 'srgb';
  return texture;
}
