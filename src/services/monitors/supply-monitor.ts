import { SupplyVoltage } from '../../core/alarms/supply-voltage.ts';
import type { Clock } from '../../core/clock/moment.ts';
import { openSupplySensor } from '../../system/health/power-health.ts';

/** The kernel's driver reads the firmware every 2 s, and a drop is shown until its next reading, milliseconds. */
export const supplyPollMs = 2_000;

/** Watches the supply voltage; null where the kernel does not show it. */
export type SupplyMonitor = ReturnType<typeof createSupplyMonitor>;

export function createSupplyMonitor({
  clock,
  sysDirectory,
}: {
  readonly clock: Clock;
  /** `/sys` except in tests. */
  readonly sysDirectory?: string;
}) {
  const readIsLow = openSupplySensor(sysDirectory);
  const voltage = new SupplyVoltage();
  return {
    /** Called every 2 s. */
    poll(): void {
      const isLow = readIsLow();
      if (isLow !== null) voltage.add(isLow, clock.now().monoMs);
    },
    voltage,
  };
}
