import type { RequestListener } from 'node:http';
import type { Command, CommandEntry } from '../cli/command.ts';
import type { Config } from '../config/schema.ts';
import { type SettingsGroup, settingsOf } from '../config/settings-group.ts';
import type { EngineExtension, EngineHooks, KeptData } from '../engine/extension.ts';
import type { ClockFollower } from '../engine/shared/clock-follower.ts';
import type { UndoKind } from '../engine/shared/corrections/undo-kinds.ts';
import type { EngineParts } from '../engine/shared/parts.ts';
import type { ExtensionApi, ExtensionRoutes, HttpExtension, HttpExtensions } from '../http/extension.ts';
import type { Route } from '../http/routes/route.ts';
import type { ExtensionMail } from '../outbox/mail/own-mails.ts';
import type {
  CountingSource,
  CountingSourceDefinition,
  CountingSourceParts,
} from '../services/counting/counting-source.ts';
import type { StoreExtension } from '../store/extension.ts';
import type { Finding } from '../system/health/finding.ts';
import type {
  ApiParts,
  BackgroundService,
  CommandParts,
  ConfiguredContext,
  ListenerParts,
  RouteParts,
  StartContext,
} from './contexts.ts';

export type {
  ApiParts,
  BackgroundService,
  CommandParts,
  ConfiguredContext,
  ListenerParts,
  RouteParts,
  RunningMachine,
  StartContext,
} from './contexts.ts';

/**
 * Handles requests to one address outside `/api`, beside the app: also while the database is closed. It decides by itself who may
 * ask, and how often.
 */
interface ListenerDefinition<Background, Settings> {
  readonly path: string;
  /** The sentence that answers, with 404, while the extension is off. */
  readonly whenOff: string;
  /** Loads it once HTTP is served; called only while the background service runs. */
  readonly load: () => Promise<
    (parts: ListenerParts<Background, Settings>) => RequestListener | Promise<RequestListener>
  >;
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

/** A check of an extension, which also has its own group of the settings file. */
interface DoctorCheckDefinition<Settings> extends Pick<DoctorCheck, 'title'> {
  load(): Promise<(settings: Settings, config: Config) => Finding[] | Promise<Finding[]>>;
}

/** A source of pours that is started with its own group of the settings file. */
interface SourceDefinition<Settings> extends Pick<CountingSourceDefinition, 'returnMs'> {
  load(): Promise<(parts: CountingSourceParts & { readonly settings: Settings }) => CountingSource>;
}

/**
 * What an extension adds to the base. What is written as a function that imports is loaded only while the extension is on;
 * tables are in every database.
 */
interface Definition<Tables, Services, Background, Settings> extends StoreExtension<Tables>, HttpExtension {
  readonly isOnByDefault: boolean;
  /** Its group of the settings file. */
  readonly settings?: SettingsGroup<Settings>;
  /** Whether that group sets it up, for a feature that only the settings file sets up: on when it does, else off. */
  readonly isConfigured?: (settings: Settings) => boolean;
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
  readonly start?: () => Promise<(context: ConfiguredContext<Services, Settings>) => Background>;
  /** True to start it before anything is counted, so that it misses nothing; it loads little. The database may be closed. */
  readonly startsBeforeCounting?: true;
  /** Its address outside `/api`. */
  readonly listener?: ListenerDefinition<Background, Settings>;
  /** A source of pours besides the pins. Counting starts and ends with it: only for what `needsConfiguration`. */
  readonly countingSource?: SourceDefinition<Settings>;
  readonly doctorCheck?: DoctorCheckDefinition<Settings>;
}

/** An extension; the types tell its engine services and its background service. */
export interface Extension<Services = unknown, Background = unknown>
  extends EngineExtension<Services>,
    HttpExtension {
  readonly healthPart?: string;
  readonly texts?: readonly string[];
  readonly settings?: SettingsGroup;
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
  readonly listener?: Pick<ListenerDefinition<unknown, unknown>, 'path' | 'whenOff'> & {
    load(parts: Omit<ListenerParts<unknown>, 'settings'>): Promise<RequestListener>;
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
export function defineExtension<Tables, Services, Background extends BackgroundService, Settings>(
  definition: Definition<Tables, Services, Background, Settings>,
): Extension<Services, Background> {
  const { name, services, hooks, routes, apis, start, listener, ...others } = definition;
  const { undoKinds, clockFollowers, setAsidePours, commands = [], ...rest } = others;
  const { isConfigured, countingSource, doctorCheck, ...facts } = rest;
  const { settings } = definition;
  /** Undefined without a group. */
  const ownSettings = (config: Config) =>
    (settings === undefined ? undefined : settingsOf(config, settings)) as Settings;
  const extension: Extension<Services, Background> = {
    ...facts,
    name,
    ...(isConfigured && { isConfigured: (config) => isConfigured(ownSettings(config)) }),
    ...(listener && {
      listener: {
        ...listener,
        load: async (parts) =>
          (await listener.load())({
            ...parts,
            settings: ownSettings(parts.config),
            background: parts.background as Background,
          }),
      },
    }),
    ...(countingSource && {
      countingSource: {
        ...countingSource,
        async load() {
          const begin = await countingSource.load();
          return (parts) => begin({ ...parts, settings: ownSettings(parts.config) });
        },
      },
    }),
    ...(doctorCheck && {
      doctorCheck: {
        ...doctorCheck,
        async load() {
          const check = await doctorCheck.load();
          return (config) => check(ownSettings(config), config);
        },
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
      const own = { ...(context as StartContext<Services>), settings: ownSettings(context.config) };
      return begin?.(own) ?? null;
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
