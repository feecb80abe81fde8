import { AppError } from '../core/app-error.ts';
import { createTaskQueue } from '../core/task-queue.ts';
import { type Engine, type EngineExtensions, loadExtensions } from '../engine/engine.ts';
import type { BackgroundService, Extension, StartContext } from '../extensions/extension.ts';
import type { ExtensionRoutes, HttpExtensions } from '../http/extension.ts';

/** Loads the extensions that are on, and starts and stops what they run in the background. */
export type ExtensionHost = ReturnType<typeof createExtensionHost>;

export function createExtensionHost(all: readonly Extension[]) {
  const routesByName = new Map<string, ExtensionRoutes>();
  const backgrounds = new Map<string, BackgroundService>();
  const queue = createTaskQueue();
  let servesHttp = false;
  let contextOf: ((extension: Extension) => StartContext<unknown>) | null = null;

  async function loadRoutes(on: readonly string[]): Promise<void> {
    for (const extension of all) {
      if (!on.includes(extension.name) || routesByName.has(extension.name)) continue;
      routesByName.set(extension.name, await extension.loadRoutes());
    }
  }

  /** One after the other: the last engine decides. */
  const followEngine = (engine: Engine): Promise<void> => queue.run(() => startAndStop(engine.features.on));

  async function startAndStop(on: readonly string[]): Promise<void> {
    for (const extension of all) {
      const { name } = extension;
      const running = backgrounds.get(name);
      if (running !== undefined && !on.includes(name)) {
        backgrounds.delete(name);
        await running.close();
      }
      if (running === undefined && on.includes(name) && contextOf !== null) {
        const started = await extension.start(contextOf(extension));
        if (started !== null) backgrounds.set(name, started);
      }
    }
  }

  return {
    all,

    /** Loads the services of those that are on, and their routes once HTTP is served. */
    async load(isOn: (extension: Extension) => boolean): Promise<EngineExtensions> {
      const on = all.filter(isOn);
      if (servesHttp) await loadRoutes(on.map(({ name }) => name));
      return loadExtensions(all, ({ name }) => on.some((one) => one.name === name));
    },

    /** From now on their routes are loaded, too; resolves when those of `engine` are. */
    async serveHttp(engine: Engine | null): Promise<void> {
      servesHttp = true;
      if (engine !== null) await loadRoutes(engine.features.on);
    },

    /** The routes of the extensions that are on. */
    routesOf: (engine: Engine): HttpExtensions => ({
      all,
      routes: engine.features.on.flatMap((name) => routesByName.get(name) ?? []),
    }),

    /** Starts what runs in the background of those that are on. */
    async start(
      engine: Engine | null,
      context: (extension: Extension) => StartContext<unknown>,
    ): Promise<void> {
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

    close(): Promise<void> {
      contextOf = null;
      return queue.run(() => startAndStop([]));
    },
  };
}
