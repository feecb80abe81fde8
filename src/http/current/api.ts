import { joinAlarmKinds } from '../../core/alarms/alarm-kinds.ts';
import { findExtensionAt, type HttpExtensions, noExtensions, withRoutesOfExtensions } from '../extension.ts';
import { schemaRoute } from '../openapi/schema-route.ts';
import { multipartReader } from '../pipeline/body/multipart.ts';
import { jsonReader } from '../pipeline/body/read-body.ts';
import type { ApiDefinition } from '../routes/api-definition.ts';
import type { RouteServices } from '../services.ts';
import { about } from './about.ts';
import { tokenChangeRoutes } from './access/auth-token-changes.ts';
import { tokenRoutes } from './access/auth-tokens.ts';
import { forgetUnknownToken, listUnknownTokens } from './access/unknown-tokens.ts';
import { assignDrinks } from './drinks/assign-drinks.ts';
import { listClaims } from './drinks/claims.ts';
import { drinkCorrectionRoutes } from './drinks/drink-corrections.ts';
import { listDrinkCorrections } from './drinks/drink-history.ts';
import { drinkPictureRoutes } from './drinks/drink-pictures.ts';
import { getDrink, listDrinks } from './drinks/drinks.ts';
import { eventRoutes } from './drinks/events.ts';
import { heldPourRoutes } from './drinks/held-pours.ts';
import { getPicture } from './drinks/pictures.ts';
import { recordDrink } from './drinks/record-drink.ts';
import { sessionRoutes } from './drinks/sessions.ts';
import { getTokenHistory } from './drinks/token-history.ts';
import { beveragePriceRoutes } from './kegs/beverage-prices.ts';
import { beverageRoutes } from './kegs/beverages.ts';
import { cataloguePictureRoutes } from './kegs/catalogue-pictures.ts';
import { kegChangeRoutes } from './kegs/keg-changes.ts';
import { kegWeighingRoutes } from './kegs/keg-weighings.ts';
import { kegRoutes } from './kegs/kegs.ts';
import { mergeRoutes } from './kegs/merges.ts';
import { priceScheduleRoutes } from './kegs/price-schedules.ts';
import { producerRoutes } from './kegs/producers.ts';
import { servingSizeRoutes } from './kegs/serving-sizes.ts';
import { alarmChannelRoutes } from './notifications/alarm-channels.ts';
import { alarmLinkRoutes } from './notifications/alarm-links.ts';
import { alarmPolicyRoutes } from './notifications/alarm-policy.ts';
import { alarmRoutes } from './notifications/alarms.ts';
import { mailRoutes } from './notifications/mail.ts';
import { createNotificationJson, notificationSettingsRoutes } from './notifications/notification-settings.ts';
import { outboxRoutes } from './notifications/outbox.ts';
import { pluginRoutes } from './notifications/plugins.ts';
import { webhookRoutes } from './notifications/webhooks.ts';
import { auditRoute } from './reports/audit.ts';
import { businessRoutes } from './reports/business.ts';
import { drinkerFigureRoutes } from './reports/drinker-figures.ts';
import { recordExportRoutes } from './reports/exports.ts';
import { reportRoutes } from './reports/reports.ts';
import { statisticsRowRoutes } from './reports/statistics-rows.ts';
import { subjectStatisticsRoutes } from './reports/subject-statistics.ts';
import { currentFormatFor, kegbotHint } from './shared/kegbot-clients.ts';
import { currentFormat } from './shared/reply-format.ts';
import { adminRoutes } from './site/admin.ts';
import { apiRoot } from './site/api-root.ts';
import { backupRoutes } from './site/backups.ts';
import { clockRoutes } from './site/clock.ts';
import { demoRoutes } from './site/demo.ts';
import { docsRoutes } from './site/docs.ts';
import { featureRoutes } from './site/features.ts';
import { getFirstSteps } from './site/first-steps.ts';
import { httpsRoutes } from './site/https.ts';
import { liveRoutes } from './site/live.ts';
import { exportRoutes } from './site/own-data.ts';
import { setupRoutes } from './site/setup.ts';
import { setupRestoreRoutes } from './site/setup-restore.ts';
import { simulatorRoutes } from './site/simulator.ts';
import { siteRoutes } from './site/site.ts';
import { getStatus, meRoutes } from './site/status.ts';
import { updateRoutes } from './site/updates.ts';
import { calibrationRoutes } from './taps/calibration/calibration.ts';
import { meterCurveRoutes } from './taps/calibration/meter-curves.ts';
import { controllerRoutes } from './taps/controllers.ts';
import { hardwareRoutes } from './taps/hardware.ts';
import { getTapLineHealth } from './taps/lines/tap-line-health.ts';
import { tapLossRoutes } from './taps/lines/tap-losses.ts';
import { machineHardwareRoutes } from './taps/machine-hardware.ts';
import { tapChangeRoutes } from './taps/tap-changes.ts';
import { tapHardwareRoutes } from './taps/tap-hardware.ts';
import { tapNextRoutes } from './taps/tap-next.ts';
import { tapRecordRoutes } from './taps/tap-records.ts';
import { getTap, listTaps } from './taps/taps.ts';
import { valveRoutes } from './taps/valves.ts';
import { wiringRoutes } from './taps/wiring.ts';
import { getTemperatureSheets, getTemperatureSheetsCsv } from './temperatures/temperature-sheets.ts';
import { thermoRoutes } from './temperatures/thermo.ts';
import { sensorChangeRoutes } from './temperatures/thermo-sensor-changes.ts';
import { accountRoutes } from './users/account.ts';
import { accountHelpRoutes } from './users/account-help.ts';
import { accountLinkRoutes } from './users/account-links.ts';
import { aliasRoutes } from './users/aliases.ts';
import { invitationRoutes } from './users/invitations.ts';
import { loginRoutes } from './users/login.ts';
import { ownLoginHistory } from './users/login-history.ts';
import { ownLoginRoutes } from './users/own-logins.ts';
import { ownPinRoutes } from './users/own-pin.ts';
import { personalDataRoutes } from './users/personal-data.ts';
import { registrationRoutes } from './users/registration.ts';
import { tabletRoutes } from './users/tablets.ts';
import { userRoutes } from './users/users.ts';

