import type { Measurements } from '../../../core/measurements.ts';
import type { MachineState } from '../../../services/machine-state.ts';
import type { StartContext } from '../../extension.ts';
import type { MetricsService } from '../http/metrics-service.ts';
import { readBar } from './bar-gauges.ts';
import { createDelayMeter } from './event-loop-delay.ts';
import { countRequest } from './http-metrics.ts';
import { createMachineGauges } from './machine-gauges.ts';
import { readMeters } from './meter-gauges.ts';
import { createMetricValues, type MetricValues } from './metric-values.ts';
import { countPours } from './pour-metrics.ts';

/** Counts for `/metrics`. Pours add to counters in memory; everything else is read at a scrape. */
export type Metrics = ReturnType<typeof startMetrics>;

/** Starts counting. What prints the metrics is loaded by `createService`, so that the pins do not wait for it. */
export function startMetrics({
  config,
  bus,
  engine,
  measuring,
}: Pick<StartContext<unknown>, 'bus' | 'engine' | 'measuring'> & {
  readonly config: Pick<StartContext<unknown>['config'], 'database'>;
}) {
  const values = createMetricValues();
  const readMachine = createMachineGauges({ values, database: config.database });
  const stopCounting = countPours({
    bus,
    values,
    findTap: (meter) => engine()?.taps.find(meter)?.tap.id ?? null,
  });
  const stopMeasuring = measuring.begin(addMeasurements(values));

  function read(machine: MachineState): void {
    readMachine();
    readMeters(machine, values);
    values.set('tapster_waiting_pours', {}, machine.waitingPours());
    values.set('tapster_journal_written_bytes_total', {}, machine.journalBytes());
    values.set('tapster_clock_synchronized', {}, machine.now().synced ? 1 : 0);
    values.clear('tapster_mqtt_connected');
    const isConnected = machine.connections().get('mqtt');
    if (isConnected !== undefined) values.set('tapster_mqtt_connected', {}, isConnected ? 1 : 0);
    const backupMs = machine.newestBackupMs();
    if (backupMs !== null) values.set('tapster_backup_last_success_timestamp_seconds', {}, backupMs / 1_000);
    for (const { name, problems } of machine.healthParts())
      values.set('tapster_health', { part: name }, problems.length === 0 ? 1 : 0);
    readBar(machine.engine(), machine, values);
  }

  return {
    /** Loads what prints the metrics. */
    async createService(machine: MachineState): Promise<MetricsService> {
      const { createMetricFormats } = await import('./metric-formats.ts');
      const { createScraper } = await import('./scraper.ts');
      const formats = createMetricFormats(values);
      return createScraper({ ...formats, read: () => read(machine), nowMs: () => performance.now() });
    },
    close(): void {
      stopMeasuring();
      stopCounting();
    },
  };
}

/** Adds what the base tells of its work to the values. */
export function addMeasurements(values: MetricValues): Measurements {
  return {
    committed: (kind, seconds) => values.observe('tapster_commit_duration_seconds', { kind }, seconds),
    journalWritten: (seconds) => values.observe('tapster_journal_write_duration_seconds', {}, seconds),
    sent: (channel, result) => values.increment('tapster_outbox_sends_total', { channel, result }),
    answered: (request, seconds) => countRequest(request, seconds, values),
    heartbeat: createDelayMeter(values),
  };
}
