import type { Config } from '../config/schema.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import type { Engine } from '../engine/engine.ts';
import { realScheduler } from '../http/ports.ts';
import { createMailTester } from '../outbox/mail-tester.ts';
import { createMailTransport } from '../outbox/mail-transport.ts';
import { createWebhookTester } from '../outbox/webhook-tester.ts';
import { createWebhookTransport } from '../outbox/webhook-transport.ts';
import { startOutboxWorker } from '../outbox/worker.ts';
import { randomIds } from '../system/ids.ts';
import type { Logger } from '../system/log.ts';
import { AlarmMonitor, type AlarmMonitorOptions } from './alarm-monitor.ts';
import type { HealthReporters } from './health-reporters.ts';
import { createMachineMonitor } from './machine-monitor.ts';

const minuteMs = 60_000;

export interface OutboxServiceOptions extends Pick<AlarmMonitorOptions, 'probes' | 'health'> {
  /** Null while the ledger cannot be opened. */
  readonly engine: () => Engine | null;
  /** The same, or `unavailable`. */
  readonly requireEngine: () => Engine;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly reporters: HealthReporters;
  readonly log: Logger;
  readonly config: Pick<Config, 'database' | 'webhooks'>;
}

/** Where messages leave the house, and where somebody looks after what should be told. */
export interface OutboxService {
  /** Sends a mail while somebody waits for the outcome. */
  readonly tester: ReturnType<typeof createMailTester>;
  /** Calls a webhook while somebody waits for the outcome. */
  readonly webhookTester: ReturnType<typeof createWebhookTester>;
  /** Lets go of what is under way; it is due again at the next start. */
  close(withinMs: number): Promise<void>;
}

/** Opens the post room; the first message under way loads what carries it. */
export function startOutboxService(options: OutboxServiceOptions): OutboxService {
  const { engine, requireEngine, bus, clock, reporters, log, config } = options;
  const allowsLocal = config.webhooks.allow_local;
  const reporterByKind = { mail: reporters('mail'), webhook: reporters('webhooks') };
  const pump = startOutboxWorker({
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
        log.warn({ err }, 'what should be told could not be looked after; it is tried again');
      }
    }),
  );
  const tester = createMailTester({ engine: requireEngine, ids: randomIds });
  const webhookTester = createWebhookTester({ engine: requireEngine, clock, ids: randomIds, allowsLocal });
  return {
    tester: {
      async sendTest(mail) {
        await tester.sendTest(mail);
        // The server takes mails: whatever waited for it to be set right goes now.
        pump.retryNow('mail');
      },
    },
    webhookTester: {
      async sendTest(id) {
        await webhookTester.sendTest(id);
        // It answers: whatever waited for it goes now.
        pump.retryNow('webhook');
      },
    },
    close(withinMs) {
      for (const stop of stopPolling) stop();
      return pump.stop(withinMs);
    },
  };
}
