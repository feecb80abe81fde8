/**
 * The parts in the order in which they stop. The valves are the first part after the timers: without timers their limits
 * are not checked, and a backup may take long to end.
 */
const stopOrder = [
  'scheduler',
  'valves',
  'counting',
  'backups',
  'outbox',
  'extensions',
  'update check',
  'thermo',
  'maintenance',
  'database',
] as const;

export type Shutdown = ReturnType<typeof createShutdown>;

/** Stops the parts that were started, also when the start failed halfway. */
export function createShutdown() {
  const stops = new Map<string, () => void | Promise<void>>();
  return {
    /** Registers how to stop a part; call it when the part has started. */
    add(part: (typeof stopOrder)[number], stop: () => void | Promise<void>): void {
      stops.set(part, stop);
    },
    /** Stops the registered parts one after the other. */
    async stop(): Promise<void> {
      for (const part of stopOrder) await stops.get(part)?.();
    },
  };
}
