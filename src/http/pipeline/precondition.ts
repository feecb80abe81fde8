import { AppError } from '../../core/app-error.ts';
import type { JsonAnswer } from '../routes/route.ts';
import { entityTag, namesBody, parseCondition } from '../server/entity-tags.ts';
import { requireAccess } from './authorize.ts';
import type { IdentifiedRequest, ValidatedRequest } from './context.ts';
import { findCaller } from './identify.ts';
import { findRead } from './match-route.ts';
import { printAnswer } from './reply.ts';
import { validateInput } from './validate-input.ts';

/** Runs the handler of a read. */
type RunRead = (read: ValidatedRequest, answer: JsonAnswer) => unknown;

/**
 * Checks `If-Match` of a write: what the caller would read now must be what it has read. Throws `precondition_failed`,
 * `invalid_request` for a malformed header or an address without such a read, and the errors of the read.
 */
export function requireUnchanged(validated: ValidatedRequest, runRead: RunRead): void {
  const header = validated.request.headers['if-match'];
  if (header === undefined || !validated.writes || validated.api.entityTags !== true) return;
  const condition = parseCondition(header);
  if (condition === null)
    throw headerError(
      'must be * or the ETag of an answer with its quotes, or several with commas between them',
    );
  if (!namesBody(condition, currentTag(validated, runRead))) {
    throw new AppError(
      'precondition_failed',
      'This has changed since you read it, or If-Match is not a strong ETag of it. Nothing was written. Read it again without parameters in the query, check your change, and send it with the new ETag in If-Match.',
      { reason: { name: 'changed_since_read' } },
    );
  }
}

/** Returns the tag of what the caller would read now, without parameters in the query. */
function currentTag(validated: ValidatedRequest, runRead: RunRead): string {
  const found = findRead(validated);
  if (found?.route.answer.kind !== 'json')
    throw headerError('cannot be used here, since this address and the one above have no ETag');
  const { answer } = found.route;
  const unidentified = { ...validated, ...found, query: {}, body: { fields: {}, areTexts: false } };
  // A PIN may allow the write only: the caller then reads as the tablet.
  const identified: IdentifiedRequest = {
    ...unidentified,
    caller: findCaller(unidentified, validated.credentials),
  };
  requireAccess(identified);
  const read = validateInput(identified);
  return entityTag(printAnswer(read, answer, runRead(read, answer)));
}

const headerError = (allowed: string): AppError =>
  new AppError('invalid_request', `If-Match ${allowed}.`, { fields: { 'If-Match': allowed } });
