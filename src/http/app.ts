import express, { type ErrorRequestHandler, type Express } from 'express';
import type { EventBus } from '../core/event-bus.ts';
import type { Engine } from '../engine/engine.ts';
import type { AdminService } from './admin-ports.ts';
import { LoginDelay } from './auth/login-delay.ts';
import { createSetupCode, type SetupCode } from './auth/setup-code.ts';
import { currentApi } from './current/api.ts';
import { deviceEventPaths, deviceEventsApi } from './device-events/api.ts';
import { healthRoute } from './health.ts';
import { legacyApi } from './legacy-v1/api.ts';
import { createLiveHub } from './live/hub.ts';
import { createOdometer } from './live/odometer.ts';
import { snapshotMessage } from './live/snapshot.ts';
import { pageRoutes } from './page.ts';
import { createPendingPolls } from './pending-polls.ts';
import type {
  HealthReport,
  LatestTemperature,
  Log,
  MailTester,
  ManualValves,
  MeterStatus,
  RunningPour,
  Scheduler,
  SettableClock,
  Simulator,
  UpstreamAdmin,
  WebhookTester,
} from './ports.ts';
import type { MountOptions } from './routes/exchange.ts';
import { mountApi } from './routes/mount.ts';
import { sendJson } from './routes/replies.ts';
import { fastPath } from './server/fast-path.ts';
import { createLimits, noLimits } from './server/limits.ts';
import { securityHeaders, setHeaders } from './server/security-headers.ts';
import type { WiringService } from './wiring-ports.ts';

/** What the HTTP app needs from the daemon. */
export interface AppOptions {
  readonly engine: Engine;
  readonly bus: EventBus;
  readonly clock: SettableClock;
  readonly log: Log;
  readonly scheduler: Scheduler;
  health(): HealthReport;
  /** Running pours by full meter name. */
  runningPours(): ReadonlyMap<string, RunningPour>;
  /** State of our own meters. */
  meterStatuses(): readonly MeterStatus[];
  /** Latest readings of our own thermo sensors by name; the database gets them minutes later. */
  latestTemperatures(): ReadonlyMap<string, LatestTemperature>;
  /** Present only with the simulated driver. */
  readonly simulator?: Simulator;
  /** Absent if no mail can be sent. */
  readonly mailTester?: MailTester;
  /** Absent if no webhook can be called. */
  readonly webhookTester?: WebhookTester;
  /** Absent without an upstream server. */
  readonly upstream?: UpstreamAdmin;
  /** Absent if this machine controls no valves. */
  readonly valves?: ManualValves;
  /** Absent if this machine has no wiring to report. */
  readonly wiring?: WiringService;
  /** Backups, log, bug report and restore. */
  readonly admin?: AdminService;
  /** The code that the set-up page requires; the daemon prints it on its console. */
  readonly setup?: SetupCode;
  readonly settings: {
    /** Use `X-Forwarded-For`, `-Host` and `-Proto` of one proxy. */
    readonly trustProxy: boolean;
    readonly rateLimits: boolean;
    /** Names of this host beside its own host name. */
    readonly hosts: readonly string[];
  };
  /** URL of the page for a phone in the same network; null if only this machine reaches it, absent if unknown. */
  phoneAddress?(): string | null;
  /** Folder of the built page; it may not exist yet. */
  readonly webDirectory: string;
  /** True in tests: a reply that differs from its schema is answered as an error. */
  readonly checkReplies?: boolean;
}

/** Creates the Express app with `/healthz`, `/api/v1/`, `/api/` and the page. */
export function createApp(options: AppOptions): Express {
  const { engine, bus, clock, log, scheduler, simulator, settings } = options;
  // Network kegboards count by themselves and report the progress of their pours.
  const runningPours = () => new Map([...options.runningPours(), ...engine.kegboards.running()]);
  const live = createLiveHub({
    bus,
    scheduler,
    snapshot: () => snapshotMessage({ ...options, runningPours, isSimulated: simulator !== undefined }),
    pour: createOdometer(engine, bus),
  });
  const pendingPolls = createPendingPolls({ bus, scheduler, clock });
  const mountOptions: MountOptions = {
    engine,
    clock,
    log,
    limits: settings.rateLimits ? createLimits() : noLimits,
    hosts: settings.hosts,
    checkReplies: options.checkReplies ?? false,
  };

  const app = express();
  app.enable('case sensitive routing');
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', settings.trustProxy ? 1 : false);
  const headers = securityHeaders();
  const legacyHandler = mountApi(legacyApi, { ...mountOptions, headers });
  // Controllers send most of the requests.
  app.use(fastPath(legacyApi.prefix, legacyHandler));
  app.use(setHeaders(headers));
  app.use(legacyApi.prefix, legacyHandler);
  app.all(
    '/healthz',
    healthRoute(options.health, () => engine.users.site().privacy),
  );
  app.all(deviceEventPaths, deviceEventsApi({ engine, clock, log }));
  const loginDelay = settings.rateLimits ? new LoginDelay(scheduler) : null;
  const current = currentApi({
    clock,
    live,
    pendingPolls,
    loginDelay,
    setup: options.setup ?? createSetupCode(),
    simulator,
    valves: options.valves,
    admin: options.admin,
    wiring: options.wiring,
    mailTester: options.mailTester,
    webhookTester: options.webhookTester,
    upstream: options.upstream,
  });
  app.use(current.prefix, mountApi(current, mountOptions));
  app.use(pageRoutes(options.webDirectory));
  app.use(handleError(log));
  return app;
}

/** Answers errors outside the APIs: a malformed address, an unreadable page. */
function handleError(log: Log): ErrorRequestHandler {
  return (fault, request, response, _next) => {
    const status: unknown = fault?.status;
    const isClientError = typeof status === 'number' && status >= 400 && status < 500;
    if (!isClientError)
      log.error({ err: fault, method: request.method, path: request.path }, 'a request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const error = isClientError
      ? { code: 'BadRequestError', message: 'The address is malformed.' }
      : { code: 'ServerError', message: 'Internal error. See the log.' };
    sendJson(response, isClientError ? 400 : 500, { error });
  };
}
