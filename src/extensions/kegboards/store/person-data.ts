import { eachRow, type PersonData } from '../../../store/shared/person-data.ts';

export const kegboardsPersonData: PersonData = {
  cleans: ['kegboard_commands.data', 'kegboard_commands.presented', 'refused_pours.event'],
  others: {
    'kegboards.token_hash': 'the secret of a board',
    'kegboards.address': 'the address of a board',
  },
  byToken: [
    `DELETE FROM kegboard_commands WHERE type <> 'deauthorize' AND (instr(data, @value) OR instr(presented, @value))`,
  ],
  parts(db) {
    const set = db.prepare<[string, number]>('UPDATE refused_pours SET event = ? WHERE id = ?');
    const refusedPours = eachRow<{ id: number; text: string }>(
      db,
      'SELECT id, event AS text FROM refused_pours WHERE id > ?',
      ({ id, text }, { cleanText }) => {
        const cleaned = cleanText(text) ?? '{}';
        if (cleaned !== text) set.run(cleaned, id);
      },
    );
    return [refusedPours];
  },
};
