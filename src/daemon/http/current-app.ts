import type { EventBus } from '../../core/event-bus.ts';

/**
 * Returns the function that gives the app of the open database, made by `openApp` on the first request after the database
 * was opened. The app of the database before is then unsubscribed from the bus, which would keep it and its engine in
 * memory and make it read a closed database.
 */
export function createCurrentApp<Engine extends object, App>(
  bus: EventBus,
  openApp: (engine: Engine, bus: EventBus) => App,
): (engine: Engine) => App {
  let current: { readonly engine: Engine; readonly app: App } | null = null;
  let unsubscribers: (() => void)[] = [];

  /** The bus, on which a later app replaces this one's listeners. */
  const appBus: EventBus = {
    publish: bus.publish,
    on(type, listener) {
      const unsubscribe = bus.on(type, listener);
      unsubscribers.push(unsubscribe);
      return unsubscribe;
    },
  };

  return (engine) => {
    if (current?.engine === engine) return current.app;
    for (const unsubscribe of unsubscribers) unsubscribe();
    unsubscribers = [];
    const app = openApp(engine, appBus);
    current = { engine, app };
    return app;
  };
}
