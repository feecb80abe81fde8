import type { Moment } from '../../core/clock/moment.ts';
import type { Site } from '../../core/records.ts';
import { type Corrected, correctableRecordChange } from '../kegs/record-corrections.ts';
import { pictureRows } from '../kegs/record-rows.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import type { Actor } from '../shared/audit.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import type { PreparedPicture } from '../shared/pictures.ts';
import { writeSite } from '../shared/write-site.ts';
import { siteCorrections } from './undo-kinds.ts';

/** A database has exactly one site. */
const siteId = 1;

/** Site settings and pictures, for staff. */
export function createSiteService(parts: EngineParts) {
  const { store } = parts;
  const setPicture = (
    subject: 'site' | 'site_logo',
    action: string,
    picture: PreparedPicture | null,
    context: ActorContext | undefined,
  ): Corrected<void> => {
    const snapshot = () => ({ picture: store.pictures.bySubject(subject, siteId)?.name ?? null });
    const writes = picture === null ? 'removal' : 'change';
    return correctableRecordChange(
      parts,
      context,
      { action, kind: 'site', id: siteId, snapshot, writes },
      () => pictureRows(store, { kind: subject, id: siteId }),
      () => {
        const previous = store.pictures.bySubject(subject, siteId);
        if (previous !== null && context !== undefined) store.pictures.addCancelled(previous.name);
        if (picture === null) store.pictures.remove(subject, siteId);
        else store.pictures.set({ subject, id: siteId, name: picture.name, caption: '' });
      },
    );
  };
  return {
    /**
     * Changes settings, all or none, and runs `also` in the same transaction; `invalid_request` names invalid
     * ones.
     */
    change: (
      changes: Partial<Omit<Site, 'isSetUp'>>,
      actor: Actor,
      now: Moment,
      also?: () => void,
    ): Corrected<Site> =>
      change(parts, () => {
        const before = store.site.read();
        const result = writeSite(store, changes);
        const correctionId = siteCorrections.log(parts, { before, after: result }, { actor, now });
        also?.();
        return { result, correctionId };
      }),

    /** Background picture of the pages; null without one. */
    background: store.cachedUntilWrite(() => store.pictures.bySubject('site', siteId)),

    /** Sets the background picture, or removes it with null. */
    setBackground: (picture: PreparedPicture | null, context?: ActorContext): Corrected<void> =>
      setPicture('site', 'site.pictured', picture, context),

    /** The site's logo; null without one. */
    logo: store.cachedUntilWrite(() => store.pictures.bySubject('site_logo', siteId)),

    /** Sets the logo, or removes it with null. */
    setLogo: (picture: PreparedPicture | null, context?: ActorContext): Corrected<void> =>
      setPicture('site_logo', 'site.logo_set', picture, context),
  };
}
