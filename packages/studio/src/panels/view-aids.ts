/**
 * Aids in a corner of the view: the axes of the world, a scale bar at the distance of what the camera looks at, and
 * buttons that show everything.
 */
import type { PerspectiveCamera } from 'three';
import { h, icon } from '../dom/dom.ts';
import { roundStep } from '../view/grid-layer.ts';
import type { View } from '../view/view.ts';

const ICONS = { all: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5', top: 'M5 5h14v14H5zM12 9v6M9 12l3 3 3-3' };
/** Length of an axis, and half the size of the drawing, in pixels. */
const ARM = 20;
const HALF = 32;
const LONGEST_BAR = 96;
const AXES = ['x', 'y', 'z'] as const;

export interface ViewAidsActions {
  showAll: () => void;
  showTop: () => void;
}

export function createViewAids(view: View, { showAll, showTop }: ViewAidsActions): HTMLElement {
  const axes = createAxes();
  const bar = h('span', { class: 'scale-bar' });
  const length = h('span', {});
  const scale = h('p', { class: 'scale', title: 'Length at the distance of the center of the view' }, bar, length);
  const button = (path: string, title: string, run: () => void): HTMLElement =>
    h('button', { class: 'icon-button', title, 'aria-label': title, onclick: run }, icon(path));
  const element = h(
    'div',
    { class: 'view-aids', role: 'group', 'aria-label': 'View' },
    axes.element,
    scale,
    h(
      'div',
      { class: 'view-buttons' },
      button(ICONS.all, 'Reset the view: show all (F)', showAll),
      button(ICONS.top, 'View from the top (T)', showTop),
    ),
  );
  /** Height of the view in pixels. Reading it from the page would compute the layout in every frame. */
  let height = 1;
  const refresh = (): void => {
    axes.show(view.camera);
    const { position, target } = view.pose();
    const distance = Math.hypot(...position.map((value, axis) => value - target[axis as 0]));
    const high = 2 * distance * Math.tan((view.camera.fov * Math.PI) / 360);
    const pixels = height / high;
    const meters = roundStep(LONGEST_BAR / pixels);
    bar.style.width = `${Math.round(meters * pixels)}px`;
    length.textContent = meters >= 1000 ? `${meters / 1000} km` : meters >= 0.1 ? `${meters} m` : `${100 * meters} cm`;
  };
  view.onCamera(refresh);
  new ResizeObserver(([{ contentRect }]) => {
    height = Math.max(1, contentRect.height);
    refresh();
  }).observe(view.canvas);
  return element;
}

interface Axes {
  element: SVGSVGElement;
  show: (camera: PerspectiveCamera) => void;
}

/** Creates the axes of the world as the camera sees them. */
function createAxes(): Axes {
  const create = <K extends keyof SVGElementTagNameMap>(tag: K): SVGElementTagNameMap[K] =>
    document.createElementNS('http://www.w3.org/2000/svg', tag);
  const element = create('svg');
  element.setAttribute('class', 'axes');
  element.setAttribute('viewBox', `${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`);
  element.setAttribute('aria-hidden', 'true');
  const arms = AXES.map((axis) => {
    const [group, line, text] = [create('g'), create('line'), create('text')];
    group.setAttribute('class', `axis-${axis}`);
    text.textContent = axis;
    group.append(line, text);
    return { group, line, text };
  });
  return {
    element,
    show(camera) {
      camera.updateMatrixWorld();
      const m = camera.matrixWorldInverse.elements;
      const depth = (axis: number): number => m[4 * axis + 2];
      arms.forEach(({ line, text }, axis) => {
        const [x, y] = [m[4 * axis], -m[4 * axis + 1]];
        line.setAttribute('x2', String(ARM * x));
        line.setAttribute('y2', String(ARM * y));
        text.setAttribute('x', String((ARM + 7) * x));
        text.setAttribute('y', String((ARM + 7) * y));
      });
      // The axis that points away is drawn first.
      const order = [0, 1, 2].sort((a, b) => depth(a) - depth(b));
      element.replaceChildren(...order.map((axis) => arms[axis].group));
    },
  };
}
