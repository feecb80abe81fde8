import { barTime, timeInWords, type Units } from '../../format.ts';
import { words } from '../../words/own.ts';
import { useAsked } from '../kit/use-asked.ts';

interface State {
  readonly has_password: boolean;
  readonly last_seen_time: string | null;
}

/** Whether somebody can come in, and when they were here last. */
export function UserState({ path, units }: { readonly path: string; readonly units: Units }) {
  const state = useAsked<State>(path).result;
  if (!state) return null;
  const { has_password: mayLogIn, last_seen_time: seen } = state;
  const said = seen === null ? words.notHereLately : words.lastHere(timeInWords(barTime(seen, units)));
  return <p class="soft">{mayLogIn ? said : words.waitsForPassword}</p>;
}
