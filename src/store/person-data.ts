import { accessPersonData } from './access/person-data.ts';
import { drinksPersonData } from './drinks/person-data.ts';
import { kegsPersonData } from './kegs/person-data.ts';
import { notificationsPersonData } from './notifications/person-data.ts';
import { reportsPersonData } from './reports/person-data.ts';
import type { PersonData } from './shared/person-data.ts';
import { sitePersonData } from './site/person-data.ts';
import { tapsPersonData } from './taps/person-data.ts';
import { usersPersonData } from './users/person-data.ts';

/** What each subject declares about erasing a person. */
export const personData: readonly PersonData[] = [
  usersPersonData,
  kegsPersonData,
  tapsPersonData,
  accessPersonData,
  drinksPersonData,
  reportsPersonData,
  notificationsPersonData,
  sitePersonData,
];
