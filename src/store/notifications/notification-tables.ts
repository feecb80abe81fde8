import { joinAlarmKinds } from '../../core/alarms/alarm-kinds.ts';
import type { TableParts } from '../shared/table-parts.ts';
import { alarmChannelsTable } from './alarm-channels-table.ts';
import { alarmDeliveriesTable } from './alarm-deliveries-table.ts';
import { alarmsTable } from './alarms-table.ts';
import { eventReceiversTable } from './event-receivers-table.ts';
import { mailSettingsTable } from './mail-settings-table.ts';
import { notificationSettingsTable } from './notification-settings-table.ts';
import { outboxTable } from './outbox-table.ts';
import { pluginsTable } from './plugins-table.ts';

/** Who is told what, and what waits to be sent. */
export const createNotificationTables = ({ db, caches, extensions }: TableParts) => ({
  settings: notificationSettingsTable(db),
  mailSettings: mailSettingsTable(db),
  outbox: outboxTable(db),
  eventReceivers: eventReceiversTable(db, caches),
  plugins: pluginsTable(db),
  alarms: alarmsTable(db),
  alarmChannels: alarmChannelsTable(db),
  alarmDeliveries: alarmDeliveriesTable(db),
  /** The kinds of the base and of all extensions. */
  alarmKinds: joinAlarmKinds(extensions),
});
