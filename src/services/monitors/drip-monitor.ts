import type { EventBus } from '../../core/event-bus.ts';
import { createProblem } from '../../core/health/problems.ts';
import { DripWatch } from '../../core/measurement/drip-watch.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ReportProblem } from './health-reporters.ts';

/** Reports the taps that leak: they drip for hours, far from any pour. */
export function startDripMonitor({
  bus,
  engine,
  nowMonoMs,
  reportProblem,
}: {
  readonly bus: EventBus;
  /** Throws while the database is closed. */
  readonly engine: () => Pick<Engine, 'taps'>;
  readonly nowMonoMs: () => number;
  readonly reportProblem: ReportProblem;
}) {
  const watch = new DripWatch();
  bus.on('pour.ended', ({ pour }) => watch.addPour(pour.meter, nowMonoMs()));
  bus.on('pour.dripped', ({ meter, isBackFlow }) => {
    if (!isBackFlow) watch.addDrip(meter, nowMonoMs());
  });

  const findTapName = (meter: string): string => {
    try {
      return engine().taps.find(meter)?.tap.name ?? meter;
    } catch {
      return meter;
    }
  };

  return {
    /** Called every minute. */
    everyMinute(): void {
      const leaking = watch.leaking(nowMonoMs());
      reportProblem(leaking.map((meter) => createProblem('tap_dripping', { tap: findTapName(meter) })));
    },
  };
}
