import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Result, request } from './api/client.ts';
import type { CurrentUser } from './api/operations.ts';
import type { Answer } from './api/request-with-pin.ts';

const meResult = signal<Result<'GET /users/me'> | null>(null);

/** Who is logged in on this browser; null for a guest, and until the daemon has said. */
export const me: ReadonlySignal<CurrentUser | null> = computed(() => meResult.value?.user ?? null);

/** Whether corrections are offered to the reader. */
export const isStaff: ReadonlySignal<boolean> = computed(
  () => me.value !== null && (me.value.is_staff || me.value.is_superuser),
);

/** What this browser is called, where it is a shared tablet of the house on which nobody is logged in; else null. */
export const tablet: ReadonlySignal<string | null> = computed(() => meResult.value?.tablet?.name ?? null);

/** Whether what every night needs is offered: to staff, and on a shared tablet to whoever has a PIN. */
export const canAct: ReadonlySignal<boolean> = computed(() => isStaff.value || tablet.value !== null);

/** False while the house has no staff yet; true until the daemon has said. */
export const isSetUp: ReadonlySignal<boolean> = computed(() => meResult.value?.site.is_setup ?? true);

/** Whether this house shows its taps to the reader. */
export const canView: ReadonlySignal<boolean> = computed(() => {
  const privacy = meResult.value?.site.privacy ?? 'public';
  if (privacy === 'staff') return isStaff.value;
  return privacy === 'public' || me.value !== null || tablet.value !== null;
});

/** Whether people may say for a while that a pour of nobody was theirs. */
export const allowsClaims: ReadonlySignal<boolean> = computed(
  () => meResult.value?.site.allow_claims ?? false,
);

/** Who gets an account here: `public` is everybody. */
export const registrationMode: ReadonlySignal<string> = computed(
  () => meResult.value?.site.registration_mode ?? '',
);

/** Whether the house lets the reader invite others. */
export const canInvite: ReadonlySignal<boolean> = computed(
  () => me.value !== null && (isStaff.value || registrationMode.value !== 'staff-invite-only'),
);

/** Whether a forgotten password can be replaced by mail. */
export const sendsMail: ReadonlySignal<boolean> = computed(() => meResult.value?.sends_mail ?? false);

/** Asks the daemon who we are. */
export async function loadMe() {
  const answer = await request('GET /users/me');
  if (answer.ok) meResult.value = answer.result;
}

/** Logs in; afterwards `me` is known. */
export async function logIn(username: string, password: string): Promise<Answer<unknown>> {
  const answer = await request('POST /auth/login', { body: { username, password } });
  if (answer.ok) await loadMe();
  return answer;
}

/** Leaves this browser; somebody else may be next at the tablet. */
export async function logOut() {
  await request('POST /auth/logout');
  await loadMe();
}
