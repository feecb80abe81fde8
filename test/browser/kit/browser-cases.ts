import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Moment } from '../../../src/core/clock/moment.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Shot } from '../screenshots/shot.ts';

/** A page as the tests of all pages open it. */
export interface PageCase {
  readonly name: string;
  readonly path: string;
  readonly isStaff?: boolean;
  /** True for a page without the header, for a screen that nobody touches. */
  readonly isFullScreen?: true;
  /** Selector to wait for before the check. */
  readonly ready?: string;
  open?(page: Page): Promise<void>;
}

/** The bar of the screenshots while it is filled. */
export interface SampleData {
  readonly engine: Engine;
  readonly store: Store;
  readonly now: Moment;
}

/**
 * What tests of all pages know of those of an extension: `test/extensions/<name>/browser/cases.ts` exports it as `browserCases`.
 */
export interface BrowserCases {
  readonly pages?: readonly PageCase[];
  /** Paths of its pages that guests see. */
  readonly guestPages?: readonly string[];
  /** Screenshots of its pages; their pictures are in the folder `baseline` beside the file. */
  readonly shots?: readonly Shot[];
  /** Adds what the bar of the screenshots has of it. */
  addSamples?(bar: SampleData): void;
}

const folder = fileURLToPath(new URL('../../extensions/', import.meta.url));

/** Each with the folder of its file. */
export const browserCases: readonly (BrowserCases & { readonly folder: string })[] = await Promise.all(
  (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => `${folder}${name}/browser`)
    .filter((path) => existsSync(`${path}/cases.ts`))
    .map(async (path) => {
      const { browserCases: cases } = (await import(`${path}/cases.ts`)) as {
        readonly browserCases: BrowserCases;
      };
      return { ...cases, folder: path };
    }),
);
