import type { BackgroundService, StartContext } from '../../extension.ts';
import type { ScaleServices } from '../engine/scale-services.ts';

const minuteMs = 60_000;
/** Weights are stored in batches, as temperatures are: a power cut loses those of ten minutes at most. */
const batchMs = 10 * minuteMs;
/** While more old readings are left than one step removes. */
const nextStepMs = 1_000;

type ScaleContext = Pick<
  StartContext<Pick<ScaleServices, 'scales'>>,
  'bus' | 'clock' | 'scheduler' | 'services' | 'log'
>;

/** Tells the scales when beer runs, stores their weights, and removes old ones. */
export function startScaleService({ bus, clock, scheduler, services, log }: ScaleContext): BackgroundService {
  let known = services()?.scales ?? null;
  let cancelStep = () => {};
  /** Those that were switched off last: what they have taken is still to be stored. Null while the database is closed. */
  const scales = () => {
    known = services()?.scales ?? known;
    return known;
  };
  const noteFlow = (meter: string, isRunning: boolean) => scales()?.noteFlow(meter, clock.now(), isRunning);
  const stops = [
    bus.on('pour.started', ({ meter }) => noteFlow(meter, true)),
    bus.on('pour.flowing', ({ meter }) => noteFlow(meter, true)),
    bus.on('pour.ended', ({ pour }) => noteFlow(pour.meter, false)),
    bus.on('pour.dripped', ({ meter }) => noteFlow(meter, false)),
    bus.on('pour.stopped', ({ meter }) => noteFlow(meter, false)),
    bus.on('drink.recorded', ({ drink }) => scales()?.noteDrink(drink, clock.now())),
    bus.on('features.changed', () => attempt('weights could not be stored', flush)),
    bus.on('database.closing', () => {
      attempt('weights could not be stored', flush);
      known = null;
    }),
    // They wait for the next batch.
    scheduler.every(batchMs, () => attempt('weights could not be stored', flush)),
    scheduler.every(minuteMs, () => attempt('old weights could not be removed', purge)),
  ];

  const flush = () => scales()?.flush();

  function purge(): void {
    cancelStep();
    const removed = scales()?.purge(clock.now()) ?? 0;
    if (removed > 0)
      cancelStep = scheduler.after(nextStepMs, () => attempt('old weights could not be removed', purge));
  }

  function attempt(failure: string, work: () => void): void {
    try {
      work();
    } catch (err) {
      log.warn({ err }, failure);
    }
  }

  return {
    /** Stores the weights that wait. */
    close(): void {
      for (const stop of stops) stop();
      cancelStep();
      attempt('weights could not be stored', flush);
    },
  };
}
