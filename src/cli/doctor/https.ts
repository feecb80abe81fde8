import type { Config } from '../../config/schema.ts';
import { validityProblem } from '../../core/certificates/own-certificate.ts';
import { isValidAt, type Validity } from '../../core/certificates/renewal.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { authorityFile, createCertificateFiles } from '../../services/https/certificate-files.ts';
import { readOwnCertificate } from '../../services/https/own-certificate.ts';
import { type Finding, ok, unknown, warn } from '../../system/health/finding.ts';
import { readTextFile } from '../../system/small-files.ts';

/** Where the package and the installer announce the machine; root's, so that the daemon cannot write it. */
const avahiFile = '/etc/avahi/services/tapster.service';

/** The certificate for HTTPS in the files, so also while the daemon does not run, and what Avahi announces. */
export function httpsFindings(
  { config, isDemo }: { readonly config: Config; readonly isDemo: boolean },
  now: Moment,
  serviceFile = avahiFile,
): Finding[] {
  const isOn = config.https.enabled && !isDemo;
  return [
    ...(isOn ? certificateFindings(config, now) : [ok('HTTPS is off.')]),
    ...(isDemo ? [] : announcementFindings(config, readTextFile(serviceFile))),
  ];
}

/** What is wrong with the bar's own certificate; nothing without one. */
export function ownCertificateFindings({ https }: Pick<Config, 'https'>, now: Moment): Finding[] {
  const { enabled, certificate_file: certificateFile, key_file: keyFile } = https;
  if (!enabled || certificateFile === '' || keyFile === '') return [];
  const found = readOwnCertificate(certificateFile, keyFile);
  if ('code' in found) return [warn(found.message)];
  const problem = validityProblem(found, now);
  if (problem !== null) return [warn(problem.message)];
  return [
    ok(
      `The certificate in ${certificateFile} is valid until ${toDay(found)}, for ${found.names.join(', ')}.`,
    ),
  ];
}

function certificateFindings(config: Config, now: Moment): Finding[] {
  const own = ownCertificateFindings(config, now);
  const isOwnUsed = own.length > 0 && own.every(({ status }) => status === 'ok');
  return isOwnUsed ? own : [...own, ...madeFindings(config.database, now)];
}

/** The certificate that Tapster makes itself. */
function madeFindings(database: string, now: Moment): Finding[] {
  const files = createCertificateFiles(database);
  const authority = files.readAuthority();
  if (authority.kind === 'missing')
    return [unknown('There is no certificate for HTTPS yet. The daemon makes it once the time is set.')];
  if (authority.kind === 'unreadable')
    return [unknown(`${authorityFile(database)} cannot be read. Call this with sudo.`)];
  if (authority.kind !== 'read')
    return [
      warn(
        `${authorityFile(database)} is damaged.`,
        'The daemon makes a new one at its start, which every device must install again.',
      ),
    ];
  const server = files.readServer(authority.value);
  if (server.kind !== 'read') return [warn('The daemon makes a new certificate for HTTPS at its start.')];
  const text = `The certificate for HTTPS is valid until ${toDay(server.value)}, and its authority until ${toDay(authority.value)}.`;
  const isUsable = !now.synced || isValidAt(server.value, now.wallMs);
  return [isUsable ? ok(text) : warn(`${text} It is not valid now.`, 'The running daemon renews it.')];
}

/** The ports of the settings must be those that phones and boards are told. */
function announcementFindings({ http, https }: Config, text: string | null): Finding[] {
  if (text === null) return [];
  const findPort = (type: string) =>
    Number(new RegExp(`<type>${type}</type>\\s*<port>(\\d+)</port>`).exec(text)?.[1] ?? 0);
  const [httpPort, httpsPort] = [findPort('_http._tcp'), findPort('_https._tcp')];
  const fits = (announced: number, port: number) => announced === 0 || port === 0 || announced === port;
  if (fits(httpPort, http.port) && fits(httpsPort, https.enabled ? https.port : 0)) return [];
  return [
    warn(
      `Avahi announces the ports ${httpPort} and ${httpsPort}, but the settings have ${http.port} and ${https.port}.`,
      `Correct the ports in ${avahiFile}, and remove the line in it that says who wrote it.`,
    ),
  ];
}

const toDay = ({ toMs }: Validity): string => new Date(toMs).toISOString().slice(0, 10);
