import { type ReadonlySignal, signal } from '@preact/signals';

/** Somebody who has typed their PIN on this shared tablet, and may act on it for a moment. */
export interface PinUnlock {
  /** What the daemon knows them by meanwhile; it never leaves this page's memory. */
  readonly token: string;
  readonly displayName: string;
  /** Wrong PINs somebody typed for that name before the right one. */
  readonly wrongBefore: number;
  /** By the browser's clock that never steps, milliseconds. */
  readonly untilMs: number;
}

const current = signal<PinUnlock | null>(null);
const requested = signal(false);
let waiting: ((isUnlocked: boolean) => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Who acts on this tablet for the moment. */
export const pinUnlock: ReadonlySignal<PinUnlock | null> = current;

/** True while something waits for a name and a PIN. */
export const isPinRequested: ReadonlySignal<boolean> = requested;

/** Asks who stands before the tablet; false when they would rather not say. */
export function requestPin(): Promise<boolean> {
  endPinUnlock();
  requested.value = true;
  return new Promise((resolve) => waiting.push(resolve));
}

/** They have said it, for so many seconds. */
export function startPinUnlock(unlock: Omit<PinUnlock, 'untilMs'>, seconds: number) {
  const durationMs = seconds * 1_000;
  current.value = { ...unlock, untilMs: performance.now() + durationMs };
  clearTimeout(timer);
  timer = setTimeout(endPinUnlock, durationMs);
  resolveRequests(true);
}

/** They would rather not. */
export const cancelPin = () => resolveRequests(false);

/** They go, or their time is over. */
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
