/** The settings of sources: preview of an address, new sources, and changes of settings and rules. */
import { z } from 'zod';
import { isKeyHost, keyHostOf } from '../contract/source-formats.ts';
import { Failure } from '../failure.ts';
import { type ActionTable, defineAction, sourceNameInput } from './action.ts';
import { previewMatches } from './preview-matches.ts';

/** The console adds addresses only: a path would let an editor read files of the server. */
const address = z
  .string()
  .trim()
  .max(2_000)
  .regex(/^https?:\/\//i, 'The address of a source begins with https:// or http://.');
const shortText = z.string().max(2_000).optional();
const patterns = z.array(z.string().max(200)).max(100).optional();
const ruleMembers = {
  include: patterns,
  exclude: patterns,
  genres: patterns,
  city: shortText,
  country: shortText,
  timezone: shortText,
  license: shortText,
  attribution: shortText,
  attributionUrl: shortText,
  maxAge: shortText,
  onMissing: shortText,
  hold: z.boolean().optional(),
  keepPast: z.boolean().optional(),
};
/** The address of a source is a location of the web here, too. */
const sourceChanges = z.object({
  url: address.optional(),
  trust: shortText,
  every: shortText,
  clock: shortText,
  complete: z.boolean().optional(),
  ...ruleMembers,
});
/** Other settings of a form are ignored: a preview is about the rules only. */
const ruleChanges = z.object(ruleMembers);
/** Time of a preview of an address with its recognition, in ms. The page waits for it. */
const maxPreviewMs = 20_000;

/** Throws a `Failure` if an editor would send a key of the operator to another host than that of its service. */
function assertKeyStays(type: string, url: string): void {
  const host = keyHostOf(type);
  if (host === null || isKeyHost(type, url)) return;
  throw new Failure(
    `In the console, a source of the type ${type} has an address at https://${host}, because its requests carry the key of the operator. The terminal accepts others.`,
  );
}

/** Says what was tried at an address, and what else to try. */
const notFoundMessage = (url: string, tried: readonly { what: string; outcome: string }[]): string =>
  [
    `${url} lists no events that can be read.`,
    ...(tried.length === 0
      ? []
      : [`Tried: ${tried.map(({ what, outcome }) => `${what}: ${outcome}`).join('; ')}.`]),
    'Try the page of the programme, the address behind "Subscribe", or the page of one event; or choose the type.',
  ].join(' ');

/** A file too large to be copied is not compared. */
const nothingCompared = { matches: null, match_count: 0, next: null, shorter_lineups: null };

export const sourceSettingActions: ActionTable = {
  'source.preview-rules': defineAction(
    'read',
    { name: sourceNameInput, changes: ruleChanges },
    async (app, { name, changes }, { fetch }) => (await app.sources(fetch)).preview(name, changes),
  ),
  'source.check': defineAction(
    'read',
    { name: sourceNameInput, changes: sourceChanges },
    async (app, { name, changes }, { fetch }) =>
      (await app.sources(fetch)).check(name, changes).map(({ message, details }) => ({ message, details })),
  ),
  'source.preview': defineAction(
    'preview',
    {
      url: address,
      type: z.string().max(20),
      name: z.string().trim().max(100),
      options: z.array(z.string().max(500)).max(20).optional(),
    },
    async (app, { url, type, name, options: optionTexts }, { fetch }) => {
      assertKeyStays(type, url);
      const registry = await app.sources(fetch);
      const input = {
        url,
        name,
        options: optionTexts,
        type: type === '' ? undefined : type,
        maxMs: maxPreviewMs,
      };
      const { found, reading, tried } = await registry.recognize(input);
      if (found === null || reading === null) throw new Failure(notFoundMessage(url, tried));
      const { label, options, license, attribution, place_options } = found;
      // `preview.url` hides keys. The form that follows needs the address itself.
      const matches = await previewMatches(app, reading, fetch);
      return {
        ...reading.preview,
        ...(matches ?? nothingCompared),
        ...{
          name: found.name,
          address: found.url,
          label,
          options,
          license,
          attribution,
          place_options,
          tried,
        },
      };
    },
  ),
  'source.set': defineAction(
    'write',
    { name: sourceNameInput, changes: sourceChanges },
    async (app, { name, changes }, { actor, fetch }) => (await app.sources(fetch)).set(name, changes, actor),
  ),
  'source.add': defineAction(
    'write',
    {
      name: sourceNameInput,
      type: z.string().max(20),
      url: address,
      trust: z.string().max(5).optional(),
      every: z.string().max(10).optional(),
      complete: z.literal(true).optional(),
      options: z.array(z.string().max(500)).max(20).optional(),
      license: shortText,
      attribution: shortText,
    },
    async (app, input, { fetch, actor }) => {
      assertKeyStays(input.type, input.url);
      const registry = await app.sources(fetch);
      const { license, attribution, ...source } = input;
      const summary = registry.add({ ...source, rules: { license, attribution } }, actor);
      return { added: summary, blocked: registry.blocked(summary.name) };
    },
  ),
};
