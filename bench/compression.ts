/**
 * `npm run bench:compression` measures the content codings. It compresses bodies that the API sends from a generated
 * catalogue, and prints processor time per kB and the remaining size.
 */
import { openApp } from '../src/app.ts';
import { handleOperation } from '../src/catalogue/handlers.ts';
import { compressBody, contentCodings } from '../src/http/compression.ts';
import { parseRequest } from '../src/rest/parse-request.ts';
import { prepareCatalogue } from './catalogue.ts';
import { readBenchOptions } from './options.ts';

readBenchOptions('npm run bench:compression takes no options.', {});
const rounds = 500;
const queries = [
  ['a list of 50 events', 'listEvents', { limit: '50' }],
  ['a list of 100 artists', 'listArtists', { limit: '100' }],
  ['a list of 20 venues', 'listVenues', { limit: '20' }],
] as const;

const path = await prepareCatalogue({ events: 2_000, note: (text) => console.error(text) });
const app = openApp({ data: path, create: false, readOnly: true });
const now = Date.now();
console.log('| body | bytes | coding | sent | share | µs | µs per kB |\n|---|---|---|---|---|---|---|');
for (const [title, operation, query] of queries) {
  const { reader, search } = app;
  const body = Buffer.from(handleOperation(parseRequest(operation, {}, query, now), { reader, search }));
  for (const coding of contentCodings) {
    let sent = compressBody(body, coding);
    for (let warm = 0; warm < rounds; warm++) sent = compressBody(body, coding);
    const { user: before } = process.cpuUsage();
    for (let round = 0; round < rounds; round++) sent = compressBody(body, coding);
    const micros = (process.cpuUsage().user - before) / rounds;
    const share = `${Math.round((100 * sent.length) / body.length)} %`;
    const perKb = ((micros * 1_000) / body.length).toFixed(1);
    console.log(
      `| ${title} | ${body.length} | ${coding} | ${sent.length} | ${share} | ${micros.toFixed(0)} | ${perKb} |`,
    );
  }
}
app.close();
