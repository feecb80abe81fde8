/** Draining every 50 ms puts a tick on the page well within the 200 ms that feel immediate. */
const heartbeatMs = 50;

/** The parts of the daemon that are driven by time, each told when it is its turn. */
export interface ScheduledTasks {
  /** Every 50 ms: drain the pins. */
  everyHeartbeat(): void;
  /** Every second, each on its own: checkpoint, clock, retries. */
  readonly everySecond: readonly (() => void)[];
  /** Every minute: drips and other slow bookkeeping. */
  everyMinute(): void;
  /** Every `intervalMs`: ask the thermometers. */
  readonly sensors: { readonly intervalMs: number; poll(): Promise<void> };
}

/** Starts the daemon's timers, the only ones that drive counting. Returns the way to stop them. */
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
  // A probe takes up to 0.75 s each: the first round waits until the house is open.
  const first = setTimeout(pollSensors, 1_000);
  return () => {
    clearTimeout(first);
    for (const timer of timers) clearInterval(timer);
  };
}
