/**
 * Stores in a bucket of S3, or of a server with its interface, under a prefix. It needs the package `@aws-sdk/client-s3`, which is loaded
 * with the first request. A server replaces an object whole, so files are whole or absent.
 *
 * In: names and bytes. Out: bytes.
 * Based on: the interface of Amazon S3.
 */
import type * as Sdk from '@aws-sdk/client-s3';
import type { BlobStore } from 'navkiln/world';
import { InputError, OutputError, codeOf, isMissing, messageOf } from '../errors.ts';

const CALLER = 'createS3Store';
const NAME = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;
const DEFAULT_TIMEOUT_MS = 15_000;
const ATTEMPTS = 4;
/** Most names that a server lists at a time. */
const MOST_NAMES = 1000;

export interface S3StoreOptions {
  bucket: string;
  /** Folder of the store in the bucket, without `/` at its ends. Default: the bucket itself. */
  prefix?: string;
  /** Address of the server, https://…. Default: Amazon's, of the region. */
  endpoint?: string;
  /** Region. Default: that of the environment (`AWS_REGION`), else us-east-1. */
  region?: string;
  /** Credentials. Default: those that the SDK finds in environment variables, profiles and roles of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  /** Names that are listed at a time, 1 .. 1,000. Default 1,000. */
  pageSize?: number;
  /**
   * Milliseconds after which a request without an answer is retried, and an answer without an end fails; 1 or more.
   * Default 15,000.
   */
  timeoutMs?: number;
}

/**
 * Returns a store in a bucket of S3. Its methods reject with an InputError that names the bucket and the remedy when
 * the bucket does not exist, or when the server does not answer or refuses the credentials. They reject with an
 * OutputError when the server fails.
 *
 * @throws TypeError, RangeError for invalid options
 */
