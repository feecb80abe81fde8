import type { EventBus } from '../core/event-bus.ts';
import type { HealthReport } from '../core/health/own-health.ts';
import type { AdminService } from './admin-ports.ts';
import type { HardwareService } from './hardware-ports.ts';
import type { HttpsAdmin } from './https-ports.ts';
import type { LiveHub } from './live/hub.ts';
import type { PendingPolls } from './pending-polls.ts';
import type {
  AlarmService,
  DemoService,
  LatestTemperature,
  Log,
  MailTester,
  ManualValves,
  MeterStatus,
  RunningPour,
  Scheduler,
  SettableClock,
  Simulator,
  WebhookTester,
} from './ports.ts';
import type { LoginDelay } from './server/login-delay.ts';
import type { SetupCode } from './setup-code.ts';
import type { UpdatesAdmin } from './updates-ports.ts';
import type { WiringService } from './wiring-ports.ts';

/** The services outside the engine that the HTTP layer uses; the daemon creates them. */
export interface HttpServices {
  readonly bus: EventBus;
  readonly clock: SettableClock;
  readonly log: Log;
  readonly scheduler: Scheduler;
  readonly health: { report(): HealthReport };
  readonly counting: {
    /** Running pours by full meter name. */
    runningPours(): ReadonlyMap<string, RunningPour>;
    /** State of the meters of this machine and its serial boards. */
    meterStatuses(): readonly MeterStatus[];
    /** Ends the running pour of a meter: what flows from now on is another one. */
    endPour(meter: string): void;
  };
  readonly thermo: {
    /** Latest readings of our own thermo sensors by name; the database gets them minutes later. */
    latestTemperatures(): ReadonlyMap<string, LatestTemperature>;
  };
  readonly valves: ManualValves;
  readonly wiring: WiringService;
  /** Meters and relays on pins of this machine. */
  readonly machineHardware: HardwareService;
  /** Backups, log, bug report and restore. */
  readonly admin: AdminService;
  readonly outbox: {
    readonly mailTester: MailTester;
    readonly webhookTester: WebhookTester;
    readonly alarms: AlarmService;
  };
  readonly https: HttpsAdmin;
  /** What an extension runs in the background; throws `unavailable` before it is started. */
  readonly backgroundOf: (extension: { readonly name: string }) => unknown;
  /** The versions of this machine: which one runs, what is under way, and how the last change ended. */
  readonly updates: UpdatesAdmin;
  /** Null unless this is the demo: simulated pins and no settings file. */
  readonly demo: DemoService | null;
  /** Null unless the pins are simulated. */
  readonly simulator: Simulator | null;
}

/** The services that routes of the current API use: each route takes those that it needs. */
export interface RouteServices extends HttpServices {
  readonly live: LiveHub;
  readonly pendingPolls: PendingPolls;
  /** Null when login attempts are not limited. */
  readonly loginDelay: LoginDelay | null;
  readonly setup: SetupCode;
}
