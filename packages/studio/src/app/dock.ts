/** Moves the card between the side panel and the view. Loaded in windows that begin wide. */

/** In wide windows the card is a part of the side panel, else, or without the panel, it lies over the view. */
export function dockCard(card: HTMLElement, stage: HTMLElement, side: HTMLElement): void {
  const wide = matchMedia('(min-width: 1200px) and (min-height: 680px)');
  const { documentElement } = document;
  const dock = (): void => {
    const home = wide.matches && !documentElement.classList.contains('is-panel-hidden') ? side : stage;
    // Before the aids of the view, and before the tabs.
    if (card.parentElement !== home) home.insertBefore(card, home.querySelector(':scope > :not(canvas)'));
  };
  wide.addEventListener('change', dock);
  new MutationObserver(dock).observe(documentElement, { attributeFilter: ['class'] });
  dock();
}
