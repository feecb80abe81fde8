import type { Grants } from './access/grants.ts';
import type { Tokens } from './access/tokens.ts';
import type { Kegboards } from './controllers/kegboards.ts';
import type { ClockCorrection } from './drinks/clock-correction.ts';
import type { Drinks } from './drinks/drinks.ts';
import type { Events } from './drinks/events.ts';
import type { Pours } from './drinks/pours.ts';
import type { Catalogue } from './kegs/catalogue.ts';
import type { Kegs } from './kegs/kegs.ts';
import type { Lists } from './lists.ts';
import type { Alarms } from './notifications/alarms.ts';
import type { Mail } from './notifications/mail.ts';
import type { Notifications } from './notifications/notifications.ts';
import type { Outbox } from './notifications/outbox.ts';
import type { PluginData } from './notifications/plugin-data.ts';
import type { Upstream } from './notifications/upstream.ts';
import type { Webhooks } from './notifications/webhooks.ts';
import type { Exports } from './reports/exports.ts';
import type { Overview } from './reports/overview.ts';
import type { Reports } from './reports/reports.ts';
import type { Statistics } from './reports/statistics.ts';
import type { Audit } from './shared/audit.ts';
import type { Pictures } from './shared/pictures.ts';
import type { TotalMismatch } from './site/check-database.ts';
import type { SiteService } from './site/site.ts';
import type { Hardware } from './taps/hardware.ts';
import type { TapFacts } from './taps/tap-facts.ts';
import type { Taps } from './taps/taps.ts';
import type { Thermo } from './temperatures/thermo.ts';
import type { ThermoHistory } from './temperatures/thermo-history.ts';
import type { AccountLinks } from './users/account-links.ts';
import type { Accounts } from './users/accounts.ts';
import type { Invitations } from './users/invitations.ts';
import type { Logins } from './users/logins.ts';
import type { OwnKeys } from './users/own-keys.ts';
import type { Passwords } from './users/passwords.ts';
import type { Pins } from './users/pins.ts';
import type { Registration } from './users/registration.ts';
import type { Setup } from './users/setup.ts';
import type { Tablets } from './users/tablets.ts';
import type { Users } from './users/users.ts';

