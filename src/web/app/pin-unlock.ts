import { type ReadonlySignal, signal } from '@preact/signals';

/** Short permission to act on this shared tablet, given by a PIN. */
interface PinUnlock {
  /** Token that is sent with each request. It is held in memory only. */
  readonly token: string;
  readonly displayName: string;
  /** Number of wrong PINs typed for this name before the right one. */
  readonly wrongBefore: number;
  /** End, milliseconds of the monotonic clock `performance.now()`. */
  readonly untilMs: number;
}

const current = signal<PinUnlock | null>(null);
const requested = signal(false);
let waiting: ((isUnlocked: boolean) => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** The present PIN unlock; null without one. */
export const pinUnlock: ReadonlySignal<PinUnlock | null> = current;

/** True while a request waits for a PIN. */
export const isPinRequested: ReadonlySignal<boolean> = requested;

/** Opens the PIN dialog. Resolves to false when it is cancelled. */
export function requestPin(): Promise<boolean> {
  endPinUnlock();
  requested.value = true;
  return new Promise((resolve) => waiting.push(resolve));
}

/** Starts a PIN unlock for `seconds` and resolves all waiting requests. */
export function startPinUnlock(unlock: Omit<PinUnlock, 'untilMs'>, seconds: number) {
  const durationMs = seconds * 1_000;
  current.value = { ...unlock, untilMs: performance.now() + durationMs };
  clearTimeout(timer);
  timer = setTimeout(endPinUnlock, durationMs);
  resolveRequests(true);
}

/** Cancels the PIN dialog. */
export const cancelPin = () => resolveRequests(false);

/** Ends the PIN unlock. */
export function endPinUnlock() {
  clearTimeout(timer);
  current.value = null;
}

function resolveRequests(isUnlocked: boolean) {
  requested.value = false;
  const resolvers = waiting;
  waiting = [];
  for (const resolve of resolvers) resolve(isUnlocked);
}
