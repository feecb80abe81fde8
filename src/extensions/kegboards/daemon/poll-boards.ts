import type { BackgroundService, StartContext } from '../../extension.ts';
import type { Kegboards } from '../engine/kegboards.ts';

const intervalMs = 1_000;

/** Ends the shown pours of boards that have fallen silent. */
export function pollBoards({ clock, scheduler, services }: StartContext<Kegboards>): BackgroundService {
  return { close: scheduler.every(intervalMs, () => services()?.poll(clock.now())) };
}
