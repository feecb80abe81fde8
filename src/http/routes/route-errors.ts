import type { AppError, AppErrorCode } from '../../core/app-error.ts';
import type { Refusals } from '../../core/reasons.ts';
import { requiresSetUp } from '../pipeline/access.ts';
import { operationPath } from '../pipeline/match-route.ts';
import { type ApiDefinition, acceptsLogins } from './api-definition.ts';
import type { CredentialWrite } from './credential-proof.ts';
import { isAllowedInDemo } from './demo-access.ts';
import type { Access, Route } from './route.ts';

type Reason = keyof Refusals;

/** The errors of a route: the reasons by code. An error may also have none of them. */
export type RouteErrors = ReadonlyMap<AppErrorCode, ReadonlySet<Reason>>;

type Errors = { readonly [C in AppErrorCode]?: readonly Reason[] };

/**
 * Returns all errors with which a route may answer: those of the pipeline, which follow from the declaration of the route,
 * and those that the route itself declares.
 */
export function errorsOf(route: Route, api: ApiDefinition): RouteErrors {
  const errors = new Map<AppErrorCode, Set<Reason>>();
  for (const listed of [
    everyRoute,
    accessErrors(route, api),
    proofErrors(route.writesCredential),
    route.method === 'get' ? {} : writeErrors(route, api),
    route.path.includes('{') ? ({ not_found: ['not_found'] } as const) : {},
    api.requiresSetUp && requiresSetUp(route.access, route.allowedBeforeSetUp ?? false)
      ? ({ conflict: ['set_up_required'] } as const)
      : {},
    ifMatchErrors(route, api),
    takesIdempotencyKey(route, api) && !route.storesIdempotencyKey
      ? ({ conflict: ['idempotency_key_reused', 'request_running'] } as const)
      : {},
    route.errors ?? {},
  ] satisfies readonly Errors[]) {
    for (const [code, reasons] of Object.entries(listed) as [AppErrorCode, readonly Reason[]][]) {
      errors.set(code, new Set([...(errors.get(code) ?? []), ...reasons]));
    }
  }
  return errors;
}

/** True if a route may answer with this error. */
export function isDeclaredError({ code, reason }: AppError, errors: RouteErrors): boolean {
  const reasons = errors.get(code);
  return reasons !== undefined && (reason === undefined || reasons.has(reason.name));
}

/**
 * Returns the read to whose entity tag `If-Match` of a write refers: that of the same address, else of the one above. Null if
 * there is none.
 */
export function readOf({ method, path, answer }: Route, api: ApiDefinition): Route | null {
  if (!api.entityTags || method === 'get' || answer.kind !== 'json') return null;
  const readAt = (readPath: string) =>
    api.routes.find((one) => one.method === 'get' && one.path === readPath);
  const above = operationPath.test(path) ? readAt(path.slice(0, path.lastIndexOf('/'))) : undefined;
  const read = readAt(path) ?? above;
  return read?.answer.kind === 'json' ? read : null;
}

/** The precondition fails, or the caller may not make the read that is compared. */
function ifMatchErrors(route: Route, api: ApiDefinition): Errors {
  const read = readOf(route, api);
  if (read === null) return {};
  return { ...accessErrors(read, api), ...read.errors, precondition_failed: ['changed_since_read'] };
}

/** True if a route accepts an `Idempotency-Key`. */
export const takesIdempotencyKey = (route: Route, api: ApiDefinition): boolean =>
  route.method !== 'get' &&
  (route.storesIdempotencyKey === true ||
    (api.keepsAnswers === true && route.answer.kind === 'json' && !['open', 'setup'].includes(route.access)));

const everyRoute: Errors = {
  invalid_request: [],
  too_many: ['rate_limited'],
  internal: ['internal_error'],
  unavailable: ['database_not_open', 'database_busy', 'database_damaged', 'disk_faulty'],
};

/** The caller did not prove what the route needs to write a credential. */
function proofErrors(write: CredentialWrite | undefined): Errors {
  switch (write?.proof) {
    case 'confirmed-login':
    case 'correction':
      return { not_allowed: ['no_keys', 'password_needed'] };
    case 'current-password':
    case 'login':
      return { not_allowed: ['no_keys'] };
    default:
      return {};
  }
}

function writeErrors({ access, accepts, largeFile, transport }: Route, api: ApiDefinition): Errors {
  const fromPages = access === 'setup' || acceptsLogins(api, { access });
  return {
    too_large: largeFile ? ['too_large', 'no_disk_space'] : ['too_large'],
    wrong_media: [],
    unavailable: [
      ...(['database_read_only', 'disk_full', 'no_disk_space'] as const),
      ...(accepts.files ? (['uploads_running'] as const) : []),
    ],
    ...(fromPages
      ? { not_allowed: ['cross_site_request', ...(transport === 'any' ? [] : (['https_required'] as const))] }
      : {}),
    ...(accepts.files && !largeFile ? { too_many: ['picture_quota'] as const } : {}),
  };
}

function accessErrors(route: Route, api: ApiDefinition): Errors {
  const { access, byPin = false } = route;
  // Where a login is accepted, so is a shared tablet.
  const onTablets = acceptsLogins(api, route);
  const refusedLogins: readonly Reason[] = [
    ...(onTablets && !byPin ? (['not_on_tablets'] as const) : []),
    ...(onTablets && !isAllowedInDemo(route) ? (['not_in_demo'] as const) : []),
  ];
  const no_key: readonly Reason[] = [
    'login_needed',
    'login_expired',
    ...(onTablets && byPin ? (['pin_needed'] as const) : []),
  ];
  const keyOrLogin: Errors = { bad_key: [], no_key };
  const byAccess: Readonly<Record<Access, Errors>> = {
    open: {},
    viewer: { ...keyOrLogin, not_allowed: ['staff_only', ...refusedLogins] },
    member: { ...keyOrLogin, not_allowed: refusedLogins },
    'viewing-member': { ...keyOrLogin, not_allowed: ['staff_only', ...refusedLogins] },
    staff: { ...keyOrLogin, not_allowed: ['staff_only', ...refusedLogins] },
    superuser: { ...keyOrLogin, not_allowed: ['superuser_needed', ...refusedLogins] },
    'confirmed-superuser': {
      ...keyOrLogin,
      not_allowed: ['superuser_needed', 'no_keys', 'password_needed', ...refusedLogins],
    },
    tablet: { ...keyOrLogin, not_allowed: ['staff_only'] },
    setup: { not_allowed: ['already_set_up'], invalid_request: ['wrong_code'] },
    loopback: {
      bad_key: [],
      no_key: ['staff_only'],
      not_allowed: ['staff_only', 'cross_site_request', ...refusedLogins],
    },
    'same-origin': { not_allowed: ['cross_site_request'] },
  };
  return byAccess[access];
}
