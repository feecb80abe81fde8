import type { AdminService } from '../admin-ports.ts';
import type { LoginDelay } from '../auth/login-delay.ts';
import type { SetupCode } from '../auth/setup-code.ts';
import { multipartReader } from '../body/multipart.ts';
import { jsonReader } from '../body/read-body.ts';
import type { LiveHub } from '../live/hub.ts';
import { schemaRoute } from '../openapi/schema-route.ts';
import type { PendingPolls } from '../pending-polls.ts';
import type {
  MailTester,
  ManualValves,
  SettableClock,
  Simulator,
  UpstreamAdmin,
  WebhookTester,
} from '../ports.ts';
import type { ApiDefinition } from '../routes/api-definition.ts';
import type { WiringService } from '../wiring-ports.ts';
import { tokenChangeRoutes } from './access/auth-token-changes.ts';
import { tokenRoutes } from './access/auth-tokens.ts';
import { kegboardRoutes } from './controllers/kegboards.ts';
import { listClaims } from './drinks/claims.ts';
import { drinkCorrectionRoutes } from './drinks/drink-corrections.ts';
import { drinkPictureRoutes } from './drinks/drink-pictures.ts';
import { getDrink, listDrinks } from './drinks/drinks.ts';
import { eventRoutes } from './drinks/events.ts';
import { heldPourRoutes } from './drinks/held-pours.ts';
import { getPicture } from './drinks/pictures.ts';
import { recordDrink } from './drinks/record-drink.ts';
import { sessionRoutes } from './drinks/sessions.ts';
import { beverageChangeRoutes } from './kegs/beverage-changes.ts';
import { catalogueRoutes } from './kegs/catalogue.ts';
import { cataloguePictureRoutes } from './kegs/catalogue-pictures.ts';
import { kegChangeRoutes } from './kegs/keg-changes.ts';
import { kegRoutes } from './kegs/kegs.ts';
import { producerChangeRoutes } from './kegs/producer-changes.ts';
import { mailRoutes } from './notifications/mail.ts';
import { notificationSettingsRoutes } from './notifications/notification-settings.ts';
import { outboxRoutes } from './notifications/outbox.ts';
import { pluginRoutes } from './notifications/plugins.ts';
import { upstreamRoutes } from './notifications/upstream.ts';
import { webhookRoutes } from './notifications/webhooks.ts';
import { listAudit } from './reports/audit.ts';
import { businessRoutes } from './reports/business.ts';
import { getExport } from './reports/exports.ts';
import { reportRoutes } from './reports/reports.ts';
import { statisticsRoutes } from './reports/statistics.ts';
import { currentForm } from './shared/wire-form.ts';
import { adminRoutes } from './site/admin.ts';
import { backupRoutes } from './site/backups.ts';
import { clockRoutes } from './site/clock.ts';
import { docsRoutes } from './site/docs.ts';
import { liveRoutes } from './site/live.ts';
import { setupRoutes } from './site/setup.ts';
import { setupRestoreRoutes } from './site/setup-restore.ts';
import { simulatorRoutes } from './site/simulator.ts';
import { siteRoutes } from './site/site.ts';
import { getMe, getStatus } from './site/status.ts';
import { calibrationRoutes } from './taps/calibration.ts';
import { hardwareRoutes } from './taps/hardware.ts';
import { hardwareChangeRoutes } from './taps/hardware-changes.ts';
import { tapChangeRoutes } from './taps/tap-changes.ts';
import { getTap, listTaps } from './taps/taps.ts';
import { valveRoutes } from './taps/valves.ts';
import { wiringRoutes } from './taps/wiring.ts';
import { thermoRoutes } from './temperatures/thermo.ts';
import { sensorChangeRoutes } from './temperatures/thermo-sensor-changes.ts';
import { accountRoutes } from './users/account.ts';
import { accountLinkRoutes } from './users/account-links.ts';
import { invitationRoutes } from './users/invitations.ts';
import { loginRoutes } from './users/login.ts';
import { ownLoginRoutes } from './users/own-logins.ts';
import { registrationRoutes } from './users/registration.ts';
import { tabletRoutes } from './users/tablets.ts';
import { userRoutes } from './users/users.ts';

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
