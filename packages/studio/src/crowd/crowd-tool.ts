/** The crowd tool: moving agents. The rest of its code is loaded when the tool is first chosen. */
import { lazily } from '../tools/lazy.ts';
import type { ToolKind } from '../tools/tool.ts';

export const crowdTool: ToolKind = {
  id: 'crowd',
  title: 'Crowd',
  shortcut: 'c',
  needs: 'mesh',
  icon: 'M8 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM16.5 11a2.5 2.5 0 1 0 0-5M2.5 20a5.5 5.5 0 0 1 11 0M15.5 14.2a5 5 0 0 1 6 5.8',
  hint: 'Click an agent to select it, then click the surface to send it there. Targets can be dragged.',
  create: lazily(() => import('./start.ts').then((code) => code.createCrowdTool)),
};
