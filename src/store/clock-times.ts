import { accessTimes } from './access/clock-times.ts';
import { controllersTimes } from './controllers/clock-times.ts';
import { drinksTimes } from './drinks/clock-times.ts';
import { kegsTimes } from './kegs/clock-times.ts';
import { notificationsTimes } from './notifications/clock-times.ts';
import { reportsTimes } from './reports/clock-times.ts';
import { siteTimes } from './site/clock-times.ts';
import { tapsTimes } from './taps/clock-times.ts';
import { temperaturesTimes } from './temperatures/clock-times.ts';
import { usersTimes } from './users/clock-times.ts';

/** What becomes of every time in the database when a wrong clock is corrected. */
export const clockTimes = {
  ...usersTimes,
  ...kegsTimes,
  ...tapsTimes,
  ...temperaturesTimes,
  ...accessTimes,
  ...drinksTimes,
  ...controllersTimes,
  ...reportsTimes,
  ...notificationsTimes,
  ...siteTimes,
} as const;
