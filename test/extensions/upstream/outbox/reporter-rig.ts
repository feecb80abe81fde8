import request from 'supertest';
import type { Moment } from '../../../../src/core/clock/moment.ts';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import { joinMessages } from '../../../../src/core/health/problems.ts';
import { createEngine } from '../../../../src/engine/create-engine.ts';
import type { Engine } from '../../../../src/engine/engine.ts';
import { upstream } from '../../../../src/extensions/upstream/extension.ts';
import type { UpstreamAnswer, UpstreamPost } from '../../../../src/extensions/upstream/outbox/post.ts';
import { startUpstream, type UpstreamSender } from '../../../../src/extensions/upstream/outbox/sender.ts';
import { openStore, type Store } from '../../../../src/store/store.ts';
import { at, pour } from '../../../engine/bar.ts';
import { manualScheduler } from '../../../http/live/streams.ts';
import { createTestServer, type TestServer } from '../../../http/test-server.ts';
import { switchOn } from '../../../kit/extensions.ts';
import { assertBatch, assertResponse } from '../../../kit/protocol-schemas.ts';
import type { WireBatch } from '../../../kit/simulated-board.ts';

export const device = 'cellar-pi';

const switchedOn = await switchOn([upstream]);

/** What the simulated network does with a batch. */
export type WireFault = 'arrives' | 'request lost' | 'answer lost' | 'twice';

/** A simulated network to a test server. Checks both sides against the protocol's schemas. */
export function createWire(server: TestServer) {
  const sent: WireBatch[] = [];
  const tokens: (string | null)[] = [];
  const delivered: { readonly body: string; readonly token: string | null }[] = [];
  let nextFault: () => WireFault = () => 'arrives';
  let answerFor: (batch: WireBatch) => UpstreamAnswer | null = () => null;
  const lost: UpstreamAnswer = { kind: 'failed', code: 'ECONNREFUSED' };
  const deliver = async (body: string, token: string | null): Promise<UpstreamAnswer> => {
    delivered.push({ body, token });
    const sending = request(server.app).post('/api/device-event').set('Content-Type', 'application/json');
    if (token !== null) sending.set('Authorization', `Bearer ${token}`);
    const answer = await sending.send(body);
    assertResponse(answer.body);
    return { kind: 'answered', status: answer.status, body: answer.body, retryAfter: undefined };
  };
  const post: UpstreamPost = async ({ body, token }) => {
    const batch = JSON.parse(body) as WireBatch;
    assertBatch(batch);
    if (Buffer.byteLength(body) > 16_384) throw new Error('The batch is too long.');
    sent.push(batch);
    tokens.push(token);
    const own = answerFor(batch);
    if (own !== null) return own;
    const now = nextFault();
    if (now === 'request lost') return lost;
    const answer = await deliver(body, token);
    if (now === 'twice') return deliver(body, token);
    return now === 'answer lost' ? { kind: 'failed', code: 'ETIMEDOUT' } : answer;
  };
  return {
    post,
    sent,
    tokens,
    /** Batches that reached the server, once for each arrival. */
    delivered,
    /** Sends one of the delivered batches again, much later. */
    repeat: (which: number) => {
      const { body, token } = delivered[which % delivered.length]!;
      return deliver(body, token);
    },
    /** Sets the fault for each further batch. */
    setFault(next: () => WireFault) {
      nextFault = next;
    },
    /** Sets a function that answers instead of the server; null leaves the answer to the server. */
    setAnswer(other: typeof answerFor) {
      answerFor = other;
    },
  };
}

/**
 * A small bar with one meter that reports to an upstream server through `post`, with its own clock. `reboot`
 * simulates a power cut.
 */
