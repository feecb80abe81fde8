import type { AccountLinks } from './accounts/account-links.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Invitations } from './accounts/invitations.ts';
import type { Logins } from './accounts/logins.ts';
import type { OwnKeys } from './accounts/own-keys.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { Pins } from './accounts/pins.ts';
import type { Registration } from './accounts/registration.ts';
import type { Setup } from './accounts/setup.ts';
import type { Tablets } from './accounts/tablets.ts';
import type { Users } from './accounts/users.ts';
import type { Audit } from './audit.ts';
import type { Kegboards } from './boards/kegboards.ts';
import type { Catalogue } from './catalogue.ts';
import type { TotalMismatch } from './check-database.ts';
import type { ClockCorrection } from './clock-correction.ts';
import type { Drinks } from './drinks.ts';
import type { Events } from './events.ts';
import type { Exports } from './figures/exports.ts';
import type { Lists } from './figures/lists.ts';
import type { Overview } from './figures/overview.ts';
import type { Reports } from './figures/reports.ts';
import type { Statistics } from './figures/statistics.ts';
import type { TapFacts } from './figures/tap-facts.ts';
import type { ThermoHistory } from './figures/thermo-history.ts';
import type { Grants } from './grants.ts';
import type { Hardware } from './hardware.ts';
import type { Kegs } from './kegs.ts';
import type { Alarms } from './outbox/alarms.ts';
import type { Mail } from './outbox/mail.ts';
import type { Notifications } from './outbox/notifications.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { PluginData } from './outbox/plugin-data.ts';
import type { Upstream } from './outbox/upstream.ts';
import type { Webhooks } from './outbox/webhooks.ts';
import type { Pictures } from './pictures.ts';
import type { Pours } from './pours.ts';
import type { SiteService } from './site.ts';
import type { Taps } from './taps.ts';
import type { Thermo } from './thermo.ts';
import type { Tokens } from './tokens.ts';

export type { Spill } from '../core/records.ts';
export type { AccountLinks, ResetProof } from './accounts/account-links.ts';
export type { AccountChange, Accounts } from './accounts/accounts.ts';
export type { Invitations, InvitationView } from './accounts/invitations.ts';
export type { FoundLogin, LoginMethod, Logins, OwnLogin } from './accounts/logins.ts';
export type { FreshKey, KeyRecord, OwnKeys } from './accounts/own-keys.ts';
export type { Passwords } from './accounts/passwords.ts';
export type { PinState, Pins } from './accounts/pins.ts';
export type { Registration } from './accounts/registration.ts';
export type { HashedPassword } from './accounts/secrets.ts';
export type { Setup } from './accounts/setup.ts';
export type { FoundTablet, Tablet, TabletRecord, Tablets } from './accounts/tablets.ts';
export type { Users } from './accounts/users.ts';
export type { ActorContext } from './actor-context.ts';
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
} from './audit.ts';
export type { SerialController } from './boards/hardware-claims.ts';
export type { KegboardBatch, KegboardEvent, KegboardReport } from './boards/kegboard-batch.ts';
export type { KegboardAnswer, KegboardRequest, Kegboards, KegboardView } from './boards/kegboards.ts';
export type { HardwareDeclaration } from './boards/provision.ts';
export type { BeverageFields, Catalogue, CatalogueItem, ProducerFields } from './catalogue.ts';
export type { TotalMismatch } from './check-database.ts';
export type { ClockCorrection } from './clock-correction.ts';
export type { AppliedCalibration, CalibrationPreview } from './corrections/calibrate.ts';
export { type Claimable, claimableUntilMs } from './corrections/claim.ts';
export type { Drinks } from './drinks.ts';
export type { Events } from './events.ts';
export type { DrinkQuery, TimeSpan } from './figures/drink-lists.ts';
export type { EventQuery, SessionQuery, ThermoLogQuery } from './figures/event-lists.ts';
export {
  type ExportFormat,
  type ExportKind,
  type Exports,
  exportFormats,
  exportKinds,
} from './figures/exports.ts';
export type { Lists } from './figures/lists.ts';
export type { Dashboard, Overview } from './figures/overview.ts';
export type {
  Amounts,
  BusinessSettings,
  DayReport,
  Price,
  Reports,
  SpanReport,
} from './figures/reports.ts';
export type { DrinkStatistics, SessionDay, Statistics, StatisticsView } from './figures/statistics.ts';
export type { ThermoChart, ThermoChartQuery, ThermoHistory, ThermoSpan } from './figures/thermo-history.ts';
export type { Grants, GrantView, ReaderPresentment } from './grants.ts';
export type { ControllerRequest, Hardware } from './hardware.ts';
export type { Kegs } from './kegs.ts';
export type { NewKeg } from './new-keg.ts';
export type { AlarmKind, AlarmSettings, Alarms } from './outbox/alarms.ts';
export type { EmailTemplateName, EmailTemplates } from './outbox/email-templates.ts';
export type { Mail, MailSettings } from './outbox/mail.ts';
export type { NotificationKind, NotificationSettings, Notifications } from './outbox/notifications.ts';
export type {
  Blame,
  Delivery,
  DeliveryOutcome,
  Outbox,
  OutboxMessage,
  OutboxState,
  OutboxView,
} from './outbox/outbox.ts';
export type { PluginData, PluginDatum } from './outbox/plugin-data.ts';
export type { Upstream, UpstreamEvent, UpstreamMeter, UpstreamTarget } from './outbox/upstream.ts';
export type { WebhookList, WebhookView } from './outbox/webhook-list.ts';
export type { WebhookSettings, Webhooks } from './outbox/webhooks.ts';
export type { EngineParts, EngineSettings } from './parts.ts';
export type { PictureSize, Pictures, PreparedPicture, Upload } from './pictures.ts';
export type { Pours } from './pours.ts';
export type { ReportedPour } from './reported-pour.ts';
export type { SiteService } from './site.ts';
export type { NextOnTap, TapRequest, Taps } from './taps.ts';
export type { SensorRequest, Thermo } from './thermo.ts';
export type { TokenQuery, TokenRequest, Tokens } from './tokens.ts';
export type { DrinkView, Page, PageRequest, TapRef, TapView } from './views.ts';

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
