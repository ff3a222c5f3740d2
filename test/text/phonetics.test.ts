/** Names in two scripts, of which spelling says nothing (docs/spec/imports.md#evidence: "a title may be translated"). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCrossScript, soundsAlike } from '../../src/text/consonant-sounds.ts';

const alike: [string, string][] = [
  ['롤링홀', 'Rolling Hall'],
  ['실리카겔', 'Silica Gel'],
  ['제임스 블레이크', 'James Blake'],
  ['كايرو جاز كلوب', 'Cairo Jazz Club'],
  ['بن كلوك', 'Ben Klock'],
  ['ベルグハイン', 'Berghain'],
  ['リッチー・ホウティン', 'Richie Hawtin'],
  ['Нина Кравиц', 'Nina Kraviz'],
  ['Νίνα Κράβιτς', 'Nina Kraviz'],
  ['ბასიანი', 'Bassiani'],
];

test('a name sounds alike in two scripts', () => {
  for (const [a, b] of alike) {
    assert.equal(soundsAlike(a, b), true, `${a} and ${b}`);
    assert.equal(soundsAlike(b, a), true, `${b} and ${a}`);
  }
});

test('every name sounds like its own, and like no other of them', () => {
  for (const [a] of alike)
    for (const [, b] of alike) {
      const isOwn = alike.some(([one, other]) => one === a && other === b);
      assert.equal(soundsAlike(a, b) === true, isOwn, `${a} and ${b}`);
    }
});

test('numbers have to be the same', () => {
  assert.equal(soundsAlike('كايرو جاز كلوب ٦١٠', 'Cairo Jazz Club 610'), true);
  assert.equal(soundsAlike('كايرو جاز كلوب ٦١٠', 'Cairo Jazz Club 620'), false);
  assert.equal(soundsAlike('كايرو جاز كلوب ٦١٠', 'Cairo Jazz Club'), false);
});

test('nothing is said of names in one script, of characters that are no sounds, and of names too short', () => {
  assert.equal(soundsAlike('Ben Klock', 'Ben Klok'), null);
  assert.equal(soundsAlike('坂本慎太郎', 'Shintaro Sakamoto'), null);
  assert.equal(soundsAlike('صالة', 'Hall'), null);
  assert.equal(isCrossScript('坂本慎太郎', 'Shintaro Sakamoto'), true);
  assert.equal(isCrossScript('세이수미 (Say Sue Me)', 'Say Sue Me'), false);
});
