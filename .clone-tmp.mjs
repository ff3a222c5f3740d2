import Database from 'better-sqlite3';
import { copyFileSync, constants } from 'node:fs';
const [,, from, to, copiesText] = process.argv;
const copies = Number(copiesText);
copyFileSync(from, to, constants.COPYFILE_FICLONE);
const db = new Database(to);
db.pragma('journal_mode = OFF'); db.pragma('synchronous = OFF'); db.pragma('cache_size = -2000000'); db.pragma('foreign_keys = OFF'); db.pragma('temp_store = MEMORY');
const idx = db.prepare("select name, sql from sqlite_master where type='index' and sql is not null").all();
const maxId = db.prepare('select max(id) from records').pluck().get();
const OFF = Math.ceil((maxId + 1) / 1000) * 1000;
const t0 = Date.now(); const say = (m) => console.log(((Date.now()-t0)/1000).toFixed(0), m);
for (const { name } of idx) db.exec(`drop index "${name}"`);
// shared: genres, cities, the first artists and venues
const shared = new Set();
for (const t of ['genres','cities','podcasts','episodes']) for (const id of db.prepare(`select id from ${t}`).pluck().iterate()) shared.add(id);
for (const [t,n] of [['artists',300],['venues',60],['labels',20],['festivals',5]]) for (const id of db.prepare(`select id from ${t} order by id limit ${n}`).pluck().iterate()) shared.add(id);
const keep = new Set('klubnacht house techno opening closing warehouse showcase birthday summer winter rave session open air marathon with presents all night long dj the club hall studio bunker garden loft basement factory terrace records recordings music audio trax editions festival days weekender gathering residents'.split(' '));
const cons = 'bcdfghjklmnpqrstvwxz';
const cache = new Map();
let K = 0;
const mapWord = (w) => {
  const lower = w.toLowerCase();
  if (w.length < 3 || keep.has(lower)) return w;
  let out = cache.get(w);
  if (out !== undefined) return out;
  out = '';
  let h = K * 7;
  for (let i = 0; i < w.length; i++) {
    const c = w[i]; const at = cons.indexOf(c.toLowerCase());
    if (at < 0 || i % 3 !== 1 && i !== 0) { out += c; continue; }
    const m = cons[(at + K * (1 + (h++ % 3))) % 20];
    out += c === c.toLowerCase() ? m : m.toUpperCase();
  }
  cache.set(w, out);
  return out;
};
const mapText = (s) => s === null || s === '' ? s : s.replace(/[\p{L}]+/gu, mapWord);
db.function('nid', { deterministic: true }, (id) => id === null ? null : shared.has(id) ? id : id + K * OFF);
db.function('fresh', { deterministic: true }, (id) => shared.has(id) ? 0 : 1);
db.function('tx', (s) => mapText(s));
db.function('nslug', (s) => `${s}-k${K}`);
db.function('njson', (s, slug) => mapJson(s, slug));
const mapJson = (s, slug) => s.replaceAll(`"${slug}"`, `"${slug}-k${K}"`).replaceAll(`/${slug}"`, `/${slug}-k${K}"`).replace(/"name":"((?:[^"\\]|\\.)*)"/g, (m, n) => `"name":"${mapText(n)}"`);
db.function('tm', (s) => mapText(s));
const cols = (t) => db.prepare(`select name from pragma_table_info('${t}')`).pluck().all();
const idCols = new Set(['record_id','artist_id','venue_id','label_id','festival_id','event_id','edition_id','parent_id','episode_id']);
function clone(t, key, extra = {}) {
  const c = cols(t);
  const kinds = new Set(['artists','venues','labels','festivals','editions','events']);
  const exp = c.map((n) => {
    if (extra[n]) return extra[n];
    if (n === 'id' && kinds.has(t)) return 'nid(id)';
    if (n === 'checksum') return 'checksum';
    if (idCols.has(n)) return `nid(${n})`;
    if (n === 'slug') return 'nslug(slug)';
    if (n === 'name' || n === 'folded' || n === 'venue_name') return `tx(${n})`;
    return n;
  });
  db.exec(`insert or ignore into ${t} (${c.join(',')}) select ${exp.join(',')} from base.${t} where fresh(${key}) = 1`);
}
db.exec(`attach '${from}' as base`);
for (K = 1; K < copies; K++) {
  cache.clear();
  db.exec('begin');
  db.exec(`insert into records (id, kind, revision, created_revision) select nid(id), kind, revision, created_revision from base.records where fresh(id) = 1`);
  db.exec(`insert into slugs (kind, slug, record_id) select kind, nslug(slug), nid(record_id) from base.slugs where fresh(record_id) = 1`);
  for (const t of ['artists','venues','labels','festivals','editions']) clone(t, 'id');
  clone('events', 'id', { item_json: 'njson(item_json, slug)', name: 'tx(name)', start_ts: 'start_ts' });
  clone('event_details', 'event_id');
  clone('lineups', 'record_id'); clone('tickets', 'record_id');
  clone('event_artists', 'event_id'); clone('event_genres', 'event_id');
  clone('event_places', 'event_id'); clone('event_sales', 'event_id');
  clone('label_artists', 'label_id'); clone('artist_genres', 'artist_id'); clone('festival_genres', 'festival_id');
  db.exec(`insert or ignore into names (id, kind, record_id, name, is_alias, folded, words, terms) select id + ${K * OFF} * (case when id >= ${2 ** 52} then 16 else 256 end), kind, nid(record_id), tx(name), is_alias, tx(folded), tx(words), tx(terms) from base.names where fresh(record_id) = 1`);
  db.exec(`insert into external_ids (kind, service, external_id, record_id) select kind, service, external_id || '-${K}', nid(record_id) from base.external_ids where fresh(record_id) = 1`);
  db.exec('commit');
  say(`copy ${K}: ${db.prepare('select count(*) from events').pluck().get()} events`);
}
db.exec('detach base');
for (const { sql } of idx) db.exec(sql);
say('indexes');
db.exec("insert into name_search (name_search) values ('rebuild')");
say('fts');
db.exec("insert into name_search (name_search) values ('optimize')");
db.pragma('journal_mode = WAL');
say('done');
for (const t of ['events','artists','names','lineups','event_artists','event_genres','labels','venues']) console.log(t, db.prepare(`select count(*) from ${t}`).pluck().get());
db.close();
