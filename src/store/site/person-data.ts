import type { PersonData } from '../shared/person-data.ts';

export const sitePersonData: PersonData = {
  others: {
    'site.settings': 'settings of the bar',
    'site.demo_user_id': 'the id of the account of the demo',
  },
};
