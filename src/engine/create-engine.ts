import { createAccountLinks } from './account-links.ts';
import { createAccounts } from './accounts.ts';
import { createAlarms } from './alarms.ts';
import { createAudit } from './audit.ts';
import { createCatalogue } from './catalogue.ts';
import { checkLedger } from './check-ledger.ts';
import { createClockwork } from './clockwork.ts';
import { createDevices } from './devices.ts';
import { createDiary } from './diary.ts';
import { createDrinks } from './drinks.ts';
import type { Engine } from './engine.ts';
import { createExports } from './exports.ts';
import { createGrants } from './grants.ts';
import { createHardware } from './hardware.ts';
import { createInvitations } from './invitations.ts';
import { createKegs } from './kegs.ts';
import { createLists } from './lists.ts';
import { createLogins } from './logins.ts';
import { createMail } from './mail.ts';
import { createNotifications } from './notifications.ts';
import { createOutbox } from './outbox.ts';
import { createOverview } from './overview.ts';
import { createOwnKeys } from './own-keys.ts';
import type { EngineParts } from './parts.ts';
import { createPasswords } from './passwords.ts';
import { createPeople } from './people.ts';
import { createPictures } from './pictures.ts';
import { createPluginData } from './plugin-data.ts';
import { createPours } from './pours.ts';
import { createRegistration } from './registration.ts';
import { createReports } from './reports.ts';
import { createSetup } from './setup.ts';
import { createSiteDesk } from './site.ts';
import { createStatistics } from './statistics.ts';
import { createTaps } from './taps.ts';
import { createThermo } from './thermo.ts';
import { createThermoHistory } from './thermo-history.ts';
import { createTokens } from './tokens.ts';
import { createUpstream } from './upstream.ts';
import { createWebhooks } from './webhooks.ts';

/** Puts the use-cases together over one ledger; `bus` hears of every change after its commit. */
export function createEngine(parts: EngineParts): Engine {
  const people = createPeople(parts);
  const devices = createDevices(parts);
  return {
    pours: createPours(parts),
    drinks: createDrinks(parts),
    kegs: createKegs(parts),
    catalogue: createCatalogue(parts),
    lists: createLists(parts),
    statistics: createStatistics(parts),
    taps: createTaps(parts),
    hardware: createHardware(parts),
    thermo: createThermo(parts),
    thermoHistory: createThermoHistory(parts),
    people,
    setup: createSetup(parts, people),
    tokens: createTokens(parts, devices),
    passwords: createPasswords(parts),
    logins: createLogins(parts),
    ownKeys: createOwnKeys(parts),
    accountLinks: createAccountLinks(parts),
    invitations: createInvitations(parts),
    registration: createRegistration(parts, people),
    site: createSiteDesk(parts),
    pictures: createPictures(parts),
    clockwork: createClockwork(parts),
    diary: createDiary(parts),
    audit: createAudit(parts),
    devices,
    accounts: createAccounts(parts, devices),
    grants: createGrants(parts),
    outbox: createOutbox(parts),
    mail: createMail(parts),
    notifications: createNotifications(parts),
    webhooks: createWebhooks(parts),
    pluginData: createPluginData(parts),
    alarms: createAlarms(parts),
    upstream: createUpstream(parts),
    exports: createExports(parts),
    reports: createReports(parts),
    overview: createOverview(parts),
    checkLedger: () => checkLedger(parts.store),
  };
}
