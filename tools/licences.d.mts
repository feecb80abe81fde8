import type { Plugin } from 'vite';

export declare const rule: string;
export declare function licences(where: { readonly root: string; readonly own: readonly string[] }): Plugin;
