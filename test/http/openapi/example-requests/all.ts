import { extensionCases } from '../../../kit/extension-cases.ts';
import { balanceRequests } from '../../../extensions/sales/example-requests/balance.ts';
import { beerRequests } from './beer.ts';
import type { ExampleRequests } from './example-request.ts';
import { legacyRequests } from './legacy.ts';
import { peopleRequests } from './people.ts';
import { priceScheduleRequests } from './price-schedules.ts';
import { salesRequests } from '../../../extensions/sales/example-requests/sales.ts';
import { siteRequests } from './site.ts';
import { temperatureRequests } from './temperatures.ts';

/** The requests of the examples of each API. */
export const exampleRequests = {
  current: {
    ...{ ...balanceRequests, ...beerRequests, ...temperatureRequests, ...peopleRequests },
    ...{ ...salesRequests, ...siteRequests, ...priceScheduleRequests },
    ...Object.assign({}, ...extensionCases.map((one) => one.exampleRequests)),
  },
  legacy: legacyRequests,
} as { readonly current: ExampleRequests; readonly legacy: ExampleRequests };
