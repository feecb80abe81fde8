import type { Config } from '../config/schema.ts';
import type { Clock } from '../core/clock/moment.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Engine } from '../engine/engine.ts';
import { realScheduler } from '../http/ports.ts';
import { createMailTester } from '../outbox/mail-tester.ts';
import { createMailTransport } from '../outbox/mail-transport.ts';
import { createWebhookTester } from '../outbox/webhook-tester.ts';
import { createWebhookTransport } from '../outbox/webhook-transport.ts';
import { startOutboxWorker } from '../outbox/worker.ts';
import { randomIds } from '../system/ids.ts';
import type { Logger } from '../system/log.ts';
import { AlarmMonitor, type AlarmMonitorOptions } from './monitors/alarm-monitor.ts';
import type { HealthReporters } from './monitors/health-reporters.ts';
import { createMachineMonitor } from './monitors/machine-monitor.ts';

const minuteMs = 60_000;

export interface OutboxServiceOptions extends Pick<AlarmMonitorOptions, 'latestTemperatures' | 'health'> {
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  /** The engine; throws `unavailable` while there is none. */
  readonly requireEngine: () => Engine;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly reporters: HealthReporters;
  readonly log: Logger;
  readonly config: Pick<Config, 'database' | 'webhooks'>;
}

/** Delivers mail and webhooks, and monitors the machine and the alarm conditions. */
export interface OutboxService {
  /** Sends a test mail and waits for the result. */
  readonly mailTester: ReturnType<typeof createMailTester>;
  /** Calls a webhook as a test and waits for the result. */
  readonly webhookTester: ReturnType<typeof createWebhookTester>;
  /** Stops within `withinMs`; unfinished deliveries are due again at the next start. */
  close(withinMs: number): Promise<void>;
}

/** Starts the outbox worker; a transport's library is loaded with its first message. */
export function startOutboxService(options: OutboxServiceOptions): OutboxService {
  const { engine, requireEngine, bus, clock, reporters, log, config } = options;
  const allowsLocal = config.webhooks.allow_local;
  const reporterByKind = { mail: reporters('mail'), webhook: reporters('webhooks') };
  const worker = startOutboxWorker({
    outbox: () => engine()?.outbox ?? null,
    transports: [
      createMailTransport({ engine: requireEngine }),
      createWebhookTransport({ engine: requireEngine, clock, allowsLocal }),
    ],
    bus,
    clock,
    scheduler: realScheduler,
    log,
    reportProblem: (kind) => (kind === 'mail' ? reporterByKind.mail : reporterByKind.webhook),
  });
  const machineMonitor = createMachineMonitor({
    database: config.database,
    reportPower: reporters('power'),
    reportDisk: reporters('disk'),
  });
  const alarms = new AlarmMonitor(options);
  const stopPolling = [machineMonitor.poll, () => alarms.poll()].map((poll) =>
    realScheduler.every(minuteMs, () => {
      try {
        poll();
      } catch (err) {
        log.warn({ err }, 'machine or alarm conditions could not be checked; trying again in a minute');
      }
    }),
  );
  const mailTester = createMailTester({ engine: requireEngine, ids: randomIds });
  const webhookTester = createWebhookTester({ engine: requireEngine, clock, ids: randomIds, allowsLocal });
  return {
    mailTester: {
      async sendTest(mail) {
        await mailTester.sendTest(mail);
        // The mail server works: deliver the waiting mails now.
        worker.retryNow('mail');
      },
    },
    webhookTester: {
      async sendTest(id) {
        await webhookTester.sendTest(id);
        // The receiver answers: deliver the waiting calls now.
        worker.retryNow('webhook');
      },
    },
    close(withinMs) {
      for (const stop of stopPolling) stop();
      return worker.stop(withinMs);
    },
  };
}
