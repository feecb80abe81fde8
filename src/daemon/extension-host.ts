import type { RequestListener } from 'node:http';
import type { Condition } from '../core/alarms/condition.ts';
import { AppError } from '../core/app-error.ts';
import type { Moment } from '../core/clock/moment.ts';
import { createTaskQueue } from '../core/task-queue.ts';
import { type Engine, type EngineExtensions, loadExtensions } from '../engine/engine.ts';
import type { BackgroundService, Extension, ListenerParts } from '../extensions/extension.ts';
import type { ExtensionApi, ExtensionRoutes, HttpExtensions } from '../http/extension.ts';
import type { HostedContext } from './extension-context.ts';

/** Loads the extensions that are on, and starts and stops what they run in the background. */
export type ExtensionHost = ReturnType<typeof createExtensionHost>;

export function createExtensionHost(all: readonly Extension[]) {
  const routesByName = new Map<string, ExtensionRoutes>();
  const apisByName = new Map<string, readonly ExtensionApi[]>();
  const backgrounds = new Map<string, BackgroundService>();
  const queue = createTaskQueue();
  const listeners = new Map<string, RequestListener>();
  let listenerParts: Omit<ListenerParts<unknown>, 'background' | 'settings'> | null = null;
  let contextOf: ((extension: Extension) => HostedContext) | null = null;
  const contexts = new Map<string, HostedContext>();

  async function loadRoutes(on: readonly string[]): Promise<void> {
    for (const extension of all) {
      if (!on.includes(extension.name) || routesByName.has(extension.name)) continue;
      apisByName.set(extension.name, await extension.loadApis());
      routesByName.set(extension.name, await extension.loadRoutes());
    }
  }

  async function loadListener({ name, listener }: Extension, background: BackgroundService): Promise<void> {
    if (listener === undefined || listenerParts === null) return;
    listeners.set(name, await listener.load({ ...listenerParts, background }));
  }

  async function startOne(extension: Extension): Promise<void> {
    if (contextOf === null) return;
    const context = contextOf(extension);
    const started = await extension.start(context);
    if (started === null) return;
    contexts.set(extension.name, context);
    backgrounds.set(extension.name, started);
    await loadListener(extension, started);
  }

  async function stopOne(name: string, running: BackgroundService): Promise<void> {
    backgrounds.delete(name);
    listeners.delete(name);
    await running.close();
    // Not when the daemon stops: nothing works again then.
    if (contextOf !== null) contexts.get(name)?.endProblems();
    contexts.delete(name);
  }

  /** One after the other: the last engine decides. */
  const followEngine = (engine: Engine): Promise<void> =>
    queue.run(() => startAndStop(engine.site.features.on()));

  async function startAndStop(on: readonly string[]): Promise<void> {
    for (const extension of all) {
      const { name } = extension;
      const running = backgrounds.get(name);
      if (running !== undefined && !on.includes(name)) await stopOne(name, running);
      if (running === undefined && on.includes(name)) await startOne(extension);
    }
  }

  return {
    all,

    /** Loads the services of those that are on, and their routes once HTTP is served. */
    async load(isOn: (extension: Extension) => boolean): Promise<EngineExtensions> {
      const on = all.filter(isOn);
      if (listenerParts !== null) await loadRoutes(on.map(({ name }) => name));
      return loadExtensions(all, ({ name }) => on.some((one) => one.name === name));
    },

    /** From now on their routes and listeners are loaded, too; resolves when those of `engine` are. */
    async serveHttp(engine: Engine | null, parts: typeof listenerParts & {}): Promise<void> {
      listenerParts = parts;
      if (engine !== null) await loadRoutes(engine.site.features.on());
      await queue.run(async () => {
        for (const extension of all) {
          const running = backgrounds.get(extension.name);
          if (running !== undefined) await loadListener(extension, running);
        }
      });
    },

    /** The extension with the address of a request outside `/api`, and what answers while it is on; null for other addresses. */
    findListener(url = ''): { readonly whenOff: string; readonly listener: RequestListener | null } | null {
      const path = url.split('?', 1)[0];
      const found = all.find(({ listener }) => listener?.path === path);
      if (found?.listener === undefined) return null;
      return { whenOff: found.listener.whenOff, listener: listeners.get(found.name) ?? null };
    },

    /** The routes of the extensions that are on. */
    routesOf: (engine: Engine): HttpExtensions => ({
      all,
      get routes() {
        return engine.site.features.on().flatMap((name) => routesByName.get(name) ?? []);
      },
      get apis() {
        return engine.site.features.on().flatMap((name) => apisByName.get(name) ?? []);
      },
    }),

    /** Starts those of `on` that are to miss nothing that is counted. */
    startBeforeCounting(
      on: readonly string[],
      context: (extension: Extension) => HostedContext,
    ): Promise<void> {
      contextOf = context;
      return queue.run(async () => {
        for (const extension of all)
          if (extension.startsBeforeCounting && on.includes(extension.name)) await startOne(extension);
      });
    },

    /** Starts what runs in the background of those that are on. */
    async start(engine: Engine | null, context: (extension: Extension) => HostedContext): Promise<void> {
      contextOf = context;
      if (engine !== null) await followEngine(engine);
    },

    /** Starts and stops what runs in the background as the features of `engine` say. */
    followEngine,

    /** What an extension runs in the background. Throws `unavailable` before it is started. */
    backgroundOf({ name }: { readonly name: string }): BackgroundService {
      const running = backgrounds.get(name);
      if (running === undefined) throw new AppError('unavailable', `${name} is not started yet.`);
      return running;
    },

    /** Whether the server is connected that an extension keeps a connection to, by the name of the extension. */
    connections(): ReadonlyMap<string, boolean> {
      const known = new Map<string, boolean>();
      for (const [name, running] of backgrounds) {
        const isConnected = running.isConnected?.() ?? null;
        if (isConnected !== null) known.set(name, isConnected);
      }
      return known;
    },

    /** Conditions that may raise alarms, of what runs in the background. */
    alarmConditions: (now: Moment): readonly Condition[] =>
      [...backgrounds.values()].flatMap((running) => running.alarmConditions?.(now) ?? []),

    close(): Promise<void> {
      contextOf = null;
      return queue.run(() => startAndStop([]));
    },
  };
}
