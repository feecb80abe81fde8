import { accessSchema } from './access.ts';
import { alarmsSchema } from './alarms.ts';
import { controllersSchema } from './controllers.ts';
import { correctionsSchema } from './corrections.ts';
import { drinkTotalsSchema } from './drink-totals.ts';
import { drinksSchema } from './drinks.ts';
import { eventsSchema } from './events.ts';
import { kegsSchema } from './kegs.ts';
import { notificationsSchema } from './notifications.ts';
import { picturesSchema } from './pictures.ts';
import { pricesSchema } from './prices.ts';
import { reportsSchema } from './reports.ts';
import { siteSchema } from './site.ts';
import { tapsSchema } from './taps.ts';
import { temperaturesSchema } from './temperatures.ts';
import { usersSchema } from './users.ts';

/**
 * The schema of a new database. Times are Unix milliseconds, volumes millilitres. Ids that events, pages and other
 * programs store are never reused (AUTOINCREMENT).
 *
 * Until version 0.1.0 is released it is edited in place; afterwards a schema change is a migration.
 */
export const initialSchema = [
  siteSchema,
  usersSchema,
  kegsSchema,
  pricesSchema,
  tapsSchema,
  temperaturesSchema,
  accessSchema,
  drinksSchema,
  eventsSchema,
  correctionsSchema,
  picturesSchema,
  drinkTotalsSchema,
  controllersSchema,
  notificationsSchema,
  alarmsSchema,
  reportsSchema,
].join('');
