/** The texts of the account pages in German; their style is that of `de.ts`. */
export * from './developer.ts';
export * from './failures.ts';
export * from './refusals.ts';
export * from './security.ts';
export * from './sign-in.ts';
