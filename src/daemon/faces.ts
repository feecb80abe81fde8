import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import type { Engine } from '../engine/engine.ts';
import { type AppOptions, createApp } from '../http/app.ts';
import { databaseUnavailable } from '../http/doors/database-unavailable.ts';
import { createSetupCode } from '../http/doors/setup-code.ts';
import { realScheduler } from '../http/ports.ts';
import { productDirectory } from '../system/product.ts';
import { phoneAddress, setupGreeting } from './greeting.ts';
import { type Serving, startServing } from './serving.ts';

const sweepMs = 3_600_000;

/** What the faces are given by the house. */
export interface FacesOptions
  extends Pick<
    AppOptions,
    | 'bus'
    | 'clock'
    | 'log'
    | 'health'
    | 'running'
    | 'lines'
    | 'probes'
    | 'simulator'
    | 'valves'
    | 'mailTester'
    | 'webhookTester'
    | 'upstream'
    | 'wiring'
    | 'desk'
  > {
  readonly config: Config['http'];
  /** Null while the ledger cannot be opened. */
  readonly engine: () => Engine | null;
  /** Told a sentence when the address cannot be had yet, null when it is. */
  readonly tell: (problem: string | null) => void;
}

/** Opens page and API on the configured address. Rejects when the port is taken or forbidden. */
export async function openFaces({
  config,
  tell,
  engine: findEngine,
  ...house
}: FacesOptions): Promise<Serving> {
  const { host, port } = config;
  let serving: Serving | null = null;
  const closed = databaseUnavailable(house.health);
  let app: RequestListener | null = null;
  /** The engine that the app was built on; another ledger brings another one. */
  let behind: Engine | null = null;

  // Standard output is the console of whoever started us, and the journal where systemd did.
  const tellSetupCode = (code: string) => process.stdout.write(`${setupGreeting(host, port, code)}\n`);

  function openApp(): RequestListener | null {
    const engine = findEngine();
    behind = engine;
    if (engine === null) return null;
    const setup = createSetupCode(tellSetupCode);
    if (!engine.people.site().isSetUp) tellSetupCode(setup.text);
    return createApp({
      ...house,
      engine,
      setup,
      scheduler: realScheduler,
      settings: { trustProxy: config.trust_proxy, rateLimits: config.rate_limits, hosts: [host] },
      webDirectory: join(productDirectory, 'dist', 'web'),
      phoneAddress: () => phoneAddress(host, serving?.port() ?? port),
    });
  }

  const listener: RequestListener = (request, response) => {
    if (app === null || behind !== findEngine()) app = openApp();
    (app ?? closed)(request, response);
  };
  app = openApp();
  const opened = await startServing({ listener, host, port, tell });
  serving = opened;
  const stopSweeping = keepPicturesSwept(findEngine, house.log);
  return {
    port: opened.port,
    hangUp: opened.hangUp,
    close(withinMs) {
      stopSweeping();
      return opened.close(withinMs);
    },
  };
}

/** Files of cancelled drinks' pictures, and what a power cut left of an upload, go now and every hour. */
function keepPicturesSwept(findEngine: FacesOptions['engine'], log: FacesOptions['log']): () => void {
  const sweep = () => {
    const swept = findEngine()?.pictures.sweep();
    swept?.catch((err: unknown) => log.warn({ err }, 'old pictures could not be removed'));
  };
  sweep();
  return realScheduler.every(sweepMs, sweep);
}
