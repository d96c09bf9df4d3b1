/**
 * The file of a recording: sections, each with its kind, its length and a checksum.
 *
 *   offset 0    8 bytes   "nkrecord"
 *          8    u32       version, 1
 *         12    u32       length of the file in bytes
 *         16    sections: u32 kind, u32 length of the content, u32 checksum of these two and the content, content
 *
 * Based on: own.
 */
import { hashWords } from '../../base/data/hash.ts';
import { refuseType } from '../../base/data/refuse.ts';

/** Kinds of sections, in their order in a file; there may be any number of `SECTION_EVENTS`. */
export const SECTION_HEAD = 1;
export const SECTION_EVENTS = 2;
export const SECTION_DETAILS = 3;

const SECTION_NAMES = ['', 'head', 'events', 'details'];
const MAGIC = 'nkrecord';
const VERSION = 1;
const HEADER_BYTES = 16;
const SECTION_BYTES = 12;

/** A part of a recording. */
export interface Section {
  kind: number;
  /** Offset of the content in the file. */
  at: number;
  bytes: Uint8Array;
}

function checksum(kind: number, bytes: Uint8Array): number {
  const words = new Uint32Array(2 + Math.ceil(bytes.length / 4));
  words[0] = kind;
  words[1] = bytes.length;
  new Uint8Array(words.buffer).set(bytes, 8);
  return hashWords(words, 0, words.length, 0);
}

/** Returns the file of sections. */
export function writeSections(sections: readonly { kind: number; bytes: Uint8Array }[]): Uint8Array {
  const length = sections.reduce((sum, { bytes }) => sum + SECTION_BYTES + bytes.length, HEADER_BYTES);
  const out = new Uint8Array(length);
  const view = new DataView(out.buffer);
  for (let i = 0; i < MAGIC.length; i++) out[i] = MAGIC.charCodeAt(i);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, length, true);
  let at = HEADER_BYTES;
  for (const { kind, bytes } of sections) {
    view.setUint32(at, kind, true);
    view.setUint32(at + 4, bytes.length, true);
    view.setUint32(at + 8, checksum(kind, bytes), true);
    out.set(bytes, at + SECTION_BYTES);
    at += SECTION_BYTES + bytes.length;
  }
  return out;
}

/** Returns the sections of a file. Throws an Error that names the place of the first fault. */
export function readSections(file: Uint8Array, caller: string): Section[] {
  if (!(file instanceof Uint8Array)) refuseType(caller, 'file', file, 'a Uint8Array of finishRecording');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isRecording = Array.from(MAGIC).every((letter, i) => file[i] === letter.charCodeAt(0));
  if (!isRecording || file.length < HEADER_BYTES)
    throw new Error(`${caller}: the ${file.length} bytes are no recording; pass the result of finishRecording`);
  const version = view.getUint32(8, true);
  if (version !== VERSION)
    throw new Error(`${caller}: the format version is ${version}; must be ${VERSION}; record again`);
  const length = view.getUint32(12, true);
  const sections: Section[] = [];
  let at = HEADER_BYTES;
  while (at < Math.min(file.length, length)) {
    const isWhole = at + SECTION_BYTES <= file.length;
    const kind = isWhole ? view.getUint32(at, true) : 0;
    const size = isWhole ? view.getUint32(at + 4, true) : 0;
    const name = SECTION_NAMES[kind] ?? '';
    if (!isWhole || at + SECTION_BYTES + size > file.length) {
      // A damaged length looks like a file that is too short.
      if (file.length < length)
        throw new Error(
          `${caller}: the recording has ${file.length} of ${length} bytes; it is cut off in ${placeOf(sections, name)} at byte ${at}`,
        );
      throw new Error(`${caller}: the recording is damaged at byte ${at}: ${placeOf(sections, name)} have no end`);
    }
    const bytes = file.subarray(at + SECTION_BYTES, at + SECTION_BYTES + size);
    if (name === '' || checksum(kind, bytes) !== view.getUint32(at + 8, true))
      throw new Error(
        `${caller}: the recording is damaged in ${placeOf(sections, name)}, bytes ${at} .. ${at + SECTION_BYTES + size}`,
      );
    sections.push({ kind, at: at + SECTION_BYTES, bytes });
    at += SECTION_BYTES + size;
  }
  if (file.length !== length)
    throw new Error(`${caller}: the recording has ${file.length} of ${length} bytes; it is cut off or has a tail`);
  if (sections[0]?.kind !== SECTION_HEAD || sections.at(-1)?.kind !== SECTION_DETAILS)
    throw new Error(
      `${caller}: the recording is damaged: it has no ${sections[0]?.kind === SECTION_HEAD ? 'end' : 'head'}`,
    );
  return sections;
}

/** Names the section after others: the tick at which events begin is their first number. */
function placeOf(sections: readonly Section[], name: string): string {
  const blocks = sections.filter(({ kind }) => kind === SECTION_EVENTS).length;
  return `the ${name === '' ? 'section' : name} after ${blocks} blocks of events`;
}
