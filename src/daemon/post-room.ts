import type { Config } from '../config/schema.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import type { Engine } from '../engine/engine.ts';
import { realScheduler } from '../http/ports.ts';
import { mailCarrier } from '../outbox/mail-carrier.ts';
import { createMailTester } from '../outbox/mail-tester.ts';
import { startPump } from '../outbox/pump.ts';
import { webhookCarrier } from '../outbox/webhook-carrier.ts';
import { createWebhookTester } from '../outbox/webhook-tester.ts';
import { randomIds } from '../system/ids.ts';
import type { Logger } from '../system/log.ts';
import { AlarmKeeper, type AlarmKeeperParts } from './alarm-keeper.ts';
import { createMachineWatch } from './machine-watch.ts';
import type { Tellers } from './tellers.ts';

const minuteMs = 60_000;

export interface PostRoomParts extends Pick<AlarmKeeperParts, 'probes' | 'health'> {
  /** Null while the ledger cannot be opened. */
  readonly engine: () => Engine | null;
  /** The same, or `unavailable`. */
  readonly mustEngine: () => Engine;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly tellers: Tellers;
  readonly log: Logger;
  readonly config: Pick<Config, 'database' | 'webhooks'>;
}

/** Where messages leave the house, and where somebody looks after what should be told. */
export interface PostRoom {
  /** Sends a mail while somebody waits for the outcome. */
  readonly tester: ReturnType<typeof createMailTester>;
  /** Calls a webhook while somebody waits for the outcome. */
  readonly webhookTester: ReturnType<typeof createWebhookTester>;
  /** Lets go of what is under way; it is due again at the next start. */
  close(withinMs: number): Promise<void>;
}

/** Opens the post room; the first message under way loads what carries it. */
export function openPostRoom(parts: PostRoomParts): PostRoom {
  const { engine, mustEngine, bus, clock, tellers, log, config } = parts;
  const allowsLocal = config.webhooks.allow_local;
  const tell = { mail: tellers('mail'), webhook: tellers('webhooks') };
  const pump = startPump({
    outbox: () => engine()?.outbox ?? null,
    carriers: [
      mailCarrier({ engine: mustEngine }),
      webhookCarrier({ engine: mustEngine, clock, allowsLocal }),
    ],
    bus,
    clock,
    scheduler: realScheduler,
    log,
    tell: (kind) => (kind === 'mail' ? tell.mail : tell.webhook),
  });
  const machine = createMachineWatch({
    database: config.database,
    tellPower: tellers('power'),
    tellDisk: tellers('disk'),
  });
  const alarms = new AlarmKeeper(parts);
  const looks = [machine.look, () => alarms.look()].map((look) =>
    realScheduler.every(minuteMs, () => {
      try {
        look();
      } catch (err) {
        log.warn({ err }, 'what should be told could not be looked after; it is tried again');
      }
    }),
  );
  const tester = createMailTester({ engine: mustEngine, ids: randomIds });
  const webhookTester = createWebhookTester({ engine: mustEngine, clock, ids: randomIds, allowsLocal });
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
      for (const stop of looks) stop();
      return pump.stop(withinMs);
    },
  };
}
