/** A picture behind a 2D map, to draw over. It is not part of the map and is forgotten with the page. */
import { DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace, Texture } from 'three';
import { originOf } from '../state/state.ts';
import type { Bounds } from '../state/state.ts';
import type { ToolContext } from '../tools/tool.ts';

export interface BackPicture {
  /** Lets the user choose a file. Resolves to false when none was chosen or it cannot be read, which is reported. */
  choose: () => Promise<boolean>;
  /** Shows a picture file in the middle of the bounds, as wide as they are. */
  show: (file: Blob, name: string, bounds: Bounds) => Promise<boolean>;
  isShown: () => boolean;
  width: () => number;
  setWidth: (width: number) => void;
  setOpacity: (opacity: number) => void;
  remove: () => void;
}

const OPACITY = 0.6;
/** Below the mesh and its lines. */
const DEPTH = -0.02;
const MAX_BYTES = 64 * 2 ** 20;

export function createPicture({ view, store, say }: ToolContext, boundsOf: () => Bounds): BackPicture {
  const material = new MeshBasicMaterial({ transparent: true, opacity: OPACITY, side: DoubleSide, depthWrite: false });
  let mesh: Mesh | undefined;
  let width = 0;
  let aspect = 1;
  const resize = (): void => {
    mesh?.scale.set(width, width / aspect, 1);
    mesh?.updateMatrix();
    view.invalidate();
  };
  const remove = (): void => {
    if (mesh !== undefined) view.root.remove(mesh);
    mesh?.geometry.dispose();
    material.map?.dispose();
    mesh = undefined;
    view.invalidate();
  };
  const show: BackPicture['show'] = async (file, name, bounds) => {
    try {
      if (file.size > MAX_BYTES) throw new Error('too large');
      const image = await createImageBitmap(file, { imageOrientation: 'flipY' });
      remove();
      material.map = new Texture(image);
      material.map.colorSpace = SRGBColorSpace;
      material.map.flipY = false;
      material.map.needsUpdate = true;
      material.needsUpdate = true;
      aspect = image.width / image.height;
      width = bounds.max[0] - bounds.min[0];
      mesh = new Mesh(new PlaneGeometry(1, 1), material);
      mesh.rotation.x = -Math.PI / 2;
      const origin = originOf(store.get());
      const middle = (axis: 0 | 2): number => (bounds.min[axis] + bounds.max[axis]) / 2 - origin[axis];
      mesh.position.set(middle(0), DEPTH, middle(2));
      mesh.renderOrder = -1;
      view.root.add(mesh);
      resize();
      return true;
    } catch {
      say('error', `${name} is not a picture that this browser can show; use PNG, JPEG or WebP of at most 64 MB.`);
      return false;
    }
  };
  return {
    show,
    remove,
    isShown: () => mesh !== undefined,
    width: () => width,
    setWidth(next) {
      width = next;
      resize();
    },
    setOpacity(opacity) {
      material.opacity = opacity;
      view.invalidate();
    },
    choose() {
      return new Promise((resolve) => {
        const input = document.createElement('input');
        input.type = 'file';
        input.accept = 'image/*';
        input.addEventListener('cancel', () => resolve(false));
        input.addEventListener('change', () => {
          const file = input.files?.[0];
          resolve(file === undefined ? false : show(file, file.name, boundsOf()));
        });
        input.click();
      });
    },
  };
}
