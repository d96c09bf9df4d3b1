/**
 * Moves the camera so that the content fits the part of the view that neither the card nor the side panel
 * covers.
 */
import { NO_CORRECTION, boundsOf, originOf } from '../state/state.ts';
import type { CameraPose, StudioState } from '../state/state.ts';
import { NARROW } from '../panels/side-panel.ts';
import type { Core } from './core.ts';

/** Shows all of the content; by default smoothly, and from the top for a 2D map. */
export type Fit = (isSmooth?: boolean, fromTop?: boolean) => void;

export interface FitElements {
  root: HTMLElement;
  card: HTMLElement;
  side: HTMLElement;
}

/**
 * Creates the function, and fits content when it opens, unless `takePose` returns a pose from a link. Until
 * the camera is moved, the content also gives way to a card that grows over it, and fits the window when its size changes.
 */
export function createFit(
  { store, view, stage }: Core,
  { root, card, side }: FitElements,
  takePose: () => CameraPose | undefined,
): Fit {
  /** The height of the card when the content was last fitted beside it. */
  let cardHeight = 0;
  let isFromTop = false;
  let fittedPose = '';
  let isUntouched = false;
  /** The user has not moved the camera since. */
  let isFitted = false;
  const fit: Fit = (isSmooth = true, fromTop = isFlat(store.get())) => {
    const bounds = boundsOf(store.get());
    if (bounds === undefined) return;
    isFromTop = fromTop;
    isFitted = true;
    // In wide windows the card is a part of the panel.
    const shown: Partial<HTMLElement> = stage.contains(card) ? card : {};
    const { offsetLeft = 0, offsetTop = 0, offsetWidth = 0, offsetHeight = 0 } = shown;
    cardHeight = offsetHeight;
    // In narrow windows the side panel covers a part of the view.
    const panel = side.getBoundingClientRect();
    const coveredWidth = panel.width > 0 ? Math.max(0, stage.getBoundingClientRect().right - panel.left) : 0;
    // In narrow windows card and panel are sheets at the lower end of the view.
    const isSheet = offsetWidth > 0 && offsetWidth >= stage.clientWidth;
    // There, the aids of the view are a row at its upper end.
    const row = stage.querySelector<HTMLElement>('.view-buttons')!;
    const panelHeight = panel.width > 0 && panel.width >= stage.clientWidth ? panel.height : 0;
    view.fit({
      bounds,
      fromTop,
      isSmooth,
      card: isSheet
        ? { width: stage.clientWidth, height: row.getBoundingClientRect().bottom - stage.getBoundingClientRect().top }
        : { width: offsetLeft + offsetWidth, height: offsetTop + offsetHeight },
      sheetHeight: isSheet ? Math.max(offsetHeight, panelHeight) : 0,
      coveredWidth: isSheet ? 0 : coveredWidth,
    });
    fittedPose = JSON.stringify(view.pose());
  };
  /** Fits again what is fitted, unless a tool has moved the camera since. */
  const refit = (): void => {
    if (isFitted && JSON.stringify(view.pose()) === fittedPose) fit(false, isFromTop);
  };
  let shape = '';
  store.listen(['source', 'level', 'map'], (state, changed) => {
    view.setOrigin(originOf(state));
    if (state.level !== undefined) view.setSun(state.level.bounds);
    const { turn, scale } = state.level?.correction ?? NO_CORRECTION;
    const now = `${turn} ${scale} ${state.map?.levels?.heights.join()}`;
    const isReshaped = changed.has('source') || shape !== now;
    shape = now;
    // Leaving objects out does not move the camera.
    if (!isReshaped && state.level?.levels === undefined) return;
    const pose = takePose();
    isUntouched = isFitted = pose === undefined;
    if (pose === undefined) fit(false);
    else view.setPose(pose, false);
  });
  // The cut is relative to the origin, so this listener comes after the one that sets the origin.
  store.listen(['cut', 'source', 'level'], ({ cut }) => view.setCut(cut));
  for (const type of ['pointerdown', 'wheel', 'keydown']) {
    root.addEventListener(type, () => void (isUntouched = false), { capture: true, passive: true });
  }
  for (const type of ['pointerdown', 'wheel']) {
    view.canvas.addEventListener(type, () => void (isFitted = false), { capture: true, passive: true });
  }
  new ResizeObserver(
    () => (isUntouched || (stage.contains(card) && card.offsetHeight > cardHeight)) && refit(),
  ).observe(card);
  // In narrow windows the panel covers the view when it opens.
  new ResizeObserver(() => globalThis.innerWidth < NARROW && refit()).observe(side);
  new ResizeObserver(refit).observe(view.canvas);
  return fit;
}

/** Returns whether the content is a 2D map of one floor, which is seen from the top. */
function isFlat({ map }: StudioState): boolean {
  return map !== undefined && map.levels === undefined;
}
