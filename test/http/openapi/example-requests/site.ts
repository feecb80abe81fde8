import { createHash } from 'node:crypto';
import { createProblem } from '../../../../src/core/health/problems.ts';
import type { PopulatedServer } from '../../current/populated-server.ts';
import { openingMs } from '../../test-server.ts';
import type { ExampleRequests } from './example-request.ts';

const code = 'K7QM-2RXA';
const backup = 'tapster-2026-05-02-170000-manual.tar.gz';
const withWebhook = [['post', '/admin/webhooks', { url: 'https://till.example/pours' }]] as const;
const withChannel = [
  ['post', '/admin/alarm-channels', { kind: 'ntfy', name: 'Phone of the owner', topic: 'our-bar-7k2q' }],
] as const;
const withTestAlarm = [['post', '/admin/alarm-test', {}]] as const;
const datum = { plugin_name: 'scale', key: 'zero', value: { grams: 4.2 } };
/** The secret of a link in a message about an alarm. */
const linkSecret = 'kq2Zl0Zt8mW4vYx1nB7cR5dFhJ9pSaT3uEgLoQiXy8A';

/** A tap is too warm, and a message with a link was sent about it. */
function linkedAlarm({ engine, store, now }: PopulatedServer) {
  engine.notifications.alarms.raise(
    'too_warm',
    '28-0000000000a1',
    { sensor: 'Left', tempC: 14, limitC: 12 },
    now(),
  );
  const linkHash = createHash('sha256').update(`tapster-alarm-1:${linkSecret}`).digest();
  const root = engine.users.user('root')!;
  const delivery = { alarmId: 1, receiver: `user:${root.id}`, round: 1, timeMs: now().wallMs };
  store.transaction(() => store.notifications.alarmDeliveries.add({ ...delivery, messageId: 1, linkHash }));
  return { params: { secret: linkSecret } };
}

/** A channel was deleted. */
function deletedChannel({ store }: PopulatedServer) {
  store.transaction(() => store.notifications.alarmChannels.markDeleted(1, openingMs));
  return { params: { id: 1 } };
}

/** A message that was given up. */
function deadMessage({ store }: PopulatedServer) {
  const message = { kind: 'webhook', target: 'url:1', topic: 'drink_poured', payload: '{}' };
  store.transaction(() => {
    const id = store.notifications.outbox.add({ ...message, createdTimeMs: openingMs });
    store.notifications.outbox.giveUp(
      id,
      createProblem('message_refused', { host: 'bar.example', status: 500 }),
    );
  });
  return {};
}

