/** Style sheets are imported for their side effect; Vite extracts them to files. */
declare module '*.css';
