import type { StoreExtension } from '../../../store/extension.ts';
import { monotonic } from '../../../store/shared/clock-times.ts';
import { upstreamSchema } from './schema.ts';
import { type UpstreamTable, upstreamTable } from './table.ts';

/** What the database knows of this extension. */
export const upstreamStore = {
  name: 'upstream',
  schema: upstreamSchema,
  clockTimes: {
    upstream_events: { at_ms: { follows: 'its place on the monotonic clock, mono_ms' }, mono_ms: monotonic },
  },
  personData: {
    others: {
      'upstream.token': 'the token of this bar at another one',
      'upstream_events.data': 'ticks and temperatures',
    },
  },
  tables: upstreamTable,
} as const satisfies StoreExtension<UpstreamTable>;
