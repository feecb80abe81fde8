import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import type { Problem } from '../../../../src/core/health/problems.ts';
import { createMeasuring } from '../../../../src/core/measurements.ts';
import { loadConfig } from '../../../../src/daemon/load-config.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import type { MenuPublicationSettings } from '../../../../src/extensions/menu-publication/core/settings.ts';
import { menuPublication } from '../../../../src/extensions/menu-publication/extension.ts';
import { startMenuPublisher } from '../../../../src/extensions/menu-publication/outbox/menu-publisher.ts';
import { switchOn } from '../../../kit/extensions.ts';
import { openTestOutbox } from '../../../outbox/test-outbox.ts';

interface Request {
  readonly method: string;
  readonly name: string;
  readonly authorization: string | undefined;
}

/** A web server that keeps what is written to it, and answers as a test wants. */
export async function openWebSpace({ neverAnswers = false }: { neverAnswers?: boolean } = {}) {
  const files = new Map<string, Buffer>();
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url!.slice('/menu/'.length));
    const method = request.method!;
    requests.push({ method, name, authorization: request.headers.authorization });
    if (neverAnswers) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (space.redirect !== null) {
      response.writeHead(307, { location: `${space.redirect}${name}` }).end();
      return;
    }
    const status = space.answer(method);
    if (status < 300 && method === 'PUT') files.set(name, Buffer.concat(chunks));
    if (status < 300 && method === 'DELETE') files.delete(name);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const space = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/menu/`,
    files,
    requests,
    /** Where each request is sent on to, with its method and body; null: nowhere. */
    redirect: null as string | null,
    /** The status of the answer to a method. */
    answer: (_method: string): number => 201,
    /** The names that were written, in order. */
    names: () => requests.filter(({ method }) => method === 'PUT').map(({ name }) => name),
    reached: () => vi.waitUntil(() => requests.length > 0, { timeout: 10_000, interval: 5 }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return space;
}

const switchedOn = await switchOn([menuPublication]);
const { config } = loadConfig({ env: {}, installed: '/nowhere' });
const allowing = { ...config, webhooks: { ...config.webhooks, allow_local: true } };

/** A bar with a publisher for its menu; time advances only by `pass`. */
export async function publisherBar(url: string) {
  const bar = await openTestOutbox({ switchedOn });
  const publication = bar.engine.serviceOf(menuPublication);
  const problems: Problem[] = [];
  const reportProblem = (now: readonly Problem[]) => void problems.splice(0, problems.length, ...now);
  const parts = {
    config: allowing,
    engine: () => bar.engine,
    services: () => publication,
    bus: bar.bus,
    clock: bar.clock,
    scheduler: bar.scheduler,
    log: { info() {}, warn() {}, error() {} },
    measuring: createMeasuring(),
    meterNames: () => [],
    machine: () => {
      throw new Error('This machine is not part of the test.');
    },
    reportProblem,
    createReporter: () => reportProblem,
  };
  const setUp = (settings: Partial<MenuPublicationSettings>) =>
    publication.change(settings, systemActor, bar.now());
  setUp({ url });
  const publisher = startMenuPublisher(parts);
  return {
    ...bar,
    parts,
    publication,
    problems,
    publisher,
    setUp,
    /** Lets time pass in steps in which a publication can end. */
    async pass(ms: number) {
      for (let left = ms; ; left -= 30_000) {
        bar.pass(Math.max(0, Math.min(left, 30_000)));
        await publisher.idle();
        if (left <= 30_000) return;
      }
    },
    async close() {
      await publisher.close();
      await bar.close();
    },
  };
}
