import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Engine, LoginLine, LoginOutcome, ProvenBy } from '../../engine/engine.ts';
import type { Log } from '../ports.ts';

/** Where an attempt comes from, and where it is written. */
export interface AttemptSource {
  readonly engine: Engine;
  readonly log: Log;
  readonly now: Moment;
  readonly address: string;
}

interface Attempt {
  readonly outcome: LoginOutcome;
  readonly method: ProvenBy;
  /** As typed: written only as the name of the account that has it. */
  readonly username?: string | undefined;
  readonly tablet?: string;
}

/** Notes a login, or an attempt that failed or was refused, in audit log and log. */
export function noteLogin({ engine, log, now, address }: AttemptSource, attempt: Attempt): void {
  const { username, ...event } = attempt;
  // An IPv4 address as itself, also where the system gives it as IPv6.
  const shown = address.replace(/^::ffff:(?=\d+\.)/, '').slice(0, 64);
  const userId = username === undefined ? null : (engine.users.user(username)?.id ?? null);
  const network = ipKeyGenerator(shown, 64);
  for (const line of engine.users.loginLog.record({ ...event, userId, address: shown, network }, now))
    logLogin(log, line);
}

/** Writes one line about logins or attempts to the daemon's log. */
export function logLogin(log: Log, { outcome, address, user, methods, counts }: LoginLine): void {
  const details = { address, user, method: methods.join(', '), ...counts };
  if (outcome === 'succeeded') log.info(details, 'login');
  else if (outcome === 'failed') log.warn(details, 'login failed');
  else log.warn(details, 'login refused: too many wrong attempts');
}

/** Runs a check and notes when it fails or is refused. `isWrong` tells an error that says the proof was wrong. */
export async function notingFailure<T>(
  source: AttemptSource,
  attempt: Omit<Attempt, 'outcome'>,
  check: () => T | Promise<T>,
  isWrong: (fault: AppError) => boolean = () => false,
): Promise<T> {
  try {
    return await check();
  } catch (fault) {
    if (fault instanceof AppError && fault.code === 'too_many')
      noteLogin(source, { ...attempt, outcome: 'locked' });
    else if (fault instanceof AppError && isWrong(fault))
      noteLogin(source, { ...attempt, outcome: 'failed' });
    throw fault;
  }
}
