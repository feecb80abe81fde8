import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Answer, ask } from './ask.ts';

/** Somebody who is logged in, as far as the page cares. */
export interface Me {
  readonly username: string;
  readonly display_name: string;
  readonly is_staff: boolean;
  readonly is_superuser: boolean;
}

/** What `users/me` tells a page first. */
interface Boot {
  readonly user: Me | null;
  readonly site: { readonly is_setup: boolean; readonly privacy: string };
}

const boot = signal<Boot | null>(null);

/** Who is logged in on this browser; null for a guest, and until the daemon has said. */
export const me: ReadonlySignal<Me | null> = computed(() => boot.value?.user ?? null);

/** Whether corrections are offered to the reader. */
export const isStaff: ReadonlySignal<boolean> = computed(
  () => me.value !== null && (me.value.is_staff || me.value.is_superuser),
);

/** False while the house has no staff yet; true until the daemon has said. */
export const isSetUp: ReadonlySignal<boolean> = computed(() => boot.value?.site.is_setup ?? true);

/** Whether this house shows its taps to the reader. */
export const mayLook: ReadonlySignal<boolean> = computed(() => {
  const privacy = boot.value?.site.privacy ?? 'public';
  if (privacy === 'staff') return isStaff.value;
  return privacy === 'public' || me.value !== null;
});

/** Asks the daemon who we are. */
export async function meet() {
  const answer = await ask<Boot>('GET', '/users/me');
  if (answer.ok) boot.value = answer.result;
}

/** Logs in; afterwards `me` is known. */
export async function logIn(username: string, password: string): Promise<Answer<unknown>> {
  const answer = await ask('POST', '/auth/login', { username, password });
  if (answer.ok) await meet();
  return answer;
}

/** Leaves this browser; somebody else may be next at the tablet. */
export async function logOut() {
  await ask('POST', '/auth/logout');
  await meet();
}
