import type { Config } from '../config/schema.ts';
import type { Condition } from '../core/alarms/condition.ts';
import type { Clock, Moment } from '../core/clock/moment.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Measuring } from '../core/measurements.ts';
import type { Engine } from '../engine/engine.ts';
import type { RouteServices } from '../http/services.ts';
import type { Log, ReportProblem, Scheduler } from '../outbox/outbox-interfaces.ts';
import type { RunningTransport, Transport } from '../outbox/transport.ts';
import type { MachineState } from '../services/machine-state.ts';
import type { FeatureValves } from '../services/valves/feature-valves.ts';
import type { ValveControl } from '../services/valves/valve-control.ts';

/** What runs beside the engine while an extension is on. */
export interface BackgroundService {
  /** Ends it; what it has not finished is done at the next start. */
  close(): Promise<void> | void;
  /** Whether the server is connected that it keeps a connection to; null while it keeps none. */
  isConnected?(): boolean | null;
  /** Conditions that may raise alarms and that the engine does not know; asked once a minute while the database is open. */
  alarmConditions?(now: Moment): readonly Condition[];
}

/** What this machine offers once it counts and sends. */
export interface RunningMachine {
  readonly state: MachineState;
  /** The valves as staff switch them. */
  readonly valves: Pick<ValveControl, 'openManually' | 'shut'>;
  /** The relays that the extension itself keeps open. */
  readonly ownValves: FeatureValves;
  /** Ends the running pour of a meter: what flows from now on is another one. */
  readonly endPour: (meter: string) => void;
  /** The newest version of the program that is known; null for a checkout. */
  readonly latestVersion: () => string | null;
  /** Sends messages of one more kind from the outbox; what fails is a problem of the extension. */
  readonly addTransport: (transport: Transport) => RunningTransport;
}

/** What a background service is started with. */
export interface StartContext<Services> {
  readonly config: Config;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** The engine of the open database; null while it cannot be opened. */
  readonly engine: () => Engine | null;
  /** The extension's own services; null while the database cannot be opened. */
  readonly services: () => Services | null;
  /** Full names of the meters of this machine and the boards at it. */
  readonly meterNames: () => readonly string[];
  /** Throws for what starts before anything is counted. */
  readonly machine: () => RunningMachine;
  /** Reports lasting problems as a part of the machine's health; what it reported ends when the extension is switched off. */
  readonly reportProblem: ReportProblem;
  /** Another reporter of that part: one that reports none hides no other's problem. */
  readonly createReporter: () => ReportProblem;
  /** Tells how long the base's own work takes, and how it ends. */
  readonly measuring: Pick<Measuring, 'begin'>;
}

/** The same for an extension with a group of the settings file. */
export interface ConfiguredContext<Services, Settings> extends StartContext<Services> {
  /** The extension's own group of the settings file. */
  readonly settings: Settings;
}

/** What a listener is made with. */
export interface ListenerParts<Background, Settings = unknown> {
  readonly config: Config;
  /** The extension's own group of the settings file. */
  readonly settings: Settings;
  readonly log: Log;
  /** Names of this host beside its own host name. */
  readonly hosts: readonly string[];
  readonly machine: MachineState;
  /** The extension's background service. */
  readonly background: Background;
}

/** What the routes of an extension are made with. */
export interface RouteParts<Services, Background> extends RouteServices {
  /** The extension's own services. */
  readonly servicesOf: (engine: Engine) => Services;
  /** Its background service. Throws `unavailable` before it is started. */
  readonly background: () => Background;
}

/** What the APIs of an extension are made with. */
export interface ApiParts<Services> {
  /** The extension's own services. */
  readonly servicesOf: (engine: Engine) => Services;
}

/** What the commands of an extension are made with. */
export interface CommandParts<Services> {
  /** The name of the extension. */
  readonly feature: string;
  /** The extension's own services. Throws `feature_off` unless it is on. */
  readonly servicesOf: (engine: Engine) => Services;
}
