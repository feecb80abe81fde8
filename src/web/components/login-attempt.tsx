import { barTime, formatBarTime, type Units } from '../app/format.ts';
import { findText, t } from '../locales/locale.ts';
import { DrinkerLink } from './drinker-link.tsx';

export interface LoginAttemptProps {
  readonly attempt: {
    readonly time: string;
    readonly outcome: 'succeeded' | 'failed' | 'locked';
    /** One of the methods, or several with commas. */
    readonly method: string;
    /** Empty for several. */
    readonly address: string;
    readonly tablet: string | null;
    readonly count: number;
  };
  /** The account that it is about; null for a name that no account has, absent where it is clear. */
  readonly username?: string | null;
  readonly units: Units;
}

/** A login or an attempt: what came of it, whose, how, from where and when. */
export function LoginAttempt({ attempt, username, units }: LoginAttemptProps) {
  const { time, outcome, method, address, tablet, count } = attempt;
  const methods = method.split(', ').map((one) => findText('attempts.methods', one) ?? one);
  const facts = [
    methods.join(', '),
    address === '' ? t('attempts.otherAddresses') : address,
    ...(tablet === null ? [] : [tablet]),
    formatBarTime(barTime(time, units)),
  ];
  return (
    <li>
      <div class="row-text">
        <p class={outcome === 'succeeded' ? 'row-name' : 'row-name refusal'}>
          {t(`attempts.${outcome}`)}
          {count > 1 && ` · ${t('attempts.count', { count })}`}
        </p>
        <p class="soft">
          {username !== undefined && (
            <>
              {username === null ? t('attempts.noAccount') : <DrinkerLink username={username} />}
              {' · '}
            </>
          )}
          {facts.join(' · ')}
        </p>
      </div>
    </li>
  );
}
