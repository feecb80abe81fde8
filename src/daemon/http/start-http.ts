import type { RequestListener } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { aliasName } from '../../core/certificates/certificate-names.ts';
import type { EventBus } from '../../core/event-bus.ts';
import type { Engine } from '../../engine/engine.ts';
import { createApp } from '../../http/app.ts';
import { httpsOff } from '../../http/https-ports.ts';
import { databaseUnavailable } from '../../http/server/database-unavailable.ts';
import { createFeatureOff } from '../../http/server/feature-off.ts';
import type { ServerProtection } from '../../http/server/http-server.ts';
import { createHttpsServer } from '../../http/server/https-server.ts';
import { createHttpsAdmin } from '../../services/https/https-admin.ts';
import { createHttpsService, type HttpsService } from '../../services/https/https-service.ts';
import { issueInChild } from '../../services/https/issue-in-child.ts';
import { measureRequest } from '../../services/measured-work.ts';
import { isDemo } from '../../services/site/demo-service.ts';
import { machineReadings } from '../../system/clock-readings.ts';
import { lastingAddresses, reachableUrls } from '../../system/own-addresses.ts';
import { productDirectory } from '../../system/product.ts';
import type { Services } from '../start-services.ts';
import { httpsBanner, setupBanner } from '../startup-banner.ts';
import { createCurrentApp } from './current-app.ts';
import { createHttpService } from './http-service.ts';
import { createSetupConsole, setupCodeFile } from './setup-console.ts';

const pictureSweepMs = 3_600_000;

/** An address that comes after the start, as from DHCP, is shown within this time. */
const addressCheckMs = 5_000;

/** Delay until the clients of a replaced database are disconnected: the answer to the restore is sent first. */
const disconnectDelayMs = 1_000;

/** Serves page and API on the configured address. Rejects when the port is taken or forbidden. */
export async function startHttp(services: Services) {
  const { bus, config, database, health, log, machine, measuring, reporters } = services;
  const { host, port } = config.http;
  const { cors_origins: corsOrigins, rate_limits: rateLimits, trust_proxy: trustProxy } = config.http;
  const hosts = config.https.alias ? [host, aliasName] : [host];
  const appFor = createCurrentApp(bus, openApp);
  let isStopping = false;
  bus.on('daemon.stopping', () => {
    isStopping = true;
  });
  const unavailableApp = databaseUnavailable(health.report, () => isStopping);
  const answerFeatureOff = createFeatureOff();
  const http = createHttpService({
    listener,
    trustProxy,
    host,
    port,
    reportProblem: reporters('serving'),
  });
  const https = isDemo(services) || !config.https.enabled ? null : createHttps(services, http.protection);
  const httpsAdmin = https === null ? httpsOff : createHttpsAdmin(https, config.http.require_https ?? null);

  const setupConsole = createSetupConsole({
    file: setupCodeFile(config.database),
    bootId: machineReadings().bootId,
    isOpen: () => database.engine()?.users.site().isSetUp === false,
    banner: (code) => setupBanner(host, port, code),
    // Standard output is the console, or the journal under systemd.
    print: (text) => void process.stdout.write(text),
  });

  function listener(...[request, response]: Parameters<RequestListener>): void {
    measureRequest(request, response, measuring);
    const own = services.extensionHost.findListener(request.url);
    if (own !== null) {
      if (own.listener === null) answerFeatureOff(response, own.whenOff);
      else own.listener(request, response);
      return;
    }
    const engine = database.engine();
    const app = engine === null ? unavailableApp : appFor(engine);
    app(request, response);
  }

  function openApp(engine: Engine, appBus: EventBus): RequestListener {
    const setup = setupConsole.createCode(engine.users.site().isSetUp);
    const app = createApp({
      engine,
      services: { ...services, bus: appBus, https: httpsAdmin },
      setup,
      extensions: services.extensionHost.routesOf(engine),
      settings: { trustProxy, rateLimits, hosts, corsOrigins },
      webDirectory: join(productDirectory, 'dist', 'web'),
      phoneAddress,
    });
    http.protection.messageClasses.use(app);
    return app;
  }

  const phoneAddress = (): string | null => reachableUrls({ host, port: http.port() ?? port })[0] ?? null;
  let lastAddress: string | null = null;

  function followAddress(): void {
    setupConsole.everySeconds();
    const address = phoneAddress();
    // The QR codes of open pages have it.
    if (address !== lastAddress) bus.publish({ type: 'address.changed' });
    lastAddress = address;
  }

  function disconnectClients(): void {
    http.disconnectClients();
    https?.disconnectClients();
  }

  function announceHttps(): void {
    const httpsPort = httpsAdmin.port();
    const authority = httpsAdmin.authority();
    if (httpsPort === null || authority === null) return;
    services.log.info({ port: httpsPort, fingerprint: authority.fingerprint }, 'serving over HTTPS');
    if (database.engine()?.users.site().isSetUp === false)
      process.stdout.write(`${httpsBanner(host, httpsPort, authority.fingerprint)}\n`);
  }

  const firstEngine = database.engine();
  await services.extensionHost.serveHttp(firstEngine, { config, log, hosts, machine });
  if (firstEngine !== null) appFor(firstEngine);
  await http.start();
  const stopSweeping = sweepPictures(services);
  const stopWatching = services.scheduler.every(addressCheckMs, followAddress);
  bus.on('database.replaced', () => void services.scheduler.after(disconnectDelayMs, disconnectClients));
  // Not awaited: a certificate that is made first delays nothing.
  void https?.start().then(announceHttps);
  return {
    port: http.port,
    async close(withinMs: number): Promise<void> {
      stopSweeping();
      stopWatching();
      await Promise.all([http.close(withinMs), https?.close(withinMs)]);
    },
  };
}

function createHttps(services: Services, protection: ServerProtection): HttpsService {
  const { clock, config, log, scheduler } = services;
  return createHttpsService({
    clock,
    log,
    scheduler,
    database: config.database,
    createServer: (identity) => createHttpsServer(protection, identity),
    host: config.http.host,
    settings: config.https,
    hasAlias: config.https.alias,
    hostName: hostname,
    addresses: () => lastingAddresses(),
    issue: issueInChild,
    reportProblem: services.reporters('https'),
  });
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