export type { Spill } from '../core/records.ts';
export type { Grants, GrantView, ReaderPresentment } from './access/grants.ts';
export type { TokenQuery, TokenRequest, Tokens } from './access/tokens.ts';
export type { KegboardBatch, KegboardEvent, KegboardReport } from './controllers/kegboard-batch.ts';
export type { KegboardAnswer, KegboardRequest, Kegboards, KegboardView } from './controllers/kegboards.ts';
export type { ClockCorrection } from './drinks/clock-correction.ts';
export type { AppliedCalibration, CalibrationPreview } from './drinks/corrections/calibrate.ts';
export { type Claimable, claimableUntilMs } from './drinks/corrections/claim.ts';
export type { DrinkQuery, TimeSpan } from './drinks/drink-lists.ts';
export type { Drinks } from './drinks/drinks.ts';
export type { EventQuery, SessionQuery, ThermoLogQuery } from './drinks/event-lists.ts';
export type { Events } from './drinks/events.ts';
export type { Pours } from './drinks/pours.ts';
export type { ReportedPour } from './drinks/reported-pour.ts';
export type { BeverageFields, Catalogue, CatalogueItem, ProducerFields } from './kegs/catalogue.ts';
export type { Kegs } from './kegs/kegs.ts';
export type { NewKeg } from './kegs/new-keg.ts';
export type { Lists } from './lists.ts';
export type { AlarmKind, AlarmSettings, Alarms } from './notifications/alarms.ts';
export type { Mail, MailSettings } from './notifications/mail.ts';
export type { NotificationKind, NotificationSettings, Notifications } from './notifications/notifications.ts';
export type {
  Delivery,
  DeliveryOutcome,
  FailureScope,
  Outbox,
  OutboxMessage,
  OutboxState,
  OutboxView,
} from './notifications/outbox.ts';
export type { PluginData, PluginDatum } from './notifications/plugin-data.ts';
export type { Upstream, UpstreamEvent, UpstreamMeter, UpstreamTarget } from './notifications/upstream.ts';
export type { WebhookList, WebhookView } from './notifications/webhook-list.ts';
export type { WebhookSettings, Webhooks } from './notifications/webhooks.ts';
export {
  type ExportFormat,
  type ExportKind,
  type Exports,
  exportFormats,
  exportKinds,
} from './reports/exports.ts';
export type { Dashboard, Overview } from './reports/overview.ts';
export type {
  Amounts,
  BusinessSettings,
  DayReport,
  Price,
  Reports,
  SpanReport,
} from './reports/reports.ts';
export type { DrinkStatistics, SessionDay, Statistics, StatisticsView } from './reports/statistics.ts';
export type { ActorContext } from './shared/actor-context.ts';
export {
  type Actor,
  type Audit,
  type AuditEntry,
  type AuditQuery,
  type NewAuditEntry,
  systemActor,
  toActor,
  toTabletActor,
  type Via,
} from './shared/audit.ts';
export type { EmailTemplateName, EmailTemplates } from './shared/email-templates.ts';
export type { EngineParts, EngineSettings } from './shared/parts.ts';
export type { PictureSize, Pictures, PreparedPicture, Upload } from './shared/pictures.ts';
export type { DrinkView, Page, PageRequest, TapRef, TapView } from './shared/views.ts';
export type { TotalMismatch } from './site/check-database.ts';
export type { SiteService } from './site/site.ts';
export type { ControllerRequest, Hardware } from './taps/hardware.ts';
export type { SerialController } from './taps/hardware-claims.ts';
export type { HardwareDeclaration } from './taps/provision.ts';
export type { NextOnTap, TapRequest, Taps } from './taps/taps.ts';
export type { SensorRequest, Thermo } from './temperatures/thermo.ts';
export type {
  ThermoChart,
  ThermoChartQuery,
  ThermoHistory,
  ThermoSpan,
} from './temperatures/thermo-history.ts';
export type { AccountLinks, ResetProof } from './users/account-links.ts';
export type { AccountChange, Accounts } from './users/accounts.ts';
export type { Invitations, InvitationView } from './users/invitations.ts';
export type { FoundLogin, LoginMethod, Logins, OwnLogin } from './users/logins.ts';
export type { KeyRecord, NewKey, OwnKeys } from './users/own-keys.ts';
export type { Passwords } from './users/passwords.ts';
export type { PinState, Pins } from './users/pins.ts';
export type { Registration } from './users/registration.ts';
export type { HashedPassword } from './users/secrets.ts';
export type { Setup } from './users/setup.ts';
export type { FoundTablet, Tablet, TabletRecord, Tablets } from './users/tablets.ts';
export type { Users } from './users/users.ts';

/** All engine services; each call is one synchronous transaction. Expected errors are AppErrors. */
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
  readonly tapFacts: TapFacts;
  readonly hardware: Hardware;
  readonly thermo: Thermo;
  readonly thermoHistory: ThermoHistory;
  readonly users: Users;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly logins: Logins;
  readonly pins: Pins;
  readonly tablets: Tablets;
  readonly accounts: Accounts;
  readonly ownKeys: OwnKeys;
  readonly accountLinks: AccountLinks;
  readonly invitations: Invitations;
  readonly registration: Registration;
  readonly site: SiteService;
  readonly setup: Setup;
  readonly pictures: Pictures;
  readonly clockCorrection: ClockCorrection;
  readonly events: Events;
  readonly audit: Audit;
  readonly kegboards: Kegboards;
  readonly grants: Grants;
  readonly outbox: Outbox;
  readonly mail: Mail;
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
  readonly pluginData: PluginData;
  readonly alarms: Alarms;
  readonly upstream: Upstream;
  /** Compares stored totals with their sums; an empty list means that all agree. */
  checkDatabase(): readonly TotalMismatch[];
}
