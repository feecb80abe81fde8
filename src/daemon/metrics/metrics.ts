import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MetricsService } from '../../http/ports.ts';
import type { Transport } from '../../outbox/transport.ts';
import type { DatabaseLifecycle } from '../../services/database/database-lifecycle.ts';
import type { PourJournal } from '../../store/journal/pour-journal.ts';
import type { Store } from '../../store/store.ts';
import type { BaseServices } from '../base-services.ts';
import { type BarSource, readBar } from './bar-gauges.ts';
import { createDelayMeter } from './event-loop-delay.ts';
import { measureRequest } from './http-metrics.ts';
import { createMachineGauges } from './machine-gauges.ts';
import { measureCommits, measureJournal } from './measured-writes.ts';
import { type MeterSource, readMeters } from './meter-gauges.ts';
import { createMetricValues } from './metric-values.ts';
import { countPours } from './pour-metrics.ts';

/** Counts for `/metrics`. Pours add to counters in memory; everything else is read at a scrape. */
export type Metrics = ReturnType<typeof createMetrics>;

/** What is read at a scrape. */
interface ScrapeSources extends MeterSource, BarSource {
  /** Time of the newest nightly backup, Unix milliseconds; null if none is known. */
  newestBackupMs(): number | null;
  /** Number of ended pours that the database has not taken yet. */
  waitingPours(): number;
  /** Bytes written to the pour journal. */
  journalBytes(): number;
  /** Null while MQTT is off. */
  isMqttConnected(): boolean | null;
}

/** Creates the metrics. It must be called before the database is opened and counting starts. */
export function createMetrics({ config, bus, health }: Pick<BaseServices, 'config' | 'bus' | 'health'>) {
  const values = createMetricValues();
  const readMachine = createMachineGauges({ values, database: config.database });
  let engine: DatabaseLifecycle['engine'] = () => null;
  countPours({ bus, values, findTap: (meter) => engine()?.taps.find(meter)?.tap.id ?? null });

  function read(sources: ScrapeSources): void {
    readMachine();
    readMeters(sources, values);
    values.set('tapster_waiting_pours', {}, sources.waitingPours());
    values.set('tapster_journal_written_bytes_total', {}, sources.journalBytes());
    values.set('tapster_clock_synchronized', {}, sources.now().synced ? 1 : 0);
    values.clear('tapster_mqtt_connected');
    const isConnected = sources.isMqttConnected();
    if (isConnected !== null) values.set('tapster_mqtt_connected', {}, isConnected ? 1 : 0);
    const backupMs = sources.newestBackupMs();
    if (backupMs !== null) values.set('tapster_backup_last_success_timestamp_seconds', {}, backupMs / 1_000);
    for (const { name, problems } of health.report().parts)
      values.set('tapster_health', { part: name }, problems.length === 0 ? 1 : 0);
    readBar(engine(), sources, values);
  }

  return {
    measureCommits: (store: Store): Store => measureCommits(store, values),
    measureJournal: (journal: PourJournal): PourJournal => measureJournal(journal, values),
    measureRequest: (request: IncomingMessage, response: ServerResponse): void =>
      measureRequest(request, response, values),
    /** Called at each heartbeat. */
    everyHeartbeat: createDelayMeter(values),
    /** Counts the attempts of a transport. */
    countSends: (transport: Transport): Transport => ({
      ...transport,
      async send(message, signal) {
        const outcome = await transport.send(message, signal);
        values.increment('tapster_outbox_sends_total', { channel: transport.kind, result: outcome.kind });
        return outcome;
      },
    }),
    /** Connects the database, which is opened with `measureCommits`. */
    connect(database: Pick<DatabaseLifecycle, 'engine'>): void {
      engine = database.engine;
    },
    /** Loads what prints metrics, late so that counting does not wait for it. */
    async createService(sources: ScrapeSources): Promise<MetricsService> {
      const { createMetricFormats } = await import('./metric-formats.ts');
      const { createScraper } = await import('./scraper.ts');
      const formats = createMetricFormats(values);
      return createScraper({ ...formats, read: () => read(sources), nowMs: () => performance.now() });
    },
  };
}