export function openReporter(
  post: UpstreamPost,
  options: { file?: string; meters?: readonly string[] } = {},
) {
  const { file = ':memory:', meters = ['flow0'] } = options;
  let passedMs = 0;
  let clock: Partial<Moment> = {};
  const now = (): Moment => at(passedMs, clock);
  let store: Store;
  let engine: Engine;
  let sender: UpstreamSender;
  let bus: ReturnType<typeof createEventBus>;
  let scheduler: ReturnType<typeof manualScheduler>;
  let problem: string | null = null;
  let count = 0;
  const problems: (string | null)[] = [];
  const logLines: string[] = [];
  const writeLog = (details: object, message: string) =>
    void logLines.push(`${message} ${JSON.stringify(details)}`);
  let closings = 0;

  function open(): void {
    store = openStore({ file, extensions: switchedOn.all });
    start();
  }

  function start(): void {
    bus = createEventBus((fault) => {
      throw fault;
    });
    scheduler = manualScheduler();
    engine = createEngine(
      {
        store,
        bus,
        ids: { next: () => `reporter-${++count}` },
        settings: { maxFlowMlPerS: 200 },
      },
      switchedOn.engine,
    );
    engine.taps.hardware.provision({
      controller: { name: 'pi', modelName: 'Raspberry Pi' },
      meters: meters.map((portName) => ({ portName, ticksPerMl: 2 })),
      toggles: [],
      taps: meters.map((meterPort) => ({ name: `Tap ${meterPort}`, meterPort })),
    });
    sender = startUpstream({
      upstream: () => engine.serviceOf(upstream),
      target: { url: 'http://server.example/api/device-event', device },
      post,
      bus,
      scheduler,
      clock: { now },
      random: () => 0.5,
      log: { info: writeLog, warn: writeLog, error: writeLog },
      reportProblem(current) {
        problem = joinMessages(current);
        problems.push(problem);
      },
      heartbeatMs: 60_000,
      version: 'tapster-test',
      meterNames: () => meters.map((port) => `pi.${port}`),
      closeTaps() {
        closings += 1;
      },
    });
  }
  open();

  return {
    now,
    get engine() {
      return engine;
    },
    get upstream() {
      return engine.serviceOf(upstream);
    },
    get store() {
      return store;
    },
    get sender() {
      return sender;
    },
    get problem() {
      return problem;
    },
    get closings() {
      return closings;
    },
    problems,
    logLines,
    /** Records a pour that ended just now. */
    pour: (change: Parameters<typeof pour>[1] = {}) =>
      engine.drinks.pours.record(pour(now(), change), 'pin', now()),
    temperature: (sensor: string, tempC: number) =>
      engine.temperatures.logAll([{ sensor, tempC, at: now() }]),
    /** Advances the clock without running timers. */
    sleep(ms: number) {
      passedMs += ms;
    },
    /** Advances time and waits until no request is in flight. */
    async pass(ms: number) {
      passedMs += ms;
      scheduler.advance(ms);
      await sender.idle();
    },
    /** Advances time in small steps until nothing waits, at most `steps` times. */
    async drain(steps = 200, stepMs = 250) {
      for (let i = 0; i < steps && (i < 2 || engine.serviceOf(upstream).counts().waiting > 0); i++) {
        passedMs += stepMs;
        scheduler.advance(stepMs);
        await sender.idle();
      }
    },
    setClock(change: Partial<Moment>) {
      clock = change;
    },
    /** Simulates a power cut and restart: memory and requests in flight are lost. */
    async reboot() {
      await sender.stop();
      if (file !== ':memory:') {
        store.close();
        store = openStore({ file, extensions: switchedOn.all });
      }
      start();
    },
    async close() {
      await sender.stop();
      store.close();
    },
  };
}

export type Reporter = ReturnType<typeof openReporter>;

/** What staff of the server do with the reporter: to them it is a board. */
export function boardsOf({ app, createConfirmedCookie }: TestServer) {
  const send = async (method: 'get' | 'post' | 'delete', path: string) =>
    (
      await request(app)
        [method](`/api/admin/kegboards${path}`)
        .set('Cookie', createConfirmedCookie('anna'))
        .expect(200)
    ).body.result;
  return {
    list: async () => (await send('get', '')).kegboards,
    allow: () => send('post', `/${device}/allow`),
    deny: () => send('post', `/${device}/deny`),
    revoke: () => send('post', `/${device}/revoke`),
    forget: () => send('delete', `/${device}`),
  };
}

/** Pairs the reporter with the server and connects its meter to the server's right tap. */
export async function pair(server: TestServer, reporter: Reporter): Promise<void> {
  await reporter.pass(1);
  await boardsOf(server).allow();
  await reporter.pass(5_000);
  await reporter.drain();
  const { id } = server.engine.taps.hardware.meters().find(({ name }) => name === `${device}.flow0`)!;
  server.engine.taps.connectMeter(server.right.id, id);
}

export { createTestServer };
