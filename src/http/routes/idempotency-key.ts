import type { RouteContext } from './route.ts';
import { Open, PourId } from './schemas.ts';
import { validate } from './validate.ts';

export const IdempotencyHeader = Open({ 'Idempotency-Key': PourId });

/** The poster’s own name for what it asks, by which asking again is known; absent without one. */
export function idempotencyKey({ header }: RouteContext): string | undefined {
  const key = header('idempotency-key')?.trim();
  if (!key) return undefined;
  validate(IdempotencyHeader, { 'Idempotency-Key': key });
  return key;
}
