import type { Clock } from '../../../core/clock/moment.ts';
import type { EventBus } from '../../../core/event-bus.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Logger } from '../../../system/log/log.ts';

/** Weights are stored in batches, as temperatures are: a power cut loses those of ten minutes at most. */
const minutesPerBatch = 10;

/** Tells the scales when beer runs, and stores their weights. */
export function createScaleService({
  bus,
  clock,
  engine,
  log,
}: {
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  readonly log: Pick<Logger, 'warn'>;
}) {
  let minutes = 0;
  const noteFlow = (meter: string, isRunning: boolean) =>
    engine()?.scales.noteFlow(meter, clock.now(), isRunning);
  const unsubscribers = [
    bus.on('pour.started', ({ meter }) => noteFlow(meter, true)),
    bus.on('pour.flowing', ({ meter }) => noteFlow(meter, true)),
    bus.on('pour.ended', ({ pour }) => noteFlow(pour.meter, false)),
    bus.on('pour.dripped', ({ meter }) => noteFlow(meter, false)),
    bus.on('pour.stopped', ({ meter }) => noteFlow(meter, false)),
    bus.on('drink.recorded', ({ drink }) => engine()?.scales.noteDrink(drink, clock.now())),
    bus.on('database.closing', flush),
  ];

  function flush(): void {
    try {
      engine()?.scales.flush();
    } catch (err) {
      // They wait for the next batch.
      log.warn({ err }, 'weights could not be stored');
    }
  }

  return {
    everyMinute(): void {
      minutes += 1;
      if (minutes % minutesPerBatch === 0) flush();
    },
    /** Stores the weights that wait. */
    close(): void {
      for (const unsubscribe of unsubscribers) unsubscribe();
      flush();
    },
  };
}
