// Compares the reports that the machine wrote over all its boots with the content of the database.

/**
 * Longest flow that may be missing: a checkpoint is written once a second, and the write takes time on a slow
 * disk.
 */
const maxMissingMs = 1_500;

export class ReportedRecords {
  faults = [];
  #readLength = 0;
  /** Boot ids of the machine, in order. */
  #boots = [];
  /** True when the last boot has reported that it serves. */
  #isServing = false;
  /** Expected drinks by id: acknowledged pours and posts, and drinks found by earlier checks. */
  #expected = new Map();
  /** Pours that were started and not reported as stored, by id. */
  #open = new Map();
  #stored = 0;
  #posts = 0;
  #interrupted = 0;
  #maxMissing = { ticks: 0, ms: 0 };

  /** Takes the whole report file and processes its new lines. */
  readReports(text) {
    // The power cut may have truncated the last line.
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of complete.slice(this.#readLength).split('\n').slice(0, -1)) this.#take(parseLine(line));
    this.#readLength = complete.length;
  }

  note() {
    const { ticks, ms } = this.#maxMissing;
    return [
      `${this.#stored} pours and ${this.#posts} posts acknowledged, each stored once`,
      `of ${this.#interrupted} interrupted ones at most ${ticks} ticks (${Math.round(ms)} ms of flow) are missing`,
    ].join('; ');
  }

  #take(report) {
    switch (report.kind) {
      case 'start':
        this.#boots.push(report.bootId);
        this.#isServing = false;
        return;
      case 'serving':
        this.#isServing = true;
        return;
      case 'pour':
        this.#open.set(report.pour, { ...report, sent: 0 });
        return;
      case 'sent':
        this.#open.get(report.pour).sent = report.ticks;
        return;
      case 'stored': {
        const { meter, ticks, bootId } = this.#open.get(report.pour);
        this.#expected.set(report.id, { meter, ticks, source: 'pin', boot_id: bootId });
        this.#open.delete(report.pour);
        this.#stored += 1;
        return;
      }
      case 'posted':
        this.#expected.set(report.id, { pour_id: report.pourId, ticks: 20, source: 'post' });
        this.#posts += 1;
        return;
      case 'end':
        if (report.code !== 0) this.faults.push(`After SIGTERM the daemon exited with ${report.code}.`);
    }
  }

  /** Compares the drinks on the disk with the reports. */
  compare({ pours, problems }, { isLast }) {
    for (const problem of problems) this.faults.push(`Database problem: ${toText(problem)}`);
    if (new Set(pours.map(({ pour_id: id }) => id)).size !== pours.length)
      this.faults.push('A pour is stored twice.');
    const found = new Map(pours.map((pour) => [pour.id, pour]));
    for (const [id, expected] of this.#expected) {
      const pour = found.get(id);
      const differs = Object.entries(expected).some(([key, value]) => pour?.[key] !== value);
      if (differs) this.faults.push(`Drink ${id} was ${toText(expected)} and is ${toText(pour)}.`);
    }
    const unknown = pours.filter(({ id }) => !this.#expected.has(id));
    for (const pour of unknown) this.#expected.set(pour.id, pour);
    const pinned = unknown.filter(({ source }) => source === 'pin');
    const posted = unknown.length - pinned.length;
    // One controller posts one at a time: only the answer to its last post can have been lost.
    if (posted > 1) this.faults.push(`${posted} stored posts were never acknowledged.`);
    for (const [id, pour] of this.#open) if (this.#match(pour, pinned, isLast)) this.#open.delete(id);
    for (const pour of pinned) this.faults.push(`This drink has no pour: ${toText(pour)}.`);
  }

  /** Matches a pour that was running, or had just ended, at the power cut; true when its result is final. */
  #match({ meter, ticks, sent, hz, bootId }, pinned, isLast) {
    const matching = pinned.filter((pour) => pour.meter === meter && pour.boot_id === bootId);
    for (const pour of matching) pinned.splice(pinned.indexOf(pour), 1);
    // A pour in the journal becomes a drink at the next start.
    const isRecovered = isLast || (bootId !== this.#boots.at(-1) && this.#isServing);
    if (matching.length === 0 && !isRecovered) return false;

    const what = `Of a pour of ${ticks} ticks at ${meter}, of which at least ${sent} were sent,`;
    if (matching.length > 1)
      this.faults.push(`${what} there are ${matching.length} drinks: ${toText(matching)}.`);
    const stored = matching[0]?.ticks ?? 0;
    const missing = sent - stored;
    const missingMs = (missing * 1_000) / hz;
    this.#interrupted += 1;
    if (missing > this.#maxMissing.ticks) this.#maxMissing = { ticks: missing, ms: missingMs };
    if (missingMs > maxMissingMs) this.faults.push(`${what} ${stored} are stored.`);
    if (stored > ticks) this.faults.push(`${what} ${stored} are stored: too many.`);
    return true;
  }
}

const toText = (value) => JSON.stringify(value);

/** A truncated line of an interrupted boot may precede the first line of the next. */
function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return JSON.parse(line.slice(line.lastIndexOf('{"kind"')));
  }
}
