import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { EventBus } from '../../core/event-bus.ts';
import type { Engine } from '../../engine/engine.ts';
import { createApp } from '../../http/app.ts';
import { createMetricsApp, isMetricsAddress } from '../../http/metrics.ts';
import { databaseUnavailable } from '../../http/server/database-unavailable.ts';
import { createSetupCode } from '../../http/setup-code.ts';
import { createAddressRanges } from '../../system/address-ranges.ts';
import { productDirectory } from '../../system/product.ts';
import type { Services } from '../services.ts';
import { phoneAddress, setupBanner } from '../startup-banner.ts';
import { createCurrentApp } from './current-app.ts';
import { createHttpService } from './http-service.ts';

const pictureSweepMs = 3_600_000;

/** Delay until the clients of a replaced database are disconnected: the answer to the restore is sent first. */
const disconnectDelayMs = 1_000;

/** Serves page and API on the configured address. Rejects when the port is taken or forbidden. */
export async function startHttp(services: Services) {
  const { bus, config, database, health, reporters } = services;
  const { host, port } = config.http;
  const { cors_origins: corsOrigins, rate_limits: rateLimits, trust_proxy: trustProxy } = config.http;
  const appFor = createCurrentApp(bus, openApp);
  const unavailableApp = databaseUnavailable(health.report);
  const { allow_loopback: allowsLoopback, allow_addresses: addresses, token } = config.metrics;
  const metricsApp = createMetricsApp({
    service: services.metrics,
    access: { allowsLoopback, token, isListed: createAddressRanges(addresses) },
    ...{ hosts: [host], log: services.log, trustProxy, rateLimits },
  });
  const http = createHttpService({
    listener,
    trustProxy,
    host,
    port,
    reportProblem: reporters('serving'),
  });

  function listener(...[request, response]: Parameters<RequestListener>): void {
    services.metricCounters?.measureRequest(request, response);
    if (isMetricsAddress(request.url)) return void metricsApp(request, response);
    const engine = database.engine();
    const app = engine === null ? unavailableApp : appFor(engine);
    app(request, response);
  }

  function openApp(engine: Engine, appBus: EventBus): RequestListener {
    const setup = createSetupCode(printSetupCode);
    if (!engine.users.site().isSetUp) printSetupCode(setup.text);
    return createApp({
      engine,
      services: { ...services, bus: appBus },
      setup,
      settings: { trustProxy, rateLimits, hosts: [host], corsOrigins },
      webDirectory: join(productDirectory, 'dist', 'web'),
      phoneAddress: () => phoneAddress(host, http.port() ?? port),
    });
  }

  // Standard output is the console, or the journal under systemd.
  function printSetupCode(code: string): void {
    process.stdout.write(`${setupBanner(host, port, code)}\n`);
  }

  const firstEngine = database.engine();
  if (firstEngine !== null) appFor(firstEngine);
  await http.start();
  const stopSweeping = sweepPictures(services);
  bus.on('database.replaced', () => void services.scheduler.after(disconnectDelayMs, http.disconnectClients));
  return {
    port: http.port,
    close(withinMs: number): Promise<void> {
      stopSweeping();
      return http.close(withinMs);
    },
  };
}

/** Removes picture files that a crash left, and leftovers of interrupted uploads, now and every hour. */
function sweepPictures({ database, log, scheduler }: Services): () => void {
  const sweep = () => {
    const swept = database.engine()?.pictures.sweep();
    swept?.catch((err: unknown) => log.warn({ err }, 'old pictures could not be removed'));
  };
  sweep();
  return scheduler.every(pictureSweepMs, sweep);
}
