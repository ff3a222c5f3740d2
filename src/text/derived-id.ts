/** Ids that are derived from names of venues whose source gives no id. */

export const derivedIdPrefix = 'name:';

/** Whether an id is derived from a name. Two such ids of one source only show that the names differ. */
export const isDerivedId = (id: string): boolean => /^name:[\da-f]{24}$/.test(id);
