/** Ids that a reading makes of what a house is called, where its source gives none. */

/** What they begin with. */
export const derivedIdPrefix = 'name:';

/** Whether an id was made of a name: of two of one source it says nothing but that the names are two. */
export const isDerivedId = (id: string): boolean => /^name:[\da-f]{24}$/.test(id);
