import type { createEngine } from './create-engine.ts';

export type { ExportValue } from '../store/reports/export-table.ts';
export type { ExportPlan } from '../store/shared/export-plan.ts';
export type { Grants, GrantView, ReaderPresentment } from './access/grants.ts';
export type { ClockCorrection } from './drinks/clock-correction.ts';
export type { CorrectedValues } from './drinks/correction-history.ts';
export { type AssignedDrinks, maxAssigned } from './drinks/corrections/assign.ts';
export type { AppliedCalibration, CalibrationPreview } from './drinks/corrections/calibrate.ts';
export { claimableUntilMs } from './drinks/corrections/claim.ts';
export type { DrinkQuery } from './drinks/drink-lists.ts';
export type { Drinks } from './drinks/drinks.ts';
export type { EventQuery } from './drinks/event-lists.ts';
export type { EvidenceItem, MeterDrift, MeterKnowledge } from './drinks/meter-knowledge.ts';
export type { MeterLearning } from './drinks/meter-learning.ts';
export type { Pours } from './drinks/pours.ts';
export { toPourId, userSender } from './drinks/reported/reported-pour.ts';
export type { DripTicks } from './drinks/tap-losses.ts';
export type { DrinkUncertainty } from './drinks/uncertainties.ts';
export { type EngineExtensions, featureOff, type LoadedExtension, loadExtensions } from './extension.ts';
export type { KegFields } from './kegs/keg-bounds.ts';
export type { WeighingView } from './kegs/keg-weighings.ts';
export type { NewKeg } from './kegs/new-keg.ts';
export type { ScheduleFields } from './kegs/prices/price-schedules.ts';
export type { Corrected } from './kegs/record-corrections.ts';
export type { AlarmChannelRecord, AlarmChannelView } from './notifications/alarm-channels.ts';
export type { AlarmNote } from './notifications/alarm-delivery.ts';
export { receiptLifeMs } from './notifications/alarm-receipts.ts';
export type { AlarmSettings, AlarmView } from './notifications/alarms.ts';
export type { MailSettings } from './notifications/mail.ts';
export type { Delivery, FailureScope, Outbox, OutboxMessage, OutboxView } from './notifications/outbox.ts';
export type { PluginDatum } from './notifications/plugin-data.ts';
export type { WebhookView } from './notifications/webhook-list.ts';
export type { WebhookSettings } from './notifications/webhooks.ts';
export {
  type CsvDialectName,
  csvDialects,
  type ExportFormat,
  exportFormats,
  exportKinds,
  maxWorkbookRows,
} from './reports/exports.ts';
export type { Amounts, BusinessSettings, DayReport, SpanReport } from './reports/reports.ts';
export type { DrinkStatistics, SessionDay, StatisticsView } from './reports/statistics.ts';
export type { StatisticsRow } from './reports/statistics-rows.ts';
export type { ActorContext } from './shared/actor-context.ts';
export {
  type Actor,
  type AuditEntry,
  consoleActor,
  systemActor,
  toActor,
  toTabletActor,
  vias,
} from './shared/audit.ts';
export { maxCurveHz, maxOffsetTicks } from './shared/bounds.ts';
export type {
  EmailTemplateName,
  EmailTemplates,
  MailedAmounts,
  MailedReport,
  OwnMail,
} from './shared/email-templates.ts';
export {
  maxRowCells,
  maxRowCharacters,
  readTable,
  TableFault,
  type TableRow,
} from './shared/files/read-table.ts';
export { type Cursor, type ListOrder, type Page, type PageRequest, paginate } from './shared/paging.ts';
export type { EngineSettings } from './shared/parts.ts';
export type { PictureSize, PreparedPicture, Upload } from './shared/pictures.ts';
export type { DrinkView, TapView } from './shared/views.ts';
export { type FeatureView, isFeatureOn } from './site/features.ts';
export { firstStepNames } from './site/first-steps.ts';
export type { Hardware } from './taps/hardware.ts';
export type { PluggedInBoard } from './taps/hardware-claims.ts';
export type { HardwareDeclaration } from './taps/provision.ts';
export type { LineTemperature } from './temperatures/line-temperatures.ts';
export type { Thermo } from './temperatures/thermo.ts';
export type { ThermoSpan } from './temperatures/thermo-history.ts';
export type { InvitationView } from './users/invitations.ts';
export type { KeyRecord } from './users/keys/own-keys.ts';
export type { LoginLine } from './users/login-log/login-log.ts';
export type { LoginOutcome, ProvenBy } from './users/login-log/login-windows.ts';
export { type Logins, loginMethods, type OwnLogin } from './users/logins.ts';
export type { Tablet, TabletRecord, Tablets } from './users/tablets.ts';

/** All engine services; each call is one synchronous transaction. Expected errors are AppErrors. */
export type Engine = ReturnType<typeof createEngine>;
