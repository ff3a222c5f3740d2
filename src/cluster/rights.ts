/** Rights in PostgreSQL that the role of a cluster lacks: requests that need them are answered with 503. */
import { readAsset } from '../assets.ts';

/** What creates the tables and functions of a cluster, in this order. */
export const schemaFiles = [
  'src/cluster/schema.sql',
  'src/cluster/nodes.sql',
  'src/cluster/publication/schema.sql',
  'src/cluster/admit.sql',
];

/**
 * Returns the right and the table or function of each right that is missing. A table that does not exist, or whose
 * schema this role may not use, is left out: the start fails then.
 */
export const missingRightsSql = `
  SELECT privilege || ' on ' || name AS missing
  FROM unnest($1::text[]) name, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) privilege
  WHERE to_regclass(name) IS NOT NULL AND NOT has_table_privilege(to_regclass(name), privilege)
  UNION ALL
  SELECT 'EXECUTE on ' || name FROM unnest($2::text[]) name JOIN pg_proc p ON p.proname = name
    AND p.pronamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('cluster_schema'))
  WHERE NOT has_function_privilege(p.oid, 'EXECUTE')`;

let names: [tables: string[], functions: string[]] | undefined;

/** The values of `missingRightsSql`: the tables and functions of a cluster. */
export function clusterNames(): [tables: string[], functions: string[]] {
  if (names === undefined) {
    const sql = schemaFiles.map((file) => readAsset(file)).join('\n');
    const namesAfter = (words: RegExp) => [...sql.matchAll(words)].map(([, name]) => name as string);
    // Its only row is written by `cluster init`.
    const tables = namesAfter(/^CREATE TABLE (\w+)/gm).filter((name) => name !== 'cluster_schema');
    names = [tables, namesAfter(/^CREATE (?:OR REPLACE )?FUNCTION (\w+)/gm)];
  }
  return names;
}
