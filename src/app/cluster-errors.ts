/** Converts errors of PostgreSQL and of the folder of a node to failures with a message for the operator. */
import Database from 'better-sqlite3';
import { isServerAway } from '../cluster/connection.ts';
import { Problem } from '../contract/errors.ts';
import { Failure } from '../failure.ts';
import { JobFailure } from '../thread-jobs.ts';
import { awayCode } from './cluster-away.ts';

const certificateAdvice = 'Name the certificate of its authority with --cluster-ca.';
/** What to do about an error of PostgreSQL or of the connection to it, by its code. */
const advice: Record<string, string> = {
  '28P01': 'Correct user and password in the address.',
  '28000': 'Allow this user and machine in pg_hba.conf, or correct the user in the address.',
  '3D000': 'Create the database, or correct its name in the address.',
  '42501': 'Give the role the rights of docs/guides/several-machines.md.',
  '53300': 'Raise max_connections of PostgreSQL.',
  SELF_SIGNED_CERT_IN_CHAIN: certificateAdvice,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificateAdvice,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificateAdvice,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Name the certificate with --cluster-ca.',
  CERT_HAS_EXPIRED: 'Renew the certificate of PostgreSQL.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use the name that the certificate has.',
};
const noTls = /does not support SSL connections/;
const noTlsAdvice =
  'Set ssl = on in postgresql.conf, with a certificate; on the machine of PostgreSQL, use its socket instead: postgres://user@/database?host=/run/postgresql.';
const defaultAdvice = 'Check that PostgreSQL runs and that the address is right.';

/** What to do about an error of a file or folder, by its code. */
const fileAdvice: Record<string, string> = {
  EACCES: 'Give the user of the service the right to read and write there.',
  EPERM: 'Give the user of the service the right to read and write there.',
  EROFS: 'Name a folder that can be written with --data.',
  ENOSPC: 'Make room on the disk.',
  EDQUOT: 'Make room on the disk, or raise the quota of the user.',
  SQLITE_FULL: 'Make room on the disk.',
  ENOTDIR: 'Name a folder with --data.',
  EEXIST: 'Name a folder with --data.',
  EMFILE: 'Raise the limit of open files (LimitNOFILE of systemd).',
  ENFILE: 'Raise the limit of open files of the system.',
};
const defaultFileAdvice = 'Check the folder that --data names, and its disk.';

/** Calls of the system that reach PostgreSQL, not a file. */
const networkCalls = ['connect', 'getaddrinfo', 'read', 'write'];

/** Describes an error of the cluster. Mistakes of the program are returned as they are. */
export function describeClusterError(failure: unknown): unknown {
  if (failure instanceof Failure || failure instanceof TypeError || failure instanceof RangeError)
    return failure;
  const cause = failure instanceof Problem ? (failure.cause ?? failure) : failure;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const what = (
    typeof message === 'string' && message !== '' ? message : String(code ?? 'no answer')
  ).replace(/\.$/, '');
  const fileCode = fileCodeOf(cause);
  if (fileCode !== null)
    return new Failure(
      `The folder of the node cannot be used: ${what}. ${fileAdvice[fileCode] ?? defaultFileAdvice}`,
    );
  const next = advice[String(code)] ?? (noTls.test(what) ? noTlsAdvice : defaultAdvice);
  const details = isServerAway(failure) ? { code: awayCode } : {};
  return new Failure(`The cluster cannot be used: ${what}. ${next}`, 1, details);
}

/** The code of an error of a file; null: it is another error. */
function fileCodeOf(failure: unknown): string | null {
  if (failure instanceof Database.SqliteError) return failure.code;
  if (failure instanceof JobFailure)
    return /\b(ENOSPC|EDQUOT|EACCES|EROFS|EIO)\b/.exec(failure.message)?.[1] ?? '';
  const { code, syscall, path } = failure as { code?: unknown; syscall?: unknown; path?: unknown };
  if (typeof code !== 'string' || typeof syscall !== 'string') return null;
  // A socket has a path as well, and a full disk names no file.
  const isFile =
    path !== undefined || /^(ENOSPC|EDQUOT|EROFS)$/.test(code) || !networkCalls.includes(syscall);
  return isFile && syscall !== 'connect' ? code : null;
}
