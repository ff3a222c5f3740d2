/** A client of the cratebase API, without dependencies. */
export * from './client.ts';
export * from './generated.ts';
