import { backOffMs } from '../../../core/clock/back-off.ts';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import { createTaskQueue } from '../../../core/task-queue.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { StartContext } from '../../extension.ts';
import type { MenuPublication, PublishedFiles } from '../engine/menu-publication.ts';
import { readMenu } from './menu-content.ts';
import { createMenuFiles } from './menu-files.ts';
import { deleteFile, putFile, type WebSpace } from './web-space.ts';

/** Between two publications, milliseconds. */
const intervalMs = 60_000;
/** Failures in a row before a problem is reported; until then only the page of the publication shows it. */
const failuresToReport = 3;

export type MenuPublisher = ReturnType<typeof startMenuPublisher>;

/** Writes the menu to the bar's web space after each change, at most once a minute; what failed is tried again. */
export function startMenuPublisher(parts: StartContext<MenuPublication>) {
  const { bus, clock, scheduler, log, reportProblem, config } = parts;
  const allowsLocal = config.webhooks.allow_local;
  const queue = createTaskQueue();
  const abort = new AbortController();
  let cancelTimer: (() => void) | null = null;
  let nextMonoMs = 0;
  let failures = 0;
  /** The settings of the last attempt. */
  let tried = '';
  let problem: Problem | null = null;

  /** Publishes as soon as the last publication is a minute ago; with other settings at once. */
  function schedule(): void {
    const settings = parts.services()?.settings();
    if (settings?.isEnabled !== true || abort.signal.aborted) return;
    if (tried !== JSON.stringify(settings)) nextMonoMs = 0;
    else if (cancelTimer !== null) return;
    cancelTimer?.();
    cancelTimer = scheduler.after(Math.max(0, nextMonoMs - clock.now().monoMs), () => {
      cancelTimer = null;
      void publish({ writesAll: false });
    });
  }

  /** Resolves to what failed. Never rejects. */
  const publish = (options: { readonly writesAll: boolean }): Promise<Problem | null> =>
    queue.run(async () => {
      const engine = parts.engine();
      const publication = parts.services();
      if (engine === null || publication === null || abort.signal.aborted) return null;
      tried = JSON.stringify(publication.settings());
      // Also for the changes while it runs.
      nextMonoMs = clock.now().monoMs + intervalMs;
      problem = await tryPublish(engine, publication, options).catch((err: unknown) => {
        log.error({ err }, 'the menu could not be published');
        return createProblem('see_log');
      });
      failures = problem === null ? 0 : failures + 1;
      if (failures > 0) nextMonoMs = clock.now().monoMs + Math.max(intervalMs, backOffMs(failures));
      const { isEnabled } = publication.settings();
      reportProblem(problem !== null && isEnabled && failures >= failuresToReport ? [problem] : []);
      if (problem !== null && !abort.signal.aborted) {
        log.warn({ error: problem.message }, 'the menu could not be published; it is tried again');
        schedule();
      }
      return problem;
    });

  async function tryPublish(
    engine: Engine,
    publication: MenuPublication,
    { writesAll }: { writesAll: boolean },
  ): Promise<Problem | null> {
    const space = toWebSpace(publication, allowsLocal);
    if (space === null) return createProblem('web_space_not_set');
    const { wallMs } = clock.now();
    const files = createMenuFiles(engine, readMenu(engine), wallMs);
    const before = publication.published();
    const there = before.url === space.url ? before.files : {};
    const isChanged = ({ name, hash }: (typeof files)[number]) => writesAll || there[name] !== hash;
    const old = Object.keys(there).filter((name) => !files.some((file) => file.name === name));
    if (!files.some(isChanged) && old.length === 0) return null;
    const written: Record<string, string> = { ...there };
    const record = (timeMs: PublishedFiles['timeMs']) =>
      publication.recordPublished({ url: space.url, files: written, timeMs });
    let fault: Problem | null = null;
    for (const file of files.filter(isChanged)) {
      const { name, contentType } = file;
      fault = await putFile(space, { name, contentType, body: await file.read() }, abort.signal);
      if (fault !== null) break;
      written[name] = file.hash;
    }
    // Pictures that no page shows any more.
    for (const name of fault === null ? old : []) {
      fault ??= await deleteFile(space, name, abort.signal);
      if (fault === null) delete written[name];
    }
    record(fault === null ? wallMs : before.url === space.url ? before.timeMs : null);
    return fault;
  }

  /** Deletes the published files. Resolves to what failed. Never rejects. */
  const remove = (): Promise<Problem | null> =>
    queue.run(async () => {
      const publication = parts.services();
      if (publication === null) return null;
      const space = toWebSpace(publication, allowsLocal);
      if (space === null) return createProblem('web_space_not_set');
      const { url, files, timeMs } = publication.published();
      if (url !== space.url) return null;
      const left: Record<string, string> = { ...files };
      let fault: Problem | null = null;
      // The pages first, so that none shows a missing picture.
      for (const name of Object.keys(files).reverse()) {
        fault = await deleteFile(space, name, abort.signal);
        if (fault !== null) break;
        delete left[name];
      }
      const isEmpty = Object.keys(left).length === 0;
      publication.recordPublished({
        url: isEmpty ? '' : url,
        files: left,
        timeMs: isEmpty ? null : timeMs,
      });
      return fault;
    });

  const unsubscribers = [
    bus.on('drink.recorded', schedule),
    bus.on('database.changed', schedule),
    bus.on('database.replaced', schedule),
  ];
  schedule();
  /** Resolves when nothing is being written. */
  const idle = (): Promise<void> => queue.run(async () => {});

  return {
    /** Writes all files now and waits for the result. */
    publishNow: (): Promise<Problem | null> => publish({ writesAll: true }),
    remove,
    /** What failed last; null when the last publication worked. */
    problem: (): Problem | null => problem,
    idle,
    async close(): Promise<void> {
      for (const unsubscribe of unsubscribers) unsubscribe();
      cancelTimer?.();
      abort.abort();
      await idle();
    },
  };
}

function toWebSpace(publication: MenuPublication, allowsLocal: boolean): WebSpace | null {
  const { url, username, password } = publication.settings();
  return url === '' ? null : { url, username, password, allowsLocal };
}
