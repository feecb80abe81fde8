import { balanceRequests } from './balance.ts';
import { beerRequests } from './beer.ts';
import { cleaningRequests } from './cleaning.ts';
import { legacyRequests } from './legacy.ts';
import { peopleRequests } from './people.ts';
import { salesRequests } from './sales.ts';
import { siteRequests } from './site.ts';
import { stockRequests } from './stock.ts';

/** The requests of the examples of each API. */
export const exampleRequests = {
  current: {
    ...{ ...balanceRequests, ...beerRequests, ...cleaningRequests, ...peopleRequests },
    ...{ ...salesRequests, ...siteRequests, ...stockRequests },
  },
  legacy: legacyRequests,
} as const;
