/** A record that has a name, as its primary name or as an alias, and its place. */
export type NameMatch = { id: number; is_alias: number; country: string | null; city_id: number | null };
