import { textProblem } from '../../../src/core/rules/problems.ts';
import type { HealthReport, MeterStatus } from '../../../src/http/ports.ts';
import type { WiredMeter, WiringService } from '../../../src/http/wiring-ports.ts';

/** A healthy bar but for one problem, so that the notices have something to show. */
export const sampleHealth: HealthReport = {
  parts: [
    { name: 'counting', problems: [], vital: true },
    { name: 'storing', problems: [], vital: true },
    {
      name: 'backups',
      problems: [textProblem('The folder for copies of backups cannot be written.')],
      vital: false,
    },
  ],
};

/** All meters count. */
export const sampleMeters = (taps: number): readonly MeterStatus[] =>
  Array.from({ length: taps }, (_, index) => ({
    meter: `pi.flow${index}`,
    state: 'counting' as const,
    problem: null,
  }));

/** The wiring of that many meters, one of which never ticked, and of one probe. */
export function sampleWiring(taps: number): WiringService {
  const meters = Array.from(
    { length: taps },
    (_, index): WiredMeter => ({
      meter: `pi.flow${index}`,
      pin: index + 2,
      headerPin: index + 3,
      level: 1,
      hz: 0,
      ticks: index === 1 ? 0 : 12_400 + index,
      refused: index,
      lost: 0,
      shape: 'quiet',
      echoOf: null,
      findings: [
        index === 1
          ? { topic: 'never', status: 'unknown', text: 'No pulse since the start.', advice: 'Pour a little.' }
          : { topic: 'counts', status: 'ok', text: 'It counts.' },
      ],
    }),
  );
  const works = [{ topic: 'works' as const, status: 'ok' as const, text: 'It works.' }];
  return {
    snapshot: () => ({
      driver: 'cdev',
      description: [],
      findings: [],
      meters,
      relays: taps === 0 ? [] : [{ name: 'pi.relay0', findings: works }],
      probes: taps === 0 ? [] : [{ name: '28-0000000000a1', findings: works, tempC: 4.2, timeMs: 0 }],
      boards: [],
      readers: [],
    }),
  };
}