export function createS3Store(options: S3StoreOptions): BlobStore {
  checkOptions(options);
  const { bucket, prefix = '', endpoint, pageSize = MOST_NAMES, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const place = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}${endpoint === undefined ? '' : ` at ${hostOf(endpoint)}`}`;
  const start = prefix === '' ? '' : `${prefix}/`;
  const keyOf = (name: string): string => {
    if (NAME.test(name)) return start + name;
    throw new RangeError(
      `${CALLER}: name is "${name}"; must be parts of letters, digits, "-", "_" and "." with "/" between them`,
    );
  };
  let loading: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;
  const request = async <T>(act: (sdk: typeof Sdk, client: Sdk.S3Client) => Promise<T>): Promise<T> => {
    loading ??= connect(options);
    const { sdk, client } = await loading;
    try {
      return await act(sdk, client);
    } catch (error) {
      throw explain(place, error, timeoutMs);
    }
  };
  return {
    get: async (name, signal, maxBytes = Infinity) => {
      const Key = keyOf(name);
      return request(async ({ GetObjectCommand }, client) => {
        const send = signal === undefined ? {} : { abortSignal: signal };
        try {
          const { Body, ContentLength = 0 } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }), send);
          if (ContentLength > maxBytes)
            throw new Error(`${name} has ${ContentLength} bytes, more than the ${maxBytes} that the manifest says`);
          return await inTime(Body!.transformToByteArray(), timeoutMs);
        } catch (error) {
          signal?.throwIfAborted();
          if (nameOf(error) === 'NoSuchKey' || nameOf(error) === 'NotFound') return undefined;
          throw error;
        }
      });
    },
    set: async (name, bytes) => {
      const Key = keyOf(name);
      await request(({ PutObjectCommand }, client) =>
        client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: bytes })),
      );
    },
    delete: async (name) => {
      const Key = keyOf(name);
      await request(({ DeleteObjectCommand }, client) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key })));
    },
    keys: () =>
      request(async ({ ListObjectsV2Command }, client) => {
        const names: string[] = [];
        let token: string | undefined;
        do {
          const list = new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: start,
            MaxKeys: pageSize,
            ContinuationToken: token,
          });
          const { Contents = [], NextContinuationToken } = await client.send(list);
          for (const { Key = '' } of Contents)
            if (NAME.test(Key.slice(start.length))) names.push(Key.slice(start.length));
          token = NextContinuationToken;
        } while (token !== undefined);
        return names;
      }),
  };
}

const KEYS = ['bucket', 'prefix', 'endpoint', 'region', 'credentials', 'pageSize', 'timeoutMs'];

function checkOptions(options: S3StoreOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${CALLER}: options are ${String(options)}; must be { bucket, … }`);
  for (const key of Object.keys(options)) {
    if (!KEYS.includes(key))
      throw new RangeError(`${CALLER}: options.${key} is unknown; must be one of ${KEYS.join(', ')}`);
  }
  const { bucket, prefix = '', endpoint, pageSize = MOST_NAMES, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  // Messages do not repeat values that could be a secret in the wrong field.
  if (typeof bucket !== 'string' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new RangeError(
      `${CALLER}: options.bucket is not a name of a bucket; must be 3 to 63 lowercase letters, digits, "-" and "."`,
    );
  if (prefix !== '' && !(typeof prefix === 'string' && NAME.test(prefix)))
    throw new RangeError(
      `${CALLER}: options.prefix is "${String(prefix)}"; must be parts of letters, digits, "-", "_" and "." with "/" between them`,
    );
  if (endpoint !== undefined && hostOf(endpoint) === '')
    throw new RangeError(`${CALLER}: options.endpoint is not an address; must begin with https:// or http://`);
  if (!(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= MOST_NAMES))
    throw new RangeError(
      `${CALLER}: options.pageSize is ${String(pageSize)}; must be a whole number 1 .. ${MOST_NAMES}`,
    );
  if (!(Number.isFinite(timeoutMs) && timeoutMs >= 1))
    throw new RangeError(`${CALLER}: options.timeoutMs is ${String(timeoutMs)}; must be 1 or more`);
}

/** Rejects with a TimeoutError when a body that has begun does not end: the SDK waits for its first bytes only. */
async function inTime<T>(body: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('the answer has no end'), { name: 'TimeoutError' });
    timer = setTimeout(() => reject(error), ATTEMPTS * timeoutMs);
  });
  try {
    return await Promise.race([body, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns host and port of an address; '' if it is none. */
function hostOf(address: string): string {
  try {
    const { protocol, host } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? host : '';
  } catch {
    return '';
  }
}

async function connect({
  endpoint,
  region,
  credentials,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: S3StoreOptions): Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> {
  let sdk: typeof Sdk;
  try {
    sdk = await import('@aws-sdk/client-s3');
  } catch (error) {
    if (!isMissing(error, '@aws-sdk/client-s3')) throw error;
    throw new InputError(
      'a world in S3 needs the package @aws-sdk/client-s3; install it: npm install @aws-sdk/client-s3',
      { cause: error },
    );
  }
  const client = new sdk.S3Client({
    region: region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
    maxAttempts: ATTEMPTS,
    requestHandler: { requestTimeout: timeoutMs, connectionTimeout: timeoutMs, throwOnRequestTimeout: true },
    // Files have their own checksums, and servers other than Amazon's refuse those of the SDK.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(credentials === undefined ? {} : { credentials }),
    // Private servers rarely have a host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  return { sdk, client };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/**
 * Returns an error that explains a failed request and names the place of the world. Aborted requests reject with
 * their reason.
 */
function explain(place: string, error: unknown, timeoutMs: number): unknown {
  const name = nameOf(error);
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const code = codeOf(error);
  const blame = (what: string): InputError => new InputError(`${place}: ${what}`, { cause: error });
  if (name === 'AbortError') return error;
  if (name === 'NoSuchBucket') return blame('there is no such bucket; create it, or check the name');
  if (name === 'CredentialsProviderError')
    return blame('no credentials found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile');
  if (status === 401 || status === 403)
    return blame(
      `the server refuses the credentials, or their rights (${name}); check them, and that they may list, read, write and delete`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return blame('there is no such host; check the endpoint and the region');
  if (code === 'ECONNREFUSED')
    return blame('no server listens there; start it, or check host and port of the endpoint');
  if (name === 'TimeoutError')
    return blame(`no answer within ${timeoutMs / 1000} seconds, ${ATTEMPTS} times; check the server and the network`);
  if (status === 301 || name === 'PermanentRedirect') return blame('the bucket is in another region; set AWS_REGION');
  return new OutputError(
    `${place}: the server failed${status === undefined ? '' : ` with status ${status}`} (${name}: ${messageOf(error)})`,
    {
      cause: error,
    },
  );
}
