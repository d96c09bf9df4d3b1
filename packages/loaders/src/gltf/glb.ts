/**
 * Reads the container of glTF files: the chunks of a GLB, data URIs, files next to the .gltf. Reports
 * truncated or missing parts.
 */
import { findJsonFault } from 'navkiln/io';
import { InputError } from '../errors.ts';
import { refusalOfName, showName } from '../beside.ts';
import type { ReadBeside } from '../beside.ts';
import { UPGRADE, refusePointer } from '../other-files.ts';
import { isObject, showJson } from './json.ts';
import type { Json } from './json.ts';

const GLB_MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;

export interface GltfParts {
  /** Parsed JSON of any shape; its version is 2. */
  json: Json;
  /** The binary chunk of a GLB. */
  binary: Uint8Array<ArrayBuffer> | undefined;
}

/** Returns the parts of a glTF file. `file` is its name in messages. */
export function splitGltf(bytes: Uint8Array, file: string): GltfParts {
  // Copies to offset 0: chunks are read as words, and a view into a larger buffer may start anywhere.
  const data = new Uint8Array(bytes);
  const view = new DataView(data.buffer);
  if (data.length < 4 || view.getUint32(0, true) !== GLB_MAGIC)
    return { json: parseJson(data, file), binary: undefined };
  const remedy = 'the file is cut off; copy or export it again';
  if (data.length < 20)
    throw new InputError(`${file}: truncated GLB: ${data.length} bytes are less than its header; ${remedy}`);
  const version = view.getUint32(4, true);
  if (version !== 2) throw new InputError(`${file}: GLB version ${version} is not supported; ${UPGRADE}`);
  const length = view.getUint32(8, true);
  if (length > data.length) {
    throw new InputError(
      `${file}: truncated GLB: its header says ${length} bytes, there are ${data.length}; ${remedy}`,
    );
  }
  let json: Json | undefined;
  let binary: Uint8Array<ArrayBuffer> | undefined;
  for (let at = 12; at + 8 <= length;) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > length) {
      throw new InputError(`${file}: truncated GLB: a chunk of ${size} bytes starts at ${at} of ${length}; ${remedy}`);
    }
    const chunk = data.subarray(at + 8, at + 8 + size);
    if (json === undefined) {
      if (type !== CHUNK_JSON)
        throw new InputError(`${file}: damaged GLB: its first chunk is not JSON; export it again`);
      json = parseJson(chunk, file);
    } else if (type === CHUNK_BIN && binary === undefined) {
      binary = chunk;
    }
    at += 8 + size + ((4 - (size % 4)) % 4);
  }
  if (json === undefined) throw new InputError(`${file}: truncated GLB: it has no JSON chunk; ${remedy}`);
  return { json, binary };
}

function parseJson(bytes: Uint8Array, file: string): Json {
  let text = '';
  let json: unknown;
  try {
    text = new TextDecoder('utf-8').decode(bytes);
    json = JSON.parse(text);
  } catch {
    const fault = findJsonFault(text);
    const why = fault === null ? 'it is too large' : `line ${fault.line}, column ${fault.column}: ${fault.what}`;
    const remedy = 'it is cut off or not a glTF file; export it again';
    throw new InputError(`${file}: not a GLB, and not JSON either (${why}); ${remedy}`);
  }
  if (!isObject(json) || !('asset' in json)) {
    throw new InputError(`${file}: JSON, but not glTF: "asset" is missing`);
  }
  const version = isObject(json['asset']) ? json['asset']['version'] : undefined;
  if (typeof version !== 'string' || !version.startsWith('2.')) {
    const shown = typeof version === 'string' ? version.slice(0, 20) : showJson(version);
    throw new InputError(`${file}: glTF version ${shown} is not supported; ${UPGRADE}`);
  }
  return json;
}

/** Returns the bytes of a buffer that has a URI. */
export async function readBuffer(
  uri: string,
  beside: ReadBeside,
  file: string,
  allowOutside: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  if (uri.startsWith('data:')) return readDataUri(uri, file);
  const name = decodeUri(uri);
  // As written and decoded: `fetch` takes the former, a file system the latter.
  const refusal = refusalOfName(uri, allowOutside) ?? refusalOfName(name, allowOutside);
  if (refusal !== undefined) throw new InputError(`${file}: buffer ${showName(uri)} ${refusal}`);
  // A copy starts at offset 0, where numbers of any size are aligned.
  const bytes = new Uint8Array(await beside(name, uri));
  refusePointer(bytes, `${file}: buffer ${showName(uri)}`);
  return bytes;
}

function readDataUri(uri: string, file: string): Uint8Array<ArrayBuffer> {
  const comma = uri.indexOf(',');
  if (comma < 0) throw new InputError(`${file}: a buffer's data URI has no data; export it again`);
  const body = uri.slice(comma + 1);
  const inBase64 = uri.slice(0, comma).endsWith(';base64');
  const text = inBase64
    ? decodeBase64(body, file)
    : body.replace(/%([0-9a-f]{2})/gi, (_, code: string) => byteOf(code));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function decodeBase64(body: string, file: string): string {
  try {
    return atob(body);
  } catch {
    throw new InputError(`${file}: a buffer's data URI is not valid base64; export it again`);
  }
}

function byteOf(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
