/** `navkiln/record`: recordings of crowds, their replay, and where two of them differ. */
export type { CrowdCalls, RecordedCall } from '../agents/record/calls.ts';
export type { CheckKind } from '../agents/record/check.ts';
export { compareRecordings } from '../agents/record/compare.ts';
export type { RecordingDifference } from '../agents/record/compare.ts';
export { diffCrowds } from '../agents/record/diff.ts';
export type { CrowdDifference } from '../agents/record/diff.ts';
export { createRecorder, finishRecording, rewindRecording } from '../agents/record/recorder.ts';
export type { Recorder, RecorderOptions } from '../agents/record/recorder.ts';
export { continueReplay, replay } from '../agents/record/replay.ts';
export type { Divergence, Replay, ReplayOptions, ReplayWorld } from '../agents/record/replay.ts';
