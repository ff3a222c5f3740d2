/** The texts of the account pages in English, a file per group of pages. They are the pattern of the other languages, as `en.ts` is. */
export * from './developer.ts';
export * from './failures.ts';
export * from './refusals.ts';
export * from './security.ts';
export * from './sign-in.ts';
