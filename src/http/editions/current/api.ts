import type { AdminService } from '../../admin-ports.ts';
import type { LoginDelay } from '../../auth/login-delay.ts';
import type { SetupCode } from '../../auth/setup-code.ts';
import { multipartReader } from '../../body/multipart.ts';
import { jsonReader } from '../../body/read-body.ts';
import type { LiveHub } from '../../live/hub.ts';
import type { PendingPolls } from '../../pending-polls.ts';
import type {
  MailTester,
  ManualValves,
  SettableClock,
  Simulator,
  UpstreamAdmin,
  WebhookTester,
} from '../../ports.ts';
import type { ApiDefinition } from '../../routes/api-definition.ts';
import { schemaRoute } from '../../routes/schema-route.ts';
import type { WiringService } from '../../wiring-ports.ts';
import { accountRoutes } from './account.ts';
import { accountLinkRoutes } from './account-links.ts';
import { adminRoutes } from './admin.ts';
import { listAudit } from './audit.ts';
import { tokenRoutes } from './auth-tokens.ts';
import { backupRoutes } from './backups.ts';
import { beverageChangeRoutes } from './beverage-changes.ts';
import { businessRoutes } from './business.ts';
import { calibrationRoutes } from './calibration.ts';
import { catalogueRoutes } from './catalogue.ts';
import { cataloguePictureRoutes } from './catalogue-pictures.ts';
import { listClaims } from './claims.ts';
import { clockRoutes } from './clock.ts';
import { docsRoutes } from './docs.ts';
import { drinkCorrectionRoutes } from './drink-corrections.ts';
import { drinkPictureRoutes } from './drink-pictures.ts';
import { getDrink, listDrinks } from './drinks.ts';
import { eventRoutes } from './events.ts';
import { getExport } from './exports.ts';
import { hardwareRoutes } from './hardware.ts';
import { hardwareChangeRoutes } from './hardware-changes.ts';
import { heldPourRoutes } from './held-pours.ts';
import { invitationRoutes } from './invitations.ts';
import { kegChangeRoutes } from './keg-changes.ts';
import { kegboardRoutes } from './kegboards.ts';
import { kegRoutes } from './kegs.ts';
import { liveRoutes } from './live.ts';
import { loginRoutes } from './login.ts';
import { mailRoutes } from './mail.ts';
import { notificationSettingsRoutes } from './notification-settings.ts';
import { outboxRoutes } from './outbox.ts';
import { ownLoginRoutes } from './own-logins.ts';
import { getPicture } from './pictures.ts';
import { pluginRoutes } from './plugins.ts';
import { producerChangeRoutes } from './producer-changes.ts';
import { recordDrink } from './record-drink.ts';
import { registrationRoutes } from './registration.ts';
import { reportRoutes } from './reports.ts';
import { sensorChangeRoutes } from './sensor-changes.ts';
import { sessionRoutes } from './sessions.ts';
import { setupRoutes } from './setup.ts';
import { setupRestoreRoutes } from './setup-restore.ts';
import { simulatorRoutes } from './simulator.ts';
import { siteRoutes } from './site.ts';
import { statisticsRoutes } from './statistics.ts';
import { getMe, getStatus } from './status.ts';
import { tabletRoutes } from './tablets.ts';
import { tapChangeRoutes } from './tap-changes.ts';
import { getTap, listTaps } from './taps.ts';
import { thermoRoutes } from './thermo.ts';
import { tokenChangeRoutes } from './token-changes.ts';
import { upstreamRoutes } from './upstream.ts';
import { userRoutes } from './users.ts';
import { valveRoutes } from './valves.ts';
import { webhookRoutes } from './webhooks.ts';
import { currentForm } from './wire-form.ts';
import { wiringRoutes } from './wiring.ts';

/** Services outside the engine that some routes of the current API need. */
export interface CurrentApiServices {
  readonly clock: SettableClock;
  readonly live: LiveHub;
  readonly pendingPolls: PendingPolls;
  /** Null when login attempts are not limited. */
  readonly loginDelay: LoginDelay | null;
  readonly setup: SetupCode;
  readonly admin?: AdminService | undefined;
  readonly wiring?: WiringService | undefined;
  readonly simulator: Simulator | undefined;
  readonly mailTester?: MailTester | undefined;
  readonly webhookTester?: WebhookTester | undefined;
  readonly upstream?: UpstreamAdmin | undefined;
  readonly valves?: ManualValves | undefined;
}

/** The current API, `/api/`: strict JSON in the specification's shapes. */
export function currentApi({
  clock,
  live,
  pendingPolls,
  loginDelay,
  setup,
  simulator,
  valves,
  mailTester,
  webhookTester,
  upstream,
  admin,
  wiring,
}: CurrentApiServices): ApiDefinition {
  const api: ApiDefinition = {
    name: 'current',
    title: 'Tapster API',
    prefix: '/api',
    headers: { 'Cache-Control': 'no-store' },
    routes: [
      getMe,
      ...loginRoutes(loginDelay),
      ...registrationRoutes,
      ...setupRoutes(setup),
      ...setupRestoreRoutes(setup, admin),
      getStatus,
      listDrinks,
      getDrink,
      ...drinkCorrectionRoutes,
      listClaims,
      ...drinkPictureRoutes,
      ...heldPourRoutes,
      ...calibrationRoutes,
      listAudit,
      listTaps,
      getTap,
      ...tapChangeRoutes,
      recordDrink,
      ...kegRoutes,
      ...kegChangeRoutes,
      ...catalogueRoutes,
      ...beverageChangeRoutes,
      ...producerChangeRoutes,
      ...cataloguePictureRoutes,
      ...sessionRoutes,
      ...eventRoutes(pendingPolls),
      ...statisticsRoutes,
      ...userRoutes,
      ...accountRoutes,
      ...accountLinkRoutes,
      ...tabletRoutes(clock),
      ...ownLoginRoutes,
      ...invitationRoutes,
      ...siteRoutes,
      ...tokenRoutes,
      ...tokenChangeRoutes,
      ...hardwareRoutes,
      ...hardwareChangeRoutes,
      ...thermoRoutes,
      ...sensorChangeRoutes,
      getPicture,
      ...liveRoutes(live),
      ...simulatorRoutes(simulator),
      ...clockRoutes(clock),
      ...kegboardRoutes,
      ...valveRoutes(valves),
      ...wiringRoutes(wiring),
      ...notificationSettingsRoutes,
      ...outboxRoutes,
      ...upstreamRoutes(upstream),
      ...mailRoutes(mailTester),
      ...pluginRoutes,
      ...webhookRoutes(webhookTester),
      schemaRoute(() => api),
      ...backupRoutes(admin?.backups),
      getExport,
      ...reportRoutes,
      ...businessRoutes,
      ...adminRoutes(admin),
      ...docsRoutes,
    ],
    retired: [],
    bodyReaders: [jsonReader],
    fileReaders: [multipartReader],
    lenientJson: false,
    basicKeys: true,
    logins: 'everywhere',
    requiresSetUp: true,
    forms: [currentForm],
    formFor: () => currentForm,
  };
  return api;
}
