/** Objects of a level file: left out, not walkable, or with an area. The oracle is the level without them, or with its areas given. */
import { AREA_GROUND } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { parseObj } from 'navkiln/io';
import { expect, it } from 'vitest';
import { correctLevel } from '../src/bake/correct-level.ts';
import { objectsOf } from '../src/bake/objects.ts';
import { readSettingsText, settingsText } from '../src/files/settings-text.ts';
import { LEFT_OUT, NO_CORRECTION, NO_EDITS, createState, isSameCorrection } from '../src/state/state.ts';
import { OBJECTS_OBJ } from './levels.ts';

const level = parseObj(OBJECTS_OBJ);
const objects = objectsOf(level.groups);
const corrected = (choices: Record<string, number>): ReturnType<typeof correctLevel> =>
  correctLevel(level, { ...NO_CORRECTION, objects: choices }, objects);

it('groups of the same name and material are one object', () => {
  expect(objects.map(({ name, triangleCount }) => [name, triangleCount])).toEqual([
    ['floor', 4],
    ['road', 2],
    ['crate', 2],
  ]);
  expect(objects[0].ranges).toEqual([
    [0, 2],
    [6, 2],
  ]);
});

it('an object that is left out is as if the file did not have it', () => {
  const without = parseObj(OBJECTS_OBJ.replace('f 10 9 8 7\n', ''));
  const { positions, indices, areas } = corrected({ 2: LEFT_OUT });
  expect(areas).toBeUndefined();
  const mesh = buildNavMesh({ positions, indices }).report.counts;
  expect(mesh).toEqual(buildNavMesh(without).report.counts);
  expect(mesh).not.toEqual(buildNavMesh(level).report.counts);
});

it('triangles get the area of their object', () => {
  const { indices, areas } = corrected({ 1: 2, 2: 0 });
  expect(indices).toEqual(level.indices);
  expect([...areas!]).toEqual([AREA_GROUND, AREA_GROUND, 2, 2, 0, 0, AREA_GROUND, AREA_GROUND]);
});

it('choices that the level does not have are ignored', () => {
  expect(corrected({ 7: 2 })).toMatchObject({ indices: level.indices, areas: undefined });
});

it('settings keep the choices and the names of areas, and refuse damaged ones', async () => {
  const correction = { ...NO_CORRECTION, objects: { 1: 2, 2: LEFT_OUT } };
  const edits = { ...NO_EDITS, correction, areaNames: { 2: 'Road' } };
  const text = await settingsText({ ...createState(), edits });
  const read = readSettingsText(text, 'a.yaml').edits;
  expect(read).toMatchObject({ correction, areaNames: { 2: 'Road' } });
  expect(isSameCorrection(read.correction, correction)).toBe(true);
  expect(isSameCorrection(NO_CORRECTION, correction)).toBe(false);
  const damaged = readSettingsText(text.replace('"1":2', '"1":99').replace('"2":"Road"', '"2":7'), 'a.yaml').edits;
  expect(damaged).not.toHaveProperty('correction');
  expect(damaged).not.toHaveProperty('areaNames');
});
