import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Answer } from '../api/client.ts';
import { type Result, request } from '../api/client.ts';
import type { CurrentUser } from '../api/generated.ts';
import { hasUnsaved } from '../components/form/unsaved.ts';
import { removeState } from './last-state.ts';
import { knownUser } from './prompt.ts';

/** Wait before the user is asked for again while no answer has arrived, milliseconds. */
const retryMs = 2_000;

const meResult = signal<Result<'GET /users/me'> | null>(null);

/** The logged-in user; null for a guest and before the first response. */
export const me: ReadonlySignal<CurrentUser | null> = computed(() => meResult.value?.user ?? null);

/** Whether the user is staff or a superuser. */
export const isStaff: ReadonlySignal<boolean> = computed(
  () => me.value !== null && (me.value.is_staff || me.value.is_superuser),
);

/** Whether the user is a superuser. */
export const isSuperuser: ReadonlySignal<boolean> = computed(() => me.value?.is_superuser ?? false);

/** Name of this shared tablet; null on other browsers and when a user is logged in. */
export const tablet: ReadonlySignal<string | null> = computed(() => meResult.value?.tablet?.name ?? null);

/** Whether daily staff actions are offered: to staff, and on a shared tablet to everybody with a PIN. */
export const canAct: ReadonlySignal<boolean> = computed(() => isStaff.value || tablet.value !== null);

/** Whether the set-up is done; true before the first response. */
export const isSetUp: ReadonlySignal<boolean> = computed(() => meResult.value?.site.is_setup ?? true);

/** Whether the site's privacy setting lets the user see the taps. */
export const canView: ReadonlySignal<boolean> = computed(() => {
  const privacy = meResult.value?.site.privacy ?? 'public';
  if (privacy === 'staff') return isStaff.value;
  return privacy === 'public' || me.value !== null || tablet.value !== null;
});

/** Whether the state on this page is that of guests in a bar that everybody may see; null before the first response. */
export const isPublic: ReadonlySignal<boolean | null> = computed(() => {
  if (meResult.value === null) return null;
  const { user, tablet, site } = meResult.value;
  return user === null && tablet === null && site.privacy === 'public';
});

/** Whether the pages show who drank what. */
export const showsDrinkers: ReadonlySignal<boolean> = computed(
  () => meResult.value?.site.enable_users ?? true,
);

/** Whether users may claim recent pours that have no user. */
export const allowsClaims: ReadonlySignal<boolean> = computed(
  () => showsDrinkers.value && (meResult.value?.site.allow_claims ?? false),
);

/** Whether staff see what is left to do on the first day. */
export const showsFirstSteps: ReadonlySignal<boolean> = computed(
  () => isStaff.value && (meResult.value?.site.show_first_steps ?? false),
);

/** Whether an extension is switched on. */
export const isFeatureOn = (name: string): boolean => meResult.value?.features.includes(name) ?? false;

/** Who can register: `public` is everybody. */
export const registrationMode: ReadonlySignal<string> = computed(
  () => meResult.value?.site.registration_mode ?? '',
);

/** Whether the user may invite others. */
export const canInvite: ReadonlySignal<boolean> = computed(
  () => me.value !== null && (isStaff.value || registrationMode.value !== 'staff-invite-only'),
);

/** Whether the site can send e-mail, which a password reset needs. */
export const sendsMail: ReadonlySignal<boolean> = computed(() => meResult.value?.sends_mail ?? false);

/** Calls `listener` when another user, or none, is logged in on this browser; not for the first one that is known. */
export function onUserChange(listener: () => void) {
  let known: string | undefined;
  effect(() => {
    const result = meResult.value;
    if (result === null) return;
    const now = JSON.stringify([result.user?.username, result.tablet?.name]);
    if (known !== undefined && now !== known) listener();
    known = now;
  });
}

/** Whether this is the demo, which everybody may try as staff. */
export const isDemo: ReadonlySignal<boolean> = computed(() => meResult.value?.is_demo ?? false);

/** Logs in to the demo as staff and loads the user. */
export async function logInToDemo(): Promise<Answer<unknown>> {
  const answer = await request('POST /demo/login');
  if (answer.ok) await loadMe();
  return answer;
}

/** Loads the user, the tablet and the site's settings; asks again until they are known, since without them all are guests. */
export async function loadMe() {
  const answer = await request('GET /users/me');
  if (answer.ok) {
    const { user } = answer.result;
    // The login has ended while something is typed: the page stays, and saving asks for the password.
    if (user === null && knownUser.value !== null && hasUnsaved(document)) return;
    meResult.value = answer.result;
    knownUser.value = user && { username: user.username, displayName: user.display_name };
  } else if (meResult.value === null) setTimeout(loadMe, retryMs);
}

/** Logs in and loads the user. */
export async function logIn(username: string, password: string): Promise<Answer<unknown>> {
  const answer = await request('POST /auth/login', { body: { username, password } }, { login: 'never' });
  if (answer.ok) await loadMe();
  return answer;
}

/** Logs out on this browser. */
export async function logOut() {
  removeState();
  knownUser.value = null;
  await request('POST /auth/logout');
  // A state may have arrived meanwhile.
  removeState();
  await loadMe();
}
