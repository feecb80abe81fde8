import { extensionCases } from '../../../kit/extension-cases.ts';
import { beerRequests } from './beer.ts';
import type { ExampleRequests } from './example-request.ts';
import { legacyRequests } from './legacy.ts';
import { peopleRequests } from './people.ts';
import { priceScheduleRequests } from './price-schedules.ts';
import { siteRequests } from './site.ts';
import { temperatureRequests } from './temperatures.ts';

/** The requests of the examples of each API. */
export const exampleRequests = {
  current: {
    ...beerRequests,
    ...temperatureRequests,
    ...peopleRequests,
    ...siteRequests,
    ...priceScheduleRequests,
    ...Object.assign({}, ...extensionCases.map((one) => one.exampleRequests)),
  },
  legacy: legacyRequests,
} as { readonly current: ExampleRequests; readonly legacy: ExampleRequests };
