import { eachRow, type PersonData } from '../shared/person-data.ts';

export const notificationsPersonData: PersonData = {
  deletes: ['notification_settings.user_id', 'alarm_channels.user_id'],
  cleans: [
    'outbox.target',
    'outbox.payload',
    'alarms.acknowledged_user_id',
    'alarm_deliveries.receiver',
    'alarm_channels.settings',
  ],
  others: {
    'mail_settings.username': 'the account of the bar at its mail server',
    'mail_settings.from_address': 'the address of the bar',
    'alarms.subject': 'a keg, tap, device or part of the program',
  },
  byUser: [
    `UPDATE outbox SET payload = json_set(payload, '$.user_id', NULL) WHERE json_extract(payload, '$.user_id') = @id`,
    // Mails to the person, and invitations that name the person.
    `DELETE FROM outbox WHERE kind = 'mail' AND (target = 'user:' || @id OR json_extract(payload, '$.sender_id') = @id)`,
    `DELETE FROM alarm_deliveries WHERE receiver = 'user:' || @id`,
    'UPDATE alarms SET acknowledged_user_id = NULL WHERE acknowledged_user_id = @id',
  ],
  byEmail: [
    `DELETE FROM outbox WHERE kind = 'mail' AND lower(target) = lower(@email)`,
    `DELETE FROM alarm_channels WHERE lower(json_extract(settings, '$.address')) = lower(@email)`,
  ],
  parts(db) {
    const remove = db.prepare<[number]>('DELETE FROM outbox WHERE id = ?');
    // To an address that the person has not confirmed.
    const mails = eachRow<{ id: number; text: string }>(
      db,
      `SELECT id, payload AS text FROM outbox WHERE id > ? AND kind = 'mail'`,
      ({ id, text }, { isTrace }) => {
        const values = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>);
        if (values.some(([key, value]) => typeof value === 'string' && isTrace(key, value))) remove.run(id);
      },
    );
    return [mails];
  },
};
