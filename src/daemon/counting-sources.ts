import type { Extension } from '../extensions/extension.ts';
import type { Counting } from '../services/counting/counting.ts';
import type { DatabaseLifecycle } from '../services/database/database-lifecycle.ts';
import type { BaseServices } from './base-services.ts';

/** How long the pours of the sources of these extensions stay open for them, milliseconds; null without one. */
export function sourceReturnMs(on: readonly Extension[]): number | null {
  const times = on.flatMap(({ countingSource }) => countingSource?.returnMs ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/** Starts the sources of pours of these extensions, besides the pins. */
export async function startCountingSources(
  on: readonly Extension[],
  base: BaseServices,
  database: Pick<DatabaseLifecycle, 'requireEngine'>,
  counting: Counting,
): Promise<void> {
  for (const { name, healthPart = name, countingSource } of on) {
    if (countingSource === undefined) continue;
    const start = await countingSource.load();
    counting.addSource(
      start({
        ...base,
        findFacts: counting.findFacts,
        keptCounters: counting.keptCounters,
        reportProblem: base.reporters(healthPart),
        hardware: () => database.requireEngine().taps.hardware,
        interruptedPours: counting.takeInterruptedPours(),
        returnMs: countingSource.returnMs,
      }),
    );
  }
}
