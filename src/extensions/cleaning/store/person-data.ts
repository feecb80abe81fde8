import { emptyNames, type PersonData } from '../../../store/shared/person-data.ts';

export const cleaningPersonData: PersonData = {
  forgets: ['cleaning_entries.user_id'],
  cleans: ['cleaning_entries.cleaned_by', 'cleaning_entries.checked_by'],
  // Firms and people without an account stay.
  parts: (db) => [
    emptyNames(db, 'cleaning_entries', 'cleaned_by'),
    emptyNames(db, 'cleaning_entries', 'checked_by'),
  ],
};
