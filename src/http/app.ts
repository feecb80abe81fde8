import express, { type ErrorRequestHandler, type Express } from 'express';
import { AppError } from '../core/app-error.ts';
import { chooseLanguage, defaultLanguage } from '../core/locales/choose-language.ts';
import type { Engine } from '../engine/engine.ts';
import { listLanguages } from '../system/catalogues.ts';
import { productVersion } from '../system/product.ts';
import { currentApi } from './current/api.ts';
import { answerApisOf, type HttpExtensions, noExtensions } from './extension.ts';
import { healthRoute } from './health.ts';
import { allowHttpsCheck, httpsFiles } from './https-files.ts';
import { legacyApi } from './legacy-v1/api.ts';
import { createLiveHub } from './live/hub.ts';
import { createOdometer } from './live/odometer.ts';
import { snapshotForGuests, snapshotMessage } from './live/snapshot.ts';
import { pageRoutes } from './page.ts';
import { createPageAddresses } from './page-addresses.ts';
import { createPendingPolls } from './pending-polls.ts';
import type { MountOptions } from './pipeline/context.ts';
import { mountApi } from './pipeline/pipeline.ts';
import { sendJson } from './pipeline/reply.ts';
import type { Log } from './ports.ts';
import { createLimits, noLimits } from './server/limits.ts';
import { LoginDelay } from './server/login-delay.ts';
import { createRefusedBodies } from './server/refusals/refused-bodies.ts';
import { securityHeaders, setHeaders } from './server/security-headers.ts';
import type { HttpServices } from './services.ts';
import { createSetupCode, type SetupCode } from './setup-code.ts';

/** What the HTTP app is created with. */
export interface AppOptions {
  /** The engine of the open database; a database that was replaced gets an app of its own. */
  readonly engine: Engine;
  readonly services: HttpServices;
  /** The code that the set-up page requires; the daemon prints it on its console. */
  readonly setup?: SetupCode;
  readonly settings: {
    /** Use `X-Forwarded-For`, `-Host` and `-Proto` of one proxy. */
    readonly trustProxy: boolean;
    readonly rateLimits: boolean;
    /** Whether repeated refusals of long bodies are answered late; default true. */
    readonly holdsRefusedBodies?: boolean;
    /** Names of this host beside its own host name. */
    readonly hosts: readonly string[];
    /** Origins whose pages may use the current API with a key; none if absent. */
    readonly corsOrigins?: readonly string[];
  };
  /** URL of the page for a phone in the same network; null if only this machine reaches it, absent if unknown. */
  phoneAddress?(): string | null;
  /** The extensions of the program, with the routes of those that are on; none by default. */
  readonly extensions?: HttpExtensions;
  /** Folder of the built page; it may not exist yet. */
  readonly webDirectory: string;
  /** True in tests: a reply that differs from its schema is answered as an error. */
  readonly checkReplies?: boolean;
}

/** Creates the Express app with `/healthz`, `/api/v1/`, `/api/` and the page. */
export function createApp(options: AppOptions): Express {
  const { engine, services, settings, setup = createSetupCode(), extensions = noExtensions } = options;
  const { bus, clock, log, scheduler } = services;
  const live = createLiveHub({
    bus,
    clock,
    scheduler,
    snapshot: () => snapshotMessage(options),
    forGuests: snapshotForGuests,
    pour: createOdometer(engine, bus, services.counting),
  });
  const pendingPolls = createPendingPolls({ bus, scheduler, clock });
  const mountOptions: MountOptions = {
    engine,
    clock,
    log,
    https: services.https,
    limits: settings.rateLimits ? createLimits() : noLimits,
    ...(settings.holdsRefusedBodies !== false && { refusedBodies: createRefusedBodies(services) }),
    hosts: settings.hosts,
    corsOrigins: settings.corsOrigins ?? [],
    checkReplies: options.checkReplies ?? false,
  };

  const app = express();
  app.enable('case sensitive routing');
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', settings.trustProxy ? 1 : false);
  const headers = securityHeaders();
  // First, since controllers send most of the requests. It writes the headers itself, together with its own.
  app.use(legacyApi.prefix, mountApi(legacyApi, { ...mountOptions, headers }));
  app.use(setHeaders(headers));
  app.all(
    '/healthz',
    healthRoute(
      services.health.report,
      () => engine.users.site().privacy,
      () => ({
        version: productVersion(),
        pours: services.counting.runningPours().size + services.valves.open().length,
      }),
    ),
  );
  app.use(answerApisOf(extensions, mountOptions));
  const loginDelay = settings.rateLimits ? new LoginDelay(scheduler, () => clock.now().monoMs) : null;
  const current = currentApi({ ...services, live, pendingPolls, loginDelay, setup }, { extensions });
  app.use(current.prefix, mountApi(current, mountOptions));
  app.use(httpsFiles(services.https));
  app.use(allowHttpsCheck(services.https, settings.hosts));
  const isPageAddress = createPageAddresses(extensions.all.flatMap(({ pages = [] }) => pages));
  app.use(pageRoutes(options.webDirectory, isPageAddress, () => findSiteLanguage(engine)));
  app.use(handleError(log));
  return app;
}

/** The language of the site's setting if there are texts in it, else English, also while the database is not open. */
function findSiteLanguage(engine: Engine): string {
  try {
    return chooseLanguage([engine.users.site().locale], listLanguages());
  } catch {
    return defaultLanguage;
  }
}

/** Answers errors outside the APIs: a malformed address, an unreadable page. */
function handleError(log: Log): ErrorRequestHandler {
  return (fault, request, response, _next) => {
    const status: unknown = fault?.status;
    const isClientError = typeof status === 'number' && status >= 400 && status < 500;
    const isUnavailable = fault instanceof AppError && fault.code === 'unavailable';
    if (!isClientError && !isUnavailable)
      log.error({ err: fault, method: request.method, path: request.path }, 'a request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (isClientError)
      sendJson(response, 400, { error: { code: 'BadRequestError', message: 'The address is malformed.' } });
    else if (isUnavailable)
      sendJson(response, 503, { error: { code: 'ServerError', message: fault.message } });
    else sendJson(response, 500, { error: { code: 'ServerError', message: 'Internal error. See the log.' } });
  };
}
