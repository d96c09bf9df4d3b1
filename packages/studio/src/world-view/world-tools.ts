/** The tool for published worlds. Its code is loaded when it is first used. */
import { lazily } from '../tools/lazy.ts';
import type { ToolKind } from '../tools/tool.ts';

export const WORLD_TOOLS: readonly ToolKind[] = [
  {
    id: 'world',
    title: 'World',
    shortcut: '2',
    needs: 'world',
    icon: 'M3 5h5v5H3zM10 5h5v5h-5zM17 5h4v5h-4zM3 12h5v5H3zM10 12h5v5h-5M12 20v.01',
    hint: 'Tiles around the middle of the view are loaded; move the camera.',
    create: lazily(() => import('./world-tool.ts').then((code) => code.createWorldTool)),
  },
];
