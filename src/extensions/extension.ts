import type { RequestListener } from 'node:http';
import type { Command, CommandEntry } from '../cli/command.ts';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../core/clock/moment.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Measuring } from '../core/measurements.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineExtension, EngineHooks, KeptData } from '../engine/extension.ts';
import type { ClockFollower } from '../engine/shared/clock-follower.ts';
import type { UndoKind } from '../engine/shared/corrections/undo-kinds.ts';
import type { EngineParts } from '../engine/shared/parts.ts';
import type { ExtensionApi, ExtensionRoutes, HttpExtension, HttpExtensions } from '../http/extension.ts';
import type { Route } from '../http/routes/route.ts';
import type { RouteServices } from '../http/services.ts';
import type { ExtensionMail } from '../outbox/mail/own-mails.ts';
import type { Log, ReportProblem, Scheduler } from '../outbox/outbox-interfaces.ts';
import type { RunningTransport, Transport } from '../outbox/transport.ts';
import type { CountingSourceDefinition } from '../services/counting/counting-source.ts';
import type { MachineState } from '../services/machine-state.ts';
import type { FeatureValves } from '../services/valves/feature-valves.ts';
import type { ValveControl } from '../services/valves/valve-control.ts';
import type { StoreExtension } from '../store/extension.ts';
import type { Finding } from '../system/health/finding.ts';

