import Type, { type Static } from 'typebox';
import type { SiteSettings } from '../../../core/settings/site-settings.ts';
import { updateOutcomes } from '../../../core/updates/update-state.ts';
import { type UpdatesView, updateStages } from '../../../core/updates/updates-view.ts';
import { ProblemJson, problemOrNull } from '../../routes/problem-json.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext, type RouteContext } from '../../routes/route-context.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

const Version = Type.String({ minLength: 1, maxLength: 64, description: 'Version of a release.' });
const from = { ...Version, description: 'The version that ran before.' };
const to = { ...Version, description: 'The version that was chosen.' };
const Kind = Type.Enum(['update', 'rollback'], {
  description: '`rollback`: `to_version` is the older one.',
});

const UnderWayJson = Closed(
  {
    kind: Kind,
    from_version: from,
    to_version: to,
    stage: Type.Enum([...updateStages], {
      description:
        '`requested`: not taken by the updater yet. `queued`: next. `waiting`: for idle taps. `trial`: it runs and is watched. ' +
        '`switching_back`, `verifying`: the version before comes back.',
    }),
    can_cancel: Type.Boolean({
      description: 'Whether choosing `from_version` ends it before another version runs.',
    }),
    is_ending: Type.Boolean({ description: 'True when `from_version` was chosen meanwhile.' }),
  },
  { description: 'The change of the version that is under way.' },
);

const LastJson = Closed(
  {
    kind: Kind,
    from_version: from,
    to_version: to,
    outcome: Type.Enum([...updateOutcomes], {
      description:
        '`done`: `to_version` runs. `refused`, `cancelled`: `from_version` ran on. `reverted`: `to_version` was tried, and `from_version` ' +
        'runs again. `failed`: `from_version` was started again but does not answer.',
    }),
    reason: Nullable(
      Type.String({
        description:
          'Name of the reason why it did not go well, as in `daemon.problemTexts.update_refused` and `update_taken_back` of the ' +
          'catalogues in `locales`; `asked`: by a person.',
      }),
    ),
    detail: Type.String({ description: 'Output of the program that refused; may be empty.' }),
    time: { ...IsoSeconds, description: 'UTC time of its end, by a clock that may not have been set.' },
  },
  { description: 'How the last change of the version ended.' },
);

const AvailableJson = Closed(
  {
    version: Version,
    release_time: { ...IsoSeconds, description: 'UTC time of its release.' },
    notes: Type.Record(Type.String(), Type.String(), {
      description: 'What is new, plain text by language code; `en` always.',
    }),
    size_bytes: Type.Integer({
      minimum: 0,
      'x-unit': 'bytes',
      description: 'Size of the download in bytes.',
    }),
  },
  { description: 'The newest version, if it is newer than the one that runs.' },
);

const UpdatesJson = Closed(
  {
    version: { ...Version, description: 'The version that answers.' },
    is_package: Type.Boolean({
      description: 'False for a checkout, which its installer upgrades: then nothing can be changed here.',
    }),
    kept_versions: Type.Array(Version, {
      description: 'The other versions that are kept, the newest first.',
    }),
    under_way: Nullable(UnderWayJson),
    last: Nullable(LastJson),
    check: Closed(
      {
        is_enabled: Type.Boolean({
          description: 'Whether new versions are looked for once a day (`updates_check` of the site).',
        }),
        installs: Type.Enum(['ask', 'quiet_hour'], {
          description: 'What happens with a new version (`updates_install` of the site).',
        }),
        quiet_hour: Type.Integer({
          minimum: 0,
          maximum: 23,
          'x-unit': 'h',
          description: 'Hour of the day in which new versions are installed (`updates_hour` of the site).',
        }),
        has_address: Type.Boolean({ description: 'Whether the configuration has an address to ask.' }),
        last_time: Nullable({ ...IsoSeconds, description: 'UTC time of the last check; null before it.' }),
        problem: Nullable(ProblemJson),
        available: Nullable(AvailableJson),
        planned_version: Nullable({
          ...Version,
          description: 'The version that is installed in the next quiet hour; null without one.',
        }),
      },
      { description: 'The check for new versions.' },
    ),
  },
  { description: 'The versions of this machine.' },
);

const replies = { status: 200, body: Closed({ updates: UpdatesJson }) };
const accepted = { ...replies, status: 202 };

