import { createContext } from 'preact';
import type { LiveState } from './live.ts';

/** State that the routes pass to their pages. */
export const LiveContext = createContext<LiveState | null>(null);
