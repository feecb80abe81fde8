import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import type { Engine } from '../engine/engine.ts';
import { type AppOptions, createApp } from '../http/app.ts';
import { createSetupCode } from '../http/auth/setup-code.ts';
import { realScheduler } from '../http/ports.ts';
import { databaseUnavailable } from '../http/server/database-unavailable.ts';
import { productDirectory } from '../system/product.ts';
import { type HttpService, listenWithRetry } from './http-service.ts';
import { phoneAddress, setupBanner } from './startup-banner.ts';

const pictureSweepMs = 3_600_000;

/** What page and API need from the daemon. */
export interface HttpOptions
  extends Pick<
    AppOptions,
    | 'bus'
    | 'clock'
    | 'log'
    | 'health'
    | 'runningPours'
    | 'meterStatuses'
    | 'latestTemperatures'
    | 'simulator'
    | 'valves'
    | 'mailTester'
    | 'webhookTester'
    | 'upstream'
    | 'wiring'
    | 'admin'
  > {
  readonly config: Config['http'];
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  /** Called with a sentence while the address is not available yet, with null when it is. */
  readonly reportProblem: (problem: string | null) => void;
}

/** Serves page and API on the configured address. Rejects when the port is taken or forbidden. */
export async function startHttp({
  config,
  reportProblem,
  engine: getEngine,
  ...appOptions
}: HttpOptions): Promise<HttpService> {
  const { host, port } = config;
  let service: HttpService | null = null;
  const unavailableApp = databaseUnavailable(appOptions.health);
  let app: RequestListener | null = null;
  /** The engine that the app was created with; a replaced database has a new one. */
  let appEngine: Engine | null = null;

  // Standard output is the console, or the journal under systemd.
  const printSetupCode = (code: string) => process.stdout.write(`${setupBanner(host, port, code)}\n`);

  function openApp(): RequestListener | null {
    const engine = getEngine();
    appEngine = engine;
    if (engine === null) return null;
    const setup = createSetupCode(printSetupCode);
    if (!engine.users.site().isSetUp) printSetupCode(setup.text);
    return createApp({
      ...appOptions,
      engine,
      setup,
      scheduler: realScheduler,
      settings: { trustProxy: config.trust_proxy, rateLimits: config.rate_limits, hosts: [host] },
      webDirectory: join(productDirectory, 'dist', 'web'),
      phoneAddress: () => phoneAddress(host, service?.port() ?? port),
    });
  }

  const listener: RequestListener = (request, response) => {
    if (app === null || appEngine !== getEngine()) app = openApp();
    (app ?? unavailableApp)(request, response);
  };
  app = openApp();
  const started = await listenWithRetry({ listener, host, port, reportProblem });
  service = started;
  const stopSweeping = sweepPictures(getEngine, appOptions.log);
  return {
    port: started.port,
    disconnectClients: started.disconnectClients,
    close(withinMs) {
      stopSweeping();
      return started.close(withinMs);
    },
  };
}

/** Removes pictures of cancelled drinks and leftovers of interrupted uploads, now and every hour. */
function sweepPictures(getEngine: HttpOptions['engine'], log: HttpOptions['log']): () => void {
  const sweep = () => {
    const swept = getEngine()?.pictures.sweep();
    swept?.catch((err: unknown) => log.warn({ err }, 'old pictures could not be removed'));
  };
  sweep();
  return realScheduler.every(pictureSweepMs, sweep);
}
