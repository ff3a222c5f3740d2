/** Parses requests of the change feed (docs/spec/changes.md#request). */
import { Problem } from '../contract/errors.ts';
import type { ChangedRecords } from '../store/mirror/changed-records.ts';
import { MirrorError } from './mirror-error.ts';

export type ChangeRequest = { since: number; limit: number; epoch: string | null };

/**
 * Records in a response, the records that count as one request, and how many are counted at most: a response has all
 * records of its last revision, which an import may have written in great number.
 */
export const changeLimits = { default: 1_000, maximum: 10_000, perRequest: 1_000, counted: 20_000 } as const;

/** @throws Problem `invalid_parameter` */
export function parseChangeRequest(parameters: URLSearchParams): ChangeRequest {
  const since = parseWhole(parameters.get('since') ?? '');
  if (since === null) {
    throw new Problem(
      'invalid_parameter',
      'since is the revision of the catalogue that you have: a whole number, such as 1200. Begin with the revision of an export, or with 0.',
      'since',
    );
  }
  const limit = parameters.has('limit') ? parseWhole(parameters.get('limit') ?? '') : changeLimits.default;
  if (limit === null || limit < 1 || limit > changeLimits.maximum) {
    throw new Problem('invalid_parameter', `limit is from 1 to ${changeLimits.maximum}.`, 'limit');
  }
  const epoch = parameters.get('epoch');
  if (epoch !== null && !/^[0-9a-f]{16}$/.test(epoch)) {
    throw new Problem(
      'invalid_parameter',
      'epoch is the text of 16 characters from the last line of a response, or from the manifest of an export.',
      'epoch',
    );
  }
  return { since, limit, epoch };
}

const parseWhole = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/**
 * Checks that the changes since a revision are known.
 * @throws MirrorError `gone` if the client must start again
 */
export function checkHistory(
  { since, epoch }: ChangeRequest,
  present: { revision: number; epoch: string },
  { completeFrom }: ChangedRecords,
): void {
  if (epoch !== null && epoch !== present.epoch) {
    throw new MirrorError(
      'gone',
      `This catalogue has another epoch (${present.epoch}): its data file was replaced, or its documents have other members. ${beginAnew}`,
      'epoch',
    );
  }
  if (since > present.revision) {
    throw new MirrorError(
      'gone',
      `This catalogue is at revision ${present.revision}, which is before ${since}: its data file was replaced. ${beginAnew}`,
      'since',
    );
  }
  if (since > 0 && since < completeFrom) {
    throw new MirrorError(
      'gone',
      `The changes since revision ${since} are not known completely; those since ${completeFrom} are. ${beginAnew}`,
      'since',
    );
  }
}

const beginAnew =
  'Start again: take /exports/catalogue.ndjson.gz, or all records with since=0, and drop the records that it lacks.';
