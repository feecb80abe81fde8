// Hears what the machine told over all its lives, and finds what the ledger does not hold as it should.

/** Ticks are checkpointed once a second; the write itself takes its time on a slow disk. */
const maxMissingMs = 1_500;

export class ReportedRecords {
  faults = [];
  #heard = 0;
  /** Boots of the machine, in order; the last one may have said that it serves. */
  #boots = [];
  #serves = false;
  /** Answered drinks and posts, and what earlier looks have found: id → what it must be. */
  #certain = new Map();
  /** Glasses that were begun and not told as kept, by name. */
  #open = new Map();
  #glasses = 0;
  #posts = 0;
  #running = 0;
  #mostMissed = { ticks: 0, ms: 0 };

  /** Hears the machine's whole tale again, and minds what is new in it. */
  readReports(text) {
    // The cut may have fallen into the last line.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.slice(this.#heard).split('\n').slice(0, -1)) this.#mind(parseLine(line));
    this.#heard = whole.length;
  }

  note() {
    const { ticks, ms } = this.#mostMissed;
    return [
      `${this.#glasses} glasses and ${this.#posts} posts answered, each kept once`,
      `of ${this.#running} that ran at most ${ticks} ticks (${Math.round(ms)} ms of flow) are missing`,
    ].join('; ');
  }

  #mind(report) {
    switch (report.kind) {
      case 'start':
        this.#boots.push(report.bootId);
        this.#serves = false;
        return;
      case 'serving':
        this.#serves = true;
        return;
      case 'glass':
        this.#open.set(report.glass, { ...report, sent: 0 });
        return;
      case 'sent':
        this.#open.get(report.glass).sent = report.ticks;
        return;
      case 'kept': {
        const { meter, ticks, bootId } = this.#open.get(report.glass);
        this.#certain.set(report.id, { meter, ticks, source: 'pin', boot_id: bootId });
        this.#open.delete(report.glass);
        this.#glasses += 1;
        return;
      }
      case 'posted':
        this.#certain.set(report.id, { pour_id: report.pourId, ticks: 20, source: 'post' });
        this.#posts += 1;
        return;
      case 'end':
        if (report.code !== 0) this.faults.push(`Told to stop, the daemon left with ${report.code}.`);
    }
  }

  /** Holds what the disk has now against what was told. */
  compare({ pours, unsound }, { isLast }) {
    for (const what of unsound) this.faults.push(`Unsound: ${toText(what)}`);
    if (new Set(pours.map(({ pour_id: id }) => id)).size !== pours.length)
      this.faults.push('A pour is there twice.');
    const found = new Map(pours.map((pour) => [pour.id, pour]));
    for (const [id, wanted] of this.#certain) {
      const pour = found.get(id);
      const differs = Object.entries(wanted).some(([key, value]) => pour?.[key] !== value);
      if (differs) this.faults.push(`Drink ${id} was ${toText(wanted)} and is ${toText(pour)}.`);
    }
    const unknown = pours.filter(({ id }) => !this.#certain.has(id));
    for (const pour of unknown) this.#certain.set(pour.id, pour);
    const pinned = unknown.filter(({ source }) => source === 'pin');
    const posted = unknown.length - pinned.length;
    // One controller posts one at a time: only the answer to its last post can have been lost.
    if (posted > 1) this.faults.push(`${posted} posts are there that were never answered.`);
    for (const [name, glass] of this.#open) if (this.#settle(glass, pinned, isLast)) this.#open.delete(name);
    for (const pour of pinned) this.faults.push(`Nobody poured ${toText(pour)}.`);
  }

  /** A glass that ran, or had just ended, when the power went: true when there is nothing more to come of it. */
  #settle({ meter, ticks, sent, hz, bootId }, pinned, isLast) {
    const mine = pinned.filter((pour) => pour.meter === meter && pour.boot_id === bootId);
    for (const pour of mine) pinned.splice(pinned.indexOf(pour), 1);
    // What it left in the journal becomes a drink at the next start.
    const isTakenUp = isLast || (bootId !== this.#boots.at(-1) && this.#serves);
    if (mine.length === 0 && !isTakenUp) return false;

    const what = `Of a glass of ${ticks} ticks at ${meter}, of which ${sent} certainly ran,`;
    if (mine.length > 1) this.faults.push(`${what} there are ${mine.length} drinks: ${toText(mine)}.`);
    const kept = mine[0]?.ticks ?? 0;
    const missed = sent - kept;
    const missedMs = (missed * 1_000) / hz;
    this.#running += 1;
    if (missed > this.#mostMissed.ticks) this.#mostMissed = { ticks: missed, ms: missedMs };
    if (missedMs > maxMissingMs) this.faults.push(`${what} ${kept} are kept.`);
    if (kept > ticks) this.faults.push(`${what} ${kept} are kept: too many.`);
    return true;
  }
}

const toText = (what) => JSON.stringify(what);

/** Half a line of a life that was cut may stand before the first line of the next. */
function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return JSON.parse(line.slice(line.lastIndexOf('{"kind"')));
  }
}
