import type { RouteContext } from './route.ts';
import { Open, PourId } from './schemas.ts';
import { validate } from './validate.ts';

export const IdempotencyHeader = Open({ 'Idempotency-Key': PourId });

/** Returns the client's name for its request, by which a repetition is detected; undefined without one. */
export function idempotencyKey({ header }: RouteContext): string | undefined {
  const key = header('idempotency-key')?.trim();
  if (!key) return undefined;
  validate(IdempotencyHeader, { 'Idempotency-Key': key });
  return key;
}
