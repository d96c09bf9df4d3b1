import { describe, expect, it } from 'vitest';
import {
  checkWorkspace,
  claimWorkspace,
  createWorkspace,
  releaseWorkspace,
  takeFloat64,
  takeInt32,
  takeUint16,
  takeUint32,
  takeUint8,
  workspaceBytes,
} from '../../../../src/base/data/workspace.ts';

describe('taking arrays', () => {
  it('returns arrays of the requested length and type', () => {
    const workspace = createWorkspace();
    expect(workspaceBytes(workspace)).toBe(0);
    expect(takeInt32(workspace, 'a', 3)).toEqual(new Int32Array(3));
    expect(takeUint32(workspace, 'b', 3)).toEqual(new Uint32Array(3));
    expect(takeUint16(workspace, 'c', 3)).toEqual(new Uint16Array(3));
    expect(takeUint8(workspace, 'd', 3)).toEqual(new Uint8Array(3));
    expect(takeFloat64(workspace, 'e', 0)).toEqual(new Float64Array(0));
    expect(workspaceBytes(workspace)).toBe(4 * 4096);
  });

  it('reuses a buffer that is large enough and keeps its content', () => {
    const workspace = createWorkspace();
    takeInt32(workspace, 'a', 1000).fill(7);
    const bytes = workspaceBytes(workspace);
    expect(takeInt32(workspace, 'a', 10)).toEqual(new Int32Array(10).fill(7));
    expect(workspaceBytes(workspace)).toBe(bytes);
  });

  it('grows a buffer and keeps the requested number of elements', () => {
    const workspace = createWorkspace();
    takeUint16(workspace, 'a', 4).set([1, 2, 3, 4]);
    const grown = takeUint16(workspace, 'a', 100_000, 2);
    expect([...grown.subarray(0, 4)]).toEqual([1, 2, 0, 0]);
    expect(workspaceBytes(workspace)).toBeLessThan(2 * 100_000 + (1 << 16) + 4096);
  });
});

describe('claims', () => {
  it('refuse a second claim until the first one ends', () => {
    const workspace = createWorkspace();
    claimWorkspace('bake', workspace);
    expect(() => claimWorkspace('other', workspace)).toThrow(
      /^other: options\.workspace is in use; must be one that no running bake uses$/,
    );
    releaseWorkspace(workspace);
    claimWorkspace('other', workspace);
    expect(workspace.isInUse).toBe(true);
  });

  it.each([1, 'a', {}, null, []])('refuse %o, which is not a workspace', (value) => {
    expect(() => checkWorkspace('bake', value)).toThrow(
      /^bake: options\.workspace is .*; must be made by createWorkspace\(\)$/,
    );
    expect(() => claimWorkspace('bake', value as never)).toThrow(RangeError);
  });
});
