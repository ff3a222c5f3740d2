/** Values of the identity: what is accepted, what is refused and with which words, and colours that can be read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IdentityKey } from '../../src/contract/identity.ts';
import { findIdentityKey, identityFields, identityKeys, identityName } from '../../src/identity/fields.ts';
import { maxLogoBytes, parseLogo } from '../../src/identity/logo.ts';
import { accentShades, contrast, minContrast, papers } from '../../src/pages/colours.ts';

const parse = (key: Exclude<IdentityKey, 'logo'>, text: string): string | null => {
  const parsed = identityFields[key].parse(text);
  return 'value' in parsed ? parsed.value : null;
};

test('the contrast of colours is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#ffffff', '#ffffff'), 1);
  // A grey that is known to just pass on white.
  assert.ok(contrast('#767676', '#ffffff') >= 4.5 && contrast('#777777', '#ffffff') < 4.5);
});

test('every accent colour becomes shades that can be read on both papers, with text on them', () => {
  const levels = ['00', '33', '66', '99', 'cc', 'ff'];
  for (const red of levels)
    for (const green of levels)
      for (const blue of levels) {
        const given = `#${red}${green}${blue}`;
        const shades = accentShades(given);
        for (const scheme of ['light', 'dark'] as const) {
          const { accent, onAccent } = shades[scheme];
          for (const paper of papers[scheme])
            assert.ok(contrast(accent, paper) >= minContrast, `${given}: ${accent} on ${paper}`);
          assert.ok(contrast(accent, onAccent) >= minContrast, `${given}: ${onAccent} on ${accent}`);
        }
      }
});

test('a colour that can be read stays as it is; another one keeps its hue', () => {
  assert.equal(accentShades('#0057b8').light.accent, '#0057b8');
  assert.equal(accentShades('#ffcc00').dark.accent, '#ffcc00');
  const { accent } = accentShades('#ffcc00').light;
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
  assert.ok((red ?? 0) > (green ?? 0) && (green ?? 0) > (blue ?? 0), accent);
});

test('values are normalized', () => {
  assert.equal(parse('accent', '05B'), '#0055bb');
  assert.equal(parse('name', '  Klub Kalender '), 'Klub Kalender');
  assert.equal(parse('contact', 'mail@example.org'), 'mail@example.org');
  assert.equal(parse('contact', 'https://example.org/kontakt'), 'https://example.org/kontakt');
  assert.equal(parse('imprint', 'HTTPS://Example.org/a?b=c'), 'https://example.org/a?b=c');
  assert.equal(parse('about', 'One.\r\n\r\n\r\n\r\nTwo.\n'), 'One.\n\nTwo.');
  assert.equal(parse('indexing', 'NO'), 'off');
  assert.equal(parse('homeCity', ' Berlin '), 'berlin');
  assert.equal(parse('footer', '<b>bold</b>'), '<b>bold</b>', 'markup is text; pages escape it');
});

const refused: [Exclude<IdentityKey, 'logo'>, string][] = [
  ['name', ''],
  ['name', 'x'.repeat(101)],
  ['name', 'two\nlines'],
  ['name', 'turned \u202earound'],
  ['accent', 'red'],
  ['accent', '#12345'],
  ['accent', 'url(https://evil.test)'],
  ['contact', 'mail@'],
  ['contact', 'javascript:alert(1)'],
  ['contact', 'a@b.c"><script>'],
  ['imprint', 'javascript:alert(1)'],
  ['imprint', 'example.org/imprint'],
  ['imprint', 'data:text/html,x'],
  ['imprint', 'https://user:secret@example.org/'],
  ['privacy', `https://example.org/${'x'.repeat(500)}`],
  ['terms', 'ftp://example.org/'],
  ['footer', 'x'.repeat(301)],
  ['about', 'x'.repeat(4_001)],
  ['about', 'null \0 byte'],
  ['attribution', 'x'.repeat(201)],
  ['indexing', 'maybe'],
  ['indexing', 'constructor'],
  ['media', '__proto__'],
  ['homeCity', '../admin'],
];
for (const [key, text] of refused)
  test(`${key} refuses ${JSON.stringify(text.slice(0, 40))} and says what it accepts`, () => {
    const parsed = identityFields[key].parse(text);
    assert.ok('problem' in parsed);
    assert.ok(parsed.problem.includes(identityFields[key].accepts), parsed.problem);
  });

test('every key has a name, with and without the prefix of the data file', () => {
  assert.equal(identityKeys.length, 16);
  for (const key of identityKeys) {
    assert.equal(findIdentityKey(identityName(key)), key);
    assert.equal(findIdentityKey(`site.${identityName(key)}`), key);
  }
  assert.equal(findIdentityKey('password'), undefined);
});

const svg = (inner: string, attributes = '') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"${attributes}>${inner}</svg>`);

test('PNG, WebP and plain SVG are logos; equal files have equal addresses', () => {
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.alloc(40),
  ]);
  const webp = Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1');
  const plain = svg(
    '<defs><linearGradient id="a"/></defs><style>.b{fill:url(#a)}@media(prefers-color-scheme:dark){.b{fill:#fff}}</style><use href="#a"/><path class="b" d="M0 0h9v9z"/>',
  );
  for (const [content, ending] of [
    [png, 'png'],
    [webp, 'webp'],
    [plain, 'svg'],
  ] as const) {
    const logo = parseLogo(content);
    assert.ok(typeof logo !== 'string', String(logo));
    assert.equal(logo.ending, ending);
    const again = parseLogo(Buffer.from(content));
    assert.ok(typeof again !== 'string' && again.digest === logo.digest);
  }
});

const hostile: [what: string, content: Buffer][] = [
  ['script', svg('<script>alert(1)</script>')],
  ['script in upper case', svg('<SCRIPT>alert(1)</SCRIPT>')],
  ['script with a prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>')],
  ['event handler', svg('<circle r="9"/>', ' onload="alert(1)"')],
  ['event handler after a slash', svg('<circle/onclick="alert(1)" r="9"/>')],
  ['link to a script', svg('<a href="javascript:alert(1)"><circle r="9"/></a>')],
  ['link with character references', svg('<a href="java&#115;cript:alert(1)"><circle r="9"/></a>')],
  ['xlink', svg('<use xlink:href="https://evil.test/x.svg#a"/>')],
  ['picture of another host', svg('<image href="https://evil.test/x.png"/>')],
  ['HTML address', svg('<a><metadata>data:text/html,x</metadata></a>')],
  ['HTML address with spaces', svg('<a x:link="data : text/html;base64,PHN2Zy8+"/>', ' xmlns:x="urn:x"')],
  ['SVG within a picture', svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')],
  ['foreign object', svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')],
  ['animation that sets a link', svg('<a><animate attributeName="href" values="javascript:alert(1)"/></a>')],
  ['import in a style', svg('<style>@import "https://evil.test/x.css"</style>')],
  ['address in a style', svg('<style>path{fill:url(https://evil.test/x)}</style>')],
  ['entities', Buffer.from('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')],
  ['style sheet', Buffer.from('<?xml-stylesheet href="https://evil.test/x.xsl"?><svg></svg>')],
  ['HTML', Buffer.from('<html><body><svg></svg></body></html>')],
  ['text', Buffer.from('hello')],
  ['nothing', Buffer.alloc(0)],
  ['too much', Buffer.concat([svg(''), Buffer.alloc(maxLogoBytes, 32)])],
];
for (const [what, content] of hostile)
  test(`a logo with ${what} is refused with advice`, () => {
    const problem = parseLogo(content);
    assert.ok(typeof problem === 'string');
    assert.match(problem, /^The (?:logo|SVG) .+\. .+\.$/s);
  });
