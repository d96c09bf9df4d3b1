/** All tools there are, in the order of the toolbar. A new one is a file of its own and a line here. */
import { crowdTool } from './crowd.ts';
import { lookTool } from './look.ts';
import { pathTool } from './path.ts';
import type { ToolKind } from './tool.ts';

export const TOOLS: readonly ToolKind[] = [lookTool, pathTool, crowdTool];
