import type { PersonData } from '../shared/person-data.ts';

export const kegsPersonData: PersonData = {
  forgets: ['keg_weighings.user_id'],
};
