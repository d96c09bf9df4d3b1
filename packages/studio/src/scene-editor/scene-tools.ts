/** The tool that makes scenes. Its code is loaded when it is first used. */
import { lazily } from '../tools/lazy.ts';
import type { ToolKind } from '../tools/tool.ts';

export const SCENE_TOOLS: readonly ToolKind[] = [
  {
    id: 'scene',
    title: 'Scene',
    shortcut: '1',
    needs: 'triangles',
    icon: 'M6 21V4h12l-3 4 3 4H6',
    hint: 'Place targets and agents, and set their goals. Drag them to move them.',
    create: lazily(() => import('./scene-tool.ts').then((code) => code.createSceneTool)),
  },
];
