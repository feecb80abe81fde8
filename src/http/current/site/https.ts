import Type, { type Static } from 'typebox';
import { httpsRequirements } from '../../../core/network/https-requirement.ts';
import type { HttpsAdmin } from '../../https-ports.ts';
import { ProblemJson, problemJson } from '../../routes/problem-json.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

const fromTime = { ...IsoSeconds, description: 'UTC time from when on it is valid.' };
const untilTime = { ...IsoSeconds, description: 'UTC time of its end.' };

const HttpsJson = Closed(
  {
    is_enabled: Type.Boolean({ description: 'False where HTTPS is switched off, and in the demo.' }),
    is_secure: Type.Boolean({ description: 'Whether this request came over HTTPS.' }),
    address: Nullable(
      Type.String({
        description: 'Base URL over HTTPS for this browser; null while HTTPS is not served.',
      }),
    ),
    is_required: Type.Boolean({
      description: 'Whether this client is refused when it sends a secret, or acts for staff, in plain HTTP.',
    }),
    fixed_requirement: Nullable(
      Type.Enum([...httpsRequirements], {
        description:
          '`http.require_https` of the configuration file, which wins over the setting of the site; null if it has none.',
      }),
    ),
    is_used_by_staff: Type.Boolean({ description: 'True once staff have logged in over HTTPS.' }),
    authority: Nullable(
      Closed(
        {
          name: Type.String({ description: 'Name under which devices list it.' }),
          fingerprint: Type.String({
            description: 'SHA-256 fingerprint, to be compared with the one on the console of the machine.',
          }),
          url: Type.String({ description: 'Address of its certificate on this server.' }),
          from_time: fromTime,
          until_time: untilTime,
        },
        { description: 'The authority of this machine, which devices install; null until it was made.' },
      ),
    ),
    certificate: Nullable(
      Closed(
        {
          source: Type.Enum(['tapster', 'own'], {
            description: '`tapster`: made and renewed by the machine; `own`: a file of the bar.',
          }),
          names: Type.Array(Type.String({ description: 'DNS name or IP address.' }), {
            description: 'The names for which it is valid.',
          }),
          from_time: fromTime,
          until_time: untilTime,
        },
        { description: 'The certificate in use; null while there is none.' },
      ),
    ),
    problems: Type.Array(ProblemJson, { description: 'What does not work.' }),
  },
  { description: 'HTTPS of this machine.' },
);

const replies = { status: 200, body: Closed({ https: HttpsJson }) };

/** HTTPS of this machine: what devices need to trust it, and its certificate. */
export const httpsRoutes = ({ https }: Pick<RouteServices, 'https'>): readonly Route[] => [
  defineRoute({
    id: 'getHttps',
    method: 'get',
    path: '/site/https',
    summary: 'Get whether HTTPS is served, its address, and the authority that devices install',
    description:
      'The certificate of the authority is at `/ca.crt`, PEM. Answers before the set-up too, and also on a private site: whoever opens a ' +
      'connection sees the certificate.',
    access: 'open',
    allowedBeforeSetUp: true,
    accepts: {},
    replies,
    run: (context) => ({ https: httpsJson(https, context) }),
  }),
  defineRoute({
    id: 'renewHttps',
    method: 'post',
    path: '/site/https/renewal',
    summary: 'Make a new certificate for HTTPS now, under the same authority',
    description:
      'Devices that trust the authority notice nothing. Names, addresses and the files of an own certificate are read again. Not ' +
      'while the clock is not set.',
    access: 'staff',
    accepts: {},
    replies,
    async run(context) {
      await https.renewNow();
      return { https: httpsJson(https, context) };
    },
  }),
];

function httpsJson(https: HttpsAdmin, context: RouteContext): Static<typeof HttpsJson> {
  const authority = https.authority();
  const certificate = https.certificate();
  return {
    is_enabled: https.isEnabled,
    is_secure: context.isSecure,
    address: context.httpsAddress,
    is_required: context.mustUseHttps,
    fixed_requirement: https.fixedRequirement,
    is_used_by_staff: context.engine.site.httpsUse.isUsedByStaff(),
    authority: authority && {
      name: authority.name,
      fingerprint: authority.fingerprint,
      url: '/ca.crt',
      ...times(authority),
    },
    certificate: certificate && {
      source: certificate.source,
      names: [...certificate.names],
      ...times(certificate),
    },
    problems: https.problems().map(problemJson),
  };
}

const times = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) => ({
  from_time: isoSeconds(fromMs),
  until_time: isoSeconds(toMs),
});
