/** Reads where S3-compatible storage is, and its credentials, from an address and the environment. */
import { readFileSync } from 'node:fs';
import { Failure } from '../../../failure.ts';
import { isOnThisMachine } from '../../address.ts';

/** `prefix` is empty, or ends with a slash. */
export type S3Place = {
  bucket: string;
  prefix: string;
  /** The origin of the server. Buckets are the first part of the path. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
};
type Environment = Readonly<Record<string, string | undefined>>;

const usageErrorStatus = 2;
const defaultRegion = 'us-east-1';
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const segmentPattern = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200}$/;
const regionPattern = /^[a-z0-9-]{1,40}$/;

/** Parses `s3://bucket/prefix`; null if it is not such an address. */
export function parseS3Address(text: string): { bucket: string; prefix: string } | null {
  if (!text.startsWith('s3://') || text.length > 1_000) return null;
  const [bucket = '', ...segments] = text.slice('s3://'.length).replace(/\/$/, '').split('/');
  if (!bucketPattern.test(bucket) || !segments.every((one) => segmentPattern.test(one))) return null;
  return { bucket, prefix: segments.map((one) => `${one}/`).join('') };
}

/**
 * Reads the usual variables of AWS: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_REGION or AWS_DEFAULT_REGION,
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; the last three also from files (…_FILE).
 * @throws Failure (wrong usage) if one is missing or not valid
 */
export function readS3Place(text: string, env: Environment): S3Place {
  const address = parseS3Address(text);
  if (address === null)
    throw new Failure('--objects is not a valid address s3://bucket/prefix.', usageErrorStatus);
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || defaultRegion;
  if (!regionPattern.test(region))
    throw new Failure('AWS_REGION must be the name of a region, such as eu-central-1.', usageErrorStatus);
  const accessKeyId = readSecret('AWS_ACCESS_KEY_ID', env);
  const secretAccessKey = readSecret('AWS_SECRET_ACCESS_KEY', env);
  if (accessKeyId === null || secretAccessKey === null)
    throw new Failure(
      'The storage needs credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name files with …_FILE.',
      usageErrorStatus,
    );
  const sessionToken = readSecret('AWS_SESSION_TOKEN', env);
  return {
    ...address,
    region,
    endpoint: readEndpoint(env, region),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === null ? {} : { sessionToken }),
  };
}

/** The server is the operator's own: it may have a private address, but needs TLS unless it is this machine. */
function readEndpoint(env: Environment, region: string): string {
  const name = env.AWS_ENDPOINT_URL_S3 ? 'AWS_ENDPOINT_URL_S3' : 'AWS_ENDPOINT_URL';
  const text = env[name] || `https://s3.${region}.amazonaws.com`;
  const fail = (message: string) => new Failure(`${name} ${message}`, usageErrorStatus);
  if (!URL.canParse(text)) throw fail('must be an address such as https://s3.example.org.');
  const { protocol, hostname, pathname, search, hash, username, origin } = new URL(text);
  if (!/^https?:$/.test(protocol) || pathname !== '/' || search !== '' || hash !== '' || username !== '')
    throw fail('must be an address without a path, such as https://s3.example.org.');
  if (protocol === 'http:' && !isOnThisMachine(hostname.replace(/^\[|\]$/g, '')))
    throw fail('must begin with https://. Plain http is possible on this machine alone.');
  return origin;
}

function readSecret(name: string, env: Environment): string | null {
  const path = env[`${name}_FILE`];
  const text = env[name] || (path ? readFile(`${name}_FILE`, path) : '');
  if (text === '') return null;
  if (!/^[\x21-\x7e]{1,4000}$/.test(text))
    throw new Failure(`${name} must be a text without spaces.`, usageErrorStatus);
  return text;
}

function readFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new Failure(`${name} names ${path}, which cannot be read (${code}).`, usageErrorStatus);
  }
}
