/** The inspect tool: the polygon under the pointer, and facts about a click. Its code is loaded with the page's first content. */
import { lazily } from './lazy.ts';
import type { ToolKind } from './tool.ts';

export const lookTool: ToolKind = {
  id: 'look',
  title: 'Inspect',
  shortcut: 'v',
  needs: 'nothing',
  icon: 'M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  hint: 'Point at the mesh to see a polygon and its neighbors; click to keep it. Drag rotates, right-drag pans, wheel or pinch zooms.',
  create: lazily(() => import('./inspect/inspect-tool.ts').then((code) => code.createInspectTool), true),
};
