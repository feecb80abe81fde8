import type { Scheduler } from '../http/ports.ts';

/** Draining every 50 ms shows a tick on the page well within the 200 ms that people perceive as immediate. */
export const heartbeatMs = 50;

/** The periodic work of the daemon, by interval. */
interface ScheduledTasks {
  /** Every 50 ms: drain the pins. */
  everyHeartbeat(): void;
  /** Every second, each task on a timer of its own: checkpoint, clock, retries. */
  readonly everySecond: readonly (() => void)[];
  /** Every minute: drips and other slow maintenance. */
  everyMinute(): void;
  /** Every `intervalMs`: read the thermo sensors. */
  readonly sensors: { readonly intervalMs: number; poll(): Promise<void> };
}

/** Starts the daemon's timers, the only ones that drive counting. Returns a function that stops them. */
export function startScheduler(tasks: ScheduledTasks, onFault: (fault: unknown) => void): () => void {
  const guarded = (work: () => void) => () => {
    try {
      work();
    } catch (fault) {
      onFault(fault);
    }
  };
  const pollSensors = () => void tasks.sensors.poll().catch(onFault);
  const timers = [
    setInterval(guarded(tasks.everyHeartbeat), heartbeatMs),
    ...tasks.everySecond.map((work) => setInterval(guarded(work), 1_000)),
    setInterval(guarded(tasks.everyMinute), 60_000),
    setInterval(pollSensors, tasks.sensors.intervalMs),
  ];
  // Reading takes up to 0.75 s per sensor: the first round waits 1 s, until start-up is done.
  const first = setTimeout(pollSensors, 1_000);
  return () => {
    clearTimeout(first);
    for (const timer of timers) clearInterval(timer);
  };
}

/** Timers that do not keep the process alive. */
export const realScheduler: Scheduler = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};
