export declare function findFirstTexts(entry: string): (key: string) => boolean;
