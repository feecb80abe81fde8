import { type ReadonlySignal, signal } from '@preact/signals';

const lost = signal(false);

/**
 * True when the daemon has been unreachable for more than two seconds. What the page shows may be old then, and no action
 * can reach the daemon.
 */
export const isConnectionLost: ReadonlySignal<boolean> = lost;

/** Sets whether the daemon is unreachable, as the live stream tells. */
export function setConnectionLost(isLost: boolean) {
  lost.value = isLost;
}
