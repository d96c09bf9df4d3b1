/** Loads parts of the page when the open content needs them: the legend of areas, the import panel, and the flash of rebuilt tiles. */
import { h } from '../dom/dom.ts';
import { DoubleSide, Ray, Vector3 } from 'three';
import { hasAreas } from '../state/areas.ts';
import { nameOfSource } from '../state/state.ts';
import type { MeshData } from '../state/state.ts';
import type { Tree } from '../view/picking.ts';
import { loadPart } from '../tools/lazy.ts';
import { count } from '../tools/pending.ts';
import type { Core } from './core.ts';

/** Levels of more triangles keep their outer walls. */
const MANY_TRIANGLES = 60_000;

/** Fills the two elements when there is something to show in them. */
export function loadOnDemand(core: Core, legend: HTMLElement, importing: HTMLDetailsElement): void {
  const { store, history, stage, view, picking, theme, messages } = core;
  const { say } = messages;
  let hasLegend = false;
  store.listen(['mesh'], (state) => {
    if (hasLegend || !hasAreas(state)) return;
    hasLegend = true;
    void loadPart(() => import('../panels/legend.ts'), say).then((code) => {
      const refresh = code?.createLegend(legend, store, history, theme.palette);
      if (refresh !== undefined) theme.onChange(refresh);
    });
  });

  let newest = -1;
  store.listen(['mesh'], (state) => {
    const { mesh, level } = state;
    newest = mesh?.id ?? -1;
    if (mesh === undefined || level === undefined || level.indices.length / 3 > MANY_TRIANGLES) return;
    const find = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve));
      const tree = newest === mesh.id ? picking.levelTree(state) : undefined;
      if (tree === undefined || !hasRooms(mesh, tree)) return;
      const code = await loadPart(() => import('../view/shell.ts'), say);
      const shell = await code?.findShell(level, mesh, tree);
      if (newest === mesh.id) store.update({ shell });
    };
    count(find());
  });

  let hasImport = false;
  let hasMapImport = false;
  store.listen(['source', 'level', 'map'], ({ source, level, map }, changed) => {
    const isFile = source?.kind === 'files';
    importing.hidden = !isFile || level === undefined;
    if (isFile && map !== undefined && !hasMapImport) {
      hasMapImport = true;
      void loadPart(() => import('../panels/map-import.ts'), say).then((code) =>
        code?.fillMapImport(importing, store, history, say),
      );
    }
    if (importing.hidden) return;
    const count = level?.objects?.length ?? 0;
    if (changed.has('source')) {
      importing.open = count > 1;
      // In narrow windows the panel is closed at first.
      if (count > 1 && document.documentElement.classList.contains('is-panel-hidden'))
        say('info', `${nameOfSource(source!)} has ${count} objects. The panel (Q) lists them under Import.`);
    }
    if (hasImport) return;
    hasImport = true;
    void loadPart(() => import('../panels/import-panel.ts'), say).then((code) =>
      code?.fillImportPanel(importing, store, history),
    );
  });

  let hasTiles = false;
  store.listen(['job'], ({ job }) => {
    if (hasTiles || job.tiles === undefined) return;
    hasTiles = true;
    void loadPart(() => import('../view/tile-progress.ts'), say).then((code) =>
      code?.createTileProgress(stage, view, store),
    );
  });

  let flashed = store.get().mesh?.rebuilt;
  store.listen(['mesh'], ({ mesh }) => {
    if (mesh?.rebuilt === flashed) return;
    flashed = mesh?.rebuilt;
    if ((flashed ?? []).length === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    void loadPart(() => import('../view/tile-flash.ts'), say).then((code) =>
      code?.flashTiles(view, store.get(), theme.palette()),
    );
  });
}

/** Polygons that `hasRooms` tests. */
const TESTED = 60;

/** Returns whether some of the polygons have something above them. */
function hasRooms({ navMesh }: MeshData, { bvh, origin }: Tree): boolean {
  const { polyEdgeStart, polyVertexCount, edgeVertex, vertices, polyCount, agent } = navMesh;
  const ray = new Ray(new Vector3(), new Vector3(0, 1, 0));
  let covered = 0;
  for (let poly = 0; poly < polyCount; poly += Math.ceil(polyCount / TESTED)) {
    const corners = [0, 1, 2].map((k) => 3 * edgeVertex[polyEdgeStart[poly] + (k % polyVertexCount[poly])]);
    const at = (axis: number): number => corners.reduce((sum, corner) => sum + vertices[corner + axis] / 3, 0);
    ray.origin.set(at(0) - origin[0], at(1) + agent.height / 2 - origin[1], at(2) - origin[2]);
    if (bvh.raycastFirst(ray, DoubleSide)) covered++;
  }
  return covered > 1;
}

/** Creates the elements that `loadOnDemand` fills. */
export function createOnDemandElements(): { legend: HTMLElement; importing: HTMLDetailsElement } {
  return {
    legend: h('section', { class: 'legend', 'aria-label': 'Areas', hidden: true }),
    importing: h('details', { class: 'settings-group', hidden: true }, h('summary', {}, 'Import')),
  };
}
