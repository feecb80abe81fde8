import { dirname } from 'node:path';
import { extensions } from '../extensions/all.ts';
import { createAlarmDescriber } from '../outbox/alarms/alarm-message.ts';
import { createAlarmTransport } from '../outbox/alarms/alarm-transport.ts';
import { createChannelTester } from '../outbox/alarms/channel-tester.ts';
import { createReceiptPoller } from '../outbox/alarms/receipt-poller.ts';
import { createMailTester } from '../outbox/mail/mail-tester.ts';
import { createMailTransport } from '../outbox/mail/mail-transport.ts';
import type { ReportProblem } from '../outbox/outbox-interfaces.ts';
import type { RunningTransport, Transport } from '../outbox/transport.ts';
import { createWebhookTester } from '../outbox/webhooks/webhook-tester.ts';
import { createWebhookTransport } from '../outbox/webhooks/webhook-transport.ts';
import { startOutboxWorker } from '../outbox/worker.ts';
import { measureSends } from '../services/measured-work.ts';
import { AlarmMonitor } from '../services/monitors/alarm-monitor.ts';
import { readDisk } from '../services/monitors/disk-readings.ts';
import { createMachineMonitor } from '../services/monitors/machine-monitor.ts';
import { createSupplyMonitor, supplyPollMs } from '../services/monitors/supply-monitor.ts';
import type { HealthPart } from '../system/health/health.ts';
import { randomIds } from '../system/ids.ts';
import { createDetectors } from './monitors/conditions/detectors.ts';
import type { LocalServices } from './services.ts';

const minuteMs = 60_000;
/** Interval at which due messages about alarms are queued. */
const alarmStepMs = 10_000;
/** Interval at which services are asked whether an alarm was acknowledged in their apps. */
const receiptPollMs = 30_000;

/**
 * Starts delivering mail, webhooks and alarms, and monitoring the machine and the alarm conditions. A transport's library is loaded
 * with its first message.
 */
export function startOutboxService(services: LocalServices) {
  const { config, database, bus, clock, scheduler, reporters, log, thermo, health, admin, measuring } =
    services;
  const engine = database.requireEngine;
  const allowsLocal = config.webhooks.allow_local;
  const healthParts: Readonly<Record<string, HealthPart>> = {
    mail: 'mail',
    webhook: 'webhooks',
    alarm: 'alarms',
  };
  const transports = [
    createMailTransport({ engine, ownMails: extensions.flatMap(({ mails = [] }) => mails) }),
    createWebhookTransport({ engine, clock, allowsLocal }),
    createAlarmTransport({ engine, clock, allowsLocal }),
  ];
  const worker = startOutboxWorker({
    outbox: () => database.engine()?.notifications.outbox ?? null,
    transports: transports.map((transport) => measureSends(transport, measuring)),
    bus,
    clock,
    scheduler,
    log,
    reportProblem: (kind) => reporters(healthParts[kind]!),
  });
  const removeUnsent = (): void => {
    try {
      database.engine()?.notifications.outbox.removeUnsent();
    } catch (err) {
      log.warn({ err }, 'messages of features that are off cannot be deleted now');
    }
  };
  removeUnsent();
  for (const type of ['features.switched', 'engine.opened', 'database.replaced'] as const)
    bus.on(type, removeUnsent);
  const machineMonitor = createMachineMonitor({
    database: config.database,
    reportPower: reporters('power'),
    reportDisk: reporters('disk'),
  });
  const supply = createSupplyMonitor({ clock });
  const alarms = new AlarmMonitor({
    engine: database.engine,
    clock,
    detectors: createDetectors({
      latestTemperatures: () => thermo.latestTemperatures(),
      health: () => health.report().parts,
      voltage: supply.voltage,
      disk: () => readDisk(dirname(config.database)),
      newestBackupMs: () => admin.backups.state().newestNightlyMs,
      backgroundConditions: services.extensionHost.alarmConditions,
    }),
    log,
  });
  const stopTelling = scheduler.every(alarmStepMs, () => {
    try {
      database.engine()?.notifications.alarms.sendDue(clock.now());
    } catch (err) {
      log.warn({ err }, 'messages about alarms cannot be queued now; trying again');
    }
  });
  const receipts = createReceiptPoller({ engine: database.engine, clock, allowsLocal });
  const stopPolling = [
    scheduler.every(receiptPollMs, () => {
      receipts.poll().catch((err: unknown) => {
        log.warn({ err }, 'services cannot be asked about acknowledged alarms now; trying again');
      });
    }),
    scheduler.every(supplyPollMs, supply.poll),
    ...[machineMonitor.poll, () => alarms.poll()].map((poll) =>
      scheduler.every(minuteMs, () => {
        try {
          poll();
        } catch (err) {
          log.warn({ err }, 'machine or alarm conditions could not be checked; trying again in a minute');
        }
      }),
    ),
  ];
  const mailTester = createMailTester({ engine, ids: randomIds });
  const channelTester = createChannelTester({ engine, clock, ids: randomIds, allowsLocal });
  const webhookTester = createWebhookTester({ engine, clock, ids: randomIds, allowsLocal });
  return {
    /** Sends a test mail and waits for the result. */
    mailTester: {
      async sendTest(mail: Parameters<typeof mailTester.sendTest>[0]): Promise<void> {
        await mailTester.sendTest(mail);
        // The mail server works: deliver the waiting mails now.
        worker.retryNow('mail');
      },
    },
    /** Calls a webhook as a test and waits for the result. */
    webhookTester: {
      async sendTest(id: number): Promise<void> {
        await webhookTester.sendTest(id);
        // The receiver answers: deliver the waiting calls now.
        worker.retryNow('webhook');
      },
    },
    alarms: {
      async sendTest(id: number): Promise<void> {
        await channelTester.sendTest(id);
        // The service answers: deliver the waiting messages now.
        worker.retryNow('alarm');
      },
      describe: createAlarmDescriber(engine),
    },
    /** Sends messages of one more kind. */
    addTransport: (transport: Transport, reportProblem: ReportProblem): RunningTransport =>
      worker.add(measureSends(transport, measuring), reportProblem),
    /** Stops within `withinMs`; unfinished deliveries are due again at the next start. */
    close(withinMs: number): Promise<void> {
      stopTelling();
      for (const stop of stopPolling) stop();
      receipts.close();
      return worker.stop(withinMs);
    },
  };
}
