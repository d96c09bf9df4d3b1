/** All tools there are, in the order of the toolbar. A new one is a file of its own and a line here. */
import { crowdTool } from './crowd.ts';
import { lookTool } from './look.ts';
import { ASK_TOOLS } from './ask-tools.ts';
import { EDIT_TOOLS, STAGE_TOOLS } from './edit-tools.ts';
import type { ToolKind } from './tool.ts';

export const TOOLS: readonly ToolKind[] = [lookTool, ...ASK_TOOLS, ...STAGE_TOOLS, ...EDIT_TOOLS, crowdTool];