/** Site, set-up, notifications, reports and backups. */
export const siteRequests: ExampleRequests = {
  setupMigrate: { body: { code } },
  setupSettings: {
    body: { code, title: 'Zum Hahn', privacy: 'public', timezone: 'Europe/Berlin', currency: 'EUR' },
  },
  setupAdminUser: {
    body: { code, username: 'rosa', email: 'rosa@example.org', password: 'correct horse battery' },
  },
  setupFinish: { body: { code } },
  setupUpgrade: { body: { code } },
  setupListBackups: { body: { code } },
  setupRestore: { body: { code, backup_name: backup } },
  changeSite: { body: { title: 'Zum Hahn', keg_low_percent: 10 } },
  setBackgroundImage: { files: ['image'] },
  setLogo: { files: ['image'] },
  simulatePour: {
    body: { meter: 'pi.flow0', volume_ml: 500, model: 'sf800', keg_empties_after_ml: 300 },
  },
  simulatePulses: { body: { meter: 'pi.flow0', ticks: 660, hz: 120 } },
  setClock: {
    prepare: (server) => {
      server.setClock({ synced: false });
      return { body: { time: '2026-05-03T18:05:00Z' } };
    },
  },
  addNotificationSettings: { body: { keg_volume_low: true, system_problem: true } },
  listNotificationSettings: { by: 'staff' },
  getNotificationSettings: { by: 'staff' },
  replaceNotificationSettings: { by: 'staff', body: { keg_tapped: false, keg_ended: true } },
  changeNotificationSettings: { by: 'staff', body: { too_warm: true } },
  deleteNotificationSettings: { by: 'staff' },
  listOutbox: { prepare: deadMessage },
  sendAgain: { prepare: deadMessage },
  deleteOutboxMessage: { prepare: deadMessage },
  sendAllAgain: { prepare: deadMessage, body: { kind: 'webhook' } },
  changeMailSettings: {
    body: { host: 'mail.example.org', port: 587, security: 'starttls', from_address: 'bar@example.org' },
  },
  sendTestMail: { body: { address: 'rosa@example.org' } },
  changeAlarmSettings: { body: { too_warm_c: 9, too_warm_minutes: 20 } },
  getPluginSettings: { params: { short_name: 'webhook' } },
  changePluginSettings: {
    params: { short_name: 'webhook' },
    body: { webhook_urls: 'https://till.example/pours' },
  },
  addPluginDatum: { body: { plugin_name: 'scale', key: 'unit', value: 'g' } },
  replacePluginDatum: { body: datum },
  changePluginDatum: { body: { value: { grams: 3.9 } } },
  addPinMeter: { body: { pin: 5, model: 'swissflow-sf800' } },
  changePinMeter: { params: { port: 'flow1' }, body: { pin: 6 } },
  deletePinMeter: { params: { port: 'flow1' } },
  decideRelays: { body: { decision: 'use_here' } },
  addPinRelay: { body: { pin: 23, active_low: true } },
  changePinRelay: { params: { port: 'relay1' }, body: { active_low: false } },
  deletePinRelay: { params: { port: 'relay1' } },
  undoHardwareChange: { params: { id: 9 } },
  listAlarms: { prepare: linkedAlarm, params: {} },
  acknowledgeAlarm: { prepare: (server) => ({ ...linkedAlarm(server), params: { id: 1 } }) },
  resolveTestAlarm: { before: withTestAlarm },
  getLinkedAlarms: { prepare: linkedAlarm },
  acknowledgeByLink: { prepare: linkedAlarm },
  changeAlarmPolicy: { body: { quiet_hours: '23:00-09:00' } },
  addAlarmChannel: {
    body: { kind: 'ntfy', name: 'Phone of the owner', topic: 'our-bar-7k2q', token: 'tk_secret', step: 2 },
  },
  listAlarmChannels: { before: withChannel },
  changeAlarmChannel: { before: withChannel, body: { only_urgent: true } },
  deleteAlarmChannel: { before: withChannel },
  restoreAlarmChannel: { before: withChannel, prepare: deletedChannel },
  testAlarmChannel: { before: withChannel },
  addWebhook: { body: { url: 'https://till.example/pours' } },
  changeWebhook: { before: withWebhook, body: { is_enabled: false } },
  listWebhooks: { before: withWebhook },
  deleteWebhook: { before: withWebhook },
  testWebhook: { before: withWebhook },
  replayWebhook: {
    before: withWebhook,
    body: { from: '2026-05-01T00:00:00Z', until: '2026-05-02T00:00:00Z' },
  },
  switchVersion: { body: { version: '0.0.9' } },
  installUpdate: { body: { when: 'quiet_hour' } },
  downloadBackup: { params: { name: backup } },
  deleteBackup: { params: { name: backup } },
  getExport: { params: { file: 'drinks.csv' } },
  getExportSizes: { query: { first: '2026-05-01', last: '2026-05-31' } },
  listBusinessDays: { query: { last: '2026-05-03', limit: 2 } },
  getBusinessSpan: { query: { first: '2026-05-02', last: '2026-05-03' } },
  getBusinessSpanCsv: { query: { first: '2026-05-02', last: '2026-05-03' } },
  changeBusinessSettings: { body: { day_ends: '06:00', currency: 'EUR' } },
  setReportMail: { body: { daily_report: true } },
  listAudit: { query: { limit: 2 }, before: [['delete', '/drinks/3']] },
  listLogs: { query: { level: 'info', limit: 2 } },
  docsFile: { params: { file: 'start.js' } },
};