/** What runs beside the engine while an extension is on. */
export interface BackgroundService {
  /** Ends it; what it has not finished is done at the next start. */
  close(): Promise<void> | void;
  /** Whether the server is connected that it keeps a connection to; null while it keeps none. */
  isConnected?(): boolean | null;
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

/** What a listener is made with. */
export interface ListenerParts<Background> {
  readonly config: Config;
  readonly log: Log;
  /** Names of this host beside its own host name. */
  readonly hosts: readonly string[];
  readonly machine: MachineState;
  /** The extension's background service. */
  readonly background: Background;
}

/**
 * Handles requests to one address outside `/api`, beside the app: also while the database is closed. It decides by itself who may
 * ask, and how often.
 */
interface ListenerDefinition<Background> {
  readonly path: string;
  /** The sentence that answers, with 404, while the extension is off. */
  readonly whenOff: string;
  /** Loads it once HTTP is served; called only while the background service runs. */
  readonly load: () => Promise<
    (parts: ListenerParts<Background>) => RequestListener | Promise<RequestListener>
  >;
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

/** A command of an extension; it is listed also while the extension is off. */
interface ExtensionCommand<Services> extends Omit<CommandEntry, 'load'> {
  load(): Promise<(parts: CommandParts<Services>) => Command>;
}

/** A check of `tapster doctor`, which opens no database: it is made unless the settings file switches the feature off. */
interface DoctorCheck {
  readonly title: string;
  load(): Promise<(config: Config) => Finding[] | Promise<Finding[]>>;
}

/**
 * What an extension adds to the base. What is written as a function that imports is loaded only while the extension is on;
 * tables are in every database.
 */
interface Definition<Tables, Services, Background> extends StoreExtension<Tables>, HttpExtension {
  readonly isOnByDefault: boolean;
  /** Whether the settings file sets it up, for a feature that only the settings file sets up: on when it does, else off. */
  readonly isConfigured?: (config: Config) => boolean;
  /** True where it cannot work unless the settings file sets it up: only the file switches it. */
  readonly needsConfiguration?: true;
  /** The part of the machine's health that its background service reports; its name unless given. */
  readonly healthPart?: string;
  /** How the keys of its texts begin. */
  readonly texts?: readonly string[];
  /** Its engine services, from the base's parts and its own tables. */
  readonly services?: () => Promise<(parts: EngineParts, tables: Tables) => Services>;
  /** How its corrections are undone. This and the two below are loaded also while it is off: their file imports little, and no services. */
  readonly undoKinds?: () => Promise<readonly UndoKind[]>;
  /** What follows when a wrong clock is corrected, besides the times that its tables declare. */
  readonly clockFollowers?: () => Promise<readonly ClockFollower[]>;
  /** What becomes of the pours that it sets aside, for one of its `heldReasons` each. */
  readonly setAsidePours?: () => Promise<KeptData['setAsidePours']>;
  /** What it adds where the base asks. */
  readonly hooks?: (services: Services) => EngineHooks;
  /** How its mails are written. */
  readonly mails?: readonly ExtensionMail[];
  /** Its routes of the current API. */
  readonly routes?: () => Promise<(parts: RouteParts<Services, Background>) => readonly Route[]>;
  /** Its APIs beside the current one. Their addresses below `/api` are also in `addresses`. */
  readonly apis?: () => Promise<(parts: ApiParts<Services>) => readonly ExtensionApi[]>;
  /** Its commands, in the order in which they are listed. */
  readonly commands?: readonly ExtensionCommand<Services>[];
  /** Starts what runs in the background. */
  readonly start?: () => Promise<(context: StartContext<Services>) => Background>;
  /** True to start it before anything is counted, so that it misses nothing; it loads little. The database may be closed. */
  readonly startsBeforeCounting?: true;
  /** Its address outside `/api`. */
  readonly listener?: ListenerDefinition<Background>;
  /** A source of pours besides the pins. Counting starts and ends with it: only for what `needsConfiguration`. */
  readonly countingSource?: CountingSourceDefinition;
  readonly doctorCheck?: DoctorCheck;
}

/** An extension; the types tell its engine services and its background service. */
export interface Extension<Services = unknown, Background = unknown>
  extends EngineExtension<Services>,
    HttpExtension {
  readonly healthPart?: string;
  readonly texts?: readonly string[];
  readonly isConfigured?: (config: Config) => boolean;
  readonly needsConfiguration?: true;
  readonly mails?: readonly ExtensionMail[];
  readonly commands: readonly CommandEntry[];
  /** Loads its routes; called only while it is on. */
  loadRoutes(): Promise<ExtensionRoutes>;
  /** Loads its APIs beside the current one; called only while it is on. */
  loadApis(): Promise<readonly ExtensionApi[]>;
  readonly startsBeforeCounting?: true;
  readonly countingSource?: CountingSourceDefinition;
  readonly doctorCheck?: DoctorCheck;
  /** Its address outside `/api`; `load` is called only while its background service runs. */
  readonly listener?: Pick<ListenerDefinition<unknown>, 'path' | 'whenOff'> & {
    load(parts: ListenerParts<unknown>): Promise<RequestListener>;
  };
  /** Loads and starts what runs in the background; null without. Called only while it is on. */
  start(context: StartContext<unknown>): Promise<(Background & BackgroundService) | null>;
}

/** The features that the settings file decides about, by name: by `features`, or by setting them up. */
export function configuredFeatures(
  all: readonly Pick<Extension, 'name' | 'isConfigured' | 'needsConfiguration'>[],
  config: Config,
): Readonly<Record<string, boolean>> {
  const setUp = all.flatMap(({ name, isConfigured, needsConfiguration = false }) => {
    const isSetUp = isConfigured?.(config) ?? false;
    if (isSetUp) return [[name, config.features[name] ?? true] as const];
    return needsConfiguration ? [[name, false] as const] : [];
  });
  return { ...config.features, ...Object.fromEntries(setUp) };
}

/** Declares an extension. It is then listed in `all.ts`. */
export function defineExtension<Tables, Services, Background extends BackgroundService>(
  definition: Definition<Tables, Services, Background>,
): Extension<Services, Background> {
  const { name, services, hooks, routes, apis, start, listener, ...others } = definition;
  const { undoKinds, clockFollowers, setAsidePours, commands = [], ...facts } = others;
  const extension: Extension<Services, Background> = {
    ...facts,
    name,
    ...(listener === undefined
      ? {}
      : {
          listener: {
            ...listener,
            load: async (parts) =>
              (await listener.load())({ ...parts, background: parts.background as Background }),
          },
        }),
    async load() {
      const create = await services?.();
      return {
        name,
        createServices: (parts) => create?.(parts, parts.store.tablesOf(definition)) as Services,
        hooks: (own) => hooks?.(own) ?? {},
      };
    },
    loadKeptData: async () => ({
      undoKinds: (await undoKinds?.()) ?? [],
      clockFollowers: (await clockFollowers?.()) ?? [],
      setAsidePours: (await setAsidePours?.()) ?? [],
    }),
    commands: commands.map(({ load, ...listed }) => ({
      ...listed,
      load: async () =>
        (await load())({ feature: name, servicesOf: (engine) => engine.serviceOf(extension) }),
    })),
    async loadRoutes() {
      const create = await routes?.();
      return (base) =>
        create?.({
          ...base,
          servicesOf: (engine) => engine.serviceOf(extension),
          background: () => base.backgroundOf(extension) as Background,
        }) ?? [];
    },
    async loadApis() {
      const create = await apis?.();
      return create?.({ servicesOf: (engine) => engine.serviceOf(extension) }) ?? [];
    },
    async start(context) {
      const begin = await start?.();
      return begin?.(context as StartContext<Services>) ?? null;
    },
  };
  return extension;
}

/** The extensions with the routes and APIs of all; for documents and tests of the whole API. */
export async function loadHttpExtensions(all: readonly Extension[]): Promise<HttpExtensions> {
  const apis = await Promise.all(all.map((extension) => extension.loadApis()));
  return {
    all,
    routes: await Promise.all(all.map((extension) => extension.loadRoutes())),
    apis: apis.flat(),
  };
}
