import type { Moment } from '../../core/clock/moment.ts';
import type { SettingBase, SettingFault } from '../../core/settings/setting-declarations.ts';
import { type Actor, writeAudit } from './audit.ts';
import { rejectFaults } from './bounds.ts';
import { change, type EngineParts } from './parts.ts';

type SettingList<N extends string> = readonly (readonly [N, SettingBase<unknown>])[];

/** Throws `invalid_request` with each changed setting that does not fit. */
export const checkSettings = <N extends string, S extends SettingBase<unknown>>(
  list: readonly (readonly [N, S])[],
  requested: Partial<Readonly<Record<N, unknown>>>,
  findFault: (setting: S, value: unknown) => SettingFault | null,
): void =>
  rejectFaults(
    list
      .filter(([name]) => requested[name] !== undefined)
      .map(([name, setting]) => [setting.name, findFault(setting, requested[name])]),
  );

interface SettingsChange<N extends string, V> {
  readonly list: SettingList<N>;
  readonly read: () => V;
  /** Writes the changes; called within the transaction. */
  readonly write: (before: V) => void;
  /** Name of the settings in the audit log. */
  readonly subject: string;
  readonly action: string;
  readonly actor: Actor;
  readonly now: Moment;
}

/**
 * Writes settings and an audit entry with those that changed, in one transaction; of certificates and secrets it tells only
 * whether they are set.
 */
export const changeSettings = <N extends string, V extends Readonly<Record<N, unknown>>>(
  parts: EngineParts,
  { list, read, write, subject, action, actor, now }: SettingsChange<N, V>,
): V =>
  change(parts, () => {
    const before = read();
    write(before);
    const after = read();
    const changed = list.filter(([name]) => before[name] !== after[name]);
    if (changed.length === 0) return after;
    const toAuditValue = (values: V) =>
      Object.fromEntries(
        changed.map(([name, setting]) => [
          setting.name,
          isHidden(setting) ? (values[name] === '' ? 'none' : 'set') : values[name],
        ]),
      );
    writeAudit(
      parts.store,
      {
        actor,
        action,
        subject: { kind: subject, id: 'settings' },
        before: toAuditValue(before),
        after: toAuditValue(after),
      },
      now,
    );
    return after;
  });

const isHidden = (setting: SettingBase<unknown>): boolean =>
  'secret' in setting || ('kind' in setting && setting.kind === 'pem');
