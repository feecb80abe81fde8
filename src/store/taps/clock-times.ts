import { type ClockTimes, duration, monotonic, onlySet } from '../shared/clock-times.ts';

export const tapsTimes = {
  taps: { rates_since_ms: { stays: 'a later one only makes the tap learn its rate again' } },
  keg_spans: {
    start_ms: { moves: 'keg_span_started' },
    start_mono_ms: monotonic,
    end_ms: { moves: 'keg_span_ended' },
    end_mono_ms: monotonic,
  },
  suspected_empty_kegs: { time_ms: { follows: 'the drink, by whose time it is read' } },
  flow_meters: { last_counted_ms: onlySet },
  meter_evidence: { time_ms: { moves: 'meter_evidence' } },
  pin_entries: { min_gap_ms: duration },
} as const satisfies ClockTimes;
