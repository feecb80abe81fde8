import type { AccountLinks } from './account-links.ts';
import type { Accounts } from './accounts.ts';
import type { Alarms } from './alarms.ts';
import type { Audit } from './audit.ts';
import type { Catalogue } from './catalogue.ts';
import type { LedgerFault } from './check-ledger.ts';
import type { Clockwork } from './clockwork.ts';
import type { Devices } from './devices.ts';
import type { Diary } from './diary.ts';
import type { Drinks } from './drinks.ts';
import type { Exports } from './exports.ts';
import type { Grants } from './grants.ts';
import type { Hardware } from './hardware.ts';
import type { Invitations } from './invitations.ts';
import type { Kegs } from './kegs.ts';
import type { Lists } from './lists.ts';
import type { Logins } from './logins.ts';
import type { Mail } from './mail.ts';
import type { Notifications } from './notifications.ts';
import type { Outbox } from './outbox.ts';
import type { Overview } from './overview.ts';
import type { OwnKeys } from './own-keys.ts';
import type { Passwords } from './passwords.ts';
import type { People } from './people.ts';
import type { Pictures } from './pictures.ts';
import type { PluginData } from './plugin-data.ts';
import type { Pours } from './pours.ts';
import type { Registration } from './registration.ts';
import type { Reports } from './reports.ts';
import type { Setup } from './setup.ts';
import type { SiteDesk } from './site.ts';
import type { Statistics } from './statistics.ts';
import type { Taps } from './taps.ts';
import type { Thermo } from './thermo.ts';
import type { ThermoHistory } from './thermo-history.ts';
import type { Tokens } from './tokens.ts';
import type { Upstream } from './upstream.ts';
import type { Webhooks } from './webhooks.ts';

export type { Spill } from '../core/ledger.ts';
export type { AccountLinks, ResetProof } from './account-links.ts';
export type { AccountChange, Accounts } from './accounts.ts';
export type { AlarmKind, AlarmSettings, Alarms } from './alarms.ts';
export {
  type Actor,
  type Audit,
  type AuditEntry,
  type AuditNote,
  type AuditQuery,
  actorOf,
  theHouse,
  type Via,
} from './audit.ts';
export type { BoardBatch, BoardEvent, BoardReport } from './board-batch.ts';
export type { ByHand } from './by-hand.ts';
export type { BeverageFields, Catalogue, CatalogueItem, ProducerFields } from './catalogue.ts';
export type { LedgerFault } from './check-ledger.ts';
export type { Clockwork } from './clockwork.ts';
export type { AppliedCalibration, CalibrationPreview } from './corrections/calibrate.ts';
export type { BoardAnswer, BoardCall, BoardView, Devices } from './devices.ts';
export type { Diary } from './diary.ts';
export type { EventQuery, SessionQuery, ThermoLogQuery } from './diary-lists.ts';
export type { DrinkQuery, TimeSpan } from './drink-lists.ts';
export type { Drinks } from './drinks.ts';
export { type ExportFormat, type ExportKind, type Exports, exportFormats, exportKinds } from './exports.ts';
export type { Grants, GrantView, HousePresentment } from './grants.ts';
export type { ControllerRequest, Hardware } from './hardware.ts';
export type { HeardController } from './hardware-claims.ts';
export type { Invitations, InvitationView } from './invitations.ts';
export type { Kegs, NewKeg } from './kegs.ts';
export type { LetterName, Letters } from './letters.ts';
export type { Lists } from './lists.ts';
export type { FoundLogin, LoginBy, Logins } from './logins.ts';
export type { Mail, MailSettings } from './mail.ts';
export type { NewsKind, NotificationSettings, Notifications } from './notifications.ts';
export type {
  Blame,
  Delivery,
  DeliveryOutcome,
  Outbox,
  OutboxMessage,
  OutboxState,
  OutboxView,
} from './outbox.ts';
export type { Dashboard, Overview } from './overview.ts';
export type { FreshKey, KeyRecord, OwnKeys } from './own-keys.ts';
export type { EngineParts, EngineSettings } from './parts.ts';
export type { Passwords } from './passwords.ts';
export type { People } from './people.ts';
export type { PictureSize, Pictures, PreparedPicture, Upload } from './pictures.ts';
export type { PluginData, PluginDatum } from './plugin-data.ts';
export type { Pours } from './pours.ts';
export type { HardwareDeclaration } from './provision.ts';
export type { Registration } from './registration.ts';
export type { ReportedPour } from './reported-pour.ts';
export type { Amounts, BusinessSettings, DayReport, Price, Reports } from './reports.ts';
export type { HashedPassword } from './secrets.ts';
export type { Setup } from './setup.ts';
export type { SiteDesk } from './site.ts';
export type { DrinkStatistics, SessionDay, Statistics, StatisticsView } from './statistics.ts';
export type { TapRequest, Taps } from './taps.ts';
export type { SensorRequest, Thermo } from './thermo.ts';
export type { ThermoChart, ThermoChartQuery, ThermoHistory, ThermoSpan } from './thermo-history.ts';
export type { TokenQuery, TokenRequest, Tokens } from './tokens.ts';
export type { Upstream, UpstreamEvent, UpstreamMeter, UpstreamPlace } from './upstream.ts';
export type { DrinkView, Page, PageRequest, TapRef, TapView } from './views.ts';
export type { WebhookSettings, Webhooks } from './webhooks.ts';

/** The use-cases, one synchronous transaction each. Everything it throws on purpose is a KegError. */
export interface Engine {
  readonly exports: Exports;
  readonly reports: Reports;
  readonly overview: Overview;
  readonly pours: Pours;
  readonly drinks: Drinks;
  readonly kegs: Kegs;
  readonly catalogue: Catalogue;
  readonly lists: Lists;
  readonly statistics: Statistics;
  readonly taps: Taps;
  readonly hardware: Hardware;
  readonly thermo: Thermo;
  readonly thermoHistory: ThermoHistory;
  readonly people: People;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly logins: Logins;
  readonly accounts: Accounts;
  readonly ownKeys: OwnKeys;
  readonly accountLinks: AccountLinks;
  readonly invitations: Invitations;
  readonly registration: Registration;
  readonly site: SiteDesk;
  readonly setup: Setup;
  readonly pictures: Pictures;
  readonly clockwork: Clockwork;
  readonly diary: Diary;
  readonly audit: Audit;
  readonly devices: Devices;
  readonly grants: Grants;
  readonly outbox: Outbox;
  readonly mail: Mail;
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
  readonly pluginData: PluginData;
  readonly alarms: Alarms;
  readonly upstream: Upstream;
  /** Proves the kept totals equal to their sums; an empty list is the good answer. */
  checkLedger(): readonly LedgerFault[];
}
