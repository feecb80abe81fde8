import { type ReadonlySignal, signal } from '@preact/signals';

const requested = signal(false);
let waiting: ((isConfirmed: boolean) => void)[] = [];

/** True while a request waits for the user's password. */
export const isPasswordRequested: ReadonlySignal<boolean> = requested;

/** Opens the password dialog. Resolves to false when it is cancelled. */
export function requestPassword(): Promise<boolean> {
  requested.value = true;
  return new Promise((resolve) => waiting.push(resolve));
}

/** Closes the password dialog and resolves all waiting requests: true after the password was accepted. */
export function resolvePassword(isConfirmed: boolean) {
  requested.value = false;
  const resolvers = waiting;
  waiting = [];
  for (const resolve of resolvers) resolve(isConfirmed);
}
