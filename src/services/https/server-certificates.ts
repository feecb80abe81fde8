import { randomBytes } from 'node:crypto';
import {
  normalizeHostName,
  ownNames,
  permittedDomains,
  withinDomains,
} from '../../core/certificates/certificate-names.ts';
import {
  authorityValidity,
  isValidAt,
  planRenewal,
  type RenewalPlan,
  serverValidity,
  type Validity,
} from '../../core/certificates/renewal.ts';
import type { Clock, Moment } from '../../core/clock/moment.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { Log } from '../../http/ports.ts';
import { authorityFile, createCertificateFiles, type StoredFile } from './certificate-files.ts';
import type { Authority, IssueJob, IssueResult, ServerCertificate } from './issue-jobs.ts';

const dayMs = 86_400_000;

/** The end of the authority is reported this long before: every device has to install the next one. */
const authorityReportedMs = 90 * dayMs;

/** Time to the next attempt after one that failed, milliseconds. */
const retryMs = 300_000;

/** Where the certificates come from, and the names that they need now. */
export interface CertificateOptions {
  readonly database: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly hostName: () => string;
  readonly addresses: () => readonly string[];
  readonly hasAlias: boolean;
  readonly issue: (job: IssueJob) => Promise<IssueResult>;
}

/** What Tapster's own certificates are at the moment. */
export interface CertificateState {
  readonly authority: (Authority & Validity) | null;
  readonly server: (ServerCertificate & Validity) | null;
  readonly problems: readonly Problem[];
}

/**
 * The authority of this machine and the certificate that it signs for the server: read from their files, made where they are
 * missing, renewed when `planRenewal` says so.
 */
export function createServerCertificates(options: CertificateOptions) {
  const { database, clock, log, hostName, addresses, hasAlias, issue } = options;
  const files = createCertificateFiles(database);
  let authority: (Authority & Validity) | null = null;
  let server: (ServerCertificate & Validity) | null = null;
  /** The authority's file cannot be read or moved away: nothing is made, since that would replace it. */
  let isBlocked = false;
  let failedAt: Moment | null = null;

  function load(): void {
    const stored = files.readAuthority();
    if (stored.kind === 'damaged') setAside();
    isBlocked = stored.kind === 'unreadable';
    authority = toValue(stored);
    server = authority === null ? null : toValue(files.readServer(authority));
  }

  /** Also after a power cut on a worn card: the next authority replaces it. */
  function setAside(): void {
    try {
      files.setAsideAuthority();
      log.warn({ file: authorityFile(database) }, 'the authority’s file is damaged and was set aside');
    } catch (err) {
      log.warn({ err }, 'the authority’s damaged file cannot be set aside');
    }
  }

  const wantedNames = (domains: readonly string[]) =>
    withinDomains(ownNames({ hostName: hostName(), addresses: addresses(), hasAlias }), domains);

  function plan(now: Moment): RenewalPlan {
    const domains = authority?.domains ?? permittedDomains(hostName());
    return planRenewal({ authority, server, wanted: wantedNames(domains), now });
  }

  async function make(reasons: RenewalPlan, now: Moment): Promise<void> {
    const kept = reasons.authority === null ? authority : null;
    const domains = kept?.domains ?? permittedDomains(hostName());
    const newAuthority = authorityValidity(now.wallMs);
    const made = await issue({
      authority: kept,
      newAuthority: { ...newAuthority, name: authorityName(hostName()), domains },
      server: { ...serverValidity(now.wallMs, kept ?? newAuthority), names: wantedNames(domains) },
    });
    if (kept === null) files.writeAuthority(made.authority);
    files.writeServer(made.server);
    load();
    const { dns, addresses: ips } = made.server.names;
    log.info({ ...reasons, names: dns.length + ips.length }, 'the certificate for HTTPS was made');
  }

  load();
  return {
    state(): CertificateState {
      return { authority, server, problems: problems() };
    },
    /** Makes what is needed now, or, with `force`, a new certificate of the server. True if something was made. */
    async renew(force = false): Promise<boolean> {
      // A person may have corrected the file's owner.
      if (isBlocked) load();
      const now = clock.now();
      const planned = plan(now);
      const reasons: RenewalPlan =
        force && now.synced && planned.server === null ? { ...planned, server: 'ends_soon' } : planned;
      if (reasons.server === null || isBlocked) return false;
      if (!force && failedAt !== null && now.monoMs - failedAt.monoMs < retryMs) return false;
      try {
        await make(reasons, now);
        failedAt = null;
        return true;
      } catch (err) {
        failedAt = now;
        log.error({ err }, 'the certificate for HTTPS could not be made');
        return false;
      }
    },
  };

  function problems(): Problem[] {
    const now = clock.now();
    if (isBlocked) return [createProblem('https_keys_unreadable', { file: authorityFile(database) })];
    if (failedAt !== null) return [createProblem('https_certificate_failed')];
    if (server === null && !now.synced) return [createProblem('https_waits_for_time')];
    if (authority === null || !now.synced || !isValidAt(authority, now.wallMs)) return [];
    const leftMs = authority.toMs - now.wallMs;
    return leftMs > authorityReportedMs
      ? []
      : [createProblem('https_authority_ends', { days: Math.floor(leftMs / dayMs) })];
  }
}

const toValue = <T>(stored: StoredFile<T>): (T & Validity) | null =>
  stored.kind === 'read' ? stored.value : null;

/** Tells the authorities of several Pis, or of one Pi before and after its card was replaced, apart. */
const authorityName = (hostName: string): string =>
  `Tapster ${normalizeHostName(hostName) ?? ''} ${randomBytes(2).toString('hex')}`.replace('  ', ' ');