/** Versions of the program on this machine, for superusers. */
export const updateRoutes = ({ updates }: Pick<RouteServices, 'updates'>): readonly Route[] => {
  const reply = ({ engine }: RouteContext) => ({ updates: updatesJson(updates.view(), engine.users.site()) });
  return [
    defineRoute({
      id: 'getUpdates',
      method: 'get',
      path: '/admin/updates',
      summary:
        'Get the version that runs, those that are kept, what is under way, and whether a new one is available',
      description: 'How the last change of the version ended stays until the next one.',
      access: 'superuser',
      accepts: {},
      replies,
      run: reply,
    }),
    defineRoute({
      id: 'switchVersion',
      method: 'post',
      path: '/admin/updates/switch',
      summary: 'Run another version that is kept. No drink is lost',
      description:
        'Answers at once; watch `under_way`. The version is checked, a backup is made, and it is switched when the taps are idle; if it ' +
        'does not work the version before comes back by itself. The `from_version` of what is under way cancels that, and during ' +
        'the trial comes back at once. Written to the audit log.',
      access: 'superuser',
      accepts: { body: Closed({ version: Version }) },
      errors: { conflict: ['not_a_package', 'version_runs', 'release_not_kept', 'update_running'] },
      replies: accepted,
      run(context, { body: { version } }) {
        updates.switchTo(version);
        recordAudit(context, 'release.chosen', version);
        return reply(context);
      },
    }),
    defineRoute({
      id: 'installUpdate',
      method: 'post',
      path: '/admin/updates/install',
      summary: 'Install the available version, now or in the next quiet hour',
      description:
        'Answers at once; watch `under_way`. The package is downloaded and its signature checked; then it is tried as with `switchVersion`. ' +
        'Written to the audit log.',
      access: 'superuser',
      accepts: {
        body: Closed({
          when: Type.Enum(['now', 'quiet_hour'], { description: 'When the installation begins.' }),
        }),
      },
      errors: { conflict: ['not_a_package', 'no_update_address', 'no_new_version', 'update_running'] },
      replies: accepted,
      run(context, { body: { when } }) {
        const { available } = updates.view().check;
        updates.install(when);
        recordAudit(
          context,
          when === 'now' ? 'release.requested' : 'release.planned',
          available?.version ?? '',
        );
        return reply(context);
      },
    }),
    defineRoute({
      id: 'cancelPlannedUpdate',
      method: 'delete',
      path: '/admin/updates/plan',
      summary: 'Do not install the version that a superuser planned for the next quiet hour',
      description:
        'Also without a plan. A version that is installed because of `updates_install` stays planned. Written to the audit log.',
      access: 'superuser',
      accepts: {},
      errors: { conflict: ['not_a_package', 'no_update_address'] },
      replies,
      run(context) {
        const { planned } = updates.view().check;
        updates.cancelPlan();
        if (planned !== null) recordAudit(context, 'release.plan_cancelled', planned);
        return reply(context);
      },
    }),
    defineRoute({
      id: 'checkForUpdates',
      method: 'post',
      path: '/admin/updates/check',
      summary: 'Look for a new version now and wait for the answer',
      description:
        'Also while the daily check is off. Nothing about this machine is sent. `check.problem` says what failed.',
      access: 'superuser',
      accepts: {},
      errors: { conflict: ['not_a_package', 'no_update_address'], unavailable: [] },
      replies,
      async run(context) {
        await updates.checkNow();
        return reply(context);
      },
    }),
  ];
};

function recordAudit(context: RouteContext, action: string, version: string): void {
  const { actor, now } = actorContext(context);
  context.engine.audit.record({ actor, action, subject: { kind: 'release', id: version } }, now);
}

function updatesJson(
  view: UpdatesView,
  site: Pick<SiteSettings, 'updatesCheck' | 'updatesInstall' | 'updatesHour'>,
): Static<typeof UpdatesJson> {
  const { running, isPackage, kept, underWay, last, check } = view;
  const { hasAddress, lastCheckedMs, problem, available, planned } = check;
  return {
    version: running,
    is_package: isPackage,
    kept_versions: [...kept],
    under_way: underWay && {
      kind: underWay.kind,
      from_version: underWay.from,
      to_version: underWay.to,
      stage: underWay.stage,
      can_cancel: underWay.canCancel,
      is_ending: underWay.isEnding,
    },
    last: last && {
      kind: last.kind,
      from_version: last.from,
      to_version: last.to,
      outcome: last.outcome,
      reason: last.reason,
      detail: last.detail,
      time: isoSeconds(last.atMs),
    },
    check: {
      is_enabled: site.updatesCheck,
      installs: site.updatesInstall,
      quiet_hour: site.updatesHour,
      has_address: hasAddress,
      last_time: lastCheckedMs === null ? null : isoSeconds(lastCheckedMs),
      problem: problemOrNull(problem),
      available: available && {
        version: available.version,
        release_time: isoSeconds(available.releasedMs),
        notes: { ...available.notes },
        size_bytes: available.sizeBytes,
      },
      planned_version: planned,
    },
  };
}