/** The current API, `/api/`: strict JSON in the specification's shapes. */
export function currentApi(
  services: RouteServices,
  { extensions = noExtensions }: { readonly extensions?: HttpExtensions } = {},
): ApiDefinition {
  const alarmKinds = joinAlarmKinds(extensions.all);
  const notifications = createNotificationJson(alarmKinds);
  const routes = withRoutesOfExtensions(services, extensions, [
    apiRoot(() => api),
    ...meRoutes(services),
    ...exportRoutes(notifications),
    ...loginRoutes(services),
    ...registrationRoutes,
    ...setupRoutes(services),
    ...setupRestoreRoutes(services),
    getStatus,
    listDrinks,
    getDrink,
    listDrinkCorrections,
    ...drinkCorrectionRoutes(services),
    assignDrinks,
    getTokenHistory,
    listClaims,
    ...drinkPictureRoutes,
    ...heldPourRoutes,
    ...calibrationRoutes,
    ...meterCurveRoutes(services),
    auditRoute(extensions.all),
    listTaps,
    getTap,
    getTapLineHealth,
    ...tapLossRoutes,
    getTemperatureSheets,
    getTemperatureSheetsCsv,
    ...tapRecordRoutes,
    ...tapChangeRoutes(services),
    ...tapNextRoutes,
    ...tapHardwareRoutes(services),
    recordDrink,
    ...kegRoutes,
    ...kegChangeRoutes,
    ...kegWeighingRoutes,
    ...beverageRoutes,
    ...beveragePriceRoutes,
    ...priceScheduleRoutes,
    ...servingSizeRoutes,
    ...producerRoutes,
    ...cataloguePictureRoutes,
    ...mergeRoutes,
    ...sessionRoutes,
    ...eventRoutes(services),
    ...statisticsRowRoutes,
    ...drinkerFigureRoutes,
    ...subjectStatisticsRoutes,
    ...userRoutes,
    ...accountHelpRoutes,
    ...aliasRoutes,
    ...personalDataRoutes(services),
    ...accountRoutes(services),
    ...accountLinkRoutes,
    ...tabletRoutes(services),
    ...ownPinRoutes(services),
    ...ownLoginRoutes,
    ownLoginHistory,
    ...invitationRoutes,
    ...siteRoutes,
    ...httpsRoutes(services),
    getFirstSteps,
    ...demoRoutes(services),
    ...tokenRoutes,
    ...tokenChangeRoutes,
    ...controllerRoutes,
    ...hardwareRoutes(services),
    ...machineHardwareRoutes(services),
    ...thermoRoutes(services),
    ...sensorChangeRoutes(services),
    getPicture,
    ...liveRoutes(services),
    ...simulatorRoutes(services),
    ...clockRoutes(services),
    listUnknownTokens,
    forgetUnknownToken,
    ...valveRoutes(services),
    ...wiringRoutes(services),
    ...notificationSettingsRoutes(notifications),
    ...outboxRoutes,
    ...mailRoutes(services),
    ...alarmRoutes(services),
    ...alarmPolicyRoutes,
    ...alarmLinkRoutes(services),
    ...alarmChannelRoutes(services, alarmKinds),
    ...pluginRoutes,
    ...webhookRoutes(services),
    schemaRoute(() => api),
    ...backupRoutes(services),
    ...updateRoutes(services),
    ...recordExportRoutes(extensions.all),
    ...reportRoutes,
    ...businessRoutes,
    ...adminRoutes(services),
    ...featureRoutes,
    ...docsRoutes,
  ]);
  const api: ApiDefinition = {
    name: 'current',
    title: 'Tapster API',
    prefix: '/api',
    about: { ...about, tags: Object.assign({}, about.tags, ...extensions.all.map(({ tags }) => tags)) },
    get otherOperations() {
      return extensions.apis.flatMap(({ operations }) => operations);
    },
    headers: { 'Cache-Control': 'no-store' },
    get routes() {
      return routes();
    },
    findFeature: (path) => findExtensionAt(extensions.all, path)?.name ?? null,
    retired: [],
    bodyReaders: [jsonReader],
    fileReaders: [multipartReader],
    lenientJson: false,
    refusesUnknownQuery: true,
    keepsAnswers: true,
    basicKeys: true,
    logins: 'everywhere',
    requiresSetUp: true,
    entityTags: true,
    crossOrigin: true,
    formats: [currentFormat],
    formatFor: currentFormatFor,
    hintFor: kegbotHint,
  };
  return api;
}
