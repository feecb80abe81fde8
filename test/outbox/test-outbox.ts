import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Moment } from '../../src/core/clock/moment.ts';
import { createEventBus } from '../../src/core/event-bus.ts';
import { joinMessages } from '../../src/core/health/problems.ts';
import { omitUndefined } from '../../src/core/omit-undefined.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import { systemActor } from '../../src/engine/engine.ts';
import type { ResolveHost } from '../../src/outbox/address-guard.ts';
import { createAlarmTransport } from '../../src/outbox/alarms/alarm-transport.ts';
import type { MailTimeouts } from '../../src/outbox/mail/mail-server.ts';
import { createMailTransport } from '../../src/outbox/mail/mail-transport.ts';
import type { ExtensionMail } from '../../src/outbox/mail/own-mails.ts';
import { createWebhookTransport } from '../../src/outbox/webhooks/webhook-transport.ts';
import { startOutboxWorker } from '../../src/outbox/worker.ts';
import { openStore } from '../../src/store/store.ts';
import { at, hour } from '../engine/bar.ts';
import { manualScheduler } from '../http/live/streams.ts';
import type { SwitchedOn } from '../kit/extensions.ts';

/** Short, but long enough for a loopback connection under heavy load. */
export const shortTimeouts: MailTimeouts = { connectMs: 3_000, idleMs: 3_000, totalMs: 6_000 };

export interface TestOutboxOptions {
  readonly file?: string;
  /** The extensions that are on; none unless given. */
  readonly switchedOn?: SwitchedOn;
  /** The mails of extensions. */
  readonly ownMails?: readonly ExtensionMail[];
  readonly allowsLocal?: boolean;
  readonly timeoutMs?: number;
  readonly timeouts?: MailTimeouts;
  readonly find?: ResolveHost;
  readonly ownAddresses?: () => readonly string[];
}

/**
 * A bar with a left tap and a worker for its outbox. Time advances only by `pass` and `sendOut`. Anna is
 * staff, Bert is not; both have addresses.
 */
