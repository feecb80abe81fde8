import { emptyNames, type PersonData } from '../../../store/shared/person-data.ts';

export const salesPersonData: PersonData = {
  cleans: ['sales.seller'],
  parts: (db) => [emptyNames(db, 'sales', 'seller')],
};
