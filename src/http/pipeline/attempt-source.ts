import type { AttemptSource } from '../routes/note-login.ts';
import type { ReadRequest } from './context.ts';

/** Where the request comes from, for what is noted about logins and attempts. */
export const attemptSource = ({ engine, log, now, request }: ReadRequest): AttemptSource => ({
  engine,
  log,
  now,
  address: request.ip ?? '',
});
