import type { Extension, StartContext } from '../extensions/extension.ts';
import type { DatabaseLifecycle } from '../services/database/database-lifecycle.ts';
import type { BaseServices } from './base-services.ts';

/** Returns the function that gives what the background service of an extension is started with. */
export const startContexts =
  (
    base: BaseServices,
    { engine }: Pick<DatabaseLifecycle, 'engine'>,
    meterNames: () => readonly string[] = () => [],
  ) =>
  (extension: Extension): StartContext<unknown> => ({
    ...base,
    engine,
    meterNames,
    services: () => engine()?.findService(extension) ?? null,
    reportProblem: base.reporters(extension.healthPart ?? extension.name),
  });
