/** Normalizes an id at another service, as it is stored for look-ups and compared: case and outer spaces do not count. */
export const normalizeId = (id: unknown): string => String(id).trim().toLowerCase();