export async function openTestOutbox(options: TestOutboxOptions = {}) {
  const { file = ':memory:', allowsLocal = true, timeoutMs = 3_000, timeouts = shortTimeouts } = options;
  const { switchedOn } = options;
  const store = openStore({ file, ...omitUndefined({ extensions: switchedOn?.all }) });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  let count = 0;
  const settings = {
    maxFlowMlPerS: 200,
    passwordLogN: 4,
    allowLocalWebhooks: allowsLocal,
    ...omitUndefined({ ownAddresses: options.ownAddresses }),
  };
  const ids = { next: () => `id-${++count}` };
  const engine = createEngine({ store, bus, ids, settings }, switchedOn?.engine);
  let passedMs = 0;
  const now = (): Moment => at(passedMs);
  const clock = { now };
  const scheduler = manualScheduler();
  const lines: string[] = [];
  const write = (details: object, message: string) =>
    void lines.push(
      `${message} ${JSON.stringify(details, (_key, value) => (value instanceof Error ? String(value.stack) : value))}`,
    );
  const problems = new Map<string, string | null>();

  if (store.users.byName('anna') === null) {
    engine.taps.hardware.provision({
      controller: { name: 'pi', modelName: 'Raspberry Pi' },
      meters: [{ portName: 'flow0', ticksPerMl: 1 }],
      toggles: [],
      taps: [{ name: 'Left', meterPort: 'flow0' }],
    });
    for (const [username, isStaff] of [
      ['anna', true],
      ['bert', false],
    ] as const) {
      await engine.users.addUser({ username, isStaff, email: `${username}@example.org` }, now());
    }
  }
  const worker = startOutboxWorker({
    outbox: () => engine.notifications.outbox,
    transports: [
      createMailTransport({
        engine: () => engine,
        timeouts,
        ownMails: options.ownMails ?? switchedOn?.all.flatMap(({ mails = [] }) => mails) ?? [],
      }),
      createAlarmTransport({
        engine: () => engine,
        clock,
        allowsLocal,
        timeoutMs,
        mailTimeouts: timeouts,
        ...omitUndefined({ find: options.find }),
      }),
      createWebhookTransport({
        engine: () => engine,
        clock,
        allowsLocal,
        timeoutMs,
        ...omitUndefined({ find: options.find }),
      }),
    ],
    bus,
    clock,
    scheduler,
    log: { info: write, warn: write, error: write },
    reportProblem: (kind) => (current) => void problems.set(kind, joinMessages(current)),
  });

  return {
    store,
    engine,
    bus,
    clock,
    scheduler,
    worker,
    now,
    /** All log lines. */
    lines,
    problems,
    anna: () => engine.users.user('anna')!,
    bert: () => engine.users.user('bert')!,
    /** Taps a full keg of lager on the left tap. */
    tapKeg() {
      const tap = engine.taps.list()[0]!.tap;
      return engine.kegs.start(
        tap.id,
        {
          beverage: { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' },
          sizeKey: 'euro-30-liter',
        },
        now(),
      );
    },
    /** Records a drink from the left tap. */
    pourDrink: (volumeMl = 330, username?: string) =>
      engine.drinks.pours.report(
        {
          tap: 'pi.flow0',
          ticks: 0,
          volumeMl,
          source: 'post',
          ...omitUndefined({ username }),
        },
        now(),
      ),
    /** Advances time and waits until nothing is being sent. */
    async pass(ms: number) {
      passedMs += ms;
      scheduler.advance(ms);
      await worker.idle();
    },
    /** Advances time in steps until all due messages are sent. */
    async sendOut() {
      for (let turn = 0; turn < 50; turn++) {
        passedMs += 200;
        scheduler.advance(200);
        await worker.idle();
      }
    },
    setMailServer(port: number, change: Partial<ReturnType<typeof engine.notifications.mail.settings>> = {}) {
      engine.notifications.mail.change(
        {
          host: '127.0.0.1',
          port,
          security: 'none',
          fromAddress: 'bar@example.org',
          ...change,
        },
        systemActor,
        now(),
      );
    },
    setWebhooks: (wanted: { urls?: readonly string[]; secret?: string }) =>
      engine.notifications.webhooks.change(wanted, systemActor, now()),
    states: () => engine.notifications.outbox.list({ limit: 1_000 }).items.map(({ state }) => state),
    async close() {
      await worker.stop(hour);
      store.close();
    },
  };
}

export type TestOutbox = Awaited<ReturnType<typeof openTestOutbox>>;

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A webhook receiver on the loopback interface. `answer` handles requests, by default with 200. */
export async function openReceiver(answer?: (request: IncomingMessage, response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      received.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      if (answer) answer(request, response);
      else response.end('{"result": "thanks"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    port,
    url: `http://127.0.0.1:${port}/hook`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header lines and body, unchanged. */
  readonly text: string;
}

/** A mail server on the loopback interface that stores the mails it receives. */
export async function openMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { mails, port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** The headers of a mail, unfolded, by lower-case name. Throws if a name occurs twice. */
export function headersOf(mail: ReceivedMail): Map<string, string> {
  const head = mail.text.split('\r\n\r\n')[0]!.replace(/\r\n[ \t]+/g, ' ');
  const pairs = head.split('\r\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())] as const;
  });
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new Error(`A header occurs twice: ${head}`);
  return new Map(pairs);
}

/** Decodes the encoded words of a header value (RFC 2047, Q encoding). */
const decodeWords = (value: string): string =>
  value
    .replace(/\?= =\?UTF-8\?Q\?/gi, '')
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_word, text: string) =>
      decodeURIComponent(text.replaceAll('_', ' ').replaceAll('%', '%25').replaceAll('=', '%')),
    );
