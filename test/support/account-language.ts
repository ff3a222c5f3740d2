/** Whether account pages are in one language. */
import assert from 'node:assert/strict';
import { load } from 'cheerio/slim';
import * as de from '../../src/pages/messages/de.ts';
import * as en from '../../src/pages/messages/en.ts';
import { type Pages, Person } from './account-pages.ts';
import { textsOnlyIn, visibleText } from './languages.ts';
import type { Answer } from './program.ts';

const englishOnly = textsOnlyIn(en, de);
const germanOnly = textsOnlyIn(de, en);

/** A person who chose German. */
export function german(pages: Pages): Person {
  const person = new Person(pages);
  person.cookies.set('cratebase_language', 'de');
  return person;
}

/** The page is in one language, from its title to its footer. */
export function assertLanguage(answer: Answer, language: 'de' | 'en'): ReturnType<typeof load> {
  const $ = load(answer.text);
  const where = `${answer.status} ${$('title').text()}`;
  assert.equal($('html').attr('lang'), language, where);
  assert.equal(answer.headers['content-language'], language, where);
  assert.equal(answer.headers.vary, 'Accept-Language, Cookie', where);
  $('main code').remove();
  const text = visibleText($);
  const found = (language === 'de' ? englishOnly : germanOnly).filter((pattern) => pattern.test(text));
  assert.deepEqual(
    found.map(({ source }) => source),
    [],
    where,
  );
  return load(answer.text);
}
