/**
 * The id of a world, which names its queue: machines may reach one store by different addresses.
 *
 * In: a store. Out: an id, a file of the store.
 * Based on: own.
 */
import { randomBytes } from 'node:crypto';
import type { BlobStore } from 'navkiln/world';

const NAME = 'farm/id.json';
const ID = /^[0-9a-f]{16}$/;

/** Returns the id of a world, or undefined when nothing was planned there. */
export async function readWorldId(store: BlobStore): Promise<string | undefined> {
  const bytes = await store.get(NAME);
  if (bytes === undefined) return undefined;
  try {
    const { id } = JSON.parse(new TextDecoder().decode(bytes)) as { id?: unknown };
    return typeof id === 'string' && ID.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the id of a world, and gives it one the first time. */
export async function ensureWorldId(store: BlobStore): Promise<string> {
  const known = await readWorldId(store);
  if (known !== undefined) return known;
  await store.set(NAME, new TextEncoder().encode(JSON.stringify({ id: randomBytes(8).toString('hex') })));
  return (await readWorldId(store))!;
}
