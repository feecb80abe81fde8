import type { PersonData } from '../shared/person-data.ts';

const wiring = 'the wiring of a pin';

export const tapsPersonData: PersonData = {
  others: {
    'pin_entry_changes.before': wiring,
    'pin_entry_changes.after': wiring,
    'pin_entry_changes.undone_by': 'an entry of the audit log',
  },
};
