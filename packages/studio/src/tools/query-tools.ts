/** The query tools in toolbar order. Their code is loaded when a tool is first used. */
import { lazily } from './lazy.ts';
import type { ToolKind } from './tool.ts';

export const QUERY_TOOLS: readonly ToolKind[] = [
  {
    id: 'path',
    title: 'Path',
    shortcut: 'p',
    needs: 'mesh',
    icon: 'M5 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM19 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM7 17l4-1 1-8 4.6-1.6',
    hint: 'Drag the two ends. Click to set the end, Shift-click to set the start.',
    create: lazily(() => import('./path.ts').then((code) => code.createPathTool)),
  },
  {
    id: 'nearest',
    title: 'Nearest',
    shortcut: 'n',
    needs: 'mesh',
    icon: 'M12 3v11M8 10l4 4 4-4M4 20h16M12 20v.01',
    hint: 'Drag the point to find the nearest point of the walkable surface.',
    create: lazily(() => import('./nearest.ts').then((code) => code.createNearestTool)),
  },
  {
    id: 'raycast',
    title: 'Raycast',
    shortcut: 'r',
    needs: 'mesh',
    icon: 'M4 19 17 6M17 6l-6 1M17 6l-1 6M21 3v18',
    hint: 'Drag the two ends: how far can an agent walk in a straight line?',
    create: lazily(() => import('./raycast.ts').then((code) => code.createRaycastTool)),
  },
  {
    id: 'slide',
    title: 'Slide',
    shortcut: 's',
    needs: 'mesh',
    icon: 'M3 5l7 8c1.5 1.7 3 2 5 2h6M18 12l3 3-3 3M3 20h18',
    hint: 'Drag the two ends: how far does an agent that slides along walls get?',
    create: lazily(() => import('./slide.ts').then((code) => code.createSlideTool)),
  },
  {
    id: 'wall',
    title: 'Wall',
    shortcut: 'w',
    needs: 'mesh',
    icon: 'M20 3v18M4 12h13M13 8l4 4-4 4',
    hint: 'Drag the point to find the nearest wall and its distance.',
    create: lazily(() => import('./wall.ts').then((code) => code.createWallTool)),
  },
  {
    id: 'reach',
    title: 'Reach',
    shortcut: 'e',
    needs: 'mesh',
    icon:
      'M12 12m-2 0a2 2 0 1 0 4 0 2 2 0 1 0-4 0M12 12m-5.5 0a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0' +
      'M12 12m-9 0a9 9 0 1 0 18 0 9 9 0 1 0-18 0',
    hint: 'Drag the start: polygons that can be reached are colored by cost. Click one to see the path.',
    create: lazily(() => import('./reach.ts').then((code) => code.createReachTool)),
  },
  {
    id: 'random',
    title: 'Random',
    shortcut: 'x',
    needs: 'mesh',
    icon:
      'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z' +
      'M8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01',
    hint: 'Random points on the walkable surface. The same seed gives the same points.',
    create: lazily(() => import('./random.ts').then((code) => code.createRandomTool)),
  },
  {
    id: 'height',
    title: 'Height',
    shortcut: 'h',
    needs: 'mesh',
    icon: 'M12 21V4M8 8l4-4 4 4M4 21h16',
    hint: 'Drag the point: how high is the surface there, on each floor?',
    create: lazily(() => import('./height.ts').then((code) => code.createHeightTool)),
  },
];
